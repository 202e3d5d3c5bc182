"""Marks that nobody sees, and which of them have a reason to stand where they do.

Joiners belong in emoji and in scripts that join letters, selectors after the signs that they select, directions
where a text runs from right to left, soft hyphens in long words, a byte order mark at the start of a file.
"""

from __future__ import annotations

import re
import unicodedata

from sakaime.text.chars import INVISIBLE_RANGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ZERO_WIDTH, SOFT_HYPHEN, SELECTOR, TAGS, BIDI, CONTROL = (
    "zero-width", "soft hyphen", "variation selector", "tags", "bidi", "control character",
)  # fmt: skip

_RUN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in INVISIBLE_RANGES) + "]+")
_FLAG = "\N{WAVING BLACK FLAG}"
# UTS #51: letters and digits of a region between the flag and the mark that ends it.
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,8}\U000e007f")
_TAG_FIRST, _TAG_LAST = "\U000e0000", "\U000e007f"
OVERRIDES = "\u202d\u202e"
_OPENING = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_CLOSING = {"\u202c": "\u202a\u202b\u202d\u202e", "\u2069": "\u2066\u2067\u2068"}
_DIRECTIONS = frozenset(_OPENING) | _CLOSING.keys()
_LEAST_WORD, _LEAST_PART = 12, 4  # letters of a word in which a break may be offered, and of its parts
_MOST_BY_SLIP = 4  # marks in a row that come with a text that was copied
_LEAST_SYLLABLE = 2  # letters on each side of a soft hyphen


def is_selector(char: str) -> bool:
    """Whether it is one of the 256 variation selectors."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def is_right_to_left(char: str) -> bool:
    """Whether it is a letter of Hebrew, Arabic or another script written from the right."""
    return char >= "\u0590" and unicodedata.bidirectional(char) in ("R", "AL")


def _joins(char: str) -> bool:
    """Whether it is of a script in which letters change beside each other: Arabic to Tibetan, Mongolian, Khmer ..."""
    return (
        "\u0590" <= char <= "\u109f" or "\u1780" <= char <= "\u18af" or "\u1900" <= char <= "\u1cff"
        or "\ua800" <= char <= "\uabff" or "\ufb1d" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefe"
        or "\U00010a00" <= char <= "\U00011fff" or "\U0001e900" <= char <= "\U0001e95f"
    )  # fmt: skip


def _pictures(char: str) -> bool:
    """Whether it is an emoji or a sign that has the form of one."""
    return char >= "\U0001f000" or (char > "\xa8" and unicodedata.category(char) in ("So", "Sm", "Po", "Pd"))


def misplaced(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """(what it is, start, end) of the invisible marks in a range of a text that have no reason to stand there."""
    lines = _Lines(text)
    for run in _RUN.finditer(text, start, end):
        yield from _in_run(text, lines, run.start(), run.end())


class _Lines:
    """Of the line asked for last, whether directions are in order on it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start, self._end = -1, -1
        self._fits = False

    def directions_fit(self, at: int) -> bool:
        """Whether the directions on the line of an offset end where they should, or it runs from the right."""
        if not self._start <= at <= self._end:
            self._start, self._end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            if self._end < 0:
                self._end = len(self._text)
            line = self._text[self._start : self._end]
            self._fits = balanced(line) or runs_right_to_left(line)
        return self._fits


def _in_run(text: str, lines: _Lines, first: int, last: int) -> Iterator[tuple[str, int, int]]:
    at = first
    while at < last:
        kind = _kind(text[at])
        stop = at + 1
        while stop < last and _kind(text[stop]) == kind:
            stop += 1
        if kind == TAGS:
            flag = _FLAG_TAGS.match(text, at) if at and text[at - 1] == _FLAG else None
            begin = flag.end() if flag else at
            if begin < stop:
                yield kind, begin, stop
        elif not _fits(kind, text, lines, at, stop):
            yield kind, at, stop
        at = stop


