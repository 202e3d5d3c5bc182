"""How wide text is on a terminal."""

from __future__ import annotations

import unicodedata

TAB = 4


def width(text: str) -> int:
    """Columns that a text takes on a terminal: wide characters two, marks without a cell none (UAX #11)."""
    if text.isascii():
        return len(text)
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def visible(text: str) -> str:
    """A source text as it may be shown: tabs as blanks, control and invisible characters as `<U+XXXX>`.

    An escape sequence or a bidirectional mark of a hostile file must not reach the terminal.
    """
    out = []
    for char in text:
        if char == "\t":
            out.append(" " * TAB)
        elif char.isascii() and char.isprintable():
            out.append(char)
        elif unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp") and char != "\u200d":
            out.append(f"<U+{ord(char):04X}>")
        else:
            out.append(char)
    return "".join(out)
