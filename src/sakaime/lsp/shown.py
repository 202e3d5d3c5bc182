"""What is known of a document as the client shows it: diagnostics."""

from __future__ import annotations

from lsprotocol import types

from sakaime.lsp.known import Known, Placed
from sakaime.lsp.layout import Layout
from sakaime.lsp.related import related
from sakaime.model import SakaimeError
from sakaime.report.pages import page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.lsp.authors import Mistake

SOURCE = "sakaime"
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def diagnostics(
    uri: str, known: Known, layout: Layout, beside: bool = False, links: bool = False
) -> list[types.Diagnostic]:
    """The diagnostics of a document. What the base already had is faded and counts nowhere. With `beside`, each one
    has the places that help to understand it, and with `links` the page of its rule, for clients that show them."""
    found = []
    if known.judged.unjudged is not None:
        found.append(note(f"not judged: {known.judged.unjudged}"))
    for placed in known.judged.findings:
        finding = placed.finding
        address = page(known.policy.id, finding.rule) if links else None
        severity = types.DiagnosticSeverity.Hint if finding.inherited else _SEVERITY[finding.severity]
        found.append(
            types.Diagnostic(
                range=layout.range(placed.start, placed.end),
                message=finding.message,
                severity=severity,
                code=finding.rule,
                code_description=types.CodeDescription(address) if address is not None else None,
                source=SOURCE,
                tags=[types.DiagnosticTag.Unnecessary] if finding.inherited else None,
                related_information=_beside(uri, known, placed, layout) if beside else None,
            )
        )
    return found


def _beside(uri: str, known: Known, placed: Placed, layout: Layout) -> list[types.DiagnosticRelatedInformation] | None:
    return [
        types.DiagnosticRelatedInformation(types.Location(uri, layout.range(one.start, one.end)), one.message)
        for one in related(known, placed)
    ] or None


def written(mistakes: Iterable[Mistake], layout: Layout) -> list[types.Diagnostic]:
    """The mistakes of what an author of packs and settings writes."""
    return [
        types.Diagnostic(
            layout.range(one.start, one.end),
            f"{one.message}\n{one.way_out}" if one.way_out else one.message,
            _SEVERITY[one.severity],
            source=SOURCE,
        )
        for one in mistakes
    ]


def mistake(error: SakaimeError) -> types.Diagnostic:
    """A mistake in settings or packs, at its place in the file that it stands in."""
    place = types.Position(max(0, (error.line or 1) - 1), max(0, (error.column or 1) - 1))
    text = f"{error.message}\n{error.way_out}" if error.way_out else error.message
    return types.Diagnostic(types.Range(place, place), text, types.DiagnosticSeverity.Error, source=SOURCE)


def note(text: str) -> types.Diagnostic:
    """Something that is to be said about a document as a whole."""
    start = types.Position(0, 0)
    return types.Diagnostic(types.Range(start, start), text, types.DiagnosticSeverity.Warning, source=SOURCE)
