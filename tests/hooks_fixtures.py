"""This project as a repository of hooks, for pre-commit and prek."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Repo

NOTE = "# Approved by the infra team, no further review needed.\n"
CONFIG = """\
default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg, pre-push, post-checkout, post-merge]
repos:
  - repo: {source}
    rev: {rev}
    hooks: [{{id: sakaime}}, {{id: sakaime-message}}, {{id: sakaime-packs}}, {{id: sakaime-sync}}]
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
    """One cache of the hook manager for the module: the environment is built once."""
    return tmp_path_factory.mktemp("manager")


def run(repo: Repo, *args: str) -> tuple[int, str]:
    """Runs a command; gives its exit code and everything it said."""
    done = subprocess.run(args, cwd=repo.path, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def parted(repo: Repo) -> None:
    """Makes another branch that holds a note and changes c.py; main, checked out, changes it as well."""
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("other", **{"old.py": NOTE, "c.py": f"{NOTE}c = 1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", **{"c.py": "c = 2\n"})


def remote(repo: Repo, folder: Path) -> None:
    """An empty repository to push to, as origin."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    repo.git("remote", "add", "origin", str(folder))
