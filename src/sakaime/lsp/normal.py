"""A document as it is judged: no byte order mark, LF line ends, no half of a surrogate pair."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from sakaime.text.source import Source

_MARK = "\ufeff"
_NO_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")


class Normal:
    """A document in that form (`text`, with its lines in `source`), and which offset there is which in the document.

    `line_end` is what ends the document's first line; LF where it has but one.
    """

    def __init__(self, text: str) -> None:
        self._mark = len(_MARK) if text.startswith(_MARK) else 0
        shown = text if text.isascii() else text[self._mark :].translate(_NO_SURROGATES)
        parts = shown.split("\r\n")
        self.text = "\n".join(parts)
        self.source = Source(self.text)
        self.line_end = "\r\n" if len(parts) > 1 and "\n" not in parts[0] else "\n"
        self._ends: list[int] = []  # here, those line ends that are of two characters in the document
        at = -1
        for part in parts[:-1]:
            at += len(part) + 1
            self._ends.append(at)

    def outer(self, offset: int) -> int:
        """The offset in the document of one in the text."""
        return self._mark + offset + bisect_right(self._ends, offset - 1)

    def inner(self, offset: int) -> int:
        """The offset in the text of one in the document; inside a line end, that of its beginning."""
        offset -= self._mark
        low, high = 0, len(self._ends)
        while low < high:
            middle = (low + high) // 2
            if self._ends[middle] + middle + 2 <= offset:
                low = middle + 1
            else:
                high = middle
        inner = offset - low
        return max(0, min(inner, self._ends[low]) if low < len(self._ends) else min(inner, len(self.text)))

    def offset(self, line: int, column: int) -> int:
        """The offset in the document of a line and a column, both from 1, inside that line."""
        if line > len(self.source.starts):
            return self.outer(len(self.text))
        start, end = self.source.bounds(line - 1)
        return self.outer(min(start + column - 1, end))

    def written(self, text: str) -> str:
        """A text with line ends as the document has them."""
        return text if self.line_end == "\n" else text.replace("\n", self.line_end)


@lru_cache(maxsize=4)
def normal(text: str) -> Normal:
    """The form in which a document is judged; those asked for last are kept."""
    return Normal(text)
