"""What the notes of a change shield: as plain data, and as a table for people."""

from __future__ import annotations

from sakaime.model import Coverage, Risk, Shield
from sakaime.report.width import columns, fitted, padded, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHOWN = 72  # columns of a source line that are shown
_REACH = {
    "near": "speaks of what is near it",
    "file": "speaks of its file",
    "change": "speaks of the whole change",
    "unnamed": "leaves out what is not named",
}


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    """The coverage as plain data; keys may be added in later versions, never renamed."""
    return {
        "risks": [
            {
                "id": risk.id,
                "path": risk.path,
                "line": risk.line,
                "rule": risk.rule,
                "covered_by": [_shield(shield) for shield in risk.covered_by],
            }
            for risk in coverage.risks
        ],
        "hunks": [
            {
                "path": hunk.path,
                "line": hunk.line,
                "end": hunk.end,
                "covered_by": [_shield(shield) for shield in hunk.covered_by],
            }
            for hunk in coverage.hunks
        ],
    }


def _shield(shield: Shield) -> dict[str, Any]:
    return {"path": shield.path, "line": shield.line, "rule": shield.rule, "covers": shield.covers}


def coverage_text(coverage: Coverage) -> str:
    """One row for each risk, and below it one for each place that shields it."""
    rows = [row for risk in coverage.risks for row in _rows(risk)]
    place = max((columns(row[0]) for row in rows if row[1]), default=0)
    rule = max((columns(row[1]) for row in rows), default=0)
    lines = []
    for at, (where, who, what) in enumerate(rows):
        if at and not where.startswith(" "):
            lines.append("")
        lines.append(f"{padded(where, place)}  {padded(who, rule)}  {what}".rstrip())
    shielded = sum(bool(risk.covered_by) for risk in coverage.risks)
    notes = {(shield.path, shield.line) for risk in coverage.risks for shield in risk.covered_by}
    told = "no risks" if not rows else f"{_count(len(coverage.risks), 'risk')}, {shielded} shielded"
    told += f" by {_count(len(notes), 'line')}" if notes else ""
    told += f"; {_count(len(coverage.hunks), 'hunk')} shielded" if coverage.hunks else ""
    return "\n".join([*lines, *([""] if lines else []), told]) + "\n"


def _rows(risk: Risk) -> list[tuple[str, str, str]]:
    head = visible(f"{risk.path}:{risk.line}"), visible(risk.rule or risk.id), fitted(risk.text or risk.what, _SHOWN)
    below = [
        (f"  {visible(shield.path)}:{shield.line}", shield.rule, _REACH[shield.covers]) for shield in risk.covered_by
    ]
    return [head, *(below or [("  nothing shields it", "", "")])]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
