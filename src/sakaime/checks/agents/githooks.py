"""Hooks that git runs: scripts in a folder, pre-commit, lefthook."""

from __future__ import annotations

from sakaime.checks.agents.facts import GUARDS, TELLS, WEAKENS, Fact, Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sakaime.checks.agents.facts import Path

RULE = "git-hook"
_NAMES = frozenset((
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "post-rewrite", "pre-receive",
    "update",
))  # fmt: skip
_ENDS = ("exit", "exit 0", "return 0")
_IGNORED = ("|| true", "|| :", "|| exit 0", "|| echo")


def is_hook(path: str) -> bool:
    """Whether git runs a file of a folder of hooks, by its name."""
    return path.rsplit("/", 1)[-1].lower() in _NAMES


def script(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """The commands of a hook that can stop something, and the lines (number, what) that let everything through."""
    commands, passes = [], []
    lines = [(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    for at, (number, line) in enumerate(lines):
        plain = line.strip()
        if line in _ENDS and at + 1 < len(lines):
            passes.append((number, "the hook ends before what follows runs"))
            break
        if any(plain.endswith(end) or f"{end} " in plain for end in _IGNORED):
            passes.append((number, f"what `{plain.split('||')[0].strip()}` says does not count"))
        elif plain not in _ENDS and not plain.startswith(("set -", ". ", "echo ", "export ")):
            commands.append(plain)
    return commands, passes


def script_facts(name: str, old: str | None, new: str | None) -> tuple[list[Fact], list[Fact], Tree]:
    """The two sides of a hook. What is edited is no loss; that nothing is left of it is one."""
    before, was = script(old or "")
    after, passes = script(new or "")
    lost, fresh = set(before) - set(after), set(after) - set(before)
    gone = bool(lost) and not fresh
    guard = Fact(RULE, GUARDS, (name,), f"the hook {name} runs {'; '.join(before)[:120]}", ())
    if gone:
        said = "; ".join(command for command in before if command in lost)[:120]
        guard = guard.replace(said=f"the hook {name} runs {said}")
    known = {what for _, what in was}
    weak = [Fact(RULE, WEAKENS, (what,), what, ("line", n)) for n, what in passes if what not in known]
    told = [] if old is not None else [Fact(RULE, TELLS, (name,), f"git runs the hook {name}", ())]
    lines: dict[Path, int] = {("line", number): number for number, _ in passes}
    return [guard] if gone and not weak else [], weak + told, Tree(None, lines)


def precommit_facts(tree: Tree) -> Iterator[Fact]:
    """The hooks of pre-commit by their repository, but those of sakaime, which are compared elsewhere."""
    repos = tree.data.get("repos") if isinstance(tree.data, dict) else None
    for number, repo in enumerate(repos) if isinstance(repos, list) else ():
        each = repo.get("hooks") if isinstance(repo, dict) else None
        for place, hook in enumerate(each) if isinstance(each, list) else ():
            name = str(hook.get("id", "")) if isinstance(hook, dict) else ""
            if not name or name.startswith("sakaime") or hook.get("stages") == ["manual"]:
                continue
            at = ("repos", number, "hooks", place)
            source = str(repo.get("repo"))
            if source == "local":
                said = f"the hook {name} runs {str(hook.get('entry', ''))[:100]} at every commit"
            else:
                said = f"the hook {name} of {source} runs at every commit"
            yield Fact(RULE, TELLS, (name, source), said, at)
            yield Fact(RULE, GUARDS, (name,), said, at, (source,))


def lefthook_facts(tree: Tree) -> Iterator[Fact]:
    """The commands of lefthook by hook."""
    for name, hook in tree.data.items() if isinstance(tree.data, dict) else ():
        if name not in _NAMES or not isinstance(hook, dict) or hook.get("skip") is True:
            continue
        for group in ("commands", "scripts", "jobs"):
            for key, job in _jobs(hook.get(group)):
                if not isinstance(job, dict) or job.get("skip") is True:
                    continue
                label = str(job.get("name", key)) if isinstance(key, int) else key
                at, run = (name, group, key), str(job.get("run", label))
                said = f"the hook {name} runs {run[:100]} ({label})"
                yield Fact(RULE, TELLS, (name, label, run), said, at)
                if not any(end in run for end in _IGNORED):
                    yield Fact(RULE, GUARDS, (name, label), said, at, (name, group))


def _jobs(data: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(data, dict):
        yield from data.items()
    elif isinstance(data, list):
        yield from enumerate(data)
