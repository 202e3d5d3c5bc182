"""Text that is written in another form: base64, hex, escapes, character references, rot13. One level is taken off.

Every function takes a view and gives views of what stands in it decoded, each character with the source range
that it was made of. What does not read as text is not given; all take time by the length of the view.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from itertools import takewhile

from sakaime.text.chars import INVISIBLE
from sakaime.text.suspect import TURNED_WORDS
from sakaime.text.view import View, make_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # A character with the first and the last place (exclusive) of the view that it is made of.
    Decoded = list[tuple[str, int, int]]

MOST = 50  # decoded texts of one view, by one way of writing
_LONGEST = 65_536  # characters of one encoded text; what goes beyond is not decoded
_LEAST_LETTERS, _LEAST_WIDE = 8, 4
_HEAD = 64


def uncovered(view: View, decoded: Decoded) -> View:
    """Decoded characters as they are judged: normalised, with single blanks, mapped to the source."""
    text = "".join(char for char, _, _ in decoded)
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    shown = make_view(text, lines)
    starts = array("Q", (view.starts[decoded[at][1]] for at in shown.starts))
    ends = array("Q", (view.ends[decoded[at - 1][2] - 1] for at in shown.ends))
    return View(shown.text, starts, ends)


def reads_as_text(text: str) -> bool:
    """Whether it is mostly letters and blanks, and so many letters that they could say something."""
    if not text:
        return False
    letters = sum(map(str.isalpha, text))
    wide = sum("\u2e80" <= char <= "\uffdc" for char in text)
    # Texts without blanks between words have full stops and brackets of their own, which nothing else has.
    stops = sum("\u3001" <= char <= "\u303f" or "\uff01" <= char <= "\uff1f" for char in text if not char.isalpha())
    if letters < _LEAST_LETTERS and wide < _LEAST_WIDE:
        return False
    unseen = sum(not char.isprintable() and not char.isspace() and char not in INVISIBLE for char in text)
    marks = sum(unicodedata.category(char)[0] == "M" for char in text if not char.isascii())
    blanks = sum(map(str.isspace, text))
    return unseen <= 0.02 * len(text) and letters + marks + blanks + stops >= 0.7 * len(text)


def _of_bytes(data: bytes) -> list[tuple[str, int, int]] | None:
    """The characters of bytes, each with its first and last byte: UTF-8 or, with a NUL after each letter, UTF-16."""
    data = data.rstrip(b"\0") if data[1:2] != b"\0" else data
    wide = len(data) > 8 and len(data) % 2 == 0 and data[1::2].count(0) > 0.4 * len(data) / 2
    try:
        text = data.decode("utf-16-le" if wide else "utf-8")
    except UnicodeDecodeError:
        return None
    if not reads_as_text(text):
        return None
    out, at = [], 0
    for char in text:
        size = len(char.encode("utf-16-le" if wide else "utf-8"))
        out.append((char, at, at + size))
        at += size
    return out


# ---- base64 ----------------------------------------------------------------------------------------------------

_LINE64 = 16
_MOST_PIECES = 2000
_RUN64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
# What may stand between the lines of a wrapped text: quotes, commas, signs of comments and of joined strings.
_MORE64 = re.compile(
    r"""[\s"'`,;#*\\.()|>]{1,80}(?:\+[\s"'`]{1,80}|/{2,3}[ \t]{1,8})?([A-Za-z0-9+/_-]{2,}={0,2})(?![A-Za-z0-9])"""
)
_URL_SAFE = str.maketrans("-_", "+/")


