"""What single lines tell, where the whole of a file is not at hand or cannot be read."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TOOL = r"\"(?:Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|Shell|mcp__\w+)(?:\([^\"]*)?\""
_LISTED = r"^\s*(?:allowed-tools|tools)\s*:.*\b(?:Bash|Write|Edit|WebFetch)\b"
_UNASKED = r"(?i)bypassPermissions|acceptEdits|dontAsk|\byolo\b|--dangerously-|auto_?Approve\w*\"?\s*:\s*true"
_LETS = tuple(
    (rule, re.compile(pattern), said)
    for rule, pattern, said in (
        ("agent-permission", f"{_TOOL}|{_LISTED}", "this may let agents use a tool"),
        ("agent-permission", _UNASKED, "this may let agents act without asking"),
        ("agent-hook", r"\"?(?:command|apiKeyHelper)\"?\s*:\s*[\"\w./]", "this may be a program that agents start"),
        ("mcp-server", r"\"?(?:mcpServers|enableAllProject\w+|httpUrl)\"?\s*:", "this may bring MCP servers"),
    )
)
_OFF = re.compile(r"\"?disableAllHooks\"?\s*:\s*true")
_AI = re.compile(r"(?:pull_request_target|write-all|:\s*write\b|--dangerously-|--yolo\b|allowed_?[tT]ools)")
_VERSION = re.compile(r"(?:@[\w./-]+|[:=]\s*[\"']?[v^~]?\d[\w.+-]*[\"']?)")
_USES = re.compile(r"^\s*(?:-\s*)?uses\s*:\s*[\"']?(?P<what>[^@\s]+)@[^\s\"']+[\"']?\s*(?:#.*)?$")
_REV = re.compile(
    r"^\s*(?:-\s*)?(?P<what>[\w.-]*(?:version|rev|image|ref|additional_dependencies)[\w.-]*)\s*[:=].*$", re.I
)


def telling(kind: str, added: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, str, int, str]]:
    """(rule, severity, message, number, line) of added lines that may let an agent do something."""
    for number, line in added:
        if kind == "workflow":
            if found := _AI.search(line):
                yield "ai-workflow", "warning", f"this may let an AI do more ({found[0].strip()})", number, line
            continue
        if _OFF.search(line):
            yield "agent-hook", "error", "every hook of the agent is switched off", number, line
        for rule, pattern, said in _LETS:
            if pattern.search(line):
                yield rule, "warning", said, number, line
                break


def only_versions(removed: list[str], added: list[str]) -> bool:
    """Whether all that differs are the versions of what is used."""
    before, after = [_plain(line) for line in removed], [_plain(line) for line in added]
    return None not in before and before == after


def _plain(line: str) -> str | None:
    """A line that names a version, without it; None of any other."""
    if found := _USES.match(line):
        return f"uses {found['what']}"
    if not _REV.match(line):
        return None
    return _VERSION.sub("", line.split(" #")[0]).strip()
