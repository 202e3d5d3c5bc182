"""Single characters: which are invisible, and how a text is shown to the rules."""

from __future__ import annotations

import unicodedata

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt), with the
# bidirectional marks, the interlinear annotations and the byte order mark, which Unicode keeps apart, and the
# control characters that are no blank.
INVISIBLE_RANGES = (
    (0x0000, 0x0008), (0x000E, 0x001B), (0x007F, 0x007F),
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
INVISIBLE = frozenset(chr(c) for first, last in INVISIBLE_RANGES for c in range(first, last + 1))

# Normalising a run of combining marks takes time by the square of its length. A text of real words has at
# most 30 in a row (UAX #15, stream-safe text); what goes beyond is no part of any view.
MOST_MARKS = 30


def normalised(text: str) -> str:
    """A text as views show it: NFKC, without invisible marks."""
    if not INVISIBLE.isdisjoint(text):
        text = "".join(char for char in text if char not in INVISIBLE)
    return unicodedata.normalize("NFKC", text)
