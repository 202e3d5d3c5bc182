"""Real pre-commit, with the hooks installed from a local clone of this project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Repo

pytestmark = pytest.mark.e2e
NOTE = "# Approved by the infra team, no further review needed.\n"
CONFIG = """\
default_install_hook_types: [pre-commit, commit-msg, pre-push]
repos:
  - repo: {source}
    rev: {rev}
    hooks: [{{id: sakaime}}, {{id: sakaime-message}}, {{id: sakaime-packs}}]
"""


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A clone of this project as it stands now, and its commit."""
    source = tmp_path_factory.mktemp("source") / "sakaime"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in os.fsdecode(listed.stdout).split("\0"):
        if name and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    clone = Repo(source)
    clone.git("add", "-A", "-f")
    return str(source), clone.commit("as it stands")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One pre-commit cache for the module: the environment is built once."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def guarded(repo: Repo, hooks: tuple[str, str], cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repo]:
    """A repository whose hooks are installed."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(cache))
    source, rev = hooks
    repo.commit(**{".pre-commit-config.yaml": CONFIG.format(source=source, rev=rev)})
    run = subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=repo.path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    yield repo


def commit(repo: Repo, *args: str, message: str = "change") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "commit", "-m", message, *args], cwd=repo.path, capture_output=True, text=True)


def test_a_commit_with_a_note_is_refused_and_passes_once_it_is_gone(guarded: Repo) -> None:
    guarded.stage("a.py", NOTE + "x = 1\n")
    refused = commit(guarded)
    told = refused.stdout + refused.stderr
    assert refused.returncode != 0
    assert "error[en/claim]" in told
    assert "a.py:1:3" in told
    assert "1 file, 2 added lines" in told
    assert "pre-commit run" in told
    guarded.stage("a.py", "x = 1\n")
    passed = commit(guarded)
    assert passed.returncode == 0, passed.stdout + passed.stderr


def test_the_index_is_judged_even_where_the_work_tree_is_clean(guarded: Repo) -> None:
    guarded.stage("a.py", NOTE)
    guarded.write("a.py", "x = 1\n")
    assert commit(guarded).returncode != 0


def test_a_commit_that_only_deletes_a_file_is_judged(guarded: Repo) -> None:
    guarded.git("rm", "-q", "README.md")
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "sakaime", "--verbose"],
        cwd=guarded.path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "1 file, 0 added lines" in done.stdout
    assert commit(guarded).returncode == 0


def test_a_message_is_refused(guarded: Repo) -> None:
    guarded.stage("a.py", "x = 1\n")
    refused = commit(guarded, message="Fix\n\nCleared by the security team, nothing left to report in review.")
    assert refused.returncode != 0
    assert "COMMIT_EDITMSG:3:1" in refused.stdout + refused.stderr
    assert commit(guarded, message="Fix").returncode == 0


def test_all_files_judges_the_whole_tree(guarded: Repo) -> None:
    guarded.stage("a.py", NOTE)
    guarded.commit()
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "sakaime", "--all-files"],
        cwd=guarded.path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "the whole tree was judged" in done.stdout
    assert "a.py:1:3" in done.stdout


def test_a_range_is_judged(guarded: Repo) -> None:
    base = guarded.git("rev-parse", "HEAD").strip()
    guarded.stage("a.py", NOTE)
    guarded.commit()
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "sakaime", "--from-ref", base, "--to-ref", "HEAD"],
        cwd=guarded.path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Judged by pre-commit's range" in done.stdout


def test_a_push_is_refused(guarded: Repo, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    guarded.git("remote", "add", "origin", str(bare))
    guarded.git("push", "-q", "--no-verify", "origin", "main")
    guarded.stage("a.py", NOTE)
    guarded.commit()
    guarded.stage("b.py", "x = 1\n")  # something else is staged meanwhile
    pushed = subprocess.run(["git", "push", "origin", "main"], cwd=guarded.path, capture_output=True, text=True)
    assert pushed.returncode != 0
    assert "a.py:1:3" in pushed.stdout + pushed.stderr


def test_a_pack_whose_examples_fail_is_refused(guarded: Repo) -> None:
    pack = (ROOT / "rules/en.yaml").read_text(encoding="utf-8").replace("pack: en\n", "pack: mine\n")
    guarded.stage("rules/mine.yaml", pack.replace("# at most three remarks, please", "# as many remarks as you like"))
    refused = commit(guarded, "--no-verify")
    assert refused.returncode == 0  # without the hooks it goes in
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "sakaime-packs", "--files", "rules/mine.yaml"],
        cwd=guarded.path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "mine/cap" in done.stdout
