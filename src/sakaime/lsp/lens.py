"""What stands above a document: how many criteria it holds and what it lost, or how many findings are new."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.loss import DELETED, MOVED, NARROWED, REMOVED, WEAKENED
from sakaime.lsp.known import Known, Told
from sakaime.lsp.lost import FAMILY, Lost, loss_of, lost
from sakaime.lsp.normal import normal
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.comparing.loss import Loss

_CHANGES = (REMOVED, WEAKENED, NARROWED, MOVED)


def lenses(known: Known) -> list[Told]:
    """The lens of a document, at most one.

    A document that reviewers read: `4 criteria, 2 removed since main`, at its first criterion. Any other one: `3 new,
    12 inherited` at its top, where findings were there before.
    """
    both = lost(known)
    gone = _gone(known, both)
    if both.new is not None and (both.asked or gone):
        count = len(both.asked)
        parts = [f"{count} {'criterion' if count == 1 else 'criteria'}"]
        parts += [f"{gone[change]} {change}" for change in _CHANGES if change in gone]
        since = f" since {visible(known.base)}" if gone else ""
        start, end = _first(known, both)
        return [Told(start, end, ", ".join(parts) + since, _rule(known) if gone else "")]
    inherited = sum(placed.finding.inherited for placed in known.judged.findings)
    if not inherited:
        return []
    return [Told(0, 0, f"{len(known.judged.findings) - inherited} new, {inherited} inherited")]


def _gone(known: Known, both: Lost) -> dict[str, int]:
    """How many criteria each change took; an exception takes its finding out of the count."""
    found: dict[str, int] = {}
    asked = {id(both.old.items[number]) for number in both.asked_before} if both.old is not None else set()
    for placed in known.judged.findings:
        if placed.finding.family == FAMILY and (loss := loss_of(known, placed)) is not None:
            change = REMOVED if loss.change == DELETED else loss.change
            found[change] = found.get(change, 0) + _size(loss, asked)
    return found


def _size(loss: Loss, asked: set[int]) -> int:
    """How many criteria a loss is about: a title that went with those below it is none."""
    return max(1, sum(id(item) in asked for item in (loss.item, *loss.others)))


def _first(known: Known, both: Lost) -> tuple[int, int]:
    if both.new is None or not both.asked:
        return 0, 0
    item = both.new.items[min(both.asked)]
    here = normal(known.text)
    start = max(0, min(item.start, len(here.text)))
    return here.outer(start), here.outer(max(start, min(item.end, len(here.text))))


def _rule(known: Known) -> str:
    return next((placed.finding.rule for placed in known.judged.findings if placed.finding.family == FAMILY), "")