def base64(view: View) -> Iterator[View]:
    """Base64 of both alphabets, with and without padding, over one line or several."""
    text, at, given = view.text, 0, 0
    while given < MOST and (found := _RUN64.search(text, at)) is not None:
        if found.group().islower() or found.group().isupper():
            at = found.end()
            continue
        pieces = pieces_of_base64(text, *found.span())
        at = pieces[-1][1]
        full = sum(1 for _ in takewhile(lambda piece: piece[1] - piece[0] >= _LINE64, pieces))
        # What follows may be plain words, which are base64 as well.
        tries = [pieces, pieces[:-1], pieces[: full + 1], pieces[:full], *([piece] for piece in pieces[:full][:MOST])]
        done: set[tuple[int, int]] = set()
        for part in tries:
            if part and not done.intersection(part) and (decoded := _base64(text, part)) is not None:
                done.update(part)
                given += 1
                yield uncovered(view, decoded)


def pieces_of_base64(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges of one encoded text: the first of them, and what goes on after a line end or joined to it."""
    pieces = [(start, end)]
    while (end - start) % 4 == 0 and text[end - 1] != "=" and len(pieces) < _MOST_PIECES:
        more = _MORE64.match(text, end)
        if more is None:
            break
        start, end = more.span(1)
        pieces.append((start, end))
    return pieces


def _base64(text: str, pieces: list[tuple[int, int]]) -> Decoded | None:
    places = [at for start, end in pieces for at in range(start, end)][:_LONGEST]
    run = "".join(text[start:end] for start, end in pieces)[:_LONGEST].translate(_URL_SAFE)
    bare = run.rstrip("=")
    for skip in (0, 1, 2, 3) if bare[:1] in "+/" or "/" in bare[:_HEAD] else (0,):
        if _bytes64(bare[skip : skip + _HEAD], True) is None:
            continue
        data = _bytes64(bare[skip:], False)
        found = _of_bytes(data) if data is not None else None
        if found is None:
            continue
        decoded = [(char, places[skip + a * 4 // 3], places[skip + (b * 4 + 2) // 3 - 1] + 1) for char, a, b in found]
        last = decoded[-1]  # the padding belongs to the last character
        return [*decoded[:-1], (last[0], last[1], places[len(run) - 1] + 1)]
    return None


def _bytes64(run: str, head: bool) -> bytes | None:
    """The bytes of base64; of the head of a longer text, None where it cannot be one."""
    from binascii import Error, a2b_base64

    if len(run) % 4 == 1:
        run = run[:-1]
    try:
        data = a2b_base64(run + "=" * (-len(run) % 4))
    except (Error, ValueError):
        return None
    if not head:
        return data
    if data[1:2] == b"\0":
        return data
    for cut in range(4):  # a character may be cut off at the end
        try:
            text = data[: len(data) - cut].decode()
        except UnicodeDecodeError:
            continue
        return data if all(char.isprintable() or char.isspace() or char in INVISIBLE for char in text) else None
    return None


# ---- hex -------------------------------------------------------------------------------------------------------

_HEX = re.compile(r"(?<![0-9A-Za-z\\%#])(?:0[xX])?([0-9A-Fa-f]{2}(?:[\s:,;-]{0,2}[0-9A-Fa-f]{2}){7,})")
_HEX_NUMBERS = re.compile(r"0[xX][0-9A-Fa-f]{2}(?:[\s,;]{1,80}0[xX][0-9A-Fa-f]{2}){7,}")
_HEX_PAIR = re.compile(r"(?:0[xX])?[0-9A-Fa-f]{2}")


def hexadecimal(view: View) -> Iterator[View]:
    """Bytes as hex digits, with or without blanks between, and as numbers in a list."""
    given = 0
    for pattern, group in ((_HEX, 1), (_HEX_NUMBERS, 0)):
        for found in pattern.finditer(view.text):
            pairs = [pair.span() for pair in _HEX_PAIR.finditer(view.text, *found.span(group))][:_LONGEST]
            if view.text[found.end() : found.end() + 1].isalnum():
                pairs.pop()
            decoded = _of_bytes(bytes(int(view.text[start:end], 16) for start, end in pairs))
            if decoded is not None:
                yield uncovered(view, [(char, pairs[a][0], pairs[b - 1][1]) for char, a, b in decoded])
                given += 1
                if given >= MOST:
                    return


# ---- escapes ---------------------------------------------------------------------------------------------------

_ESCAPE = re.compile(
    r"(?P<bytes>(?:\\x[0-9A-Fa-f]{2}){1,4096}|(?:%[0-9A-Fa-f]{2}){1,4096}|(?:\\[0-3][0-7]{2}){1,4096})"
    r"|(?P<units>(?:\\u[0-9A-Fa-f]{4}){1,4096})"
    r"|\\u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|\\U(?P<long>[0-9A-Fa-f]{8})|\\N\{(?P<name>[A-Za-z0-9 -]{1,88})\}"
    r"|&#(?P<decimal>[0-9]{1,7});?|&#[xX](?P<hex>[0-9A-Fa-f]{1,6});?|&(?P<entity>[A-Za-z][A-Za-z0-9]{1,31};)"
)
_WAYS = {"%": "percent encoding", "&": "character references", "\\": "escapes"}
_APART = 80  # plain characters between escapes that belong together
_AROUND = 300  # plain characters around them that are shown with them
_WHOLE = 4000  # a view of so many characters is shown whole
_LEAST_ESCAPES = 3


def escapes(view: View) -> Iterator[tuple[str, View]]:
    """Percent encoding, character references and backslash escapes, with the plain text around them.

    Only where at least three letters, digits or blanks are written so, which need no escape.
    """
    if not any(sign in view.text for sign in _WAYS):
        return
    clusters: list[list[tuple[int, int, Decoded]]] = []
    last = 0
    for found in _ESCAPE.finditer(view.text):
        decoded = _unescaped(found)
        if decoded is None:
            continue
        if not clusters or found.start() - last > _APART:
            clusters.append([])
        clusters[-1].append((found.start(), found.end(), decoded))
        last = found.end()
    given = 0
    for cluster in clusters:
        plain = "".join(char for _, _, decoded in cluster for char, _, _ in decoded)
        needless = sum(char.isalnum() or char == " " or char == "\N{NO-BREAK SPACE}" for char in plain)
        if needless < _LEAST_ESCAPES or 10 * sum(not c.isprintable() and not c.isspace() for c in plain) > len(plain):
            continue
        whole = _in_plain_text(view.text, cluster)
        # A short note in a long address is text, too.
        if not reads_as_text(plain) and not reads_as_text("".join(char for char, _, _ in whole)):
            continue
        signs = [view.text[start] for start, _, _ in cluster]
        yield _WAYS[max(_WAYS, key=signs.count)], uncovered(view, whole)
        given += 1
        if given >= MOST:
            return


def _in_plain_text(text: str, cluster: list[tuple[int, int, Decoded]]) -> Decoded:
    at, end = 0, len(text)
    if end > _WHOLE:
        at, end = max(0, cluster[0][0] - _AROUND), min(end, cluster[-1][1] + _AROUND)
    out: Decoded = []
    for start, finish, decoded in cluster:
        out += ((text[n], n, n + 1) for n in range(at, start))
        out += decoded
        at = finish
    out += ((text[n], n, n + 1) for n in range(at, end))
    return out


def _unescaped(found: re.Match[str]) -> Decoded | None:
    """The characters of an escape, or of several in a row; None where it stands for none."""
    kind, written = found.lastgroup or "", found[found.lastgroup or 0]
    start, end = found.span()
    if kind == "bytes":
        size = 3 if written[0] == "%" else 4
        numbers = [written[at + size - 2 if written[at + 1] == "x" or size == 3 else at + 1 : at + size]
                   for at in range(0, len(written), size)]  # fmt: skip
        octal = size == 4 and written[1] != "x"
        data = bytes(int(number, 8 if octal else 16) for number in numbers)
        return [(char, start + a * size, start + b * size) for char, a, b in _utf8_or_single(data)]
    if kind == "units":
        return _units(written, start)
    if kind == "name":
        try:
            return [(unicodedata.lookup(written), start, end)]
        except KeyError:
            return None
    if kind == "entity":
        from html.entities import html5

        return [(char, start, end) for char in html5.get(written, "")] or None
    code = int(written, 10 if kind == "decimal" else 16)
    return [(chr(code), start, end)] if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else None


def _utf8_or_single(data: bytes) -> list[tuple[str, int, int]]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [(chr(byte), at, at + 1) for at, byte in enumerate(data)]
    out, at = [], 0
    for char in text:
        size = len(char.encode())
        out.append((char, at, at + size))
        at += size
    return out


def _units(written: str, start: int) -> Decoded:
    r"""`\u` escapes in a row; two of them may be one character."""
    units = [int(written[at + 2 : at + 6], 16) for at in range(0, len(written), 6)]
    out: Decoded = []
    at = 0
    while at < len(units):
        pair = units[at : at + 2]
        two = len(pair) == 2 and 0xD800 <= pair[0] < 0xDC00 <= pair[1] < 0xE000
        code = 0x10000 + ((pair[0] - 0xD800) << 10) + pair[1] - 0xDC00 if two else pair[0]
        char = "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else chr(code)
        out.append((char, start + 6 * at, start + 6 * (at + 1 + two)))
        at += 1 + two
    return out


# ---- rot13 -----------------------------------------------------------------------------------------------------

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_TURNED = _ALPHABET[13:] + _ALPHABET[:13]
_TURN = str.maketrans(_ALPHABET + _ALPHABET.upper(), _TURNED + _TURNED.upper())
_COMMON = frozenset(
    "the and this that not for with from are was is it to of in on no any all be as or by you do does should must "
    "nothing review reviewer reviewers reviewed report reported finding findings issue issues comment comments "
    "approve approved ignore skip file code change changes please check already flag mention problem problems "
    "el la los las que una un por con sin para este esta revisor no cambio del de se es "
    "o os as um uma para sem com esta este revisor nao mudanca "
    "le les des une pas ce cette est aucun dans sur ne "
    "der die das und nicht ist ein eine keine dieser diese bitte zu den von wurde geprueft".split()
)
_WORDS = re.compile(r"[A-Za-z]+")
_LEAST_KNOWN = 2
_HINTS = tuple(word.decode() for word in TURNED_WORDS)


def rot13(view: View) -> Iterator[View]:
    """Letters turned by 13 places: the stretch in which that makes most common words out of uncommon ones."""
    text = view.text[:_LONGEST]
    if not hints_at_rot13(text):
        return
    spans = [word.span() for word in _WORDS.finditer(text)]
    # PR is not the French "ce" in capitals.
    words = [text[start:end].lower() if not text[start:end].isupper() else text[start:end] for start, end in spans]
    turned = [word.translate(_TURN) for word in words]
    worth = [(after in _COMMON) - (before in _COMMON) for before, after in zip(words, turned, strict=True)]
    best, first, last = _most_worth(worth)
    if best < _LEAST_KNOWN or len(_COMMON.intersection(turned[first : last + 1])) < _LEAST_KNOWN:
        return
    while first > 0 and worth[first - 1] == 0:
        first -= 1
    while last + 1 < len(worth) and worth[last + 1] == 0:
        last += 1
    start, end = spans[first][0], spans[last][1]
    yield View(text[start:end].translate(_TURN), view.starts[start:end], view.ends[start:end])


def hints_at_rot13(text: str) -> bool:
    """Whether common words of reviews stand in a text turned by 13 letters."""
    low = f" {text.lower()} "
    return any(word in low for word in _HINTS)


def _most_worth(worth: list[int]) -> tuple[int, int, int]:
    """The largest sum over neighbours, with the first and the last of them."""
    best, here, start, first, last = 0, 0, 0, 0, -1
    for at, value in enumerate(worth):
        if here <= 0:
            here, start = 0, at
        here += value
        if here > best:
            best, first, last = here, start, at
    return best, first, last
