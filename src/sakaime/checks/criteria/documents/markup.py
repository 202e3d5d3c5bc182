"""What stands in Markdown beside its text: comments, tags on lines of their own, tables in HTML.

All of it is taken out before the blocks are parsed. CommonMark would read a whole block as HTML from a tag to the next
blank line, and would end a table at a comment.
"""

from __future__ import annotations

from bisect import bisect_left

from sakaime.checks.criteria.documents.comments import filled
from sakaime.checks.criteria.documents.lines import Lines
from sakaime.checks.criteria.documents.plain import BLANKS, FILLER, HTML_TAGS, code_spans
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TAGS = late(r"</?([A-Za-z][\w.:-]*)(?:\s[^<>]*)?/?>")
_CLOSED = late(r"</([A-Za-z][\w.:-]*)")
_TITLE = late(r"(?i)<(summary|h[1-6])\b[^<>]*>(.{0,300}?)</\1\s*>")
_TABLE = late(r"(?i)<table\b[^<>]*>")
_TABLE_END = late(r"(?i)</table[^<>]*>?")
_CODE = late(r"(?i)[ \t]*<(script|style)\b")
_ENTRY = late(r"(?i)[ \t]*<li\b[^<>]*>")
# Each level of a quotation costs the parser another look at the line.
_QUOTED = 5
_QUOTES = late(r"[ ]{0,3}(?:>[ \t]*){6,}")

OPENS, CLOSES, TITLE, TABLE, COMMENT = "opens", "closes", "title", "table", "comment"


class Event(Record):
    """Something that stands before line `line`, or in it: a tag or a title by `name`, a table or a comment by `body`,
    the lines of it."""

    line: int
    kind: str
    name: str = ""
    body: Lines = Lines([], [])


def parted(lines: Lines) -> tuple[Lines, list[Event]]:
    """The lines without what stands beside their text, and that, in order. Linear in the text."""
    if not any("<" in text or ">>" in text or text.lstrip().startswith("[") for text in lines.texts):
        return lines, []
    fenced, texts, comments = filled(lines)
    closed = {name.lower() for text in texts if "</" in text for name in _CLOSED.findall(text)}
    out = Lines([], [])
    closings: dict[str, list[int]] = {}
    events: list[Event] = []
    waiting = comments[::-1]
    number = 0
    while number < len(texts):
        here, text, end = len(out.texts), texts[number], lines.ends[number]
        if not fenced[number]:
            if "<" in text:
                beside: list[Event] = []
                text, end, number = _marked(lines, texts, number, closed, closings, beside)
                events += [event.replace(line=here) for event in beside]
            elif deep := _QUOTES.match(text):
                text = ">" * _QUOTED + " " + text[deep.end() :]
        while waiting and waiting[-1][0] <= number:
            events.append(Event(here, COMMENT, body=waiting.pop()[1]))
        if FILLER in text and not text.strip(BLANKS + ">"):
            if _splits_table(out.texts, texts, number):
                number += 1
                continue
            text = text.replace(FILLER, " ")
        out.texts.append(text)
        out.ends.append(end)
        number += 1
    return out, events


def _splits_table(before: Sequence[str], texts: Sequence[str], number: int) -> bool:
    """Whether a line that held only a comment stands between two rows."""
    if not before or "|" not in before[-1]:
        return False
    after = next((text for text in texts[number + 1 : number + 200] if FILLER not in text or text.strip(BLANKS)), "")
    return "|" in after


def _marked(
    lines: Lines, texts: list[str], number: int, closed: set[str], closings: dict[str, list[int]], events: list[Event]
) -> tuple[str, int, int]:
    """A line that holds a tag, without it; where it ends in the source, and the number of the last line read.

    The events get no line yet.
    """
    text, end = texts[number], lines.ends[number]
    if code := _CODE.match(text):
        last = _end(texts, number, f"</{code[1].lower()}", closings)
        return "", lines.ends[last], last
    table = _TABLE.search(text)
    if table and not any(first <= table.start() < last for first, last in code_spans(text).items()):
        last = _end(texts, number, "</table", closings)
        body = Lines(texts[number : last + 1], lines.ends[number : last + 1])
        before, body.texts[0] = text[: table.start()], text[table.start() :]
        closing = _TABLE_END.search(texts[last], table.end() if last == number else 0)
        behind = texts[last][closing.end() :] if closing else ""
        events.append(Event(-1, TABLE, body=body))
        if last == number:
            return before + FILLER * (len(text) - len(before) - len(behind)) + behind, end, last
        texts[last] = behind
        return before, lines.offset(number, len(before) + len(lines.texts[number]) - len(text)), last - 1
    if entry := _ENTRY.match(text):
        return "- " + FILLER * 2 + text[entry.end() :], end, number
    found: list[tuple[int, Event]] = []
    for title in _TITLE.finditer(text):
        body = Lines([title[2]], [end - len(text) + title.end(2)])
        found.append((title.start(), Event(-1, TITLE, title[1].lower(), body)))
    text = _TITLE.sub(lambda title: FILLER * len(title[0]), text)
    tags = list(_TAGS.finditer(text))
    names = [tag[1].lower() for tag in tags]
    alone = not _TAGS.sub("", text).strip(BLANKS + ">") and "img" not in names
    if alone and all(name in HTML_TAGS or name in closed for name in names):
        for tag, name in zip(tags, names, strict=True):
            if name not in HTML_TAGS or name == "details":
                found.append((tag.start(), Event(-1, CLOSES if tag[0][1] == "/" else OPENS, name)))
        text = text[: len(text) - len(text.lstrip(" \t>"))]
    elif names and names[0] in HTML_TAGS and not text[: tags[0].start()].strip():
        above = texts[number - 1].strip() if number else ""
        if not above or above.endswith(">"):
            text = text.lstrip()  # indented as HTML is, which would make it code
    events += [event for _, event in sorted(found, key=lambda pair: pair[0])]
    return text, end, number


def _end(texts: Sequence[str], number: int, closing: str, closings: dict[str, list[int]]) -> int:
    """The number of the first line from `number` on that holds a closing tag; without one, the last before a gap."""
    if closing not in closings:
        closings[closing] = [at for at, text in enumerate(texts) if closing in text.lower()]
    at = bisect_left(closings[closing], number)
    if at < len(closings[closing]):
        return closings[closing][at]
    while number + 1 < len(texts) and texts[number + 1].strip():
        number += 1
    return number
