"""The words of Markdown: what is left of a piece of text without its markup, with a map back to the source."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right

from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FILLER = "\ufdd0"  # a noncharacter that stands where a comment or a tag was, one for each of its characters
BLANKS = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u3000" + FILLER

_SPECIAL = late(rf"[\\`<\[\]*_~&{FILLER}]|[^\S ]|  ")
_TOKEN = late(
    rf"(?P<escape>\\[!-/:-@\[-`{{-~])|(?P<code>`+)|(?P<tag><[/A-Za-z][^<>]*>)|(?P<open>!?\[)|(?P<close>\])"
    rf"|(?P<mark>\*+|_+|~+)|(?P<entity>&(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z]\w{{1,30}});)"
    rf"|(?P<filler>{FILLER}+)|(?P<blank>[^\S ]\s*| \s+)"
)
_TARGET = late(r"\((?:[^()]|\([^()]*\))*\)|\[[^\[\]\n]*\]")
_TAG = late(r"<(/?)([A-Za-z][\w.:-]*)")
_CLOSED = late(r"</([A-Za-z][\w.:-]*)")
_ALT = late(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""")
BLOCK_TAGS = frozenset(
    "address article aside blockquote body br caption center col colgroup dd details div dl dt figcaption figure form "
    "footer h1 h2 h3 h4 h5 h6 header hr html li main nav ol p picture pre section source summary table tbody td tfoot "
    "th thead tr ul".split()
)
_INLINE_TAGS = frozenset(
    "a abbr b code del em font i img ins kbd mark q s samp small span strike strong sub sup u var".split()
)
HTML_TAGS = BLOCK_TAGS | _INLINE_TAGS
_STRUCK = frozenset(("del", "s", "strike"))


def wide(char: str) -> bool:
    """Whether words of this character's script are written without blanks between them (UAX #11: wide)."""
    return (
        char > "\u10ff" and unicodedata.east_asian_width(char) in "WF" and not "\uac00" <= char <= "\ud7af"
    )  # Hangul is wide, and its words stand apart


def code_spans(text: str) -> dict[int, int]:
    """The code spans of a text, start to end, its runs of backticks included (CommonMark 6.1). Linear."""
    if "`" not in text:
        return {}
    runs = [found.span() for found in re.finditer("`+", text)]
    after: dict[int, int] = {}  # by length, the nearest run behind the one in hand
    partner = [0] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        start, end = runs[number]
        partner[number] = after.get(end - start, 0)
        after[end - start] = number
    out: dict[int, int] = {}
    number = 0
    while number < len(runs):
        if partner[number]:
            out[runs[number][0]] = runs[partner[number]][1]
            number = partner[number]
        number += 1
    return out


