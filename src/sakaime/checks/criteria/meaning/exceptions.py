"""What a sentence takes out of what it asks."""

from __future__ import annotations

from sakaime.checks.criteria.meaning.clauses import CJK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.clauses import Group
    from sakaime.checks.criteria.meaning.words import Hit

_EXCEPTIONS = frozenset({"except", "discretion"})
_HOLDS = frozenset({"gate", "refuse"})
# How far "unless" stands from what it holds back, in words.
_HELD = 6
# Of a sentence, the first few of these are looked at.
_HOLDERS, _CASES = 8, 16


def exceptions(group: Group) -> list[str]:
    """The phrases that make an exception, as they stand."""
    found = []
    if not group.present.isdisjoint(_EXCEPTIONS):
        holders, cases = _holders(group) if "except" in group.present else ([], [])
        for hit in group.hits:
            if "discretion" in hit.roles or (
                "except" in hit.roles
                and not (_is_refused(group, hit) or _adds(group, hit) or _holds(group, hit, holders, cases))
            ):
                found.append(group.phrase(hit))
    if "other_than" in group.present:
        found += [group.phrase(hit) for hit in group.hits if "other_than" in hit.roles and _takes_out(group, hit)]
    return found


def _is_refused(group: Group, hit: Hit) -> bool:
    """Whether it is what nobody is allowed: "no step may be skipped"."""
    if "may" not in hit.roles or "none_of" not in group.present:
        return False
    whole = group.whole
    return any(
        "none_of" in other.roles
        and other.end <= hit.start
        and whole.clause(other.start) == whole.clause(hit.start)
        and whole.gap(other.end, hit.start) <= _HELD
        and group.leads(other)
        for other in group.negations
    )


def _adds(group: Group, hit: Hit) -> bool:
    """Whether it says what is asked beside something: "other than crashes, also report leaks"."""
    return (
        "beside" in hit.roles
        and "also" in group.present
        and any("also" in other.roles and other.start >= hit.end for other in group.hits)
    )


def _holders(group: Group) -> tuple[list[Hit], list[Hit]]:
    """The phrases that hold a change back, and those that name a case."""
    if group.present.isdisjoint(_HOLDS):
        return [], []
    holders = [hit for hit in group.hits if "refuse" in hit.roles or ("gate" in hit.roles and group.negated(hit))]
    cases = [hit for hit in group.hits if "case" in hit.roles]
    return holders[:_HOLDERS], cases[:_CASES]


def _holds(group: Group, hit: Hit, holders: list[Hit], cases: list[Hit]) -> bool:
    """Whether it names what a change is held back for: "do not approve unless the tests pass" is a duty. Where the
    sentence names a case already, it is excepted from: "never merge on red unless it is urgent"."""
    whole = group.whole
    for other in holders:
        before = other.end <= hit.start
        gap = whole.gap(other.end, hit.start) if before else whole.gap(hit.end, other.start)
        if gap > _HELD:
            continue
        clause = whole.clause(other.start)
        beside = [case for case in cases if whole.clause(case.start) == clause]
        if not any(case.end <= hit.start if before else case.start >= hit.end for case in beside):
            return True
    return False


def _takes_out(group: Group, hit: Hit) -> bool:
    """Whether "other than" makes an exception: "someone other than the author" does not, nor does a ban of the rest."""
    if _adds(group, hit):
        return False
    whole = group.whole
    for other in group.hits:
        if other is hit or whole.clause(other.start) != whole.clause(hit.start):
            continue
        after = other.start >= hit.end
        gap = whole.gap(hit.end, other.start) if after else whole.gap(other.end, hit.start)
        if "person" in other.roles and gap <= 1:
            return False
        if after and not other.roles.isdisjoint(("negation_after", "nothing_but")):
            return False
        if after and "absolute" in other.roles and CJK.match(whole.text[other.start]):
            return False
    return True
