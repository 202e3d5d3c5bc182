"""What compares two items: the functions that say what the words of one amount to, put together."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.checks.criteria.item import Item
    from sakaime.checks.criteria.meaning.grade import Grade


class Judges(Record):
    """`grade`: what an item amounts to. `weaker`: of the grades of two items that are the same, (change, why) if the
    new one asks for less. `adds_limit`: of the grade of a new item, why it makes a review look at less. `key_weaker`:
    of two settings of one key, why the new value asks for less. `asks`: of a setting, 1 if it asks for something by
    standing there, -1 if it takes something out of the review, 0 for neither or unknown."""

    grade: Callable[[Item], Grade]
    weaker: Callable[[Grade, Grade], tuple[str, str] | None]
    adds_limit: Callable[[Grade], str | None]
    key_weaker: Callable[[Item, Item], str | None]
    asks: Callable[[Item], int]
