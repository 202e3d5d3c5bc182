"""Front matter of Markdown: which files the rules below are for, and what an agent that reads them may use."""

from __future__ import annotations

import re

from sakaime.checks.criteria.item import KEY, Item
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.checks.criteria.item import Value

    Entry = tuple[str, Value, int, int]  # the key, the value, and its place in the text

_BEGIN = late(r"\ufeff?---[ \t]*(?:\r\n?|\n)")
_END = late(r"(?m:^(?:---|\.\.\.)[ \t]*\r?$)")
_ENTRY = late(r"(?m:^(?P<key>[A-Za-z][\w-]*)[ \t]*:(?=\s|\Z)[ \t]*(?P<value>[^\r\n]*))")
_LISTED = late(r"(?:\r\n?|\n)[ \t]*-[ \t]+(?P<value>[^\r\n]*)")
_BREAK = late(r"\r\n?|[\n\x85\u2028\u2029]")  # where YAML begins a line
_PARTS = late(r"(?:[^,(){}\[\]]|\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]|[(){}\[\]])+")
SCOPE = ("applyTo", "globs", "paths")
_LEAVES_OUT = frozenset({"excludeAgent", "exclude", "ignore", "paths-ignore"})
_SAID = frozenset({*SCOPE, "alwaysApply", "tools", "allowed-tools", "model", *_LEAVES_OUT})


def front_matter(text: str) -> tuple[tuple[Item, ...], tuple[str, ...], int]:
    """The keys at the top of a text that say what is looked at, the globs among them, and where the rest begins.

    One item for each entry of a list, or of a text with commas. What YAML cannot read is read by line: `globs: *.ts`
    is no YAML, and the way it is written.
    """
    begin = _BEGIN.match(text)
    end = _END.search(text, begin.end()) if begin else None
    if not begin or not end:
        return (), (), 0
    inner = text[begin.end() : end.start()]
    if not _ENTRY.search(inner):
        return (), (), 0
    read = _parsed(inner, begin.end())
    entries = list(_by_line(text, begin.end(), end.start()) if read is None else read)
    globs = tuple(dict.fromkeys(str(value) for key, value, _, _ in entries if key in SCOPE and value not in (None, "")))
    items = []
    for key, value, first, last in entries:
        if first < last <= len(text):
            said = str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())
            leaves_out = key in _LEAVES_OUT or said.startswith("!")
            items.append(Item(KEY, said, first, last, key=key, value=value, negative=leaves_out, scope=globs))
    return tuple(items), globs, end.end()


def _parsed(inner: str, base: int) -> list[Entry] | None:
    from sakaime.model import UserError
    from sakaime.policy.yamltext import parse

    try:
        document = parse(inner.encode("utf-8", "replace"), "")
    except UserError:
        return None
    if not isinstance(document.data, dict):
        return None
    starts = [0, *(found.end() for found in _BREAK.finditer(inner))]

    def offset(path: tuple[str | int, ...]) -> int:
        line, column = document.marks[path]
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(inner))

    out: list[Entry] = []
    for key, value in document.data.items():
        if key not in _SAID:
            continue
        listed = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for number, entry in listed:
            first = offset((key,) if number is None else (key, number))
            if isinstance(entry, str):
                out += _each(key, entry, inner, first, base)
            elif isinstance(entry, bool | int | float):
                shown = re.compile(r"[^\s,\]}#]*").match(inner, first)
                out.append((key, entry, base + first, base + (shown.end() if shown else first)))
    return out


def _by_line(text: str, begin: int, end: int) -> Iterator[Entry]:
    for found in _ENTRY.finditer(text, begin, end):
        if found["key"] not in _SAID:
            continue
        value = found["value"].split(" #")[0].strip()
        if value in ("true", "false"):
            yield found["key"], value == "true", found.start("value"), found.start("value") + len(value)
        elif value:
            yield from _each(found["key"], value.strip("[]\"'"), text, found.start("value"), 0)
        else:
            at = found.end()
            while entry := _LISTED.match(text, at, end):
                yield from _each(found["key"], entry["value"].strip().strip("\"'"), text, entry.start("value"), 0)
                at = entry.end()


def _each(key: str, value: str, text: str, at: int, base: int) -> Iterator[Entry]:
    """The entries of a text with commas, each where it is found from `at` on."""
    for found in _PARTS.finditer(value):
        if part := found[0].strip().strip("\"'"):
            first = text.find(part, at)
            if first < 0:  # escaped, or folded over lines
                first, last = at, at + len(text[at:].split("\n", 1)[0].rstrip())
            else:
                last = at = first + len(part)
            yield key, part, base + first, base + last
