"""Files of one value a line: dotenv, properties, INI, shell scripts, Dockerfiles, units of systemd; and whatever else.

Each reads line by line, so that nothing broken in one line is felt in the next.
"""

from __future__ import annotations

import re

from sakaime.checks.secrets.pair import Pair
from sakaime.checks.secrets.readers.escapes import unescaped
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 20_000  # characters of a line that are read
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'"
_DOTENV = late(
    rf"[ \t]*(?:export[ \t]+|set[ \t]+|-[ \t]+)?(?P<key>[A-Za-z_\u0080-\U0010ffff][\w.\-]*)[ \t]*=[ \t]*"
    rf"(?P<value>{_STRING}|[^\n]*)"
)
_PROPERTY = late(r"[ \t]*(?P<key>(?:[^\s=:#!\\;\[\]]|\\.)(?:[^=:\s\\]|\\.)*)[ \t]*[=:][ \t]*(?P<value>[^\n]*)")
_INI = late(
    r"[ \t]*(?P<key>(?://[\w.\-/]{1,80}:)?"
    r"[^\s=:#;\[\]\"'(){}<>,][^=:\n\"'(){}<>,]{0,80}?)[ \t]*(?:=>?|:(?![/:=]))[ \t]*(?P<value>[^\n]*)"
)
_WORDS = late(r"[ \t]*(?P<key>[A-Za-z][\w.\-]*)[ \t]+(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s;#]+)[ \t]*;?[ \t]*$")
_DIRECTIVE = late(
    r"[ \t]*[A-Za-z_]\w*[ \t]+(?:set[ \t]+)?"
    r"[\"']?(?P<key>[$\w][\w.\-]*)[\"']?[ \t]+(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s;#]+)[ \t]*;?[ \t]*$"
)
_HOST = late(r"[ \t]*[\w.\-\[\]:]+(?:[ \t]+[A-Za-z_]\w*=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']+))+[ \t]*$")
_SECTION = late(r"[ \t]*\[+([^\[\]\n]{1,200})\]+[ \t]*(?:[#;].*)?$")
_ASSIGNED = late(rf"(?<![\w.$\-/])(?P<key>[A-Za-z_]\w*)=(?P<value>{_STRING}|\$\{{[^}}\n]*\}}|[^\s;&|()\"'`]+)")
_FLAG = late(
    rf"(?<![\w])--?(?P<key>[A-Za-z][A-Za-z0-9_\-]{{2,40}})(?:=|[ \t]+)"
    rf"(?P<value>{_STRING}|[^\s;&|()\"'`\-][^\s;&|()\"'`]*)"
)
_HEADER = late(r"[\"'](?P<key>[A-Za-z][A-Za-z\-]{2,40}):[ \t]*(?P<value>[^\"'\n]+)[\"']")
_USER = late(r"(?<!\w)(?:-u|--user)[ \t=]+[\"']?(?P<user>[^\s:\"']+):(?P<value>[^\s\"']+)[\"']?")
_ORACLE = late(
    r"(?<![\w\-])(?:sqlplus|sqlldr|expdp|impdp|rman|sqlcl)\b[^\n|;&]{0,200}?[ \t\"'](?P<user>[A-Za-z_]\w{0,60})/"
    r"\"?(?P<value>[^\s@\"'$/]{2,100})\"?(?=@|[ \t]|$)"
)
_DEFAULT = late(r"\$\{(?P<key>[A-Za-z_]\w{1,80}):?[-=](?P<value>[^${}\"'\n]{1,400})\}")
_LOOSE = late(
    rf"(?P<q>[\"']?)(?P<key>[\w.\-$]{{2,80}})(?P=q)[ \t]*(?::=|=>|[=:])[ \t]*"
    rf"(?P<value>{_STRING}|[^\s,;\"'(){{}}\[\]<>]+)"
)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        stop = end - 1 if end > at and text[end - 1] == "\r" else end
        yield at, min(stop, at + _MOST)
        at = end + 1


def _pair(text: str, keys: tuple[str, ...], start: int, end: int, comment: str = "", code: bool = False) -> Pair | None:
    """The value in a range of a line: without blanks around it, a comment behind it, and its quotes."""
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t;,\r":
        end -= 1
    if start == end:
        return None
    quote = text[start]
    if quote in "\"'":
        close = _close(text, quote, start + 1, end)
        if close > start:
            raw = text[start + 1 : close]
            return Pair(keys, unescaped(raw) if quote == '"' else raw, start + 1, close, code=code) if raw else None
        return None
    if comment:
        cut = re.search(rf"(?<![ \t])[ \t]+[{re.escape(comment)}]", text[start:end])
        if cut:
            end = start + cut.start()
    return Pair(keys, text[start:end], start, end, code=code) if end > start else None


def _close(text: str, quote: str, at: int, end: int) -> int:
    while at < end:
        if text[at] == "\\" and quote == '"':
            at += 2
            continue
        if text[at] == quote:
            return at
        at += 1
    return -1


def dotenv(text: str) -> Iterator[Pair]:
    """`KEY=value`, with quotes, `export`, and comments."""
    for start, end in _lines(text):
        if (found := _DOTENV.match(text, start, end)) is None:
            continue
        if pair := _pair(text, (found["key"],), *found.span("value"), "#"):
            yield pair


def properties(text: str) -> Iterator[Pair]:
    """`a.b.c = value`, `a.b.c: value`."""
    for start, end in _lines(text):
        if text[start:end].lstrip()[:1] in ("#", "!", ""):
            continue
        if found := _PROPERTY.match(text, start, end):
            first, last = found.span("value")
            keys = tuple(part for part in found["key"].replace("\\", "").split(".") if part)
            if pair := _pair(text, keys, first, last):
                yield pair


