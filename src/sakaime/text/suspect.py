"""Whether bytes could hold disguised text: asked of every hunk, so it may cost next to nothing.

What looks at the text itself is `sakaime.text.disguise`. Here bytes are searched for single characters, which is
faster by far than to search for words, and no module is imported.
"""

from __future__ import annotations

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_HEX = b"0123456789abcdefABCDEF"
_BASE64 = _LETTERS + _DIGITS + b"+/"
_RUNS = bytes(97 if n in _BASE64 + b"-_" else 32 for n in range(256))

LEAST = 24  # characters of base64 or of hex in a row, which is a note of 18 or of 12 bytes
_RUN = b"a" * LEAST
_BLANK_HEX = (b"20 7", b"20 6")  # of hex with blanks between: a blank, and the first letter of a word
_MOST_LOOKED_AT = 500
_WELL_MIXED, _MANY_CAPITALS = 0.12, 0.3
ENOUGH = 3  # escapes near each other
_NEAR = 24  # characters from the x of one `\x41` or `0x41` to that of the next, at most
_MOST_PLAIN = 40  # characters from one backslash to the next in text that is partly escaped

_NEEDED = (b"amp", b"lt", b"gt", b"quot", b"apos")  # names of characters that have to be escaped
# After a rare letter, one that is rare there, but not in words turned by 13 letters; these stand near, then.
_TURNED = ((b"q", b"rvnb .,;"), (b"j", b"rvn"))
TURNED_WORDS = (
    b"gur ", b"naq ", b" guvf", b"erivr", b"erivf", b"ercbe", b"nccebi", b"svaqvat", b"vtaber", b"vffhr", b"pbzzrag",
    b" abg ", b"abguvat", b"purpx", b"fxvc", b"zrag",
)  # fmt: skip
# Lead bytes of letters that look like Latin ones: Greek, Cyrillic, Armenian, small capitals; Cherokee, Coptic, Lisu.
_LIKE_LATIN = (
    b"\xcd", b"\xce", b"\xcf", b"\xd0", b"\xd1", b"\xd2", b"\xd3", b"\xd4", b"\xd5", b"\xd6", b"\xc9", b"\xca",
)  # fmt: skip
_LONGER = {
    b"\xe1": (b"\xe1\x8e", b"\xe1\x8f", b"\xe1\xb4"),
    b"\xe2": (b"\xe2\xb2", b"\xe2\xb3"),
    b"\xea": (b"\xea\x93", b"\xea\x9c", b"\xea\x9e", b"\xea\xac", b"\xea\xad", b"\xea\xae"),
    b"\xf3": (b"\xf3\xa0",),  # tags, and variation selectors from 17 on
}
_ZERO_WIDTH = (b"\xe2\x80\x8b", b"\xe2\x80\x8c", b"\xe2\x80\xad", b"\xe2\x80\xae")
_SELECTORS = tuple(b"\xef\xb8" + bytes([n]) for n in range(0x80, 0x8E))


def suspect(data: bytes) -> bool:
    """Whether some bytes of UTF-8 could hold text that `sakaime.text.disguise.disguises` would uncover."""
    if not data.isascii() and (_like_latin(data) or _marks(data)):
        return True
    if b"&" in data and _references(data):
        return True
    if b"%" in data and _percents(data):
        return True
    if b"\\" in data and _backslashes(data):
        return True
    return _exes(data) or _turned(data) or _encoded_run(data) or _any(_BLANK_HEX, data)


def _any(needles: tuple[bytes, ...], data: bytes) -> bool:
    return any(needle in data for needle in needles)


def _like_latin(data: bytes) -> bool:
    return _any(_LIKE_LATIN, data) or any(lead in data and _any(longer, data) for lead, longer in _LONGER.items())


def _marks(data: bytes) -> bool:
    if b"\xe2\x80" in data and _any(_ZERO_WIDTH, data):
        return True
    return b"\xef\xb8" in data and _any(_SELECTORS, data)


