"""SQL: passwords of users and roles, and rows of tables with a column for one."""

from __future__ import annotations

import re

from sakaime.checks.secrets.pair import Pair
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_STRING = r"N?'(?:[^'\\\n]|''|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_PASSWORD = late(
    rf"(?i)\b(?P<key>IDENTIFIED\s+(?:WITH\s+\w+\s+)?(?:BY|AS)(?:\s+PASSWORD)?|PASSWORD|SECRET|OLD_PASSWORD|KEY_STRING)\b"
    rf"\s*(?:=|:=|TO)?\s*(?:PASSWORD\s*\(\s*)?(?P<value>{_STRING})"
)
_USER = late(r"(?i)\b(?:USER|ROLE|LOGIN)\s+(?:IF\s+NOT\s+EXISTS\s+)?[`\"'\[]?(?P<user>[\w.\-]+)")
_INSERT = late(
    r"(?i)\b(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s+[\w.`\"\[\]]+\s*\((?P<columns>[^()]{1,4000})\)\s*VALUES\s*"
)
_ROW = late(rf"\s*,?\s*\((?P<row>(?:{_STRING}|[^()'\"]|\([^()]*\))*)\)")
_CELL = late(rf"\s*(?P<cell>{_STRING}|(?:[^,'\"()]|\([^()]*\))+)\s*(?:,|$)")
_SET = late(rf"(?i)\b(?P<key>[a-z_][\w.]{{2,60}})\s*=\s*(?P<value>{_STRING})")
_MOST = 5_000  # rows


def pairs(text: str) -> Iterator[Pair]:
    """The strings of a text under `password`, the words before them, or their column."""
    bare = _without_comments(text)
    taken: set[int] = set()
    for found in _PASSWORD.finditer(bare):
        before = bare[max(0, found.start() - 300) : found.start()].rsplit(";", 1)[-1]
        users = _USER.findall(before)
        keys = (*(("user " + users[-1],) if users else ()), "password")
        yield from _string(bare, keys, *found.span("value"), taken)
    for found in _INSERT.finditer(bare):
        columns = [name.strip(' `"[]\n\t\r') for name in found["columns"].split(",")]
        at = found.end()
        for _ in range(_MOST):
            row = _ROW.match(bare, at)
            if row is None:
                break
            at = row.end()
            cells = _CELL.finditer(bare, row.start("row"), row.end("row"))
            for name, cell in zip(columns, cells, strict=False):
                if cell["cell"][:1] in ("'", '"', "N"):
                    yield from _string(bare, (name,), *cell.span("cell"), taken)
    for found in _SET.finditer(bare):
        yield from _string(bare, (found["key"],), *found.span("value"), taken)


def _string(text: str, keys: tuple[str, ...], start: int, end: int, taken: set[int]) -> Iterator[Pair]:
    start += text[start] == "N"
    if start in taken or end - start < 3:
        return
    taken.add(start)
    raw = text[start + 1 : end - 1]
    yield Pair(keys, raw.replace("''", "'"), start + 1, end - 1)


def _without_comments(text: str) -> str:
    """The text with blanks in the place of comments."""
    text = re.sub(r"--[^\n]*", lambda m: " " * len(m[0]), text)
    parts, at = [], 0
    while (start := text.find("/*", at)) >= 0:
        end = text.find("*/", start)
        if end < 0:
            break
        parts += [text[at:start], " " * (end + 2 - start)]
        at = end + 2
    return "".join([*parts, text[at:]])
