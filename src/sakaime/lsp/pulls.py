"""Diagnostics for a client that asks for them."""

from __future__ import annotations

import hashlib

from lsprotocol import types

from sakaime.lsp import workspace
from sakaime.lsp.answers import failed
from sakaime.lsp.server import Server, said
from sakaime.model import SakaimeError
from sakaime.text.source import Undecodable


def offer(server: Server) -> None:
    """Offers them: of documents, and of files that differ from the base."""
    server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            identifier="sakaime", inter_file_dependencies=False, workspace_diagnostics=True, work_done_progress=True
        ),
    )(_pulled)
    server.feature(types.WORKSPACE_DIAGNOSTIC)(workspace.pulled)


async def _pulled(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    uri = params.text_document.uri
    try:
        await server.warm(uri)
        answer = server.known(uri)
        if answer is None or not (answer.settled or server.refreshes or server.options.on_save):
            answer = await server.exactly(uri)
        number, items = answer.id, list(answer.diagnostics)
    except (SakaimeError, Undecodable, OSError) as error:
        items = failed(uri, said(error))
        number = hashlib.sha256(items[0].message.encode("utf-8", "replace")).hexdigest()
    if params.previous_result_id == number:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=number)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=number)
