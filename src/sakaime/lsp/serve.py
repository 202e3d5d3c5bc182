"""Putting the server together: what it offers, and what it makes of what the client can."""

from __future__ import annotations

import logging
import signal
import sys

from lsprotocol import types

from sakaime.lsp import authoring, commands, features, pulls, surroundings, sync
from sakaime.lsp.document import use_in
from sakaime.lsp.home import Rulings
from sakaime.lsp.options import options_of
from sakaime.lsp.server import Server


def serve() -> None:
    """Serves one client on standard input and output until it leaves."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # reports errors with tracebacks; ours says them in a line
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else it waits for what is read from standard input
    server = Server()
    server.feature(types.INITIALIZE)(_greeted)
    for part in (sync, features, commands, authoring, surroundings):
        part.add(server)
    try:
        server.start_io()
    finally:
        server.bases.close()


def _greeted(server: Server, params: types.InitializeParams) -> None:
    """Takes what the client wants and can; before the answer, which tells what the server can."""
    use_in(server.workspace)
    server.options = options_of(params.initialization_options)
    server.rulings = Rulings(trusted=server.options.trusted)
    server.bases.ref = server.options.base
    if server.options.commands:
        commands.offer(server)
    text_document, workspace = params.capabilities.text_document, params.capabilities.workspace
    server.pulls = text_document is not None and text_document.diagnostic is not None
    server.refreshes = bool(workspace and workspace.diagnostics and workspace.diagnostics.refresh_support)
    if server.pulls:
        pulls.offer(server)
