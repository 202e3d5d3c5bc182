"""Repositories and packs for the tests of the room `packs`."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from sakaime.cli.main import main

RULE = """\
  - id: {id}
    tactic: waive
    title: asks to wave a change through
    message: "“{{match}}” asks to wave the change through"
    all: ["{word}"]
    places: [comment, prose, string, message]
    examples:
      bad: ["# {word} this, please", "{word} now"]
      good: ["# nothing to see", "all is well"]
"""


def pack_text(
    name: str = "acme-review",
    version: str = "1.0.0",
    rules: tuple[tuple[str, str], ...] = (("stamp", "rubberstamp"), ("wave", "wavethrough")),
    locked: tuple[str, ...] = ("stamp",),
) -> str:
    """A pack with one rule per (id, word)."""
    head = f"sakaime: 1\npack: {name}\nversion: {version}\n"
    body = "instructions:\n" + "".join(RULE.format(id=rule, word=word) for rule, word in rules)
    return head + body + (f"locked: [{', '.join(locked)}]\n" if locked else "")


class Box:
    """A folder with a cache of its own, git repositories, and the command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        shared = Path(os.environ["SAKAIME_CACHE"]) / "parts"  # of packs that all tests read
        if shared.is_dir():
            shutil.copytree(shared, self.cache / "parts")
        self.home = folder / "home"
        self.home.mkdir()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "SAKAIME_", "PRE_COMMIT"))}
        self.env = {
            **kept,
            "HOME": str(self.home),
            "SAKAIME_CACHE": str(self.cache),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
        }

    def git(self, where: Path, *args: str, data: bytes = b"") -> str:
        """What git prints."""
        done = subprocess.run(["git", "-C", where, *args], env=self.env, input=data, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def repository(self, name: str, files: dict[str, str]) -> Path:
        """A repository with one commit on `main`."""
        where = self.folder / name
        where.mkdir()
        self.git(where, "init", "-q", "-b", "main")
        self.commit(where, files)
        return where

    def commit(self, where: Path, files: dict[str, str]) -> str:
        """Writes files, commits everything, and gives the id."""
        for path, text in files.items():
            (where / path).parent.mkdir(parents=True, exist_ok=True)
            (where / path).write_text(text, "utf-8")
        self.git(where, "add", "-A", "-f")
        self.git(where, "commit", "-q", "--allow-empty", "-m", "c")
        return self.git(where, "rev-parse", "HEAD")

    def bare(self, name: str, files: dict[str, str], tag: str = "v1.0.0") -> tuple[Path, Path]:
        """A work tree and the bare repository that it pushes to."""
        tree = self.repository(f"{name}-tree", files)
        self.git(tree, "tag", tag)
        bare = self.folder / f"{name}.git"
        self.git(self.folder, "clone", "-q", "--bare", str(tree), str(bare))
        self.git(tree, "remote", "add", "origin", str(bare))
        return tree, bare

    def run(self, where: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        """`sakaime ARGS`, inside this process."""
        out, err = io.StringIO(), io.StringIO()
        before, cwd = dict(os.environ), os.getcwd()
        try:
            os.environ.clear()
            os.environ.update({**self.env, **env})
            os.chdir(where)
            with redirect_stdout(out), redirect_stderr(err):
                code = main(list(args))
        finally:
            os.environ.clear()
            os.environ.update(before)
            os.chdir(cwd)
        return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())

    def process(self, where: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        """`sakaime ARGS`, as a user starts it."""
        return subprocess.run(
            [sys.executable, "-m", "sakaime", *args],
            cwd=where,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    def cached_packs(self) -> list[Path]:
        """The pack folders in the cache."""
        folder = self.cache / "packs"
        return sorted(folder.iterdir()) if folder.is_dir() else []


def extends(source: str, pack: str = "acme-review", **more: str) -> str:
    """An `extends` entry."""
    lines = [f'{key} = "{value}"' for key, value in {"pack": pack, "from": source, **more}.items()]
    return "[[extends]]\n" + "\n".join(lines) + "\n"
