"""Markdown to items."""

from __future__ import annotations

import re

from sakaime.checks.criteria.documents import tables
from sakaime.checks.criteria.documents.comments import ids, remarks
from sakaime.checks.criteria.documents.frontmatter import front_matter
from sakaime.checks.criteria.documents.lines import Lines, fold, lines_of, place
from sakaime.checks.criteria.documents.markup import CLOSES, COMMENT, OPENS, TABLE, TITLE, parted
from sakaime.checks.criteria.documents.names import comment_id, split_id, unnumbered
from sakaime.checks.criteria.documents.outline import Frame, Outline
from sakaime.checks.criteria.documents.paragraph import (
    ITEM,
    PIPES,
    TEXT,
    end_of,
    groups,
    is_prose,
    is_title,
    own_lines,
    prose_like,
    speaks,
    text_of,
)
from sakaime.checks.criteria.documents.plain import BLANKS, plain, words
from sakaime.checks.criteria.item import BULLET, HEADING, PROSE, TASK, Item
from sakaime.text.late import late
from sakaime.text.units import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from sakaime.checks.criteria.documents.markup import Event
    from sakaime.checks.criteria.documents.paragraph import Line

IN_COMMENT = "<!-- -->"
_NESTING = 40  # blocks in blocks; what lies deeper is read line by line
_AGAIN, _ANYWAY = 3, 2000  # times all lines, and lines, that the parser is given again behind such places
_FENCES = 3  # fences in fences that are read
_LEAD = 300  # characters of a paragraph that colours the list below it as a whole
# A longer sentence that does not end with a colon says something by itself.
_LONGEST_LEAD = 90
_LEADS_IN = late(r"following|below|以下|次の|下記|如下|下列|다음|아래|folgend", re.IGNORECASE)
_TITLE_LEVEL = 7  # of a title that is no heading
_SAMPLES = frozenset(["", "markdown", "md", "mdx", "text", "txt", "plain", "plaintext", "prompt"])
_TASK = late(r"\[[ xX]\](?:\s+|$)")
_MARKERS = late(r"(?:[ \t>]|[-*+](?=\s|\Z)|\d{1,9}[.)](?=\s|\Z))*")


def items(text: str) -> tuple[Item, ...]:
    """The items of a Markdown text, a parent before its children. Any text can be read.

    Tables, comments and tags are read here, not by the parser, which gives the blocks around them (CommonMark 0.31).
    """
    front, scope, start = front_matter(text)
    outline = Outline(scope, front)
    _Reader(_parser(), outline).read(lines_of(text, start), Frame(-1, ()))
    return tuple(outline.items)


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING})
    parser.disable(["html_block", "reference"])
    parser.core.ruler.enableOnly(["block"])
    return parser


