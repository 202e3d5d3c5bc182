"""What a tool that an agent may use without asking lets it do."""

from __future__ import annotations

from sakaime.checks.agents.facts import GRANTS, GUARDS, TELLS, Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.checks.agents.facts import Path

_READING = frozenset("read glob grep ls websearch notebookread todowrite todoread task agent skill view search".split())
_SHELLS = frozenset("bash shell run_shell_command shelltool powershell".split())
_SEEING = (
    "ls", "pwd", "cat", "head", "tail", "wc", "grep", "rg", "tree", "which", "git status", "git log", "git diff",
    "git show", "git blame", "git branch --show-current", "gh pr view", "gh pr diff", "gh pr list", "gh issue view",
    "gh issue list",
)  # fmt: skip
_JOINS = (";", "&", "|", "`", "$(", ">", "\n")


def parts(tool: str) -> tuple[str, str]:
    """`Bash(git diff:*)` as (`bash`, `git diff:*`)."""
    name, _, rest = tool.strip().partition("(")
    return name.strip().lower(), rest.rsplit(")", 1)[0].strip()


def only_reads(tool: str) -> bool:
    """Whether a tool changes nothing and starts nothing but a program that shows something."""
    name, what = parts(tool)
    if name not in _SHELLS:
        return name in _READING
    if any(sign in what for sign in _JOINS):
        return False
    plain = what.removesuffix("*").rstrip(": ")
    return any(plain == seeing or plain.startswith(f"{seeing} ") for seeing in _SEEING)


def holds(wide: str, narrow: str) -> bool:
    """Whether a rule about tools includes what another one names."""
    (name, what), (other, part) = parts(wide), parts(narrow)
    if name != other:
        return False
    start = what.removesuffix("*").removesuffix(":")
    return what in ("", "*", part) or (what.endswith("*") and part.startswith(start))


def allowed(tool: str, at: Path, where: str, rule: str = "agent-permission") -> Fact:
    """That a tool is let through."""
    effect = TELLS if only_reads(tool) else GRANTS
    what = "read with" if effect == TELLS else "use"
    return Fact(rule, effect, ("allow", where, tool), f"{where} may {what} {tool} without asking", at)


def refused(tool: str, at: Path, where: str, how: str, rule: str = "agent-permission") -> Fact:
    """That a tool is kept from an agent (`how`: is refused, is asked about)."""
    return Fact(
        rule, GUARDS, (how, where, tool), f"{tool} {how}" if where == "agents" else f"{where}: {tool} {how}", at
    )


def listed(value: object) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The tools of a list, or of one text with commas or blanks between; each with where in the list it stands."""
    if isinstance(value, list):
        yield from ((item, (n,)) for n, item in enumerate(value) if isinstance(item, str))
        return
    tool, depth = "", 0
    for char in f"{value if isinstance(value, str) else ''},":
        depth += (char == "(") - (char == ")" and depth > 0)
        if depth == 0 and (char in ",\n" or (char == " " and tool.strip())):
            if tool.strip():
                yield tool.strip(), ()
            tool = ""
        else:
            tool += char
