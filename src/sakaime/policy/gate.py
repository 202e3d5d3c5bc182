"""The gate before the rules: which of them could match in a text, by literals alone.

A rule has patterns (all of `any` together count as one), and a pattern has groups of literals: of every
group one literal must be in the skeleton of a text for the pattern to match there. A pattern without
groups could match anywhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from sakaime.model import Record
from sakaime.text.chars import line_skeletons, skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re2

Groups = tuple[tuple[int, ...], ...]
Patterns = tuple[Groups, ...]

# Up to so many characters, asking for every literal is faster than making one automaton of them.
_SMALL = 20_000
_MAX_MEM = 256 << 20
_PIECE = 1024  # characters of skeleton that are looked at together, at least


class Spot(Record):
    """A stretch of a text, in code points, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


class Gate:
    """Literals, and per rule the numbers of those that its patterns need."""

    def __init__(self, literals: tuple[str, ...], rules: tuple[Patterns, ...]) -> None:
        self.literals = literals
        self.rules = rules
        self._set: re2.Set | None = None

    def touched(self, text: str) -> tuple[int, ...]:
        """Numbers of the rules of which at least one pattern could match in some view of a text."""
        found = self._found(skeleton(text), None)
        return tuple(n for n, patterns in enumerate(self.rules) if any(_open(groups, found) for groups in patterns))

    def possible(self, text: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Of some rules, those of which every pattern could match in some view of a text."""
        return self._every(skeleton(text), numbers)

    def spots(self, text: str, numbers: tuple[int, ...], reach: int) -> tuple[Spot, ...]:
        """Where some rules could match: stretches of whole lines, ascending, that may overlap.

        `reach` is how far apart, in characters of a view, the patterns of one rule may match. Skeletons are
        never longer than the views they come from, but for letters that fold to several.
        """
        if len(text) <= _PIECE:
            found = self.possible(text, numbers)
            return (Spot(0, len(text), found),) if found else ()
        bones = line_skeletons(text)
        lengths = [0, *accumulate(map(len, bones))]
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        overlap = 2 * reach
        piece = max(_PIECE, 2 * overlap)
        spots = []
        first = 0
        while first < len(bones):
            last = min(bisect_left(lengths, lengths[first] + piece, first + 1), len(bones))
            found = self._every("".join(bones[first:last]), numbers)
            if found:
                spots.append(Spot(starts[first], starts[last] - 1, found))
            if last == len(bones):
                break
            first = max(first + 1, bisect_right(lengths, lengths[last] - overlap) - 1)
        return tuple(spots)

    def _every(self, bones: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        found = self._found(bones, numbers)
        return tuple(n for n in numbers if all(_open(groups, found) for groups in self.rules[n]))

    def _found(self, bones: str, numbers: tuple[int, ...] | None) -> set[int]:
        if self._set is None and len(bones) <= _SMALL:
            literals = self.literals
            wanted = range(len(literals)) if numbers is None else self._needed(numbers)
            return {number for number in wanted if literals[number] in bones}
        if self._set is None:
            self._set = _automaton(self.literals)
        return set(self._set.Match(bones.encode("utf-8", "surrogatepass")) or ())

    def _needed(self, numbers: tuple[int, ...]) -> set[int]:
        return {literal for n in numbers for groups in self.rules[n] for group in groups for literal in group}


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
