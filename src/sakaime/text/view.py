"""A view: text as it is judged (NFKC, no invisible marks, lines joined), with a map back to the source."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left

from sakaime.text.chars import INVISIBLE, MOST_MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACE = " "
_EDGE = re.compile(r"(?<!\w)_+|(?<!_)_+(?!\w)")


class View:
    """`text` and, for each of its characters, the range of source offsets that it stands for, ascending."""

    __slots__ = ("ends", "starts", "text")

    def __init__(self, text: str, starts: array[int], ends: array[int]) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends

    def source_range(self, start: int, end: int) -> tuple[int, int]:
        """The source offsets that the characters from `start` up to `end` (at least one) stand for."""
        return self.starts[start], self.ends[end - 1]

    def first_from(self, offset: int, start: int) -> int:
        """The source offset of the first character, from `start` on, that does not stand before `offset`."""
        return self.starts[bisect_left(self.starts, offset, start)]


def _wide(char: str) -> bool:
    """Whether words of this script are written without blanks between them (UAX #11: wide)."""
    return unicodedata.east_asian_width(char) in "WF" and not unicodedata.name(char, "").startswith("HANGUL")


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    """(start, end) of the shortest pieces that normalise by themselves."""
    start = 0
    for at in range(1, len(text)):
        char = text[at]
        if char.isascii():
            joins = False
        elif unicodedata.combining(char):
            joins = True
        else:
            before, both = text[start:at], text[start : at + 1]
            normal = unicodedata.normalize
            joins = normal("NFKC", both) != normal("NFKC", before) + normal("NFKC", char)
        if not joins:
            yield start, at
            start = at
    if text:
        yield start, len(text)


_ESCAPE = re.compile(r"\\(?:([nrt])|([\"'\\]))")


def _visible(raw: str, begin: int, drop: str, escapes: bool) -> list[tuple[int, str]]:
    """(source offset, character) of what a view shows of a piece."""
    edges: set[int] = set()  # of characters that are not shown
    blanks: set[int] = set()
    if escapes and "\\" in raw:
        for found in _ESCAPE.finditer(raw):
            edges.add(begin + found.start() + (1 if found[1] else 0))
            if found[1]:
                blanks.add(begin + found.start())
    if "_" in drop and "_" in raw:
        edges.update(at for m in _EDGE.finditer(raw) for at in range(begin + m.start(), begin + m.end()))
        drop = drop.replace("_", "")
    if raw.isascii():
        unseen = INVISIBLE.union(drop) if not raw.isprintable() else drop
        shown = [(at, char) for at, char in enumerate(raw, begin) if char not in unseen and at not in edges]
        return [(at, _SPACE if at in blanks else char) for at, char in shown] if blanks else shown
    out, run = [], 0
    for at, char in enumerate(raw, begin):
        if char in INVISIBLE or char in drop or at in edges:
            continue
        run = run + 1 if unicodedata.combining(char) else 0
        if run <= MOST_MARKS:
            out.append((at, _SPACE if at in blanks else char))
    return out


def make_view(
    source: str, pieces: Iterable[tuple[int, int]], drop: str = "", *, escapes: bool = False, glued: bool = False
) -> View:
    """Joins ranges of a source into one view, without the characters of `drop` (`_` only at the edge of a word).

    Between two pieces stands a blank, unless both sides are of a script that writes none; runs of
    blanks become one. `escapes` reads a backslash and a letter for a line end or a tab as a blank, before a quote
    as nothing; `glued` puts nothing between two pieces.
    """
    out: list[str] = []
    starts, ends = array("Q"), array("Q")
    begins = False  # whether the next character is the first of a piece

    def put(char: str, start: int, end: int) -> None:
        nonlocal begins
        if begins and not char.isspace():
            begins = False
            if out and out[-1] != _SPACE and not (_wide(out[-1]) and _wide(char)):
                out.append(_SPACE)
                starts.append(ends[-1])
                ends.append(start)
        if char.isspace():
            if begins or not out or out[-1] == _SPACE:
                return
            char = _SPACE
        elif char == "\N{REPLACEMENT CHARACTER}" or "\ud800" <= char <= "\udfff":
            char = "\N{REPLACEMENT CHARACTER}"
        out.append(char)
        starts.append(start)
        ends.append(end)

    for begin, finish in pieces:
        raw = source[begin:finish]
        begins = not glued
        visible = _visible(raw, begin, drop, escapes)
        text = "".join(char for _, char in visible)
        if text.isascii() or unicodedata.is_normalized("NFKC", text):
            for at, char in visible:
                put(char, at, at + 1)
            continue
        for first, last in _clusters(text):
            at, end = visible[first][0], visible[last - 1][0] + 1
            for char in unicodedata.normalize("NFKC", text[first:last]):
                put(char, at, end)
    while out and out[-1] == _SPACE:
        out.pop()
        starts.pop()
        ends.pop()
    return View("".join(out), starts, ends)
