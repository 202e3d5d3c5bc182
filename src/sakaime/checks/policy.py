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


# Where agents, reviewing programs and git's hooks look; `sakaime.checks.agents` knows what each one is.
_FOLDERS = frozenset((
    ".claude", ".cursor", ".gemini", ".claude-plugin", ".husky", ".githooks", ".git-hooks", ".vscode",
))  # fmt: skip
_NAMES = frozenset((
    "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", ".cursorrules", ".windsurfrules",
    ".clinerules", ".mcp.json", ".coderabbit.yaml", ".coderabbit.yml", ".pre-commit-config.yaml", "lefthook.yml",
    "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml",
))  # fmt: skip


def steers(change: Change) -> bool:
    """Whether a change may be to a file of which `sakaime.checks.agents` has something to say."""
    for path in (change.path, change.old_path):
        if path is not None:
            parts = path.lower().split("/")
            if parts[-1] in _NAMES or parts[0] == ".github" or not _FOLDERS.isdisjoint(parts):
                return True
    return False
