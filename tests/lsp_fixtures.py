"""For tests of the language server: a client that speaks the protocol over pipes, and repositories to open."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from functools import lru_cache
from pathlib import Path
from queue import Queue
from typing import Any

from conftest import Repo

from sakaime.cli.demo import make_repository

PATIENCE = 60  # seconds until a silent server counts as dead; nothing waits that long when it works
PULL: dict[str, Any] = {
    "textDocument": {"diagnostic": {}, "codeAction": {}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
PUSH: dict[str, Any] = {"textDocument": {"publishDiagnostics": {}}}
REFRESH: dict[str, Any] = {
    **PULL,
    "workspace": {"diagnostics": {"refreshSupport": True}},
}  # pulls, and again when it is told to
WATCH = {
    **REFRESH,
    "workspace": {
        **REFRESH["workspace"],
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "notebookDocument": {"synchronization": {}},
}


def repository(folder: Path, files: dict[str, bytes]) -> Path:
    """A repository whose one commit holds some files."""
    made = Repo(folder)
    made.git("config", "core.autocrlf", "false")
    for name, data in files.items():
        made.stage(name, data)
    made.commit("base")
    return folder


def deploy_kit(folder: Path) -> Path:
    """The deploy-kit repository with the pull request in the work tree."""
    make_repository(str(folder))
    return folder


def sakaime_script() -> str:
    """The installed command, as an editor would start it."""
    found = shutil.which("sakaime", path=os.path.dirname(sys.executable)) or shutil.which("sakaime")
    assert found, "sakaime is not installed in this environment"
    return found


@lru_cache
def _cache() -> str:
    """One cache folder for all servers of a run: compiling the policy takes longer than a test."""
    folder = tempfile.TemporaryDirectory(prefix="sakaime-test-")
    atexit.register(folder.cleanup)
    return folder.name


class Client:
    """A language client over pipes: requests wait for their answers, notifications are kept."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sakaime", "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "SAKAIME_CACHE": _cache(), **(environment or {})},
        )
        self.notifications: list[dict[str, Any]] = []
        self.settings: Any = None
        self.capabilities: dict[str, Any] = {}
        self.errors: list[str] = []
        self._messages: Queue[dict[str, Any] | None] = Queue()
        self._number = 0
        self._versions: dict[str, int] = {}
        self._readers = [threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            self._messages.put(json.loads(self.process.stdout.read(length)))
        self._messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def send(self, message: dict[str, Any]) -> None:
        """Sends one message."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        """Sends one message as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def next(self) -> dict[str, Any]:
        """The next message of the server."""
        message = self._messages.get(timeout=PATIENCE)
        assert message is not None, "the server ended: " + "".join(self.errors)
        if "id" in message and "method" in message:
            asked = message["method"] == "workspace/configuration"
            self.send({"id": message["id"], "result": [self.settings] if asked else None})
        return message

    def until(self, method: str) -> dict[str, Any]:
        """The next message of that method, the kept ones first."""
        kept = [one for one in self.notifications if one.get("method") == method]
        if kept:
            self.notifications.remove(kept[0])
            return kept[0]
        while (message := self.next()).get("method") != method:
            self.notifications.append(message)
        return message

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """Sends a request and gives the whole response; what comes in between is kept."""
        return self.response(self.ask(method, params))

    def ask(self, method: str, params: Any) -> int:
        """Sends a request and does not wait: its number."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def response(self, number: int) -> dict[str, Any]:
        """The whole response to a request; what comes in between is kept."""
        for message in self.notifications:
            if message.get("id") == number and "method" not in message:
                self.notifications.remove(message)
                return message
        while True:
            message = self.next()
            if message.get("id") == number and "method" not in message:
                return message
            self.notifications.append(message)

    def cancel(self, number: int) -> dict[str, Any]:
        """Takes a request back, and gives the response to it."""
        self.notify("$/cancelRequest", {"id": number})
        return self.response(number)

    def request(self, method: str, params: Any) -> Any:
        """Sends a request and gives the result."""
        message = self.answer(method, params)
        assert "error" not in message, message["error"]
        return message["result"]

    def notify(self, method: str, params: Any) -> None:
        """Sends a notification."""
        self.send({"method": method, "params": params})

    def initialize(
        self, capabilities: dict[str, Any], encoding: str = "utf-16", folders: tuple[Path, ...] = (), **options: Any
    ) -> Client:
        """Shakes hands."""
        result = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folders[0].as_uri() if folders else None,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders] or None,
                "capabilities": {**capabilities, "general": {"positionEncodings": [encoding]}},
                "initializationOptions": options,
            },
        )
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})
        return self

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        """Opens a document."""
        self._versions[uri] = 1
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Changes a document."""
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def pull(self, uri: str, previous: str | None = None) -> Any:
        """The report of a document."""
        params = {"textDocument": {"uri": uri}, "identifier": "sakaime", "previousResultId": previous}
        return self.request("textDocument/diagnostic", params)

    def items(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of a document."""
        items: list[dict[str, Any]] = self.pull(uri)["items"]
        return items

    def pushed(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """The next pushed diagnostics of a document (of that version, if one is given)."""
        while True:
            message = self.notifications.pop(0) if self.notifications else self.next()
            params = message.get("params") or {}
            wanted = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
            if wanted and (version is None or params.get("version") == version):
                found: list[dict[str, Any]] = params["diagnostics"]
                return found

    def actions(
        self, uri: str, where: dict[str, Any], shown: list[dict[str, Any]], only: str | None = None
    ) -> list[dict[str, Any]]:
        """The code actions at a range."""
        context = {"diagnostics": shown, **({"only": [only]} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": where, "context": context}
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found

    def fixes(
        self, uri: str, where: dict[str, Any], shown: list[dict[str, Any]], title: str = "Remove this note"
    ) -> list[dict[str, Any]]:
        """The actions of a title at a range."""
        return [action for action in self.actions(uri, where, shown) if action["title"] == title]

    def leave(self) -> int:
        """Says goodbye and gives the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)


def opened(client: Client, file: Path, language: str = "markdown") -> str:
    """Opens a file as it is on disk, and gives its address."""
    client.open(file.as_uri(), file.read_text(encoding="utf-8"), language)
    return file.as_uri()
