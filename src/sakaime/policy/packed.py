"""Rules as bytes, each for itself, so that one is read without the others.

Their patterns share long lists of words, which stand apart: each is read once, when it is first asked for, and is one
object for all patterns that hold it.
"""

from __future__ import annotations

import marshal

from sakaime.policy.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from sakaime.policy.trim import Branches, Tree

_MANY = 2  # branches of a list that is kept apart


def pack(rules: Iterable[Rule]) -> bytes:
    """The rules as bytes, for `Packed`."""
    lists: dict[Branches, int] = {}
    packed = tuple(dump(_with_trees(rule, lambda tree: _apart(tree, lists)).values()) for rule in rules)
    return marshal.dumps((tuple(map(dump, lists)), packed))


class Packed:
    """Rules that are read when they are asked for. `data` is what `pack` gave."""

    def __init__(self, data: bytes) -> None:
        self._lists: tuple[bytes, ...]
        self._rules: tuple[bytes, ...]
        self._lists, self._rules = marshal.loads(data)
        self._known: dict[int, Branches] = {}

    def __getitem__(self, number: int) -> Rule:
        return _with_trees(Rule(*marshal.loads(self._rules[number])), lambda tree: _together(tree, self._list))

    def _list(self, number: int) -> Branches:
        if number not in self._known:
            self._known[number] = marshal.loads(self._lists[number])
        return self._known[number]


def _with_trees(rule: Rule, change: Callable[[Any], Tree]) -> Rule:
    every = {name: tuple(map(change, getattr(rule, name))) for name in ("all", "any", "none")}
    return rule.replace(**every)


def _apart(tree: Any, lists: dict[Branches, int]) -> Any:
    """A tree with the numbers of long lists in the place of those."""

    def listed(branches: Branches) -> Any:
        if len(branches) >= _MANY:
            return lists.setdefault(branches, len(lists))
        return tuple((literals, _apart(branch, lists)) for literals, branch in branches)

    return tuple(part if isinstance(part, str) else (*part[:3], listed(part[3])) for part in tree)


def _together(tree: Any, list_of: Callable[[int], Branches]) -> Tree:
    """The tree that `_apart` was given."""

    def whole(branches: Any) -> Branches:
        if isinstance(branches, int):
            return list_of(branches)
        return tuple((literals, _together(branch, list_of)) for literals, branch in branches)

    return tuple(part if isinstance(part, str) else (*part[:3], whole(part[3])) for part in tree)


def dump(value: Any) -> bytes:
    """A plain value as bytes, in which equal parts are one, which is written once, and sooner read."""
    return marshal.dumps(_shared(value, {}))


def _shared(value: Any, seen: dict[Any, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _shared(part, seen) for key, part in value.items()}
    if isinstance(value, tuple):
        value = tuple(_shared(part, seen) for part in value)
    try:
        return seen.setdefault((type(value), value), value)  # True is equal to 1
    except TypeError:  # it holds a dictionary
        return value
