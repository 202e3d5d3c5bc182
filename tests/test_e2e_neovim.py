"""Neovim, headless, with the set-up of the documentation."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from editor_fixtures import neovim
from lsp_fixtures import deploy_kit, sakaime_script

pytestmark = pytest.mark.e2e
HERE = Path(__file__).parent / "e2e"


def test_neovim_shows_the_sentence_and_takes_it_out(tmp_path: Path) -> None:
    kit = deploy_kit(tmp_path / "kit")
    environment = {
        **os.environ,
        **{f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
        "SAKAIME": sakaime_script(),
        "ANSWER": str(tmp_path / "answer.json"),
    }
    done = subprocess.run(
        [
            neovim(),
            "--headless",
            "-u",
            HERE / "neovim_init.lua",
            "README.md",
            "-c",
            f"luafile {HERE / 'neovim_check.lua'}",
        ],
        cwd=kit,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert (tmp_path / "answer.json").exists(), done.stdout + done.stderr
    answer = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    (found,) = [one for one in answer["before"] if one["code"].startswith("ja/")]
    assert sorted(one["line"] for one in answer["before"] if one is not found) == [7, 12, 12]  # criteria
    assert found["line"] == 7 and found["source"] == "sakaime" and found["severity"] <= 2
    assert (
        found["text"] in "**レビューでは下の表の項目だけを見ること。表に無い観点は報告しないこと。**" and found["text"]
    )
    assert answer["encoding"] == "utf-8"
    assert answer["after"] == 0
    assert not any("報告しないこと" in line for line in answer["lines"])
