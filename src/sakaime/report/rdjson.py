"""A judgement in the Reviewdog Diagnostic Format (rdjson)."""

from __future__ import annotations

import json
from typing import Any

from sakaime.model import Finding, Judgement, Skipped, Span
from sakaime.report.pages import HOME, page
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.report import Context

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def render(judgement: Judgement, _context: Context) -> str:
    """One DiagnosticResult of what counts; a file that could not be judged is an ERROR.

    Columns count UTF-8 bytes, as the format wants it. It has no other keys, and reviewdog refuses those it
    does not know, so what was looked at, skipped and allowed has no place in it.
    """
    found = [_unjudged(file) for file in judgement.scope.unjudged]
    found += [_diagnostic(judgement, finding) for finding in judgement.findings if finding.suppressed is None]
    data = {"source": {"name": "sakaime", "url": HOME}, "diagnostics": found}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _diagnostic(judgement: Judgement, finding: Finding) -> dict[str, Any]:
    address = page(judgement.policy, finding.rule)
    return {
        "message": "\n".join(filter(None, [visible(finding.message), visible(finding.why)])),
        "location": {"path": finding.path, "range": _range(finding.span)},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.rule, **({"url": address} if address else {})},
    }


def _range(span: Span) -> dict[str, Any]:
    """The range in bytes; whole lines where the bytes of a line are not known."""
    if span.start.byte is None or span.end.byte is None:
        return {"start": {"line": span.start.line}, "end": {"line": span.end.line}}
    return {
        "start": {"line": span.start.line, "column": span.start.byte},
        "end": {"line": span.end.line, "column": span.end.byte},
    }


def _unjudged(file: Skipped) -> dict[str, Any]:
    return {
        "message": f"could not be judged: {visible(file.reason)}",
        "location": {"path": file.path, "range": {"start": {"line": 1}}},
        "severity": "ERROR",
        "code": {"value": "not-judged"},
    }
