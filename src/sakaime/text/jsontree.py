"""JSON with comments and trailing commas, as editors and agents read it, with the place of every key and value."""

from __future__ import annotations

import json
import re
from json import decoder

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Path = tuple["str | int", ...]

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.S)
_SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_DEPTH = 50


class Json(Record):
    """The data of a text. By path, `keys` gives where a key begins, `spans` the (start, end) of a value."""

    data: Any
    keys: dict[Path, int]
    spans: dict[Path, tuple[int, int]]


def parse(text: str) -> Json:
    """Reads one value. Of a key that stands twice the last one counts, as for those who read the file.

    Raises `ValueError`, with the line, for anything that is not one value.
    """
    reader = _Reader(text)
    data, end = reader.value(reader.skip(0), ())
    if reader.skip(end) != len(text):
        raise reader.fail("something follows the end", reader.skip(end))
    if not reader.twice:
        return Json(data, reader.keys, reader.spans)
    left = set(_paths(data, ()))  # nothing stands any more where the value of an earlier key stood
    keys = {path: at for path, at in reader.keys.items() if path in left}
    return Json(data, keys, {path: span for path, span in reader.spans.items() if path in left})


def _paths(data: Any, path: Path) -> Iterator[Path]:
    yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _paths(value, (*path, key))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: dict[Path, int] = {}
        self.spans: dict[Path, tuple[int, int]] = {}
        self.twice = False  # whether a key stands twice in a mapping

    def fail(self, what: str, at: int) -> ValueError:
        return ValueError(f"{what} in line {self.text.count(chr(10), 0, at) + 1}")

    def skip(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, path: Path) -> tuple[Any, int]:
        if len(path) > _DEPTH:
            raise self.fail("nested too deep", at)
        data, end = self.read(at, path)
        self.spans[path] = at, end
        return data, end

    def read(self, at: int, path: Path) -> tuple[Any, int]:
        sign = self.text[at : at + 1]
        if sign == "{":
            return self.mapping(at + 1, path)
        if sign == "[":
            return self.list(at + 1, path)
        if sign == '"':
            return self.string(at + 1)
        if not (found := _SCALAR.match(self.text, at)):
            raise self.fail("no value", at)
        return json.loads(found[0]), found.end()

    def string(self, at: int) -> tuple[str, int]:
        text, end = decoder.scanstring(self.text, at, False)  # type: ignore[attr-defined]
        return str(text), int(end)

    def mapping(self, at: int, path: Path) -> tuple[dict[str, Any], int]:
        out: dict[str, Any] = {}
        at = self.skip(at)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                raise self.fail("no key", at)
            start = at
            key, at = self.string(at + 1)
            self.twice = self.twice or key in out
            self.keys[(*path, key)] = start
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.fail("no colon", at)
            out[key], at = self.value(self.skip(at + 1), (*path, key))
            at = self.separator(at, "}")
        return out, at + 1

    def list(self, at: int, path: Path) -> tuple[list[Any], int]:
        out: list[Any] = []
        at = self.skip(at)
        while self.text[at : at + 1] != "]":
            item, at = self.value(at, (*path, len(out)))
            out.append(item)
            at = self.separator(at, "]")
        return out, at + 1

    def separator(self, at: int, end: str) -> int:
        at = self.skip(at)
        sign = self.text[at : at + 1]
        if sign == ",":
            return self.skip(at + 1)
        if sign != end:
            raise self.fail("no comma", at)
        return at
