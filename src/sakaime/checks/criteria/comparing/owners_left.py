"""Owner lines that went without a loss, or that a later line overrides."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.globs import covers
from sakaime.checks.criteria.item import OWNER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.item import Document

_MOST = 40  # wide lines, the last ones, that are asked whether they hold a gone one


def overridden(old: Document, new: Document, pairing: Pairing) -> dict[int, int]:
    """Of the owner lines that are gone, those that are no loss of their own: with the number of the new line that
    overrides them though they still stand there, or -1 where a wider line has the same owners."""
    gone = [at for at in pairing.gone if old.items[at].kind == OWNER]
    if not gone:
        return {}
    lines: dict[str, int] = {}
    at = 0
    for line in new.text.split("\n"):
        if (words := line.split(None, 1)) and not words[0].startswith("#"):
            lines[words[0]] = at
        at += len(line) + 1
    owned = [(number, item) for number, item in enumerate(new.items) if item.kind == OWNER]
    wide = [(number, item) for number, item in owned if item.key.endswith(("*", "/")) or "/" not in item.key][-_MOST:]
    found: dict[int, int] = {}
    for number in gone:
        item = old.items[number]
        over = [(other, its) for other, its in wide if covers(its.key, item.key) and its.key != item.key]
        if not over:
            continue
        its = over[-1][1]
        if set(item.text.split(", ")) <= set(its.text.split(", ")):
            found[number] = -1
        elif item.key in lines:
            later = [other for other, its in over if its.start > lines[item.key]]
            if later:
                found[number] = later[0]
    return found
