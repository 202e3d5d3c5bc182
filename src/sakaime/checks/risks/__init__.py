"""Lines that a review must look at: an image that is not pinned, a port open to everybody, a check that is off.

No such line is wrong by itself. What makes it one to tell of is a note that asks reviewers to pass over it
(`sakaime.judge.coverage`).
"""

from __future__ import annotations

from sakaime.material.change import LINK, SUBMODULE, Change, Material
from sakaime.material.texts import Texts
from sakaime.model import Finding, Record
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.material.texts import Text
# Pages show what one may type; what runs stands in other files.
_PAGES = (".md", ".mdx", ".mdc", ".markdown", ".rst", ".adoc", ".asciidoc", ".html", ".htm", ".po")
_APART = 40  # lines between two added ones that are still looked at as one stretch
_PIECE = 2000  # characters, at least, that rules are looked for in together
CONTINUED = 30  # lines, at most, that a sign at their ends makes one with the line below


class Spot(Record):
    """A stretch of the source, and the numbers of the rules that could match in it."""

    start: int
    end: int
    rules: tuple[int, ...]


def check(policy: Policy, material: Material, change: Change, texts: Texts) -> Iterator[Finding]:
    """Findings in the added lines of one change.

    Raises `Binary` or `Undecodable` where its new side is no text.
    """
    if not policy.risks or change.new is None or not change.added or change.new.mode in (LINK, SUBMODULE):
        return
    if material.mode == "message" or change.path.lower().endswith(_PAGES):
        return
    text = texts.new(change)
    spots = [
        Spot(start, end, rules)
        for first, last in _around_added(text)
        for start, end in _pieces(text, first, last)
        if (rules := policy.risky.possible(as_one(text.source.text[start:end]), change.path))
    ]
    if spots:
        # RE2 and the scanners of languages cost more than the whole check of a harmless change.
        from sakaime.checks.risks.lines import in_lines

        yield from in_lines(policy, change.path, text, spots)


def _around_added(text: Text) -> Iterator[tuple[int, int]]:
    """Lines (from 0; first and last), ascending and apart, with the added ones and what these go on from or in."""
    source = text.source
    last_line = len(source.starts) - 1
    begin = finish = -1
    for first, last in text.added:
        low, high = source.index_of(first), min(source.index_of(last), last_line)
        if low > high:
            continue
        low, high = beginning(text, low), ending(text, high)
        if begin >= 0 and low > finish + _APART:
            yield begin, finish
            begin = low
        begin = low if begin < 0 else begin
        finish = high
    if begin >= 0:
        yield begin, finish


def _pieces(text: Text, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Some lines as stretches of the source, cut where no line goes on in the next."""
    source = text.source
    start, end = source.bounds(first)
    for index in range(first, last + 1):
        end = source.bounds(index)[1]
        if end - start >= _PIECE and index < last and not _goes_on(text, index):
            yield start, end
            start = source.bounds(index + 1)[0]
    yield start, end


def as_one(lines: str) -> str:
    """Lines of which a backslash makes one, as one, of the same length."""
    return lines.replace("\\\r\n", "   ").replace("\\\n", "  ")


def beginning(text: Text, index: int) -> int:
    """The line (from 0) in which begins what goes on in a line."""
    first = index
    while first > 0 and index - first < CONTINUED and _goes_on(text, first - 1):
        first -= 1
    return first


def ending(text: Text, index: int) -> int:
    """The line (from 0) in which ends what begins in a line."""
    last = index
    while last + 1 < len(text.source.starts) and last - index < CONTINUED and _goes_on(text, last):
        last += 1
    return last


def _goes_on(text: Text, index: int) -> bool:
    """Whether a line goes on in the next one, as in shells, Dockerfiles and C: a backslash ends it."""
    source = text.source
    end = source.bounds(index)[1]
    return source.text[end - 1 : end] == "\\" and source.number(index + 1) == source.number(index) + 1
