"""Other places that help to understand a finding: what stood there before, what changed along with it."""

from __future__ import annotations

from sakaime.judge.masking import masking
from sakaime.lsp.known import Known, Placed
from sakaime.lsp.lost import loss_of, lost
from sakaime.lsp.normal import normal
from sakaime.model import Record
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.checks.criteria.comparing.loss import Loss
    from sakaime.checks.criteria.item import Document

_MOST = 8  # lines of what was lost that are shown
_LINE = 200  # characters of each


class Beside(Record):
    """A range of the document, and what there is to say of it beside a finding."""

    message: str
    start: int
    end: int


def related(known: Known, placed: Placed) -> list[Beside]:
    """What a criteria document said before, line by line, and the places in the same file that a finding names."""
    found = [Beside(message, placed.start, placed.end) for message in _before(known, placed)]
    here = normal(known.text)
    for one in placed.finding.related:
        if one.path == placed.finding.path:
            places = (one.span.start, one.span.end)
            start, end = (here.offset(place.line, place.column) for place in places)
            found.append(Beside(visible(one.message), start, max(start, end)))
    return found


def _before(known: Known, placed: Placed) -> Iterator[str]:
    loss = loss_of(known, placed)
    old = lost(known).old
    if loss is None or old is None:
        return
    mask = masking(known.policy)
    lines = _lines(old, loss, known)
    for number, text in lines[:_MOST]:
        shown = mask(text)
        shown = shown if len(shown) <= _LINE else shown[: _LINE - 1] + "…"
        yield f"was at line {number} in {visible(known.base)}: {visible(shown)}"
    if len(lines) > _MOST:
        yield f"and {len(lines) - _MOST} more lines"


def _lines(old: Document, loss: Loss, known: Known) -> list[tuple[int, str]]:
    """The old lines that a loss is about, with their numbers."""
    items = [loss.was] if loss.was is not None else []
    if loss.item is loss.was:
        items += loss.others
    source = normal(known.old or "").source
    numbers: dict[int, None] = {}
    for item in items:
        if 0 <= item.start < item.end <= len(old.text):
            first, last = source.line_index(item.start), source.line_index(item.end - 1)
            numbers.update(dict.fromkeys(range(first, last + 1)))
    return [(number + 1, source.text[slice(*source.bounds(number))].strip()) for number in sorted(numbers)]
