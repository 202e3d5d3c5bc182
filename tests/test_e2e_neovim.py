"""Neovim, headless, with the set-up of the documentation."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from editor_fixtures import HERE, editor_environment, neovim, snippet
from lsp_fixtures import deploy_kit

pytestmark = pytest.mark.e2e


def test_neovim_shows_the_sentence_and_takes_it_out(tmp_path: Path) -> None:
    kit = deploy_kit(tmp_path / "kit")
    init = tmp_path / "init.lua"
    init.write_text(snippet("Neovim, 0.11 or later", "lua"))
    answer = tmp_path / "answer.json"
    done = subprocess.run(
        [neovim(), "--headless", "-u", init, "README.md", "-c", f"luafile {HERE / 'neovim_check.lua'}"],
        cwd=kit,
        env={**editor_environment(tmp_path), "ANSWER": str(answer)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert answer.exists(), done.stdout + done.stderr
    told = json.loads(answer.read_text(encoding="utf-8"))
    (found,) = [one for one in told["before"] if one["code"].startswith("ja/")]
    assert sorted(one["line"] for one in told["before"] if one is not found) == [7, 12, 12]  # criteria
    assert found["line"] == 7 and found["source"] == "sakaime" and found["severity"] <= 2
    assert (
        found["text"] and found["text"] in "**レビューでは下の表の項目だけを見ること。表に無い観点は報告しないこと。**"
    )
    assert told["encoding"] == "utf-8"
    assert told["after"] == 0
    assert not any("報告しないこと" in line for line in told["lines"])
