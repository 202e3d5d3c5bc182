"""Findings in what is kept from being seen, and how it is kept so."""

from __future__ import annotations

from sakaime.model import Finding, Span
from sakaime.text.source import Source
from sakaime.text.suspect import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.text.block import Block


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
