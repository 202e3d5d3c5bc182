"""What the merge of packs, floor and settings had to report."""

from __future__ import annotations

from sakaime.model import Finding, Position, Span
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.material.change import Change


def check(policy: Policy) -> Iterator[Finding]:
    """One finding per note of the policy, at the place in the settings that caused it."""
    for note in policy.notes:
        start = Position(note.line, note.column)
        yield Finding(
            rule=note.rule,
            family="policy",
            kind=note.kind,
            severity=note.severity,
            message=note.message,
            path=note.path,
            span=Span(start, Position(note.line, note.column + 1)),
            excerpt="",
        )


# Files beside the settings that decide what is looked at, by git, by hooks or by this program.
ATTRIBUTES, HOOKS, BASELINE = ".gitattributes", ".pre-commit-config.yaml", "sakaime-baseline.json"


def guards(change: Change) -> bool:
    """Whether a change is to a file of which `sakaime.checks.guarded` has something to say."""
    for path in (change.path, change.old_path):
        if path is not None and (path in (HOOKS, BASELINE) or path.rsplit("/", 1)[-1] == ATTRIBUTES):
            return True
    return False
