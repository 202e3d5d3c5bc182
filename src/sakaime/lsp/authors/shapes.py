"""What may stand where in packs, settings and lock, and what it means: taken from the models that read them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

from sakaime.model import Record
from sakaime.packs.lock import Lock
from sakaime.policy.schema import Pack, Pattern
from sakaime.policy.settings import Settings
from sakaime.policy.yamltext import Path

_MODELS: dict[str, type[BaseModel]] = {"pack": Pack, "settings": Settings, "pyproject": Settings, "lock": Lock}
Schema = dict[str, Any]


class Key(Record):
    """A key that can stand somewhere. `holds` says what its value is: text, list, table, ...; `needed` that it must be
    there; `default` is JSON."""

    name: str
    description: str
    holds: str
    needed: bool
    default: Any = None


@lru_cache
def _schema(kind: str) -> Schema:
    return _MODELS[kind].model_json_schema(by_alias=True)


@lru_cache
def _pattern() -> Schema:
    return TypeAdapter(Pattern).json_schema()


def keys(kind: str, path: Path) -> list[Key]:
    """The keys of the mapping at a path of the data, in order; none where there is no such mapping."""
    found: dict[str, Key] = {}
    for shape in _at(kind, path):
        for name, value in shape.get("properties", {}).items():
            found.setdefault(name, _key(kind, name, value, name in shape.get("required", ())))
        names = _plain(kind, shape.get("propertyNames", {}))
        for name in names.get("enum", [names["const"]] if "const" in names else []):
            found.setdefault(name, Key(name, "", "", False))
    return list(found.values())


def key(kind: str, path: Path) -> Key | None:
    """What the model says of the key at a path; None of one that it does not know."""
    if not path or not isinstance(path[-1], str):
        return None
    return next((one for one in keys(kind, path[:-1]) if one.name == path[-1]), None)


def values(kind: str, path: Path) -> list[str]:
    """The values that can stand at a path, where there are only some."""
    found: dict[str, None] = {}
    for shape in _at(kind, path):
        for value in shape.get("enum", [shape["const"]] if "const" in shape else []):
            found[str(value)] = None
        if shape.get("type") == "boolean":
            found |= {"true": None, "false": None}
    return list(found)


def is_pattern(kind: str, path: Path) -> bool:
    """Whether what stands at a path is an RE2 pattern."""
    return any(all(shape.get(name) == value for name, value in _pattern().items()) for shape in _at(kind, path))


def is_mapping(kind: str, path: Path) -> bool:
    """Whether a mapping can stand at a path."""
    return any(shape.get("type") == "object" for shape in _at(kind, path))


def _key(kind: str, name: str, value: Schema, needed: bool) -> Key:
    types = {str(shape.get("type", "")) for shape in _each(kind, value)} - {"null"}
    holds = _HOLDS.get(next(iter(types)), "") if len(types) == 1 else ""
    inner = next((shape for shape in _each(kind, value) if shape.get("enum")), {})
    description = value.get("description") or inner.get("description") or ""
    return Key(name, description, holds, needed, value.get("default"))


_HOLDS = {
    "string": "text", "integer": "number", "boolean": "true or false", "array": "list", "object": "table",
}  # fmt: skip


def _plain(kind: str, shape: Schema) -> Schema:
    """A schema, with what it refers to in its place."""
    while "$ref" in shape:
        named: Schema = _schema(kind).get("$defs", {}).get(shape["$ref"].rsplit("/", 1)[-1], {})
        shape = {**named, **{name: value for name, value in shape.items() if name != "$ref"}}
    return shape


def _each(kind: str, shape: Schema) -> Iterator[Schema]:
    """The alternatives of a schema."""
    shape = _plain(kind, shape)
    if "anyOf" in shape:
        for one in shape["anyOf"]:
            yield from _each(kind, one)
    else:
        yield shape


def _at(kind: str, path: Path) -> list[Schema]:
    shapes = list(_each(kind, _schema(kind)))
    for part in path:
        shapes = [one for shape in shapes for one in _inside(kind, shape, part)]
    return shapes


def _inside(kind: str, shape: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int):
        if shape.get("type") == "array":
            items = shape.get("prefixItems", [])
            yield from _each(kind, items[part] if part < len(items) else shape.get("items", {}))
        return
    if shape.get("type") == "array":  # a header of TOML names no number
        for one in _each(kind, shape.get("items", {})):
            yield from _inside(kind, one, part)
        return
    if part in shape.get("properties", {}):
        yield from _each(kind, shape["properties"][part])
        return
    for more in (shape.get("additionalProperties"), *shape.get("patternProperties", {}).values()):
        if isinstance(more, dict):
            yield from _each(kind, more)
