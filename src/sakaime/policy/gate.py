"""The gate before the rules: which of them could match in a text, by literals alone.

A rule has patterns (all of `any` together count as one), and a pattern has a condition: which literals must be in
the skeleton of a text for the pattern to match there (`sakaime.policy.needs`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from sakaime.model import Record
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import line_skeletons, skeleton, word_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import TypeAlias

    import re2

    from sakaime.policy.needs import Condition

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


class Tables(Record):
    """What a gate looks up. All of it is plain tuples and dictionaries, so that it can be kept between runs.

    `literals` has every literal once, a `|` before or after it where it stands at the edge of a word. `begun` gives
    the numbers of those that begin with some characters, by the number of characters; `groups` for each literal the
    groups that it is in. `rules` are, per rule, the formulas of its patterns, and `near` the sets of groups that must
    lie near each other; `within` how near, in characters of a view. `opened` gives for each group the rules that
    cannot match unless it, or another one like it, is met; `free` are the rules of which nothing is known.
    """

    literals: tuple[str, ...]
    begun: dict[int, dict[str, tuple[int, ...]]]
    groups: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[Formula, ...], ...]
    near: tuple[tuple[tuple[int, ...], ...], ...]
    within: tuple[int, ...]
    opened: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]


def gate_of(rules: Sequence[tuple[tuple[Condition, ...], int]]) -> Gate:
    """The gate of some rules: per rule the conditions of its patterns, and how far apart they may match."""
    from sakaime.policy.needs import NOTHING, chance

    numbers: dict[tuple[str, ...], int] = {}

    def formula(needed: Condition) -> Formula:
        if needed and isinstance(needed[0], int):
            return (needed[0], tuple(formula(part) for part in needed[1]))
        return numbers.setdefault(needed, len(numbers))

    formulas, near, keys, free = [], [], [], []
    for number, (patterns, _) in enumerate(rules):
        formulas.append(tuple(formula(needed) for needed in patterns if needed != NOTHING))
        near.append(tuple(heads for one in formulas[-1] for heads in _spread(one)))
        key = min((needed for needed in patterns if needed != NOTHING), key=chance, default=None)
        keys.append(_heads(formula(key)) if key is not None else ())
        if key is None:
            free.append(number)
    literals = tuple(sorted({literal for group in numbers for literal in group}))
    by_name = {literal: number for number, literal in enumerate(literals)}
    begun: dict[int, dict[str, tuple[int, ...]]] = {}
    for literal, number in by_name.items():
        bare = literal.strip(EDGE)
        length = min(_BEGIN if bare.isascii() else _BEGIN_WIDE, len(bare))
        table = begun.setdefault(length, {})
        table[bare[:length]] = (*table.get(bare[:length], ()), number)
    groups: list[list[int]] = [[] for _ in literals]
    for group, number in numbers.items():
        for literal in group:
            groups[by_name[literal]].append(number)
    opened: list[list[int]] = [[] for _ in numbers]
    for rule, key_groups in enumerate(keys):
        for group_number in key_groups:
            opened[group_number].append(rule)
    return Gate(
        Tables(
            literals,
            begun,
            tuple(map(tuple, groups)),
            tuple(formulas),
            tuple(near),
            tuple(within for _, within in rules),
            tuple(map(tuple, opened)),
            tuple(free),
        )
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

    A skeleton is never longer than a view, except where letters beyond ASCII fold to several.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._set: re2.Set | None = None
        self._made = False

    def only(self, number: int) -> Gate:
        """The gate of one of the rules alone."""
        alone = slice(number, number + 1)
        one = self.tables
        opened = tuple((0,) if number in rules else () for rules in one.opened)
        free = (0,) if number in one.free else ()
        return Gate(
            one.replace(
                rules=one.rules[alone], near=one.near[alone], within=one.within[alone], opened=opened, free=free
            )
        )

    @property
    def reach(self) -> int:
        """How far apart, at most, what belongs to one match may lie, in characters."""
        return max(self.tables.within, default=0)

    def possible(self, text: str, numbers: Container[int] | None = None) -> tuple[int, ...]:
        """Of some rules (None: of all), those of which every pattern could match in some view of a text."""
        bones = skeleton(text)
        return self._every(self._met(self._standing(self._occurring(bones), bones, word_edges(text))), numbers)

    def spots(self, text: str, numbers: Container[int] | None = None) -> tuple[Spot, ...]:
        """Where some rules (None: all) could match: stretches of whole lines, ascending, that may overlap."""
        if len(text) > _SMALL and not self._made:
            self._made = True
            self._set = _automaton(tuple(literal.strip(EDGE) for literal in self.tables.literals))
        stretch = 1 if text.isascii() else _STRETCH
        overlap = stretch * self.reach
        spots = []
        for start, end, bones in _pieces(text, max(_PIECE, 2 * overlap), overlap):
            occurring = self._occurring(bones)
            near = self._every(self._met(occurring), numbers)
            if near:  # only then the words are looked for in it
                places = self._standing(occurring, bones, word_edges(text[start:end]))
                near = self._every(self._met(places), near)
                near = tuple(number for number in near if self._close(number, places, stretch))
            if near:
                spots.append(Spot(start, end, near))
        return tuple(spots)

    def _occurring(self, bones: str) -> Sequence[int]:
        """Numbers of the literals that a skeleton holds, wherever in a word; a few more, where they are looked up."""
        if self._set is not None and len(bones) >= _PIECE:
            return self._set.Match(bones.encode("utf-8", "surrogatepass")) or ()
        found: list[int] = []
        for length, begun in self.tables.begun.items():
            for start in begun.keys() & {bones[at : at + length] for at in range(len(bones) - length + 1)}:
                found += begun[start]
        return found

    def _standing(self, numbers: Iterable[int], bones: str, edges: set[int]) -> dict[int, list[Range]]:
        """Where some literals stand in a skeleton, at the edges of words where they should; none that does not."""
        found = {}
        for number in numbers:
            literal = self.tables.literals[number]
            bare = literal.strip(EDGE)
            first, last = literal[0] == EDGE, literal[-1] == EDGE
            places = []
            at = bones.find(bare)
            while at >= 0:
                end = at + len(bare)
                if (not first or at in edges) and (not last or end in edges):
                    places.append((at, end))
                at = bones.find(bare, at + 1)
            if places:
                found[number] = places
        return found

    def _met(self, found: Iterable[int]) -> set[int]:
        """The groups of which a literal was found."""
        groups = self.tables.groups
        return {group for number in found for group in groups[number]}

    def _every(self, met: set[int], numbers: Container[int] | None) -> tuple[int, ...]:
        """Of some rules, those of which all formulas hold."""
        tables = self.tables
        some = {rule for group in met for rule in tables.opened[group]}.union(tables.free)
        if numbers is not None:
            some = {number for number in some if number in numbers}
        return tuple(sorted(n for n in some if all(_holds(formula, met) for formula in tables.rules[n])))

    def _close(self, number: int, places: dict[int, list[Range]], stretch: int) -> bool:
        """Whether what a rule needs lies near enough to each other somewhere."""
        sets = self.tables.near[number]
        if len(sets) < 2:
            return True
        by_group: dict[int, list[Range]] = {}
        for literal, found in places.items():
            for group in self.tables.groups[literal]:
                by_group.setdefault(group, []).extend(found)
        groups = [innermost(place for group in heads for place in by_group.get(group, ())) for heads in sets]
        return all(groups) and bool(shortest_windows(groups, stretch * self.tables.within[number]))


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
