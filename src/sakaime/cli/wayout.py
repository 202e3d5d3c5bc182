"""What someone whose commit was stopped can do next, ready to paste."""

from __future__ import annotations

import os
import sys

from sakaime.model import Finding, Judgement
from sakaime.policy.policy import WATCHED
from sakaime.report.width import visible
from sakaime.text.source import TOO_LARGE

_AGAIN = {
    "staged": "git add what you changed, then: pre-commit run sakaime",
    "message": 'git commit -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"',
    "range": "git commit what you changed, then push again",
}


_FLOOR = frozenset({"locked", "floor", "required"})


def way_out(judgement: Judgement, code: int, locked: dict[str, str]) -> str:
    """How to mend it, how to allow it with a reason, and what to run then. `locked` are the locked rules."""
    lines = ["What now:"]
    findings = [f for f in judgement.findings if f.suppressed is None and f.severity != "info"]
    notes = [f for f in findings if f.family == "instructions"]
    if notes:
        lines += [
            "  mend     Take the sentence out. What is true of the change, show in the code or in a test;",
            "           what a reviewer should know, tell a person, outside of the diff.",
        ]
    lost = [f for f in findings if f.family == "criteria"]
    if lost:
        lines += [
            "  mend     Put back what the review looked at, or make the change to its criteria alone, where whoever",
            "           keeps them decides.",
        ]
    lines_at_risk = [f for f in findings if f.family == "risks"]
    if lines_at_risk:
        lines.append("  mend     Write the line so that nothing is left to look at, or allow it, with a reason.")
    values = [f for f in findings if f.family == "secrets"]
    if any(f.kind == "live" for f in values):
        lines += [
            "  mend     Take the secret back where it was issued, then out of the change: what was pushed is known,",
            "           and a commit that removes it leaves it in the history.",
        ]
    if any(f.kind != "live" for f in values):
        lines += [
            "  mend     Read the value from where secrets are kept (an environment variable, a vault), and let the",
            "           program stop where it is not set.",
        ]
    about = [f for f in findings if f.family == "policy"]
    settings = {f.kind for f in about}
    if "expired" in settings:
        lines.append("  mend     Take out what has ended, or give it a later `until`.")
    if settings & _FLOOR:
        lines.append("  mend     Undo the setting, or ask whoever keeps the floor to change it.")
    if settings - _FLOOR - {"expired", "exception"}:
        lines.append("  mend     Undo it, or have it accepted by whoever may approve a change of the gate.")
    if "exception" in settings:
        lines.append("  mend     Write the exception as: sakaime: allow RULE -- reason [until 2027-03-31]")
    large = [entry for entry in judgement.scope.unjudged if entry.reason == TOO_LARGE]
    if len(large) < len(judgement.scope.unjudged):
        lines.append("  mend     Save the files named above as UTF-8, so that they can be judged.")
    if large:
        lines += [
            "  mend     Split what is too large, or keep it out of the repository; what need not be judged",
            "           may pass with an [[unjudged]] entry of sakaime.toml, with a reason.",
        ]
    ruled = [*notes, *lost, *lines_at_risk, *values]
    free = [f for f in ruled if f.rule not in locked]
    if ruled:
        lines.append("  explain  " + _command(f"explain {(free or ruled)[0].rule}"))
    if free:
        lines += _allow(free[0])
    elif ruled:
        lines += _except(ruled[0], locked)
    watched = [f for f in about if f.rule in WATCHED]
    if watched and not free:
        lines += _allow(watched[0])
    accept = [f for f in (*about, *lost, *values) if f.kind not in _FLOOR | {"expired", "exception"}]
    if accept and judgement.scope.mode in ("range", "diff"):
        lines += _accept(accept)
    if os.environ.get("PRE_COMMIT") == "1" and code:
        lines.append(f"  again    {_AGAIN.get(judgement.scope.mode, _AGAIN['staged'])}")
    return "\n".join(lines) if len(lines) > 1 else ""


def _allow(finding: Finding) -> list[str]:
    return [
        "  allow    In sakaime.toml, with a reason (in a pull request it counts once it is in the base branch):",
        "             [[allow]]",
        f'             rule = "{finding.rule}"',
        f"             path = {_toml(finding.path)}",
        f'             fingerprint = "{finding.fingerprint}"  # line {finding.span.start.line}',
        '             reason = "why this may stay"',
    ]


def _except(finding: Finding, locked: dict[str, str]) -> list[str]:
    rule = finding.rule
    return [
        f"  accept   {rule} is locked by {locked[rule]}: only the organisation's file can let this pass:",
        "             exceptions:",
        f"               - rule: {rule}",
        f'                 fingerprint: "{finding.fingerprint}"',
        f"                 path: {_toml(finding.path)}",
        '                 reason: "why this may stay"',
    ]


def _accept(findings: list[Finding]) -> list[str]:
    lines = ["  accept   In a file from outside of the change, which whoever may approve hands in as --accept FILE:"]
    for finding in findings:
        lines += [
            f'             - fingerprint: "{finding.fingerprint}"  # {finding.rule}',
            f"               path: {_toml(finding.path)}",
            '               by: "who"',
            '               reason: "why"',
        ]
    return lines


def _toml(text: str) -> str:
    """A TOML string that shows every character: what a terminal would hide or obey is escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if visible(char) == char else f"\\U{ord(char):08X}" for char in escaped) + '"'


def _command(rest: str) -> str:
    # Under pre-commit the program is not on PATH. Its script, unlike `python -m`, never imports from the
    # current folder, which is a stranger's.
    script = os.path.join(os.path.dirname(sys.executable), "sakaime")
    if os.environ.get("PRE_COMMIT") != "1" or not os.path.exists(script):
        return f"sakaime {rest}"
    import shlex  # it costs as much as the report

    return f"{shlex.quote(script)} {rest}"
