"""What is known of a document as the client shows it: diagnostics."""

from __future__ import annotations

from lsprotocol import types

from sakaime.lsp.known import Judged
from sakaime.lsp.layout import Layout
from sakaime.model import SakaimeError

SOURCE = "sakaime"
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def diagnostics(judged: Judged, layout: Layout) -> list[types.Diagnostic]:
    """The diagnostics of a document. What the base already had is faded and counts nowhere."""
    found = []
    if judged.unjudged is not None:
        found.append(note(f"not judged: {judged.unjudged}"))
    for placed in judged.findings:
        finding = placed.finding
        severity = types.DiagnosticSeverity.Hint if finding.inherited else _SEVERITY[finding.severity]
        found.append(
            types.Diagnostic(
                range=layout.range(placed.start, placed.end),
                message=finding.message,
                severity=severity,
                code=finding.rule,
                source=SOURCE,
                tags=[types.DiagnosticTag.Unnecessary] if finding.inherited else None,
            )
        )
    return found


def mistake(error: SakaimeError) -> types.Diagnostic:
    """A mistake in settings or packs, at its place in the file that it stands in."""
    place = types.Position(max(0, (error.line or 1) - 1), max(0, (error.column or 1) - 1))
    text = f"{error.message}\n{error.way_out}" if error.way_out else error.message
    return types.Diagnostic(types.Range(place, place), text, types.DiagnosticSeverity.Error, source=SOURCE)


def note(text: str) -> types.Diagnostic:
    """Something that is to be said about a document as a whole."""
    start = types.Position(0, 0)
    return types.Diagnostic(types.Range(start, start), text, types.DiagnosticSeverity.Warning, source=SOURCE)
