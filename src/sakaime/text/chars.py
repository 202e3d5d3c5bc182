"""Single characters: which are invisible, and the skeleton that a gate searches."""

from __future__ import annotations

import unicodedata

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt), with the
# bidirectional marks, the interlinear annotations and the byte order mark, which Unicode keeps apart, and the
# control characters that are no blank.
_INVISIBLE_RANGES = (
    (0x0000, 0x0008), (0x000E, 0x001B), (0x007F, 0x007F),
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
INVISIBLE = frozenset(chr(c) for first, last in _INVISIBLE_RANGES for c in range(first, last + 1))
_DROP_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))
_DROP_ASCII = {c: None for c in range(128) if not chr(c).isalnum() and chr(c) != "\n"}

# Normalising a run of combining marks takes time by the square of its length. A text of real words has at
# most 30 in a row (UAX #15, stream-safe text); what goes beyond is no part of any view.
MOST_MARKS = 30


def normalised(text: str) -> str:
    """A text as views show it: NFKC, without invisible marks."""
    return unicodedata.normalize("NFKC", text.translate(_DROP_INVISIBLE))


def skeleton(text: str) -> str:
    """Only the letters and digits of a text, taken apart (NFKD) and case-folded.

    What stands in a joined or normalised view of a text also stands in its skeleton, whatever line
    breaks, comment signs, quotes or invisible marks lie between. So a pattern whose literals are not
    in the skeleton cannot match in any view. Characters are taken apart and not composed, because then
    each one adds its own part whatever stands beside it: `skeleton(a + b) == skeleton(a) + skeleton(b)`.
    """
    return _by_lines(text).replace("\n", "")


def line_skeletons(text: str) -> list[str]:
    """The skeletons of a text's lines; joined, they are the skeleton of the text."""
    return _by_lines(text).split("\n")


def _by_lines(text: str) -> str:
    if text.isascii():
        return text.lower().translate(_DROP_ASCII)
    return text.translate(_PARTS)


_MOST_KEPT = 100_000  # more than any text has that was written by people


class _Parts(dict[int, str]):
    """The part that each character adds to a skeleton, made when it is first seen."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        part = "" if char in INVISIBLE else unicodedata.normalize("NFKD", char).casefold()
        # RE2 folds a mark, U+0345, to iota; a view may leave marks out, so neither counts.
        part = "".join(filter(str.isalnum, part)).replace("\N{GREEK SMALL LETTER IOTA}", "")
        if len(self) < _MOST_KEPT:
            self[code] = part
        return part


_PARTS = _Parts({10: "\n"})
