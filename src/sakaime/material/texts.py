"""The decoded sides of changes, read when they are asked for and kept."""

from __future__ import annotations

from bisect import bisect_left

from sakaime.material.change import LINK, Change, Hunk, Material
from sakaime.material.sources import hunks_between
from sakaime.model import Record
from sakaime.text.source import LIMIT, TOO_LARGE, Source, Undecodable, decode, is_binary, is_wide, offsets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

UTF8_MARK = b"\xef\xbb\xbf"


class Text(Record):
    """One side of a file as text, and the (first, last) numbers of its added lines."""

    source: Source
    added: tuple[tuple[int, int], ...]

    def touches(self, start: int, end: int) -> bool:
        """Whether a range of the source touches an added line."""
        return self.first_added(start, end) is not None

    def first_added(self, start: int, end: int) -> int | None:
        """The index (from 0) of the first added line that a range of the source touches; None if there is none."""
        source = self.source
        low = source.number(source.line_index(start))
        high = source.number(source.line_index(max(start, end - 1)))
        at = bisect_left(self.added, low, key=lambda run: run[1])
        if at == len(self.added) or self.added[at][0] > high:
            return None
        return source.index_of(max(self.added[at][0], low))


class Binary(ValueError):
    """The side is no text, and says so by its NUL bytes."""


class Texts:
    """The new sides of a material's changes. The last one asked for is kept: every check asks for it in turn."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._last: tuple[Change, Text] | None = None

    def new(self, change: Change) -> Text:
        """The new side. Raises `Binary` or `Undecodable` where it is no text that can be judged."""
        if self._last is None or self._last[0] is not change:
            self._last = change, _new(self._material, change)
        return self._last[1]


def _new(material: Material, change: Change) -> Text:
    data = material.bytes_of(change.new)
    if data is None:
        return _from_hunks(change)
    if is_binary(data, len(data) <= LIMIT):
        raise Binary
    if len(data) > LIMIT:
        raise Undecodable(TOO_LARGE)
    if change.new is not None and change.new.mode == LINK:
        return Text(Source(data.decode("utf-8", "replace")), change.added)
    try:
        text = decode(data)
    except Undecodable:
        return _from_hunks(change)  # what was added may be text, even where the rest is not
    if not is_wide(data):
        return Text(Source(text), change.added)
    # git cut UTF-16 and UTF-32 at bytes that look like line ends; compare the characters instead.
    try:
        old = decode(material.bytes_of(change.old) or b"").encode("utf-8", "surrogatepass")
    except Undecodable:  # nothing to compare with: all of the new side counts
        old = b""
    added = [run for hunk in hunks_between(old, text.encode("utf-8", "surrogatepass")) for run in hunk.added]
    return Text(Source(text), tuple(added))


def _from_hunks(change: Change) -> Text:
    """What is known of a side from its hunks alone: their lines, with their numbers in the file."""
    parts: list[str] = []
    numbers: list[range] = []
    for hunk in change.hunks:
        if is_binary(hunk.new):
            raise Binary
        text = decode_hunk(hunk)
        if text and not text.endswith("\n"):
            text += "\n"
        parts.append(text)
        numbers.append(range(hunk.new_start, hunk.new_start + text.count("\n")))
    return Text(Source("".join(parts), numbers[0] if len(numbers) == 1 else _listed(numbers)), change.added)


def _listed(ranges: list[range]) -> Sequence[int]:
    listed = offsets(sum(map(len, ranges)))
    for some in ranges:
        listed.extend(some)
    return listed


def decode_hunk(hunk: Hunk) -> str:
    """The new side of a hunk as text. Raises `Undecodable`."""
    data = hunk.new.removeprefix(UTF8_MARK) if hunk.new_start == 1 else hunk.new
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        from sakaime.text.encodings import decode_other

        text = decode_other(data)
        if text is None:
            line = hunk.new_start + data[: error.start].count(b"\n")
            raise Undecodable(f"not UTF-8 in line {line}, and its encoding is not clear") from None
        return text
