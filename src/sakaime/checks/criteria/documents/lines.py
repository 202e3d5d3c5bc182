"""Lines of a source that know where they stand in it, whatever was taken off their beginning."""

from __future__ import annotations

from bisect import bisect_right

from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LINE_END = late(r"\r\n?|\n")


class Lines:
    """Lines of a source, and where each ends in it. A line is a suffix of what stands there."""

    __slots__ = ("ends", "texts")

    def __init__(self, texts: list[str], ends: list[int]) -> None:
        self.texts = texts
        self.ends = ends

    def offset(self, line: int, column: int) -> int:
        """The offset in the source of a column of a line."""
        return self.ends[line] - len(self.texts[line]) + column


def lines_of(text: str, start: int = 0) -> Lines:
    """The lines of a text from an offset on, without a mark of byte order."""
    texts, ends = [], []
    at = start + (text.startswith("\ufeff", start) and not start)
    for found in _LINE_END.finditer(text, at):
        texts.append(text[at : found.start()])
        ends.append(found.start())
        at = found.end()
    texts.append(text[at:])
    ends.append(len(text))
    return Lines(texts, ends)


def fold(lines: Lines) -> tuple[str, list[int]]:
    """The lines as one text, and where each begins in it."""
    starts, at = [], 0
    for text in lines.texts:
        starts.append(at)
        at += len(text) + 1
    return "\n".join(lines.texts), starts


def place(lines: Lines, starts: Sequence[int], at: int) -> int:
    """The offset in the source of a place in folded lines."""
    number = bisect_right(starts, at) - 1
    return lines.offset(number, min(at - starts[number], len(lines.texts[number])))
