"""JSON with comments and trailing commas, as editors and agents read it, with the line of every key and value."""

from __future__ import annotations

import json
import re
from json import decoder

from sakaime.checks.agents.facts import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sakaime.checks.agents.facts import Path

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.S)
_SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_DEPTH = 50


def parse(text: str) -> Tree:
    """Reads one value. Of a key that stands twice the last one counts, as for those who read the file.

    Raises `ValueError` for anything that is not one value.
    """
    reader = _Reader(text)
    data, end = reader.value(reader.skip(0), ())
    if reader.skip(end) != len(text):
        raise ValueError("something follows the end")
    return Tree(data, reader.lines)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: dict[Path, int] = {}
        self._counted, self._line = 0, 1

    def skip(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def mark(self, path: Path, at: int) -> None:
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        self.lines[path] = self._line

    def value(self, at: int, path: Path) -> tuple[Any, int]:
        if len(path) > _DEPTH:
            raise ValueError("nested too deep")
        sign = self.text[at : at + 1]
        if path not in self.lines or isinstance(path[-1], int):
            self.mark(path, at)
        if sign == "{":
            return self.mapping(at + 1, path)
        if sign == "[":
            return self.list(at + 1, path)
        if sign == '"':
            return self.string(at + 1)
        if not (found := _SCALAR.match(self.text, at)):
            raise ValueError("no value")
        return json.loads(found[0]), found.end()

    def string(self, at: int) -> tuple[str, int]:
        text, end = decoder.scanstring(self.text, at, False)  # type: ignore[attr-defined]
        return str(text), int(end)

    def mapping(self, at: int, path: Path) -> tuple[dict[str, Any], int]:
        out: dict[str, Any] = {}
        at = self.skip(at)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                raise ValueError("no key")
            start = at
            key, at = self.string(at + 1)
            for known in [known for known in self.lines if key in out and known[: len(path) + 1] == (*path, key)]:
                del self.lines[known]
            self.mark((*path, key), start)
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise ValueError("no colon")
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
            raise ValueError("no comma")
        return at
