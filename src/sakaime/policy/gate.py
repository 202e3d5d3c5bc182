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
from sakaime.text.chars import line_skeletons, skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import re2

Groups = tuple[tuple[int, ...], ...]
Patterns = tuple[Groups, ...]

# Up to so many characters, asking for every literal is faster than making one automaton of them.
_SMALL = 20_000
_MAX_MEM = 256 << 20
_STRETCH = 3  # one character of a view adds at most so many to a skeleton: a Hangul syllable
_SLICE = 1 << 18  # characters of a text that are taken at once
_PIECE = 1024  # characters of skeleton that are looked at together, at least


class Spot(Record):
    """A stretch of a text, in code points, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


class Gate:
    """Literals, per rule the numbers of those that its patterns need, and how far apart they may be.

    The distance is in characters of a view. A skeleton is never longer, except where letters beyond ASCII
    fold to several.
    """

    def __init__(self, literals: tuple[str, ...], rules: tuple[Patterns, ...], within: tuple[int, ...]) -> None:
        self.literals = literals
        self.rules = rules
        self.within = within
        self._set: re2.Set | None = None
        self._owners: dict[int | None, list[int]] = {}

    def touched(self, text: str) -> tuple[int, ...]:
        """Numbers of the rules of which at least one pattern could match in some view of a text."""
        if len(text) > _SMALL:  # nearly every rule has a literal somewhere in so much text
            return tuple(range(len(self.rules)))
        found = self._found(skeleton(text), None)
        return tuple(n for n, patterns in enumerate(self.rules) if any(_open(groups, found) for groups in patterns))

    def possible(self, text: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Of some rules, those of which every pattern could match in some view of a text."""
        return self._every(self._found(skeleton(text), numbers), numbers)

    def spots(self, text: str, numbers: tuple[int, ...]) -> tuple[Spot, ...]:
        """Where some rules could match: stretches of whole lines, ascending, that may overlap."""
        if len(text) <= _PIECE:
            near = self.possible(text, numbers)
            return (Spot(0, len(text), near),) if near else ()
        if self._set is None and len(text) > _SMALL:
            self._set = _automaton(self.literals)
            self._owners = self._by_longest()
        stretch = 1 if text.isascii() else _STRETCH
        overlap = stretch * max(self.within, default=0)
        spots = []
        for start, end, bones in _pieces(text, max(_PIECE, 2 * overlap), overlap):
            found = self._found(bones, numbers)
            near = tuple(n for n in self._every(found, numbers) if self._close(bones, n, found, stretch))
            if near:
                spots.append(Spot(start, end, near))
        return tuple(spots)

    def _close(self, bones: str, number: int, found: set[int], stretch: int) -> bool:
        """Whether literals of all groups of a rule lie near enough to each other somewhere."""
        groups = [group for groups in self.rules[number] for group in groups]
        if len(groups) < 2:
            return True
        places = [innermost(_places(bones, [self.literals[n] for n in group if n in found])) for group in groups]
        return bool(shortest_windows(places, stretch * self.within[number]))

    def _every(self, found: set[int], numbers: tuple[int, ...]) -> tuple[int, ...]:
        if self._owners:
            owned = {n for literal in (None, *found) for n in self._owners.get(literal, ())}
            numbers = tuple(sorted(owned.intersection(numbers)))
        return tuple(n for n in numbers if all(_open(groups, found) for groups in self.rules[n]))

    def _by_longest(self) -> dict[int | None, list[int]]:
        """Per literal the rules in whose group of the longest literals it is; None: rules without a group."""
        owners: dict[int | None, list[int]] = {None: []}
        for number, patterns in enumerate(self.rules):
            groups = [group for groups in patterns for group in groups]
            best = max(groups, key=lambda group: min(len(self.literals[n]) for n in group), default=(None,))
            for literal in best:
                owners.setdefault(literal, []).append(number)
        return owners

    def _found(self, bones: str, numbers: tuple[int, ...] | None) -> set[int]:
        if self._set is None:
            literals = self.literals
            wanted = range(len(literals)) if numbers is None else self._needed(numbers)
            return {number for number in wanted if literals[number] in bones}
        return set(self._set.Match(bones.encode("utf-8", "surrogatepass")) or ())

    def _needed(self, numbers: tuple[int, ...]) -> set[int]:
        return {literal for n in numbers for groups in self.rules[n] for group in groups for literal in group}


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


def _places(bones: str, literals: list[str]) -> Iterator[Range]:
    for literal in literals:
        at = bones.find(literal)
        while at >= 0:
            yield at, at + len(literal)
            at = bones.find(literal, at + 1)


def _automaton(literals: tuple[str, ...]) -> re2.Set:
    import re2

    options = re2.Options()
    options.max_mem = _MAX_MEM
    options.log_errors = False
    options.literal = True
    automaton = re2.Set.SearchSet(options)
    for literal in literals:
        automaton.Add(literal.encode())
    automaton.Compile()
    return automaton


def _open(groups: Groups, found: set[int]) -> bool:
    return not any(found.isdisjoint(group) for group in groups)
