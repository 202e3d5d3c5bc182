"""VS Code itself (code-server in a headless browser) with the packaged extension."""

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import Repo
from editor_fixtures import ROOT, chromium, code_server, node_environment, vsix
from lsp_fixtures import deploy_kit, sakaime_script

pytestmark = pytest.mark.e2e
HERE = Path(__file__).parent / "e2e"
PATIENCE = 120  # seconds; a start takes about ten
KEEP_PICTURE = os.environ.get("SAKAIME_SCREENSHOTS") == "1"  # read before the tests clear such variables

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
    "git.autofetch": False,
    "files.exclude": {"**/.git": True, "**/.vscode": True},
    "editor.minimap.enabled": False,
    "editor.wordWrap": "on",
    "editor.fontFamily": "'DejaVu Sans Mono', IPAGothic, monospace",
    "editor.unicodeHighlight.ambiguousCharacters": False,
    "editor.accessibilitySupport": "off",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[None]:
    """A server with all that it starts: the whole group ends with the block."""
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def wait_for(url: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.2)


def test_vscode_shows_the_squiggle_and_the_problem_and_removes_the_note(tmp_path: Path) -> None:
    browser, script, extension = chromium(), code_server(), vsix()
    kit = deploy_kit(tmp_path / "deploy-kit")
    Repo(kit).git("reset", "-q")  # changes of the work tree show in the editor's margin
    # A workspace that names a program of its own: it must not be started.
    trap = tmp_path / "trapped"
    (kit / ".vscode").mkdir()
    own = {"sakaime.path": ["/bin/sh", "-c", f"touch {trap}"]}
    (kit / ".vscode" / "settings.json").write_text(json.dumps(own))
    (kit / ".git" / "info").mkdir(exist_ok=True)
    (kit / ".git" / "info" / "exclude").write_text(".vscode\n")
    data = tmp_path / "data"
    for scope, settings in (("User", USER), ("Machine", {"sakaime.path": [sakaime_script()]})):
        (data / scope).mkdir(parents=True)
        (data / scope / "settings.json").write_text(json.dumps(settings))
    environment = {
        **node_environment(),
        **{f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
        "PLAYWRIGHT_FROM": str(script),
    }
    folders = ["--user-data-dir", str(data), "--extensions-dir", str(tmp_path / "extensions")]
    start = ["node", str(script), *folders]
    subprocess.run([*start, "--install-extension", str(extension)], env=environment, check=True, capture_output=True)
    address = f"127.0.0.1:{free_port()}"
    options = ["--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check"]
    quiet = ["--disable-workspace-trust", "--disable-getting-started-override"]
    log = tmp_path / "code-server.log"
    picture = tmp_path / "vscode.png"
    with running([*start, *options, *quiet, str(kit)], environment, log):
        wait_for(f"http://{address}/healthz", log)
        payload = json.dumps([["openFile", f"vscode-remote://{address}{kit}/README.md"]])
        query = urllib.parse.urlencode({"folder": str(kit), "payload": payload})
        done = subprocess.run(
            [
                "node",
                str(HERE / "vscode.mjs"),
                f"http://{address}/?{query}",
                browser,
                str(picture),
                str(kit / "README.md"),
            ],
            env=environment,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
            check=False,
        )
    assert done.returncode == 0, done.stderr + log.read_text(errors="replace")
    answer = json.loads(done.stdout)
    assert answer["squiggles"] and all("下の表の項目だけを見ること" in line for line in answer["squiggles"])
    rows = [row for row in answer["problems"] if "sakaime" in row]
    (problem,) = [row for row in rows if "ja/" in row]
    assert "Ln 7" in problem
    assert sum("core/general-documents" in row for row in rows) == 3  # what the table lost, and the limit
    assert "Remove this note" in answer["offered"]
    assert "報告しないこと" not in (kit / "README.md").read_text(encoding="utf-8")
    assert not trap.exists()
    if KEEP_PICTURE:
        (ROOT / "docs" / "images").mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, ROOT / "docs" / "images" / "vscode.png")
