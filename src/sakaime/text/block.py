"""A block: what a reader takes as one piece of text, and how lines are joined into one."""

from __future__ import annotations

import re

from sakaime.model import Record
from sakaime.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = ("comment", "prose", "string", "message")
# A line that begins something of its own: heading, list item, quote, table row, rule, fence.
OWN = re.compile(r"[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|\|)")
# A comment that speaks to this tool is no part of the text beside it, whose words it must not change.
DIRECTIVE = "sakaime: allow"


class Block(Record):
    """Text that belongs together: its place, and the source ranges of its lines, without signs around.

    `drop` lists characters that are mark-up there and no part of the words (`_` only at the edge of one).
    `unseen` names what keeps the text from being seen on the page; `quoted` says that it is marked as a quotation.
    """

    place: str
    pieces: tuple[tuple[int, int], ...]
    drop: str = ""
    unseen: str = ""
    quoted: bool = False


def strip(text: str, start: int, end: int) -> tuple[int, int]:
    """A range of a text without the blanks at its ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def lines_of(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a range line by line, without blanks at their ends; empty lines come as empty ranges."""
    if start >= end:
        return
    for index in range(source.line_index(start), source.line_index(end - 1) + 1):
        first, last = source.bounds(index)
        yield strip(source.text, max(first, start), min(max(last, start), end))


def joined(source: Source, place: str, start: int, end: int, leader: str) -> Iterator[Block]:
    """The paragraphs of a block comment or a string of several lines."""
    pieces: list[tuple[int, int]] = []
    text = source.text
    for begin, finish in lines_of(source, start, end):
        while leader and begin < finish and text[begin] == leader:
            begin += 1
        begin, finish = strip(text, begin, finish)
        bullet = OWN.match(text, begin)
        if pieces and (begin >= finish or (bullet and bullet.end() <= finish) or text.startswith(DIRECTIVE, begin)):
            yield Block(place, tuple(pieces))
            pieces = []
        if begin < finish:
            pieces.append((begin, finish))
        if text.startswith(DIRECTIVE, begin):
            yield Block(place, tuple(pieces))
            pieces = []
    if pieces:
        yield Block(place, tuple(pieces))
