"""The gate before the rules: which of them could match in a text, by literals alone."""

from __future__ import annotations

import marshal
from bisect import bisect_left, bisect_right
from itertools import accumulate, compress

from sakaime.model import Record
from sakaime.policy.tables import ALL, EDGE, Part, Tables, part_of
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import line_skeletons, skeleton, word_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    import re2

    from sakaime.policy.tables import Begun, Beside, Formula, Gated, Key

# Up to so many characters, asking for every literal is faster than making one automaton of them.
_SMALL = 20_000
_MAX_MEM = 256 << 20
_STRETCH = 3  # one character of a view adds at most so many to a skeleton: a Hangul syllable
_SLICE = 1 << 16  # characters of a text that are taken at once
_PIECE = 1024  # characters of skeleton that are looked at together, at least


class Spot(Record):
    """A stretch of a text, in code points, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


def gate_of(parts: Sequence[Sequence[Gated]]) -> Gate:
    """The gate of some rules, in parts: what belongs to one language, mostly, is needed or not as a whole."""
    reach = max((within for rules in parts for _, within, _ in rules), default=0)
    return Gate(tuple(part_of(rules) for rules in parts if rules), reach)


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

    def __init__(self, parts: tuple[Part, ...], reach: int) -> None:
        self.parts = parts
        self.reach = reach  # characters, at most, that belong to one match
        self._unpacked: dict[int, Tables] = {}
        self._wide: dict[int, tuple[Begun, Beside]] = {}
        self._keys: tuple[re2.Set | None] | None = None

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
                return Gate((Part(1, True, {}, {}, ({}, {}), (), one),), one.within[0])
            number -= part.count
        raise IndexError(number)

    def spots(self, text: str, path: str | None = None, numbers: Container[int] | None = None) -> tuple[Spot, ...]:
        """Where some rules (None: all) could match in a file of that name (None: of any): stretches of whole lines,
        ascending, that may overlap."""
        stretch = 1 if text.isascii() else _STRETCH
        overlap = stretch * self.reach
        many = len(text) > _SMALL
        by_name = any(part.named and (path is None or any(name in path for name in part.named)) for part in self.parts)
        spots = []
        for start, end, bones in _pieces(text, max(_PIECE, 2 * overlap), overlap):
            if many and not by_name and not self._any_key(bones):
                continue
            here = _Bones(bones, word_edges(text[start:end]))
            near: list[int] = []
            for at, first in self._open(here, path):
                tables = self.tables(at)
                standing = _standing(tables, here)
                possible = _every(tables, _met(tables, standing))
                by_group = _by_group(tables, standing, here) if possible and len(bones) <= _SLICE else None
                for number in possible:
                    if (
                        (numbers is None or first + number in numbers)
                        and (path is None or _named(tables.named[number], path))
                        and (by_group is None or _close(tables, number, by_group, stretch))
                    ):
                        near.append(first + number)
            if near:
                spots.append(Spot(start, end, tuple(near)))
        return tuple(spots)

    def possible(self, text: str, path: str | None = None, numbers: Container[int] | None = None) -> tuple[int, ...]:
        """Of some rules (None: of all), those of which every pattern could match in some view of a text that is part
        of a file of that name (None: of any)."""
        here = _Bones(skeleton(text), word_edges(text))
        found: list[int] = []
        for at, first in self._open(here, path):
            tables = self.tables(at)
            met = _met(tables, _standing(tables, here))
            found += (first + n for n in _every(tables, met) if numbers is None or first + n in numbers)
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

    def _any_key(self, bones: str) -> bool:
        """Whether a part could be open, asked of one automaton for all: for texts of many pieces."""
        if self._keys is None:
            begun = [keys for at, part in enumerate(self.parts) for keys in (part.keys, self.wide(at)[0])]
            tables = [table for keys in begun for table in keys.values()]
            every = {key.strip(EDGE) for table in tables for some in table.values() for key in some}
            always = any(part.always for part in self.parts)
            # Without one, every piece is looked at as in a small text, slowly.
            self._keys = (None if always else _automaton(tuple(sorted(every))),)
        return self._keys[0] is None or bool(self._keys[0].Match(bones.encode("utf-8", "surrogatepass")))


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
    """Where groups have a literal. Of a line of megabytes that would be more than the line itself."""
    by_group: dict[int, list[Range]] = {}
    for number in standing:
        found = list(here.places(tables.literals[number]))
        for group in tables.groups[number]:
            by_group.setdefault(group, []).extend(found)
    return by_group


def _pieces(text: str, piece: int, overlap: int) -> Iterator[tuple[int, int, str]]:
    """A text in stretches of whole lines: (start, end, skeleton).

    Each skeleton has at least `piece` characters, where there are so many, and whatever begins in one of
    them ends in it, if it is no longer than `overlap`. The text is taken in slices, so that a large one
    needs no second one of its size.
    """
    bones: list[str] = []
    starts: list[int] = []
    at = 0
    while True:
        cut = len(text)
        if cut - at > _SLICE:
            cut = text.rfind("\n", at, at + _SLICE) + 1 or text.find("\n", at + _SLICE) + 1 or cut
        final = cut == len(text)
        part = text[at : cut if final else cut - 1]
        bones += line_skeletons(part)
        starts += accumulate((len(line) + 1 for line in part.split("\n")), initial=at)
        lengths = [0, *accumulate(map(len, bones))]
        first = 0
        while first < len(bones):
            # Whatever begins in the first line must end in the piece, however long that line is.
            least = max(lengths[first] + piece, lengths[first + 1] + overlap)
            last = min(bisect_left(lengths, least, first + 1), len(bones))
            if last == len(bones) and not final:
                break
            yield starts[first], starts[last] - 1, "".join(bones[first:last])
            if last == len(bones):
                return
            first = max(first + 1, bisect_right(lengths, lengths[last] - overlap) - 1)
        if final:
            return
        del bones[:first], starts[:first]
        starts.pop()
        at = cut


def _automaton(literals: tuple[str, ...]) -> re2.Set | None:
    """One automaton of all literals; None where they are too many for one: then each is asked for, slowly."""
    try:
        import re2
    except ImportError:
        return None
    options = re2.Options()
    options.max_mem = _MAX_MEM
    options.log_errors = False
    options.literal = True
    automaton = re2.Set.SearchSet(options)
    for literal in literals:
        automaton.Add(literal.encode())
    try:
        automaton.Compile()
    except re2.error:
        return None
    return automaton
