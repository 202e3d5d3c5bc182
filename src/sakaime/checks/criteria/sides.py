"""The criteria documents of a change, before and after it, as items."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from sakaime.checks.criteria.documents import config, markdown, owners
from sakaime.checks.criteria.documents.mentions import new_mentions, old_mentions, paths_of
from sakaime.checks.criteria.item import HEADING, OWNERS_FILE, PROSE_FILES, Document, Item
from sakaime.checks.criteria.revisions import (
    Revision,
    Side,
    Unreadable,
    decoded,
    is_text,
    names_review,
    new_text,
    old_text,
    speaks,
)
from sakaime.material.change import BINARY, LINK, Change, Material
from sakaime.model import Record
from sakaime.policy.rule import Rule
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.checks.criteria.readers import Readers


class Pair(Record):
    """A document before and after (None: there is no such side), and the rule that looks at it; None for one that no
    rule looks at, but to which criteria may have gone."""

    old: Document | None
    new: Document | None
    rule: Rule | None


def pair(revision: Revision) -> Pair:
    """The items of both sides. Raises `Unreadable`."""
    return Pair(_read(revision.rule, revision.old), _read(revision.rule, revision.new), revision.rule)


def whole(reader: Readers, material: Material, change: Change) -> Document | None:
    """A file of a tree as a criteria document; None where it is none. Raises `Unreadable`."""
    rule = reader(change.path)
    if rule is None or change.new is None or change.new.mode == LINK:
        return None
    try:
        text = new_text(material, change, None)
    except Unreadable as error:
        if str(error) == BINARY and (rule.sections or not is_text(change.path)):
            return None  # a picture among the documents
        raise
    return None if rule.sections and not speaks(rule, text) else _read(rule, Side(change.path, text))


def further(material: Material, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Where else criteria may stand now: other prose of the change, and documents that did not change, but to which a
    new side points or links now, or an old one did."""
    known = {side.path for one in pairs for side in (one.old, one.new) if side is not None}
    for change in material.changes:
        if printable(change.path) in known or not change.path.lower().endswith(PROSE_FILES) or change.new is None:
            continue
        try:
            old = old_text(material, change)
            new = Side(change.path, new_text(material, change, old), change.new.mode == LINK)
            before = None if old is None else Side(change.old_path or change.path, old, _is_link(change))
            yield Pair(_read(None, before), _read(None, new), None)
        except Unreadable:
            continue
    changed = {change.path for change in material.changes}
    for one in pairs:
        for name, side in _named(one):
            for path in paths_of(name, side.path):
                data = None if path in changed else material.decided(path)
                if data is None:
                    continue
                changed.add(path)
                try:
                    document = _read(None, Side(path, decoded(data)))
                except Unreadable:
                    continue
                yield Pair(document, document, None)


def _is_link(change: Change) -> bool:
    return change.old is not None and change.old.mode == LINK


def _named(one: Pair) -> Iterator[tuple[str, Document]]:
    """The documents that either side names, with the side."""
    if one.new is not None:
        for name in new_mentions(one.old, one.new):
            yield name, one.new
    if one.old is not None and one.new is not None:
        for name in old_mentions(one.old):
            yield name, one.old


def _read(rule: Rule | None, side: Side | None) -> Document | None:
    return None if side is None else read_side(rule, side)


def read_side(rule: Rule | None, side: Side) -> Document:
    """One side as a document, of a general one what stands below the headings that the rule names. Raises
    `Unreadable`."""
    items = () if side.link else _within(rule, _items(side.path, side.text))
    return Document(printable(side.path), side.text, items)


@lru_cache(maxsize=4)
def _items(path: str, text: str) -> tuple[Item, ...]:
    """Both sides of a document are asked for more than once, and an editor compares with the same old one all day."""
    if posixpath.basename(path) == OWNERS_FILE:
        return owners.items(text)
    if config.reads(path):
        try:
            return config.items(text, path)
        except ValueError as error:
            raise Unreadable(f"its criteria cannot be compared: {error}") from None
    return markdown.items(text)


def _within(rule: Rule | None, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items below the headings that a rule about general documents names."""
    if rule is None or not rule.sections:
        return items
    known: dict[str, bool] = {}

    def speaks(heading: str) -> bool:
        if heading not in known:
            known[heading] = names_review(rule, heading)
        return known[heading]

    kept: dict[int, int] = {}
    out: list[Item] = []
    for number, item in enumerate(items):
        if any(map(speaks, item.headings)) or (item.kind == HEADING and speaks(item.text)):
            kept[number] = len(out)
            out.append(item.replace(parent=kept.get(item.parent, -1)))
    return tuple(out)