def _kind(char: str) -> str:
    if _TAG_FIRST <= char <= _TAG_LAST:
        return TAGS
    if is_selector(char):
        return SELECTOR
    if char in _DIRECTIONS:
        return BIDI
    if char == "\N{SOFT HYPHEN}":
        return SOFT_HYPHEN
    return CONTROL if unicodedata.category(char) == "Cc" else ZERO_WIDTH


def _fits(kind: str, text: str, lines: _Lines, start: int, end: int) -> bool:
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    if kind == SELECTOR:
        if end - start > 1:
            return False
        if text[start] < "\U000e0100":
            return not before.isascii() or before in "0123456789#*" or not before.isalnum()
        return "\u2e80" <= before <= "\u9fff" or "\uf900" <= before <= "\ufaff" or before >= "\U00020000"
    if kind == BIDI:
        return not any(char in OVERRIDES for char in text[start:end]) and lines.directions_fit(start)
    if kind == SOFT_HYPHEN:
        left, right = _letters(text, start, end)
        return end - start == 1 and (
            not left or not right or (min(left, right) >= _LEAST_SYLLABLE and left + right > 5)
        )
    if kind == CONTROL:
        return not (before.isalpha() and after.isalpha())
    return _zero_width_fits(text, start, end, before, after)


def _zero_width_fits(text: str, start: int, end: int, before: str, after: str) -> bool:
    if end - start > _MOST_BY_SLIP:
        return False
    if text[start] == "\ufeff" and (start == 0 or before == "\n"):
        return True
    if _joins(before) or _joins(after):
        return True
    if text[start] == "\u200d":
        return bool(before) and (_pictures(before) or is_selector(before)) and bool(after) and not after.isalpha()
    if text[start] in "\u3164\uffa0\u115f\u1160":  # blanks that count as letters of Hangul
        return "\u1100" <= before <= "\u11ff" or "\u3130" <= before <= "\ud7ff"
    if not before.isalpha() or not after.isalpha():
        return True
    if text[start] in "\u200e\u200f\u061c":
        return False
    if before.islower() and after.isupper():
        return True
    left, right = _letters(text, start, end)
    return min(left, right) >= _LEAST_PART and left + right >= _LEAST_WORD


def _letters(text: str, start: int, end: int) -> tuple[int, int]:
    """How many letters stand without a gap before and after a mark, each up to the next mark."""
    left, right = start, end
    while left > 0 and start - left < _LEAST_WORD and text[left - 1].isalpha():
        left -= 1
    while right < len(text) and right - end < _LEAST_WORD and text[right].isalpha():
        right += 1
    return start - left, right - end


def balanced(line: str) -> bool:
    """Whether every direction that begins on a line ends on it, and none ends that did not begin."""
    opened: list[str] = []
    for char in line:
        if char in _OPENING:
            opened.append(char)
        elif char in _CLOSING and (not opened or opened.pop() not in _CLOSING[char]):
            return False
    return not opened


def pairs(line: str) -> Iterator[tuple[int, int]]:
    """Where directions begin and end on a line, for those that do both on it."""
    opened: list[int] = []
    for at, char in enumerate(line):
        if char in _OPENING:
            opened.append(at)
        elif char in _CLOSING and opened and line[opened[-1]] in _CLOSING[char]:
            yield opened.pop(), at


def runs_right_to_left(line: str) -> bool:
    """Whether a third of its letters or more are of a script written from the right."""
    letters = [char for char in line if char.isalpha()]
    return 3 * sum(map(is_right_to_left, letters)) >= len(letters) > 0


def shown(text: str) -> str:
    """A text with a name for everything in it that nobody would see."""
    return _RUN.sub(lambda run: "".join(f"<U+{ord(char):04X}>" for char in run.group()), text)


def tags_as_text(text: str) -> str:
    """What tag characters spell."""
    return "".join(chr(ord(char) - 0xE0000) for char in text if "\U000e0020" <= char <= "\U000e007e")


def selectors_as_bytes(text: str) -> bytes:
    """The bytes for which variation selectors stand: the first 16 of them, then 16 to 255."""
    codes = [ord(char) for char in text if is_selector(char)]
    return bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes)
