"""Cutting a file into blocks of comment, prose and string text.

A block is what a reader takes as one piece of text: a comment over several lines, a paragraph, a list
item, a table row, a string. Code between them is left out. Scanning is linear in the size of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from sakaime.model import Record
from sakaime.text.markup import ASCIIDOC, HTML, MARKDOWN, RST, unseen
from sakaime.text.source import Source
from sakaime.text.syntax import (
    BLANK_BEFORE,
    JSON,
    MARKUP,
    MULTILINE,
    VALUES,
    YAML,
    Syntax,
    ending,
    syntax_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EMPHASIS = "*`_"  # of Markdown, which plain text and messages borrow
PAGES = MARKDOWN | RST | ASCIIDOC
PLACES = ("comment", "prose", "string", "message")


class Block(Record):
    """Text that belongs together: its place, and the source ranges of its lines, without signs around.

    `drop` lists characters that are mark-up there and no part of the words (`_` only at the edge of one).
    `unseen` names what keeps the text from being seen on the page; `quoted` says that it is marked as a quotation.
    """

    place: str
    pieces: tuple[tuple[int, int], ...]
    drop: str = ""
    unseen: str = ""
    quoted: bool = False


def blocks(
    path: str, source: Source, message: bool = False, wanted: tuple[tuple[int, int], ...] | None = None
) -> Iterator[Block]:
    """The blocks of a file in order. `message` treats it as a commit message or the like.

    `wanted` are ascending ranges of the text; blocks that touch none of them may be left out (None: all
    are wanted).
    """
    kind = ending(path)
    if message or kind in PAGES:
        yield from _page(source, "message" if message else kind)
    elif kind in YAML:
        yield from _yaml(source)
    elif kind in JSON:
        yield from _code(source, Syntax((), (), ('"',)), wanted=wanted)
    elif (syntax := syntax_of(path)) is not None:
        yield from _code(source, syntax, kind, wanted)
    else:
        yield from _paragraphs(source, "prose", _EMPHASIS, [])


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


# A line that begins something of its own: heading, list item, quote, table row, rule, fence.
_OWN = re.compile(r"[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|\|)")
_LEADER = re.compile(
    r"[ \t]*(?:(?:>|#{1,6}(?=[ \t])|[-*+](?=[ \t])(?:[ \t]+\[[ xX]\](?=[ \t]))?|\d{1,9}[.)](?=[ \t])|\|)[ \t]*)*"
)
_FENCE = re.compile(r"[ ]{0,3}(```+|~~~+)")
_EMPTY = re.compile(r"[\s>|:*=_~`#-]*\Z")
# A comment that speaks to this tool is no part of the text beside it, whose words it must not change.
_DIRECTIVE = "sakaime: allow"


def _page(source: Source, kind: str) -> Iterator[Block]:
    """What a page shows, and before it what it does not."""
    hidden = list(unseen(kind, source.text))
    for one in hidden:
        yield from (block.replace(unseen=one.name) for block in _joined(source, "comment", *one.inner, ""))
    cuts = [(one.start, one.end) for one in hidden if one.start < one.end]
    yield from _paragraphs(source, "message" if kind == "message" else "prose", _EMPHASIS, cuts)


def _without(start: int, end: int, cuts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A range without those that are cut out of it, which ascend."""
    for first, last in cuts[bisect_left(cuts, start, key=lambda cut: cut[1]) :]:
        if first >= end:
            break
        if start < first:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _paragraphs(source: Source, place: str, drop: str, cuts: list[tuple[int, int]]) -> Iterator[Block]:
    pieces: list[tuple[int, int]] = []
    quoted = False
    text = source.text
    fence = ""
    for index in range(len(source.starts)):
        start, end = source.bounds(index)
        gap = index > 0 and source.number(index) != source.number(index - 1) + 1
        line = text[start:end]
        own = _OWN.match(line)
        mark = _FENCE.match(line)
        if pieces and (gap or own or mark or _EMPTY.match(line)):
            yield Block(place, tuple(pieces), drop, quoted=quoted)
            pieces = []
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            begin, finish = _strip(text, start + mark.end(), end)
            if begin < finish:  # what a page takes for the name of a language
                yield Block(place, ((begin, finish),), drop, "the words after a fence")
        if mark or _EMPTY.match(line):
            continue
        leader = _LEADER.match(line)
        quoted = bool(fence) or (leader is not None and ">" in leader.group())
        for first, last in _without(start + (leader.end() if leader else 0), end, cuts):
            begin, finish = _strip(text, first, last)
            if begin < finish:
                pieces.append((begin, finish))
        if own and pieces and own.group().lstrip().startswith(("#", "|")):  # headings and rows are one line
            yield Block(place, tuple(pieces), drop, quoted=quoted)
            pieces = []
    if pieces:
        yield Block(place, tuple(pieces), drop, quoted=quoted)


