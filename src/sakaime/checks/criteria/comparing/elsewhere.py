"""Criteria that left a document and stand in another one of the same change, or in one that it links to."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.match import Pairing, match
from sakaime.checks.criteria.comparing.tokens import plain, wording
from sakaime.checks.criteria.documents.mentions import mentions, paths_of
from sakaime.checks.criteria.item import KEY, OWNER, Document, Item
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_MOST = 16  # documents that are searched for similar wordings


class There(Record):
    """Where an item stands now: the path of the document, and the item that it is there."""

    path: str
    item: Item


class Elsewhere(Record):
    """Both sides of all documents of a change, which items of the new ones are new, and where each new text stands;
    the new sides by path and by name, the old ones by path, and by path the new sides that name what is there."""

    old: Sequence[Document | None]
    new: Sequence[Document | None]
    fresh: Sequence[frozenset[int]]
    places: Mapping[str, Sequence[tuple[int, int]]]
    by_path: Mapping[str, int]
    by_name: Mapping[str, Sequence[int]]
    by_old_path: Mapping[str, int]
    leading: Mapping[str, Sequence[int]]

    def others(self, number: int) -> list[int]:
        """The documents that a text may have moved to: those that are new first."""
        rest = [at for at, new in enumerate(self.new) if new is not None and at != number and self.fresh[at]]
        rest.sort(key=lambda at: len(self.fresh[at]) < len(_items(self.new[at])))
        return rest[:_MOST]

    def same(self, number: int, old: Document, gone: Iterable[int]) -> dict[int, There]:
        """Of the gone items those whose very words are new in another document, with their place."""
        found: dict[int, There] = {}
        for at in gone:
            item = old.items[at]
            if item.kind in (KEY, OWNER):
                continue
            for doc, its in self.places.get(plain(wording(item)), ()):
                if doc != number and (new := self.new[doc]) is not None:
                    found[at] = There(new.path, new.items[its])
                    break
        return found

    def find(
        self, number: int, old: Document, gone: Sequence[int], targets: Sequence[int], fresh: bool = False
    ) -> dict[int, There]:
        """Of the gone items those that stand in one of these documents, in these words or similar ones.

        `fresh`: only what is new there counts. Where the old document links, what stood there before counts as well.
        """
        found: dict[int, There] = {}
        for target in targets:
            left = [at for at in gone if at not in found]
            new = self.new[target]
            if not left or new is None or target == number:
                continue
            items = [new.items[at] for at in sorted(self.fresh[target])] if fresh else new.items
            part = old.replace(items=tuple(old.items[at].replace(parent=-1) for at in left))
            there = new.replace(items=tuple(item.replace(parent=-1) for item in items)) if fresh else new
            pairing = match(part, there)
            whole = dict(pairing.pairs) | {one: other for ones, other in pairing.merges for one in ones}
            found.update({left[one]: There(new.path, there.items[other]) for one, other in whole.items()})
        return found

    def linked(self, document: Document) -> list[int]:
        """The documents that a text names, by number."""
        found: dict[int, None] = {}
        for name in mentions(document.text):
            at = next((self.by_path[path] for path in paths_of(name, document.path) if path in self.by_path), None)
            near = (at,) if at is not None else () if "/" in name else self.by_name.get(name, ())
            found.update((each, None) for each in near if self.by_path.get(document.path) != each)
        return list(found)[:_MOST]


def _items(document: Document | None) -> Sequence[Item]:
    return () if document is None else document.items


def elsewhere(
    pairs: Sequence[tuple[Document | None, Document | None]], pairings: Sequence[Pairing | None]
) -> Elsewhere:
    """Where the new texts of a change stand."""
    places: dict[str, list[tuple[int, int]]] = {}
    every: list[frozenset[int]] = []
    for number, ((_, new), pairing) in enumerate(zip(pairs, pairings, strict=True)):
        fresh = () if new is None else range(len(new.items)) if pairing is None else pairing.fresh
        every.append(frozenset(fresh))
        for at in fresh:
            item = _items(new)[at]
            if item.kind not in (KEY, OWNER):
                places.setdefault(plain(wording(item)), []).append((number, at))
    by_path = {new.path: number for number, (_, new) in enumerate(pairs) if new is not None}
    by_name: dict[str, list[int]] = {}
    leading: dict[str, list[int]] = {}
    for path, number in by_path.items():
        by_name.setdefault(path.rpartition("/")[2], []).append(number)
    for number, (_, new) in enumerate(pairs):
        for name in () if new is None else mentions(new.text):
            for path in paths_of(name, new.path if new is not None else ""):
                leading.setdefault(path, []).append(number)
    return Elsewhere(
        tuple(old for old, _ in pairs),
        tuple(new for _, new in pairs),
        tuple(every),
        places,
        by_path,
        by_name,
        {old.path: number for number, (old, _) in enumerate(pairs) if old is not None},
        leading,
    )
