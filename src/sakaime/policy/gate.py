"""The gate before the rules: which of them could match in a text, by literals alone."""

from __future__ import annotations

import marshal
from itertools import compress

from sakaime.policy.tables import ALL, EDGE, Part, Tables, part_of
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import skeleton, solid, word_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from sakaime.policy.tables import Begun, Beside, Formula, Gated, Key

_STRETCH = 3  # one character of a view adds at most so many to a skeleton: a Hangul syllable
_LARGE = 2000  # characters of a text; of more, the rules themselves tell sooner whether their words are near enough


def gate_of(parts: Sequence[Sequence[Gated]], bare: bool = False) -> Gate:
    """The gate of some rules, in parts: what belongs to one language, mostly, is needed or not as a whole. `bare` rules
    read lines as they are, and need what they need of `solid` texts."""
    reach = max((within for rules in parts for _, within, _ in rules), default=0)
    return Gate(tuple(part_of(rules) for rules in parts if rules), reach, bare)


def _holds(formula: Formula, met: Container[int]) -> bool:
    if isinstance(formula, int):
        return formula in met
    if formula[0] == ALL:
        return all(_holds(part, met) for part in formula[1])
    return any(_holds(part, met) for part in formula[1])


class Gate:
    """Tells which rules could match in a text. It may let too much through, and never too little.

    Of nine languages, a text seldom has words of two: their tables are unpacked when they are needed. A skeleton is
    never longer than a view, except where letters beyond ASCII fold to several.
    """

    def __init__(self, parts: tuple[Part, ...], reach: int, bare: bool = False) -> None:
        self.parts = parts
        self.bare = bare
        self.reach = reach  # characters, at most, that belong to one match
        self._unpacked: dict[int, Tables] = {}
        self._wide: dict[int, tuple[Begun, Beside]] = {}

    def tables(self, at: int) -> Tables:
        """The tables of one of the parts."""
        if at not in self._unpacked:
            held = self.parts[at].tables
            self._unpacked[at] = held if isinstance(held, Tables) else Tables(*marshal.loads(held()))
        return self._unpacked[at]

    def wide(self, at: int) -> tuple[Begun, Beside]:
        """What opens one of the parts in texts beyond ASCII."""
        if at not in self._wide:
            held = self.parts[at].wide
            self._wide[at] = held if isinstance(held, tuple) else marshal.loads(held())
        return self._wide[at]

    def only(self, number: int) -> Gate:
        """The gate of one of the rules alone."""
        for at, part in enumerate(self.parts):
            if number < part.count:
                tables = self.tables(at)
                alone = slice(number, number + 1)
                one = tables.replace(
                    rules=tables.rules[alone],
                    near=tables.near[alone],
                    within=tables.within[alone],
                    opened=tuple((0,) if number in rules else () for rules in tables.opened),
                    free=(0,) if number in tables.free else (),
                    named=tables.named[alone],
                )
                return Gate((Part(1, True, {}, {}, ({}, {}), (), one),), one.within[0], self.bare)
            number -= part.count
        raise IndexError(number)

    def possible(self, text: str, path: str | None = None) -> tuple[int, ...]:
        """The rules of which every pattern could match, near enough to each other, in some view of a text that is
        part of a file of that name (None: of any). Their numbers, ascending."""
        if self.bare:
            whole = solid(text)
            here = _Bones(whole, bytearray(b"\1") * (len(whole) + 1))  # any letter may be the first of a word
        else:
            here = _Bones(skeleton(text), word_edges(text))
        stretch = 1 if text.isascii() else _STRETCH
        found: list[int] = []
        for at, first in self._open(here, path):
            tables = self.tables(at)
            standing = _standing(tables, here)
            numbers = [
                number
                for number in _every(tables, _met(tables, standing))
                if path is None or _named(tables.named[number], path)
            ]
            if any(len(here.text) > stretch * tables.within[number] for number in numbers) and len(text) <= _LARGE:
                by_group = _by_group(tables, standing, here)
                numbers = [number for number in numbers if _close(tables, number, by_group, stretch)]
            found += (first + number for number in numbers)
        return tuple(found)

    def _open(self, here: _Bones, path: str | None) -> Iterator[tuple[int, int]]:
        """The parts of which a rule could match, each with the number of its first rule."""
        first = 0
        for at, part in enumerate(self.parts):
            by_name = part.named and (path is None or any(name in path for name in part.named))
            if part.always or by_name or self._is_open(at, here):
                yield at, first
            first += part.count

    def _is_open(self, at: int, here: _Bones) -> bool:
        part = self.parts[at]
        tables = [(part.keys, part.beside)] if here.text.isascii() else [(part.keys, part.beside), self.wide(at)]
        return any(_opens(beside, key, here) for keys, beside in tables for key in here.beginning(keys))


