"""What a change takes from a criteria document."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.tokens import plain
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.item import Item

REMOVED, WEAKENED, NARROWED, DELETED, MOVED = "removed", "weakened", "narrowed", "deleted", "moved"
_LONGEST_KEY = 160


class Loss(Record):
    """One thing that reviewers are asked for no more, or less firmly, or in fewer places.

    `change` is one of the five above. `path` is that of the document (the new one if it has one), `start` and `end` the
    place in its new text. `item` is the new item of what was weakened or narrowed, else the old one; `was` the old one
    if there was one. `why` says it in a few words. `others` are further items that the same change is about: what
    stood below a removed item, or the rest of a rewritten document. `key` stays the same while the item does.
    """

    change: str
    path: str
    item: Item
    was: Item | None
    start: int
    end: int
    why: str
    others: tuple[Item, ...] = ()
    key: str = ""


def identity(item: Item) -> str:
    """What a criterion is known by when lines around it change: its name, or its words."""
    return f"{item.kind}:{item.key or plain(item.text)[:_LONGEST_KEY]}"
