"""What one text says by itself: its modality and polarity, its limits and exceptions."""

from __future__ import annotations

import itertools

from sakaime.checks.criteria.meaning import words
from sakaime.checks.criteria.meaning.amounts import bounds
from sakaime.checks.criteria.meaning.clauses import CJK, FARTHEST, Group, Text, groups, size
from sakaime.checks.criteria.meaning.exceptions import exceptions
from sakaime.checks.criteria.meaning.extent import NO_EXTENT, Extent, extent
from sakaime.checks.criteria.meaning.nouns import NO_NOUNS, Nouns, nouns
from sakaime.checks.criteria.meaning.verdicts import verdict
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.amounts import Bound
    from sakaime.checks.criteria.meaning.words import Hit, Scanner

REQUIRES, EXCLUDES, PERMITS = "requires", "excludes", "permits"
ABSOLUTE, DUTY, RECOMMENDED, OPTIONAL = 4, 3, 2, 1
LEVELS = {"absolute": ABSOLUTE, "duty": DUTY, "recommended": RECOMMENDED, "optional": OPTIONAL}

_LEAVING = frozenset("leave_out leave_out_first leave_out_beside leave_out_titled report report_first".split())
_POLAR = _LEAVING | frozenset("report_beside review permit approve insist bypass".split())
_SEVERITY = frozenset({"severity"})
_THRESHOLD = frozenset({"threshold"})
_LIMIT = frozenset({"limit"})
_PERMIT = frozenset({"permit"})
_DEFINES = frozenset({"defines"})
_VERBS = frozenset({"report", "report_first", "report_beside", "review"})
_REVIEWING = frozenset({"reviewer", "review", "report", "approve", "gate"})
_TAKES_AWAY = frozenset({"negation_before", "negation_after", "only", "except", "other_than"})
# "Only blocking issues" has no verb; a longer clause has one, and says something of its own.
_FREE_STANDING = 6
_PARTICLE = 2
_BYPASS = frozenset({"may", "gate", "bypass"})
# "May delete it only": words between.
_BESIDE_MAY = 3
# "No handler of a module may": how far the leave stands from who has none, in words.
_NONE_MAY = 6
_FROM, _DOWN_TO = frozenset({"at_least", "above"}), frozenset({"at_most", "below"})
_RANKED = frozenset({"finding", "remark"})


class Said(Record):
    """What a text says by itself; None where it does not say. `modality` to `bounds` are those of a `Grade`.

    `limits` are the phrases, as they stand, that make a review look at or report less ("only", of a review verb).
    `numbers` are the amounts it names, in order. `verdict` is what the review does: it holds the change back (2), or
    only says something (1). `catch_all` says that it asks for what it does not name, too ("anything else"). `nouns` are
    the things that it speaks of all or of some of. `extent` is its words, for what is put in between. `reports`: it
    asks to report something; `of_review`: it speaks of a review at all; `waives`: it takes a duty away; `here`: of what
    stands beside it only ("this check"); `sure`: it asks to report what is certain. `threshold`: a severity, and
    whether all above it (1) or below it (-1) are meant. `ranked`: the lowest severity that is the label of findings.
    """

    modality: int | None = None
    polarity: str | None = None
    severity: int | None = None
    quantifier: int | None = None
    limits: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    bounds: tuple[Bound, ...] = ()
    verdict: int | None = None
    catch_all: bool = False
    nouns: Nouns = NO_NOUNS
    extent: Extent = NO_EXTENT
    reports: bool = False
    of_review: bool = False
    waives: bool = False
    here: bool = False
    sure: bool = False
    threshold: tuple[int, int] | None = None
    ranked: int | None = None


NOTHING = Said()