class _Bones:
    """A skeleton, where words begin and end in it, and what it holds of so many characters."""

    def __init__(self, text: str, edges: bytearray) -> None:
        self.text = text
        self.edges = edges
        self._grams: dict[int, set[str]] = {}

    def beginning(self, begun: Mapping[int, Mapping[str, tuple[Key, ...]]]) -> Iterator[Key]:
        """What stands for the literals that begin like something here."""
        for length, table in begun.items():
            grams = self._grams.get(length)
            if grams is None:
                text, size = self.text, abs(length)
                places = range(len(text) - size + 1)
                starts = compress(places, self.edges) if length < 0 else places
                grams = self._grams[length] = {text[at : at + size] for at in starts}
            for start in table.keys() & grams:
                yield from table[start]

    def has(self, literal: str) -> bool:
        """Whether a literal stands anywhere, as in `places`."""
        bare = literal.strip(EDGE)
        return bare in self.text and (bare == literal or any(True for _ in self.places(literal)))

    def places(self, literal: str) -> Iterator[Range]:
        """Where a literal stands, at the edges of words where it should."""
        bare = literal.strip(EDGE)
        first, last = literal[0] == EDGE, literal[-1] == EDGE
        at = self.text.find(bare)
        while at >= 0:
            end = at + len(bare)
            if (not first or self.edges[at]) and (not last or self.edges[end]):
                yield at, end
            at = self.text.find(bare, at + 1)


def _opens(beside: Beside, key: str, here: _Bones) -> bool:
    """Whether a literal stands there, and beside it one of those that must, if it tells little."""
    return here.has(key) and (key not in beside or any(any(map(here.has, some)) for some in beside[key]))


def _standing(tables: Tables, here: _Bones) -> list[int]:
    """The literals that stand anywhere."""
    return [number for number in here.beginning(tables.begun) if here.has(tables.literals[number])]


def _met(tables: Tables, found: Iterable[int]) -> set[int]:
    """The groups of which a literal was found."""
    return {group for number in found for group in tables.groups[number]}


def _every(tables: Tables, met: set[int]) -> list[int]:
    """The rules of which all formulas hold."""
    some = {rule for group in met for rule in tables.opened[group]}.union(tables.free)
    return sorted(number for number in some if all(_holds(formula, met) for formula in tables.rules[number]))


def _named(named: tuple[str, ...], path: str) -> bool:
    return not named or any(part in path for part in named)


def _close(tables: Tables, number: int, by_group: dict[int, list[Range]], stretch: int) -> bool:
    """Whether what a rule needs lies near enough to each other somewhere."""
    sets = tables.near[number]
    if len(sets) < 2:
        return True
    groups = [innermost(place for group in heads for place in by_group.get(group, ())) for heads in sets]
    return all(groups) and bool(shortest_windows(groups, stretch * tables.within[number]))


def _by_group(tables: Tables, standing: list[int], here: _Bones) -> dict[int, list[Range]]:
    """Where groups have a literal."""
    by_group: dict[int, list[Range]] = {}
    for number in standing:
        found = list(here.places(tables.literals[number]))
        for group in tables.groups[number]:
            by_group.setdefault(group, []).extend(found)
    return by_group
