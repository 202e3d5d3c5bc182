"""The blocks of a program: its comments and strings, found by signs and quotes."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.text.block import DIRECTIVE, OWN, Block, joined, lines_of, strip
from sakaime.text.markup import HTML, unseen
from sakaime.text.source import Source
from sakaime.text.syntax import BLANK_BEFORE, MARKUP, MULTILINE, VALUES, Syntax

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


def code(
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
                yield from (block.replace(unseen=one.name) for block in joined(source, "prose", *one.inner, ""))

    def between(start: int, end: int) -> Iterator[Block]:
        if kind in MARKUP:
            yield from joined(source, "prose", start, end, "")
        elif kind in VALUES:
            yield from (Block("string", (piece,)) for piece in lines_of(source, start, end) if piece[0] < piece[1])

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
            begin, finish = strip(text, start + len(sign), end)
            while begin < finish and (text[begin] in "/!*;%" or text[begin] == sign[0]):  # ///, //!, ##, ;;
                begin += 1
            begin, finish = strip(text, begin, finish)
            continues = alone and index == pending_line + 1 and source.number(index) == source.number(index - 1) + 1
            bullet = OWN.match(text, begin)
            if pending and (not continues or begin >= finish or (bullet and bullet.end() <= finish)):
                yield Block("comment", tuple(pending))
                pending = []
            pending_line = index  # a comment after code may go on in the lines below it
            if text.startswith(DIRECTIVE, begin):
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
            found = joined(source, "comment", start + len(opening), inner_end, "*")
            yield from (block.replace(unseen=dropped) for block in found) if dropped else found
        else:
            quote = syntax.quotes[int(group[1:])]
            inner_end = end - len(quote) if end - start >= 2 * len(quote) and text.endswith(quote, start, end) else end
            yield from joined(source, "string", start + len(quote), inner_end, "")
    if pending:
        yield Block("comment", tuple(pending))
    yield from between(at, len(text))
