"""A judgement as a report of GitLab Code Quality."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from sakaime.model import Finding, Judgement, Position, Skipped
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.report import Context

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(judgement: Judgement, _context: Context) -> str:
    """An array of what counts; a file that could not be judged is a blocker.

    The format is a bare array, so what was looked at, skipped and allowed has no place in it.
    """
    entries = [_unjudged(file) for file in judgement.scope.unjudged]
    entries += [_entry(finding) for finding in judgement.findings if finding.suppressed is None]
    return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


def _entry(finding: Finding) -> dict[str, Any]:
    return {
        "description": " ".join(filter(None, [visible(finding.message), visible(finding.why)])),
        "check_name": finding.rule,
        "fingerprint": _fingerprint(finding.path, finding.fingerprint),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.path,
            "positions": {"begin": _position(finding.span.start), "end": _position(finding.span.end)},
        },
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _unjudged(file: Skipped) -> dict[str, Any]:
    return {
        "description": f"could not be judged: {visible(file.reason)}",
        "check_name": "not-judged",
        "fingerprint": _fingerprint(file.path, "not judged"),
        "severity": "blocker",
        "location": {"path": file.path, "lines": {"begin": 1}},
    }


def _fingerprint(path: str, rest: str) -> str:
    # GitLab shows one of all entries with the same fingerprint, and ours are unique within a file only.
    return hashlib.sha256(f"{path}\0{rest}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
