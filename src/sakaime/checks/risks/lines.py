"""The rules in single lines of code, without the comments in them."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from sakaime.checks.risks import Spot, as_one, beginning, ending
from sakaime.model import Finding
from sakaime.policy.match import looks_at, windows
from sakaime.policy.pattern import compile_pattern
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule, reported
from sakaime.policy.trim import whole
from sakaime.text.late import late
from sakaime.text.paths import printable
from sakaime.text.segments import blocks
from sakaime.text.source import offsets
from sakaime.text.syntax import JSON, VALUES, YAML, syntax_of
from sakaime.text.syntax import ending as extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableSequence, Sequence

    from sakaime.material.texts import Text
    from sakaime.policy.pattern import Pattern
    from sakaime.policy.trim import Tree


_FEW = 20  # lines that are looked at one by one at once
_NO_LINE_END = late(r"[^\n]")


def in_lines(policy: Policy, path: str, text: Text, spots: Sequence[Spot]) -> Iterator[Finding]:
    """What rules report in the added lines at some spots, where they could match: one finding of a rule and a line."""
    possible = {number: policy.risks[number] for spot in spots for number in spot.rules}
    rules = {number: rule for number, rule in possible.items() if looks_at(rule, path)}
    if not rules:
        return
    places = _Places(path, text, spots)
    done: set[tuple[int, int]] = set()
    for spot in spots:
        lines = [
            (first, start, end)
            for first, last in _lines(text, spot)
            if text.touches(start := text.source.bounds(first)[0], end := text.source.bounds(last)[1])
        ]
        if not lines:
            continue
        low, high = lines[0][1], lines[-1][2]
        views = {kinds: places.view(kinds, low, high) for kinds in {rule.places for rule in rules.values()}}
        for number in spot.rules:
            if number not in rules:
                continue
            rule = rules[number]
            view = views[rule.places]
            if len(lines) > _FEW and not could_match(rule, view):
                continue
            for first, start, end in lines:
                if (number, first) in done:
                    continue
                found = _matches(rule, view[start - low : end - low])
                place = next((p for p in found if text.touches(start + p[0], start + p[1])), None)
                if place is not None:
                    done.add((number, first))
                    yield _finding(rule, path, text, start + place[0], start + place[1])


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
        self._ends: dict[str, MutableSequence[int]] = {kind: offsets(len(self._text)) for kind in ("comment", "string")}
        self._starts: dict[str, MutableSequence[int]] = {kind: offsets(len(self._text)) for kind in self._ends}
        wanted = tuple((spot.start, spot.end) for spot in spots)
        # In data every value is a string; there is no code beside it.
        program = syntax_of(path) is not None and extension(path) not in YAML | JSON | VALUES
        for block in blocks(path, text.source, wanted=wanted):
            if block.place == "comment" or (block.place == "string" and program):
                for start, end in block.pieces:
                    self._starts[block.place].append(start)
                    self._ends[block.place].append(end)

    def view(self, places: tuple[str, ...], start: int, end: int) -> str:
        """A stretch of the file with blanks for all that is not in some places; as long, and with the same lines."""
        out = [kind for kind in self._ends if (kind in places) != ("code" in places)]
        pieces = sorted(piece for kind in out for piece in self._within(kind, start, end))
        return _blanked(self._text, start, end, pieces if "code" in places else _between(pieces, start, end))

    def _within(self, kind: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The pieces of a kind that touch a stretch, as far as they lie in it."""
        at = bisect_right(self._ends[kind], start)
        while at < len(self._ends[kind]) and self._starts[kind][at] < end:
            yield max(start, self._starts[kind][at]), min(end, self._ends[kind][at])
            at += 1


def _between(pieces: Iterable[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """What lies between some pieces of a stretch."""
    for first, last in pieces:
        yield start, max(start, first)
        start = max(start, last)
    yield start, end


def _blanked(text: str, start: int, end: int, pieces: Iterable[tuple[int, int]]) -> str:
    """A stretch of a text with blanks in some pieces, given in order."""
    parts: list[str] = []
    for first, last in pieces:
        if last > start:
            parts += [text[start : max(start, first)], _NO_LINE_END.sub(" ", text[max(start, first) : last])]
            start = last
    return "".join([*parts, text[start:end]])


def _finding(rule: Rule, path: str, text: Text, start: int, end: int) -> Finding:
    source = text.source
    while start < end - 1 and source.text[start].isspace():
        start += 1
    while start < end - 1 and source.text[end - 1].isspace():
        end -= 1
    shown = " ".join(source.text[start:end].replace("\\\n", " ").split())
    return reported(rule, printable(path), source.span(start, end), shown, source.line_around(start))
