"""GitHub workflows that run an AI, and those that run a check of this kind."""

from __future__ import annotations

import json
import re

from sakaime.checks.agents.facts import GRANTS, GUARDS, TELLS, Fact, Tree
from sakaime.checks.agents.tools import allowed, listed, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sakaime.checks.agents.facts import Path

RULE, CHECK = "ai-workflow", "required-check"

_ACTION = re.compile(
    r"(?i)^(?:anthropics/|openai/codex|google-github-actions/run-gemini|google-gemini/|coderabbitai/|actions/ai-inference"
    r"|[^@]*/[^@]*(?:claude|codex|gemini|coderabbit|opencode|aider))"
)
_PROGRAM = re.compile(
    r"(?:^|[\s;&|(\"'/])(?P<name>claude\s(?=.*(?:-p\b|--print\b))|codex\s+(?:exec|e)\b|codex\s(?=.*--full-auto)"
    r"|gemini\s(?=.*(?:-p\b|--prompt\b|-y\b|--yolo\b))|gemini\s*<|cursor-agent\b|copilot\s+(?:-p|--prompt)\b|aider\s"
    r"|opencode\s+run\b|claude\s*<|\|\s*(?:claude|gemini|codex)\b)"
)
_CHECKS = re.compile(
    r"(?im)^(?:(?:[\w.-]+/)*(?P<action>sakaime|gitleaks|trufflehog|codeql-action/analyze|dependency-review-action|semgrep"
    r"|zizmor)(?:[-/@]|$)|(?!\s*(?:#|pip|pipx|uv|apt|npm|brew)\b).*?(?:^|[\s;&|/])"
    r"(?P<run>sakaime check|sakaime verify|gitleaks|trufflehog|semgrep|pre-commit run|zizmor)(?:\s|$))"
)
_UNASKED = re.compile(
    r"--dangerously-[\w-]+|--yolo\b|--full-auto\b|--permission-mode[= ]+\S+|--approval-mode[= ]+\S+"
    r"|--allow-all-tools\b|danger-full-access|(?<=gemini )-y\b|--force\b(?=.*cursor-agent)|--ask-for-approval[= ]+never"
)
_LISTS = re.compile(r"(--allowed-?[tT]ools|--disallowed-?[tT]ools)[= ]+(?:\"([^\"]*)\"|'([^']*)'|([^\s-]\S*))")
_INPUTS = {  # what an input of an action means when it has one of the values (none: any that is not empty)
    "allowed_non_write_users": ("who has no write access can call it", ()),
    "allowed_bots": ("every bot can call it", ("*",)),
    "allow-users": ("everybody can call it", ("*",)),
    "allow-bots": ("every bot can call it", ("*", "true", True)),
    "safety-strategy": ("it runs without the limits that keep secrets from it", ("unsafe",)),
    "sandbox": ("it may change files", ("workspace-write", "danger-full-access")),
    "permission-profile": ("it may change files", ("workspace-write", "danger-full-access")),
}
_STRANGERS = ("pull_request_target", "workflow_run")
_OTHERS = (
    "issues",
    "issue_comment",
    "pull_request_review",
    "pull_request_review_comment",
    "discussion",
    "discussion_comment",
)
_WHO = re.compile(r"author_association|\bactor\b|sender|\.fork\b|head\.repo|permission|\.login\b")
_OFF = (False, "false", "${{ false }}")


def facts(tree: Tree) -> list[Fact]:
    """What the AI of a workflow may do, who can call it, and which checks run."""
    data = tree.data if isinstance(tree.data, dict) else {}
    jobs = data.get("jobs")
    out: list[Fact] = []
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        if not isinstance(job, dict):
            continue
        run = list(_ai(job, ("jobs", name)))
        if run:
            out += _called(data)
            out += _permissions(data, job, name)
            out += _condition(job, name, ("jobs", name, "if"))
        for what, step, at in run:
            told = f"the job {name} runs {what}"
            out.append(Fact(RULE, TELLS, (name, what), told, at))
            out += _step(name, step, at)
        out += _checks(job, name)
    return out


