"""Rules in what is kept from being seen: disguised text, and findings that stand in one."""

from __future__ import annotations

from sakaime.checks.instructions.place import Here, touches_added
from sakaime.model import Finding, Span
from sakaime.text.source import Source
from sakaime.text.suspect import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.text.block import Block


def in_disguise(here: Here, message: bool) -> Iterator[Finding]:
    """What rules find in a text once its disguise is taken off."""
    from sakaime.checks.instructions.units import check_unit
    from sakaime.policy.match import looks_at
    from sakaime.text.disguise import disguises, raw_view, suspects
    from sakaime.text.segments import blocks
    from sakaime.text.units import block_view, sentences

    policy, text = here.policy, here.text
    source = text.source
    ranges = [found for found in suspects(source.text) if touches_added(text, *found)]
    if not ranges:
        return
    views = [raw_view(source.text, *found) for found in ranges]
    for block in blocks(here.path, source, message, tuple(ranges)):
        start, end = block.pieces[0][0], block.pieces[-1][1]
        if any(first < end and start < last for first, last in ranges):
            views.append(block_view(source.text, block))
    for view in views:
        for name, shown in disguises(view):
            for rule in map(policy.rule, policy.gate.possible(shown.text, here.path)):
                if not looks_at(rule, here.path):
                    continue
                units = list(sentences(shown.text)) if rule.unit == "sentence" else [(0, len(shown.text))]
                for start, end in units:
                    for _, finding in check_unit(rule, here, shown, start, end, None):
                        yield disguised(finding, "hidden", f"in disguise: {name}")


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


def mark_in(text: str, start: int, end: int) -> str:
    """The disguise of a range that rules could read all the same: marks left out, letters folded."""
    from sakaime.text.chars import INVISIBLE

    stretch = text[start:end]
    if INVISIBLE.isdisjoint(stretch) and not suspect(stretch.encode("utf-8", "surrogatepass")):
        return ""
    from sakaime.text.disguise import concealed

    return concealed(text, start, end)


_SCRAP = 20  # columns


def in_scraps(source: Source, block: Block, span: Span) -> bool:
    """Whether a text was broken into lines much shorter than anybody writes."""
    from unicodedata import east_asian_width

    if span.end.line - span.start.line < 2:
        return False
    lines = [source.text[start:end] for start, end in block.pieces]
    first = source.number(source.line_index(block.pieces[0][0]))
    spanned = lines[max(0, span.start.line - first) : span.end.line - first]
    return all(sum(1 + (east_asian_width(c) in "WF") for c in line) <= _SCRAP for line in spanned)
