"""Edits of documents, as the client applies them."""

from __future__ import annotations

import os

from lsprotocol import types

from sakaime.lsp.answers import Answer
from sakaime.lsp.document import split
from sakaime.lsp.known import Edit, Fix
from sakaime.lsp.layout import Layout
from sakaime.lsp.server import Server
from sakaime.lsp.uris import uri_of
from sakaime.model import Record


class Changes(Record):
    """Edits of one document: its version (None: it is not open), its lines (None: there is no such file yet)."""

    uri: str
    version: int | None
    lines: tuple[str, ...] | None
    edits: tuple[Edit, ...]


def changed(server: Server, answer: Answer, fix: Fix) -> Changes:
    """The edits of a fix for another file of the repository, which may be open."""
    assert answer.known.root is not None and fix.path is not None
    uri = _uri(answer.known.root, fix.path)
    text = text_of(server, answer.known.root, fix.path)
    version = server.document(uri).version if server.is_open(uri) else None
    return Changes(uri, version, None if text is None else tuple(split(text)), fix.edits)


def _uri(root: str, path: str) -> str:
    return uri_of(os.path.join(root, *path.split("/")))


def text_of(server: Server, root: str, path: str) -> str | None:
    """The text of a file of a repository, as it is in the editor if it is open there; None where there is none.

    Raises `OSError` or `Undecodable` where it cannot be read.
    """
    uri = _uri(root, path)
    try:
        return server.document(uri).source
    except FileNotFoundError:
        return None


def can_create(server: Server) -> bool:
    """Whether the client makes files that an edit is for."""
    workspace = server.client_capabilities.workspace
    able = workspace.workspace_edit if workspace else None
    creates = types.ResourceOperationKind.Create
    return bool(able and able.document_changes and creates in (able.resource_operations or ()))


def edit_of(server: Server, changes: Changes) -> types.WorkspaceEdit | None:
    """The edit as the client can take it: versioned where possible, so that it never meets another text; None where
    it would have to make a file and cannot."""
    layout = Layout(changes.lines or (), server.client.encoding)
    edits = [types.TextEdit(layout.range(one.start, one.end), one.text) for one in changes.edits]
    workspace = server.client_capabilities.workspace
    able = workspace.workspace_edit if workspace else None
    if able is None or not able.document_changes:
        return None if changes.lines is None else types.WorkspaceEdit(changes={changes.uri: edits})
    versioned = types.OptionalVersionedTextDocumentIdentifier(changes.uri, changes.version)
    document = types.TextDocumentEdit(versioned, list(edits))
    if changes.lines is not None:
        return types.WorkspaceEdit(document_changes=[document])
    if not can_create(server):
        return None
    made = types.CreateFile(changes.uri, options=types.CreateFileOptions(overwrite=False, ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[made, document])
