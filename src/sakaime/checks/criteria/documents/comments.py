"""Comments in Markdown: where they are, what they tell a reviewer, and which ids they give.

They are found before the blocks are parsed: a browser hides everything from `<!--` on, across items and blank lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from sakaime.checks.criteria.documents.lines import Lines
from sakaime.checks.criteria.documents.names import comment_id
from sakaime.checks.criteria.documents.plain import BLANKS, FILLER, code_spans
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Comment = tuple[int, Lines]  # the number of the line it begins on, and the lines of its inside

_PREFIX = late(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?")
_FENCE = late(
    r"(?P<quote>(?:[ \t]*>)*)(?P<indent>[ \t]*)(?P<markers>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}|~{3,})?"
)
_REMARK = late(r"[ ]{0,3}\[(?://|comment|\#|_+)\]:[ \t]*\S+[ \t]+[\"'(](?P<body>.*)[\"')][ \t]*")
_TAKEN_OUT = late(
    r"[-*+|#<•・]|\d{1,9}[.)](?:\s|$)|```|~~~"
    r"|(?i:markdownlint|prettier|textlint|vale|c?spell|toc\b|/?doctoc|begin\b|end\b|start\b|/\w|eslint|lint)[-:\w ]*$"
)


def filled(lines: Lines) -> tuple[list[bool], list[str], list[Comment]]:
    """Of each line, whether it stands in a fence, and its text with comments filled; and the comments. Linear."""
    fenced = _fenced(lines.texts)
    closings = [
        (number, found.start()) for number, text in enumerate(lines.texts) for found in re.finditer("-->", text)
    ]
    gaps = [number for number, text in enumerate(lines.texts) if not text.strip(" \t>")]
    comments: list[Comment] = []
    ranges: dict[int, list[tuple[int, int]]] = {}
    number, column = 0, 0
    while number < len(lines.texts):
        text = lines.texts[number]
        goes_on = column
        if not fenced[number]:
            if not column and (remark := _REMARK.fullmatch(text)):
                comments.append((number, Lines([remark["body"]], [lines.offset(number, remark.end("body"))])))
                ranges[number] = [(0, len(text))]
            elif "<!--" in text[column:]:
                goes_on = -1
        if goes_on >= 0:
            number, column = number + 1, 0
            continue
        spans = sorted(code_spans(text).items())
        prefix = _PREFIX.match(text)
        line = number
        while line == number and (begin := text.find("<!--", column)) >= 0:
            column = begin + 4
            inside = bisect_right(spans, (begin, len(text))) - 1
            if inside >= 0 and begin < spans[inside][1]:
                continue
            at = bisect_left(closings, (number, begin + 2))
            last, end = (closings[at][0], closings[at][1] + 3) if at < len(closings) else (len(lines.texts), 0)
            gap = bisect_left(gaps, number)
            ended = last == len(lines.texts) or (gap < len(gaps) and gaps[gap] < last)
            if ended and not (prefix and prefix.end() == begin):
                continue  # no comment, where a paragraph ends before it does
            comments.append((number, _inside(lines, ranges, number, begin, last, end)))
            number, column = last, end
        if line == number:
            number, column = number + 1, 0
    texts = [_fill(text, ranges[at]) if at in ranges else text for at, text in enumerate(lines.texts)]
    return fenced, texts, comments


def _fenced(texts: Sequence[str]) -> list[bool]:
    """Of each line, whether it stands in a fence or opens or closes one. A fence ends with the item it stands in."""
    fenced = [False] * len(texts)
    fence, container, quoted = "", 0, 0
    items: list[int] = []  # where the contents of the items begin that are open
    for number, text in enumerate(texts):
        read = _FENCE.match(text)
        if not read or not text.strip(" \t>"):
            fenced[number] = fence != ""
            continue
        depth, indent, mark = read["quote"].count(">"), len(read["indent"].expandtabs(4)), read["fence"] or ""
        if fence and depth >= quoted and indent >= container:
            fenced[number] = True
            if mark.startswith(fence) and not read["markers"] and not text[read.end() :].strip():
                fence = ""
            continue
        while items and indent < items[-1]:
            items.pop()
        if read["markers"]:
            items.append(indent + len(read["markers"].expandtabs(4)))
        container, quoted, fence = items[-1] if items else 0, depth, ""
        if mark and (read["markers"] or indent - container < 4) and not (mark[0] == "`" in text[read.end() :]):
            fence = mark
            fenced[number] = True
    return fenced


def _inside(
    lines: Lines, ranges: dict[int, list[tuple[int, int]]], first: int, begin: int, last: int, end: int
) -> Lines:
    """The lines of the inside of a comment, whose ranges are added."""
    inside = Lines([], [])
    for number in range(first, min(last + 1, len(lines.texts))):
        text = lines.texts[number]
        left, right = begin if number == first else 0, end if number == last else len(text)
        ranges.setdefault(number, []).append((left, right))
        left, right = left + 4 * (number == first), right - 3 * (number == last)
        inside.texts.append(text[left : max(left, right)])
        inside.ends.append(lines.offset(number, max(left, right)))
    return inside


def _fill(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    out, at = [], 0
    for begin, end in ranges:
        out += [text[at:begin], FILLER * (end - begin)]
        at = end
    return "".join((*out, text[at:]))


def remarks(body: Lines) -> Iterator[list[tuple[str, int]]]:
    """The paragraphs of a comment that speak: no items, rows, titles or tags that were taken out, and no directives."""
    paragraph: list[tuple[str, int]] = []
    silent = False
    for number, text in enumerate(body.texts):
        shown = text.strip(BLANKS + ">")
        if not shown:
            if paragraph:
                yield paragraph
            paragraph, silent = [], False
        elif silent or _TAKEN_OUT.match(shown):
            silent = True
            if paragraph:
                yield paragraph
            paragraph = []
        else:
            paragraph.append((shown, body.offset(number, text.index(shown))))
    if paragraph:
        yield paragraph


def ids(lines: Lines, comments: Sequence[Comment]) -> dict[int, str]:
    """By line, the ids that comments give: in the line, above it, or below it and indented."""
    out: dict[int, str] = {}
    texts = lines.texts
    for line, body in comments:
        if not (name := comment_id("\n".join(body.texts[:3]))):
            continue
        column = body.offset(0, 0) - lines.offset(line, 4) if line < len(texts) else -1
        if line < len(texts) and (column < 0 or texts[line].strip(BLANKS)):
            out[line] = name
        elif column < 2 and line + 1 < len(texts) and texts[line + 1].strip():
            out[line + 1] = name
        elif line:
            out[line - 1] = name
    return out
