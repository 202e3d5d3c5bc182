"""The blocks of a page of mark-up, of plain text and of messages: paragraphs, items, rows, headings."""

from __future__ import annotations

import re
from bisect import bisect_left

from sakaime.text.block import OWN, Block, joined, strip
from sakaime.text.markup import unseen
from sakaime.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EMPHASIS = "*`_"  # of Markdown, which plain text and messages borrow
_LEADER = re.compile(
    r"[ \t]*(?:(?:>|#{1,6}(?=[ \t])|[-*+](?=[ \t])(?:[ \t]+\[[ xX]\](?=[ \t]))?|\d{1,9}[.)](?=[ \t])|\|)[ \t]*)*"
)
_FENCE = re.compile(r"[ ]{0,3}(```+|~~~+|_{4}(?=\s*$))")
_EMPTY = re.compile(r"[\s>|:*=_~`#-]*\Z")


def page(source: Source, kind: str) -> Iterator[Block]:
    """What a page shows, and before it what it does not."""
    hidden = list(unseen(kind, source.text))
    for one in hidden:
        yield from (block.replace(unseen=one.name) for block in joined(source, "comment", *one.inner, ""))
    cuts = [(one.start, one.end) for one in hidden if one.start < one.end]
    yield from paragraphs(source, "message" if kind == "message" else "prose", _EMPHASIS, cuts)


def _without(start: int, end: int, cuts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A range without those that are cut out of it, which ascend."""
    for first, last in cuts[bisect_left(cuts, start, key=lambda cut: cut[1]) :]:
        if first >= end:
            break
        if start < first:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def paragraphs(
    source: Source, place: str = "prose", drop: str = _EMPHASIS, cuts: Sequence[tuple[int, int]] = ()
) -> Iterator[Block]:
    """The paragraphs of a text outside of `cuts`, which ascend."""
    pieces: list[tuple[int, int]] = []
    quoted = False
    text = source.text
    fence = ""
    for index in range(len(source.starts)):
        start, end = source.bounds(index)
        gap = index > 0 and source.number(index) != source.number(index - 1) + 1
        line = text[start:end]
        own = OWN.match(line)
        mark = _FENCE.match(line)
        if pieces and (gap or own or mark or _EMPTY.match(line)):
            yield Block(place, tuple(pieces), drop, quoted=quoted)
            pieces = []
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            for first, last in _without(start + mark.end(), end, cuts):
                begin, finish = strip(text, first, last)
                if begin < finish:  # what a page takes for the name of a language
                    yield Block(place, ((begin, finish),), drop, "the words after a fence")
        if mark or _EMPTY.match(line):
            continue
        leader = _LEADER.match(line)
        quoted = bool(fence) or (leader is not None and ">" in leader.group())
        for first, last in _without(start + (leader.end() if leader else 0), end, cuts):
            begin, finish = strip(text, first, last)
            if begin < finish:
                pieces.append((begin, finish))
        if own and pieces and own.group().lstrip().startswith(("#", "|")):  # headings and rows are one line
            yield Block(place, tuple(pieces), drop, quoted=quoted)
            pieces = []
    if pieces:
        yield Block(place, tuple(pieces), drop, quoted=quoted)
