"""The criteria documents of a change, before and after it."""

from __future__ import annotations

import posixpath
import re

from sakaime.checks.criteria.documents import config, markdown, owners
from sakaime.checks.criteria.documents.mentions import PROSE, new_mentions, old_mentions, paths_of
from sakaime.checks.criteria.item import HEADING, Document, Item
from sakaime.material.change import BINARY, LINK, SUBMODULE, Blob, Change, Material
from sakaime.model import Record
from sakaime.policy.match import search
from sakaime.policy.rule import Rule
from sakaime.text.paths import printable
from sakaime.text.source import LIMIT, TOO_LARGE, Undecodable, decode, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.checks.criteria.readers import Readers

_OWNERS = "CODEOWNERS"
_OWNER_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
_TITLE = re.compile(r"[ \t]{0,3}#|[ \t]*(?:=+|-+)[ \t]*\Z|[ \t]*(?:\*\*|__)|<h[1-6]", re.I)


class Pair(Record):
    """A document before and after (None: there is no such side), and the rule that looks at it; None for one that no
    rule looks at, but to which criteria may have gone."""

    old: Document | None
    new: Document | None
    rule: Rule | None


class Unreadable(ValueError):
    """A side that cannot be compared; says why."""


def pair(reader: Readers, material: Material, change: Change) -> Pair | None:
    """The two sides of a changed document; None where no rule looks at it, or where what changed is of no concern.

    Raises `Unreadable`.
    """
    before, after = change.old_path or change.path, change.path
    if change.old is not None and change.old.mode == SUBMODULE:
        return None
    rule = reader(before) or reader(after)
    if rule is None:
        return None
    try:
        old = _text(material, change.old, before)
    except Unreadable as error:
        if str(error) == BINARY and (rule.sections or not _is_text(before)):
            return None  # a picture among the documents
        raise
    gone = change.new is None or change.new.mode == SUBMODULE  # a submodule holds what nobody here can see
    try:
        if change.unread:
            raise Unreadable(change.unread)
        new = None if gone else _new_text(material, change, old)
    except Unreadable as error:
        if str(error) == BINARY and (old is None or (rule.sections and not _speaks(rule, old))):
            return None
        raise
    if old == new and before == after:
        return None
    if rule.sections and not any(_speaks(rule, text) for text in (old, new) if text is not None):
        return None
    return Pair(_read(rule, before, old, change.old), _read(rule, after, new, change.new), rule)


