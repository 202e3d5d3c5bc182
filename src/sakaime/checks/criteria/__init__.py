"""Documents that say what a review looks at: what was taken out of them, or made less."""

from __future__ import annotations

from sakaime.checks.criteria.item import OWNERS_FILE, PROSE_FILES
from sakaime.material.change import SUBMODULE, Change, Material
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.model import Finding, Skipped

_MODES = ("staged", "range", "diff", "buffer")  # those that have an old side


def concerns(policy: Policy, material: Material) -> bool:
    """Whether a change may be to a criteria document, as far as names tell."""
    return material.mode in _MODES and any(_may_be(policy, material, change) for change in material.changes)


def check(policy: Policy, material: Material) -> tuple[list[Finding], list[Skipped]]:
    """What the criteria documents of a change ask for less than before, and the documents that cannot be compared."""
    from sakaime.checks.criteria.readers import readers
    from sakaime.checks.criteria.revisions import revisions

    reader = readers(policy, material.decided)
    found, unread = revisions(reader, material)
    if all(revision.old is None for revision in found):
        return [], unread
    # Parsers cost more than the whole check of a harmless change.
    from sakaime.checks.criteria.findings import findings

    told, further = findings(policy, reader, material, found)
    return told, [*unread, *further]


def _may_be(policy: Policy, material: Material, change: Change) -> bool:
    """Whether a change may take something from a criteria document: there must have been one. What a bare diff calls
    new may have been there, and a new CODEOWNERS may come before the old one."""
    if change.old is None and material.mode != "diff" and not change.path.endswith(OWNERS_FILE):
        return False
    if change.old is not None and change.old.mode == SUBMODULE:
        return False
    paths = [path for path in (change.path, change.old_path) if path is not None]
    # What a document that reviewers read leads to has any name.
    return any(path.lower().endswith(PROSE_FILES) or any(name in path for name in policy.named) for path in paths)
