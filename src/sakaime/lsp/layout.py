"""Offsets in a document's text, in code points, as the client's places, and back."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from lsprotocol import types

from sakaime.lsp.document import column, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


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

    def offset(self, place: types.Position) -> int:
        """The offset of a position; behind the end of the text it is the end."""
        if place.line >= len(self._lines):
            return self._starts[-1]
        return self._starts[place.line] + column(self._lines[place.line], place.character, self._encoding)
