"""Text that addresses the reviewer: approvals claimed, parts excluded, findings capped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice

from sakaime.checks.instructions.place import Here, touches_added
from sakaime.material.change import LINK, SUBMODULE, Change, Material
from sakaime.material.texts import Text, Texts
from sakaime.model import Finding
from sakaime.policy.gate import Spot
from sakaime.policy.policy import Policy
from sakaime.text.suspect import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sakaime.policy.rule import Rule

_REMEMBERED = 200  # findings in single blocks, near which neighbours are looked at
# Files whose comment sign is a word (REM): it stands between words that a view joins, which no gate knows.
_LETTER_SIGNS = (".bat", ".cmd")
_SEPARATORS = str.maketrans("-_.+~,", "      ")
_FEWEST_BLANKS, _FEWEST = 2, 6  # in a name that says something: blanks, or characters of a script without them
# Signs that begin a line of comment in nearly every language.
_SIGNS = ("#", "//", "--", "*", "/*", ";", "%")


def check(policy: Policy, material: Material, change: Change, texts: Texts) -> Iterator[Finding]:
    """Findings in the added lines of one change.

    Raises `Binary` or `Undecodable` where its new side is no text.
    """
    if change.new is None or change.new.mode == SUBMODULE or not change.added:
        return
    text = texts.new(change)
    spots: list[Spot] = []
    apart: set[int] = set()
    gated = not change.path.lower().endswith(_LETTER_SIGNS)
    for start, end in _around_added(text, policy.gate.reach):
        if not gated:
            spots.append(Spot(start, end, tuple(range(len(policy.rules)))))
            continue
        part = text.source.text[start:end]
        spots += (
            Spot(start + spot.start, start + spot.end, spot.rules) for spot in policy.gate.spots(part, change.path)
        )
        apart.update(_scattered(policy, part, change.path))
    here = Here(policy, change.path, text)
    if suspect(b"".join(hunk.new for hunk in change.hunks if hunk.added)):
        from sakaime.checks.instructions.uncovered import in_disguise

        yield from in_disguise(here, material.mode == "message")
    if spots or apart:
        yield from _in_blocks(here, material.mode == "message", change.new.mode == LINK, gated, spots, apart)


def in_name(policy: Policy, path: str) -> Iterator[Finding]:
    """Findings in the parts of a new path, each read as words."""
    for part in path.split("/"):
        words = _words(part)
        if words and policy.gate.possible(words, path):
            from sakaime.checks.instructions.names import judged

            yield from judged(policy, path, words)


def _words(part: str) -> str:
    """A part of a path as words, without its ending; empty where it has too few to say anything."""
    stem = part[: part.rfind(".")] if part.rfind(".") > 0 else part
    pairs = zip(f" {stem}", stem, strict=False)
    apart = "".join(f" {char}" if char.isupper() and before.islower() else char for before, char in pairs)
    words = apart.translate(_SEPARATORS)
    return words if words.count(" ") >= _FEWEST_BLANKS or (not words.isascii() and len(words) >= _FEWEST) else ""


def _in_blocks(
    here: Here, message: bool, link: bool, gated: bool, spots: list[Spot], apart: set[int]
) -> Iterator[Finding]:
    """Findings in the blocks of a file where rules could match: at some spots, or in pieces that stand apart."""
    # RE2 and the scanners cost more than the whole check of a harmless change.
    from sakaime.checks.instructions.units import check_block, check_join
    from sakaime.text.block import Block
    from sakaime.text.joins import Join, joins
    from sakaime.text.segments import blocks

    text = here.text
    wanted = None if apart else tuple((spot.start, spot.end) for spot in spots)
    starts, ends = [spot.start for spot in spots], [spot.end for spot in spots]
    alone: list[tuple[str, int, int]] = []
    found = blocks("" if link else here.path, text.source, message, wanted)
    for block in found if link else joins(text.source, found):
        parts = block.pieces if isinstance(block, Block) else [p for one in block.blocks for p in one.pieces]
        start, end = parts[0][0], parts[-1][1]
        near = islice(spots, bisect_left(ends, start), bisect_right(starts, end))
        possible = {n for spot in near for n in spot.rules}.union(apart if isinstance(block, Join) else ())
        if possible and not touches_added(text, start, end):
            possible = set()
        if possible and gated:
            words = "\n".join(text.source.text[first:last] for first, last in parts)
            possible = {*here.policy.gate.possible(words, here.path, possible)}
        rules = _looking(here, possible)
        if isinstance(block, Join):
            if rules:
                yield from check_join(rules, here, block, alone)
            continue
        if rules:
            for place, finding in check_block(rules, here, block):
                alone = [*alone[-_REMEMBERED:], (finding.rule, *place)]
                yield finding


def _looking(here: Here, numbers: Iterable[int]) -> list[Rule]:
    """The rules of some numbers that look at the file."""
    from sakaime.policy.match import looks_at

    return [rule for rule in map(here.policy.rule, sorted(numbers)) if looks_at(rule, here.path)]


def _scattered(policy: Policy, text: str, path: str) -> tuple[int, ...]:
    """Numbers of the rules that could match over comments with code between them, as far as the comments tell."""
    kept, groups, inside = [], 0, False
    for line in text.split("\n"):
        if line.lstrip().startswith(_SIGNS):
            groups += not inside
            inside = True
            kept.append(line)
        elif line and not line.isspace():
            inside = False
    if groups < 2 or not policy.across:
        return ()
    found = policy.gate.spots("\n".join(kept), path, frozenset(policy.across))
    return tuple({n for spot in found for n in spot.rules})


def _around_added(text: Text, reach: int) -> Iterator[tuple[int, int]]:
    """The added lines with those around them that a match can reach: ranges of the source, ascending and apart.

    Every line holds at least one character of a view, or a view of it is empty.
    """
    source = text.source
    begin = finish = -1
    for first, last in text.added:
        start = source.bounds(max(0, source.index_of(first) - reach))[0]
        end = source.bounds(min(len(source.starts) - 1, source.index_of(last) + reach))[1]
        if begin >= 0 and start > finish:
            yield begin, finish
            begin = start
        begin = start if begin < 0 else begin
        finish = end
    if begin >= 0:
        yield begin, finish
