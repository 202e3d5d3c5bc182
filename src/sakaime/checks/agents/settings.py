"""What the settings of agents, of MCP servers and of reviewing programs say, row by row."""

from __future__ import annotations

import json
import re

from sakaime.checks.agents.facts import GRANTS, GUARDS, TELLS, WEAKENS, Fact, Tree
from sakaime.checks.agents.tools import allowed, holds, listed, refused
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sakaime.checks.agents.facts import Path

PERMISSION, HOOK, SERVER = "agent-permission", "agent-hook", "mcp-server"


class Row(Record):
    """A key (`*` stands for any), the values of it that count (none: all but false and empty), and what they mean.

    In `said`, `{}` stands for the value, `{key}` for the last key.
    """

    key: tuple[str, ...]
    effect: str
    said: str
    one_of: tuple[object, ...] = ()
    rule: str = PERMISSION


_CLAUDE = (
    Row(("permissions", "defaultMode"), GRANTS, "agents start in the mode {}, which asks less",
        ("bypassPermissions", "acceptEdits", "dontAsk", "auto")),
    Row(("permissions", "disableBypassPermissionsMode"), GUARDS, "nobody can switch off that agents ask", ("disable",)),
    Row(("permissions", "additionalDirectories", "*"), GRANTS, "agents may work in {}, outside of the repository"),
    Row(("skipDangerousModePermissionPrompt",), GRANTS, "agents do not ask before they stop asking", (True,)),
    Row(("disableAllHooks",), WEAKENS, "every hook of the agent is switched off", (True,), HOOK),
    Row(("allowManagedHooksOnly",), GUARDS, "only hooks of the organisation run", (True,), HOOK),
    Row(("enableAllProjectMcpServers",), GRANTS, "every MCP server of the repository is approved", (True,), SERVER),
    Row(("enabledMcpjsonServers", "*"), GRANTS, "the MCP server {} is approved", (), SERVER),
    Row(("disabledMcpjsonServers", "*"), GUARDS, "the MCP server {} is refused", (), SERVER),
    Row(("apiKeyHelper",), GRANTS, "agents run {}", (), HOOK),
    Row(("awsAuthRefresh",), GRANTS, "agents run {}", (), HOOK),
    Row(("awsCredentialExport",), GRANTS, "agents run {}", (), HOOK),
    Row(("otelHeadersHelper",), GRANTS, "agents run {}", (), HOOK),
    Row(("statusLine", "command"), GRANTS, "agents run {} for the status line", (), HOOK),
    Row(("fileSuggestion", "command"), GRANTS, "agents run {} to suggest files", (), HOOK),
    Row(("enabledPlugins", "*"), GRANTS, "the plugin {key} is switched on, with its hooks and servers", (True,)),
    Row(("extraKnownMarketplaces", "*"), GRANTS, "plugins can come from {key}"),
    Row(("sandbox", "enabled"), GUARDS, "commands of agents run in a sandbox", (True,)),
    Row(("sandbox", "enabled"), WEAKENS, "commands of agents run in no sandbox", (False,)),
    Row(("sandbox", "allowUnsandboxedCommands"), GUARDS, "no command may leave the sandbox", (False,)),
    Row(("sandbox", "autoAllowBashIfSandboxed"), GRANTS, "commands in the sandbox run without asking", (True,)),
    Row(("sandbox", "excludedCommands", "*"), GRANTS, "{} runs outside of the sandbox"),
    Row(("sandbox", "network", "allowedDomains", "*"), GRANTS, "commands in the sandbox may reach {}"),
)  # fmt: skip
_GEMINI = (
    Row(("autoAccept",), GRANTS, "tools run without asking", (True,)),
    Row(("tools", "autoAccept"), GRANTS, "tools run without asking", (True,)),
    Row(("general", "defaultApprovalMode"), GRANTS, "agents start in the mode {}, which asks less",
        ("auto_edit", "yolo")),
    Row(("security", "disableYoloMode"), GUARDS, "nobody can switch off that agents ask", (True,)),
    Row(("security", "folderTrust", "enabled"), GUARDS, "a folder has to be trusted first", (True,)),
    Row(("tools", "sandbox"), GUARDS, "tools run in a sandbox"),
    Row(("mcpServers", "*", "trust"), GRANTS, "the tools of an MCP server run without asking", (True,), SERVER),
)  # fmt: skip
_VSCODE = (
    Row(("chat.tools.autoApprove",), GRANTS, "tools of the chat run without asking", (True,)),
    Row(("chat.tools.global.autoApprove",), GRANTS, "tools of the chat run without asking", (True,)),
    Row(("chat.tools.terminal.autoApprove", "*"), GRANTS, "{key} runs in the terminal without asking"),
    Row(("chat.tools.terminal.autoApprove", "*"), GUARDS, "{key} is asked about in the terminal", (False, None)),
    Row(("chat.tools.edits.autoApprove", "*"), GRANTS, "{key} is edited without asking"),
    Row(("chat.tools.edits.autoApprove", "*"), GUARDS, "edits of {key} are asked about", (False,)),
    Row(("chat.tools.urls.autoApprove", "*"), GRANTS, "{key} is read without asking"),
    Row(("chat.mcp.autostart",), GRANTS, "MCP servers start by themselves", (True, "newAndOutdated"), SERVER),
)  # fmt: skip
_CODERABBIT = (
    Row(("reviews", "request_changes_workflow"), GRANTS, "the reviewing program approves by itself", (True,)),
    Row(("reviews", "auto_review", "enabled"), WEAKENS, "the review no longer runs by itself", (False,)),
)
_ROWS = {"claude": _CLAUDE, "gemini": _GEMINI, "vscode": _VSCODE, "coderabbit": _CODERABBIT, "mcp": ()}

