"""Repositories that are not as most are: what git records is judged, under the name that git knows it by."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo, sakaime
from trust_fixtures import NOTE

FINE = "x = 1\n"
# What git quotes in diffs, what splits its header lines in two, and what is no text at all.
NAMES = [
    "a b.py",
    "new\nline.py",
    "x b/y.py",
    "a/x b/a/x.py",
    'q"u\\o.py',
    "tab\t.py",
    "日本語.py",
    "x\udcff.py",
    " .py",
]


def report(repo: Path, *args: str, env: dict[str, str] | None = None) -> dict[str, Any]:
    done = sakaime("check", *args, "--format", "json", cwd=repo, env=env)
    return dict(json.loads(done.stdout), code=done.returncode)


def places(answer: dict[str, Any]) -> list[tuple[str, int]]:
    return [(f["path"], f["start"]["line"]) for f in answer["findings"]]


def shown(name: str) -> str:
    return name.replace("\t", "\\t").replace("\n", "\\n").replace("\udcff", "\\xff")


@pytest.fixture
def sparse(repo: Repo) -> Repo:
    """A sparse checkout: of `in/` and `out/`, only the first lies in the work tree."""
    repo.commit(**{"in/a.py": FINE, "out/b.py": NOTE})
    repo.git("sparse-checkout", "set", "--no-cone", "/in/")
    assert not (repo.path / "out").exists()
    return repo


def test_what_is_staged_outside_of_a_sparse_checkout_is_judged(sparse: Repo) -> None:
    assert report(sparse.path)["scope"]["files"] == 0
    (sparse.path / "note").write_text(FINE + NOTE)
    blob = sparse.git("hash-object", "-w", "note").strip()
    sparse.git("update-index", "--add", "--cacheinfo", f"100644,{blob},out/c.py")
    assert places(report(sparse.path)) == [("out/c.py", 2)]


@pytest.mark.parametrize("what", ["--all", "."])
def test_the_whole_tree_holds_what_a_sparse_checkout_leaves_out(sparse: Repo, what: str) -> None:
    answer = report(sparse.path, what)
    assert (answer["code"], places(answer)) == (1, [("out/b.py", 1)])
    assert answer["scope"]["files"] == 3
    assert places(report(sparse.path, "out")) == [("out/b.py", 1)]
    sparse.git("sparse-checkout", "disable")
    (sparse.path / "out/b.py").unlink()
    assert places(report(sparse.path, what)) == [], "what was deleted in the work tree is gone"


def test_a_linked_work_tree_has_an_index_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    linked = Repo.__new__(Repo)
    linked.path = tmp_path / "linked"
    linked.stage("sub/a.py", NOTE)
    assert report(repo.path)["code"] == 0
    assert places(report(linked.path)) == places(report(linked.path / "sub")) == [("sub/a.py", 1)]
    repo.stage("b.py", FINE)
    assert places(report(repo.path)) == []


def test_an_intent_to_add_is_not_judged_before_it_is_added(repo: Repo) -> None:
    repo.write("later.py", NOTE)
    repo.git("add", "-N", "later.py")
    assert report(repo.path)["scope"]["files"] == 0
    repo.stage("now.py", FINE)
    assert (report(repo.path)["code"], report(repo.path)["scope"]["files"]) == (0, 1)
    repo.git("add", "later.py")
    assert places(report(repo.path)) == [("later.py", 1)]


def test_the_index_and_the_repository_that_git_names_are_judged(repo: Repo, tmp_path: Path) -> None:
    repo.stage("a.py", FINE)
    index = str(tmp_path / "index")
    note = {"GIT_INDEX_FILE": index}
    subprocess.run(["cp", repo.path / ".git/index", index], check=True)
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], cwd=repo.path, input=NOTE.encode(), capture_output=True, check=True
    ).stdout.decode()
    subprocess.run(
        ["git", "update-index", "--add", "--cacheinfo", f"100644,{blob.strip()},b.py"],
        cwd=repo.path,
        env={**os.environ, **note},
        check=True,
    )
    assert report(repo.path)["code"] == 0
    assert places(report(repo.path, env=note)) == [("b.py", 1)]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    named = {"GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(repo.path)}
    assert places(report(elsewhere, env={**named, **note})) == [("b.py", 1)]
    assert report(elsewhere, env=named)["scope"]["files"] == 1
    inside = {"GIT_DIR": ".git", **note}  # as a hook of git finds it
    assert places(report(repo.path, env=inside)) == [("b.py", 1)]


def test_of_a_rename_with_an_edit_the_edit_is_judged(repo: Repo) -> None:
    before = NOTE + "".join(f"x{n} = {n}\n" for n in range(20))
    repo.commit(**{"old.py": before})
    repo.git("mv", "old.py", "new.py")
    answer = report(repo.path)
    assert (answer["code"], answer["scope"]["added_lines"]) == (0, 0), "what only moves was there before"
    repo.stage("new.py", before + NOTE)
    assert places(report(repo.path)) == [("new.py", 22)]


def test_a_mode_alone_adds_nothing_and_with_an_edit_the_edit(repo: Repo) -> None:
    repo.commit(run=NOTE)
    repo.git("update-index", "--chmod=+x", "run")
    assert (report(repo.path)["code"], report(repo.path)["scope"]["files"]) == (0, 1)
    repo.write("run", NOTE + FINE + NOTE)
    repo.git("add", "run")
    repo.git("update-index", "--chmod=+x", "run")
    assert places(report(repo.path)) == [("run", 3)]


def test_the_target_of_a_symlink_is_judged_not_what_it_points_to(repo: Repo) -> None:
    repo.write("note.txt", NOTE)
    (repo.path / "link").symlink_to("note.txt")
    repo.git("add", "link")
    assert (report(repo.path)["code"], report(repo.path)["scope"]["added_lines"]) == (0, 1)
    (repo.path / "says").symlink_to(NOTE[2:].strip())
    repo.git("add", "says")
    assert places(report(repo.path)) == [("says", 1)]


def test_a_submodule_is_a_name_and_what_stands_beside_it_is_judged(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit(**{"a.py": NOTE})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "inner")
    assert report(repo.path)["code"] == 0
    repo.stage("b.py", NOTE)
    assert places(report(repo.path)) == [("b.py", 1)]
    repo.commit()
    assert places(report(repo.path, "--all")) == [("b.py", 1)]
    assert places(report(repo.path, "--range", "HEAD~1...HEAD")) == [("b.py", 1)]


@pytest.mark.parametrize("quote", ["true", "false"])
@pytest.mark.parametrize("mode", ["staged", "range", "all", "diff"])
def test_names_of_any_bytes(repo: Repo, quote: str, mode: str) -> None:
    repo.git("config", "core.quotePath", quote)
    for name in NAMES:
        repo.write(name, FINE)
    repo.git("add", "-A")
    repo.commit()
    for name in NAMES:
        repo.write(name, FINE + NOTE)
    repo.git("add", "-A")
    if mode == "range":
        repo.commit()
        answer = report(repo.path, "--range", "HEAD~1...HEAD")
    elif mode == "diff":
        diff = subprocess.run(["git", "diff", "--cached"], cwd=repo.path, capture_output=True, check=True).stdout
        done = sakaime("check", "--diff", "-", "--format", "json", cwd=repo.path, stdin=diff)
        answer = json.loads(done.stdout)
    else:
        answer = report(repo.path, *(["--all"] if mode == "all" else []))
    assert sorted(places(answer)) == sorted((shown(name), 2) for name in NAMES)


def piped(repo: Repo, *args: str) -> tuple[int, list[tuple[str, int]], str]:
    """What `--diff -` says of what git prints."""
    diff = subprocess.run(["git", *args], cwd=repo.path, capture_output=True, check=True).stdout
    assert diff
    done = sakaime("check", "--diff", "-", "--format", "json", cwd=repo.path, stdin=diff)
    return done.returncode, sorted(places(json.loads(done.stdout))) if done.stdout else [], done.stderr


PREFIXES = [[], ["--no-prefix"], ["--src-prefix=i/", "--dst-prefix=w/"], ["-U0"], ["--no-renames", "-U10"]]


@pytest.mark.parametrize("options", PREFIXES)
def test_diffs_of_every_form_name_the_same_places(repo: Repo, options: list[str]) -> None:
    repo.commit(**{"a/b/x.py": FINE, "old.py": FINE * 9, "b/end.py": FINE + "y = 1"})
    repo.stage("a/b/x.py", FINE + NOTE)
    repo.git("mv", "old.py", "b/new.py")
    repo.stage("b/new.py", FINE * 9 + NOTE)
    repo.stage("b/end.py", FINE + "y = 1\n" + NOTE.strip())
    repo.stage("added.py", NOTE)
    code, found, _ = piped(repo, "diff", "--cached", *options)
    assert (code, found) == (1, [("a/b/x.py", 2), ("added.py", 1), ("b/end.py", 3), ("b/new.py", 10)])


def test_a_diff_without_a_last_line_end_is_judged_to_its_end(repo: Repo) -> None:
    repo.stage("a.py", FINE + NOTE.strip())
    diff = repo.git("diff", "--cached")
    for cut in (diff, diff.removesuffix("\n"), diff.split("\\ No newline")[0].removesuffix("\n")):
        done = sakaime("check", "--diff", "-", "--format", "json", cwd=repo.path, stdin=cut.encode())
        assert places(json.loads(done.stdout)) == [("a.py", 2)]


def test_mails_of_commits_are_judged_one_by_one(repo: Repo) -> None:
    repo.commit("one\n\nhas ---\n--- a/words\n+++ b/like a header", **{"a.py": FINE})
    repo.commit("two", **{"a.py": FINE + NOTE, "b.py": NOTE})
    assert piped(repo, "format-patch", "--stdout", "-2")[:2] == (1, [("a.py", 2), ("b.py", 1)])
    repo.git("format-patch", "-q", "-2", "-o", "mails")
    codes = [
        sakaime("check", "--diff", f"mails/{n}", cwd=repo.path).returncode
        for n in sorted(os.listdir(repo.path / "mails"))
    ]
    assert codes == [0, 1]


def test_a_combined_diff_is_never_a_pass(repo: Repo) -> None:
    repo.commit(**{"c.py": FINE})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit(**{"c.py": "x = 2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit(**{"c.py": "x = 3\n"})
    subprocess.run(["git", "merge", "other"], cwd=repo.path, capture_output=True)
    repo.stage("c.py", NOTE)
    repo.commit("merge")
    for option in ("--cc", "-c"):
        code, found, said = piped(repo, "show", option)
        assert (code, found) == (3, [])
        assert "Diff against one parent." in said
    assert piped(repo, "show", "--first-parent", "-m")[:2] == (1, [("c.py", 1)])
