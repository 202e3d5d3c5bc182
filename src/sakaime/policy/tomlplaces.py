"""Where the keys of a TOML text stand: the parser of the data keeps no positions."""

from __future__ import annotations

import re

import tomlkit
from tomlkit.exceptions import TOMLKitError

from sakaime.model import Record
from sakaime.policy.yamltext import Path
from sakaime.text.source import Source

_TOKEN = re.compile(
    r"#[^\n]*"
    r'|(?s:"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5})'
    r"|(?s:'''[^']*(?:'(?!'')[^']*)*'{3,5})"
    r'|(?P<quoted>"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\n]*\')'
    r"|(?P<bare>[A-Za-z0-9_-]+)"
    r"|(?P<sign>[\n=,.{}\[\]])"
)


_DEEPEST = 100  # tomlkit refuses more; paths as long as a hostile text has brackets would take all memory


class _Open:
    """An array or inline table that is being read: its path, and the number of the element (None: a table)."""

    def __init__(self, path: Path, index: int | None) -> None:
        self.path = path
        self.index = index


class Standing(Record):
    """Where a text ends. `header` counts the brackets of the table header that it ends in; else, with `key`, a key
    can stand there. `path` is that of the table, header or dotted key so far, or of the value."""

    path: Path
    key: bool
    header: int


class _Reader:
    def __init__(self, text: str) -> None:
        self.source = Source(text)
        self.places: dict[Path, tuple[int, int]] = {}
        self.table: Path = ()
        self.arrays: dict[Path, int] = {}  # of tables, with the number of the last one
        self.open: list[_Open] = []
        self.twice: int | None = None  # where the first key begins that stands there already
        self.filled: set[Path] = set()  # keys with a value
        self.key: list[str] = []
        self.value: Path | None = None  # of the value that is being read; None while a key is
        self.key_at = 0
        self.header_at = -1  # where the header that is being read begins
        self.array = False

    def standing(self) -> Standing:
        """Where the text ends."""
        parts = tuple(map(_plain, self.key))
        if self.header_at >= 0:
            return Standing(parts, True, 2 if self.array else 1)
        top = self.open[-1] if self.open else None
        if self.value is None:
            return Standing((*(top.path if top is not None else self.table), *parts), True, 0)
        at = top.path if top is not None and top.index is not None else self.value
        return Standing((*at, top.index) if top is not None and top.index is not None else at, False, 0)

    def put(self, path: Path, offset: int) -> None:
        position = self.source.position(offset)
        self.places.setdefault(path, (position.line, position.column))

    def part(self, text: str, offset: int) -> None:
        """A key, a part of one, or a value of one word or quoted."""
        if self.value is not None:
            self.element(offset)
            return
        if not self.key:
            self.key_at = offset
        if len(self.key) < _DEEPEST:
            self.key.append(text)

    def element(self, offset: int) -> None:
        if self.open and (index := self.open[-1].index) is not None:
            self.put((*self.open[-1].path, index), offset)

    def sign(self, sign: str, offset: int) -> None:
        top = self.open[-1] if self.open else None
        if sign == "\n" and top is None:
            self.value, self.key = None, []
        elif sign == "=" and self.value is None:
            base = top.path if top is not None else self.table
            path = base
            for part in self.key:
                path = (*path, _plain(part))
                self.put(path, self.key_at)
            self.fill(path)
            self.value, self.key = path, []
        elif sign in "[{" and self.value is not None:
            self.element(offset)
            path = (*top.path, top.index) if top is not None and top.index is not None else self.value
            if top is not None and len(path) > 2 * _DEEPEST:
                path = top.path
            self.open.append(_Open(path, 0 if sign == "[" else None))
            if sign == "{":
                self.value = None
        elif sign in "]}" and top is not None:
            self.open.pop()
            self.value, self.key = top.path, []
        elif sign == "," and top is not None:
            if top.index is None:
                self.value = None
            else:
                top.index += 1

    def fill(self, path: Path) -> None:
        """Notes that a key has a value."""
        if path in self.filled and self.twice is None:
            self.twice = self.key_at
        self.filled.add(path)

    def header(self, keys: list[str], array: bool, offset: int) -> None:
        path: Path = ()
        for number, key in enumerate(keys, 1):
            path = (*path, _plain(key))
            self.put(path, offset)
            if path in self.arrays and (number < len(keys) or not array):
                path = (*path, self.arrays[path])
        if array:
            self.arrays[path] = self.arrays.get(path, -1) + 1
            path = (*path, self.arrays[path])
        if path in self.filled and self.twice is None:
            self.twice = offset
        self.put(path, offset)
        self.table = path


def _plain(text: str) -> str:
    """A part of a key without quotes and escapes."""
    if text[0] not in "\"'":
        return text
    try:
        return str(tomlkit.parse(f"x = {text}")["x"]) if "\\" in text else text[1:-1]
    except TOMLKitError:  # of a text that is no TOML
        return text[1:-1]


def toml_places(text: str) -> dict[Path, tuple[int, int]]:
    """(line, column) of every table header, key and array element of a text that is valid TOML."""
    return _read(text).places


def toml_standing(text: str) -> Standing:
    """Where a text ends that may be no TOML yet: the beginning of one that somebody writes."""
    reader = _read(text, whole=False)
    return reader.standing()


def toml_twice(text: str) -> tuple[int, int] | None:
    """(line, column) of the first key that has a value already."""
    reader = _read(text)
    if reader.twice is None:
        return None
    position = reader.source.position(reader.twice)
    return position.line, position.column


def _read(text: str, whole: bool = True) -> _Reader:
    reader = _Reader(text)
    fresh = True  # at the start of a line, outside of values
    before = ""
    for token in _TOKEN.finditer(text):
        kind, word, at = token.lastgroup, token.group(), token.start()
        if reader.header_at >= 0:
            if kind == "sign" and word == "\n":
                reader.header(reader.key, reader.array, reader.header_at)
                reader.header_at, fresh, reader.key = -1, True, []
            elif kind == "sign" and word == "[" and before == "[":
                reader.array = True
            elif kind in ("quoted", "bare") and len(reader.key) < _DEEPEST:
                reader.key.append(word)
        elif kind == "sign" and word == "[" and fresh:
            reader.header_at, reader.array, reader.key = at, False, []
        elif kind == "sign":
            reader.sign(word, at)
            fresh = word == "\n" and not reader.open
        elif kind is not None:
            reader.part(word, at)
            fresh = False
        elif word[0] != "#":
            reader.element(at)  # a string over several lines
        before = word
    if whole and reader.header_at >= 0:
        reader.header(reader.key, reader.array, reader.header_at)
    return reader
