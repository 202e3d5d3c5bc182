"""One place, one kind per family: what several rules say of the same words becomes one finding."""

from __future__ import annotations

from sakaime.model import SEVERITIES, Finding, Related, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Of the instructions at one place, the earlier kind in this list names it.
_PRECEDENCE = (
    "hidden",
    "split",
    "spoof",
    "override",
    "act",
    "claim",
    "exclude",
    "narrow",
    "waive",
    "cap",
    "verdict",
    "excuse",
)
_NOTES = ("instructions", "hidden")  # how a note is put and how it is kept from being seen are one matter
_APART = ("policy", "criteria", "risks")  # families of which each finding is a matter of its own
_COVERS = (None, "near", "unnamed", "file", "change")


def correlate(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by path and place, those of one family that overlap or go on at once made into one.

    Two findings of different kinds in sentences that merely follow each other stay two; of one kind,
    from different rules, on the same line, with nothing but punctuation between, they are one note. What is
    suppressed is never made one with what is not.
    """
    every = list(findings)
    merged = _merged(f for f in every if f.suppressed is None) + _merged(f for f in every if f.suppressed is not None)
    merged.sort(key=lambda f: (f.path, _key(f.span), f.family, f.rule))
    return merged


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    merged: list[Finding] = []
    for finding in sorted(findings, key=_order):
        if merged and _same_place(merged[-1], finding):
            merged[-1] = _merge(merged[-1], finding)
        else:
            merged.append(finding)
    return merged


def _key(span: Span) -> tuple[int, int, int, int]:
    return span.start.line, span.start.column, span.end.line, span.end.column


def _matter(finding: Finding) -> str:
    return _NOTES[0] if finding.family in _NOTES else finding.family


def _order(finding: Finding) -> tuple[object, ...]:
    return _matter(finding), finding.path, _key(finding.span), finding.rule


def _same_place(first: Finding, second: Finding) -> bool:
    if _matter(first) != _matter(second) or first.path != second.path or first.family in _APART:
        return False
    return second.span.places[0] < first.span.places[1] or _goes_on(first, second)


def _goes_on(first: Finding, second: Finding) -> bool:
    if first.kind != second.kind or first.rule == second.rule or first.unit is None or second.unit is None:
        return False
    end, start = first.unit.end, second.unit.start
    if not first.span.start.line == end.line == start.line:
        return False
    begin, finish = end.column - first.line_column, start.column - first.line_column
    if not 0 <= begin <= finish <= len(first.line):
        return False
    return not any(char.isalnum() for char in first.line[begin:finish])


def _rank(finding: Finding) -> tuple[bool, int, int]:
    """What counts outranks what is only told; then the kind decides, then the severity."""
    kind = _PRECEDENCE.index(finding.kind) if finding.kind in _PRECEDENCE else -1
    return finding.severity == "info", kind, -SEVERITIES.index(finding.severity)


def _hull(a: Span, b: Span) -> Span:
    return Span(b.start if b.start.place < a.start.place else a.start, b.end if a.end.place < b.end.place else a.end)


def _merge(a: Finding, b: Finding) -> Finding:
    winner, other = sorted((a, b), key=_rank)
    also = (*other.related, Related(other.path, other.span, f"{other.rule} ({other.kind}): {other.message}"))
    return winner.replace(
        span=_hull(a.span, b.span),
        unit=_hull(a.unit, b.unit) if a.unit is not None and b.unit is not None else winner.unit,
        severity=max(a.severity, b.severity, key=SEVERITIES.index),
        covers=max(a.covers, b.covers, key=_COVERS.index),
        related=(*winner.related, *also) if other.rule != winner.rule else winner.related,
        line=a.line,
        line_column=a.line_column,
        told=a.told and b.told,
    )
