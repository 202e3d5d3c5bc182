"""The criteria documents of a change before and after it, as texts: what can be told of them without a parser."""

from __future__ import annotations

import posixpath
import re

from sakaime.checks.criteria.documents import config
from sakaime.checks.criteria.item import OWNERS_FILE, PROSE_FILES
from sakaime.material.change import BINARY, LINK, SUBMODULE, Blob, Change, Material
from sakaime.model import Record, Skipped
from sakaime.policy.match import search
from sakaime.policy.rule import Rule
from sakaime.text.late import late
from sakaime.text.paths import printable
from sakaime.text.source import Undecodable, decode, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.readers import Readers

_OWNER_PLACES = (f".github/{OWNERS_FILE}", OWNERS_FILE, f"docs/{OWNERS_FILE}")
_TITLE = late(r"[ \t]{0,3}#|[ \t]*(?:=+|-+)[ \t]*\Z|[ \t]*(?:\*\*|__)|<h[1-6]", re.I)


class Side(Record):
    """One side of a document: its path, its text, and whether it is a link, of which the text is the target."""

    path: str
    text: str
    link: bool = False


class Revision(Record):
    """A document before and after (None: there is no such side), and the rule that looks at it."""

    rule: Rule
    old: Side | None
    new: Side | None

    @property
    def path(self) -> str:
        """Where it stands, or stood."""
        side = self.new or self.old
        return "" if side is None else side.path


class Unreadable(ValueError):
    """A side that cannot be compared; says why."""

    def skipped(self, path: str) -> Skipped:
        """The document of that path, as one that is not judged."""
        why = "binary, so that its criteria cannot be compared" if str(self) == BINARY else str(self)
        return Skipped(printable(path), why)


def revisions(reader: Readers, material: Material) -> tuple[list[Revision], list[Skipped]]:
    """The criteria documents of a change, and those that cannot be compared."""
    found: list[Revision] = []
    unread: list[Skipped] = []
    again = {change.path for change in material.changes if change.old is None}
    for change in material.changes:
        if change.new is None and change.path in again:
            continue  # a bare diff takes a link away and brings a file of the same name
        try:
            if (revision := _revision(reader, material, change)) is not None:
                found.append(revision)
        except Unreadable as error:
            unread.append(error.skipped(change.path))
    if any(one.path in _OWNER_PLACES for one in found):
        try:
            found = _in_force(material, found)
        except Unreadable as error:
            unread.append(error.skipped(OWNERS_FILE))
    return found, unread


def _revision(reader: Readers, material: Material, change: Change) -> Revision | None:
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
        old = old_text(material, change)
    except Unreadable as error:
        if str(error) == BINARY and (rule.sections or not is_text(before)):
            return None  # a picture among the documents
        raise
    gone = change.new is None or change.new.mode == SUBMODULE  # a submodule holds what nobody here can see
    try:
        if change.unread:
            raise Unreadable(change.unread)
        new = None if gone else new_text(material, change, old)
    except Unreadable as error:
        if str(error) == BINARY and (old is None or (rule.sections and not speaks(rule, old))):
            return None
        raise
    if old == new and before == after:
        return None
    if rule.sections and not any(speaks(rule, text) for text in (old, new) if text is not None):
        return None
    return Revision(rule, _side(before, old, change.old), _side(after, new, change.new))


def _in_force(material: Material, found: list[Revision]) -> list[Revision]:
    """The revisions, with those of CODEOWNERS files made one: that of the files in force before and after.

    Of several the forge takes the first (GitHub: .github/, the root, docs/). Raises `Unreadable`.
    """
    owning = {one.path: one for one in found if one.path in _OWNER_PLACES}
    first: list[Side | None] = [None, None]
    for place in reversed(_OWNER_PLACES):
        if place in owning:
            sides = owning[place].old, owning[place].new
        else:
            data = material.decided(place)
            sides = (None if data is None else Side(place, decoded(data)),) * 2
        first = [now or later for now, later in zip(sides, first, strict=True)]
    rest = [one for one in found if one.path not in _OWNER_PLACES]
    rule = next(iter(owning.values())).rule
    return rest if first[0] == first[1] else [*rest, Revision(rule, *first)]


def _side(path: str, text: str | None, blob: Blob | None) -> Side | None:
    return None if text is None else Side(path, text, blob is not None and blob.mode == LINK)


def is_text(path: str) -> bool:
    """Whether a document of that name is one of prose or of settings."""
    return path.lower().endswith(PROSE_FILES) or config.reads(path) or "." not in posixpath.basename(path)[1:]


def speaks(rule: Rule, text: str) -> bool:
    """Whether a general document has a title that makes what is below it criteria."""
    lines = text.split("\n")
    under = [*lines[1:], ""]
    titles = "\n".join(
        line for line, below in zip(lines, under, strict=True) if _TITLE.match(line) or _TITLE.match(below)
    )
    return names_review(rule, titles)


def names_review(rule: Rule, title: str) -> bool:
    """Whether a title of a general document speaks of a review."""
    data = title.encode("utf-8", "surrogatepass")
    return any(search(pattern, data) for pattern in rule.sections)


def old_text(material: Material, change: Change) -> str | None:
    """The old side as text; None where there is none. Of a bare diff it is the file that decides, which was there even
    where the diff calls it new. Raises `Unreadable`."""
    path = change.old_path or change.path
    if change.old is None:
        data = material.decided(path) if material.mode == "diff" else None
        return None if data is None else decoded(data)
    data = material.bytes_of(change.old)
    if data is None:
        data = material.decided(path)
    if data is None:
        raise Unreadable("its old side is not at hand: name the commit that it was made from (--policy-from REF)")
    return decoded(data)


def new_text(material: Material, change: Change, old: str | None) -> str:
    """The new side as text; of a bare diff, the old one with the hunks applied. Raises `Unreadable`."""
    data = material.bytes_of(change.new)
    if data is not None:
        return decoded(data)
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
    lines = decoded(data).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def decoded(data: bytes) -> str:
    """The text of some bytes. Raises `Unreadable`."""
    if is_binary(data):
        raise Unreadable(BINARY)
    try:
        return decode(data)
    except Undecodable as error:
        raise Unreadable(str(error)) from None
