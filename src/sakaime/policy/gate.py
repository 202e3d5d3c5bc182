"""The gate before the rules: which of them could match in a text, by literals alone.

A rule has patterns (all of `any` together count as one), and a pattern has a condition: which literals must be in
the skeleton of a text for the pattern to match there (`sakaime.policy.needs`).
"""

from __future__ import annotations

import marshal
from bisect import bisect_left, bisect_right
from itertools import accumulate

from sakaime.model import Record
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import line_skeletons, skeleton, word_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias, TypeVar

    import re2

    from sakaime.policy.needs import Condition

    Key = TypeVar("Key", str, int)
    Begun: TypeAlias = dict[int, dict[str, tuple[str, ...]]]
    # The conditions of a rule's patterns, how far apart they may match, and `Rule.named`.
    Gated: TypeAlias = tuple[tuple[Condition, ...], int, tuple[str, ...]]
    # A condition, with its groups of literals by number.
    Formula: TypeAlias = int | tuple[int, tuple["Formula", ...]]

ALL, ANY = 0, 1

# Up to so many characters, asking for every literal is faster than making one automaton of them.
_SMALL = 20_000
_BEGIN, _BEGIN_WIDE = 4, 2  # characters by which literals are looked up
EDGE = "|"  # in a literal: the edge of a word
_MAX_MEM = 256 << 20
_STRETCH = 3  # one character of a view adds at most so many to a skeleton: a Hangul syllable
_SLICE = 1 << 16  # characters of a text that are taken at once
_PIECE = 1024  # characters of skeleton that are looked at together, at least


