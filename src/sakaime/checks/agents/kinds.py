"""Which file is read by agents, by their reviewers, or by git's hooks, and as what."""

from __future__ import annotations

# What is read as settings, by the end of the path (in small letters; the file systems of many do not tell them apart).
_SETTINGS = {
    ".claude/settings.json": "claude", ".claude/settings.local.json": "claude", ".claude-plugin/plugin.json": "claude",
    ".claude/hooks/hooks.json": "claude", ".gemini/settings.json": "gemini", ".cursor/cli.json": "claude",
    ".cursor/hooks.json": "claude", ".vscode/settings.json": "vscode", ".coderabbit.yaml": "coderabbit",
    ".coderabbit.yml": "coderabbit", ".mcp.json": "mcp", ".cursor/mcp.json": "mcp", ".vscode/mcp.json": "mcp",
}  # fmt: skip
_HOOK_FOLDERS = frozenset((".husky", ".githooks", ".git-hooks"))
_HOOK_FILES = frozenset(("lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"))
_TEXTS = frozenset((
    "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", ".cursorrules", ".windsurfrules",
    ".clinerules",
))  # fmt: skip
_FOLDERS = frozenset((".claude", ".cursor", ".gemini", ".claude-plugin"))
_GITHUB = (".github/copilot-instructions.md", ".github/instructions/", ".github/prompts/", ".github/agents/")

# A workflow that has none of these words on either side is nobody's business here.
MARKS = (
    b"claude", b"codex", b"gemini", b"coderabbit", b"copilot", b"cursor-agent", b"ai-inference", b"aider", b"opencode",
    b"sakaime", b"gitleaks", b"trufflehog", b"codeql", b"dependency-review", b"semgrep", b"pre-commit", b"zizmor",
)  # fmt: skip


def kind_of(path: str | None) -> str:
    """claude, gemini, vscode, coderabbit, mcp (settings); command, agent (Markdown with front matter); text; file;

    workflow, precommit, lefthook, githook; empty where it is none of them.
    """
    if path is None:
        return ""
    small = path.lower()
    folders = small.split("/")
    name = folders.pop()
    for end, kind in _SETTINGS.items():
        if small == end or small.endswith(f"/{end}"):
            return kind
    if name in _TEXTS or small.startswith(_GITHUB):
        return "text"
    if small.startswith(".github/workflows/"):
        return "workflow" if small.endswith((".yml", ".yaml")) else ""
    if small == ".pre-commit-config.yaml":
        return "precommit"
    if name in _HOOK_FILES:
        return "lefthook"
    if not _HOOK_FOLDERS.isdisjoint(folders) or name in _HOOK_FOLDERS:
        return "githook"
    if name in _FOLDERS:
        return "folder"
    if _FOLDERS.isdisjoint(folders):
        return ""
    if name.endswith(".md") and ".claude" in folders:
        return "agent" if "agents" in folders else "command" if "commands" in folders or name == "skill.md" else "text"
    return "text" if name.endswith((".md", ".mdc")) else "file"
