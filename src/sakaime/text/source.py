"""A decoded text with its lines, and positions in code points, bytes and UTF-16 units."""

from __future__ import annotations

import codecs
from bisect import bisect_left, bisect_right

from sakaime.model import NotJudged, Position, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

# Longest first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LIMIT = 128 << 20
TOO_LARGE = "larger than 128 MiB"
# Bytes before a place in a long line are counted from the last of these marks, not from the start of the line.
_MARK_EVERY = 4096
_FEW = 1 << 16
_LINE = 2000  # characters of a line that are shown at most


def offsets(most: int) -> MutableSequence[int]:
    """An empty sequence for up to so many numbers: of many, a list takes more memory than the text that they are of."""
    if most < _FEW:
        return []
    from array import array  # it loads more than a small change needs

    return array("Q")


class Undecodable(NotJudged, ValueError):
    """The bytes are no text in an encoding that is known."""


def decode(data: bytes) -> str:
    """The text of a file, without a byte order mark. Raises `Undecodable`.

    UTF-8, what a byte order mark names, and what `sakaime.text.encodings` can tell for sure.
    """
    if len(data) > LIMIT:
        raise Undecodable(TOO_LARGE)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise Undecodable(f"not {encoding.upper()} after its byte order mark ({error.reason})") from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        from sakaime.text.encodings import decode_other

        text = decode_other(data)
        if text is None:
            raise Undecodable(f"not UTF-8 at byte {error.start}, and its encoding is not clear") from None
        return text


# What a text is made of. A NUL alone makes git and editors call a file binary: one in a comment must not
# take the file out of the judgement.
_OF_TEXT = bytes([9, 10, 13, *range(32, 127)])


def is_binary(data: bytes, whole: bool = True) -> bool:
    """Whether it is no text: a NUL in it, no mark of UTF-16 or 32, neither valid UTF-8 nor nearly all ASCII.

    Where it is not the `whole`, it may end inside of a character.
    """
    head = data[:8000]
    if b"\0" not in head or is_wide(data):
        return False
    if len(head.translate(None, _OF_TEXT)) < 0.1 * len(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, whole)
    except UnicodeDecodeError:
        return True
    return head.count(b"\0") > 0.1 * len(head)


def is_wide(data: bytes) -> bool:
    """Whether a byte order mark says UTF-16 or UTF-32, in which a line end is no single byte."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))


class Source:
    """A text with an index of its lines. Lines end at LF alone; a CR before it belongs to the line end.

    `numbers` gives each line's number in the file where only parts of it are known (a bare diff); None
    means that line n of the text is line n of the file.
    """

    def __init__(self, text: str, numbers: Sequence[int] | None = None) -> None:
        self.text = text
        self.numbers = numbers
        self._starts: Sequence[int] | None = None
        self._marks: dict[int, list[int]] = {}

    @property
    def starts(self) -> Sequence[int]:
        """Offsets of the line starts, in code points."""
        if self._starts is None:
            starts, at = offsets(len(self.text)), self.text.find("\n")
            starts.append(0)
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            if len(starts) > 1 and starts[-1] == len(self.text):
                starts.pop()
            self._starts = starts
        return self._starts

    def line_index(self, offset: int) -> int:
        """Which line of the text (from 0) holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def line_around(self, offset: int) -> tuple[int, str]:
        """The column where it begins, and the line that holds an offset; of a very long one, the part around it."""
        start, end = self.bounds(self.line_index(offset))
        first = start if end - start <= _LINE else max(start, offset - _LINE // 2)
        return first - start + 1, self.text[first : min(end, first + _LINE)]

    def number(self, index: int) -> int:
        """The number in the file of a line of the text (from 0)."""
        return self.numbers[index] if self.numbers is not None else index + 1

    def index_of(self, number: int) -> int:
        """The line of the text (from 0) that has a number in the file, or the next one that is known."""
        return bisect_left(self.numbers, number) if self.numbers is not None else number - 1

    def bounds(self, index: int) -> tuple[int, int]:
        """(start, end) offsets of a line of the text (from 0), without its line end."""
        starts = self.starts
        start = starts[index]
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(self.text)
        if index + 1 == len(starts) and self.text.endswith("\n"):
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, max(start, end)

    def position(self, offset: int) -> Position:
        """The place of an offset in code points."""
        return self._on_line(self.line_index(offset), offset)

    def _on_line(self, index: int, offset: int) -> Position:
        column = offset - self.starts[index] + 1
        return Position(self.number(index), column, self._bytes_before(index, offset) + 1)

    def _bytes_before(self, index: int, offset: int) -> int:
        start = self.starts[index]
        if self.text.isascii():
            return offset - start
        marks = self._marks.setdefault(index, [0])
        block = (offset - start) // _MARK_EVERY
        while len(marks) <= block:
            at = start + (len(marks) - 1) * _MARK_EVERY
            marks.append(marks[-1] + _utf8_length(self.text[at : at + _MARK_EVERY]))
        return marks[block] + _utf8_length(self.text[start + block * _MARK_EVERY : offset])

    def span(self, start: int, end: int) -> Span:
        """The place of a range of code points. The end stays on the line of its last character."""
        if end > start:
            return Span(self.position(start), self._on_line(self.line_index(end - 1), end))
        return Span(self.position(start), self.position(start))

    def line(self, number: int) -> str:
        """The text of a line of the file; empty where it is not known."""
        index = self.index_of(number)
        if not 0 <= index < len(self.starts) or self.number(index) != number:
            return ""
        start, end = self.bounds(index)
        return self.text[start:end]


def _utf8_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def utf16_column(line: str, column: int) -> int:
    """A column in code points (from 1) as one in UTF-16 units (from 1)."""
    return len(line[: column - 1].encode("utf-16-le", "surrogatepass")) // 2 + 1


def byte_column(line: str, column: int) -> int:
    """A column in code points (from 1) as one in UTF-8 bytes (from 1)."""
    return _utf8_length(line[: column - 1]) + 1


def column_of_utf16(line: str, column: int) -> int:
    """A column in UTF-16 units (from 1) as one in code points (from 1); inside a pair, the pair's own."""
    units = line.encode("utf-16-le", "surrogatepass")[: (column - 1) * 2]
    return len(units.decode("utf-16-le", "ignore")) + 1


def column_of_byte(line: str, column: int) -> int:
    """A column in UTF-8 bytes (from 1) as one in code points (from 1); inside a character, its own."""
    return len(line.encode("utf-8", "surrogatepass")[: column - 1].decode("utf-8", "ignore")) + 1
