"""Text in disguise: where some may be, and what it says.

A disguise is whatever makes a sentence hard to see for people or for a search while a model still reads it:
encodings, marks that nobody sees, letters that look like others, text stored backwards.
"""

from __future__ import annotations

import re
import unicodedata
from array import array

from sakaime.text import encoded, marks
from sakaime.text.confusables import CYRILLIC_LIKE, LATIN_LIKE
from sakaime.text.encoded import MOST, reads_as_text, uncovered
from sakaime.text.suspect import LEAST, TURNED_WORDS, looks_encoded
from sakaime.text.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTEXT = 500  # characters of a line around what is suspect, at most
_LIKE = "".join(sorted(LATIN_LIKE))
# Latin's own look-alikes, small capitals and letters of phonetics, and those of other scripts.
_OWN = frozenset(char for char in _LIKE if unicodedata.name(char).startswith("LATIN"))
_FOREIGN = frozenset(_LIKE) - _OWN
# Of Cyrillic all letters: a word of it with Latin ones in it may have none left that looks like one.
_MIXED = re.compile("[A-Za-z][{0}]|[{0}][A-Za-z]".format("".join(sorted(_FOREIGN)) + "а-яА-ЯёЁ"))
_ALONE = re.compile(rf"(?<![^\W\d_])[{_LIKE}]{{2,}}(?![^\W\d_])")
_LONGEST_WORD = 60
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SELECTORS = re.compile(f"[{_SELECTOR}](?:[^\\s{_SELECTOR}]?[{_SELECTOR}]){{3,}}")
_BITS = re.compile("[\u200b\u200c\u200d\u2060\ufeff]{32,}")
_BACKWARDS = re.compile("\u202e([^\u202c\n]{4,})")
_MARKS = re.compile(f"{_TAGS.pattern}|{_SELECTORS.pattern}|{_BITS.pattern}|{_BACKWARDS.pattern}")
_RUN = re.compile(rf"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{{LEAST},}}")
_HEX = re.compile(
    r"(?<![0-9A-Za-z])[0-9A-Fa-f]{2}(?:[\s:,;-][0-9A-Fa-f]{2}){7,}|0[xX][0-9A-Fa-f]{2}(?:[\s,;]{1,80}0[xX][0-9A-Fa-f]{2}){7,}"
)
_ESCAPE = re.compile(
    r"\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\[uN]\{[^}\n]{1,90}\}|\\[0-3][0-7]{2}|%[0-9A-Fa-f]{2}"
    r"|&#[xX]?[0-9A-Fa-f]{1,7};?|&[A-Za-z][A-Za-z0-9]{1,31};"
)
_NEEDED = frozenset({"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
_APART, _ENOUGH = 80, 3
_CLOSE = 60
_TURNED = re.compile("(?i)" + "|".join(word.decode() for word in TURNED_WORDS))


def raw_view(source: str, start: int, end: int) -> View:
    """A range of a source as it stands, with every mark that other views leave out."""
    return View(source[start:end], array("Q", range(start, end)), array("Q", range(start + 1, end + 1)))


def suspects(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of a text, ascending and apart, that may hold something disguised: its lines, of long ones a part."""
    found = [*_runs(text), *_escaped(text), *(match.span() for match in _HEX.finditer(text))]
    if encoded.hints_at_rot13(text):
        found += (match.span() for match in _TURNED.finditer(text))
    if not text.isascii():
        found += (match.span() for match in _MARKS.finditer(text))
        found += _look_alikes(text)
    found.sort()
    merged: list[tuple[int, int]] = []
    for start, end in found:
        least = max(0, start - _CONTEXT)
        start = max(least, text.rfind("\n", least, start) + 1)
        stop = text.find("\n", end, end + _CONTEXT)
        end = stop if stop >= 0 else min(len(text), end + _CONTEXT)
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    for match in _RUN.finditer(text):
        if looks_encoded(match.group().replace("-", "").replace("_", "").encode()):
            yield match.start(), encoded.pieces_of_base64(text, *match.span())[-1][1]


def _escaped(text: str) -> Iterator[tuple[int, int]]:
    start = last = count = 0
    for match in _ESCAPE.finditer(text):
        if match.group() in _NEEDED:
            continue
        if not count or match.start() - last > _APART:
            start, count = match.start(), 0
        elif count >= _ENOUGH:
            start = match.start()
        count += 1
        last = match.end()
        if count >= _ENOUGH:
            yield start, last


def _look_alikes(text: str) -> Iterator[tuple[int, int]]:
    """Words that mix plain Latin letters with look-alikes, and words of look-alikes alone amid Latin text."""
    last = 0
    spans = [_word_around(text, *match.span()) for match in _MIXED.finditer(text)]
    spans += [match.span() for match in _ALONE.finditer(text) if _amid_latin(text, *match.span())]
    for start, end in sorted(spans):
        if start >= last:
            yield start, end
            last = end


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    least, most = max(0, start - _LONGEST_WORD), end + _LONGEST_WORD
    while start > least and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and end < most and text[end].isalpha():
        end += 1
    return start, end


def _amid_latin(text: str, start: int, end: int) -> bool:
    """Whether more than half of the letters around a word are plain Latin ones: then it is no word of its language."""
    around = [c for c in text[max(0, start - _CLOSE) : start] + text[end : end + _CLOSE] if c.isalpha()]
    return 2 * sum(map(str.isascii, around)) > len(around) or _OWN.issuperset(text[start:end])


def disguises(view: View) -> Iterator[tuple[str, View]]:
    """(name of the disguise, view) of every text in disguise in a view, decoded once.

    A text that is only partly disguised comes with the plain text around it. Tags, selectors, zero-width bits and
    directions are only in a `raw_view`: other views leave them out.
    """
    text = view.text
    for name, find in (("base64", encoded.base64), ("hex", encoded.hexadecimal), ("rot13", encoded.rot13)):
        for found in find(view):
            yield name, found
    yield from encoded.escapes(view)
    if text.isascii():
        return
    yield from _homoglyphs(view)
    for match in _first(_TAGS, text):
        if not any(marks.misplaced(text, *match.span())):
            continue
        places = range(*match.span())
        yield "tags", uncovered(view, [(chr(ord(text[at]) - 0xE0000), at, at + 1) for at in places])
    for match in _first(_SELECTORS, text):
        yield from _of_bytes("variation selectors", view, *_selected(text, *match.span()))
    for match in _first(_BITS, text):
        yield from _bits(view, *match.span())
    for match in _first(_BACKWARDS, text):
        start, end = match.span(1)
        yield "reversed", uncovered(view, [(char, start, end) for char in reversed(match.group(1))])


def _first(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for number, match in enumerate(pattern.finditer(text)):
        if number == MOST:
            return
        yield match


def _homoglyphs(view: View) -> Iterator[tuple[str, View]]:
    text = view.text
    found = list(_look_alikes(text))
    for likes in (LATIN_LIKE, CYRILLIC_LIKE):  # a word may be of either alphabet
        parts, at = [], 0
        for start, end in found:
            parts += [text[at:start], "".join(likes.get(char, char) for char in text[start:end])]
            at = end
        if (shown := "".join([*parts, text[at:]])) != text:
            yield "homoglyphs", View(shown, view.starts, view.ends)


def _selected(text: str, start: int, end: int) -> tuple[bytes, list[int]]:
    places = [at for at in range(start, end) if marks.is_selector(text[at])]
    return marks.selectors_as_bytes(text[start:end]), places


def _bits(view: View, start: int, end: int) -> Iterator[tuple[str, View]]:
    """Two marks as the bits of bytes, either of them the 1; the others are taken for separators."""
    text = view.text[start:end]
    by_count = sorted({*text}, key=text.count, reverse=True)[:2]
    if len(by_count) < 2:
        return
    for one in by_count:
        places = [start + at for at, char in enumerate(text) if char in by_count]
        bits = "".join("1" if view.text[at] == one else "0" for at in places)
        data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
        yield from _of_bytes("zero-width", view, data, places[::8], 8)


def _of_bytes(name: str, view: View, data: bytes, places: list[int], size: int = 1) -> Iterator[tuple[str, View]]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    if not reads_as_text(text):
        return
    out, at = [], 0
    for char in text:
        width = len(char.encode())
        out.append((char, places[at], places[at + width - 1] + size))
        at += width
    yield name, uncovered(view, out)


def concealed(source: str, start: int, end: int) -> str:
    """The disguise of a range that reads as it stands once invisible marks are left out; empty if there is none.

    One of "zero-width", "soft hyphen", "variation selector", "tags", "bidi", "control character", "homoglyph".
    """
    stretch = source[start:end]
    if stretch.isascii() and stretch.isprintable():
        return ""
    found = next(marks.misplaced(source, start, end), None)
    if found is not None:
        return found[0]
    return "homoglyph" if _MIXED.search(stretch) else ""
