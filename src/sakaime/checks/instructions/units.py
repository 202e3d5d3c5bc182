"""Rules in the units of blocks: sentences, lines, paragraphs, and what neighbouring blocks say together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sakaime.checks.instructions.disguise import disguised, in_scraps, mark_in
from sakaime.checks.instructions.place import Here
from sakaime.model import Finding
from sakaime.policy.match import windows
from sakaime.policy.mention import is_mention, is_sample, quotations
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule, reported
from sakaime.text.block import Block
from sakaime.text.joins import Join, joined_views
from sakaime.text.paths import printable
from sakaime.text.units import block_view, line_views, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sakaime.text.view import View


def check_block(rules: list[Rule], here: Here, block: Block) -> Iterator[tuple[tuple[int, int], Finding]]:
    """The findings in one block, each with its range of the source."""
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
                found += check_unit(rule, here, view, start, end, block)
    for rule in by_line:
        for view in line_views(source.text, block):
            found += check_unit(rule, here, view, 0, len(view.text), block)
    weighed = {rule.id for rule in fitting if rule.weights}
    for place, finding in _without_weaker(_patterns_first(found, weighed, here.policy), here.policy):
        mark = mark_in(source.text, *place)
        if block.unseen or mark:
            how = f"stands in {block.unseen}" if block.unseen else f"in disguise: {mark}"
            yield place, disguised(finding, "hidden", how)
        elif in_scraps(source, block, finding.span):
            yield place, disguised(finding, "split", "put together from scraps")
        else:
            yield place, finding


def _patterns_first(
    found: list[tuple[tuple[int, int], Finding]], weighed: set[str], policy: Policy
) -> list[tuple[tuple[int, int], Finding]]:
    """Findings without sentences that score, where a pattern says of what words: that is the better place."""
    matched = [place for place, finding in found if finding.rule not in weighed and finding.severity == "error"]
    return [
        ((start, end), finding)
        for (start, end), finding in found
        if finding.rule not in weighed
        or finding.rule in policy.locked
        or not any(first < end and start < last for first, last in matched)
    ]


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


def check_join(rules: list[Rule], here: Here, join: Join, alone: Collection[tuple[str, int, int]]) -> Iterator[Finding]:
    """What neighbouring blocks say together; `alone` is what single ones say: (rule, start, end)."""
    place, quoted = join.blocks[0].place, all(block.quoted for block in join.blocks)
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
                for (first, last), finding in check_unit(rule, here, view, start, end, None):
                    sentence = view.source_range(start, end)
                    torn = join.literal and _lies_between(broken, *sentence)
                    said = any(rule.id == id and whole[0] < stop and begin < whole[1] for id, begin, stop in alone)
                    if torn or (_lies_between(ends, first, last) and not said):
                        if not join.literal:
                            finding = _as_meant(finding, here, whole, (first, last), place, quoted)
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


def check_unit(
    rule: Rule, here: Here, view: View, start: int, end: int, block: Block | None
) -> Iterator[tuple[tuple[int, int], Finding]]:
    """The findings in a unit, each with its range of the source. A `block`: that they stand in, as they are."""
    if start >= end:
        return
    text = here.text
    around = view.source_range(start, end)
    if not text.touches(*around):
        return
    unit = view.text[start:end]
    whole = None
    for first, last in windows(rule, unit, here.policy.tables):
        while first < last - 1 and unit[first] == " ":  # a blank may stand for a line end, no word of either line
            first += 1
        while first < last - 1 and unit[last - 1] == " ":
            last -= 1
        begin, finish = view.source_range(start + first, start + last)
        added = text.first_added(begin, finish)
        if added is not None:
            shown = view.first_from(text.source.bounds(added)[0], start + first)
            whole = whole or text.source.span(*around)
            span, line = text.source.span(shown, finish), text.source.line_around(shown)
            finding = reported(rule, printable(here.path), span, unit[first:last], line)
            finding = finding.replace(unit=whole, covers=rule.covers)
            if block is not None and finding.severity != "info":
                told = _told(here.policy, rule, unit, first, last)
                where = view.source_range(start + told[0], start + told[1])
                finding = _as_meant(finding, here, around, where, block.place, block.quoted)
                if finding.severity == "error" and rule.doubts and not block.unseen:
                    finding = _doubted(finding, here.policy, rule, unit, first, last)
            yield (begin, finish), finding


def _told(policy: Policy, rule: Rule, unit: str, first: int, last: int) -> tuple[int, int]:
    """What of a stretch makes it a finding: all of it, or inside of its longest quotation, where the words around that
    do not score."""
    if not rule.weights:
        return first, last
    from sakaime.policy.weights import score

    weights = policy.tables[rule.weights]
    quoted = quotations(unit, first, last)
    bare = unit[first:last]
    for start, end in reversed(quoted):
        bare = f"{bare[: start - first]} {bare[end - first :]}"
    if not quoted or score(weights, bare) >= weights.least:
        return first, last
    start, end = max(quoted, key=lambda found: found[1] - found[0])
    return start + 1, end - 1


def _doubted(finding: Finding, policy: Policy, rule: Rule, unit: str, first: int, last: int) -> Finding:
    """A finding, made an information where the words around it speak against it."""
    from sakaime.policy.weights import doubtful

    if doubtful(policy.tables[rule.doubts], unit, first, last):
        message = f"{finding.message} (the words around it speak against that)"
        return finding.replace(severity="info", message=message, told=True)
    return finding


def _as_meant(
    finding: Finding, here: Here, unit: tuple[int, int], found: tuple[int, int], place: str, quoted: bool
) -> Finding:
    """A finding, made an information where the text is told of and not meant."""
    mentions, text = here.policy.mentions, here.text.source.text
    if (place != "comment" and is_sample(mentions, finding.rule, here.path, text)) or is_mention(
        mentions, finding.rule, text, unit, found, quoted
    ):
        message = f"{finding.message} (told of, it seems, and not meant)"
        return finding.replace(severity="info", message=message, told=True)
    return finding
