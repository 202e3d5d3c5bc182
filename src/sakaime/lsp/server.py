"""The wiring: what the client asks, and which of our functions answers.

A client that can pull diagnostics pulls them; any other gets them pushed. Never both: every finding
would be shown twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sys

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import sakaime
from sakaime.lsp.actions import removal
from sakaime.lsp.diagnose import Layout, diagnostics, judge_text, mistake, note
from sakaime.lsp.document import Document, use_in
from sakaime.lsp.home import SETTINGS_FILES, Bases, Home, Rulings, home_of, is_message
from sakaime.lsp.known import Judged, Placed
from sakaime.model import CannotJudge, Record, SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PAUSE = 0.1  # seconds without a keystroke before diagnostics are pushed
_log = logging.getLogger("sakaime")


class Answer(Record):
    """What is known of a document. `id` is the same as long as nothing that decides has changed."""

    id: str
    path: str
    text: str
    judged: Judged
    diagnostics: tuple[types.Diagnostic, ...]


class Server(LanguageServer):
    """One client's server, and what it knows between two questions."""

    def __init__(self) -> None:
        super().__init__("sakaime", sakaime.__version__)
        self.bases = Bases()
        self.rulings = Rulings(trusted=True)
        self.pulls = False
        self.waiting: dict[str, asyncio.TimerHandle] = {}
        self.answers: dict[str, Answer] = {}
        self.said: set[str] = set()

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002
        """Writes one line to the log; pygls would show every one to the user, with a traceback."""
        _log.error("%s", str(error).split("\n", 1)[0])

    def say_once(self, error: SakaimeError) -> None:
        """Tells the user of a mistake, once as long as it stays the same."""
        if (text := str(error)) not in self.said:
            self.said.add(text)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"sakaime: {text}"))


def serve() -> None:
    """Serves one client on standard input and output until it leaves."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # reports errors with tracebacks; ours says them in a line
    server = make_server()
    try:
        server.start_io()
    finally:
        server.bases.close()


def make_server() -> Server:
    """A server with all it offers but pulled diagnostics, which wait for what the client can."""
    server = Server()
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )(_actions)
    return server


def _initialize(server: Server, params: types.InitializeParams) -> None:
    options = params.initialization_options
    server.rulings = Rulings(trusted=not (isinstance(options, dict) and options.get("trusted") is False))
    use_in(server.workspace)
    text_document = params.capabilities.text_document
    server.pulls = text_document is not None and text_document.diagnostic is not None
    if server.pulls:
        server.feature(
            types.TEXT_DOCUMENT_DIAGNOSTIC,
            types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="sakaime"),
        )(_pulled)


def _pulled(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    answer = _answer(server, params.text_document.uri)
    if params.previous_result_id == answer.id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=answer.id)
    return types.RelatedFullDocumentDiagnosticReport(items=list(answer.diagnostics), result_id=answer.id)


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    if not server.pulls:
        _push(server, params.text_document.uri)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    if not server.pulls:
        uri = params.text_document.uri
        _forget_timer(server, uri)
        server.waiting[uri] = asyncio.get_running_loop().call_later(_PAUSE, _push, server, uri)


def _saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    if params.text_document.uri.rsplit("/", 1)[-1] not in SETTINGS_FILES:
        return
    server.rulings.forget()
    if not server.pulls:
        for document in server.workspace.text_documents.values():
            _push(server, document.uri)
        return
    workspace = server.client_capabilities.workspace
    if workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
        server.workspace_diagnostic_refresh(None)


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    _forget_timer(server, uri)
    server.answers.pop(uri, None)
    if not server.pulls:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def _forget_timer(server: Server, uri: str) -> None:
    if (timer := server.waiting.pop(uri, None)) is not None:
        timer.cancel()


def _push(server: Server, uri: str) -> None:
    server.waiting.pop(uri, None)
    document = server.workspace.get_text_document(uri)
    found = list(_answer(server, uri).diagnostics)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))


def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    wanted = params.context.only
    if wanted is not None and not any(kind in ("", types.CodeActionKind.QuickFix) for kind in wanted):
        return []
    uri = params.text_document.uri
    answer = _answer(server, uri)
    layout = Layout(server.workspace.get_text_document(uri).lines if answer.text else (), _encoding(server))
    return [
        _fix(server, uri, answer, layout, placed, params.context.diagnostics)
        for placed in answer.judged.findings
        if placed.finding.family == "instructions" and _meet(layout.range(placed.start, placed.end), params.range)
    ]


def _meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch: a cursor right behind a finding is at it."""
    return one.start <= other.end and other.start <= one.end


