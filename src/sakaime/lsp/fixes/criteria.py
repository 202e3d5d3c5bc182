"""Putting back what a criteria document asked for."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.loss import DELETED, MOVED, NARROWED, REMOVED
from sakaime.lsp.fixes.mending import Mending
from sakaime.lsp.fixes.sides import Side
from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.lsp.lost import Lost, loss_of, lost
from sakaime.lsp.normal import normal
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.checks.criteria.comparing.loss import Loss
    from sakaime.checks.criteria.item import Document

_SHOWN = 40  # characters of an item in a title
_WHOLE = "document:"  # how the keys of losses begin that are a whole document's
_KINDS = {"row": "row", "heading": "section", "key": "key", "owner": "line", "prose": "sentence"}


def restoring(known: Known, placed: Placed) -> list[Fix]:
    """The fix that makes a document ask again for what it did; none for what went elsewhere, or cannot be placed."""
    loss = loss_of(known, placed)
    both = lost(known)
    if loss is None or both.old is None or both.new is None or loss.change == MOVED:
        return []
    here = normal(known.text)
    if loss.key.startswith(_WHOLE):
        if loss.change not in (DELETED, REMOVED):
            return []
        edits: Iterable[Edit] = [Edit(0, len(both.new.text), both.old.text)]
        title, sure = "Restore the old text of the document", loss.change == DELETED
    else:
        edits = _mending(both, both.old, both.new).edits(loss)
        title, sure = _title(loss, placed.finding.excerpt), True
    outer = [Edit(here.outer(one.start), here.outer(one.end), here.written(one.text)) for one in edits]
    return [Fix(title, tuple(outer), (placed,), preferred=sure)] if outer else []


def _title(loss: Loss, excerpt: str) -> str:
    """What the fix does, with the words of the item: several may be gone at one place."""
    shown = visible(excerpt if len(excerpt) <= _SHOWN else f"{excerpt[: _SHOWN - 1]}…")
    if loss.change == NARROWED and loss.was is None:
        return f"Remove what limits the review: {shown}"
    if loss.change == REMOVED:
        return f"Restore the removed {_KINDS.get(loss.item.kind, 'item')}: {shown}"
    return f"Restore the old text: {shown}"


_last: list[tuple[Lost, Mending]] = []


def _mending(both: Lost, old: Document, new: Document) -> Mending:
    """The lines that changed between two sides; those of the last document are kept."""
    if not _last or _last[0][0] is not both:
        _last[:] = [(both, Mending(Side(old, both.asked_before), Side(new, both.asked)))]
    return _last[0][1]