def _references(data: bytes) -> bool:
    count, at = 0, data.find(b"&")
    while at >= 0 and count < ENOUGH:
        end = data.find(b";", at + 3, at + 14)
        if end > 0:
            name = data[at + 1 : end]
            count += name[:1] == b"#" or (name.isalnum() and name not in _NEEDED)
        at = data.find(b"&", at + 1)
    return count >= ENOUGH


def _percents(data: bytes) -> bool:
    """Three escapes near each other, of blanks or letters unless they follow at once."""
    count, last, at = 0, 0, data.find(b"%")
    while at >= 0 and count < ENOUGH:
        escape = data[at + 1 : at + 3]
        if len(escape) == 2 and escape[0] > 49 and not escape.translate(None, _HEX):  # "2" or more
            if at - last > _MOST_PLAIN:
                count = 0
            count += at - last == 3 or escape == b"20" or escape[0] in b"4567"
            last = at
        at = data.find(b"%", at + 1)
    return count >= ENOUGH


def _backslashes(data: bytes) -> bool:
    """Three escapes near each other by number or name, of more than one byte or octal."""
    count, last, at = 0, 0, data.find(b"\\")
    while at >= 0 and count < ENOUGH:
        escape = data[at + 1 : at + 6]
        first = escape[:1]
        if (
            (first in b"uU" and len(escape) == 5 and (escape[1] == 123 or not escape[1:].translate(None, _HEX)))
            or (first == b"N" and escape[1:2] == b"{")
            or (first in b"0123" and escape[:3].isdigit() and escape[:3] != b"000" and len(escape) > 2)
        ):
            count = count + 1 if at - last <= _MOST_PLAIN or not count else 1
            last = at
        at = data.find(b"\\", at + 1)
    return count >= ENOUGH


def _exes(data: bytes) -> bool:
    r"""`\x41\x49` and `0x41, 0x49`, of which each hex number stands for a character of a text."""
    count, last, at = 0, 0, data.find(b"x", 1)
    while at >= 0 and count < ENOUGH:
        if data[at - 1] in b"0\\":
            number = data[at + 1 : at + 3]
            if len(number) == 2 and number[0] > 49 and not number.translate(None, _HEX):
                if data[at - 1] == 48 and data[at + 3 : at + 4].isalnum():
                    count = 0
                else:
                    count = count + 1 if at - last <= _NEAR else 1
                    last = at
        at = data.find(b"x", at + 1)
    return count >= ENOUGH


def _turned(data: bytes) -> bool:
    for letter, followers in _TURNED:
        at = data.find(letter)
        while at >= 0:
            if data[at + 1 : at + 2] in followers:
                near = data[max(0, at - 40) : at + 40].lower()
                if _any(TURNED_WORDS, near):
                    return True
            at = data.find(letter, at + 1)
    return False


def _encoded_run(data: bytes) -> bool:
    runs = data.translate(_RUNS)
    at = runs.find(_RUN)
    for _ in range(_MOST_LOOKED_AT):
        if at < 0:
            return False
        end = runs.find(b" ", at + LEAST)
        if end < 0:
            end = len(runs)
        run = data[at:end].translate(None, b"-_")
        if 2 * len(run) > end - at and looks_encoded(run):
            return True
        at = runs.find(_RUN, end)
    return at >= 0


def looks_encoded(run: bytes) -> bool:
    """Whether letters and digits in a row could be base64, or the hex form of a text; not of a name or a word.

    Both alphabets of base64 count: `-` and `_` are left out of `run`.
    """
    capitals = len(run) - len(run.translate(None, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    digits = len(run) - len(run.translate(None, _DIGITS))
    if digits and not run.translate(None, _HEX):
        return _is_hex_of_text(run)
    if min(4 * digits, 5 * capitals) >= len(run):  # kana in base64 is `44Gu`, with few small letters
        return True
    if min(capitals, len(run) - capitals - digits) < _WELL_MIXED * len(run):
        return False
    return digits > 0 or capitals >= _MANY_CAPITALS * len(run)


def _is_hex_of_text(run: bytes) -> bool:
    if not run[::2].translate(None, b"234567"):
        return True
    try:
        bytes.fromhex(run[: len(run) // 2 * 2].decode()).decode()
    except UnicodeDecodeError:
        return False
    return True