def _fix(
    server: Server,
    uri: str,
    answer: Answer,
    layout: Layout,
    placed: Placed,
    shown: Sequence[types.Diagnostic],
) -> types.CodeAction:
    where = layout.range(placed.start, placed.end)
    document = server.workspace.get_text_document(uri)
    away = removal(answer.path, answer.text, placed.start, placed.end, is_message(document.language_id))
    edit = types.TextEdit(layout.range(*away), "")
    workspace = server.client_capabilities.workspace
    if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
        versioned = types.OptionalVersionedTextDocumentIdentifier(uri, document.version)
        change = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, [edit])])
    else:
        change = types.WorkspaceEdit(changes={uri: [edit]})
    return types.CodeAction(
        title="Remove this note",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[d for d in shown if d.code == placed.finding.rule and d.range == where] or None,
        edit=change,
    )


def _encoding(server: Server) -> str:
    return server.workspace.position_encoding or types.PositionEncodingKind.Utf16


def _answer(server: Server, uri: str) -> Answer:
    """What is known of a document now. A failure becomes a diagnostic: silence would read as clean."""
    try:
        return _judged(server, uri)
    except (SakaimeError, Undecodable, OSError) as error:
        _log.error("%s: %s", uri, error)
        reason = error.message if isinstance(error, SakaimeError) else str(error)
    except Exception as error:
        _log.error("%s: %s: %s", uri, type(error).__name__, error)
        _log.debug("traceback", exc_info=True)
        reason = f"an error inside sakaime ({type(error).__name__}: {error})"
    text = f"not judged: {reason}"
    return Answer(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), "", "", Judged(()), (note(text),))


def _judged(server: Server, uri: str) -> Answer:
    document = server.workspace.get_text_document(uri)
    assert isinstance(document, Document)
    lines = document.lines
    text = "".join(lines)
    home = home_of(to_fs_path(uri), document.path, document.language_id)
    ruling = server.rulings.of(home)
    if ruling.mistake is not None:
        server.say_once(ruling.mistake)
    old = _old(server, home)
    parts = (ruling.policy.id.digest, str(ruling.mistake), home.path, repr(old is None))
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass"))
    for data in (old or b"", text.encode("utf-8", "surrogatepass")):
        digest.update(hashlib.sha256(data).digest())
    number = digest.hexdigest()
    last = server.answers.get(uri)
    if last is not None and last.id == number:
        return last
    judged = judge_text(ruling.policy, home.path, old, text, is_message(document.language_id))
    found = diagnostics(judged, lines, _encoding(server))
    if ruling.mistake is not None:
        found += [mistake(one) for one in (ruling.mistake, *ruling.mistake.others) if one.path == home.path]
    answer = Answer(number, home.path, text, judged, tuple(found))
    if uri in {one.uri for one in server.workspace.text_documents.values()}:
        server.answers[uri] = answer
    return answer


def _old(server: Server, home: Home) -> bytes | None:
    """The old side; where git does not answer, none: then every line is judged, which is never too little."""
    try:
        return server.bases.old(home)
    except CannotJudge as error:
        _log.warning("%s: %s; every line is judged as new", home.path, error)
        return None
