"""What the cursor is at in a pack or in settings: a key or a value, and of what."""

from __future__ import annotations

import re

from sakaime.lsp.authors.outline import Range, outline, pieces
from sakaime.model import Record
from sakaime.policy.settings import LIMIT
from sakaime.policy.tomlplaces import toml_places, toml_standing
from sakaime.policy.yamltext import Path
from sakaime.text.source import Source

_MARK = "\ufdd0"  # no character, so in no text that means anything


class Cursor(Record):
    """The word at the cursor, from `start` to `end`, quotes included; `text` is what it stands for.

    With `key` it is a key, or stands where one can, of the mapping at `path`, which has the keys `have` besides;
    else a value, and `path` is its own. A word alone in a YAML block can be either. `follows` tells that a colon
    or `=` stands behind the key; `header` counts the brackets of a TOML table header around it.
    """

    path: Path
    key: bool
    value: bool
    start: int
    end: int
    text: str
    have: frozenset[str]
    toml: bool
    follows: bool = False
    header: int = 0


def cursor(text: str, offset: int, toml: bool, writing: bool = False) -> Cursor | None:
    """What stands at an offset; None where nothing does. When somebody is `writing`, a word can begin there."""
    if not 0 <= offset <= len(text) or len(text) > LIMIT:
        return None
    if toml:
        return _in_toml(text, offset)
    if not writing:
        return _in_yaml(text, offset)
    found = _in_yaml(text[:offset] + _MARK + text[offset:], offset)
    if found is None or _MARK not in found.text:
        return None
    return found.replace(end=found.end - 1, text=found.text.replace(_MARK, ""))


def _in_yaml(text: str, offset: int) -> Cursor | None:
    every = outline(text)
    number = every.at(offset)
    if number is None:
        return None
    entry = every.entries[number]
    if entry.block:
        return None
    on_key = entry.key[0] <= offset <= entry.key[1]
    start, end = entry.key if on_key else entry.value
    end = _in_line(text, start, end)
    if not start <= offset <= end:
        return None
    meant = "".join(char for char, _, _ in pieces(text, (start, end)))
    have = frozenset(every.beside(number)) if on_key else frozenset()
    # The first word of an item may be the first key of a mapping.
    opens = isinstance(entry.name, int) and text[start : start + 1] not in ('"', "'")
    path = every.path(number)
    if on_key and not entry.bare:
        return Cursor(path[:-1], True, False, start, end, meant, have, False, True)
    return Cursor(path, on_key or opens, entry.bare or not on_key, start, end, meant, have, False)


def _in_line(text: str, start: int, end: int) -> int:
    """The end of a scalar, or of its first line."""
    found = _BREAK.search(text, start, end)
    return found.start() if found else end


_BREAK = re.compile(r"[\r\n]")
_TOKEN = re.compile(r"""(?P<comment>\#.*)|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|(?P<open>["'].*)|[A-Za-z0-9_-]+""")
_FOLLOWS = re.compile(r"[ \t]*=")


def _in_toml(text: str, offset: int) -> Cursor | None:
    first = text.rfind("\n", 0, offset) + 1
    last = text.find("\n", offset)
    line = text[first : last if last >= 0 else len(text)].rstrip("\r")
    start = end = offset
    for found in _TOKEN.finditer(line):
        if found.lastgroup == "comment" and first + found.start() < offset:
            return None
        if first + found.start() <= offset <= first + found.end():
            start, end = first + found.start(), first + found.end()
    standing = toml_standing(text[:start])
    written = text[start:end]
    meant = _plain(written)
    if not standing.key:
        return Cursor(standing.path, False, True, start, end, meant, frozenset(), True)
    have = frozenset() if standing.header else _keys(text, standing.path, start)
    follows = _FOLLOWS.match(text, end) is not None
    return Cursor(standing.path, True, False, start, end, meant, have, True, follows, standing.header)


def _plain(written: str) -> str:
    """A word without its quotes, the closing one of which may be missing."""
    if written[:1] not in ('"', "'"):
        return written
    body = written[1:]
    return body[:-1] if body.endswith(written[0]) else body


def _keys(text: str, table: Path, but: int) -> frozenset[str]:
    """The keys of a TOML table, except one that begins at an offset."""
    source = Source(text)
    found = set()
    for path, (line, column) in toml_places(text).items():
        if path[:-1] == table and path and isinstance(path[-1], str) and place(source, line, column) != but:
            found.add(path[-1])
    return frozenset(found)


def place(source: Source, line: int, column: int) -> int:
    """The offset of a place in a text."""
    return source.starts[min(line, len(source.starts)) - 1] + column - 1


def word_range(text: str, where: Range, wanted: str) -> Range | None:
    """Where in a scalar at a range a piece of what it stands for is written; None where it is not found."""
    every = list(pieces(text, where))
    at = "".join(char or "\0" for char, _, _ in every).find(wanted)
    return (every[at][1], every[at + len(wanted) - 1][2]) if at >= 0 and wanted else None
