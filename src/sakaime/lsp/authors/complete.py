"""What can be written at the cursor of a pack, of settings or of a lock."""

from __future__ import annotations

import json
import re

from sakaime.lsp.authors import around, shapes
from sakaime.lsp.authors.cursor import Cursor, cursor
from sakaime.lsp.authors.names import Names, takes_words
from sakaime.lsp.markdown import code, prose
from sakaime.model import Record
from sakaime.policy.policy import WATCHED, Policy
from sakaime.policy.yamltext import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OWN_TABLE = ("tool", "sakaime")
_SLOT = re.compile(r"\{[A-Za-z0-9_-]*\Z")
_REST = re.compile(r"[A-Za-z0-9_-]*\}?")


class Completion(Record):
    """Something that can be written: `insert` takes the place of what stands from `start` to `end`.

    A client that filters does it by `insert`, which has the quotes that the text may have. `documentation` is Markdown;
    `what` is key, value, rule or word.
    """

    label: str
    insert: str
    start: int
    end: int
    detail: str = ""
    documentation: str = ""
    what: str = "value"


def complete(kind: str, text: str, offset: int, policy: Policy, root: str | None = None) -> list[Completion]:
    """What can stand at an offset (code points) of a text that may not parse. `root` is the repository's folder, whose
    packs can be named besides the shipped ones."""
    here = cursor(text, offset, kind != "pack", writing=True)
    if here is None:
        return []
    if kind == "pyproject":
        if (inside := in_own_table(here)) is None:
            return list(_way_to_own_table(here))
        here = inside
    found: list[Completion] = []
    if here.value:
        found += _words(text, offset, here, policy, root) if kind == "pack" else []
        found += [_value(here, one) for one in shapes.values(kind, here.path)]
        found += _named(kind, text, here, policy, root)
    if here.key:
        found += _keys(kind, here)
        if kind != "lock" and here.path == ("rules",):
            found += [_rule(here, told) for told in around.rules(root, policy).values()]
    return found


def in_own_table(here: Cursor) -> Cursor | None:
    """A cursor of pyproject.toml as one of sakaime.toml; None where it is in another table."""
    size = len(OWN_TABLE)
    return here.replace(path=here.path[size:]) if here.path[:size] == OWN_TABLE else None


def _way_to_own_table(here: Cursor) -> Iterator[Completion]:
    if here.header and here.path == OWN_TABLE[: len(here.path)]:
        rest = ".".join(OWN_TABLE[len(here.path) :])
        yield Completion(rest, rest, here.start, here.end, "", "The settings of sakaime.", "key")


def _keys(kind: str, here: Cursor) -> Iterator[Completion]:
    for key in shapes.keys(kind, here.path):
        if key.name in here.have or (here.header and not _as_header(kind, here, key)):
            continue
        insert = key.name
        if not here.follows and not here.header:
            sign = " = " if here.toml else ":" if key.holds in ("list", "table") else ": "
            insert += sign
        default = "" if key.default in (None, "") else f"default {json.dumps(key.default, ensure_ascii=False)}"
        detail = ", ".join(part for part in (key.holds, "needed" if key.needed else default) if part)
        yield Completion(key.name, insert, here.start, here.end, detail, prose(key.description), "key")


def _as_header(kind: str, here: Cursor, key: shapes.Key) -> bool:
    """Whether a key can stand in a TOML header: a table in single brackets, a list of tables in double ones."""
    path = (*here.path, key.name)
    if here.header == 1:
        return key.holds == "table" or shapes.is_mapping(kind, path)
    return key.holds == "list" and shapes.is_mapping(kind, (*path, 0))


def _value(here: Cursor, value: str, what: str = "value", detail: str = "", documentation: str = "") -> Completion:
    quoted = here.toml and not value.isdigit() and value not in ("true", "false")
    insert = f'"{value}"' if quoted else value
    return Completion(value, insert, here.start, here.end, detail, documentation, what)


def _rule(here: Cursor, told: around.Told) -> Completion:
    return _value(here, told.id, "rule", told.rule.title, prose(told.rule.why))


def _named(kind: str, text: str, here: Cursor, policy: Policy, root: str | None) -> Iterator[Completion]:
    """Values that are names of something."""
    if kind in ("settings", "pyproject"):
        if _is(here.path, "allow", 0, "rule"):
            yield from (_rule(here, told) for told in around.rules(root, policy).values())
            yield from (_value(here, name, "rule") for name in sorted(WATCHED))
    elif kind == "pack":
        if _is(here.path, "uses", 0):
            names = Names(text, policy, root)
            for pack in names.packs:
                words = ", ".join(map(code, pack.model.words))
                yield _value(here, pack.model.pack, detail=pack.model.title or pack.model.version, documentation=words)
        elif _is(here.path, "locked", 0):
            yield from (_value(here, name, "rule") for name in Names(text, policy, root).rules())
        elif _is(here.path, "instructions", 0, "weights"):
            yield from (_value(here, name) for name in Names(text, policy, root).tables())


def _is(path: Path, *form: str | int) -> bool:
    """Whether a path is of a form, in which every number stands for any."""
    return len(path) == len(form) and all(
        isinstance(part, int) if isinstance(wanted, int) else part == wanted
        for part, wanted in zip(path, form, strict=True)
    )


def _words(text: str, offset: int, here: Cursor, policy: Policy, root: str | None) -> Iterator[Completion]:
    """Words, behind the brace that begins their name in a pattern."""
    slot = _SLOT.search(text, here.start, offset)
    if slot is None or not takes_words(here.path) or not shapes.is_pattern("pack", here.path):
        return
    rest = _REST.match(text, offset)
    end = rest.end() if rest else offset
    for name, words in Names(text, policy, root).words().items():
        shown = ", ".join(map(code, words.phrases[:20]))
        yield Completion(f"{{{name}}}", f"{{{name}}}", slot.start(), end, words.pack, shown, "word")
