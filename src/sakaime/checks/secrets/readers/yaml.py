"""YAML, and what is YAML but for the templates in it (Helm, Jinja, ERB).

Read line by line by indentation. The parsers at hand give nothing for a chart's template, which is no YAML before it is
filled in, take a tenth of a second to load, and read some hundred kilobytes a second; `tests/test_secrets_readers.py`
holds this reader against one of them. What it does not follow (`? ` keys, plain values over several lines) it reads by
its first line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sakaime.checks.secrets.pair import Pair, moved, named
from sakaime.checks.secrets.readers.escapes import unescaped
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH = 200
_KEY_END = late(r":(?=[ \t]|$)")
_QUOTED_KEY = late(r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)')[ \t]*:(?=[ \t]|$)")
_BLOCK = late(r"[|>][+-]?[1-9]?[+-]?[ \t]*(?:#.*)?$")
_PROPERTY = late(r"(?:[&!][^\s,\[\]{}]*)(?:[ \t]+|$)")
_COMMENT = late(r"(?<![ \t])[ \t]+#")
_TEMPLATE_LINE = late(r"\{\{-?.*-?\}\}$|\{%.*%\}$|<%.*%>$")
_ITEM = late(r"([A-Za-z_][\w.]*)=(.*)", re.S)
_MOST = 20_000
# Keys whose text is a script, and such whose text is a file of another kind.
_SCRIPTS = frozenset("run script command commands args before_script after_script entrypoint shell cmd exec".split())


# Kinds of Kubernetes objects that name secrets and hold none.
_NO_VALUES = late(
    r"(?:Cluster)?(?:ExternalSecret|SecretStore|PushSecret)$|SealedSecret$|SecretProviderClass$|Vault(?:Static|Dynamic|PKI)Secret$"
    r"|OnePasswordItem$|SopsSecret$|CustomResourceDefinition$"
)


class Document(Record):
    """One document of a file: where it stands, and its pairs."""

    start: int
    end: int
    pairs: tuple[Pair, ...]


def documents(text: str) -> Iterator[Document]:
    """The documents of a text, each with its values."""
    bounds = [0, *(found.end() for found in re.finditer(r"^---(?=[ \t\r\n]|\Z)", text, re.M)), len(text)]
    for start, end in pairwise(bounds):
        if start < end:
            found = list(named(_Reader(text, start, end).read()))
            yield Document(start, end, tuple(_decoded(found)))


def pairs(text: str) -> Iterator[Pair]:
    """The values of all documents under their keys."""
    for document in documents(text):
        yield from document.pairs


def _decoded(found: list[Pair]) -> Iterator[Pair]:
    """The pairs, those of `data` of a Kubernetes Secret marked as base64."""
    if any(pair.keys[-1:] == ("kind",) and _NO_VALUES.match(pair.value) for pair in found):
        return
    secrets = {pair.keys[:-1] for pair in found if pair.keys[-1:] == ("kind",) and pair.value == "Secret"}
    for pair in found:
        coded = bool(secrets) and any(
            pair.keys[:-2] == around and pair.keys[-2:-1] == ("data",) for around in secrets if len(pair.keys) > 1
        )
        yield pair.replace(coded=True) if coded else pair


class _Reader:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.at = start
        self.end = end
        # Per open level: its indentation, and the name that it adds.
        self.stack: list[tuple[int, str]] = []
        self.items: set[int] = set()  # the depths of those that are items of a list
        self.counts: dict[tuple[str, ...], int] = {}
        self.closed = {'"': True, "'": True}

    def read(self) -> Iterator[Pair]:
        while self.at < self.end:
            start = self.at
            stop = self.text.find("\n", start, self.end)
            stop = self.end if stop < 0 else stop
            self.at = stop + 1
            line_end = stop - 1 if stop > start and self.text[stop - 1] == "\r" else stop
            yield from self._line(start, min(line_end, start + _MOST))

    def _line(self, start: int, end: int) -> Iterator[Pair]:
        text, at = self.text, start
        while at < end and text[at] == " ":
            at += 1
        if at == end or (text[at] in "#%\t" and text[at : at + 1] != "%") or text.startswith("...", at):
            return
        if text[at] in "{<" and _TEMPLATE_LINE.match(text[at:end]):
            return
        if not (text.startswith("- ", at) or (text[at] == "-" and at + 1 == end)):
            self._close(at - start)
        while text.startswith("- ", at) or (text[at] == "-" and at + 1 == end):
            indent = at - start
            self._close_items(indent)
            around = tuple(name for _, name in self.stack)
            number = self.counts[around] = self.counts.get(around, -1) + 1
            if len(self.stack) < _DEPTH:
                self.stack.append((indent, str(number)))
                self.items.add(len(self.stack))
            at += 1
            while at < end and text[at] == " ":
                at += 1
            if at == end:
                return
        yield from self._entry(start, at, end)

    def _close(self, indent: int) -> None:
        while self.stack and self.stack[-1][0] >= indent:
            self.items.discard(len(self.stack))
            self.stack.pop()

    def _close_items(self, indent: int) -> None:
        """Closes what a dash ends. It may stand as far left as the key of its list."""
        while self.stack and (
            self.stack[-1][0] > indent or (self.stack[-1][0] == indent and len(self.stack) in self.items)
        ):
            self.items.discard(len(self.stack))
            self.stack.pop()

    def _entry(self, start: int, at: int, end: int) -> Iterator[Pair]:
        """What stands at a place of a line: a key with its value, or a value of a list."""
        key, behind = self._key(at, end)
        if key is None:
            yield from self._value(at, end, at - start, ())
            return
        while behind < end and self.text[behind] in " \t":
            behind += 1
        if len(self.stack) < _DEPTH:
            self.stack.append((at - start, key))
        yield from self._value(behind, end, at - start, (key,))

    def _key(self, at: int, end: int) -> tuple[str | None, int]:
        text = self.text
        if text[at] in "\"'":
            if found := _QUOTED_KEY.match(text, at, end):
                return found[1] if found[1] is not None else found[2], found.end()
            return None, at
        if text[at] in "{[|>&*#!" and not text.startswith("{{", at):
            return None, at
        found_end = _KEY_END.search(text, at, end)
        if found_end is None:
            return None, at
        name = text[at : found_end.start()].rstrip()
        if not name or len(name) > 300 or " #" in name or "{{" in name.split("}}")[-1]:
            return None, at
        return name, found_end.end()

    def _value(self, at: int, end: int, indent: int, _key: tuple[str, ...]) -> Iterator[Pair]:
        text = self.text
        tagged = ""
        while (found := _PROPERTY.match(text, at, end)) is not None and found.end() > at:
            tagged += found[0] if found[0][:1] == "!" else ""
            at = found.end()
        if at >= end or text[at] in "*#":
            return
        if any(tag in tagged for tag in ("!vault", "!reference", "!Ref", "!Sub", "!GetAtt", "!encrypted", "!secret")):
            if _BLOCK.match(text, at, end):
                self._block(indent)
            return
        keys = tuple(name for _, name in self.stack)
        if _BLOCK.match(text, at, end):
            yield from self._of_block(keys, *self._block(indent))
        elif text[at] in "\"'":
            yield from self._quoted(keys, at, end)
        elif text[at] in "{[" and not text.startswith("{{", at) and not text.startswith("{%", at):
            yield from self._flow(keys, at)
        else:
            cut = _COMMENT.search(text, at, end)
            stop = cut.start() if cut else end
            while stop > at and text[stop - 1] in " \t":
                stop -= 1
            yield from _item(Pair(keys, text[at:stop], at, stop))

    def _quoted(self, keys: tuple[str, ...], at: int, end: int) -> Iterator[Pair]:
        text, quote = self.text, self.text[at]
        close = at + 1
        limit = min(self.end, at + _MOST)
        while close < limit:
            if text[close] == "\\" and quote == '"':
                close += 2
                continue
            if text[close] == quote:
                if quote == "'" and text[close + 1 : close + 2] == "'":
                    close += 2
                    continue
                break
            close += 1
        else:
            yield Pair(keys, text[at + 1 : end], at + 1, end)
            return
        raw = text[at + 1 : close]
        value = unescaped(raw) if quote == '"' else raw.replace("''", "'")
        if "\n" in raw:
            value = " ".join(value.split())
            stop = text.find("\n", close, self.end)
            self.at = self.end if stop < 0 else stop + 1
        if raw:
            yield from _item(Pair(keys, value, at + 1, close))

    def _flow(self, keys: tuple[str, ...], at: int) -> Iterator[Pair]:
        """A collection in brackets, which may go over several lines."""
        text, depth, close, quote = self.text, 0, at, ""
        limit = min(self.end, at + _MOST)
        while close < limit:
            char = text[close]
            if quote:
                if char == "\\" and quote == '"':
                    close += 1
                elif char == quote:
                    quote = ""
            elif char in "\"'" and text[close - 1] in " \t\n,:[{":
                quote = char
            elif char in "{[":
                depth += 1
            elif char in "}]":
                depth -= 1
                if depth == 0:
                    break
            close += 1
        close = min(close + 1, limit)
        stretch = text[at:close]
        if "\n" in stretch and close < limit:
            stop = text.find("\n", close, self.end)
            self.at = self.end if stop < 0 else stop + 1
        from sakaime.checks.secrets.readers import code

        yield from moved(code.pairs(stretch, code.FLOW), at, keys)
        yield from moved(_bare(stretch), at, keys)

    def _block(self, indent: int) -> tuple[int, int]:
        """The lines of a block scalar, which begins with the next line."""
        text, first, at = self.text, self.at, self.at
        while at < self.end:
            stop = text.find("\n", at, self.end)
            stop = self.end if stop < 0 else stop
            line = text[at:stop]
            bare = line.strip()
            if bare and len(line) - len(line.lstrip(" ")) <= indent and not bare.startswith("{{"):
                break
            at = stop + 1
        self.at = at
        return first, min(at, self.end)

    def _of_block(self, keys: tuple[str, ...], first: int, last: int) -> Iterator[Pair]:
        body = self.text[first:last]
        value = body.strip()
        if not value or len(body) > 50 * _MOST:
            return
        start = first + len(body) - len(body.lstrip())
        content = "\n".join(line.strip() for line in value.split("\n"))
        name = keys[-1].lower() if keys else ""
        from sakaime.checks.secrets.readers import lines

        if "\n" not in value or len(value) <= 8000:
            yield Pair(keys, content, start, start + len(value))
        if name in _SCRIPTS:
            yield from moved(lines.shell(body), first)
        elif "\n" in value or "=" in value:
            yield from moved(lines.ini(body), first)


_BARE = late(r"(?<=[{,])\s*(?P<key>[A-Za-z_][\w.\-]*)[ \t]*:[ \t]+(?P<value>[^\s,{}\[\]\"'][^,{}\[\]\"'\n]*)")


def _bare(flow: str) -> Iterator[Pair]:
    """`{key: value}` without quotes around the value."""
    for found in _BARE.finditer(flow):
        value = found["value"].rstrip()
        start = found.start("value")
        yield Pair((found["key"],), value, start, start + len(value))


def _item(pair: Pair) -> Iterator[Pair]:
    """A value of a list such as `KEY=value` under that name."""
    if pair.keys and pair.keys[-1].isdigit() and (found := _ITEM.match(pair.value)) is not None:
        cut = found.start(2)
        exact = pair.end - pair.start == len(pair.value)
        start = pair.start + cut if exact else pair.start
        value = found[2]
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            yield Pair((*pair.keys[:-1], found[1]), value[1:-1], start + exact, pair.end - exact)
        elif value:
            yield Pair((*pair.keys[:-1], found[1]), value, start, pair.end)
        return
    if pair.keys and (pair.keys[-1].isdigit() or pair.keys[-1].lower() in _SCRIPTS) and " " in pair.value:
        exact = pair.end - pair.start == len(pair.value)
        if exact:
            from sakaime.checks.secrets.readers import lines

            yield from moved(lines.shell(pair.value), pair.start)
    yield pair
