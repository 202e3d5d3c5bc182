"""How text is shown on a terminal, and how wide it is there."""

from __future__ import annotations

import unicodedata

from sakaime.text.chars import INVISIBLE

TAB = 4
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"


def cells(text: str) -> list[tuple[str, int]]:
    """How each character is shown, and the columns that it takes (UAX #11).

    Tabs become blanks; control and invisible characters become `<U+XXXX>`: an escape sequence or a
    bidirectional mark of a hostile file must not reach the terminal, and nothing may hide in a word. Marks
    that stand on the character before them take no column, nor do skin tones of an emoji.
    """
    if text.isascii() and text.isprintable():
        return [(char, 1) for char in text]
    out: list[tuple[str, int]] = []
    before = ""
    for char in text:
        out.append(_cell(char, before, out[-1][1] if out else 0))
        before = char
    return out


def _cell(char: str, before: str, columns: int) -> tuple[str, int]:
    if char == "\t":
        return " " * TAB, TAB
    if char.isascii() and char.isprintable():
        return char, 1
    if char in (_TEXT_STYLE, _EMOJI_STYLE) and _is_symbol(before):
        return char, 1 if char == _EMOJI_STYLE and columns == 1 else 0
    category = unicodedata.category(char)
    if char in INVISIBLE or category in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"):
        shown = f"<U+{ord(char):04X}>"
        return shown, len(shown)
    if category in ("Mn", "Me") or "\u1160" <= char <= "\u11ff":  # the latter: parts of a Hangul syllable
        return char, 0
    if "\U0001f3fb" <= char <= "\U0001f3ff" and _is_symbol(before):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _is_symbol(char: str) -> bool:
    return bool(char) and not char.isascii() and unicodedata.category(char) in ("So", "Sm", "Po", "Pd")


def attached(cell: tuple[str, int]) -> bool:
    """Whether what `cells` gave for a character stands on the character before it."""
    return cell[1] == 0 or cell[0] == _EMOJI_STYLE


def visible(text: str) -> str:
    """A source text as it may be shown: tabs as blanks, control and invisible characters as `<U+XXXX>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown for shown, _ in cells(text))


def columns(text: str) -> int:
    """How many columns a text takes, as `visible` shows it."""
    return sum(width for _, width in cells(text))


def fitted(text: str, most: int) -> str:
    """A text of one line as it may be shown, no wider than some columns."""
    shown = cells(text[: 2 * most])
    if len(text) <= 2 * most and sum(width for _, width in shown) <= most:
        return "".join(part for part, _ in shown)
    out, room = "", most - 1
    for part, width in shown:
        if width > room:
            break
        out, room = out + part, room - width
    return f"{out}…"


def padded(text: str, width: int) -> str:
    """A text that `visible` has shown, with blanks behind it up to some columns."""
    return text + " " * (width - columns(text))


def revealed(text: str) -> str:
    """A text of several lines with everything in it to be seen: marks by name, long runs of blanks by length."""
    import re

    text = re.sub(r"\n{20,}", lambda run: f"\n... {len(run.group()) - 1} empty lines ...\n", text)
    text = re.sub(r" {60,}", lambda run: f" ... {len(run.group())} blanks ... ", text)
    return "\n".join(map(visible, text.split("\n")))
