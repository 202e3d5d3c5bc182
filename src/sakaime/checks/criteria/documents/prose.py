"""Instructions that are the value of a key: their bullets, headings and sentences, and where these stand."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from sakaime.checks.criteria.item import BULLET, HEADING, PROSE, TASK, Item
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLET = late(r"(?:[-*+•・]|\d{1,9}[.)]|[a-z][.)])[ \t]+(?P<task>\[[ xX]\][ \t]+)?(?=\S)")
_HEADING = late(r"#{1,6}[ \t]+(?=\S)")
_FENCE = late(r"`{3,}|~{3,}")
_RULE = late(r"[-=*_|:\s]+")
_WORD = late(r"\S+")
_LONE = late("[\ud800-\udfff]")
_DEEPEST = 20
_NARROW = 50  # nobody wraps text at fewer characters
_NEAR = 400  # how far apart two words of one text may stand


class _Line:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.indent = start - (text.rfind("\n", 0, start) + 1)
        self.start, self.end = start, end


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Item] = []
        self.paragraph: list[_Line] = []
        self.bullets: list[tuple[int, int]] = []  # those that are open: indent, number of the item
        self.titles: list[tuple[int, str]] = []
        self.lead = ""
        self.fence = ""

    def read(self) -> tuple[Item, ...]:
        at = 0
        for raw in self.text.split("\n"):
            line = raw.strip()
            if line:
                start = at + len(raw) - len(raw.lstrip())
                self.line(line, _Line(self.text, start, start + len(line)))
            else:
                self.close()
            at += len(raw) + 1
        self.close()
        return tuple(self.out)

    def line(self, words: str, line: _Line) -> None:
        fence = _FENCE.match(words)
        if fence and (not self.fence or words.startswith(self.fence)):
            self.close()
            self.fence = "" if self.fence else fence[0]
        elif _RULE.fullmatch(words):
            self.close()
        elif not self.fence and (title := _HEADING.match(words)):
            self.close()
            self.heading(words.index(" ") if " " in words[: title.end()] else words.index("\t"), title.end(), line)
        elif bullet := _BULLET.match(words):
            self.close()
            self.bullet(TASK if bullet["task"] else BULLET, bullet.end(), line)
        elif words[0] == "|":
            self.close()
            self.add(PROSE, line.start, line.end)
        elif self.bullets and not self.paragraph and self.out and line.indent > self.bullets[-1][0] and self.goes_on:
            number = self.bullets[-1][1]
            self.out[number] = self.out[number].replace(end=line.end)
        else:
            self.paragraph.append(line)

    @property
    def goes_on(self) -> bool:
        """Whether the last line was a part of the last bullet."""
        return self.bullets[-1][1] == len(self.out) - 1

    def heading(self, level: int, signs: int, line: _Line) -> None:
        while self.titles and self.titles[-1][0] >= level:
            self.titles.pop()
        self.bullets, self.lead = [], ""
        self.add(HEADING, line.start + signs, line.end)
        self.titles.append((level, self.out[-1].text))

    def bullet(self, kind: str, signs: int, line: _Line) -> None:
        while self.bullets and self.bullets[-1][0] >= line.indent:
            self.bullets.pop()
        del self.bullets[_DEEPEST:]
        self.add(kind, line.start + signs, line.end)
        self.bullets.append((line.indent, len(self.out) - 1))

    def close(self) -> None:
        """The end of a paragraph: its sentences."""
        lines, self.paragraph = self.paragraph, []
        if not lines:
            return
        if not (self.bullets and lines[0].indent > self.bullets[-1][0]):
            self.bullets, self.lead = [], ""
        for first, last in _kept_apart(self.text, lines):
            for start, end in _sentences(self.text[first:last]):
                self.add(PROSE, first + start, first + end)
        if not self.bullets and self.out[-1].text.endswith((":", "：")):
            self.lead = self.out[-1].text

    def add(self, kind: str, start: int, end: int) -> None:
        item = Item(
            kind,
            words_of(self.text[start:end]),
            start,
            end,
            headings=tuple(title for _, title in self.titles),
            above=(self.lead,) if self.lead and kind in (BULLET, TASK) else (),
            parent=self.bullets[-1][1] if self.bullets else -1,
            sample=bool(self.fence),
        )
        self.out.append(item)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    from sakaime.text.units import sentences

    return sentences(text)


def _kept_apart(text: str, lines: list[_Line]) -> Iterator[tuple[int, int]]:
    """(start, end) of the parts of a paragraph. A line ends one where the next word would have had room in it."""
    room = max(_NARROW, *(line.end - line.start for line in lines))
    start = lines[0].start
    for line, after in pairwise(lines):
        word = _WORD.match(text, after.start, after.end)
        length = len(word[0]) if word else 0
        if line.end - line.start + 1 + length <= room and not text[after.start].islower():
            yield start, line.end
            start = after.start
    yield start, lines[-1].end


def split(text: str) -> tuple[Item, ...]:
    """The items of a text that is Markdown or near to it, with places in this text."""
    out: list[Item] = []
    for item in _Splitter(text).read():
        above = item.above
        if item.parent >= 0:
            around = out[item.parent]
            above = (*around.above, around.text)
        out.append(item.replace(text=words_of(text[item.start : item.end]), above=above))
    return tuple(out)


def words_of(text: str) -> str:
    """A text without emphasis and signs of code, blanks single."""
    return plain_words(text.replace("**", "").replace("`", ""))


def plain_words(text: str) -> str:
    """A text with its blanks single, and no half of a surrogate pair, which JSON and YAML can write."""
    text = " ".join(text.split())
    return text if text.isascii() else _LONE.sub("\ufffd", text)


class Located:
    """Where the characters of a value stand in a text that holds it, indented, folded or escaped, between two places.

    The words of the value are looked for in order. What is not found stands at the whole range.
    """

    def __init__(self, value: str, text: str, start: int, end: int) -> None:
        self.whole = start, end
        self.values: list[int] = []
        self.words: list[tuple[int, int]] = []
        for word in _WORD.finditer(value):
            length = word.end() - word.start()
            found = text.find(word[0], start, min(end, start + length + _NEAR))
            if found >= 0:
                self.values.append(word.start())
                self.words.append((found, length))
                start = found + length

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The (start, end) in the text of a range of the value."""
        first, last = bisect_right(self.values, start) - 1, bisect_right(self.values, end - 1) - 1
        if first >= 0 and start >= self.values[first] + self.words[first][1]:
            first += 1
        first = max(first, 0)
        if last < first or not self.values:
            return self.whole
        begin = self.words[first][0] + max(0, start - self.values[first])
        return begin, self.words[last][0] + min(self.words[last][1], end - self.values[last])
