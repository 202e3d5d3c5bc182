"""YAML as plain data, with the line and column of every key and value."""

from __future__ import annotations

import re
import warnings
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from sakaime.model import Record, UserError

Path: TypeAlias = tuple["str | int", ...]
Marks: TypeAlias = "dict[Path, tuple[int, int]]"

LIMIT = 4 << 20
_UNFOLDED = 200_000  # values that aliases bring in again: a bomb of a few lines unfolds to billions
_DEPTH = 50
# ruamel's scanner looks at every open bracket for each further one.
_NESTED = re.compile(rf"[\[{{](?:[^\[\]{{}}\n]*[\[{{]){{{_DEPTH}}}")


class Document(Record):
    """The data of a YAML text. `marks` gives (line, column) from 1 by path; `keys` the place of a key."""

    path: str
    data: Any
    marks: Marks
    keys: Marks

    def place(self, path: Path) -> tuple[int, int]:
        """(line, column) of the value at a path, or of the nearest thing around it that exists."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.marks:
                return self.marks[path[:length]]
        return 1, 1


def parse_kept(source: bytes, path: str) -> Document:
    """The same as `parse`, of what is read again and again: a pack."""
    from sakaime.policy.memory import remembered

    def read() -> tuple[Any, Marks, Marks]:
        document = parse(source, path)
        return document.data, document.marks, document.keys

    return Document(path, *remembered("yaml", [source], read))


def parse(source: bytes, path: str) -> Document:
    """Reads one YAML document. Raises `UserError` with file, line and column for anything that is not one."""
    node = compose(source, path)
    if node is None:
        raise UserError("is empty", path=path, line=1, column=1)
    return _Reader(path).read(node)


def compose(source: bytes, path: str) -> Node | None:
    """The node of one YAML document, with marks that count from 0 behind a byte order mark; None of an empty one.

    Raises `UserError` with file, line and column for anything that is not one.
    """
    if len(source) > LIMIT:
        raise UserError(f"is larger than {LIMIT >> 20} MiB", path=path, way_out="Split it into several files.")
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _place(source[: error.start].decode("utf-8", "replace"))
        said = f"is not UTF-8 at byte {error.start}"
        raise UserError(said, path=path, line=line, column=column, way_out="Save it as UTF-8.") from None
    if deep := _NESTED.search(text):
        line, column = _place(text[: deep.end() - 1])
        raise UserError(f"is nested deeper than {_DEPTH} levels", path=path, line=line, column=column)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor used again is YAML, and printed nowhere
            node: Node | None = YAML(typ="rt", pure=True).compose(text)
    except ReaderError as error:
        line, column = _place(text[: error.position])
        raise UserError(
            f"is not valid YAML: holds U+{error.character:04X}", path=path, line=line, column=column, way_out=_CONTROL
        ) from None
    except MarkedYAMLError as error:
        ended = "end of stream" in str(error.problem)  # what was left open tells more than the end
        mark = (error.context_mark if ended else None) or error.problem_mark or error.context_mark
        where = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
        raise UserError(f"is not valid YAML: {error.problem or error.context}", path=path, **where) from None
    except RecursionError:
        raise UserError(f"is nested deeper than {_DEPTH} levels", path=path, line=1, column=1) from None
    except (YAMLError, ValueError) as error:
        raise UserError(f"is not valid YAML: {error}".split("\n")[0], path=path, line=1, column=1) from None
    return node


_LINE_END = re.compile(r"\r\n|[\r\n]")
_CONTROL = "YAML holds no control characters; in double quotes they can be written as escapes."


def _place(before: str) -> tuple[int, int]:
    """(line, column) of what follows a text."""
    ends = list(_LINE_END.finditer(before))
    return len(ends) + 1, len(before) - (ends[-1].end() if ends else 0) + 1


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.marks: Marks = {}
        self.keys: Marks = {}
        self.seen: set[int] = set()
        self.unfolded = 0

    def read(self, node: Node) -> Document:
        return Document(self.path, self.value(node, ()), self.marks, self.keys)

    def fail(self, node: Node, message: str, way_out: str | None = None, wrong: str | None = None) -> UserError:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        return UserError(message, path=self.path, line=line, column=column, way_out=way_out, wrong=wrong)

    def value(self, node: Node, path: Path) -> Any:
        if id(node) in self.seen:
            self.unfolded += 1
            if self.unfolded > _UNFOLDED:
                said = f"unfolds to more than {_UNFOLDED} values"
                raise self.fail(node, said, "Write repeated parts out, without aliases.")
        self.seen.add(id(node))
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
                    raise self.fail(
                        key_node,
                        f"the key {key!r} stands twice (first in line {first[0]})",
                        "Keep one of the two.",
                        key,
                    )
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
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise self.fail(node, "holds half of a surrogate pair, which is no character")
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