def read(scan: Scanner, text: str, titled: bool) -> Said:
    """What a text that went through `words.plain` says; `titled` says that titles above speak of a review."""
    hits = words.hits(scan, text)
    if not hits:
        return _numbered(scan, text)
    whole = Text(text)
    hits = [_alone(whole, hit) if "severity" in hit.roles else hit for hit in hits]
    levels = _thresholds(scan, whole, hits)
    hits = [words.Hit(hit.start, hit.end, _THRESHOLD) if hit.start in levels else hit for hit in hits]
    found, numbers, caps, floors = bounds(scan, whole, hits)
    limits = list(caps)
    excepted: list[str] = []
    modality = polarity = severity = quantifier = reaction = None
    reports = waives = False
    parts = groups(whole, hits, titled)
    for group in parts:
        firmness = _modality(group)
        if firmness is not None and (modality is None or firmness > modality):
            modality = firmness
        points = _polarity(group, firmness, limits) if not group.present.isdisjoint(_POLAR) else None
        if points is not None and polarity is None:
            further = whole.sentence(group.hits[0].start) > 0
            if points == EXCLUDES and further:
                # What a further sentence leaves out is a limit of what the first one asks.
                limits.extend(group.phrases(_LEAVING)[:1])
            elif points == PERMITS and further and "approve" not in group.present:
                # And what it lets pass is an exception of that.
                excepted.extend(group.phrases(_PERMIT)[:1])
            else:
                polarity = points
        elif points == EXCLUDES and polarity == REQUIRES:
            limits.extend(group.phrases(_LEAVING)[:1])
        limits.extend(group.phrases(_LIMIT))
        asks = _reports(group)
        reports = reports or asks
        if asks and points not in (EXCLUDES, PERMITS):
            limits.extend(_floors(group, floors))
        if "defines" in group.present and not group.present.isdisjoint(_TAKES_AWAY):
            limits.extend(group.phrases(_DEFINES)[:1])
        told = not group.present.isdisjoint(_REVIEWING) or "condition" in group.present
        waives = waives or (points == PERMITS and told and "waive" in group.present)
        if "only" in group.present:
            limits.extend(group.phrase(hit) for hit in group.hits if "only" in hit.roles and _limits(group, hit))
        excepted.extend(exceptions(group))
        amount = _quantifier(group)
        if amount is not None:
            quantifier = amount if quantifier is None else min(quantifier, amount)
        if severity is None:
            severity = _severity(scan, group)
        reaction = max(reaction or 0, verdict(group) or 0) or None
    return Said(
        modality=modality,
        polarity=polarity,
        severity=severity,
        quantifier=quantifier,
        limits=tuple(limits),
        exceptions=tuple(excepted),
        numbers=tuple(numbers),
        bounds=tuple(found),
        verdict=reaction,
        catch_all=any("catch_all" in group.present for group in parts),
        nouns=nouns(whole, hits),
        extent=extent(text, hits),
        reports=reports,
        of_review=any(not group.present.isdisjoint(_REVIEWING) for group in parts),
        waives=waives,
        here=any("here" in group.present for group in parts),
        sure=any(map(_is_sure, parts)),
        threshold=next(iter(levels.values()), None),
        ranked=_ranked(scan, whole, hits),
    )


def _reports(group: Group) -> bool:
    """Whether a sentence asks to report something."""
    return any(not hit.roles.isdisjoint(_VERBS) and group.reports(hit) and not group.negated(hit) for hit in group.hits)


def _floors(group: Group, floors: list[Hit]) -> list[str]:
    """How sure a reviewer must be to report something, as it stands."""
    first, last = group.hits[0].start, group.hits[-1].end
    return [group.phrase(floor) for floor in floors if first <= floor.start < last]


def _is_sure(group: Group) -> bool:
    """Whether only what is certain is to be reported."""
    if "certain" not in group.present or "no_exception" in group.present or not _reports(group):
        return False
    return any("certain" in hit.roles and not group.negated(hit) for hit in group.hits)


def _alone(whole: Text, hit: Hit) -> Hit:
    """A severity that is a clause by itself is nothing else: "important" is no quantifier there."""
    start, end = whole.clause_at(hit.start)
    around = whole.text[max(start, hit.start - 2) : min(end, hit.end + 2)]
    alone = around.strip(" *_,:、，：[]()（）「」【】") == whole.text[hit.start : hit.end] and hit.start - start <= 2
    return words.Hit(hit.start, hit.end, _SEVERITY) if alone and end - hit.end <= 2 else hit


def _numbered(scan: Scanner, text: str) -> Said:
    _, numbers, _, _ = bounds(scan, Text(text), [])
    return Said(numbers=tuple(numbers), extent=extent(text, []))