_LONG_COMMENT = 8000


@lru_cache(maxsize=64)
def _scanner(syntax: Syntax) -> re.Pattern[str]:
    """One pattern for all comments and strings, whose group tells which.

    It begins with the set of their first characters, so that the engine skips everything else at the
    speed of a scan for bytes; what belongs to which first character, a look behind tells.
    """
    tokens: list[tuple[str, str]] = []  # the first character, and what follows it
    for number, (opening, closing) in enumerate(syntax.block):
        rest = f"{re.escape(opening[1:])}(?s:.*?)(?:{re.escape(closing)}|\\Z)"
        tokens.append((opening[0], f"(?P<b{number}>{rest})"))
    for number, sign in enumerate(syntax.line):
        first = re.escape(sign[0])
        before = rf"(?:(?<=\s{first})|(?<![\s\S]{first}))" if sign in BLANK_BEFORE and not syntax.anywhere else ""
        tokens.append((sign[0], f"(?P<l{number}>{before}{re.escape(sign[1:])}[^\\n]*)"))
    for number, quote in enumerate(syntax.quotes):
        mark = re.escape(quote)
        if len(quote) == 3:
            body = rf"(?s:[^\\{quote[0]}]*(?:(?:\\.|{quote[0]}(?!{quote[0] * 2}))[^\\{quote[0]}]*)*)"
        elif quote in MULTILINE:
            body = rf"(?s:[^\\{mark}]*(?:\\.[^\\{mark}]*)*)"
        else:
            body = rf"[^\\{mark}\n]*(?:\\[^\n][^\\{mark}\n]*)*"
        tokens.append((quote[0], f"(?P<s{number}>{re.escape(quote[1:])}{body}(?:{mark})?)"))
    firsts = "".join(sorted({re.escape(first) for first, _ in tokens}))
    return re.compile(f"[{firsts}](?:" + "|".join(f"(?<={re.escape(first)}){rest}" for first, rest in tokens) + ")")


def _code(
    source: Source, syntax: Syntax, kind: str = "", wanted: tuple[tuple[int, int], ...] | None = None
) -> Iterator[Block]:
    """Comments and strings; of mark-up and of files of plain values, what stands between them, too."""
    text = source.text
    pending: list[tuple[int, int]] = []  # comment lines that may go on
    pending_line = -2
    at = 0
    next_wanted = 0
    dropped = "a comment" if kind in HTML else ""  # what a page does not show
    if kind in HTML or kind in MARKUP:
        for one in unseen("html", text):
            if one.name != "a comment":
                yield from (block.replace(unseen=one.name) for block in _joined(source, "prose", *one.inner, ""))

    def between(start: int, end: int) -> Iterator[Block]:
        if kind in MARKUP:
            yield from _joined(source, "prose", start, end, "")
        elif kind in VALUES:
            yield from (Block("string", (piece,)) for piece in _lines(source, start, end) if piece[0] < piece[1])

    for token in _scanner(syntax).finditer(text):
        if rest := list(between(at, token.start())):
            if pending:
                yield Block("comment", tuple(pending))
                pending = []
            yield from rest
        at = token.end()
        group = token.lastgroup or ""
        start, end = token.span()
        if wanted is not None:
            while next_wanted < len(wanted) and wanted[next_wanted][1] < start:
                next_wanted += 1
            if next_wanted == len(wanted):
                break
            # A comment of several lines may begin before the range that it reaches into.
            if wanted[next_wanted][0] > end + (_LONG_COMMENT if group[0] == "l" else 0):
                continue
        if group[0] == "l":  # at most one a line: its head is looked at once
            index = source.line_index(start)
            alone = not text[source.bounds(index)[0] : start].strip()
            sign = syntax.line[int(group[1:])]
            begin, finish = _strip(text, start + len(sign), end)
            while begin < finish and (text[begin] in "/!*;%" or text[begin] == sign[0]):  # ///, //!, ##, ;;
                begin += 1
            begin, finish = _strip(text, begin, finish)
            continues = alone and index == pending_line + 1 and source.number(index) == source.number(index - 1) + 1
            bullet = _OWN.match(text, begin)
            if pending and (not continues or begin >= finish or (bullet and bullet.end() <= finish)):
                yield Block("comment", tuple(pending))
                pending = []
            pending_line = index  # a comment after code may go on in the lines below it
            if text.startswith(_DIRECTIVE, begin):
                yield from (Block("comment", pieces) for pieces in (tuple(pending), ((begin, finish),)) if pieces)
                pending = []
                continue
            if begin < finish:
                pending.append((begin, finish))
            continue
        if pending:
            yield Block("comment", tuple(pending))
            pending = []
        pending_line = -2
        if group[0] == "b":
            opening, closing = syntax.block[int(group[1:])]
            inner_end = end - len(closing) if text.endswith(closing, start + len(opening), end) else end
            found = _joined(source, "comment", start + len(opening), inner_end, "*")
            yield from (block.replace(unseen=dropped) for block in found) if dropped else found
        else:
            quote = syntax.quotes[int(group[1:])]
            inner_end = end - len(quote) if end - start >= 2 * len(quote) and text.endswith(quote, start, end) else end
            yield from _joined(source, "string", start + len(quote), inner_end, "")
    if pending:
        yield Block("comment", tuple(pending))
    yield from between(at, len(text))