_TOOLS = (  # where tools are let through or refused
    (("permissions", "allow"), ""), (("tools", "allowed"), ""), (("allowedTools",), ""),
    (("permissions", "deny"), "is refused"), (("permissions", "ask"), "is asked about"),
    (("tools", "exclude"), "is refused"), (("excludeTools",), "is refused"),
)  # fmt: skip
_STEERING = re.compile(
    r"(?i)_BASE_URL$|_PROXY$|^NODE_OPTIONS$|^LD_|^DYLD_|^PATH$|TLS_REJECT|^PYTHON|^BASH_ENV$|^GIT_SSH|^GIT_EXTERNAL|"
    r"^ANTHROPIC_|^OPENAI_|^GEMINI_|CLAUDE_CODE_(?:API|USE|SKIP)"
)
_VERSION = re.compile(r"(?<=.[@:])v?\d[\w.+-]*$|(?<===)\d[\w.+-]*$")
_SECRET = re.compile(r"(?i)key|token|secret|passw|auth|bearer|header")
_NOTHING = re.compile(r"\s*(?:|:|true|exit 0|/bin/true|echo\b[^;&|]*)\s*")


def facts(kind: str, tree: Tree) -> list[Fact]:
    """What settings of a kind say."""
    out = list(_from_rows(_ROWS[kind], tree))
    if isinstance(tree.data, dict) and kind != "coderabbit":
        out += tools(tree)
        out += hooks(tree.data.get("hooks"), ("hooks",))
        for key in ("mcpServers", "servers") if kind in ("mcp", "claude", "gemini") else ():
            out += servers(tree.data.get(key), (key,))
        if isinstance(env := tree.data.get("env"), dict) and kind == "claude":
            out += (_variable(name, value) for name, value in env.items())
    return out


def _from_rows(rows: tuple[Row, ...], tree: Tree) -> Iterator[Fact]:
    for row in rows:
        for at, value in _found(tree.data, row.key):
            # 1 and True are not the same value, though Python says so.
            counts = any(value is v or (isinstance(v, str) and value == v) for v in row.one_of)
            if counts if row.one_of else value not in (None, False, "", [], {}):
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                said = row.said.replace("{key}", str(at[-1])).replace("{}", _short(text))
                yield Fact(row.rule, row.effect, (".".join(row.key), *map(str, _named(at)), text), said, at)


def _named(at: Path) -> Iterator[str]:
    """The keys of a path: where in a list something stands does not matter."""
    return (key for key in at if isinstance(key, str))


