"""Findings that the baseline knows. They stay in the judgement, marked, and count no more."""

from __future__ import annotations

from collections import Counter, defaultdict

from sakaime.judge.fingerprint import content_of, normal
from sakaime.model import Finding, Position, Record, Span
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.material.change import Material
    from sakaime.policy.policy import Baseline

    Entry = tuple[str, str, str, int, str]

KNOWN = "baseline"
MASK = "*"  # what stands for each character that no report shows
_LINE = 2000  # a finding keeps no more of its line


class Matched(Record):
    """Every finding with the entry that knows it, or None, and the entries that know nothing here."""

    findings: tuple[tuple[Finding, Entry | None], ...]
    stale: tuple[Entry, ...]


def match(baseline: Baseline, material: Material, findings: Iterable[Finding]) -> Matched:
    """Which findings a baseline knows. Each entry knows one finding of its rule and fingerprint.

    An entry of the finding's own path goes before one of another path (a line that moved). Of a change,
    an added line is known only where the change takes a line of the same content away: so that a line is
    known when it moves or is indented anew, and no copy of it is. Of files that are not the whole tree,
    the path must be that of the entry.
    """
    left: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in baseline.entries:
        left[entry[0], entry[2]].append(entry)
    findings = list(findings)
    possible = [f for f in findings if f.family != "policy" and not f.suppressed and (f.rule, f.fingerprint) in left]
    possible = [f for f in possible if not is_secret(f) or f.digest]
    chosen: dict[int, Entry] = {}
    lines = None if material.mode == "tree" or not possible else _Moved(material, {_line_of(f) for f in possible})
    for own in (True, False) if material.complete or material.mode != "tree" else (True,):
        for finding in possible:
            entries = left[finding.rule, finding.fingerprint]
            at = next((n for n, entry in enumerate(entries) if _knows(entry, finding, own)), None)
            if id(finding) in chosen or at is None:
                continue
            if lines is None or is_secret(finding) or lines.was_there(finding):
                chosen[id(finding)] = entries.pop(at)
    return Matched(
        tuple((finding, chosen.get(id(finding))) for finding in findings),
        tuple(entry for entries in left.values() for entry in entries),
    )


def is_secret(finding: Finding) -> bool:
    """Whether a finding is of a secret itself: a baseline knows it by a digest of its value, or not at all."""
    return finding.family == "secrets" and finding.kind == "live"


def _knows(entry: Entry, finding: Finding, own: bool) -> bool:
    if own and entry[1] != finding.path:
        return False
    return not is_secret(finding) or entry[4] == finding.digest


def _is_masked(line: str, masked: str) -> bool:
    """Whether a line, with what is masked in the other one masked, is that one."""
    return all(one in (char, MASK) for char, one in zip(line, masked, strict=True))


def _line_of(finding: Finding) -> str:
    """The line of a finding, as a change may take it away elsewhere."""
    return normal(finding.line) if finding.family == "secrets" else content_of(finding)


class _Moved:
    """The lines that a change takes away: each may come again once."""

    def __init__(self, material: Material, wanted: set[str]) -> None:
        self._gone: Counter[str] = Counter()
        self._back: set[tuple[str, int]] = set()
        masked: dict[int, list[str]] = {}
        for one in wanted:
            if MASK in one:
                masked.setdefault(len(one), []).append(one)
        for change in material.changes:
            for hunk in change.hunks:
                lines = hunk.old.split(b"\n")
                for first, last in hunk.removed:
                    for line in lines[first - hunk.old_start : last - hunk.old_start + 1]:
                        content = normal(line.decode("utf-8", "replace").removeprefix("\ufeff")[:_LINE])
                        for known in [content] if content in wanted else masked.get(len(content), ()):
                            if content == known or _is_masked(content, known):
                                self._gone[known] += 1

    def was_there(self, finding: Finding) -> bool:
        place = finding.path, finding.span.start.line
        if place in self._back:  # a second finding in the same line
            return True
        content = _line_of(finding)
        if not self._gone[content]:
            return False
        self._gone[content] -= 1
        self._back.add(place)
        return True


def mark_known(baseline: Baseline, material: Material, findings: list[Finding]) -> list[Finding]:
    """The findings, those that the baseline knows marked; of a whole tree, also the entries that are stale."""
    if not baseline.entries:
        return findings
    matched = match(baseline, material, findings)
    out = [f.replace(suppressed=KNOWN) if entry is not None else f for f, entry in matched.findings]
    if material.complete:
        out += [_stale(baseline.path, entry) for entry in matched.stale]
        out.sort(key=lambda f: f.path)
    return out


def _stale(path: str, entry: Entry) -> Finding:
    rule, where, fingerprint, line, digest = entry
    message = f"{rule} no longer finds {fingerprint} in {where}; `sakaime baseline prune` takes the entry out"
    if digest:
        from sakaime.checks.secrets.keyed import KEY, key

        if not key():
            message = f"{rule} in {where} is known by a digest, and there is no key to compare it with ({KEY})"
    return Finding(
        rule="policy/stale-baseline",
        family="policy",
        kind="stale",
        severity="info",
        message=message,
        path=printable(path),
        span=Span(Position(line, 1), Position(line, 2)),
        excerpt="",
        fingerprint=fingerprint,
    )
