"""The rules in single lines of code, without the comments in them."""

from __future__ import annotations

from sakaime.checks.risks import beginning, ending
from sakaime.model import Finding
from sakaime.policy.match import looks_at, windows
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule, reported
from sakaime.text.paths import printable
from sakaime.text.segments import blocks
from sakaime.text.syntax import JSON, VALUES, YAML, syntax_of
from sakaime.text.syntax import ending as extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sakaime.material.texts import Text
    from sakaime.policy.gate import Spot


def in_lines(policy: Policy, path: str, text: Text, spots: Sequence[Spot]) -> Iterator[Finding]:
    """What rules report in the added lines at some spots, where they could match: one finding of a rule and a line."""
    rules = {
        number: rule
        for number in {n for spot in spots for n in spot.rules}
        if looks_at(rule := policy.risks[number], path)
    }
    if not rules:
        return
    code, bare = _code(path, text, spots, any(not rule.strings for rule in rules.values()))
    added = _Added(text)
    done: set[tuple[int, int]] = set()
    for spot in spots:
        here = [(number, rules[number]) for number in spot.rules if number in rules]
        for first, last in _lines(text, spot) if here else ():
            start, end = text.source.bounds(first)[0], text.source.bounds(last)[1]
            for number, rule in here:
                if (number, first) in done:
                    continue
                line = (code if rule.strings else bare)[start:end]
                place = next((p for p in _places(rule, line) if added.touches(start + p[0], start + p[1])), None)
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


def _places(rule: Rule, line: str) -> list[tuple[int, int]]:
    """Where all patterns of a rule meet; what a backslash cuts is one line."""
    return windows(rule, line.replace("\\\r\n", "   ").replace("\\\n", "  "))


def _code(path: str, text: Text, spots: Sequence[Spot], apart: bool) -> tuple[str, str]:
    """The text of a file with blanks in the place of its comments, and, if the two are `apart`, one with blanks in the
    place of the string literals of a program as well."""
    wanted = tuple((spot.start, spot.end) for spot in spots)
    comments: list[tuple[int, int]] = []
    strings: list[tuple[int, int]] = []
    # In data every value is a string; there is no code beside it.
    literal = apart and syntax_of(path) is not None and extension(path) not in YAML | JSON | VALUES
    for block in blocks(path, text.source, wanted=wanted):
        if block.place == "comment":
            comments += block.pieces
        elif literal and block.place == "string":
            strings += block.pieces
    code = _blanked(text.source.text, comments)
    return code, _blanked(code, strings) if strings else code


def _blanked(text: str, pieces: Iterable[tuple[int, int]]) -> str:
    """A text with blanks in some places, of the same length."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(pieces):
        if end > at:
            parts += [text[at : max(at, start)], " " * (end - max(at, start))]
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
