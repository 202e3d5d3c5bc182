"""The rules in single lines of code, without the comments in them."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.checks.risks import Spot, as_one, beginning, ending
from sakaime.model import Finding
from sakaime.policy.match import looks_at, windows
from sakaime.policy.pattern import compile_pattern
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule, reported
from sakaime.policy.trim import whole
from sakaime.text.paths import printable
from sakaime.text.segments import blocks
from sakaime.text.syntax import JSON, VALUES, YAML, syntax_of
from sakaime.text.syntax import ending as extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sakaime.material.texts import Text
    from sakaime.policy.pattern import Pattern
    from sakaime.policy.trim import Tree


_FEW = 20  # lines that are looked at one by one at once
_NO_LINE_END = re.compile(r"[^\n]")


def in_lines(policy: Policy, path: str, text: Text, spots: Sequence[Spot]) -> Iterator[Finding]:
    """What rules report in the added lines at some spots, where they could match: one finding of a rule and a line."""
    possible = {number: policy.risks[number] for spot in spots for number in spot.rules}
    rules = {number: rule for number, rule in possible.items() if looks_at(rule, path)}
    if not rules:
        return
    places = _Places(path, text, spots)
    views = {number: places.view(rule.places) for number, rule in rules.items()}
    added = _Added(text)
    done: set[tuple[int, int]] = set()
    for spot in spots:
        lines = [
            (first, start, end)
            for first, last in _lines(text, spot)
            if added.touches(start := text.source.bounds(first)[0], end := text.source.bounds(last)[1])
        ]
        for number in spot.rules if lines else ():
            if number not in rules:
                continue
            rule, view = rules[number], views[number]
            if len(lines) > _FEW and not could_match(rule, view[lines[0][1] : lines[-1][2]]):
                continue
            for first, start, end in lines:
                if (number, first) in done:
                    continue
                found = _matches(rule, view[start:end])
                place = next((p for p in found if added.touches(start + p[0], start + p[1])), None)
                if place is not None:
                    done.add((number, first))
                    yield _finding(rule, path, text, start + place[0], start + place[1])


class _Added:
    """Whether a range of the source touches an added line."""

    def __init__(self, text: Text) -> None:
        self._source = text.source
        self._firsts = [first for first, _ in text.added]
        self._lasts = [last for _, last in text.added]

    def touches(self, start: int, end: int) -> bool:
        from bisect import bisect_left

        low = self._source.number(self._source.line_index(start))
        high = self._source.number(self._source.line_index(max(start, end - 1)))
        at = bisect_left(self._lasts, low)
        return at < len(self._firsts) and self._firsts[at] <= high


def _lines(text: Text, spot: Spot) -> Iterator[tuple[int, int]]:
    """The lines (from 0) of a spot, those that go on as one: (first, last)."""
    source = text.source
    at = beginning(text, source.line_index(spot.start))
    stop = source.line_index(max(spot.start, spot.end - 1))
    while at <= stop:
        last = ending(text, at)
        yield at, last
        at = last + 1


def _matches(rule: Rule, line: str) -> list[tuple[int, int]]:
    """Where all patterns of a rule meet; what a backslash cuts is one line."""
    return windows(rule, as_one(line))


def could_match(rule: Rule, lines: str) -> bool:
    """Whether a rule could match in one of some lines: no line has what all of them together have not."""
    data = as_one(lines).encode("utf-8", "surrogatepass")
    return all(pattern.search(data) for pattern in _over_lines(rule.id, rule.all, rule.any))


@lru_cache(maxsize=256)
def _over_lines(_id: str, every: tuple[Tree, ...], some: tuple[Tree, ...]) -> tuple[Pattern, ...]:
    """The patterns of a rule for several lines at once, those of which one is enough made one."""
    groups = [[whole(tree)] for tree in every] + ([[whole(tree) for tree in some]] if some else [])
    # What asks for the ends of the text would ask for those of all lines together.
    sought = [group for group in groups if not any("\\A" in one or "\\z" in one for one in group)]
    return tuple(compile_pattern("(?m)" + "|".join(f"(?:{one})" for one in group)) for group in sought)


class _Places:
    """What in a file is code, what a string literal of a program, and what a comment."""

    def __init__(self, path: str, text: Text, spots: Sequence[Spot]) -> None:
        self._text = text.source.text
        self._pieces: dict[str, list[tuple[int, int]]] = {"comment": [], "string": []}
        wanted = tuple((spot.start, spot.end) for spot in spots)
        # In data every value is a string; there is no code beside it.
        program = syntax_of(path) is not None and extension(path) not in YAML | JSON | VALUES
        for block in blocks(path, text.source, wanted=wanted):
            if block.place == "comment" or (block.place == "string" and program):
                self._pieces[block.place] += block.pieces
        self._views: dict[tuple[str, ...], str] = {}

    def view(self, places: tuple[str, ...]) -> str:
        """The text of the file with blanks for all that is not in some places."""
        if places not in self._views:
            out = [place for place in self._pieces if (place in places) != ("code" in places)]
            pieces = sorted(piece for place in out for piece in self._pieces[place])
            blanked = _blanked(self._text, pieces if "code" in places else _between(pieces, len(self._text)))
            self._views[places] = blanked
        return self._views[places]


def _between(pieces: Iterable[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """What lies between some stretches of a text."""
    at = 0
    for start, end in pieces:
        yield at, max(at, start)
        at = max(at, end)
    yield at, length


def _blanked(text: str, pieces: Iterable[tuple[int, int]]) -> str:
    """A text with blanks in some stretches, given in order, of the same length and with the same lines."""
    parts: list[str] = []
    at = 0
    for start, end in pieces:
        if end > at:
            parts += [text[at : max(at, start)], _NO_LINE_END.sub(" ", text[max(at, start) : end])]
            at = end
    return "".join([*parts, text[at:]]) if parts else text


def _finding(rule: Rule, path: str, text: Text, start: int, end: int) -> Finding:
    source = text.source
    while start < end - 1 and source.text[start].isspace():
        start += 1
    while start < end - 1 and source.text[end - 1].isspace():
        end -= 1
    shown = " ".join(source.text[start:end].replace("\\\n", " ").split())
    return reported(rule, printable(path), source.span(start, end), shown, source.line_around(start))