def _found(data: Any, key: tuple[str, ...], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    if not key:
        yield at, data
    elif isinstance(data, dict):
        for name in data if key[0] == "*" else [k for k in data if k == key[0]]:
            yield from _found(data[name], key[1:], (*at, name))
    elif isinstance(data, list) and key[0] == "*":
        for number, item in enumerate(data):
            yield from _found(item, key[1:], (*at, number))


def tools(tree: Tree) -> Iterator[Fact]:
    """Which tools are let through, refused, asked about."""
    for key, how in _TOOLS:
        for at, value in _found(tree.data, key):
            for tool, place in listed(value):
                yield refused(tool, (*at, *place), "agents", how) if how else allowed(tool, (*at, *place), "agents")


def covers(new: Fact, old: Fact) -> bool:
    """Whether what an old rule refused or asked about is refused or asked about by a new one."""
    if new.rule != old.rule or len(new.key) != 3 or len(old.key) != 3 or new.key[1] != old.key[1]:
        return False
    return (new.key[0] == old.key[0] or new.key[0] == "is refused") and holds(new.key[2], old.key[2])


def hooks(data: Any, at: Path) -> Iterator[Fact]:
    """What runs at which event. A hook can keep an agent from something, and is a program that runs."""
    for event, groups in data.items() if isinstance(data, dict) else ():
        for number, group in enumerate(groups) if isinstance(groups, list) else ():
            if not isinstance(group, dict):
                continue
            inner = group.get("hooks")
            each = list(enumerate(inner)) if isinstance(inner, list) else [(-1, group)]
            matcher = str(group.get("matcher", ""))
            for place, hook in each:
                spot = (*at, event, number) if place < 0 else (*at, event, number, "hooks", place)
                if isinstance(hook, dict):
                    yield from _hook(event, matcher, hook, spot)


def _hook(event: str, matcher: str, hook: dict[str, Any], at: Path) -> Iterator[Fact]:
    name = next((key for key in ("command", "prompt", "url", "bash") if isinstance(hook.get(key), str)), "")
    if not name:
        return
    what = hook[name]
    said = f"at {event}{f' of {matcher}' if matcher else ''}, agents "
    said += {"prompt": "ask a model", "url": "call"}.get(name, "run") + f" {_short(what)}"
    key, slot = (event, matcher, name, what), (event, matcher)
    if _NOTHING.fullmatch(what):
        yield Fact(HOOK, TELLS, key, said, (*at, name))
    else:
        yield Fact(HOOK, GRANTS, key, said, (*at, name))
        yield Fact(HOOK, GUARDS, key, said, (*at, name), slot)


def servers(data: Any, at: Path) -> Iterator[Fact]:
    """The MCP servers by name. Another version of the same program is no other server."""
    for name, server in data.items() if isinstance(data, dict) else ():
        if not isinstance(server, dict) or server.get("disabled") is True:
            continue
        args = [str(arg) for arg in server["args"]] if isinstance(server.get("args"), list) else []
        plain = {**server, "args": [_VERSION.sub("", arg) for arg in args]}
        where = next((server[k] for k in ("url", "httpUrl", "serverUrl") if isinstance(server.get(k), str)), "")
        if command := server.get("command"):
            said = f"runs {_short(' '.join([str(command), *_public(args)]))}"
        else:
            said = f"is at {_short(where.split('?')[0].split('@')[-1])}" if where else "is added"
        key = (name, json.dumps(plain, sort_keys=True))
        yield Fact(SERVER, GRANTS, key, f"the MCP server {name} {said}; agents can use its tools", (*at, name))


def _public(args: list[str]) -> Iterator[str]:
    """The arguments of a program without what may be a secret."""
    before = ""
    for arg in args:
        name, sign, _ = arg.partition("=")
        hidden = before.startswith("-") and _SECRET.search(before)
        yield "…" if hidden else f"{name}=…" if sign and _SECRET.search(name) else arg
        before = arg


def _variable(name: str, value: object) -> Fact:
    steers = _STEERING.search(name)
    said = f"{name} is set for agents" + (", which decides where they send or what they run" if steers else "")
    return Fact(PERMISSION, GRANTS if steers else TELLS, ("env", name, str(value)), said, ("env", name))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:119]}…"
