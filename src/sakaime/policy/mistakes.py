"""What pydantic says about data, as messages with file, line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

from sakaime.model import UserError
from sakaime.policy.schema import NAME, VERSION
from sakaime.policy.yamltext import Path

Locate = Callable[[Path], tuple[str, int, int]]

_SAY = {
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "list_type": "must be a list",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "date_from_datetime_parsing": "must be a day, written YYYY-MM-DD",
    "date_parsing": "must be a day, written YYYY-MM-DD",
    "date_type": "must be a day, written YYYY-MM-DD",
    "date_from_datetime_inexact": "must be a day, written YYYY-MM-DD",
    "tuple_type": "must be a list",
    "string_unicode": "holds half of a surrogate pair, which is no character",
}


_FORMS = {
    NAME: "is no name: lower-case letters and digits, with single - or _ between them",
    VERSION: "is no version: three numbers, such as 2.1.0",
}


def mistakes(error: ValidationError, locate: Locate, model: type[BaseModel]) -> list[UserError]:
    """One `UserError` per mistake, in order of place. `locate` gives (file, line, column) of a key or value."""
    found: dict[tuple[str, int, int, str], UserError] = {}
    for item in error.errors(include_url=False):
        where: Path = tuple(item["loc"])
        path, line, column = locate(where)
        message, way_out = _say(dict(item), where, model)
        said = UserError(message, path=path, line=line, column=column, way_out=way_out, wrong=_wrong(dict(item)))
        found.setdefault((path, line, column, message), said)
    return [found[key] for key in sorted(found)]


def first_with_others(errors: Iterable[UserError]) -> UserError:
    """The first error, carrying the rest."""
    first, *others = errors
    first.others = tuple(others)
    return first


def _say(item: dict[str, Any], where: Path, model: type[BaseModel]) -> tuple[str, str | None]:
    kind = item["type"]
    name = next((str(part) for part in reversed(where) if isinstance(part, str)), "")
    if kind == "extra_forbidden":
        near = get_close_matches(name, _keys(model), 1)
        return (
            f"unknown key {name!r}",
            f"Did you mean {near[0]!r}?" if near else "See docs/writing-rules.md for the keys.",
        )
    if kind == "missing":
        return f"the key {name!r} is missing", None
    if kind == "literal_error":
        return f"{_short(item['input'])} must be one of {item['ctx']['expected'].replace(' or ', ', ')}", None
    if kind == "too_short":
        ctx = item["ctx"]
        return f"{name!r} needs at least {ctx['min_length']} entries, and has {ctx['actual_length']}", None
    if kind == "string_pattern_mismatch":
        form = item["ctx"]["pattern"]
        return f"{_short(item['input'])} {_FORMS.get(form, f'is not of the form {form}')}", None
    if kind in _SAY:
        return f"{name!r} {_SAY[kind]}", None
    return f"{name!r}: {item['msg']}", None


def _wrong(item: dict[str, Any]) -> str | None:
    """The key or value that is wrong, as text, where it is one that stands there."""
    if item["type"] == "extra_forbidden":
        return str(item["loc"][-1])
    value = item["input"]
    return str(value) if item["type"] != "missing" and isinstance(value, (str, int)) else None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


@lru_cache
def _keys(model: type[BaseModel]) -> list[str]:
    """Every key that a model and the models inside it know."""
    schema = model.model_json_schema()
    tables = [schema, *schema.get("$defs", {}).values()]
    return sorted({key for table in tables for key in table.get("properties", {})})
