"""What stands where in a text, as far as it can be told while the text is being written and may not parse.

The readers of packs and settings refuse a text at its first mistake; somebody who writes one has half a line of it all
the time. So YAML is outlined by its indentation and brackets here, and TOML by its headers, in one pass over the text.
"""

from __future__ import annotations

import re

from sakaime.model import Record
from sakaime.policy.yamltext import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Range = tuple[int, int]
# Of what is read at every key: it takes a second, at most a few.
_MOST_CHARS, _MOST_PARTS = 1 << 20, 50_000
_NOWHERE = (-1, -1)


class Entry(Record):
    """A key with its value, or an item of a list. Ranges are offsets, the quotes of a scalar included.

    `name` is the key, or the number of the item; a `bare` one is a text where a key is wanted and no colon follows,
    which may as well be the value of `parent`. `block` tells that the value is a block scalar (`|`, `>`).
    """

    name: str | int
    parent: int
    key: Range = _NOWHERE
    value: Range = _NOWHERE
    bare: bool = False
    block: bool = False


class Outline:
    """The entries of a text, in order; parents before what is in them."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    def path(self, number: int) -> Path:
        """The path of an entry; that of the text as a whole (-1) is empty. A bare one counts for its parent."""
        parts: list[str | int] = []
        while number >= 0:
            entry = self.entries[number]
            if not entry.bare:
                parts.append(entry.name)
            number = entry.parent
        return tuple(reversed(parts))

    def at(self, offset: int) -> int | None:
        """The entry whose key or scalar holds an offset, its end included."""
        found = None
        for number, entry in enumerate(self.entries):
            if any(start <= offset <= end for start, end in (entry.key, entry.value)):
                found = number
        return found

    def beside(self, number: int) -> set[str]:
        """The other keys of the mapping that an entry is in."""
        parent = self.entries[number].parent
        return {
            entry.name
            for at, entry in enumerate(self.entries)
            if entry.parent == parent and at != number and isinstance(entry.name, str) and not entry.bare
        }

    def find(self, path: Path) -> int | None:
        """The entry of a path."""
        numbers = {-1}
        found = None
        for name in path:
            found = next(
                (n for n, e in enumerate(self.entries) if e.parent in numbers and e.name == name and not e.bare), None
            )
            if found is None:
                return None
            numbers = {found}
        return found


_BREAK = re.compile(r"\r\n|[\r\n]")
_KEY = re.compile(
    r"""(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*'"""
    r"""|[^\s"'\[\]{},#&*!|>%@`](?:[^:#\r\n]|:(?![ \t\r\n]|\Z)|(?<![ \t])\#)*)"""
)
_COLON = re.compile(r"[ \t]*:(?=[ \t\r\n]|\Z)")
_DASH = re.compile(r"-(?=[ \t\r\n]|\Z)[ \t]*")
_BLANKS = re.compile(r"[ \t]*")
_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"', re.S)
_SINGLE = re.compile(r"'(?:[^']|'')*'")
_PLAIN = re.compile(r"(?:[^\r\n#]|(?<![ \t])\#)*")
_FLOW = re.compile(r"""(?P<sign>[\[\]{},])|(?P<colon>:(?=[ \t\r\n,\[\]{}]|\Z))|(?P<quote>["'])|(?P<end>\r\n|[\r\n])
    |(?P<blank>[ \t]+)|(?P<comment>\#[^\r\n]*)|(?P<plain>(?:[^\s,\[\]{}:]|:(?![ \t\r\n,\[\]{}]|\Z))
    (?:[^\r\n,\[\]{}:#]|(?<![ \t])\#|:(?![ \t\r\n,\[\]{}]|\Z))*)""", re.X)  # fmt: skip


class _Level(Record):
    """A block collection: how far it is indented, whether it is a list, and the entry that it is the value of."""

    indent: int
    listed: bool
    owner: int