def _lines(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a range line by line, without blanks at their ends; empty lines come as empty ranges."""
    if start >= end:
        return
    for index in range(source.line_index(start), source.line_index(end - 1) + 1):
        first, last = source.bounds(index)
        yield _strip(source.text, max(first, start), min(max(last, start), end))


def _joined(source: Source, place: str, start: int, end: int, leader: str) -> Iterator[Block]:
    """The paragraphs of a block comment or a string of several lines."""
    pieces: list[tuple[int, int]] = []
    text = source.text
    for begin, finish in _lines(source, start, end):
        while leader and begin < finish and text[begin] == leader:
            begin += 1
        begin, finish = _strip(text, begin, finish)
        bullet = _OWN.match(text, begin)
        if pieces and (begin >= finish or (bullet and bullet.end() <= finish) or text.startswith(_DIRECTIVE, begin)):
            yield Block(place, tuple(pieces))
            pieces = []
        if begin < finish:
            pieces.append((begin, finish))
        if text.startswith(_DIRECTIVE, begin):
            yield Block(place, tuple(pieces))
            pieces = []
    if pieces:
        yield Block(place, tuple(pieces))


# A quote opens a YAML string only where a scalar can begin; a `#` opens a comment only after a blank.
_YAML_TOKEN = re.compile(
    r"""(?:(?<=[\s\[{,(:])|(?<![\s\S]))(?P<q>"[^\\"\n]*(?:\\.[^\\"\n]*)*"|'[^'\n]*(?:''[^'\n]*)*')"""
    r"""|(?:(?<=\s)|(?<![\s\S]))(?P<c>\#[^\n]*)""",
)
_YAML_KEY = re.compile(
    r"(?P<lead>[ \t]*(?:(?P<dash>[-?:])(?:[ \t]+|$))*)"
    r"(?P<key>(?:(?:\"[^\"\n]*\"|'[^'\n]*')[ \t]*|[^\s#:'\"\[{][^:#\n]*(?::(?=\S)[^:#\n]*)*):(?=[ \t]|$))?[ \t]*"
)
_YAML_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?\Z")


def _yaml(source: Source) -> Iterator[Block]:
    text = source.text
    comment: list[tuple[int, int]] = []
    value: list[tuple[int, int]] = []
    scalar_indent = -1  # of the key or dash that opened a block scalar

    for index in range(len(source.starts)):
        start, end = source.bounds(index)
        line = text[start:end]
        indent = len(line) - len(line.lstrip(" "))
        gap = index > 0 and source.number(index) != source.number(index - 1) + 1
        inside = scalar_indent >= 0 and not gap and (indent > scalar_indent or not line.strip())
        if not inside:
            scalar_indent = -1
        sign = None
        if not inside:
            sign = next((t for t in _YAML_TOKEN.finditer(line) if t.lastgroup == "c"), None)
        code_end = start + sign.start() if sign else end
        begin, finish = _strip(text, start, code_end)

        alone = sign is not None and begin >= finish
        if comment and (not alone or gap):
            yield Block("comment", tuple(comment))
            comment = []
        if sign is not None:
            first, last = _strip(text, start + sign.start(), end)
            while first < last and text[first] == "#":
                first += 1
            first, last = _strip(text, first, last)
            bullet = _OWN.match(text, first)
            if comment and (first >= last or (bullet and bullet.end() <= last)):
                yield Block("comment", tuple(comment))
                comment = []
            if text.startswith(_DIRECTIVE, first):
                yield from (Block("comment", pieces) for pieces in (tuple(comment), ((first, last),)) if pieces)
                comment = []
            elif first < last:
                comment.append((first, last))

        key = None if inside else _YAML_KEY.match(line, 0, code_end - start)
        starts_item = key is not None and bool(key.group().strip())
        if value and (gap or starts_item or begin >= finish):
            yield Block("string", tuple(value))
            value = []
        if begin < finish:
            if key is not None and starts_item:
                if _YAML_BLOCK.match(text[start + key.end() : code_end].strip()):
                    scalar_indent = key.end("lead") if key["key"] else key.start("dash")
                    continue
                begin, finish = _strip(text, start + key.end(), code_end)
            if begin < finish:
                value.append((begin, finish))
    if comment:
        yield Block("comment", tuple(comment))
    if value:
        yield Block("string", tuple(value))
