"""Neighbouring blocks that read as one text: pieces of a string, items of a list, rows, comments between statements."""

from __future__ import annotations

import re

from sakaime.model import Record
from sakaime.text.block import Block
from sakaime.text.source import Source
from sakaime.text.view import View, make_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What stands between two string literals that a compiler or a shell makes one: nothing, an operator, the end of a
# line, a bracket, the prefix of a literal.
_ONE_STRING = re.compile(r"[\"'`]{1,3}[\s\\+.&~|()]*(?:<>|<<|\.\.)?[\s\\+()]*[A-Za-z]{0,2}[\"'`]{1,3}")
# What stands between two elements of a list: a comma, or the dash of the next line in YAML.
_LIST = re.compile(r"(?:[\"'`]{1,3}\s*,\s*[A-Za-z]{0,2}[\"'`]{1,3}|[\"']?[ \t]*\n[ \t]*-[ \t]+[\"']?)")
_MOST = 12  # blocks that are read together
_GAP = 3  # lines from the end of one comment to the beginning of the next; rows and items follow each other
_LONGEST_GAP = 400


class Join(Record):
    """Blocks of one place that follow each other. `literal` says that they are one string in the program as well."""

    blocks: tuple[Block, ...]
    literal: bool


def joins(source: Source, blocks: Iterable[Block]) -> Iterator[Block | Join]:
    """The blocks themselves, in order, and after each run of neighbours what they are together.

    Of a long run, the blocks come in overlapping groups, so that the work is linear.
    """
    run: list[Block] = []
    literal = False
    for block in blocks:
        if run:
            one = _one_string(source, run[-1], block)
            if not (one or _neighbours(source, run[-1], block)) or (len(run) > 1 and one is not literal):
                yield from _joined(run, literal)
                # The last piece of one run can be the first of another kind of run.
                run = [run[-1]] if one or _neighbours(source, run[-1], block) else []
            literal = one
        run.append(block)
        yield block
        if len(run) == _MOST:
            yield from _joined(run, literal)
            del run[: _MOST // 2]
    yield from _joined(run, literal)


def _joined(run: list[Block], literal: bool) -> Iterator[Join]:
    if len(run) > 1:
        yield Join(tuple(run), literal)


def _between(source: Source, first: Block, second: Block) -> str | None:
    start, end = first.pieces[-1][1], second.pieces[0][0]
    return source.text[start:end] if 0 <= end - start <= _LONGEST_GAP else None


def _one_string(source: Source, first: Block, second: Block) -> bool:
    if first.place != "string" or second.place != "string":
        return False
    gap = _between(source, first, second)
    # Blanks at the edge of a literal are no part of its block.
    return gap is not None and _ONE_STRING.fullmatch(gap.strip(" \t")) is not None


def _neighbours(source: Source, first: Block, second: Block) -> bool:
    if first.place != second.place or first.unseen != second.unseen:
        return False
    gap = _between(source, first, second)
    if gap is None:
        return False
    if first.place == "string":
        return any(_LIST.fullmatch(between) for between in (gap, gap.strip(" \t")))
    if first.place == "comment":
        return gap.count("\n") <= _GAP
    return gap.count("\n") == 1 and not _finished(source, first, second)


def _finished(source: Source, first: Block, second: Block) -> bool:
    """Whether a paragraph, row or item ends, or the next begins, as a sentence of its own."""
    last = source.text[first.pieces[-1][1] - 1]
    following = source.text[second.pieces[0][0] : second.pieces[0][0] + 1]
    return last in ".!?:;。！？：；" or following.isupper()


def joined_views(source: Source, join: Join) -> Iterator[View]:
    """The text of the blocks as one: of a literal as the program has it, of others with and without blanks between."""
    pieces = [_bare(source.text, *piece) for block in join.blocks for piece in block.pieces]
    drop = "".join(sorted({char for block in join.blocks for char in block.drop} | set("|")))
    strings = join.blocks[0].place == "string"
    if join.literal:
        pieces = [_with_blanks(source.text, *piece) for piece in pieces]
    else:
        yield make_view(source.text, pieces, drop, escapes=strings)
    yield make_view(source.text, pieces, drop, escapes=strings, glued=True)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A piece without the quotes around it, which YAML leaves to its values."""
    while end - start > 1 and text[start] == text[end - 1] and text[start] in "\"'":
        start, end = start + 1, end - 1
    return start, end


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """A piece of a literal with the blanks around it, which are part of the string."""
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    while end < len(text) and text[end] in " \t":
        end += 1
    return start, end
