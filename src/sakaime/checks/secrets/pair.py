"""A key and its value as a file has them."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Pair(Record):
    """A value with the names around it, outermost first, and where it stands in the text (quotes left out).

    `value` is what the grammar makes of it: it differs from the text where that has escapes or several lines.
    `fallback` says that it counts only where something else is not set, `coded` that it is base64, `code` that it
    stands in a program, in which names say less than in settings; `also` are other names that it may go by.
    """

    keys: tuple[str, ...]
    value: str
    start: int
    end: int
    fallback: bool = False
    coded: bool = False
    code: bool = False
    also: tuple[str, ...] = ()


# Beside each other in one mapping, these make a key and its value.
_NAMES = (
    *("name", "key", "variable", "parameter", "envvar", "env_var", "variable_name", "setting", "option"),
    *("parameterkey", "parametername", "optionname", "keyname", "settingname"),
)
_VALUES = (
    *("value", "default", "defaultvalue", "default_value", "val"),
    *("parametervalue", "stringvalue", "string_value", "plaintext"),
)


def named(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs, those of a mapping with a `name` and a `value` under that name."""
    every = list(pairs)
    names: dict[tuple[str, ...], str] = {}
    for pair in every:
        if pair.keys and pair.keys[-1].lower() in _NAMES and 0 < len(pair.value) <= 120:
            names.setdefault(pair.keys[:-1], pair.value)
    for pair in every:
        if pair.keys and pair.keys[-1].lower() in _VALUES and (name := names.get(pair.keys[:-1])) is not None:
            pair = pair.replace(keys=(*pair.keys[:-1], name))
        yield pair


def moved(pairs: Iterable[Pair], by: int, keys: tuple[str, ...] = ()) -> Iterator[Pair]:
    """Pairs of a part of a text as pairs of the whole: `by` is where the part begins, `keys` stand around it."""
    for pair in pairs:
        yield pair.replace(keys=(*keys, *pair.keys), start=pair.start + by, end=pair.end + by)
