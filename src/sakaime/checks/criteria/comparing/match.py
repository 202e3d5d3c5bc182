"""Which items of one side of a document are which of the other.

From what is certain to what is likely: the same text in the same place, the same text anywhere and in any shape, the
same name, a heading whose items are the same (the bottom-up step of GumTree, Falleti et al., ASE 2014), a similar text
(greedily, the best first), and one item made of several or several of one. The place of an item among others
never pairs it, but for a translation.
"""

from __future__ import annotations

from sakaime.checks.criteria.comparing.matching import Matching, configures, named
from sakaime.checks.criteria.comparing.tokens import plain, wording
from sakaime.checks.criteria.item import KEY, OWNER
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sakaime.checks.criteria.item import Document, Item

_LONG = 12  # letters of a text that is no chance if it stands under another name


class Pairing(Record):
    """The items of two sides by their numbers: (old, new) that are the same; old ones that became several; several old
    ones that became one (the first of each is in `pairs` too); (old document, old, new document, new) of texts that
    stand in another document now; old ones that are nowhere, new ones that were nowhere."""

    pairs: tuple[tuple[int, int], ...]
    splits: tuple[tuple[int, tuple[int, ...]], ...] = ()
    merges: tuple[tuple[tuple[int, ...], int], ...] = ()
    moved: tuple[tuple[int, int, int, int], ...] = ()
    gone: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()


def match(old: Document, new: Document) -> Pairing:
    """Pairs the items of two sides of a document. What moved to other documents is not known here: `moved` is empty."""
    matching = Matching(old.items, new.items)
    for lone, exact, name in _ROUNDS:
        matching.by_name(name, lone, exact)
    matching.by_content()
    if matching.fresh():
        matching.by_likeness()
        matching.by_content()
        matching.split()
    if matching.gone():
        matching.merge()
        matching.translate()
    return Pairing(
        pairs=tuple(sorted(matching.new_of.items())),
        splits=tuple((one, (matching.new_of[one], *rest)) for one, rest in sorted(matching.splits.items())),
        merges=tuple((ones, other) for other, ones in sorted(matching.merges.items())),
        gone=tuple(matching.gone()),
        fresh=tuple(matching.fresh()),
    )


def _whole(item: Item) -> Hashable:
    if item.kind == OWNER:
        return (item.kind, item.key, item.text)
    if item.kind == KEY:
        return (item.kind, item.key, item.text, item.negative)
    return (item.kind, plain(wording(item)), _place(item), item.sample)


def _place(item: Item) -> tuple[str, ...]:
    return tuple(map(plain, item.headings[-1:] + item.above[-1:]))


def _by_section(item: Item) -> Hashable:
    return None if configures(item) else (plain(wording(item)), plain("".join(item.headings[-1:])))


def _by_kind(item: Item) -> Hashable:
    return None if configures(item) else (plain(wording(item)), item.kind)


def _by_text(item: Item) -> Hashable:
    form = plain(wording(item))
    return None if item.kind == OWNER or (item.kind == KEY and len(form) < _LONG) else (form, item.negative)


def _by_long_text(item: Item) -> Hashable:
    form = plain(item.text)
    long = len(form) >= (_LONG if form.isascii() else _LONG // 2)
    return form if long and not configures(item) else None


def _by_key(item: Item) -> Hashable:
    if item.kind == OWNER:
        return item.key.rstrip("/") or item.key
    if item.entry and item.kind == KEY:
        return None
    return (item.kind == KEY, item.key if item.kind == KEY else plain(item.key)) if named(item) else None


def _by_last_key(item: Item) -> Hashable:
    return (item.key.rpartition(".")[2], item.text, item.negative) if item.kind == KEY and item.text else None


# (only where one of each side is left by that name, whether the same name is the same text, the name)
_ROUNDS: tuple[tuple[bool, bool, Callable[[Item], Hashable]], ...] = (
    (False, True, _whole),
    (False, True, _by_section),
    (False, True, _by_kind),
    (False, True, _by_text),
    (True, True, _by_long_text),
    (True, False, _by_key),
    (True, True, _by_last_key),
)
