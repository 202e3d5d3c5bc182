"""TOML: tables, keys with dots, strings of all four kinds, inline tables and arrays."""

from __future__ import annotations

import re

from sakaime.checks.secrets.pair import Pair, moved, named
from sakaime.checks.secrets.readers import code
from sakaime.checks.secrets.readers.escapes import unescaped
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = late(r"[ \t]*\[{1,2}([^\[\]\n]{1,400})\]{1,2}[ \t]*(?:#[^\n]*)?\r?$", re.M)
_ENTRY = late(
    r"[ \t]*(?P<key>(?:[\w\-]+|\"[^\"\n]*\"|'[^'\n]*')"
    r"(?:[ \t]*\.[ \t]*(?:[\w\-]+|\"[^\"\n]*\"|'[^'\n]*'))*)[ \t]*=[ \t]*"
)
_PART = late(r"[\w\-]+|\"[^\"\n]*\"|'[^'\n]*'")
_MOST = 20_000


def pairs(text: str) -> Iterator[Pair]:
    """The strings of a text under their keys."""
    return named(_read(text))


def _read(text: str) -> Iterator[Pair]:
    table: tuple[str, ...] = ()
    tables: dict[tuple[str, ...], int] = {}
    at = 0
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if (found := _TABLE.match(text, at, stop)) is not None:
            table = _parts(found[1])
            if text[at:stop].lstrip().startswith("[["):
                number = tables[table] = tables.get(table, -1) + 1
                table = (*table, str(number))
        elif (found := _ENTRY.match(text, at, stop)) is not None:
            keys = (*table, *_parts(found["key"]))
            yielded, stop = _value(text, found.end(), stop, keys)
            yield from yielded
        at = stop + 1


def _parts(key: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(key))


def _value(text: str, at: int, stop: int, keys: tuple[str, ...]) -> tuple[list[Pair], int]:
    for mark in ('"""', "'''"):
        if text.startswith(mark, at):
            close = text.find(mark, at + 3, at + _MOST)
            if close < 0:
                return [], stop
            raw = text[at + 3 : close]
            value = unescaped(raw) if mark == '"""' else raw
            end = text.find("\n", close)
            return [Pair(keys, value.strip(), at + 3, close)] if raw.strip() else [], len(text) if end < 0 else end
    if text[at : at + 1] in ("[", "{"):
        close = _closed(text, at)
        end = text.find("\n", close)
        end = len(text) if end < 0 else end
        return list(moved(code.pairs(text[at:close], code.FLOW), at, keys)), max(end, stop)
    for found in code.pairs("k=" + text[at:stop], code.FLOW):
        start, end = found.start + at - 2, found.end + at - 2
        return [Pair(keys, found.value if text[at] == '"' else text[start:end], start, end)], stop
    return [], stop


def _closed(text: str, at: int) -> int:
    depth, quote = 0, ""
    for place in range(at, min(len(text), at + _MOST)):
        char = text[place]
        if quote:
            quote = "" if char == quote and text[place - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
            if depth == 0:
                return place + 1
    return min(len(text), at + _MOST)
