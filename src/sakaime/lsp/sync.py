"""Documents and notebook cells come, change, are saved, and go."""

from __future__ import annotations

from lsprotocol import types

from sakaime.lsp.home import SETTINGS_FILES
from sakaime.lsp.server import Server

_PUSHED_AFTER = 0.03  # seconds after a keystroke, in which another one may come


def add(server: Server) -> None:
    """Takes part in what the client tells of them."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(_notebook_opened)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_notebook_changed)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_notebook_closed)


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    _came(server, params.text_document.uri)


def _came(server: Server, uri: str) -> None:
    if not server.pulls:
        server.push(uri)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    _edited(server, params.text_document.uri)


def _edited(server: Server, uri: str) -> None:
    if not server.pulls and not server.options.on_save:
        server.after("push", uri, _PUSHED_AFTER, server.push)


def _notebook_opened(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        _came(server, cell.uri)


def _notebook_changed(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    cells = params.change.cells
    if cells is None:
        return
    for cell in cells.structure.did_open or () if cells.structure else ():
        _came(server, cell.uri)
    for gone in cells.structure.did_close or () if cells.structure else ():
        _went(server, gone.uri)
    for text in cells.text_content or ():
        _edited(server, text.document.uri)


def _notebook_closed(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        _went(server, cell.uri)


def _saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri.rsplit("/", 1)[-1] in SETTINGS_FILES:
        server.look_again()
        return
    if server.options.on_save:
        server.settle(uri)
    server.stir()


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    _went(server, params.text_document.uri)


def _went(server: Server, uri: str) -> None:
    for what in ("push", "settle"):
        server.stop_timer(what, uri)
    server.settled.pop(uri, None)
    server.latest.pop(uri, None)
    server.judged_again.discard(uri)
    server.stir()
    if not server.pulls:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
