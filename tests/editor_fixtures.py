"""Editors for the end-to-end tests: where one is missing, the tests that need it fail and say how to install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".e2e"
EXTENSION = ROOT / "vscode-extension"


def missing(what: str) -> None:
    """Ends a test whose editor is not there."""
    pytest.fail(f"{what} is not installed; run tests/e2e/install, and install the dependency group e2e")


def node_environment() -> dict[str, str]:
    """The environment with the node that the editors were installed for."""
    path = os.pathsep.join(
        [*([str(PLACE / "node" / "bin")] if (PLACE / "node" / "bin").is_dir() else []), os.environ["PATH"]]
    )
    if shutil.which("node", path=path) is None:
        missing("node")
    return {**os.environ, "PATH": path}


def neovim() -> str:
    """Neovim 0.11 or later."""
    return _program("nvim", os.path.dirname(sys.executable), os.environ["PATH"])


def chromium() -> str:
    """A browser."""
    return _program("chromium", os.environ["PATH"])


def _program(name: str, *paths: str) -> str:
    found = shutil.which(name, path=os.pathsep.join(paths))
    if found is None:
        missing(name)
    assert found is not None
    return found


def code_server() -> Path:
    """The script that starts VS Code as a server."""
    script = PLACE / "code" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    if not script.exists() or not (PLACE / "code" / "installed").exists():
        missing("code-server")
    return script


def vsix() -> Path:
    """The extension, checked, tested and packaged as it is in the checkout."""
    if not (EXTENSION / "node_modules").is_dir():
        missing("what builds the extension")
    for script in ("test", "package"):
        done = subprocess.run(
            ["npm", "run", script], cwd=EXTENSION, env=node_environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return EXTENSION / "sakaime.vsix"