class _Yaml:
    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: list[Entry] = []
        self.levels: list[_Level] = [_Level(-1, False, -1)]
        self.last: list[int] = [-1]  # per level, its last entry
        self.counts: dict[int, int] = {}  # items of a list, by its owner
        self.closes = {'"': True, "'": True}  # whether such a quote is closed anywhere behind

    def add(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries) - 1

    def read(self) -> Outline:
        at = 1 if self.text.startswith("\ufeff") else 0
        while at < len(self.text):
            at = self.line(at)
        return Outline(self.entries)

    def end_of_line(self, at: int) -> int:
        found = _BREAK.search(self.text, at)
        return found.end() if found else len(self.text)

    def line(self, start: int) -> int:
        """Reads a line and what belongs to it; gives where the next one begins."""
        text = self.text
        at = _end(_BLANKS, text, start)
        while at < len(text) and text[at] not in "\r\n#":
            column = at - start
            dash = _DASH.match(text, at)
            if dash is None:
                return self.content(at, column)
            self.leave(column, listed=True)
            number = self.item(column, dash.start())
            at = dash.end()
            if at >= len(text) or text[at] in "\r\n#":
                self.entries[number] = self.entries[number].replace(value=(at, at))
        return self.end_of_line(at)

    def leave(self, column: int, *, listed: bool) -> None:
        """Leaves the collections that a line of this indentation is no part of."""
        while self.levels[-1].indent > column or (
            self.levels[-1].indent == column and self.levels[-1].listed and not listed
        ):
            self.levels.pop()
            self.last.pop()

    def enter(self, column: int, *, listed: bool) -> None:
        top = self.levels[-1]
        if top.indent != column or top.listed != listed:
            self.levels.append(_Level(column, listed, self.last[-1]))
            self.last.append(self.last[-1])

    def item(self, column: int, at: int) -> int:
        self.enter(column, listed=True)
        owner = self.levels[-1].owner
        count = self.counts.get(owner, 0)
        self.counts[owner] = count + 1
        self.last[-1] = self.add(Entry(count, owner, value=(at, at)))
        return self.last[-1]

    def content(self, at: int, column: int) -> int:
        """Reads a key with its value, or a scalar."""
        text = self.text
        key = _KEY.match(text, at)
        # A plain key may end with the blanks before its colon.
        end = at + len(key.group().rstrip(" \t")) if key else at
        colon = _COLON.match(text, end) if key else None
        if colon is None:
            return self.scalar(at, column)
        self.leave(column, listed=False)
        self.enter(column, listed=False)
        name = _unquoted(text[at:end])
        number = self.last[-1] = self.add(Entry(name, self.levels[-1].owner, key=(at, end)))
        at = _end(_BLANKS, text, colon.end())
        return self.value(number, at, column)

    def scalar(self, at: int, column: int) -> int:
        """Reads a scalar that stands at the beginning of a line or of an item."""
        self.leave(column, listed=False)
        top, last = self.levels[-1], self.last[-1]
        inside = top.indent < column and last >= 0  # of what the last entry is
        if inside and self.entries[last].value[1] > self.entries[last].value[0]:
            end = _trimmed(self.text, at, _end(_PLAIN, self.text, at))  # a plain scalar goes on
            self.entries[last] = self.entries[last].replace(value=(self.entries[last].value[0], end))
            return self.end_of_line(end)
        if inside and isinstance(self.entries[last].name, int):
            return self.value(last, at, column)
        owner = last if inside else top.owner
        start = at
        number = self.add(Entry("", owner, bare=True))
        after = self.value(number, at, column)
        if (end := self.entries[number].value[1]) > start:
            self.entries[number] = self.entries[number].replace(name=_unquoted(self.text[start:end]), key=(start, end))
        return after

    def value(self, number: int, at: int, column: int) -> int:
        """Reads what stands behind a colon or a dash."""
        text = self.text
        sign = text[at : at + 1]
        block = False
        if sign in ("", "\r", "\n", "#"):
            end = at
        elif sign in "|>":
            end, block = self.block(at, column), True
        elif sign in "[{":
            return self.end_of_line(self.flow(number, at, column))
        elif sign in "\"'":
            end = self.quoted(at, column)
        else:
            end = _trimmed(text, at, _end(_PLAIN, text, at))
        self.entries[number] = self.entries[number].replace(value=(at, end), block=block)
        return end if block else self.end_of_line(end)

    def quoted(self, at: int, column: int) -> int:
        """The end of a quoted scalar; that of its line where it is not closed, or closed behind other keys only."""
        quote = self.text[at]
        end = _BREAK.search(self.text, at)
        if self.closes[quote]:
            found = (_DOUBLE if quote == '"' else _SINGLE).match(self.text, at)
            if found is None:
                self.closes[quote] = False
            elif end is None or found.end() <= end.start() or not self.begins(end.end(), column):
                return found.end()
        return end.start() if end else len(self.text)

    def begins(self, at: int, column: int) -> bool:
        """Whether a line that is not indented further begins a key or an item."""
        start = _end(_BLANKS, self.text, at)
        return start - at <= column and (_DASH.match(self.text, start) is not None or self.is_key(start))

    def block(self, at: int, column: int) -> int:
        """The end of a block scalar: every line behind it that is indented further, or empty."""
        at = end = self.end_of_line(at)
        # What is in a list inside of a key may stand no further than the key itself.
        limit = max(level.indent for level in self.levels if level.indent <= column)
        while at < len(self.text):
            start = _end(_BLANKS, self.text, at)
            empty = start == len(self.text) or self.text[start] in "\r\n"
            if not empty and start - at <= limit:
                break
            at = self.end_of_line(at)
            end = end if empty else at
        return end

    def flow(self, number: int, at: int, column: int) -> int:
        """Reads a list or mapping in brackets; gives its end. One that is not closed ends before a line that is not
        indented further and begins a key or an item."""
        owners: list[tuple[str, int]] = []
        fresh = True  # whether an element, or a key, can begin
        current = number
        while at < len(self.text):
            token = _FLOW.match(self.text, at)
            if token is None:
                at += 1
                continue
            kind, at = token.lastgroup, token.end()
            if kind == "end":
                if self.begins(at, column):
                    return token.start()
            elif kind == "sign":
                current, fresh = self.flow_sign(token.group(), token.start(), owners, current, fresh)
                if not owners:
                    return at
            elif kind == "colon" and owners[-1][0] == "{" and current >= 0 and self.entries[current].bare:
                self.entries[current] = self.entries[current].replace(bare=False, value=(at, at))
                fresh = False
            elif kind in ("quote", "plain"):
                start = token.start()
                at = self.quoted(start, column) if kind == "quote" else _trimmed(self.text, start, at)
                current, fresh = self.flow_scalar((start, at), owners[-1], current, fresh)
        return at

    def is_key(self, at: int) -> bool:
        key = _KEY.match(self.text, at)
        return key is not None and _COLON.match(self.text, at + len(key.group().rstrip(" \t"))) is not None

    def flow_sign(
        self, sign: str, at: int, owners: list[tuple[str, int]], current: int, fresh: bool
    ) -> tuple[int, bool]:
        """What a bracket or comma does: the entry that is current then, and whether another one can begin."""
        if sign in "[{":
            if owners and fresh and owners[-1][0] == "[":
                current = self.flow_item(owners[-1][1], (at, at))
            owners.append((sign, current))
            return current, True
        if sign == ",":
            return owners[-1][1], True
        return owners.pop()[1], False

    def flow_item(self, owner: int, where: Range) -> int:
        count = self.counts.get(owner, 0)
        self.counts[owner] = count + 1
        return self.add(Entry(count, owner, value=where))

    def flow_scalar(self, where: Range, inside: tuple[str, int], current: int, fresh: bool) -> tuple[int, bool]:
        bracket, owner = inside
        if fresh and bracket == "[":
            return self.flow_item(owner, where), False
        if fresh:
            name = _unquoted(self.text[slice(*where)])
            return self.add(Entry(name, owner, key=where, value=where, bare=True)), False
        self.entries[current] = self.entries[current].replace(value=where)
        return current, False


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in " \t":
        end -= 1
    return end


