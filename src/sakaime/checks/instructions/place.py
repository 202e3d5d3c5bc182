"""Where rules are matched."""

from __future__ import annotations

from bisect import bisect_left

from sakaime.material.texts import Text
from sakaime.model import Record
from sakaime.policy.policy import Policy


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
