"""The gate before the rules: which of them could match in a text, by literals alone.

A rule has patterns (all of `any` together count as one), and a pattern has groups of literals: of every
group one literal must be in the skeleton of a text for the pattern to match there. A pattern without
groups could match anywhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from sakaime.model import Record
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import line_skeletons, skeleton, word_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    import re2

Groups = tuple[tuple[int, ...], ...]
Patterns = tuple[Groups, ...]
Tables = tuple[
    dict[int, dict[str, tuple[int, ...]]],
    tuple[tuple[int, ...], ...],
    tuple[tuple[tuple[int, ...], ...], ...],
    tuple[tuple[int, ...], ...],
    tuple[int, ...],
]

# Up to so many characters, asking for every literal is faster than making one automaton of them.
_SMALL = 20_000
_BEGIN, _BEGIN_WIDE = 4, 2  # characters by which literals are looked up
EDGE = "|"  # in a literal: the edge of a word
ASKED = 4 * _SMALL  # bytes: in more than that, nearly every rule has a literal somewhere
_MAX_MEM = 256 << 20
_STRETCH = 3  # one character of a view adds at most so many to a skeleton: a Hangul syllable
_SLICE = 1 << 16  # characters of a text that are taken at once
_PIECE = 1024  # characters of skeleton that are looked at together, at least


class Spot(Record):
    """A stretch of a text, in code points, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


class Gate:
    """Literals, per rule the numbers of those that its patterns need, and how far apart they may be.

    A literal with `|` before or after it stands at the edge of a word there. The distance is in characters of a
    view. A skeleton is never longer, except where letters beyond ASCII fold to several.

    `tables` are what is looked up for a text: literals by the characters with which they begin, groups by
    literal, rules by group. They follow from the rest, and take longer to make than a harmless change to judge.
    """

    def __init__(
        self,
        literals: tuple[str, ...],
        rules: tuple[Patterns, ...],
        within: tuple[int, ...],
        tables: Tables | None = None,
    ) -> None:
        self.literals = literals
        self.rules = rules
        self.within = within
        self.tables = tables or _tables(literals, rules)
        self._set: re2.Set | None = None
        self._made = False

    def touched(self, text: str) -> tuple[int, ...]:
        """Numbers of the rules of which at least one pattern could match in some view of a text."""
        if len(text) > _SMALL:
            return tuple(range(len(self.rules)))
        met = self._met(self._places(skeleton(text), word_edges(text)))
        _, _, groups_of, rules_of, free = self.tables
        some = {rule for group in met for rule in rules_of[group]}
        some = {rule for rule in some if any(met.issuperset(groups) for groups in groups_of[rule])}
        return tuple(sorted(some.union(free)))

    def possible(self, text: str, numbers: Container[int]) -> tuple[int, ...]:
        """Of some rules, those of which every pattern could match in some view of a text."""
        return self._every(self._met(self._places(skeleton(text), word_edges(text))), numbers)

    def spots(self, text: str, numbers: tuple[int, ...]) -> tuple[Spot, ...]:
        """Where some rules could match: stretches of whole lines, ascending, that may overlap."""
        if len(text) <= _PIECE:
            near = self.possible(text, numbers)
            return (Spot(0, len(text), near),) if near else ()
        if not self._made and len(text) > _SMALL:
            self._made = True
            self._set = _automaton(tuple(literal.strip(EDGE) for literal in self.literals))
        wanted = frozenset(numbers)
        stretch = 1 if text.isascii() else _STRETCH
        overlap = stretch * max(self.within, default=0)
        spots = []
        for start, end, bones in _pieces(text, max(_PIECE, 2 * overlap), overlap):
            occurring = self._occurring(bones)
            near = self._every(self._met(occurring), wanted)
            if near:  # only then the words are looked for in it
                places = self._standing(occurring, bones, word_edges(text[start:end]))
                near = self._every(self._met(places), near)
                near = tuple(n for n in near if self._close(n, places, stretch))
            if near:
                spots.append(Spot(start, end, near))
        return tuple(spots)

    def _places(self, bones: str, edges: set[int]) -> dict[int, list[Range]]:
        return self._standing(self._occurring(bones), bones, edges)

    def _occurring(self, bones: str) -> Iterable[int]:
        """Numbers of the literals that a skeleton holds, wherever in a word."""
        if self._set is not None:
            return self._set.Match(bones.encode("utf-8", "surrogatepass")) or ()
        found: list[int] = []
        for length, begun in self.tables[0].items():
            for start in begun.keys() & {bones[at : at + length] for at in range(len(bones) - length + 1)}:
                found += begun[start]
        return found

    def _standing(self, numbers: Iterable[int], bones: str, edges: set[int]) -> dict[int, list[Range]]:
        """Where some literals stand in a skeleton, at the edges of words where they should; none that does not."""
        found = {}
        for number in numbers:
            literal = self.literals[number]
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
        by_literal = self.tables[1]
        return {group for number in found for group in by_literal[number]}

    def _every(self, met: set[int], numbers: Container[int]) -> tuple[int, ...]:
        """Of some rules, those of which all groups are met."""
        _, _, groups_of, rules_of, free = self.tables
        some = {rule for group in met for rule in rules_of[group]}.union(free)
        return tuple(sorted(n for n in some if n in numbers and all(met.issuperset(groups) for groups in groups_of[n])))

    def _close(self, number: int, places: dict[int, list[Range]], stretch: int) -> bool:
        """Whether literals of all groups of a rule lie near enough to each other somewhere."""
        groups = [group for groups in self.rules[number] for group in groups]
        if len(groups) < 2:
            return True
        found = [innermost(place for n in group if n in places for place in places[n]) for group in groups]
        return bool(shortest_windows(found, stretch * self.within[number]))


def _tables(literals: tuple[str, ...], rules: tuple[Patterns, ...]) -> Tables:
    begun: dict[int, dict[str, tuple[int, ...]]] = {}
    for number, literal in enumerate(literals):
        bare = literal.strip(EDGE)
        length = min(_BEGIN if bare.isascii() else _BEGIN_WIDE, len(bare))
        table = begun.setdefault(length, {})
        table[bare[:length]] = (*table.get(bare[:length], ()), number)
    numbers: dict[tuple[int, ...], int] = {}
    groups_of = tuple(
        tuple(tuple(numbers.setdefault(group, len(numbers)) for group in groups) for groups in patterns)
        for patterns in rules
    )
    by_literal: list[list[int]] = [[] for _ in literals]
    for group, number in numbers.items():
        for literal_number in group:
            by_literal[literal_number].append(number)
    rules_of: list[list[int]] = [[] for _ in numbers]
    for rule, patterns in enumerate(groups_of):
        for number in {number for groups in patterns for number in groups}:
            rules_of[number].append(rule)
    # A rule with a pattern that needs nothing could match anywhere.
    free = tuple(rule for rule, patterns in enumerate(groups_of) if not all(patterns))
    return begun, tuple(map(tuple, by_literal)), groups_of, tuple(map(tuple, rules_of)), free


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
