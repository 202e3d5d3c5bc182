"""What is shown of the findings at a place."""

from __future__ import annotations

from sakaime.lsp.known import Known, Placed, Told
from sakaime.lsp.markdown import code, fenced, prose
from sakaime.model import UserError
from sakaime.packs.explained import explained
from sakaime.report.pages import page

_MOST = 5  # findings at one place that are told of
_EXAMPLES = 2  # of either kind
_REACH = {
    "near": "It speaks of what is near it.",
    "file": "It speaks of its file.",
    "change": "It speaks of the whole change.",
    "unnamed": "It leaves out what is not named.",
}
_MEND = {
    "instructions": "Take the sentence out. What is true of the change, show in the code or in a test; what a reviewer "
    "should know, tell a person, outside of the diff.",
    "criteria": "Put back what the review looked at, or make the change to its criteria alone, where whoever keeps "
    "them decides.",
    "hidden": "Take out what nobody sees.",
    "risks": "Write the line so that nothing is left to look at, or allow it, with a reason.",
    "secrets": "Read the value from where secrets are kept (an environment variable, a vault), and let the program "
    "stop where it is not set.",
    "policy": "Undo it, or have it accepted by whoever may approve a change of the gate.",
}
_LIVE = (
    "Take the secret back where it was issued, then out of the change: what was pushed is known, and a commit that "
    "removes it leaves it in the history."
)


def hover(known: Known, offset: int) -> Told | None:
    """The findings at an offset, or that end right before it; None where there are none."""
    here = [placed for placed in known.judged.findings if placed.start <= offset <= placed.end]
    inside = [placed for placed in here if offset < placed.end] or here
    if not inside:
        return None
    shown = [_told(known, placed, number == 0) for number, placed in enumerate(inside[:_MOST])]
    if len(inside) > _MOST:
        shown.append(f"And {len(inside) - _MOST} more.")
    start, end = max(placed.start for placed in inside), min(placed.end for placed in inside)
    return Told(start, max(start, end), "\n\n---\n\n".join(shown), inside[0].finding.rule)


def _told(known: Known, placed: Placed, at_length: bool) -> str:
    """One finding; with the examples of its rule, the first one only."""
    finding = placed.finding
    told = f"{finding.severity}, there before this change" if finding.inherited else finding.severity
    parts = [f"{code(finding.rule)} ({told})", fenced(finding.message)]
    if finding.escalated_from:
        parts.append(f"Raised from {finding.escalated_from}: it shields what a review must look at.")
    if finding.why:
        parts.append(prose(finding.why))
    if finding.covers in _REACH:
        parts.append(_REACH[finding.covers])
    live = finding.family == "secrets" and finding.kind == "live"
    if mend := _LIVE if live else _MEND.get(finding.family, ""):
        parts.append(mend)
    if at_length:
        parts += _of_rule(known, finding.rule)
    return "\n\n".join(parts)


def _of_rule(known: Known, rule_id: str) -> list[str]:
    """Some examples of a rule, who decides about it, and its page."""
    try:
        rule = explained(known.policy, rule_id)
    except UserError:  # what no pack says: of family policy
        return []
    parts = []
    for title, examples in (("Reported", rule.bad), ("Fine", rule.good)):
        if examples:
            parts += [f"{title}:", *map(fenced, examples[:_EXAMPLES])]
    if rule.layers:
        parts.append("Decided by " + ", ".join(f"{prose(who)} ({prose(what)})" for who, what in rule.layers) + ".")
    if (address := page(known.policy.id, rule_id)) is not None:
        parts.append(f"More: <{address}>")
    return parts
