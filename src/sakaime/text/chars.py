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
_NOT_ALNUM_ASCII = bytes(c for c in range(128) if not chr(c).isalnum())


def skeleton(text: str) -> str:
    """Only the letters and digits of a text, NFKC-normalised and case-folded.

    What stands in a joined or normalised view of a text also stands in its skeleton, whatever line
    breaks, comment signs, quotes or invisible marks lie between. So a pattern whose literals are not
    in the skeleton cannot match in any view.
    """
    if text.isascii():
        return text.lower().encode().translate(None, _NOT_ALNUM_ASCII).decode()
    text = unicodedata.normalize("NFKC", text.translate(_DROP_INVISIBLE)).casefold()
    return "".join(filter(str.isalnum, text))
