"""From a document's text to diagnostics: judged against HEAD, placed in the client's units."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from lsprotocol import types

from sakaime.judge import judge
from sakaime.lsp.document import units
from sakaime.lsp.known import Judged, Placed
from sakaime.material.change import Material
from sakaime.material.sources import buffer, whole_file
from sakaime.material.sources import message as commit_message
from sakaime.model import Position, SakaimeError
from sakaime.text.paths import printable
from sakaime.text.source import Source, Undecodable, decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sakaime.policy.policy import Policy

SOURCE = "sakaime"
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_MARK = "\ufeff"
_NO_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")


class Layout:
    """Where the lines of a document begin: by the protocol's line ends, in the client's units."""

    def __init__(self, lines: Sequence[str], encoding: str) -> None:
        self._lines = lines
        self._starts = [0, *accumulate(map(len, lines))]
        self._encoding = encoding

    def place(self, offset: int) -> types.Position:
        """The client's position of an offset in code points."""
        offset = min(offset, self._starts[-1])
        index = bisect_right(self._starts, offset) - 1
        if index == len(self._lines):
            # Behind the last line: on a line of its own only if that one has ended.
            if index == 0 or self._lines[-1].endswith(("\n", "\r")):
                return types.Position(index, 0)
            index -= 1
        return types.Position(index, units(self._lines[index], offset - self._starts[index], self._encoding))

    def range(self, start: int, end: int) -> types.Range:
        """The client's range of two offsets in code points."""
        return types.Range(self.place(start), self.place(end))


def judge_text(policy: Policy, path: str, old: bytes | None, text: str, message: bool = False) -> Judged:
    """Everything found in a text: what is new against `old` as it is, what `old` already had as inherited.

    `path` is relative to the root of the repository; `old` is the file on the base side (None: there is
    none, and every line is new). Line ends play no part in the comparison: git may record others than
    the work tree has. With `message` it is the message of a commit, of which git's own lines are left out.
    """
    mark = len(_MARK) if text.startswith(_MARK) else 0
    shown = text[mark:].translate(_NO_SURROGATES)
    new = _plain(shown)
    before = None if old is None or message else _decoded(old)
    if message:
        material = commit_message("commit-message", new)
    else:
        material = buffer(path, None if before is None else _plain(before), new)
    names = {printable(change.path) for change in material.changes}
    judgement = judge(policy, material)
    findings = list(judgement.findings)
    if before is not None:
        added = [run for change in material.changes for run in change.added]
        whole = judge(policy, Material("buffer", (whole_file(path, new),)))
        findings += [
            finding.replace(inherited=True)
            for finding in whole.findings
            # A line for the review to look at is one that the change brings.
            if finding.family not in ("policy", "risks") and not _touches(finding.span.lines, added)
        ]
    source = Source(shown)
    placed = []
    for finding in findings:
        if finding.suppressed is None and finding.path in names:
            start = _offset(source, finding.span.start)
            end = max(start, _offset(source, finding.span.end))
            placed.append(Placed(finding, mark + start, mark + end))
    reasons = [skipped.reason for skipped in judgement.scope.unjudged]
    return Judged(tuple(sorted(placed, key=lambda p: (p.start, p.end))), "; ".join(reasons) or None)


def _plain(text: str) -> bytes:
    return text.replace("\r\n", "\n").encode()


def _decoded(old: bytes) -> str | None:
    try:
        return decode(old)
    except Undecodable:
        return None  # nothing of it can be compared, so every line counts as new


def _touches(lines: range, runs: list[tuple[int, int]]) -> bool:
    return any(first < lines.stop and lines.start <= last for first, last in runs)


def _offset(source: Source, place: Position) -> int:
    """The offset of a place, inside its line."""
    if place.line > len(source.starts):
        return len(source.text)
    start, end = source.bounds(place.line - 1)
    return min(start + place.column - 1, end)


def diagnostics(judged: Judged, lines: Sequence[str], encoding: str) -> list[types.Diagnostic]:
    """The diagnostics of a document. What HEAD already had is faded and counts nowhere."""
    layout = Layout(lines, encoding)
    found = []
    if judged.unjudged is not None:
        found.append(note(f"not judged: {judged.unjudged}"))
    for placed in judged.findings:
        finding = placed.finding
        severity = types.DiagnosticSeverity.Hint if finding.inherited else _SEVERITY[finding.severity]
        found.append(
            types.Diagnostic(
                range=layout.range(placed.start, placed.end),
                message=finding.message,
                severity=severity,
                code=finding.rule,
                source=SOURCE,
                tags=[types.DiagnosticTag.Unnecessary] if finding.inherited else None,
            )
        )
    return found


def mistake(error: SakaimeError) -> types.Diagnostic:
    """A mistake in settings or packs, at its place in the file that it stands in."""
    place = types.Position(max(0, (error.line or 1) - 1), max(0, (error.column or 1) - 1))
    text = f"{error.message}\n{error.way_out}" if error.way_out else error.message
    return types.Diagnostic(types.Range(place, place), text, types.DiagnosticSeverity.Error, source=SOURCE)


def note(text: str) -> types.Diagnostic:
    """Something that is to be said about a document as a whole."""
    start = types.Position(0, 0)
    return types.Diagnostic(types.Range(start, start), text, types.DiagnosticSeverity.Warning, source=SOURCE)
