"""How the items of a document hang together: which heading and which item each stands below."""

from __future__ import annotations

from sakaime.checks.criteria.item import HEADING
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sakaime.checks.criteria.item import Item


class Nesting(Record):
    """For each item the number of the heading that it stands below and of the item it is nested in (-1: none); the
    numbers of the items nested in each, and for each heading the number behind the last item of its section."""

    section: tuple[int, ...]
    parent: tuple[int, ...]
    children: Mapping[int, tuple[int, ...]]
    ends: Mapping[int, int]


def nesting(items: Sequence[Item]) -> Nesting:
    """The nesting of items in the order of their text. A parent that does not come before its child is none."""
    section: list[int] = []
    parent: list[int] = []
    children: dict[int, list[int]] = {}
    ends: dict[int, int] = {}
    open_headings: list[int] = []
    for at, item in enumerate(items):
        if item.kind == HEADING:
            while open_headings and len(items[open_headings[-1]].headings) >= len(item.headings):
                ends[open_headings.pop()] = at
        section.append(open_headings[-1] if open_headings else -1)
        if item.kind == HEADING:
            open_headings.append(at)
        parent.append(item.parent if 0 <= item.parent < at else -1)
        if parent[-1] >= 0:
            children.setdefault(parent[-1], []).append(at)
    for heading in open_headings:
        ends[heading] = len(items)
    return Nesting(tuple(section), tuple(parent), {at: tuple(below) for at, below in children.items()}, ends)