def _modality(group: Group) -> int | None:
    firmness = max((level for role, level in LEVELS.items() if role in group.present), default=None)
    if "hedge" in group.present or any("hedge_first" in hit.roles and group.leads(hit) for hit in group.hits):
        return OPTIONAL
    if "soften" in group.present and any("soften" in hit.roles and _governs(group, hit) for hit in group.hits):
        return min(firmness or RECOMMENDED, RECOMMENDED)
    if firmness == OPTIONAL and "none_of" in group.present and _gives_none(group):
        return ABSOLUTE
    if firmness == OPTIONAL and _takes_leave(group):
        # "Only owners may delete it" gives no leave, it takes one.
        return DUTY
    return firmness


def _gives_none(group: Group) -> bool:
    """Whether a leave is given to nobody: "no handler may ever"."""
    last: Hit | None = None
    for hit in group.hits:
        if "none_of" in hit.roles:
            last = hit if group.leads(hit) else last
        elif "may" in hit.roles and last is not None:
            whole = group.whole
            if whole.clause(last.start) == whole.clause(hit.start) and whole.gap(last.end, hit.start) <= _NONE_MAY:
                return True
    return False


def _takes_leave(group: Group) -> bool:
    """Whether a leave is given to some only: "only owners may", "may only"."""
    if not {"only", "may"} <= group.present:
        return False
    whole = group.whole
    before: int | None = None  # the clause of the last "only"
    may: Hit | None = None
    for hit in group.hits:
        clause = whole.clause(hit.start)
        if "only" in hit.roles:
            if may is not None and whole.clause(may.start) == clause and whole.gap(may.end, hit.start) <= _BESIDE_MAY:
                return True
            before = clause
        elif "may" in hit.roles:
            if before == clause:
                return True
            may = hit
    return False


def _governs(group: Group, hit: Hit) -> bool:
    """Whether "usually" is said of what is asked, and not of an aside: "look for leaks, usually in loops"."""
    whole = group.whole
    return bool(CJK.match(whole.text[hit.start])) or whole.clause(hit.start) == whole.clause(
        whole.sentence_at(hit.start)
    )


def _quantifier(group: Group) -> int | None:
    if "some" in group.present and any("some" in hit.roles for hit in _not_of_one(group.hits, group.whole)):
        return 0
    return 2 if "every" in group.present or "no_exception" in group.present else None


def _not_of_one(hits: list[Hit], whole: Text) -> list[Hit]:
    """The phrases without severities that one finding has: "a critical finding"."""
    found = []
    for place, hit in enumerate(hits):
        before = hits[place - 1] if place else None
        if before is not None and {"severity", "some"} <= hit.roles and "single" in before.roles:
            after = hits[place + 1] if place + 1 < len(hits) else None
            if (
                after is not None
                and "finding" in after.roles
                and _beside(whole, before, hit)
                and _beside(whole, hit, after)
            ):
                continue
        found.append(hit)
    return found


def _thresholds(scan: Scanner, whole: Text, hits: list[Hit]) -> dict[int, tuple[int, int]]:
    """The severities that are meant with all above them (1) or below them (-1), by where they stand."""
    found: dict[int, tuple[int, int]] = {}
    for place, hit in enumerate(hits):
        if "severity" not in hit.roles:
            continue
        before = hits[place - 1] if place else None
        after = hits[place + 1] if place + 1 < len(hits) else None
        way = 0
        if after is not None and _beside(whole, hit, after):
            way = 1 if after.roles & _FROM else -1 if after.roles & _DOWN_TO else 0
        if not way and before is not None and _beside(whole, before, hit):
            way = 1 if "at_least" in before.roles else -1 if "at_most" in before.roles else 0
        rank = scan.severity(whole.text[hit.start : hit.end]) if way else None
        if rank is not None:
            found[hit.start] = (rank, way)
    return found


def _ranked(scan: Scanner, whole: Text, hits: list[Hit]) -> int | None:
    """The lowest severity that stands as the label of a finding: "P0 findings"."""
    ranks = [
        scan.severity(whole.text[hit.start : hit.end])
        for hit, after in itertools.pairwise(hits)
        if "severity" in hit.roles and not after.roles.isdisjoint(_RANKED) and _beside(whole, hit, after)
    ]
    return min((rank for rank in ranks if rank is not None), default=None)


