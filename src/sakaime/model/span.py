"""Places in a text: lines and columns from 1, columns in code points, ends exclusive."""

from __future__ import annotations

from sakaime.model.record import Record


class Position(Record):
    """A place between two characters. `line` and `column` count from 1; a column counts code points.

    `byte` is the same column in UTF-8 bytes, from 1; None where the text of the line is not at hand.
    """

    line: int
    column: int
    byte: int | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Line and column: of two places of a text, the one that comes first is the smaller."""
        return self.line, self.column


class Span(Record):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position

    @property
    def places(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where it begins and ends, for comparisons: one that is as long as nothing has room for one character."""
        start = self.start.place
        return start, max(self.end.place, (start[0], start[1] + 1))

    @property
    def lines(self) -> range:
        """The line numbers that hold at least one character of the span (the first one if it is empty)."""
        last = self.end.line
        if last > self.start.line and self.end.column <= 1:
            last -= 1
        return range(self.start.line, last + 1)
