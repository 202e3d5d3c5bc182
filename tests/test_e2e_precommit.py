"""Real pre-commit, with the hooks installed from a local clone of this project."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Repo, sakaime
from hooks_fixtures import CONFIG, NOTE, cache, hooks, parted, remote, run

__all__ = ["cache", "hooks"]  # fixtures

from sakaime import __version__

pytestmark = pytest.mark.e2e


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
    remote(guarded, tmp_path / "bare.git")
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


def test_an_amended_commit_and_an_empty_one(guarded: Repo) -> None:
    guarded.stage("a.py", "x = 1\n")
    assert commit(guarded).returncode == 0
    guarded.stage("a.py", "x = 1\n" + NOTE)
    code, said = run(guarded, "git", "commit", "--amend", "--no-edit")
    assert code != 0
    assert "a.py:2:3" in said
    guarded.git("reset", "-q", "--hard")
    guarded.commit("let in", **{"old.py": NOTE})
    empty = commit(guarded, "--allow-empty")  # git sets an index: it is a commit, not a call for all files
    assert empty.returncode == 0, empty.stdout + empty.stderr


def test_of_a_merge_the_lines_of_neither_parent_are_judged(guarded: Repo) -> None:
    parted(guarded)
    assert run(guarded, "git", "merge", "other")[0] != 0
    guarded.stage("c.py", f"{NOTE}c = 3\n")
    guarded.stage("new.py", NOTE)
    code, said = run(guarded, "git", "commit", "--no-edit")
    assert code != 0
    assert "A merge: the lines that no parent holds were judged." in said
    assert "new.py:1:3" in said
    assert "2 files, 2 added lines" in said
    guarded.git("rm", "-qf", "new.py")
    code, said = run(guarded, "git", "commit", "--no-edit")
    assert code == 0, said


def test_a_clean_merge_runs_pre_merge_commit(guarded: Repo) -> None:
    guarded.commit("c", **{"c.py": "c = 0\n"})
    parted(guarded)
    guarded.git("reset", "-q", "--hard", "HEAD~1")
    guarded.commit("d", **{"d.py": "d = 1\n"})
    code, said = run(guarded, "git", "merge", "--no-edit", "other")
    assert code == 0, said
    assert "sakaime" in said
    assert "old.py:1" not in said


def test_a_first_push_is_judged_by_its_commit_even_where_something_else_is_staged(
    guarded: Repo, tmp_path: Path
) -> None:
    remote(guarded, tmp_path / "bare.git")
    guarded.commit("note", **{"a.py": NOTE})
    guarded.stage("b.py", "x = 1\n")
    code, said = run(guarded, "git", "push", "origin", "main")
    assert code != 0
    assert "the whole tree of that commit" in said
    assert "a.py:1:3" in said


def test_the_sync_hook_runs_on_checkout(guarded: Repo) -> None:
    guarded.stage("pack/pack.yaml", (ROOT / "rules/en.yaml").read_text().replace("pack: en\n", "pack: mine\n"))
    guarded.stage("sakaime.toml", '[[extends]]\npack = "mine"\nfrom = "pack"\n')
    guarded.commit("settings")
    code, said = run(guarded, "git", "checkout", "-b", "new")
    assert code == 0
    assert (guarded.path / "sakaime.lock").exists(), said


def test_what_init_writes_is_what_pre_commit_installs(
    repo: Repo, hooks: tuple[str, str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(cache))
    source, _ = hooks
    repo.commit("note", **{"a.py": NOTE})
    assert sakaime("init", cwd=repo.path).returncode == 0
    config = repo.path / ".pre-commit-config.yaml"
    text = config.read_text()
    subprocess.run(["git", "tag", "-f", f"v{__version__}"], cwd=source, check=True, capture_output=True)
    config.write_text(text.replace("https://github.com/sakaime/sakaime", source))
    repo.git("add", "-A")
    pre_commit = (sys.executable, "-m", "pre_commit")
    assert run(repo, *pre_commit, "install")[0] == 0
    assert {p.name for p in (repo.path / ".git/hooks").iterdir()} >= {"pre-commit", "commit-msg", "pre-push"}
    assert commit(repo, message="Set up").returncode == 0
    code, said = run(repo, *pre_commit, "run", "--all-files", "--verbose")
    assert code == 0, said
    assert "known from the baseline: 1 finding" in said