def _polarity(group: Group, firmness: int | None, limits: list[str]) -> str | None:
    """Which way a sentence points; what a later clause of it leaves out or lets pass goes to `limits`."""
    positive: Hit | None = None
    if group.present >= _BYPASS and (passed := _bypasses(group)) is not None:
        limits.append(group.phrase(passed))
        return PERMITS
    for hit in group.hits:
        if hit.roles.isdisjoint(_POLAR):
            continue
        if "insist" in hit.roles:
            return REQUIRES
        leaves = group.leaves_out(hit)
        negated = group.negated(hit)
        if leaves and negated:
            return REQUIRES
        if not leaves and group.reports(hit):
            leaves = negated
            if not leaves and "only" not in group.present:
                positive = positive or hit
        elif not (leaves or negated) and "review" in hit.roles and group.leads(hit):
            positive = positive or hit
        if leaves:
            if positive is not None and group.whole.clause(positive.start) != group.whole.clause(hit.start):
                limits.append(group.phrase(hit))
                return REQUIRES
            return EXCLUDES
        if negated:
            continue
        if "approve" in hit.roles:
            limits.append(group.phrase(hit))
            return PERMITS
        if "permit" in hit.roles and (firmness is None or firmness < DUTY):
            if any("except" in other.roles and other.start < hit.start for other in group.hits):
                continue  # "but hotfixes need none" is an exception
            return PERMITS
    # Only a firm word makes a verb speak against a heading that leaves out.
    return REQUIRES if firmness is not None and (positive is not None or "report_first" in group.present) else None


def _bypasses(group: Group) -> Hit | None:
    """What lets a change pass that lacks something: "may merge without a second look"."""
    if "only" in group.present:
        return None
    whole = group.whole
    for may in group.hits:
        if "may" not in may.roles or group.negated(may):
            continue
        clause = whole.clause(may.start)
        beside = [hit for hit in group.hits if whole.clause(hit.start) == clause and hit is not may]
        lacking = any("bypass" in hit.roles for hit in beside)
        passed = next((hit for hit in beside if "gate" in hit.roles), None)
        if lacking and passed is not None:
            return passed
    return None


def _limits(group: Group, only: Hit) -> bool:
    """Whether "only" governs a review: what is flagged, reported, looked at; not what a duty allows."""
    if group.negated(only):
        return False
    whole = group.whole
    borders = [hit.start for hit in group.hits if "clause" in hit.roles]
    for hit in group.hits:
        if hit.roles.isdisjoint(_VERBS) or hit is only:
            continue
        left, right = (hit, only) if hit.start < only.start else (only, hit)
        if right.start - left.end > FARTHEST or any(left.end <= border < right.start for border in borders):
            continue
        if "review" in hit.roles:
            near = right.start - left.end <= 3 and _touch(whole.text[left.end : right.start])
            if not near:
                # "Look for leaks in new code only." "Nur neuen Code prüfen."
                last = not whole.text[right.end : whole.clause_at(right.start)[1]].strip(" .!*_)")
                near = last and (hit is left or not any("person" in other.roles for other in group.hits))
            if near and (CJK.match(whole.text[hit.start]) or group.leads(left)) and not group.negated(hit):
                return True
        elif group.reports(hit) and not group.negated(hit):
            return True
    if "remark" in group.present and any("finding" in hit.roles and _beside(whole, hit, only) for hit in group.hits):
        return True
    start, end = whole.clause_at(only.start)
    if end - start > FARTHEST or not any("finding" in hit.roles and start <= hit.start < end for hit in group.hits):
        return False
    return size(whole.text[start:end]) <= _FREE_STANDING


def _beside(whole: Text, hit: Hit, other: Hit) -> bool:
    """Whether two phrases touch: "only problems"."""
    left, right = (hit, other) if hit.start < other.start else (other, hit)
    return 0 <= right.start - left.end <= _PARTICLE and not whole.text[left.end : right.start].strip()


def _touch(between: str) -> bool:
    """Whether nothing but a particle stands between two phrases."""
    return not between.strip() or (len(between) <= _PARTICLE and bool(CJK.match(between)))


def _severity(scan: Scanner, group: Group) -> int | None:
    if "severity" not in group.present or "severity_titles" not in group.present:
        return None
    whole = group.whole
    titles = [hit for hit in group.hits if "severity_titles" in hit.roles]
    for hit in group.hits:
        if "severity" in hit.roles:
            for title in titles:
                left, right = (hit, title) if hit.start < title.start else (title, hit)
                if left is not right and whole.gap(left.end, right.start) <= 1:
                    return scan.severity(group.phrase(hit))
    return None