class Plain:
    """`text` and the place that each of its characters has in the source."""

    __slots__ = ("_clean", "_raw", "text")

    def __init__(self, text: str, clean: list[int], raw: list[int]) -> None:
        self.text = text
        self._clean = clean
        self._raw = raw

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The range of the source that the characters from `start` up to `end` (at least one) stand for."""
        return self._at(start), self._at(end - 1) + 1

    def _at(self, offset: int) -> int:
        number = bisect_right(self._clean, offset) - 1
        return self._raw[number] + offset - self._clean[number]


def plain(pieces: Sequence[tuple[str, int]]) -> Plain:
    """The words of some lines, given as (text, its offset in the source); blanks are single. Linear in the text.

    Between two lines stands a blank, unless both sides are of a script that writes none. Marks of emphasis go wherever
    they stand at the edge of a word: CommonMark's rules of flanking fail beside CJK.
    """
    if len(pieces) == 1 and not _SPECIAL.search(pieces[0][0]):
        text, start = pieces[0]
        return Plain(text.strip(" "), [0], [start + len(text) - len(text.lstrip(" "))])
    raw = "\n".join(text for text, _ in pieces)
    starts, sources, at = [], [], 0
    for text, source in pieces:
        starts.append(at)
        sources.append(source)
        at += len(text) + 1

    def source_of(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        return sources[number] + min(offset - starts[number], len(pieces[number][0]))

    clean: list[int] = []
    places: list[int] = []
    out: list[str] = []
    length = 0
    for text, offset in _parts(raw):
        if text[0] == " " and (not out or out[-1][-1] == " "):
            text, offset = text[1:], offset + 1
        for line in text.split("\n") if "\n" in text else (text,):
            if line:
                clean.append(length)
                places.append(source_of(offset))
                out.append(line)
                length += len(line)
            offset += len(line) + 1
    if not clean:
        clean, places = [0], [pieces[0][1] if pieces else 0]
    return Plain("".join(out).rstrip(), clean, places)


def words(text: str) -> str:
    """The words of one piece of text."""
    return plain(((text, 0),)).text


def _parts(raw: str) -> Iterable[tuple[str, int]]:
    """The words of a text in order, not empty, each with its place in it. No blank but the space."""
    out: list[tuple[str, int]] = []
    opened: list[int] = []  # the places in `out` of brackets that wait for their end
    struck: dict[str, int] = {}  # the places in `out` where a strikethrough began, by its sign
    spans = code_spans(raw)
    closed: set[str] | None = None  # the names of tags that are closed in the text
    at = 0
    while found := _TOKEN.search(raw, at):
        start, end = found.span()
        if at < start:
            out.append((raw[at:start], at))
        at = end
        kind = found.lastgroup
        if kind == "escape":
            out.append((raw[end - 1], end - 1))
        elif kind == "code":
            if (close := spans.get(start)) is None:
                continue
            ticks = end - start
            out += _code(raw, end, close - ticks)
            at = close
        elif kind == "tag":
            if closed is None:
                closed = {name.lower() for name in _CLOSED.findall(raw)}
            shown = _tag(found[0], closed)
            name = found[0].strip("</>").split(None, 1)[0].lower() if shown == "" else ""
            if name in _STRUCK and (found[0][1] == "/") == (name in struck):
                _strike(out, opened, struck, name)
            if shown is None:  # a placeholder: <branch>
                at = start + 1
                shown = "<"
            out.append((shown, start + (shown == found[0][1:-1])))
        elif kind == "open":
            opened.append(len(out))
            out.append((found[0], start))
        elif kind == "close":
            target = _TARGET.match(raw, end) if opened else None
            if opened:
                bracket = opened.pop()
                if target:
                    out[bracket] = ("", start)
                    at = target.end()
            if not target:
                out.append(("]", start))
        elif kind == "mark":
            if not _drops(raw, start, end):
                out.append((found[0], start))
            elif found[0] == "~~" and ("~~" in struck or not raw[end : end + 1].isspace()):
                _strike(out, opened, struck, "~~")
        elif kind == "entity":
            char = html.unescape(found[0])
            out.append((" " if char.isspace() else char, start))
        elif kind == "blank":
            before = next((text[-1] for text, _ in reversed(out[-4:]) if text), "")
            after = raw[end:].lstrip("*_~[`")[:1] if raw[end : end + 1] in "*_~[`" else raw[end : end + 1]
            if not ("\n" in found[0] and before and after and wide(before) and wide(after)):
                out.append((" ", start))
    if at < len(raw):
        out.append((raw[at:], at))
    return [part for part in out if part[0]]


def _strike(out: list[tuple[str, int]], opened: list[int], struck: dict[str, int], sign: str) -> None:
    """Begins a strikethrough, or takes out what stands in the one that ends: it is shown, and holds no longer."""
    begin = struck.pop(sign, None)
    if begin is None:
        struck[sign] = len(out)
        return
    del out[begin:]
    while opened and opened[-1] >= begin:
        opened.pop()
    for other in [other for other, at in struck.items() if at > begin]:
        del struck[other]


def _code(raw: str, start: int, end: int) -> Iterable[tuple[str, int]]:
    """The words of a code span: of its markup, only an escaped pipe, and blanks."""
    at = start
    for found in re.finditer(rf"\\(?=\|)|{FILLER}+|[^\S ]\s*| \s+", raw[start:end]):
        first, last = start + found.start(), start + found.end()
        if at < first:
            yield raw[at:first], at
        if found[0].isspace():
            yield " ", first
        at = last
    if at < end:
        yield raw[at:end], at


def _tag(tag: str, closed: set[str]) -> str | None:
    """What stands for a tag: a blank for one that ends a line, nothing for other markup; None if it is no tag."""
    if not any(char.isspace() for char in tag) and ("://" in tag or "@" in tag):
        return tag[1:-1]
    named = _TAG.match(tag)
    if not named:
        return None
    closes, name = named[1], named[2].lower()
    if name == "img":
        alt = _ALT.search(tag)
        return " ".join((alt[1] or alt[2] or "").split()) if alt else ""
    if name in BLOCK_TAGS:
        return " "
    return "" if closes or name in _INLINE_TAGS or name in closed else None


def _drops(raw: str, start: int, end: int) -> bool:
    """Whether a run of `*`, `_` or `~` is markup: not inside of an identifier, a glob, a product or a path."""
    sign, before, after = raw[start], raw[start - 1 : start], raw[end : end + 1]
    if sign == "_":
        return not (_joins(before) and _joins(after))
    if sign == "~":
        return end - start > 1 or not (after in ("/", "~") or after.isdigit())
    if (not before or before.isspace()) and (not after or after.isspace()):
        return False
    return not (
        before == "/" or after == "/" or (after == "." and raw[end + 1 : end + 2].isalnum() and before in " \n")
    )


def _joins(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_") and not wide(char)
