"""One client's server: what is known of its documents, and when something is to be said of them.

A client that can pull diagnostics pulls them; any other gets them pushed. Never both: every finding
would be shown twice. While somebody types in a long document, what is known is moved along; after a
pause the document is judged as a whole in a thread, and the client is told (`sakaime.lsp.answers`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import sakaime
from sakaime.lsp.answers import Answer, Client, Deciding, at_once, deciding, failed, moved, settled
from sakaime.lsp.document import Document
from sakaime.lsp.home import Bases, Home, Rulings, home_of
from sakaime.lsp.options import Options
from sakaime.lsp.status import Status, status
from sakaime.lsp.uris import path_of
from sakaime.lsp.worker import Worker
from sakaime.model import SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Seconds without a keystroke before a document is judged as a whole: at least, at most; in between, as many times as
# long as that takes, so that nobody's machine runs hot from thinking while typing.
_SETTLED_AFTER, _AT_MOST, _TIMES = 0.2, 5.0, 2
_SHORT = 20_000  # code points of a document that is judged at once when it is opened
_TRIES = 3
_log = logging.getLogger("sakaime")


_NOTEBOOKS = types.NotebookDocumentSyncOptions([types.NotebookDocumentFilterWithNotebook(notebook="*")])


class Server(LanguageServer):
    """One client's server, and what it knows between two questions."""

    def __init__(self) -> None:
        super().__init__("sakaime", sakaime.__version__, notebook_document_sync=_NOTEBOOKS)
        self.options = Options()
        self.bases = Bases()
        self.rulings = Rulings(trusted=True)
        self.worker = Worker()
        self.pulls = False
        self.refreshes = False
        self.settled: dict[str, Answer] = {}  # the last judgement of each document as a whole
        self.latest: dict[str, Answer] = {}  # what was last said of it
        self.judged_again: set[str] = set()
        self.warming: dict[str | None, asyncio.Future[None]] = {}
        self.judging: dict[str, asyncio.Future[Answer]] = {}
        # Files that are not open: as they were when they were judged, and what was said of them.
        self.on_disk: dict[str, tuple[object, str, tuple[types.Diagnostic, ...]]] = {}
        self.stirred = asyncio.Event()
        self.status: Status | None = None
        self.timers: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self.said: dict[tuple[str | None, str], str] = {}  # what was told last, by repository and matter

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002
        """Writes one line to the log; pygls would show every one to the user, with a traceback."""
        _log.error("%s", str(error).split("\n", 1)[0])

    def say_once(self, root: str | None, matter: str, error: SakaimeError | None, then: str = "") -> None:
        """Tells the user what is wrong in a repository, and what follows, once as long as it stays the same."""
        text = f"{error}\n{then}".strip() if error is not None else ""
        if text and self.said.get((root, matter)) != text:
            self.show(types.MessageType.Error, f"sakaime: {text}")
        self.said[root, matter] = text

    def show(self, sort: types.MessageType, text: str) -> None:
        """Shows the user a message. Editors make `[text](address)` in one a link, and VS Code runs what it names: of
        what a repository says, none becomes one."""
        self.window_show_message(types.ShowMessageParams(sort, text.replace("](", "] (")))

    @property
    def client(self) -> Client:
        """What the client can: told once, when it says hello."""
        shows = self.client_capabilities.text_document
        wants = (shows.publish_diagnostics, shows.diagnostic) if shows else ()
        related = any(one is not None and one.related_information for one in wants)
        links = any(one is not None and one.code_description_support for one in wants)
        return Client(self.workspace.position_encoding or types.PositionEncodingKind.Utf16, related, links)

    def document(self, uri: str) -> Document:
        """An open document, or one that is read from disk when it is asked for its lines."""
        document = self.workspace.get_text_document(uri)
        assert isinstance(document, Document)
        return document

    def is_open(self, uri: str) -> bool:
        """Whether the client holds the document."""
        return unquote(uri) in self.workspace.text_documents  # which signs are quoted differs between clients

    def deciding(self, document: Document) -> Deciding:
        """What decides about a document now. Raises `SakaimeError` when not even the shipped rules can be read."""
        uri = document.uri
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        path = path_of(notebook.uri if notebook is not None else uri)
        by = deciding(self.bases, self.rulings, document, path, notebook is not None)
        self.say_once(by.home.root, "policy", by.ruling.mistake)
        self.say_once(by.home.root, "base", by.unknown, "Every line is judged as new.")
        return by

    def warm(self, uri: str) -> asyncio.Future[None]:
        """The policy of a document's repository, read in the thread the first time: after an update it is compiled
        anew, which takes many seconds."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        document = self.document(uri)
        path = path_of(notebook.uri if notebook is not None else uri)
        return self.warm_root(home_of(path, document.path, document.language_id).root)

    def warm_root(self, root: str | None) -> asyncio.Future[None]:
        """The same, of a repository."""

        def read() -> None:
            with contextlib.suppress(SakaimeError):  # whoever asks for it next is told
                self.rulings.of(Home(root, ""))

        if root not in self.warming:
            self.warming[root] = self.worker.do(read)
        return asyncio.shield(self.warming[root])

    def known(self, uri: str) -> Answer | None:
        """What is known of a document as it is now; None where it must be judged as a whole first, in the thread.

        Raises `SakaimeError`, `Undecodable` or `OSError` where it cannot be judged.
        """
        document = self.document(uri)
        uri = document.uri
        by = self.deciding(document)
        last, shown = self.settled.get(uri), self.latest.get(uri)
        if shown is not None and shown.revision == document.revision is not None and shown.key == by.key:
            return shown
        lines = document.lines
        size = sum(map(len, lines))
        anew = last is None or last.key != by.key
        on_save = self.options.on_save and not anew
        if not on_save and ((anew and size <= _SHORT) or (last is not None and at_once(last, size))):
            answer = settled(by, lines, self.client)
            if self.is_open(uri):
                self.settled[uri] = answer
        elif last is None:
            return None
        else:
            near = shown if shown is not None and shown.key == last.key else last
            answer = moved(near, by, lines, self.client, not on_save)
            if not on_save:
                self.settle_later(uri, last)
        if self.is_open(uri):
            self.latest[uri] = answer
        return answer

    async def exactly(self, uri: str) -> Answer:
        """The judgement of a document as a whole, as it is now or, where somebody types all the time, a moment ago.

        Raises `SakaimeError`, `Undecodable` or `OSError` where it cannot be judged.
        """
        await self.warm(uri)
        for _ in range(_TRIES):
            answer = self.known(uri)
            if answer is not None and (answer.settled or self.options.on_save):
                return answer
            answer = await asyncio.shield(self.settle(uri))
            if answer.revision == self.document(uri).revision:
                break
        assert answer is not None
        return answer

    def settle_later(self, uri: str, last: Answer) -> None:
        """Has a document judged as a whole after a pause."""
        # The first judgement loads words and looks at the old side: it tells nothing of the next ones.
        cost = last.cost if uri in self.judged_again else 0.0
        self.after("settle", uri, min(_AT_MOST, max(_SETTLED_AFTER, _TIMES * cost)), self.settle)

    def settle(self, uri: str) -> asyncio.Future[Answer]:
        """Has a document judged as a whole in the thread; one judgement of it at a time."""
        document = self.document(uri)
        uri = document.uri
        self.stop_timer("settle", uri)
        running = self.judging.get(uri)
        if running is not None:
            return running
        by, lines, client = self.deciding(document), tuple(document.lines), self.client
        future = self.worker.do(lambda: settled(by, lines, client))
        self.judging[uri] = future
        future.add_done_callback(lambda done: self._settled(uri, done))
        return future

    def _settled(self, uri: str, done: asyncio.Future[Answer]) -> None:
        self.judging.pop(uri, None)
        if done.cancelled() or done.exception() is not None or not self.is_open(uri):
            return
        if uri in self.settled:
            self.judged_again.add(uri)
        answer = self.settled[uri] = done.result()
        if self.document(uri).revision != answer.revision:
            self.settle_later(uri, answer)
            return
        before = self.latest.get(uri)
        self.latest[uri] = answer
        if not self.pulls:
            self.push(uri)
        elif before is not None and before.diagnostics != answer.diagnostics:
            self.refresh()

    def after(self, what: str, uri: str, seconds: float, do: Callable[[str], object]) -> None:
        """Does something with a document later; asked for again, so much later again."""
        self.stop_timer(what, uri)

        def due() -> None:
            self.timers.pop((what, uri), None)
            if self.is_open(uri):
                do(uri)

        self.timers[what, uri] = asyncio.get_running_loop().call_later(seconds, due)

    def stop_timer(self, what: str, uri: str) -> None:
        """Does it no more."""
        if (timer := self.timers.pop((what, uri), None)) is not None:
            timer.cancel()

    def push(self, uri: str) -> None:
        """Sends the diagnostics of a document, with its version."""
        self.stop_timer("push", uri)
        warm = self.warm(uri)
        if not warm.done():
            warm.add_done_callback(lambda _: self.after("push", uri, 0, self.push))
            return
        document = self.document(uri)
        found: list[types.Diagnostic] | None
        try:
            answer = self.known(uri)
            if answer is None:
                self.settle(uri)
                return
            found = list(answer.diagnostics)
        except (SakaimeError, Undecodable, OSError) as error:
            found = failed(uri, said(error))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))

    def refresh(self) -> None:
        """Has a pulling client ask again."""
        if self.refreshes:
            self.workspace_diagnostic_refresh(None)

    def look_again(self) -> None:
        """What decides may have changed: settings, packs, HEAD, the client's options."""
        self.rulings.forget()
        self.tell_status()
        self.stir()
        if self.pulls:
            self.refresh()
            return
        for document in list(self.workspace.text_documents.values()):
            self.push(document.uri)

    def stir(self) -> None:
        """Lets questions about the workspace that are held look again."""
        self.stirred.set()
        self.stirred = asyncio.Event()

    def tell_status(self) -> None:
        """Tells a client that shows it what decides, when that has changed."""
        if self.options.commands:
            return  # no client of ours: it would log a message that it does not know
        now = status(self.bases, self.rulings, [path_of(folder.uri) for folder in self.workspace.folders.values()])
        if now != self.status:
            self.status = now
            self.protocol.notify("sakaime/status", {"text": now.text, "level": now.level, "detail": now.detail})


def said(error: Exception) -> str:
    """What is wrong, in words."""
    return error.message if isinstance(error, SakaimeError) else str(error)
