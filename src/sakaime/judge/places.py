"""Which findings are risks, and which of them are notes that may shield some."""

from __future__ import annotations

from sakaime.model import Finding, Record, Risk
from sakaime.model.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sakaime.model import Defect
    from sakaime.policy.policy import Policy

    Topics = tuple[str, ...]

NOTES = ("instructions", "hidden")
NARROWED = "narrowed"
_ID = 12  # digits


class Place(Record):
    """A risk as it is looked for: what is told of it, the words by which criteria name it, and its finding."""

    risk: Risk
    topics: Topics
    finding: Finding | None


def shields(finding: Finding) -> bool:
    """Whether a finding says that something shall not be looked at. What is suppressed, or only told of, does not."""
    if finding.suppressed is not None or finding.told:
        return False
    if finding.family in NOTES:
        return finding.covers is not None
    return finding.family == "criteria" and finding.kind == NARROWED


def is_risk(finding: Finding) -> bool:
    """Whether a finding is about something that a review must look at."""
    if finding.suppressed is not None or finding.told:
        return False
    if finding.family == "criteria":
        return finding.kind != NARROWED and finding.severity != "info"
    return finding.family in ("risks", "secrets")


def places(policy: Policy | None, findings: Iterable[Finding]) -> list[Place]:
    """The risks among findings, in order of path and line; without a policy, their topics are left out."""
    topics = _topics(policy) if policy is not None else lambda _: ()
    found = [
        Place(
            Risk(
                sha256(f"{finding.path}\0{finding.fingerprint}".encode("utf-8", "surrogatepass")).hexdigest()[:_ID],
                finding.path,
                finding.span.start.line,
                finding.rule,
                finding.message,
                finding.line.strip() if finding.family == "risks" else finding.excerpt,
            ),
            topics(finding),
            finding,
        )
        for finding in findings
        if is_risk(finding)
    ]
    return sorted(found, key=lambda place: (place.risk.path, place.risk.line))


def named(policy: Policy, findings: Iterable[Finding], defects: Iterable[Defect]) -> list[Place]:
    """The risks that somebody named by hand. One where a risk was found has the topics of that, another one those of
    which a word stands in what is said of it."""
    from sakaime.judge.topics import names

    known: dict[tuple[str, int], Topics] = {}
    for place in places(policy, findings):
        where = place.risk.path, place.risk.line
        known[where] = (*known.get(where, ()), *place.topics)
    every = {rule.topics for rule in policy.risks} | {_of_family(policy, "secrets")}
    found = []
    for defect in defects:
        topics = known.get((defect.path, defect.line))
        if topics is None:
            topics = tuple(word for words in sorted(every) if names(words, defect.what) for word in words)
        found.append(Place(Risk(defect.id, defect.path, defect.line, "", defect.what), topics, None))
    return found


def _topics(policy: Policy) -> Callable[[Finding], Topics]:
    """A function from a finding to the words by which criteria name it: none, of a criterion that is gone."""
    by_rule: dict[str, Topics] = {}

    def topics(finding: Finding) -> Topics:
        if finding.family == "criteria":
            return ()
        if finding.family not in by_rule:
            by_rule[finding.family] = _of_family(policy, finding.family)
            by_rule.update((rule.id, rule.topics) for rule in policy.risks)
        return by_rule.get(finding.rule, by_rule[finding.family])

    return topics


def _of_family(policy: Policy, family: str) -> Topics:
    return tuple(word for name, word in policy.topics if name == family)
