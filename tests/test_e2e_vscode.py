"""VS Code itself (code-server in a headless browser) with the packaged extension."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo
from lsp_fixtures import deploy_kit
from vscode_fixtures import Code, code, program

pytestmark = pytest.mark.e2e
__all__ = ["code"]
NOTE = "Approved by the infra team, no further review needed."


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """The pull request of deploy-kit in the work tree, where it shows in the editor's margin."""
    folder = deploy_kit(tmp_path / "deploy-kit")
    Repo(folder).git("reset", "-q")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "exclude").write_text(".vscode\n.venv\n")
    return folder


def trap(kit: Path, place: Path, **settings: object) -> Path:
    """Lets the workspace name a program of its own, which leaves a file where it is run."""
    trapped = place / "trapped"
    (kit / ".vscode").mkdir()
    own = {"sakaime.path": ["/bin/sh", "-c", f"touch {trapped}"]}
    (kit / ".vscode" / "settings.json").write_text(json.dumps({**own, **settings}))
    return trapped


def test_the_pull_request_is_shown_and_mended(code: Code, kit: Path, tmp_path: Path) -> None:
    trapped = trap(kit, tmp_path)
    told = code.window("vscode_pull_request", kit, tmp_path, **{"sakaime.path": [code.program]})
    print(json.dumps(told, ensure_ascii=False, indent=1))
    assert not trapped.exists()


def prepare_vscode_restricted(kit: Path, place: Path) -> Path:
    """A workspace with programs of its own: one that its settings name, and one in its environment."""
    program(kit / ".venv" / "bin" / "sakaime", kit / ".venv" / "started")
    return trap(kit, place, **{"sakaime.base": "--help"})


def test_restricted_mode_runs_nothing_of_the_workspace(code: Code, kit: Path, tmp_path: Path) -> None:
    trapped = prepare_vscode_restricted(kit, tmp_path)
    told = code.window("vscode_restricted", kit, tmp_path, **{"security.workspace.trust.enabled": True})
    assert told["restricted"] and told["underlined"]["error"]
    assert told["started"] and not told["ownBefore"] and not told["chosenBefore"]
    assert not trapped.exists()  # nor after it was trusted: a workspace never names a program


def test_without_a_program_it_is_said_what_to_do(code: Code, kit: Path, tmp_path: Path) -> None:
    told = code.window("vscode_missing", kit, tmp_path, **{"sakaime.path": ["/nowhere/sakaime"]})
    (notice,) = told["notices"]
    assert "pip install 'sakaime[lsp]'" in notice
    assert told["copied"] == "pip install 'sakaime[lsp]'"
    assert code.program in told["debug"] and "trusted" in told["debug"]


def prepare_vscode_kinds(kit: Path, place: Path) -> None:  # noqa: ARG001
    """A notebook whose cells hold a note each."""
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [NOTE]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": [f"# {NOTE}\n", "x = 1"],
            "outputs": [],
            "execution_count": None,
        },
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (kit / "notes.ipynb").write_text(json.dumps(notebook))


def test_notebooks_unsaved_files_and_messages_are_judged(code: Code, kit: Path, tmp_path: Path) -> None:
    prepare_vscode_kinds(kit, tmp_path)
    told = code.window("vscode_kinds", kit, tmp_path, **{"sakaime.path": [code.program]})
    assert told["untitled"] == [NOTE]
    assert told["message"] and told["notebook"]
