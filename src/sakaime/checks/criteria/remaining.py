"""What a changed document still asks reviewers to look at."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.lost import criteria
from sakaime.checks.criteria.findings import judges, said
from sakaime.checks.criteria.readers import readers
from sakaime.checks.criteria.revisions import Side, Unreadable, new_text, old_text
from sakaime.checks.criteria.sides import read_side
from sakaime.material.change import Change, Material
from sakaime.policy.policy import Policy


def remaining(policy: Policy, material: Material, change: Change, shown: str) -> tuple[str, ...]:
    """The words of each criterion in the new side of a document, with the title that it stands below; nothing of a file
    that no reviewer reads. `shown` is what is known of the new side, where all of it is not at hand."""
    rule = readers(policy, material.decided)(change.path)
    if rule is None or change.new is None:
        return ()
    try:
        text = new_text(material, change, old_text(material, change))
    except Unreadable:
        text = shown
    try:
        document = read_side(rule, Side(change.path, text))
    except Unreadable:
        return (text,)
    asks = criteria(document, judges(policy))
    return tuple(
        "\n".join((*item.headings[-1:], said(item), item.text, *(text for _, text in item.cells)))
        for item, does in zip(document.items, asks, strict=True)
        if does
    )
