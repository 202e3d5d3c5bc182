"""Findings that may stay, with their reason. They stay in the judgement and count no more.

A source of exceptions is a function from a finding to the reason for which it may stay, or None. What the
floor locks is the business of each source.
"""

from __future__ import annotations

from bisect import bisect_right

from sakaime.model import Finding
from sakaime.policy.policy import Allow, Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Source = Callable[[Finding], "str | None"]
    Place = tuple[int, int]
    Stretch = tuple[Place, Place, str]  # from where to where something stays, and why

# What tells that the floor was touched: nobody but whoever keeps it can settle that.
_FLOOR = frozenset({"policy/locked", "policy/floor", "policy/required-pack"})


def suppress(findings: Iterable[Finding], sources: Iterable[Source], locked: dict[str, str]) -> list[Finding]:
    """The findings, each one marked with the reason of the first source that has one.

    Whoever lets a note stay lets it stay whatever other rules of its family say of the same words, unless they are
    locked: nobody wants to be asked three times about one sentence.
    """
    every = tuple(sources)
    settled = [_suppressed(finding, every) for finding in findings]
    stays: dict[tuple[str, str], list[Stretch]] = {}
    for finding in sorted((f for f in settled if f.suppressed is not None), key=lambda f: f.span.start.place):
        stretches = stays.setdefault((finding.path, finding.family), [])
        start, end = finding.span.places
        if stretches and start < stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(end, stretches[-1][1]), stretches[-1][2]
        else:
            stretches.append((start, end, str(finding.suppressed)))
    return [_with_its_place(finding, stays, locked) for finding in settled] if stays else settled


def _with_its_place(finding: Finding, stays: dict[tuple[str, str], list[Stretch]], locked: dict[str, str]) -> Finding:
    if finding.suppressed is not None or finding.family in ("policy", "criteria") or is_locked(finding, locked):
        return finding
    stretches = stays.get((finding.path, finding.family), [])
    start, end = finding.span.places
    at = bisect_right(stretches, start, key=lambda stretch: stretch[1])
    if at < len(stretches) and stretches[at][0] < end:
        return finding.replace(suppressed=stretches[at][2])
    return finding


def _suppressed(finding: Finding, sources: tuple[Source, ...]) -> Finding:
    for source in sources:
        reason = source(finding)
        if reason is not None:
            return finding.replace(suppressed=reason)
    return finding


def is_locked(finding: Finding, locked: dict[str, str]) -> bool:
    """Whether the rule of a finding is locked, or the finding is about the floor."""
    return finding.rule in _FLOOR or finding.rule in locked


def by_settings(policy: Policy, locked: dict[str, str]) -> Source:
    """The `[[allow]]` entries, and what the organisation excepts."""

    def reason(finding: Finding) -> str | None:
        for allow in policy.allows:
            if matches(allow, finding) and (allow.frees or not is_locked(finding, locked)):
                return allow.reason
        return None

    return reason


def by_acceptance(policy: Policy, locked: dict[str, str]) -> Source:
    """What was handed in with `--accept`."""

    def reason(finding: Finding) -> str | None:
        for entry in policy.accepted:
            if entry.fingerprint != finding.fingerprint or (entry.path and entry.path != finding.path):
                continue
            if not is_locked(finding, locked):
                return f"accepted by {entry.by}: {entry.reason}"
        return None

    return reason


def matches(allow: Allow, finding: Finding) -> bool:
    """Whether an exception names a finding."""
    if allow.rule != finding.rule or not finding.fingerprint:
        return False
    if allow.path and allow.path != finding.path:
        return False
    if finding.family == "secrets" and finding.kind == "live":  # its line is masked: it tells of any other value, too
        return finding.fingerprint == allow.fingerprint
    line = finding.excerpt if finding.key else finding.line
    return finding.fingerprint == allow.fingerprint or bool(allow.line and allow.line == line.strip())
