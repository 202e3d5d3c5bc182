"""A judgement as JSON: the format that other programs read."""

from __future__ import annotations

import json
from typing import Any

import sakaime
from sakaime.model import SEVERITIES, Finding, Judgement, Position, Scope, Skipped
from sakaime.report.coverage import coverage_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.report import Context

VERSION = 1


def render(judgement: Judgement, _context: Context) -> str:
    """One JSON object; keys may be added in later versions, never renamed."""
    return json.dumps(as_data(judgement), ensure_ascii=False, indent=2) + "\n"


def as_data(judgement: Judgement) -> dict[str, Any]:
    """The judgement as plain data."""
    counted = [f for f in judgement.findings if f.suppressed is None]
    return {
        "version": VERSION,
        "tool": {"name": "sakaime", "version": sakaime.__version__},
        "policy": {
            "digest": judgement.policy.digest,
            "packs": [
                {"name": p.name, "version": p.version, "digest": p.digest, "source": p.source}
                for p in judgement.policy.packs
            ],
        },
        "scope": scope_data(judgement.scope),
        "findings": [finding_data(f) for f in judgement.findings],
        "summary": {
            **{severity: sum(f.severity == severity for f in counted) for severity in reversed(SEVERITIES)},
            "suppressed": len(judgement.findings) - len(counted),
        },
        "coverage": coverage_data(judgement.coverage),
    }


def scope_data(scope: Scope) -> dict[str, Any]:
    """What was looked at, as plain data."""
    return {
        "mode": scope.mode,
        "base": scope.base,
        "head": scope.head,
        "files": scope.files,
        "added_lines": scope.added_lines,
        "rules": scope.rules,
        "skipped": [_skipped(s) for s in scope.skipped],
        "unjudged": [_skipped(s) for s in scope.unjudged],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as plain data."""
    return {
        "rule": finding.rule,
        "family": finding.family,
        "kind": finding.kind,
        "severity": finding.severity,
        "escalated_from": finding.escalated_from,
        "message": finding.message,
        "path": finding.path,
        "start": _position(finding.span.start),
        "end": _position(finding.span.end),
        "excerpt": finding.excerpt,
        "covers": finding.covers,
        "related": [
            {
                "path": related.path,
                "start": _position(related.span.start),
                "end": _position(related.span.end),
                "message": related.message,
            }
            for related in finding.related
        ],
        "fingerprint": finding.fingerprint,
        "inherited": finding.inherited,
        "suppressed": finding.suppressed,
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _skipped(skipped: Skipped) -> dict[str, str]:
    return {"path": skipped.path, "reason": skipped.reason}