def _steps(job: dict[str, Any], at: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    if isinstance(job.get("uses"), str):
        yield job, at
    steps = job.get("steps")
    for number, step in enumerate(steps) if isinstance(steps, list) else ():
        if isinstance(step, dict):
            yield step, (*at, "steps", number)


def _ai(job: dict[str, Any], at: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    for step, place in _steps(job, at):
        uses, run = step.get("uses"), step.get("run")
        if isinstance(uses, str) and _ACTION.match(uses):
            yield uses.split("@")[0], step, (*place, "uses")
        elif isinstance(run, str) and (found := _program(run)):
            yield found, step, (*place, "run")


def _program(run: str) -> str:
    for line in run.replace("\\\n", " ").split("\n"):
        if not line.lstrip().startswith("#") and (found := _PROGRAM.search(line)):
            return " ".join(found["name"].strip("|< ").split())
    return ""


def _called(data: dict[str, Any]) -> Iterator[Fact]:
    on = data.get("on")
    names = on if isinstance(on, (dict, list)) else [on]
    for number, name in enumerate(names):
        at: Path = ("on", name) if isinstance(on, dict) else ("on", number)
        if name in _STRANGERS:
            said = f"{name} gives the AI the rights and secrets of the base on what strangers wrote"
            yield Fact(RULE, GRANTS, ("on", name), said, at)
        elif name in _OTHERS:
            yield Fact(RULE, TELLS, ("on", name), f"{name} lets whoever can write one call the AI", at)


def _permissions(data: dict[str, Any], job: dict[str, Any], name: str) -> Iterator[Fact]:
    own = "permissions" in job
    given = job["permissions"] if own else data.get("permissions")
    at: Path = ("jobs", name, "permissions") if own else ("permissions",)
    if given == "write-all":
        yield Fact(RULE, GRANTS, (name, "write-all"), f"the AI of the job {name} may write everything", at)
    elif given is None:
        said = f"the AI of the job {name} has whatever rights the repository gives by default"
        yield Fact(RULE, TELLS, (name, "default"), said, ("jobs", name))
    for what, level in given.items() if isinstance(given, dict) else ():
        # A token for another service is asked for by the actions themselves; it writes nothing here.
        if level == "write" and what != "id-token":
            said = f"the AI of the job {name} may write {what}"
            yield Fact(RULE, GRANTS, (name, what), said, (*at, what))


def _condition(holder: dict[str, Any], name: str, at: Path) -> Iterator[Fact]:
    condition = holder.get("if")
    if isinstance(condition, str) and _WHO.search(condition):
        text = " ".join(condition.split())
        said = f"the AI of the job {name} runs only if {text[:100]}"
        yield Fact(RULE, GUARDS, ("if", text), said, at, (name, "if"))


def _step(name: str, step: dict[str, Any], at: Path) -> Iterator[Fact]:
    above = at[:-1]
    yield from _condition(step, name, (*above, "if"))
    given = step.get("with")
    inputs = given if isinstance(given, dict) else {}
    for key, value in inputs.items():
        said, values = _INPUTS.get(key, ("", ()))
        if said and (value in values if values else value not in (None, "", False)):
            text = f"the AI of the job {name}: {said} ({key}: {str(value)[:80]})"
            yield Fact(RULE, GRANTS, (name, key, str(value)), text, (*above, "with", key))
        if key in ("allowed_tools", "disallowed_tools"):
            yield from _tools(name, value, (*above, "with", key), key == "allowed_tools")
        elif key == "settings" and isinstance(value, str):
            yield from _settings(name, value, (*above, "with", key))
    for text, place in [
        (step.get("run"), at),
        *((v, (*above, "with", k)) for k, v in inputs.items() if "prompt" not in k),
    ]:
        if isinstance(text, str):
            yield from _options(name, text.replace("\\\n", " "), place)


def _options(name: str, text: str, at: Path) -> Iterator[Fact]:
    for found in _UNASKED.finditer(text):
        if not found[0].endswith(("plan", "default")):
            said = f"the AI of the job {name} does not ask ({found[0]})"
            yield Fact(RULE, GRANTS, (name, found[0]), said, at)
    for found in _LISTS.finditer(text):
        value = found[2] or found[3] or found[4] or ""
        yield from _tools(name, value, at, "dis" not in found[1].lower())


def _tools(name: str, value: object, at: Path, let: bool) -> Iterator[Fact]:
    where = f"the AI of the job {name}"
    for tool, _ in listed(value):
        yield allowed(tool, at, where, RULE) if let else refused(tool, at, where, "is refused", RULE)


def _settings(name: str, text: str, at: Path) -> Iterator[Fact]:
    """Settings of the agent that an action is given as JSON."""
    from sakaime.checks.agents import settings

    try:
        tree = Tree(json.loads(text), {})
    except (ValueError, RecursionError):
        return
    for fact in [*settings.facts("claude", tree), *settings.facts("gemini", tree)]:
        yield fact.replace(rule=RULE, key=(name, *fact.key), said=f"{fact.said} (job {name})", at=at)


def _checks(job: dict[str, Any], name: str) -> Iterator[Fact]:
    if job.get("continue-on-error") is True or job.get("if") in _OFF:
        return
    for step, at in _steps(job, ("jobs", name)):
        if step.get("continue-on-error") is True or step.get("if") in _OFF:
            continue
        for key in ("uses", "run"):
            text = step.get(key)
            for found in _CHECKS.finditer(text.replace("\\\n", " ")) if isinstance(text, str) else ():
                what = found["action"] or found["run"]
                if key == "run" and re.search(r"\|\|\s*(?:true|:|exit 0|echo)", found[0]):
                    continue
                if (key == "uses") == bool(found["action"]):
                    said = f"the job {name} runs {what}, and stops what it finds"
                    yield Fact(CHECK, GUARDS, (what,), said, (*at, key))