class Spot(Record):
    """A stretch of a text, in code points, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


class Part(Record):
    """Some of the rules: how many; whether any text may be for them; else literals, or parts of a path, one of which
    must occur for any of them to match; and the tables, or what gives their values as bytes."""

    count: int
    always: bool
    keys: Begun
    named: tuple[str, ...]
    tables: Tables | Callable[[], bytes]


class Tables(Record):
    """What a gate looks up. All of it is plain tuples and dictionaries, so that it can be kept between runs.

    `literals` has every literal once, a `|` before or after it where it stands at the edge of a word. `begun` gives
    the numbers of those that begin with some characters, by the number of characters; `groups` for each literal the
    groups that it is in. `rules` are, per rule, the formulas of its patterns, and `near` the sets of groups that must
    lie near each other; `within` how near, in characters of a view. `opened` gives for each group the rules that
    cannot match unless it, or another one like it, is met; `free` are the rules of which nothing is known; `named`
    are, per rule, strings of which one is in the path of every file that it looks at.
    """

    literals: tuple[str, ...]
    begun: dict[int, dict[str, tuple[int, ...]]]
    groups: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[Formula, ...], ...]
    near: tuple[tuple[tuple[int, ...], ...], ...]
    within: tuple[int, ...]
    opened: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    named: tuple[tuple[str, ...], ...]


def gate_of(parts: Sequence[Sequence[Gated]]) -> Gate:
    """The gate of some rules, in parts: what belongs to one language, mostly, is needed or not as a whole."""
    reach = max((within for rules in parts for _, within, _ in rules), default=0)
    return Gate(tuple(_part(rules) for rules in parts if rules), reach)


def _part(rules: Sequence[Gated]) -> Part:
    from sakaime.policy.cache import remembered

    tables = Tables(*remembered("gate", [marshal.dumps(tuple(rules))], lambda: _tables(rules).values()))
    # A rule for files of certain names opens nothing elsewhere.
    anywhere = [number for number, named in enumerate(tables.named) if not named]
    wanted = {group for group, opened in enumerate(tables.opened) if not {*anywhere}.isdisjoint(opened)}
    keyed = [number for number, groups in enumerate(tables.groups) if not wanted.isdisjoint(groups)]
    keys = _begun((tables.literals[number], tables.literals[number]) for number in keyed)
    always = not {*anywhere}.isdisjoint(tables.free)
    return Part(len(rules), always, keys, tuple({part: None for named in tables.named for part in named}), tables)


def _begun(literals: Iterable[tuple[str, Key]]) -> dict[int, dict[str, tuple[Key, ...]]]:
    """Something for each literal, by the characters with which they begin, by the number of those characters."""
    begun: dict[int, dict[str, list[Key]]] = {}
    for literal, key in literals:
        start = literal.strip(EDGE)[: _BEGIN if literal.isascii() else _BEGIN_WIDE]
        begun.setdefault(len(start), {}).setdefault(start, []).append(key)
    return {length: {start: tuple(keys) for start, keys in table.items()} for length, table in begun.items()}


def _tables(rules: Sequence[Gated]) -> Tables:
    """What is looked up for some rules: per rule the conditions of its patterns, how far apart they may match, and
    `named`."""
    from sakaime.policy.needs import NOTHING, chance

    numbers: dict[tuple[str, ...], int] = {}

    def formula(needed: Condition) -> Formula:
        if needed and isinstance(needed[0], int):
            return (needed[0], tuple(formula(part) for part in needed[1]))
        return numbers.setdefault(needed, len(numbers))

    formulas, near, keys, free = [], [], [], []
    for number, (patterns, _, _) in enumerate(rules):
        formulas.append(tuple(formula(needed) for needed in patterns if needed != NOTHING))
        near.append(tuple(heads for one in formulas[-1] for heads in _spread(one)))
        key = min((needed for needed in patterns if needed != NOTHING), key=chance, default=None)
        keys.append(_heads(formula(key)) if key is not None else ())
        if key is None:
            free.append(number)
    literals = tuple(sorted({literal for group in numbers for literal in group}))
    by_name = {literal: number for number, literal in enumerate(literals)}
    groups: list[list[int]] = [[] for _ in literals]
    for group, number in numbers.items():
        for literal in group:
            groups[by_name[literal]].append(number)
    opened: list[list[int]] = [[] for _ in numbers]
    for rule, key_groups in enumerate(keys):
        for group_number in key_groups:
            opened[group_number].append(rule)
    return Tables(
        literals,
        _begun(by_name.items()),
        tuple(map(tuple, groups)),
        tuple(formulas),
        tuple(near),
        tuple(within for _, within, _ in rules),
        tuple(map(tuple, opened)),
        tuple(free),
        tuple(named for _, _, named in rules),
    )


def _heads(formula: Formula) -> tuple[int, ...]:
    """Groups of which at least one is met where a formula holds: of several that must be, the one that tells most."""
    if isinstance(formula, int):
        return (formula,)
    parts = formula[1][:1] if formula[0] == ALL else formula[1]
    return tuple({group: None for part in parts for group in _heads(part)})


def _spread(formula: Formula) -> list[tuple[int, ...]]:
    """Sets of groups, of each of which one lies in a match."""
    parts = formula[1] if not isinstance(formula, int) and formula[0] == ALL else (formula,)
    return [_heads(part) for part in parts]


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
        self._keys: tuple[re2.Set | None] | None = None

    def tables(self, at: int) -> Tables:
        """The tables of one of the parts."""
        if at not in self._unpacked:
            held = self.parts[at].tables
            self._unpacked[at] = held if isinstance(held, Tables) else Tables(*marshal.loads(held()))
        return self._unpacked[at]

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
                return Gate((Part(1, True, {}, (), one),), one.within[0])
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
                places = _standing(tables, here)
                possible = _every(tables, _met(tables, places))
                by_group = _by_group(tables, places) if possible else {}
                for number in possible:
                    if (
                        (numbers is None or first + number in numbers)
                        and (path is None or _named(tables.named[number], path))
                        and _close(tables, number, by_group, stretch)
                    ):
                        near.append(first + number)
            if near:
                spots.append(Spot(start, end, tuple(near)))
        return tuple(spots)

    def possible(self, text: str, numbers: Container[int] | None = None) -> tuple[int, ...]:
        """Of some rules (None: of all), those of which every pattern could match in some view of a text."""
        here = _Bones(skeleton(text), word_edges(text))
        found: list[int] = []
        for at, first in self._open(here, None):
            tables = self.tables(at)
            met = _met(tables, _standing(tables, here))
            found += (first + n for n in _every(tables, met) if numbers is None or first + n in numbers)
        return tuple(found)

    def _open(self, here: _Bones, path: str | None) -> Iterator[tuple[int, int]]:
        """The parts of which a rule could match, each with the number of its first rule."""
        first = 0
        for at, part in enumerate(self.parts):
            by_name = part.named and (path is None or any(name in path for name in part.named))
            if part.always or by_name or any(here.places(key) for key in here.beginning(part.keys)):
                yield at, first
            first += part.count

    def _any_key(self, bones: str) -> bool:
        """Whether a part could be open, asked of one automaton for all: for texts of many pieces."""
        if self._keys is None:
            tables = [table for part in self.parts for table in part.keys.values()]
            every = {key.strip(EDGE) for table in tables for some in table.values() for key in some}
            always = any(part.always for part in self.parts)
            # Without one, every piece is looked at as in a small text, slowly.
            self._keys = (None if always else _automaton(tuple(sorted(every))),)
        return self._keys[0] is None or bool(self._keys[0].Match(bones.encode("utf-8", "surrogatepass")))


class _Bones:
    """A skeleton, where words begin and end in it, and what it holds of so many characters."""

    def __init__(self, text: str, edges: set[int]) -> None:
        self.text = text
        self.edges = edges
        self._grams: dict[int, set[str]] = {}

    def beginning(self, begun: Mapping[int, Mapping[str, tuple[Key, ...]]]) -> Iterator[Key]:
        """What stands for the literals that begin like something here."""
        for length, table in begun.items():
            grams = self._grams.get(length)
            if grams is None:
                text = self.text
                grams = self._grams[length] = {text[at : at + length] for at in range(len(text) - length + 1)}
            for start in table.keys() & grams:
                yield from table[start]

    def places(self, literal: str) -> list[Range]:
        """Where a literal stands, at the edges of words where it should."""
        bare = literal.strip(EDGE)
        first, last = literal[0] == EDGE, literal[-1] == EDGE
        found = []
        at = self.text.find(bare)
        while at >= 0:
            end = at + len(bare)
            if (not first or at in self.edges) and (not last or end in self.edges):
                found.append((at, end))
            at = self.text.find(bare, at + 1)
        return found


def _standing(tables: Tables, here: _Bones) -> dict[int, list[Range]]:
    """Where literals stand, those that do."""
    numbers = here.beginning(tables.begun)
    return {number: places for number in numbers if (places := here.places(tables.literals[number]))}


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


def _by_group(tables: Tables, places: dict[int, list[Range]]) -> dict[int, list[Range]]:
    by_group: dict[int, list[Range]] = {}
    for literal, found in places.items():
        for group in tables.groups[literal]:
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
    import re2

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
