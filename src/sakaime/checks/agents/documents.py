"""Markdown that agents run by name: commands, skills, other agents. Its front matter says what they may do."""

from __future__ import annotations

import re

from sakaime.checks.agents.facts import GRANTS, TELLS, Fact, Tree
from sakaime.checks.agents.settings import HOOK, PERMISSION, SERVER, hooks, servers
from sakaime.checks.agents.tools import allowed, listed, only_reads, refused
from sakaime.checks.agents.yamltree import front_matter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"(?:^|\s)!`([^`\n]+)`")
_MODES = ("bypassPermissions", "acceptEdits", "dontAsk", "auto")


def facts(kind: str, text: str) -> tuple[list[Fact], Tree]:
    """What a command or an agent may do, with the tree in which its lines are known.

    Raises `ValueError` where the front matter cannot be read.
    """
    tree, end = front_matter(text)
    body = list(_started(text, end))
    lines = dict(tree.lines)
    lines.update({("line", number): number for number, _ in body})
    out = [Fact(HOOK, GRANTS, ("runs", run), f"it runs {run} when it is called", ("line", n)) for n, run in body]
    return out + list(_front(kind, tree.data if isinstance(tree.data, dict) else {})), Tree(tree.data, lines)


def _started(text: str, above: int) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n")[above:], above + 1):
        for found in _RUN.finditer(line):
            yield number, found[1].strip()


def _front(kind: str, data: dict[str, object]) -> Iterator[Fact]:
    for tool, place in listed(data.get("allowed-tools")):
        yield allowed(tool, ("allowed-tools", *place), "it")
    for tool, place in listed(data.get("disallowedTools")):
        yield refused(tool, ("disallowedTools", *place), "it", "is refused")
    if data.get("permissionMode") in _MODES:
        mode = str(data["permissionMode"])
        yield Fact(
            PERMISSION, GRANTS, ("mode", mode), f"it runs in the mode {mode}, which asks less", ("permissionMode",)
        )
    yield from hooks(data.get("hooks"), ("hooks",))
    yield from servers(data.get("mcpServers"), ("mcpServers",))
    for name in data["mcpServers"] if isinstance(data.get("mcpServers"), list) else ():  # type: ignore[attr-defined]
        yield Fact(SERVER, TELLS, ("uses", str(name)), f"it uses the MCP server {name}", ("mcpServers",))
    if kind != "agent":
        return
    named = list(listed(data.get("tools")))
    if not named:
        yield Fact(PERMISSION, GRANTS, ("tools", "*"), "the agent has every tool: no `tools` are named", ("name",))
    for tool, place in named:
        does, effect = ("reads with", TELLS) if only_reads(tool) else ("can use", GRANTS)
        yield Fact(PERMISSION, effect, ("tools", tool), f"the agent {does} {tool}", ("tools", *place))
