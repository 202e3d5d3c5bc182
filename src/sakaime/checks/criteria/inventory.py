"""The criteria of a tree, one by one."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.loss import identity
from sakaime.checks.criteria.comparing.lost import criteria
from sakaime.checks.criteria.findings import judges, said
from sakaime.checks.criteria.item import KEY, OWNER, Document, Item
from sakaime.checks.criteria.meaning.grade import EXCLUDES, PERMITS
from sakaime.checks.criteria.revisions import Unreadable
from sakaime.checks.criteria.sides import whole
from sakaime.model import Record
from sakaime.model.digest import sha256
from sakaime.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.readers import Readers
    from sakaime.material.change import Material
    from sakaime.model import Skipped
    from sakaime.policy.policy import Policy

_LEVELS = {4: "must", 3: "shall", 2: "should", 1: "may"}


class Entry(Record):
    """One criterion: an `id` that stays while its words do, where it stands, what it is (`sakaime.checks.criteria.item`
    KINDS), how firmly it asks (must, shall, should, may; excluded or permitted for what takes something out of a
    review), and its words."""

    id: str
    path: str
    line: int
    kind: str
    level: str
    text: str


def inventory(policy: Policy, reader: Readers, material: Material) -> tuple[list[Entry], list[Skipped]]:
    """The criteria of all documents of a tree that reviewers read, in their order, and the documents that cannot be
    read."""
    words = judges(policy)
    entries: list[Entry] = []
    unread: list[Skipped] = []
    for change in material.changes:
        try:
            document = whole(reader, material, change)
        except Unreadable as error:
            unread.append(error.skipped(change.path))
            continue
        if document is not None:
            entries += _entries(document, words)
    return entries, unread


def asked(document: Document | None, words: Judges) -> int:
    """How many criteria a document holds."""
    return 0 if document is None else sum(criteria(document, words))


def _entries(document: Document, words: Judges) -> Iterator[Entry]:
    source = Source(document.text)
    seen: dict[str, int] = {}
    for item, asks in zip(document.items, criteria(document, words), strict=True):
        level = _level(item, bool(asks), words)
        if level:
            name = f"{document.path}\0{identity(item)}"
            seen[name] = count = seen.get(name, 0) + 1
            digest = sha256(f"{name}\0{count}".encode("utf-8", "surrogatepass")).hexdigest()
            line = source.position(item.start).line
            yield Entry(digest[:12], document.path, line, item.kind, level, said(item))


def _level(item: Item, asks: bool, words: Judges) -> str:
    if item.kind in (KEY, OWNER):
        return "shall" if asks else "excluded" if item.negative else ""
    grade = words.grade(item)
    if asks:
        return _LEVELS[grade.modality]
    return {EXCLUDES: "excluded", PERMITS: "permitted"}.get(grade.polarity, "")
