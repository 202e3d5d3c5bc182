"""VS Code for tests: one code-server with the packaged extension, and windows of it in a headless browser."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor_fixtures import HERE, ROOT, chromium, code_server, node_environment, vsix
from lsp_fixtures import sakaime_script

PATIENCE = 120  # seconds; a start takes about ten
KEEP_PICTURES = os.environ.get("SAKAIME_SCREENSHOTS") == "1"  # read before the tests clear such variables

USER = {
    "workbench.colorTheme": "Default Light Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.layoutControl.enabled": False,
    "window.commandCenter": False,
    "chat.commandCenter.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.ignoreRecommendations": True,
    "git.openRepositoryInParentFolders": "never",
    "files.autoSave": "off",  # on in browsers
    "git.autofetch": False,
    "git.blame.statusBarItem.enabled": False,
    "files.exclude": {"**/.git": True, "**/.vscode": True},
    "editor.minimap.enabled": False,
    "editor.wordWrap": "on",
    "editor.fontFamily": "'DejaVu Sans Mono', IPAGothic, monospace",
    "editor.unicodeHighlight.ambiguousCharacters": False,
    "editor.accessibilitySupport": "off",
    "security.workspace.trust.enabled": False,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}


def program(file: Path, started: Path) -> Path:
    """A `sakaime` that writes a line to `started` when it is run: its process and its arguments."""
    file.parent.mkdir(parents=True)
    file.write_text(f'#!/bin/sh\necho "$$ $*" >> {started}\nexec {sakaime_script()} "$@"\n')
    file.chmod(0o755)
    return file


class Code:
    """A running code-server with a `sakaime` on its PATH, and an environment for its Python extension to choose.

    `started` and `chosen / "started"` tell when these were run.
    """

    def __init__(self, home: Path) -> None:
        self.started = home / "started"
        self._browser, script, self._data = chromium(), code_server(), home / "data"
        self._environment = _environment(home, script)
        self.chosen = home / "chosen"
        self.program = str(program(home / "bin" / "sakaime", self.started))
        program(self.chosen / "bin" / "sakaime", self.chosen / "started")
        self._environment["PATH"] = f"{home / 'bin'}{os.pathsep}{self._environment['PATH']}"
        self._environment["CHOSEN"] = str(self.chosen)
        start = ["node", str(script), "--user-data-dir", str(self._data), "--extensions-dir", str(home / "extensions")]
        for extension in (vsix(), _packed(HERE / "python_extension", home / "python.vsix")):
            install = [*start, "--install-extension", str(extension)]
            subprocess.run(install, env=self._environment, check=True, capture_output=True)
        self._address = f"127.0.0.1:{_free_port()}"
        quiet = [
            "--auth",
            "none",
            "--disable-telemetry",
            "--disable-update-check",
            "--disable-getting-started-override",
        ]
        self.log = home / "code-server.log"
        with self.log.open("wb") as out:
            self._server = subprocess.Popen(
                [*start, *quiet, "--bind-addr", self._address],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the server with all that it started."""
        os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()

    def window(self, script: str, folder: Path, pictures: Path, **user: object) -> Any:
        """What a script of tests/e2e tells of a window that shows a folder, with some settings of the user."""
        for scope, settings in (("User", {**USER, **user}), ("Machine", {k: user[k] for k in user if "path" in k})):
            (self._data / scope).mkdir(parents=True, exist_ok=True)
            (self._data / scope / "settings.json").write_text(json.dumps(settings))
        asked = {
            "url": f"http://{self._address}/?{urllib.parse.urlencode({'folder': str(folder)})}",
            "chromium": self._browser,
            "pictures": str(pictures),
            "folder": str(folder),
            "started": str(self.started),
            "program": self.program,
            "chosen": str(self.chosen),
            "machine": str(self._data / "Machine" / "settings.json"),
        }
        done = subprocess.run(
            ["node", str(HERE / f"{script}.mjs"), json.dumps(asked)],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{done.stderr}\nthe window: {pictures}/failed.png; VS Code: {self.log}"
        if KEEP_PICTURES:
            for picture in pictures.glob("vscode*.png"):
                shutil.copy(picture, ROOT / "docs" / "images")
        return json.loads(done.stdout)

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://{self._address}/healthz", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                assert time.monotonic() < end, self.log.read_text(errors="replace")
                time.sleep(0.2)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Code]:
    """VS Code with the extension, for the tests of a module."""
    running = Code(tmp_path_factory.mktemp("code"))
    yield running
    running.close()


def _environment(home: Path, script: Path) -> dict[str, str]:
    # This outlives a test, so that what tests are given to be alone does not reach here.
    kept = {name: value for name, value in node_environment().items() if not name.startswith(("GIT_", "SAKAIME_"))}
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    cache = {"SAKAIME_CACHE": str(home / "sakaime-cache")}
    as_it_is = {"VSCODE_CLI": "1"}  # VS Code would else take its environment from a login shell
    more = {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "PLAYWRIGHT_FROM": str(script)}
    return {**kept, **own, **cache, **as_it_is, **more}


def _packed(extension: Path, to: Path) -> Path:
    manifest = json.loads((extension / "package.json").read_text())
    identity = f'Id="{manifest["name"]}" Version="{manifest["version"]}" Publisher="{manifest["publisher"]}"'
    asset = '<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/>'
    with zipfile.ZipFile(to, "w") as package:
        package.writestr(
            "extension.vsixmanifest",
            '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
            f"<Metadata><Identity {identity}/></Metadata><Assets>{asset}</Assets></PackageManifest>",
        )
        for file in sorted(extension.iterdir()):
            package.write(file, f"extension/{file.name}")
    return to


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
