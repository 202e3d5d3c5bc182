"""Single characters: which are invisible, and the skeleton that a gate searches."""

from __future__ import annotations

import unicodedata

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt), with the
# bidirectional marks, the interlinear annotations and the byte order mark, which Unicode keeps apart.
_INVISIBLE_RANGES = (
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
_SHORT = 256


def _without_long_runs(text: str) -> str:
    kept, run = [], 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def _line_skeleton(line: str) -> str:
    if line.isascii():
        return line.lower()
    line = line.translate(_DROP_INVISIBLE)
    if len(line) > _SHORT:
        line = _without_long_runs(line)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", line).casefold()))


def skeleton(text: str) -> str:
    """Only the letters and digits of a text, NFKC-normalised and case-folded.

    What stands in a joined or normalised view of a text also stands in its skeleton, whatever line
    breaks, comment signs, quotes or invisible marks lie between. So a pattern whose literals are not
    in the skeleton cannot match in any view.
    """
    return _by_lines(text).replace("\n", "")


def line_skeletons(text: str) -> list[str]:
    """The skeletons of a text's lines; joined, they are the skeleton of the text."""
    return _by_lines(text).split("\n")


def _by_lines(text: str) -> str:
    if text.isascii():
        return text.lower().translate(_DROP_ASCII)
    # What the lines have left beyond ASCII is letters and digits only.
    return "\n".join(map(_line_skeleton, text.split("\n"))).translate(_DROP_ASCII)
