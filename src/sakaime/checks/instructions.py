"""Text that addresses the reviewer: approvals claimed, parts excluded, findings capped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice

from sakaime.material.change import LINK, SUBMODULE, Change, Material
from sakaime.material.texts import Text, Texts
from sakaime.model import Finding, Span
from sakaime.policy.gate import Spot
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.text.segments import Block
    from sakaime.text.source import Source
    from sakaime.text.view import View

_EXCERPT = 200
_LINE = 2000
# Files whose comment sign is a word (REM): it stands between words that a view joins, which no gate knows.
_LETTER_SIGNS = (".bat", ".cmd")


def candidates(policy: Policy, change: Change) -> tuple[int, ...]:
    """Numbers of the rules that could match in a change, by its hunks alone."""
    if change.new is None or change.new.mode == SUBMODULE or not change.added:
        return ()
    if change.path.lower().endswith(_LETTER_SIGNS):
        return tuple(range(len(policy.rules)))
    hunks = _around(change, change.new.data, max(policy.gate.within, default=0))
    try:
        if b"\0" not in hunks:
            return policy.gate.touched(hunks.decode())
    except UnicodeDecodeError:
        pass
    return tuple(range(len(policy.rules)))  # another encoding, or no text at all: reading the file will tell


def _around(change: Change, data: bytes | None, reach: int) -> bytes:
    """The added lines with those around them: of a text at hand as many as a window can reach, else the hunks."""
    if data is None:
        return b"".join(hunk.new for hunk in change.hunks if hunk.added)
    lines = data.split(b"\n")
    parts: list[bytes] = []
    at = 0
    for first, last in change.added:
        parts += lines[max(at, first - 1 - reach) : last + reach]
        at = max(at, last + reach)
    return b"\n".join(parts)


def check(policy: Policy, material: Material, change: Change, texts: Texts) -> Iterator[Finding]:
    """Findings in the added lines of one change.

    Raises `Binary` or `Undecodable` where its new side is no text.
    """
    numbers = candidates(policy, change)
    if not numbers:
        return
    text = texts.new(change)
    gated = not change.path.lower().endswith(_LETTER_SIGNS)
    spots = policy.gate.spots(text.source.text, numbers) if gated else (Spot(0, len(text.source.text), numbers),)
    if not spots:
        return
    # RE2 and the scanners cost more than the whole check of a harmless change.
    from sakaime.policy.match import looks_at
    from sakaime.text.segments import blocks

    numbers = tuple(sorted({n for spot in spots for n in spot.rules}))
    rules = {n: rule for n, rule in zip(numbers, map(policy.rule, numbers), strict=True) if looks_at(rule, change.path)}
    spots = tuple(spot for spot in spots if not rules.keys().isdisjoint(spot.rules))
    if not spots:
        return
    link = change.new is not None and change.new.mode == LINK
    wanted = tuple((spot.start, spot.end) for spot in spots)
    starts, ends = [spot.start for spot in spots], [spot.end for spot in spots]
    for block in blocks("" if link else change.path, text.source, material.mode == "message", wanted):
        start, end = block.pieces[0][0], block.pieces[-1][1]
        near = islice(spots, bisect_left(ends, start), bisect_right(starts, end))
        here = {n for spot in near for n in spot.rules if n in rules}
        if not here or not _touches_added(text, start, end):
            continue
        possible = tuple(sorted(here))
        if gated:
            possible = policy.gate.possible(text.source.text[start:end], possible)
        if possible:
            yield from _check_block([rules[n] for n in possible], change.path, text, block)


def _touches_added(text: Text, start: int, end: int) -> bool:
    return first_added(text, start, end) is not None


def first_added(text: Text, start: int, end: int) -> int | None:
    """The index (from 0) of the first added line that a range of the source touches; None if there is none."""
    source = text.source
    low = source.number(source.line_index(start))
    high = source.number(source.line_index(max(start, end - 1)))
    at = bisect_left(text.added, low, key=lambda run: run[1])
    if at == len(text.added) or text.added[at][0] > high:
        return None
    return source.index_of(max(text.added[at][0], low))


def _check_block(rules: list[Rule], path: str, text: Text, block: Block) -> Iterator[Finding]:
    from sakaime.text.units import block_view, line_views, sentences

    here = [rule for rule in rules if block.place in rule.places]
    joined = [rule for rule in here if rule.unit != "line"]
    by_line = [rule for rule in here if rule.unit == "line"]
    if joined:
        view = block_view(text.source.text, block)
        units = list(sentences(view.text))
        for rule in joined:
            for start, end in units if rule.unit == "sentence" else [(0, len(view.text))]:
                yield from _check_unit(rule, path, text, view, start, end)
    for rule in by_line:
        for view in line_views(text.source.text, block):
            yield from _check_unit(rule, path, text, view, 0, len(view.text))


def _check_unit(rule: Rule, path: str, text: Text, view: View, start: int, end: int) -> Iterator[Finding]:
    from sakaime.policy.match import windows

    if start >= end:
        return
    around = view.source_range(start, end)
    if not _touches_added(text, *around):
        return
    unit = view.text[start:end]
    whole = None
    for first, last in windows(rule, unit):
        while first < last - 1 and unit[first] == " ":  # a blank may stand for a line end, no word of either line
            first += 1
        while first < last - 1 and unit[last - 1] == " ":
            last -= 1
        begin, finish = view.source_range(start + first, start + last)
        added = first_added(text, begin, finish)
        if added is not None:
            begin = view.first_from(text.source.bounds(added)[0], start + first)
            whole = whole or text.source.span(*around)
            yield _finding(rule, path, text, begin, finish, unit[first:last]).replace(unit=whole)


def _finding(rule: Rule, path: str, text: Text, begin: int, finish: int, matched: str) -> Finding:
    source = text.source
    column, line = _line_around(source, begin)
    excerpt = matched if len(matched) <= _EXCERPT else matched[: _EXCERPT - 1] + "…"
    span: Span = source.span(begin, finish)
    return Finding(
        rule=rule.id,
        family="instructions",
        kind=rule.kind,
        severity=rule.severity,
        message=rule.message.replace("{match}", excerpt),
        path=printable(path),
        span=span,
        excerpt=excerpt,
        covers=rule.covers,
        line=line,
        line_column=column,
        why=rule.why,
    )


def _line_around(source: Source, offset: int) -> tuple[int, str]:
    """The line that holds an offset, of a very long one the part around it; before it, the column where that begins."""
    start, end = source.bounds(source.line_index(offset))
    first = start if end - start <= _LINE else max(start, offset - _LINE // 2)
    return first - start + 1, source.text[first : min(end, first + _LINE)]