def owners_in_force(material: Material, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with those of CODEOWNERS files made one: that of the files in force before and after.

    Of several the forge takes the first (GitHub: .github/, the root, docs/).
    """
    if not any(_path(one) in _OWNER_PLACES for one in pairs):
        return list(pairs)
    changed = {_path(one): one for one in pairs if _path(one) in _OWNER_PLACES}
    first: list[Document | None] = [None, None]
    for place in reversed(_OWNER_PLACES):
        one = changed.get(place)
        stays = None if one is not None else material.decided(place)
        same = None if stays is None else _read(None, place, _decoded(stays), None)
        for side, document in enumerate((same, same) if one is None else (one.old, one.new)):
            first[side] = document if document is not None else first[side]
    rule = next(iter(changed.values())).rule
    rest = [one for one in pairs if _path(one) not in _OWNER_PLACES]
    return rest if first[0] == first[1] else [*rest, Pair(first[0], first[1], rule)]


def _path(one: Pair) -> str:
    side = one.new or one.old
    return "" if side is None else side.path


def _is_text(path: str) -> bool:
    """Whether a document of that name is one of prose or of settings."""
    return path.lower().endswith(PROSE) or config.reads(path) or "." not in posixpath.basename(path)[1:]


def whole(reader: Readers, material: Material, change: Change) -> Document | None:
    """A file of a tree as a criteria document; None where it is none. Raises `Unreadable`."""
    rule = reader(change.path)
    if rule is None or change.new is None or change.new.mode == LINK:
        return None
    text = _text(material, change.new, change.path)
    if text is None or (rule.sections and not _speaks(rule, text)):
        return None
    return _read(rule, change.path, text, change.new)


def further(material: Material, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Where else criteria may stand now: other prose of the change, and documents that did not change, but to which a
    new side points or links now, or an old one did."""
    known = {side.path for one in pairs for side in (one.old, one.new) if side is not None}
    for change in material.changes:
        if printable(change.path) in known or not change.path.lower().endswith(PROSE) or change.new is None:
            continue
        try:
            old = _read(None, change.old_path or change.path, _text(material, change.old, change.path), change.old)
            new = _read(None, change.path, _new_text(material, change, old.text if old else ""), change.new)
        except Unreadable:
            continue
        yield Pair(old, new, None)
    changed = {change.path for change in material.changes}
    for one in pairs:
        for name, side in _named(one):
            for path in paths_of(name, side.path):
                data = None if path in changed else material.decided(path)
                if data is None:
                    continue
                changed.add(path)
                try:
                    document = _read(None, path, _decoded(data), None)
                except Unreadable:
                    continue
                yield Pair(document, document, None)


def _named(one: Pair) -> Iterator[tuple[str, Document]]:
    """The documents that either side names, with the side."""
    if one.new is not None:
        for name in new_mentions(one.old, one.new):
            yield name, one.new
    if one.old is not None and one.new is not None:
        for name in old_mentions(one.old):
            yield name, one.old


def _speaks(rule: Rule, text: str) -> bool:
    """Whether a general document has a title that makes what is below it criteria."""
    lines = text.split("\n")
    titles = [
        line if index + 1 == len(lines) or _TITLE.match(line) else f"{line}"
        for index, line in enumerate(lines)
        if _TITLE.match(line) or (index + 1 < len(lines) and _TITLE.match(lines[index + 1]))
    ]
    data = "\n".join(titles).encode("utf-8", "surrogatepass")
    return any(search(pattern, data) for pattern in rule.sections)


def _text(material: Material, blob: Blob | None, path: str) -> str | None:
    """A side as text. Of a bare diff, the old side is the file that decides."""
    if blob is None:
        # A bare diff calls new what it likes: a file that stands there was the old side all the same.
        data = material.decided(path) if material.mode == "diff" else None
        return None if data is None else _decoded(data)
    data = material.bytes_of(blob)
    if data is None:
        data = material.decided(path)
    if data is None:
        raise Unreadable("its old side is not at hand: name the commit that it was made from (--policy-from REF)")
    return _decoded(data)


def _new_text(material: Material, change: Change, old: str | None) -> str:
    data = material.bytes_of(change.new)
    if data is not None:
        return _decoded(data)
    return _patched(change, "" if change.old is None else old or "")


def _patched(change: Change, old: str) -> str:
    """The old side with the hunks of a bare diff applied."""
    lines = old.split("\n")
    out: list[str] = []
    at = 0
    for hunk in change.hunks:
        before = _lines(hunk.old)
        start = hunk.old_start - 1 if before else hunk.old_start
        if start < at or lines[start : start + len(before)] != before:
            raise Unreadable(
                "the diff does not fit the file: name the commit that it was made from (--policy-from REF)"
            )
        out += [*lines[at:start], *_lines(hunk.new)]
        at = start + len(before)
    return "\n".join([*out, *lines[at:]])


def _lines(data: bytes) -> list[str]:
    lines = _decoded(data).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _decoded(data: bytes) -> str:
    if len(data) > LIMIT:
        raise Unreadable(TOO_LARGE)
    if is_binary(data):
        raise Unreadable(BINARY)
    try:
        return decode(data)
    except Undecodable as error:
        raise Unreadable(str(error)) from None


def _read(rule: Rule | None, path: str, text: str | None, blob: Blob | None) -> Document | None:
    if text is None:
        return None
    if blob is not None and blob.mode == LINK:
        return Document(printable(path), text, ())
    return Document(printable(path), text, _within(rule, _items(path, text)))


def _items(path: str, text: str) -> tuple[Item, ...]:
    name = posixpath.basename(path)
    if name == _OWNERS:
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
            data = heading.encode("utf-8", "surrogatepass")
            known[heading] = any(search(pattern, data) for pattern in rule.sections)
        return known[heading]

    kept: dict[int, int] = {}
    out: list[Item] = []
    for number, item in enumerate(items):
        if any(map(speaks, item.headings)) or (item.kind == HEADING and speaks(item.text)):
            kept[number] = len(out)
            out.append(item.replace(parent=kept.get(item.parent, -1)))
    return tuple(out)
