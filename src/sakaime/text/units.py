"""Units: the lines, sentences and paragraphs inside which a rule's patterns must meet."""

from __future__ import annotations

import re

from sakaime.text.block import Block
from sakaime.text.view import View, make_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Range = tuple[int, int]

# A full stop ends a sentence before a blank, unless a single letter, an abbreviation or a "no." with its
# number stands before it. A run of signs is one end, and is looked at from its beginning only.
_ABBREVIATIONS = "cf vs al Dr Mr Ms St Co", "e.g i.e etc fig Fig Mrs Inc Ltd", "resp incl Corp", "approx"  # by length
_GOES_ON = "".join(rf"(?<!\b(?:{'|'.join(map(re.escape, words.split()))}))" for words in _ABBREVIATIONS)
_CLOSING = r"""(?:["'”’」』)）\]]+)?"""
_END = re.compile(
    rf"(?<![。!?])[。!?]+{_CLOSING}(?=\s|[^\x00-\x7f]|\Z)"
    rf"|(?=\.)(?<![.])(?<!\b[A-Za-z]){_GOES_ON}(?!(?<=\b[Nn]o)\.\s\d)\.+{_CLOSING}(?=\s|\Z)"
    r"|。+"
)


def sentences(text: str) -> Iterator[Range]:
    """(start, end) of the sentences of a view's text, without blanks around them."""
    start = 0
    for end in [*(m.end() for m in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        last = start + len(piece.rstrip())
        if first < last:
            yield first, last
        start = end


def block_view(source: str, block: Block) -> View:
    """The whole block as one view."""
    return make_view(source, block.pieces, block.drop, escapes=block.place == "string")


def line_views(source: str, block: Block) -> Iterator[View]:
    """One view per line of the block."""
    for piece in block.pieces:
        yield make_view(source, (piece,), block.drop, escapes=block.place == "string")
