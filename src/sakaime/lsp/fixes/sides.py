"""One side of a criteria document by its lines: which items stand on which, and what belongs together."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.checks.criteria.item import HEADING, PROSE_FILES, ROW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.checks.criteria.item import Document, Item


class Side:
    """One side by its lines, with the items on each. Items go by their numbers in the document."""

    def __init__(self, document: Document, asked: frozenset[int]) -> None:
        self.document, self.asked = document, asked
        self.items = document.items
        self.text = document.text
        self.lines = _cut(self.text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.number = {id(item): at for at, item in enumerate(self.items)}
        self.shape = nesting(self.items)
        self.on: dict[int, list[int]] = {}
        for at, item in enumerate(self.items):
            for number in self.of(item):
                self.on.setdefault(number, []).append(at)

    def line(self, offset: int) -> int:
        """The line that an offset is on; behind the last one for the end of the text."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def of(self, item: Item) -> range:
        """The lines of an item."""
        if not 0 <= item.start < item.end <= len(self.text):
            return range(0)
        return range(self.line(item.start), self.line(item.end - 1) + 1)

    def up_from(self, item: Item) -> set[int]:
        """The lines of an item, and those above it that it is indented below."""
        found = set(self.of(item))
        if not found or self.document.path.endswith(PROSE_FILES):
            return found
        depth = depth_of(self.lines[min(found)])
        for line in range(min(found) - 1, -1, -1):
            if self.lines[line].strip() and depth_of(self.lines[line]) < depth:
                depth = depth_of(self.lines[line])
                found.add(line)
        return found

    def together(self, items: Iterable[Item]) -> set[int]:
        """Some items by their numbers, with what is nested in them and, of headings, their sections. Of these, what is
        a criterion of its own and not among the items has a fate of its own."""
        named = {self.number[id(item)] for item in items if id(item) in self.number}
        found: set[int] = set()
        waiting = sorted(named)
        while waiting:
            at = waiting.pop()
            if at in found or (at in self.asked and at not in named):
                continue
            found.add(at)
            waiting.extend(self.shape.children.get(at, ()))
            if self.items[at].kind == HEADING:
                waiting.extend(range(at + 1, self.shape.ends.get(at, at + 1)))
        return found

    def around(self, numbers: Iterable[int]) -> set[int]:
        """What some items are nested in, and the headings that they stand below."""
        found: set[int] = set()
        for at in numbers:
            while at >= 0 and at not in found:
                found.add(at)
                at = self.shape.parent[at] if self.shape.parent[at] >= 0 else self.shape.section[at]
        return found

    def within(self, first: int, last: int) -> list[int]:
        """The items on some lines, by their numbers."""
        return sorted({at for line in range(first, last) for at in self.on.get(line, ())})

    def pieces(self, first: int, last: int) -> list[tuple[int, int]]:
        """Some lines cut into items and what stands between them."""
        start, end = self.starts[first], self.starts[last]
        cuts = {start, end}
        for at in self.within(first, last):
            cuts.update((self.items[at].start, self.items[at].end))
        inside = sorted(cut for cut in cuts if start <= cut <= end)
        return list(pairwise(inside))

    def table_heads(self, numbers: Iterable[int]) -> set[int]:
        """The lines above the first rows of the tables that some items are rows of."""
        found: set[int] = set()
        seen: set[int] = set()
        for at in numbers:
            first = row = self.line(self.items[at].start)
            if self.items[at].kind != ROW:
                continue
            while first > 0 and "|" in self.lines[first - 1] and first not in seen:
                seen.add(first)
                first -= 1
            if first not in seen:
                found.update(range(first, min(first + 2, row)))
        return found


def is_blank(lines: Sequence[str], number: int) -> bool:
    """Whether a line is blank, or none."""
    return not 0 <= number < len(lines) or not lines[number].strip()


def depth_of(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())


def _cut(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
