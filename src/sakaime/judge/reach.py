"""How far a note reaches that speaks of what stands near it."""

from __future__ import annotations

from sakaime.text.source import Source

ABOVE, BELOW = 3, 5  # lines before and behind a note that it is taken to speak of, whatever they are
BLOCK = 100  # lines of the block below it, at most


def reach(source: Source, first: int, last: int) -> tuple[int, int]:
    """The first and the last line that a note in some lines of a file speaks of.

    That is a few lines above, as far as no empty line is between; a few lines below; and all of the block that the
    note, or the line below it, is the head of: what is indented deeper.
    """
    lines = _Lines(source)
    top = low = lines.index(first)
    while top > 0 and low - top < ABOVE and lines.follow(top) and lines.indent(top - 1) >= 0:
        top -= 1
    end = lines.index(last)
    bottom = end
    while bottom - end < BELOW and lines.follow(bottom + 1):
        bottom += 1
    return source.number(top), source.number(max(bottom, _block(lines, low, end)))


def _block(lines: _Lines, first: int, last: int) -> int:
    """The last line (from 0) of the block below some lines."""
    at = last + 1
    while at - last <= BELOW and lines.follow(at) and lines.indent(at) < 0:
        at += 1
    if not lines.follow(at) or lines.indent(at) < 0:
        return last
    head = lines.indent(first)
    if lines.indent(at) <= head:
        head = lines.indent(at)
        at += 1
    end = at - 1
    while at - last <= BLOCK and lines.follow(at) and (lines.indent(at) < 0 or lines.indent(at) > head):
        if lines.indent(at) >= 0:
            end = at
        at += 1
    return end


class _Lines:
    """The lines of a text, some of which may not be known (a bare diff)."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._count = len(source.starts)

    def index(self, number: int) -> int:
        """The line (from 0) of a number in the file."""
        return min(max(self._source.index_of(number), 0), self._count - 1)

    def follow(self, index: int) -> bool:
        """Whether there is such a line, and it comes right behind the one before."""
        source = self._source
        return 0 < index < self._count and source.number(index) == source.number(index - 1) + 1

    def indent(self, index: int) -> int:
        """By how much a line is indented; -1 of an empty one."""
        start, end = self._source.bounds(index)
        line = self._source.text[start:end].expandtabs(4)
        return len(line) - len(line.lstrip()) if line.strip() else -1