def ini(text: str) -> Iterator[Pair]:
    """Sections in brackets, `key = value`, `key: value`, `key value`; comments with `;` and `#`."""
    section: tuple[str, ...] = ()
    for start, end in _lines(text):
        line = text[start:end]
        if line.lstrip()[:1] in ("#", ";", "!", "") or (line.lstrip()[:1] == "/" and "=" not in line):
            continue
        if _HOST.match(text, start, end):  # an inventory: a host and its variables
            yield from _assigned(text, start, end)
            continue
        if (found := _SECTION.match(text, start, end)) is not None:
            section = tuple(part.strip("\"' ") for part in found[1].split(".")[:6])
            continue
        found = _INI.match(text, start, end) or _WORDS.match(text, start, end) or _DIRECTIVE.match(text, start, end)
        if found is None:
            continue
        name = found["key"].strip("\"'")
        keys = (*section, *([name] if "/" in name else [part.strip() for part in name.split(".")]))
        if found["key"] in ("Environment", "SetEnv", "env", "environment") and "=" in found["value"]:
            yield from _assigned(text, found.start("value"), end)
        elif pair := _pair(text, keys, *found.span("value"), "#;"):
            yield pair


def _assigned(text: str, start: int, end: int) -> Iterator[Pair]:
    stretch = text[start:end]
    at = start
    if stretch[:1] in "\"'" and stretch[:1]:  # systemd: the quotes are around key and value
        for found in re.finditer(r"(?P<q>[\"'])(?P<key>\w+)=(?P<value>[^\"'\n]*)(?P=q)", stretch):
            if found["value"]:
                yield Pair((found["key"],), found["value"], at + found.start("value"), at + found.end("value"))
        return
    for found in _ASSIGNED.finditer(text, start, end):
        if pair := _pair(text, (found["key"],), *found.span("value")):
            yield pair


def shell(text: str) -> Iterator[Pair]:
    """Assignments, flags of commands, headers, `-u user:password`."""
    for start, end in _lines(text):
        line = text[start:end]
        bare = line.lstrip()
        if not bare or bare[0] == "#":
            continue
        comment = re.search(r"(?:^|[ \t])#", line)
        stop = start + comment.start() if comment and line[: comment.start()].count('"') % 2 == 0 else end
        taken: set[int] = set()
        held: list[tuple[int, int]] = []
        for pattern in (_ASSIGNED, _FLAG, _HEADER):
            for found in pattern.finditer(text, start, stop):
                pair = _pair(text, (found["key"],), *found.span("value"))
                if pair is not None and pair.start not in taken:
                    taken.add(pair.start)
                    held.append((pair.start, pair.end))
                    yield pair
        for found in _DEFAULT.finditer(text, start, stop):
            if not any(first <= found.start() < last for first, last in held):
                yield Pair((found["key"],), found["value"], *found.span("value"), fallback=True)
        for found in _USER.finditer(text, start, stop):
            yield Pair(("user", "password"), found["value"], *found.span("value"))
        for found in _ORACLE.finditer(text, start, stop) if "sql" in line or "dp" in line or "rman" in line else ():
            yield Pair((found["user"], "password"), found["value"], *found.span("value"))


_MADE = late(
    r"(?:export[ \t]+|override[ \t]+)?(?P<key>[A-Za-z_][\w.\-]*)[ \t]*(?P<sign>[?:+]{0,3}=)[ \t]*(?P<value>[^\n]*)"
)
_OR_DEFAULT = late(
    r"env(?:_var_or_default)?\([ \t]*[\"'](?P<key>\w+)[\"'][ \t]*,[ \t]*[\"'](?P<value>[^\"'\n]+)[\"'][ \t]*\)"
)


def makefile(text: str) -> Iterator[Pair]:
    """`KEY ?= value`, `key := "value"`, `env_var_or_default("KEY", "value")`, and what the recipes run."""
    for start, end in _lines(text):
        found = None if text[start : start + 1] in (" ", "\t", "#") else _MADE.match(text, start, end)
        if found is not None and (calls := list(_OR_DEFAULT.finditer(text, start, end))):
            for call in calls:
                keys = (found["key"], call["key"])
                yield Pair(keys, call["value"], *call.span("value"), fallback=True, also=keys[:1])
        elif found is not None and (pair := _pair(text, (found["key"],), *found.span("value"), "#")):
            yield pair.replace(fallback=found["sign"] == "?=")
    yield from shell(text)


_DOCKER = late(r"[ \t]*(?P<word>ENV|ARG|env|arg)[ \t]+(?P<rest>[^\n]*)")
_OLD_ENV = late(r"(?P<key>[A-Za-z_]\w*)[ \t]+(?P<value>[^\n]+)")


def dockerfile(text: str) -> Iterator[Pair]:
    """`ENV K=v`, `ENV K v`, `ARG K=v`, continued lines, and what `RUN` runs."""
    for start, end in _lines(text):
        found = _DOCKER.match(text, start, end)
        if found is not None and "=" not in found["rest"].split(" ")[0]:
            old = _OLD_ENV.match(text, found.start("rest"), end)
            if old and (pair := _pair(text, (old["key"],), *old.span("value"))):
                yield pair
    yield from shell(text)


def loose(text: str) -> Iterator[Pair]:
    """What looks like a name and its value, in a text of which nothing else is known."""
    for start, end in _lines(text):
        for found in _LOOSE.finditer(text, start, end):
            if pair := _pair(text, (found["key"],), *found.span("value"), code=True):
                yield pair
