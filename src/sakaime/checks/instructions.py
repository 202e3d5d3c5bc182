"""Text that addresses the reviewer: approvals claimed, parts excluded, findings capped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice

from sakaime.material.change import LINK, SUBMODULE, Change, Material
from sakaime.material.texts import Text, Texts
from sakaime.model import Finding, Record, Span
from sakaime.policy.gate import Spot
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule
from sakaime.text.paths import printable
from sakaime.text.suspect import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sakaime.text.joins import Join
    from sakaime.text.segments import Block
    from sakaime.text.source import Source
    from sakaime.text.view import View

_EXCERPT = 200
_LINE = 2000
_BEFORE = 400
_REMEMBERED = 200  # findings in single blocks, near which neighbours are looked at
# Files whose comment sign is a word (REM): it stands between words that a view joins, which no gate knows.
_LETTER_SIGNS = (".bat", ".cmd")


# Signs that begin a line of comment in nearly every language.
_SIGNS = ("#", "//", "--", "*", "/*", ";", "%")


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
    if suspect(b"".join(hunk.new for hunk in change.hunks if hunk.added)):
        yield from _in_disguise(policy, material, change, text)
    if not spots and not apart:
        return
    # RE2 and the scanners cost more than the whole check of a harmless change.
    from sakaime.policy.match import looks_at
    from sakaime.text.joins import Join, joins
    from sakaime.text.segments import Block, blocks

    numbers = tuple(sorted({*apart, *(n for spot in spots for n in spot.rules)}))
    rules = {n: rule for n, rule in zip(numbers, map(policy.rule, numbers), strict=True) if looks_at(rule, change.path)}
    spots = [spot for spot in spots if not rules.keys().isdisjoint(spot.rules)]
    if not spots and rules.keys().isdisjoint(apart):
        return
    link = change.new is not None and change.new.mode == LINK
    wanted = None if apart else tuple((spot.start, spot.end) for spot in spots)
    starts, ends = [spot.start for spot in spots], [spot.end for spot in spots]
    here = _Here(policy, change.path, text)
    before = ""
    alone: list[tuple[str, int, int]] = []
    found = blocks("" if link else change.path, text.source, material.mode == "message", wanted)
    for block in found if link else joins(text.source, found):
        pieces = block.pieces if isinstance(block, Block) else (*block.blocks[0].pieces, *block.blocks[-1].pieces)
        start, end = pieces[0][0], pieces[-1][1]
        near = islice(spots, bisect_left(ends, start), bisect_right(starts, end))
        here_or_apart = apart if isinstance(block, Join) else ()
        possible = tuple(sorted({n for n in (*here_or_apart, *(n for spot in near for n in spot.rules)) if n in rules}))
        if possible and not _touches_added(text, start, end):
            possible = ()
        if possible and gated:
            parts = pieces if isinstance(block, Block) else [p for part in block.blocks for p in part.pieces]
            possible = policy.gate.possible("\n".join(text.source.text[first:last] for first, last in parts), possible)
        if isinstance(block, Join):
            if possible:
                yield from _check_join([rules[n] for n in possible], here, block, alone)
            continue
        if possible:
            for place, finding in _check_block([rules[n] for n in possible], here, block, before):
                alone = [*alone[-_REMEMBERED:], (finding.rule, *place)]
                yield finding
        if not block.quoted:
            before = text.source.text[max(start, end - _BEFORE) : end]


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


def _in_disguise(policy: Policy, material: Material, change: Change, text: Text) -> Iterator[Finding]:
    """What rules find in a text once its disguise is taken off."""
    from sakaime.policy.match import looks_at
    from sakaime.text.disguise import disguises, raw_view, suspects
    from sakaime.text.segments import blocks
    from sakaime.text.units import block_view, sentences

    source = text.source
    ranges = [found for found in suspects(source.text) if _touches_added(text, *found)]
    if not ranges:
        return
    here = _Here(policy, change.path, text)
    views = [raw_view(source.text, *found) for found in ranges]
    for block in blocks(change.path, source, material.mode == "message", tuple(ranges)):
        start, end = block.pieces[0][0], block.pieces[-1][1]
        if any(first < end and start < last for first, last in ranges):
            views.append(block_view(source.text, block))
    every = tuple(range(len(policy.rules)))
    for view in views:
        for name, shown in disguises(view):
            for rule in map(policy.rule, policy.gate.possible(shown.text, every)):
                if not looks_at(rule, change.path):
                    continue
                units = list(sentences(shown.text)) if rule.unit == "sentence" else [(0, len(shown.text))]
                for start, end in units:
                    for _, finding in _check_unit(rule, here, shown, start, end, None):
                        yield disguised(finding, "hidden", f"in disguise: {name}")


class _Here(Record):
    """Where rules are matched: under which policy, in which file, in which text."""

    policy: Policy
    path: str
    text: Text


def _check_block(
    rules: list[Rule], here: _Here, block: Block, before: str
) -> Iterator[tuple[tuple[int, int], Finding]]:
    """The findings in one block, each with its range of the source."""
    from sakaime.text.units import block_view, line_views, sentences

    source = here.text.source
    fitting = [rule for rule in rules if block.place in rule.places]
    joined = [rule for rule in fitting if rule.unit != "line"]
    by_line = [rule for rule in fitting if rule.unit == "line"]
    found: list[tuple[tuple[int, int], Finding]] = []
    if joined:
        view = block_view(source.text, block)
        units = list(sentences(view.text))
        for rule in joined:
            for start, end in units if rule.unit == "sentence" else [(0, len(view.text))]:
                found += _check_unit(rule, here, view, start, end, (block, before))
    for rule in by_line:
        for view in line_views(source.text, block):
            found += _check_unit(rule, here, view, 0, len(view.text), (block, before))
    for place, finding in _without_weaker(found, here.policy):
        mark = _mark_in(source.text, *place)
        if block.unseen or mark:
            how = f"stands in {block.unseen}" if block.unseen else f"in disguise: {mark}"
            yield place, disguised(finding, "hidden", how)
        elif _in_scraps(source, block, finding.span):
            yield place, disguised(finding, "split", "put together from scraps")
        else:
            yield place, finding


def _without_weaker(
    found: list[tuple[tuple[int, int], Finding]], policy: Policy
) -> list[tuple[tuple[int, int], Finding]]:
    """Findings without those that say less of the same words, as a bare approval does of one that has a consequence.

    So whoever allows the one has not to allow the other as well. A locked rule speaks for itself.
    """
    return [
        ((start, end), finding)
        for (start, end), finding in found
        if finding.severity == "error"
        or finding.rule in policy.locked
        or not any(
            other.severity == "error" and other.kind == finding.kind and first < end and start < last
            for (first, last), other in found
            if other.rule.split("/")[0] == finding.rule.split("/")[0]
        )
    ]


def _check_join(
    rules: list[Rule], here: _Here, join: Join, alone: Collection[tuple[str, int, int]]
) -> Iterator[Finding]:
    """What neighbouring blocks say together; `alone` is what single ones say: (rule, start, end)."""
    from sakaime.text.joins import joined_views
    from sakaime.text.units import sentences

    place = join.blocks[0].place
    fitting = [rule for rule in rules if place in rule.places and (join.literal or rule.across)]
    if not fitting:
        return
    source = here.text.source
    ends = [block.pieces[-1][1] for block in join.blocks]
    whole = join.blocks[0].pieces[0][0], ends[-1]
    broken = [end for end, block in zip(ends, join.blocks[1:], strict=False) if _in_a_word(source.text, end, block)]
    for view in joined_views(source, join):
        units = list(sentences(view.text))
        for rule in fitting:
            for start, end in [(0, len(view.text))] if rule.unit == "paragraph" else units:
                for (first, last), finding in _check_unit(rule, here, view, start, end, None):
                    sentence = view.source_range(start, end)
                    torn = join.literal and _lies_between(broken, *sentence)
                    said = any(rule.id == id and whole[0] < stop and begin < whole[1] for id, begin, stop in alone)
                    if torn or (_lies_between(ends, first, last) and not said):
                        yield disguised(finding, "split", "put together from several pieces")


def _lies_between(offsets: list[int], start: int, end: int) -> bool:
    return bisect_left(offsets, end) > bisect_right(offsets, start)


def _in_a_word(text: str, end: int, following: Block) -> bool:
    """Whether a piece of a string ends, and the next begins, inside a word."""
    return (
        text[end - 1].isalpha()
        and not text[end].isspace()
        and text[following.pieces[0][0]].isalpha()
        and (not text[following.pieces[0][0] - 1].isspace())
    )


def _mark_in(text: str, start: int, end: int) -> str:
    """The disguise of a range that rules could read all the same: marks left out, letters folded."""
    from sakaime.text.chars import INVISIBLE

    stretch = text[start:end]
    if INVISIBLE.isdisjoint(stretch) and not suspect(stretch.encode("utf-8", "surrogatepass")):
        return ""
    from sakaime.text.disguise import concealed

    return concealed(text, start, end)


_SCRAP = 20  # columns


def _in_scraps(source: Source, block: Block, span: Span) -> bool:
    """Whether a text was broken into lines much shorter than anybody writes."""
    from unicodedata import east_asian_width

    if span.end.line - span.start.line < 2:
        return False
    lines = [source.text[start:end] for start, end in block.pieces]
    first = source.number(source.line_index(block.pieces[0][0]))
    spanned = lines[max(0, span.start.line - first) : span.end.line - first]
    return all(sum(1 + (east_asian_width(c) in "WF") for c in line) <= _SCRAP for line in spanned)


def disguised(finding: Finding, kind: str, how: str) -> Finding:
    """What a rule found where it was kept from being seen: that makes it worse than the same words in the open."""
    worse = "error" if finding.severity == "warning" else finding.severity
    return finding.replace(
        family="hidden",
        kind=kind,
        severity=worse,
        escalated_from=finding.severity if worse != finding.severity else finding.escalated_from,
        message=f"{finding.message} ({how})",
    )


def _check_unit(
    rule: Rule, here: _Here, view: View, start: int, end: int, told: tuple[Block, str] | None
) -> Iterator[tuple[tuple[int, int], Finding]]:
    """The findings in a unit, each with its range of the source. `told`: the block, and what stands before it."""
    from sakaime.policy.match import windows

    if start >= end:
        return
    text = here.text
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
            shown = view.first_from(text.source.bounds(added)[0], start + first)
            whole = whole or text.source.span(*around)
            finding = _finding(rule, here, shown, finish, unit[first:last]).replace(unit=whole)
            if told is not None and finding.severity != "info":
                finding = _weighed(finding, here, around, (begin, finish), *told)
            yield (begin, finish), finding


def _weighed(
    finding: Finding, here: _Here, unit: tuple[int, int], found: tuple[int, int], block: Block, before: str
) -> Finding:
    """A finding, made an information where the text is told of and not meant."""
    from sakaime.policy.mention import is_mention, is_sample

    mentions, text = here.policy.mentions, here.text.source.text
    if (block.place != "comment" and is_sample(mentions, finding.rule, here.path, text)) or is_mention(
        mentions, finding.rule, text, unit, found, block.quoted, before
    ):
        return finding.replace(severity="info", message=f"{finding.message} (told of, it seems, and not meant)")
    return finding


def _finding(rule: Rule, here: _Here, begin: int, finish: int, matched: str) -> Finding:
    source = here.text.source
    column, line = _line_around(source, begin)
    excerpt = matched if len(matched) <= _EXCERPT else matched[: _EXCERPT - 1] + "…"
    span: Span = source.span(begin, finish)
    return Finding(
        rule=rule.id,
        family="instructions",
        kind=rule.kind,
        severity=rule.severity,
        message=rule.message.replace("{match}", excerpt),
        path=printable(here.path),
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