class _Reader:
    def __init__(self, parser: MarkdownIt, outline: Outline) -> None:
        self.parser = parser
        self.outline = outline
        self.waiting: list[Event] = []  # what stands beside the text that is still to be read, the next one last
        self.ids: dict[int, str] = {}  # by line, those that comments give

    def read(self, lines: Lines, frame: Frame) -> None:
        """Reads lines in a frame."""
        outside = self.waiting, self.ids
        lines, events = parted(lines)
        self.waiting = events[::-1]
        self.ids = ids(lines, [(event.line, event.body) for event in events if event.kind == COMMENT])
        first, last = 0, len(lines.texts)
        left = _AGAIN * last + _ANYWAY
        while first < last and left > 0:
            left -= last - first
            first = self.blocks(lines, first, frame)
        self.too_deep(lines, first, last, frame)
        self.flush(len(lines.texts) + 1, frame)
        self.waiting, self.ids = outside

    def blocks(self, lines: Lines, base: int, frame: Frame) -> int:
        """Reads the blocks from line `base` on. Gives the line behind the last that was read."""
        frames = [frame]
        tokens = self.parser.parse("\n".join(lines.texts[base:]))
        for number, token in enumerate(tokens):
            kind, here = token.type, frames[-1]
            first, last = (token.map[0] + base, token.map[1] + base) if token.map else (0, 0)
            if token.map and kind != "inline":
                self.flush(first, here)
            if kind == "inline":
                before = tokens[number - 1]
                if own := own_lines(lines, token.content, first, last):
                    if before.type == "heading_open" and not is_prose(before.markup, own):
                        self.heading(own, int(before.tag[1]), here)
                    else:
                        self.paragraph(own, here)
            elif kind in ("list_item_open", "blockquote_open"):
                if kind == "blockquote_open":
                    here.own, here.columns = False, None
                inner = Frame(here.parent, here.led(BULLET), own=kind == "list_item_open")
                inner.headings = self.outline.mark()
                frames.append(inner)
                if tokens[number + 1].nesting < 0:  # it is empty, or too deep
                    behind = next((at for at in range(first + 1, last) if lines.texts[at][:1].strip()), last)
                    self.too_deep(lines, first, behind, inner)
                    if behind < last:
                        self.outline.back(frames[1].headings)
                        return behind
            elif kind in ("list_item_close", "blockquote_close"):
                self.outline.back(frames.pop().headings)
            elif kind in ("bullet_list_open", "ordered_list_open"):
                here.own, here.columns = False, None
            elif kind == "fence":
                self.fence(lines, token, first, last, here)
            elif kind in ("hr", "code_block"):
                here.follows()
        return len(lines.texts)

    def flush(self, line: int, frame: Frame) -> None:
        """Reads what stands beside the text before a line."""
        while self.waiting and self.waiting[-1].line < line:
            event = self.waiting.pop()
            if event.kind == COMMENT:
                self.comment(event.body, frame)
            elif event.kind == TABLE:
                self.html_table(event.body, frame)
            elif event.kind == TITLE:
                text = event.body.texts[0].strip(BLANKS)
                at = event.body.offset(0, event.body.texts[0].find(text))
                self.heading([(text, at, -1)], int(event.name[1]) if event.name[0] == "h" else _TITLE_LEVEL, frame)
            elif event.kind == OPENS:
                frame.follows()
                self.outline.enter(event.name)
            elif event.kind == CLOSES:
                frame.follows()
                self.outline.leave(event.name)

    def named(self, own: Sequence[Line], text: str) -> tuple[str, str]:
        """The id of what stands in some lines, from a comment or its beginning, and its text without it."""
        if self.ids:
            for _, _, line in own:
                if key := self.ids.pop(line, ""):
                    return key, text
        return split_id(text)

    def heading(self, own: Sequence[Line], level: int, frame: Frame) -> None:
        shown = text_of(own)
        key, text = self.named(own, shown.rstrip(":： ") or shown)
        self.outline.heading(level, text if key else unnumbered(text), HEADING, own[0][1], end_of(own), frame, key)
        frame.follows()

    def paragraph(self, own: Sequence[Line], frame: Frame) -> None:
        for kind, lines in groups(own, frame.columns is not None):
            self.flush(lines[0][2], frame)
            if kind == TEXT:
                self.text(lines, frame)
            elif kind == ITEM:
                self.bullet(lines, frame)
                frame.own, frame.columns = False, None
            else:
                self.table(lines, kind, frame)
                frame.own = False

    def text(self, own: Sequence[Line], frame: Frame) -> None:
        if frame.own:
            number = self.bullet(own, frame)
            frame.follows()
            if number != frame.parent:
                frame.parent = number
                frame.above = (*frame.above, self.outline.items[number].text)
            return
        if is_title(own):
            self.heading(own, _TITLE_LEVEL, frame)
            return
        shown = plain([(text, start) for text, start, _ in own])
        said = ""
        for first, last in sentences(shown.text):
            said = shown.text[first:last]
            key, text = self.named(own, said) if not first else ("", said)
            self.outline.put(PROSE, text, *shown.place(first, last), frame, frame.above, key)
        lead = said if said.endswith((":", "：")) or len(shown.text) > _LEAD else shown.text
        leads = said.endswith((":", "：")) or len(said) <= _LONGEST_LEAD or _LEADS_IN.search(said)
        frame.follows(lead if leads else "")

    def bullet(self, own: Sequence[Line], frame: Frame) -> int:
        first, start, line = own[0]
        kind = BULLET
        if task := _TASK.match(first):
            kind, own = TASK, [(first[task.end() :], start + task.end(), line), *own[1:]]
        key, text = self.named(own, text_of(own))
        return self.outline.put(kind, text, own[0][1], end_of(own), frame, frame.led(BULLET), key)

    def table(self, own: Sequence[Line], kind: str, frame: Frame) -> None:
        if kind == PIPES:
            text, start, _ = own[0]
            frame.columns = tuple(words(cell) for cell, _ in tables.cells(text, start))
            own = own[2:]
        frame.columns = columns = frame.columns or ()
        for text, start, line in own:
            self.flush(line, frame)
            shown = [words(cell) for cell, _ in tables.cells(text, start, len(columns))]
            self.outline.row(shown, columns, start, start + len(text), frame, self.ids.pop(line, ""))

    def html_table(self, markup: Lines, frame: Frame) -> None:
        text, starts = fold(markup)
        columns: tuple[str, ...] = ()
        for titles, spans in tables.html_rows(text):
            shown = [words(text[first:last].strip(BLANKS)) for first, last in spans]
            if titles:
                columns = tuple(shown)
            else:
                start, end = place(markup, starts, spans[0][0]), place(markup, starts, spans[-1][1])
                self.outline.row(shown, columns, start, end, frame)

    def comment(self, body: Lines, frame: Frame) -> None:
        if comment_id("\n".join(body.texts[:3])):
            return
        for paragraph in remarks(body):
            shown = plain(paragraph)
            for first, last in sentences(shown.text):
                if speaks(said := shown.text[first:last]):
                    self.outline.put(PROSE, said, *shown.place(first, last), frame, (*frame.above, IN_COMMENT))

    def fence(self, lines: Lines, token: Token, first: int, last: int, frame: Frame) -> None:
        """Reads a fence that may hold criteria: a prompt, a template, an example."""
        above = (*frame.above, frame.lead) if frame.lead else frame.above
        frame.follows()
        language = (token.info.split() or [""])[0].lower()
        if language not in _SAMPLES or self.outline.sample >= _FENCES:
            return
        inside = Lines(token.content.split("\n")[: last - first - 1], lines.ends[first + 1 : last])
        del inside.ends[len(inside.texts) :]
        if not language and not prose_like(inside.texts):
            return
        mark = self.outline.mark()
        self.outline.sample += 1
        self.outline.enter()
        self.read(inside, Frame(frame.parent, above))
        self.outline.sample -= 1
        self.outline.back(mark)

    def too_deep(self, lines: Lines, first: int, last: int, frame: Frame) -> None:
        """Reads lines one by one, each as an item."""
        for number in range(first, last):
            text = lines.texts[number]
            found = _MARKERS.match(text)
            left = found.end() if found else 0
            if shown := text[left:].strip(BLANKS):
                self.bullet([(shown, lines.offset(number, text.index(shown, left)), number)], frame)
