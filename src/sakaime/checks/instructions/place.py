"""Where rules are matched, and findings as they stand there."""

from __future__ import annotations

from bisect import bisect_left

from sakaime.material.texts import Text
from sakaime.model import Finding, Record, Span
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule
from sakaime.text.paths import printable
from sakaime.text.source import Source

_EXCERPT = 200
_LINE = 2000


class Here(Record):
    """Where rules are matched: under which policy, in which file, in which text."""

    policy: Policy
    path: str
    text: Text


def touches_added(text: Text, start: int, end: int) -> bool:
    """Whether a range of the source touches an added line."""
    return first_added(text, start, end) is not None


def first_added(text: Text, start: int, end: int) -> int | None:
    """The index (from 0) of the first added line that a range of the source touches; None if there is none."""
    source = text.source
    low = source.number(source.line_index(start))
    high = source.number(source.line_index(max(start, end - 1)))
    at = bisect_left(text.added, low, key=lambda run: run[1])
    if at == len(text.added) or text.added[at][0] > high:
        return None
    return source.index_of(max(text.added[at][0], low))


def reported(rule: Rule, here: Here, begin: int, finish: int, matched: str) -> Finding:
    """What a rule reports of a range of the source, in which it matched some text."""
    source = here.text.source
    column, line = _line_around(source, begin)
    excerpt = matched if len(matched) <= _EXCERPT else matched[: _EXCERPT - 1] + "…"
    span: Span = source.span(begin, finish)
    return Finding(
        rule=rule.id,
        family="instructions",
        kind=rule.kind,
        severity=rule.severity,
        message=rule.message.replace("{match}", excerpt),
        path=printable(here.path),
        span=span,
        excerpt=excerpt,
        covers=rule.covers,
        line=line,
        line_column=column,
        why=rule.why,
    )


def _line_around(source: Source, offset: int) -> tuple[int, str]:
    """The line that holds an offset, of a very long one the part around it; before it, the column where that begins."""
    start, end = source.bounds(source.line_index(offset))
    first = start if end - start <= _LINE else max(start, offset - _LINE // 2)
    return first - start + 1, source.text[first : min(end, first + _LINE)]