def _unquoted(text: str) -> str:
    """A key without its quotes."""
    return text[1:-1] if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] else text


def outline(text: str) -> Outline:
    """The outline of a YAML text; of one that is too large, an empty one."""
    return Outline([]) if too_large(text) else _Yaml(text).read()


def too_large(text: str) -> bool:
    """Whether a YAML text is too large to be read while somebody writes it."""
    return len(text) > _MOST_CHARS or sum(map(text.count, ("\n", ",", ": ", "[", "{", "- "))) > _MOST_PARTS


def pieces(text: str, where: Range) -> Iterator[tuple[str, int, int]]:
    """The characters that a YAML scalar at a range stands for, each with the range it is written at."""
    start, end = where
    quote = text[start : start + 1]
    if quote not in ('"', "'") or end - start < 2:
        yield from ((text[at], at, at + 1) for at in range(start, end))
        return
    at = start + 1
    end -= text[end - 1] == quote
    while at < end:
        found = _ESCAPE.match(text, at, end) if quote == '"' else _DOUBLED.match(text, at, end)
        if found is None:
            yield text[at], at, at + 1
            at += 1
            continue
        yield _meant(found), at, found.end()
        at = found.end()


_ESCAPE = re.compile(r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<one>.))", re.S)
_DOUBLED = re.compile("(?P<one>')'")
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v",
          "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029", "\n": "", "\r": ""}  # fmt: skip


def _meant(found: re.Match[str]) -> str:
    if found["one"] is not None:
        return _MEANT.get(found["one"], found["one"]) if found.group()[0] == "\\" else found["one"]
    code = int(found.group()[2:], 16)
    return chr(code) if code <= 0x10FFFF else "?"
