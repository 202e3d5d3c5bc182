"""What someone whose commit was stopped can do next, ready to paste."""

from __future__ import annotations

import os

from sakaime.model import Judgement


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
    if any(f.family == "policy" for f in findings):
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
            f'             fingerprint = "{first.fingerprint}"  # {first.path}:{first.span.start.line}',
            '             reason = "why this may stay"',
        ]
    if os.environ.get("PRE_COMMIT") == "1" and code:
        lines.append("  again    git add what you changed, then: pre-commit run sakaime")
    return "\n".join(lines) if len(lines) > 1 else ""


def _command(rest: str) -> str:
    if os.environ.get("PRE_COMMIT") != "1":
        return f"sakaime {rest}"
    return f"pipx run sakaime {rest}"  # under pre-commit the program is not on PATH
