"""Ways to mend what was found in a document."""

from __future__ import annotations

from sakaime.lsp.fixes.criteria import restoring
from sakaime.lsp.fixes.hidden import stripping
from sakaime.lsp.fixes.notes import without_note
from sakaime.lsp.fixes.values import referring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.lsp.known import Fix, Known, Placed

_BY_FAMILY: dict[str, Callable[[Known, Placed], list[Fix]]] = {
    "instructions": without_note,
    "criteria": restoring,
    "secrets": referring,
    "hidden": stripping,
}


def fixes(known: Known, placed: Placed) -> list[Fix]:
    """The ways to mend one finding of a document, the best first; none where a human has to think of one.

    An exception is none of them: `sakaime.lsp.fixes.allowing`.
    """
    by_family = _BY_FAMILY.get(placed.finding.family)
    return by_family(known, placed) if by_family is not None else []
