"""Configuration as plain data, with the place of every key and value: the one shape of YAML, TOML and JSON."""

from __future__ import annotations

import re
import sys
import textwrap

from sakaime.model import Record, UserError
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ruamel.yaml.nodes import ScalarNode

    Path: TypeAlias = tuple["str | int", ...]
    Span: TypeAlias = tuple[int, int]

DEPTH = 50
_UNFOLDED = 200_000  # values that aliases bring in again: a bomb of a few lines unfolds to billions
_NUMBER = late(r"[-+]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][-+]?\d{1,3})?", re.A)
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\n]*\''
_PART = rf"(?:{_STRING}|[A-Za-z0-9_-]+)"
_TOML_KEY = late(rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*[ \t]*=[ \t]*")
_TOML_VALUE = late(
    r'(?s:"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5})'
    r"|(?s:'''[^']*(?:'(?!'')[^']*)*'{3,5})"
    rf"|{_STRING}"
    r"|[^\s,\]}#]+(?: \d[^\s,\]}#]*)?"  # a day and a time may stand apart
)


_DEEP_KEY = late(
    r"(?:\.[ \t]{0,8}(?:[A-Za-z0-9_-]{1,400}|\"[^\"\n]{0,400}\"|'[^'\n]{0,400}')[ \t]{0,8})" rf"{{{DEPTH}}}"
)
_LIMIT = 4 << 20


class Tree(Record):
    """The data of a text. By path: `keys` is where the key begins, `spans` the (start, end) of a value.

    `lines` is, of a text that is written over several lines and read as one, the text as it is written.
    """

    data: Any
    keys: dict[Path, int]
    spans: dict[Path, Span]
    lines: dict[Path, str]


def json_tree(text: str) -> Tree:
    """Reads JSON, with comments or without. Raises `ValueError` for anything else."""
    from sakaime.text import jsontree

    if not text.strip():
        return Tree(None, {}, {}, {})
    read = jsontree.parse(text)
    return Tree(read.data, read.keys, read.spans, {})


def toml_tree(text: str) -> Tree:
    """Reads TOML. Raises `ValueError` for anything else."""
    from sakaime.policy.tomlplaces import toml_places
    from sakaime.text.source import Source

    if len(text) > _LIMIT:
        raise ValueError(f"is larger than {_LIMIT >> 20} MiB")
    if deep := _DEEP_KEY.search(text):
        raise ValueError(f"is nested deeper than {DEPTH} levels (line {text.count(chr(10), 0, deep.end()) + 1})")
    data = _toml(text)
    starts = Source(text).starts
    keys: dict[Path, int] = {}
    spans: dict[Path, Span] = {}
    for path, (line, column) in toml_places(text).items():
        at = starts[line - 1] + column - 1
        begin = at
        if path and not isinstance(path[-1], int):
            keys[path] = at
            key = _TOML_KEY.match(text, at)
            begin = key.end() if key else at
        value = _TOML_VALUE.match(text, begin)
        spans[path] = (begin, value.end()) if value else (begin, begin + 1)
    return Tree(data, keys, spans, {})


def yaml_tree(text: str) -> Tree:
    """Reads one YAML document; merge keys (`<<`) and aliases bring in what they name, at the place that names it.

    Of a key that stands twice the last one counts. Raises `ValueError` for anything else.
    """
    from sakaime.policy.yamltext import compose

    try:
        node = compose(text.encode("utf-8", "surrogatepass"), "")
    except UserError as error:
        raise _told(error) from None
    reader = _Reader(text)
    return Tree(None if node is None else reader.value(node, (), None), reader.keys, reader.spans, reader.lines)


def _toml(text: str) -> Any:
    if sys.version_info < (3, 11):
        from sakaime.policy.settings import toml_document

        try:
            return toml_document(text.encode("utf-8", "surrogatepass"), "")
        except UserError as error:
            raise _told(error) from None
    else:  # tomlkit takes time by the square of the keys that a dotted key shares its table with
        import tomllib

        try:
            return tomllib.loads(text)
        except RecursionError:
            raise ValueError("is nested too deep") from None
        except ValueError as error:
            raise ValueError(f"is not valid TOML: {error}".split("\n")[0]) from None


def _told(error: UserError) -> ValueError:
    return ValueError(error.message + (f" (line {error.line})" if error.line else ""))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: dict[Path, int] = {}
        self.spans: dict[Path, Span] = {}
        self.lines: dict[Path, str] = {}
        self.seen: set[int] = set()
        self.unfolded = 0

    def value(self, node: Any, path: Path, place: Span | None, named: Span = (0, 0)) -> Any:
        """`named` is where the text names it; `place` is where what an alias brings in is told of."""
        line = node.start_mark.line + 1
        if len(path) > DEPTH:
            raise ValueError(f"is nested deeper than {DEPTH} levels (line {line})")
        if id(node) in self.seen:
            place = place or named
            self.unfolded += 1
            if self.unfolded > _UNFOLDED:
                raise ValueError(f"unfolds to more than {_UNFOLDED} values (line {line})")
        self.seen.add(id(node))
        span = place or (node.start_mark.index, node.end_mark.index)
        self.spans[path] = span
        if node.id == "sequence":
            return [self.value(item, (*path, number), place, span) for number, item in enumerate(node.value)]
        if node.id == "mapping":
            return self.mapping(node, path, place)
        return self.scalar(node, path)

    def mapping(self, node: Any, path: Path, place: Span | None) -> dict[str, Any]:
        out: dict[str, Any] = {}
        merged: list[tuple[Any, Span]] = []
        for key_node, value_node in node.value:
            if key_node.id != "scalar":
                raise ValueError(f"a key must be a plain word (line {key_node.start_mark.line + 1})")
            span = place or (key_node.start_mark.index, key_node.end_mark.index)
            if key_node.value == "<<" and key_node.style is None:
                several = value_node.value if value_node.id == "sequence" else [value_node]
                merged += [(other, span) for other in several if other.id == "mapping"]
                continue
            key = str(key_node.value)
            self.keys[(*path, key)] = span[0]
            out[key] = self.value(value_node, (*path, key), place, span)
        for other, span in merged:
            brought = [(k, v) for k, v in other.value if k.id == "scalar" and k.value != "<<" and k.value not in out]
            for key_node, value_node in brought:
                self.keys[(*path, key_node.value)] = span[0]
                out[key_node.value] = self.value(value_node, (*path, key_node.value), span, span)
        return out

    def scalar(self, node: ScalarNode, path: Path) -> Any:
        """By the core schema of YAML 1.2. Text written over several lines is kept as it is written, too."""
        text: str = node.value
        start, end = node.start_mark.index, node.end_mark.index
        if node.style == ">" or (node.style != "|" and node.start_mark.line != node.end_mark.line):
            written = self.text[start:end]
            if node.style == ">":
                written = textwrap.dedent(written.partition("\n")[2])
            elif node.style is not None:
                written = written.strip("\"' ")
            self.lines[path] = written if "\\" not in written else text
        tag = str(node.ctag) if node.ctag is not None else ""
        return text if node.style is not None or tag == "tag:yaml.org,2002:str" else _plain(text)


def _plain(text: str) -> bool | int | float | str | None:
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if len(text) < 400 and _NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    return text
