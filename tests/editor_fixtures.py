"""Editors for the end-to-end tests: where one is missing, the tests that need it fail and say how to install it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from lsp_fixtures import sakaime_script

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".e2e"
EXTENSION = ROOT / "vscode-extension"
HERE = ROOT / "tests" / "e2e"


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


def editor_environment(home: Path) -> dict[str, str]:
    """The environment of an editor that has nothing of this machine's user, and finds `sakaime` on PATH."""
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {**os.environ, **own, "PATH": os.pathsep.join([os.path.dirname(sakaime_script()), os.environ["PATH"]])}


def snippet(section: str, language: str) -> str:
    """The first block in a language below a heading of the page about editors."""
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    below = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    block = re.search(rf"^```{language}\n(.*?)^```$", below, re.M | re.S)
    assert block, f"docs/editors.md has no {language} below {section!r}"
    return block[1]


def emacs() -> str:
    """Emacs, which must have eglot."""
    return _program("emacs", os.environ["PATH"])


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


@lru_cache
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
