"""Repositories with changes of every kind that a diff can show."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import sakaime
from sakaime.material import git


def repository(folder: Path) -> Path:
    """An empty repository in a new folder."""
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    run(folder, "config", "user.name", "A")
    run(folder, "config", "user.email", "a@example.org")
    run(folder, "config", "core.autocrlf", "false")
    return folder


def run(folder: Path, *args: str) -> bytes:
    """What git prints."""
    return subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True).stdout


def commit_all(folder: Path) -> None:
    """Commits everything in the work tree."""
    run(folder, "add", "-A")
    run(folder, "commit", "-q", "--allow-empty", "-m", "base")


def staged_diff(folder: Path) -> bytes:
    """The exact text of what is staged, as a brief takes it."""
    return git.run(str(folder), "diff", "--cached", "-p", *git.DIFF_OPTIONS)


def _before(folder: Path) -> None:
    (folder / "moved.txt").write_text("".join(f"line {n}\n" for n in range(40)))
    (folder / "script.sh").write_text("echo\n")
    (folder / "gone.txt").write_text("gone\n")
    (folder / "crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (folder / "sql.sql").write_text("-- a/x\n-- b/x\nselect 1;\n")
    (folder / "turns.txt").write_text("a file\n")


def _after(folder: Path) -> None:
    run(folder, "mv", "moved.txt", "name with spaces.txt")
    os.chmod(folder / "script.sh", 0o755)
    os.remove(folder / "gone.txt")
    (folder / "crlf.txt").write_bytes(b"one\r\n2\r\nthree\r\n")
    # Prints as `--- a/x` and `+++ b/x`, and as more that looks like a header.
    (folder / "sql.sql").write_text("++ b/x\n@@ -1,1 +1,1 @@\ndiff --git a/q b/q\nselect 1;\n")
    (folder / "binary").write_bytes(bytes(range(256)) * 20)
    (folder / "unended.txt").write_bytes(b"no line end")
    (folder / "breaks.txt").write_bytes("form\x0cfeed\x0bv\x85n\u2028sep\u2029\n".encode())
    (folder / "broken.txt").write_bytes(b"caf\xe9 \xff\xfe \xe3\x81\n")
    (folder / "huge.txt").write_text("境目" * 2000 + "\nend\n")
    (folder / "new\nline.txt").write_text("x\n")
    (folder / "境目.txt").write_text("x\n")
    os.remove(folder / "turns.txt")
    os.symlink("script.sh", folder / "turns.txt")


def odd_changes(folder: Path) -> Path:
    """A repository in which every odd change is staged."""
    repository(folder)
    _before(folder)
    commit_all(folder)
    _after(folder)
    run(folder, "add", "-A")
    return folder


def deploy_kit(folder: Path) -> Path:
    """The acceptance case: its repository, with the pull request staged."""
    case = Path(sakaime.__file__).parent / "demo" / "deploy-kit"
    repository(folder)
    shutil.copytree(case / "base", folder, dirs_exist_ok=True)
    commit_all(folder)
    run(folder, "apply", "--index", str(case / "pr.patch"))
    return folder
