"""Real prek, with the same hooks as pre-commit."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import Repo
from hooks_fixtures import CONFIG, NOTE, cache, hooks, parted, remote, run

__all__ = ["cache", "hooks"]  # fixtures

pytestmark = pytest.mark.e2e


@pytest.fixture
def prek(repo: Repo, hooks: tuple[str, str], cache: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The program; its hooks are installed in `repo`."""
    program = shutil.which("prek", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
    assert program is not None
    monkeypatch.setenv("PREK_HOME", str(cache))
    source, rev = hooks
    repo.commit("hooks", **{".pre-commit-config.yaml": CONFIG.format(source=source, rev=rev)})
    code, said = run(repo, program, "install")
    assert code == 0, said
    return program


@pytest.mark.usefixtures("prek")
def test_commit_amend_and_an_empty_commit(repo: Repo) -> None:
    repo.stage("a.py", NOTE + "x = 1\n")
    repo.write("a.py", "x = 1\n")
    code, said = run(repo, "git", "commit", "-m", "a")
    assert code != 0
    assert "a.py:1:3" in said
    assert "1 file, 2 added lines" in said
    repo.stage("a.py", "x = 1\n")
    code, said = run(repo, "git", "commit", "-m", "a")
    assert code == 0, said
    repo.stage("a.py", "x = 1\n" + NOTE)
    code, said = run(repo, "git", "commit", "--amend", "--no-edit")
    assert code != 0
    assert "a.py:2:3" in said
    repo.git("reset", "-q", "--hard")
    repo.commit("let in", **{"old.py": NOTE})
    code, said = run(repo, "git", "commit", "--allow-empty", "-m", "empty")
    assert code == 0, said
    code, said = run(repo, "git", "commit", "--allow-empty", "-m", "Approved by infra, no further review needed.")
    assert code != 0
    assert "COMMIT_EDITMSG:1:1" in said


@pytest.mark.usefixtures("prek")
def test_of_a_merge_the_lines_of_neither_parent_are_judged(repo: Repo) -> None:
    parted(repo)
    assert run(repo, "git", "merge", "other")[0] != 0
    repo.stage("c.py", f"{NOTE}c = 3\n")
    repo.stage("new.py", NOTE)
    code, said = run(repo, "git", "commit", "--no-edit")
    assert code != 0
    assert "new.py:1:3" in said
    assert "2 files, 2 added lines" in said
    repo.git("rm", "-qf", "new.py")
    code, said = run(repo, "git", "commit", "--no-edit")
    assert code == 0, said


def test_all_files_and_a_range(repo: Repo, prek: str) -> None:
    base = repo.git("rev-parse", "HEAD").strip()
    repo.commit("note", **{"a.py": NOTE})
    code, said = run(repo, prek, "run", "sakaime", "--all-files")
    assert code == 1
    assert "the whole tree was judged" in said
    assert "a.py:1:3" in said
    code, said = run(repo, prek, "run", "sakaime", "--from-ref", base, "--to-ref", "HEAD")
    assert code == 1
    assert "Judged by pre-commit's range" in said
    assert "1 file, 1 added line" in said


@pytest.mark.usefixtures("prek")
@pytest.mark.parametrize("first", [True, False])
def test_a_push_is_judged_by_what_is_pushed(repo: Repo, tmp_path: Path, first: bool) -> None:
    remote(repo, tmp_path / "bare.git")
    if not first:
        repo.git("push", "-q", "--no-verify", "origin", "main")
    repo.commit("note", **{"a.py": NOTE})
    repo.stage("b.py", "x = 1\n")  # something else is staged meanwhile
    code, said = run(repo, "git", "push", "origin", "main")
    assert code != 0
    assert "a.py:1:3" in said
