"""Taking a note out of a text."""

from __future__ import annotations

import re

from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.text.block import Block
from sakaime.text.segments import blocks
from sakaime.text.source import Source
from sakaime.text.units import block_view, sentences

# Around a note that stands alone there may be comment signs, mark-up, a list number; no words.
_NO_WORDS = re.compile(r"\W*(?:\d+[.)])?[\W_]*\Z")
_OPENER = re.compile(r"(?<=\S)[ \t]+(?:#+|//+|--+|;+|%+|/\*+|<!--)[ \t]*\Z")
_BLANKS = " \t\u3000"


def without_note(known: Known, placed: Placed) -> list[Fix]:
    """The fix that takes a note out; none for one in the name of the file."""
    if placed.start >= placed.end:
        return []
    start, end = removal(known.path, known.text, placed.start, placed.end, known.message)
    return [Fix("Remove this note", (Edit(start, end, ""),), (placed,), preferred=True)]


def removal(path: str, text: str, start: int, end: int, message: bool = False) -> tuple[int, int]:
    """The range to delete so that the note at `start` to `end` is gone. Offsets are in code points.

    The sentences that the note touches go. Where nothing else stands in their comment or paragraph,
    its whole lines do, comment signs and mark-up with them; a string keeps its quotes or its key.
    """
    source = Source(text)
    for block in blocks(path, source, message):
        if block.pieces[0][0] <= start and end <= block.pieces[-1][1]:
            start, end = _sentences(text, block, start, end)
            return _whole_lines(source, block, start, end) or _tidy(text, block, start, end)
    return start, end


def _sentences(text: str, block: Block, start: int, end: int) -> tuple[int, int]:
    view = block_view(text, block)
    ranges = [view.source_range(*unit) for unit in sentences(view.text)]
    touched = [(first, last) for first, last in ranges if first < end and start < last]
    low, high = min([start, *(first for first, _ in touched)]), max([end, *(last for _, last in touched)])
    if block.place == "prose" and "|" in text[low:high]:  # the other cells of a table's row stay
        low = max(low, text.rfind("|", low, start) + 1)
        high = next((at for at in range(end, high) if text[at] == "|"), high)
    return low, high


def _whole_lines(source: Source, block: Block, start: int, end: int) -> tuple[int, int] | None:
    """The range of the block's lines, if nothing but the note stands on them."""
    text = source.text
    rest = [text[first : min(last, start)] + text[max(first, end) : last] for first, last in block.pieces]
    first = source.line_index(block.pieces[0][0])
    last = source.line_index(block.pieces[-1][1] - 1)
    rest.append(text[source.starts[first] : block.pieces[0][0]])
    rest.append(text[block.pieces[-1][1] : source.bounds(last)[1]])
    if (
        block.place == "comment"
        and first == last
        and (opened := _OPENER.search(rest[-2]))
        and all(map(_NO_WORDS.match, [*rest[:-2], rest[-1]]))
    ):
        return source.starts[first] + opened.start(), source.bounds(last)[1]  # behind code: with its sign
    if block.place == "string" or not all(map(_NO_WORDS.match, rest)):
        return None
    if last + 1 < len(source.starts):
        if block.place == "prose" and _blank(source, last + 1) and (first == 0 or _blank(source, first - 1)):
            last += 1  # of the empty lines on either side, one stays
        return source.starts[first], source.starts[last + 1] if last + 1 < len(source.starts) else len(text)
    if text.endswith("\n") or first == 0:
        return source.starts[first], len(text)
    return source.bounds(first - 1)[1], len(text)  # no line end of its own: the one before goes


def _blank(source: Source, index: int) -> bool:
    start, end = source.bounds(index)
    return not source.text[start:end].strip()


def _tidy(text: str, block: Block, start: int, end: int) -> tuple[int, int]:
    """The range with the blanks that would be left on one side of it."""
    after = end
    while after < len(text) and text[after] in _BLANKS:
        after += 1
    if after < block.pieces[-1][1] and text[after] not in "\r\n":
        return start, after
    while start > block.pieces[0][0] and text[start - 1] in _BLANKS:
        start -= 1
    return start, end
