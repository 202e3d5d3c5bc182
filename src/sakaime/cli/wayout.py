"""What someone whose commit was stopped can do next, ready to paste."""

from __future__ import annotations

import json
import os
import shlex
import sys

from sakaime.model import Judgement
from sakaime.report.width import visible

_AGAIN = {
    "staged": "git add what you changed, then: pre-commit run sakaime",
    "message": 'git commit -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"',
    "range": "git commit what you changed, then push again",
}


def way_out(judgement: Judgement, code: int) -> str:
    """How to mend it, how to allow it with a reason, and what to run then."""
    lines = ["What now:"]
    findings = [f for f in judgement.findings if f.suppressed is None and f.severity != "info"]
    notes = [f for f in findings if f.family == "instructions"]
    if notes:
        lines += [
            "  mend     Take the sentence out. What is true of the change, show in the code or in a test;",
            "           what a reviewer should know, tell a person, outside of the diff.",
        ]
    settings = {f.kind for f in findings if f.family == "policy"}
    if "expired" in settings:
        lines.append("  mend     Take out what has ended, or give it a later `until`.")
    if settings - {"expired"}:
        lines.append("  mend     Undo the setting, or ask whoever keeps the floor to change it.")
    if judgement.scope.unjudged:
        lines.append("  mend     Save the files named above as UTF-8, so that they can be judged.")
    if notes:
        first = notes[0]
        lines += [
            "  explain  " + _command(f"explain {first.rule}"),
            "  allow    In sakaime.toml, with a reason (in a pull request it counts once it is in the base branch):",
            "             [[allow]]",
            f'             rule = "{first.rule}"',
            f"             path = {_toml(first.path)}",
            f'             fingerprint = "{first.fingerprint}"  # line {first.span.start.line}',
            '             reason = "why this may stay"',
        ]
    if os.environ.get("PRE_COMMIT") == "1" and code:
        lines.append(f"  again    {_AGAIN.get(judgement.scope.mode, _AGAIN['staged'])}")
    return "\n".join(lines) if len(lines) > 1 else ""


def _toml(text: str) -> str:
    """A TOML string that shows every character: what a terminal would hide or obey is escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(char if visible(char) == char else f"\\U{ord(char):08X}" for char in quoted)


def _command(rest: str) -> str:
    # Under pre-commit the program is not on PATH. Its script, unlike `python -m`, never imports from the
    # current folder, which is a stranger's.
    script = os.path.join(os.path.dirname(sys.executable), "sakaime")
    if os.environ.get("PRE_COMMIT") != "1" or not os.path.exists(script):
        return f"sakaime {rest}"
    return f"{shlex.quote(script)} {rest}"
