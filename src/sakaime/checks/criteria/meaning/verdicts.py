"""What a review does about what it finds: hold the change back, or only say something."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.clauses import Group

REFUSES, REMINDS = 2, 1
_VERDICTS = frozenset("gate refuse refuse_first remind remind_first".split())


def verdict(group: Group) -> int | None:
    """The firmest one that a sentence names; None where it names none."""
    if group.present.isdisjoint(_VERDICTS):
        return None
    reminds = False
    for hit in group.hits:
        roles = hit.roles
        if roles.isdisjoint(_VERDICTS):
            continue
        negated = group.negated(hit)
        if "refuse" in roles and not negated:
            return REFUSES
        if "refuse_first" in roles and not negated and group.leads(hit):
            return REFUSES
        if "gate" in roles and negated:
            return REFUSES
        if not negated and ("remind" in roles or ("remind_first" in roles and group.leads(hit))):
            reminds = True
    return REMINDS if reminds else None
