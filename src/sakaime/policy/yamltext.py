"""YAML as plain data, with the line and column of every key and value."""

from __future__ import annotations

from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sakaime.model import UserError

Path: TypeAlias = tuple["str | int", ...]
Marks: TypeAlias = "dict[Path, tuple[int, int]]"

LIMIT = 4 << 20
_NODES = 500_000  # an alias bomb of a few lines unfolds to billions
_DEPTH = 50


class Document:
    """The data of a YAML text. `marks` gives (line, column) from 1 by path; `keys` the place of a key."""

    def __init__(self, path: str, data: Any, marks: Marks, keys: Marks) -> None:
        self.path = path
        self.data = data
        self.marks = marks
        self.keys = keys

    def place(self, path: Path) -> tuple[int, int]:
        """(line, column) of the value at a path, or of the nearest thing around it that exists."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.marks:
                return self.marks[path[:length]]
        return 1, 1


def parse(source: bytes, path: str) -> Document:
    """Reads one YAML document. Raises `UserError` with file, line and column for anything that is not one."""
    if len(source) > LIMIT:
        raise UserError(f"is larger than {LIMIT >> 20} MiB", path=path, way_out="Split it into several files.")
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"is not UTF-8 at byte {error.start}", path=path, way_out="Save it as UTF-8.") from None
    try:
        node = YAML(typ="rt", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
        raise UserError(f"is not valid YAML: {error.problem or error.context}", path=path, **where) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"is not valid YAML: {error}".split("\n")[0], path=path) from None
    if node is None:
        raise UserError("is empty", path=path)
    return _Reader(path).read(node)


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.marks: Marks = {}
        self.keys: Marks = {}
        self.visited = 0

    def read(self, node: Node) -> Document:
        return Document(self.path, self.value(node, ()), self.marks, self.keys)

    def fail(self, node: Node, message: str, way_out: str | None = None) -> UserError:
        mark = node.start_mark
        return UserError(message, path=self.path, line=mark.line + 1, column=mark.column + 1, way_out=way_out)

    def value(self, node: Node, path: Path) -> Any:
        self.visited += 1
        if self.visited > _NODES:
            raise self.fail(node, f"unfolds to more than {_NODES} values", "Write repeated parts out, without aliases.")
        if len(path) > _DEPTH:
            raise self.fail(node, f"is nested deeper than {_DEPTH} levels")
        self.marks[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, MappingNode):
            out: dict[str, Any] = {}
            for key_node, value_node in node.value:
                if not isinstance(key_node, ScalarNode):
                    raise self.fail(key_node, "a key must be a plain word")
                key = key_node.value
                if key in out:
                    first = self.keys[(*path, key)]
                    raise self.fail(key_node, f"the key {key!r} stands twice (first in line {first[0]})")
                self.keys[(*path, key)] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
                out[key] = self.value(value_node, (*path, key))
            return out
        if isinstance(node, SequenceNode):
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        assert isinstance(node, ScalarNode)
        return self.scalar(node)

    def scalar(self, node: ScalarNode) -> Any:
        """YAML 1.2 core schema: null, booleans, integers, floats; all else is a string."""
        text: str = node.value
        if node.style is not None or (node.ctag is not None and str(node.ctag) == "tag:yaml.org,2002:str"):
            return text
        if text in ("", "~", "null", "Null", "NULL"):
            return None
        if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
            return text.lower() == "true"
        try:
            return int(text) if text.lstrip("+-").isascii() and text.lstrip("+-").isdigit() else text
        except ValueError:
            return text
