"""`sakaime demo`: a real pull request being stopped, in a repository made for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import sakaime.demo
from sakaime.cli import check
from sakaime.material import git
from sakaime.model import CannotJudge, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "Show a real pull request being stopped (in a folder of its own; nothing of yours is touched)."


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--keep", metavar="DIR", help="leave the repository there, to play with")


def run(options: Namespace) -> int:
    """Makes the repository, stages the pull request, and judges it. Gives 0 when the demonstration worked.

    Raises `UserError` where the folder to keep it in holds something.
    """
    if options.keep and os.path.lexists(options.keep) and not _empty(options.keep):
        raise UserError(f"{options.keep} is there already, and not an empty folder", way_out="Name a new one.")
    folder = os.path.abspath(options.keep) if options.keep else tempfile.mkdtemp(prefix="sakaime-demo-")
    before = os.getcwd()
    outside = {name: value for name, value in os.environ.items() if name.startswith(("GIT_", "PRE_COMMIT"))}
    for name in outside:
        del os.environ[name]
    try:
        make_repository(folder)
        os.chdir(folder)
        print("$ git log --oneline -1 && git diff --cached --stat\n")
        print(git.run(folder, "log", "--oneline", "-1").decode(), end="")
        print(git.run(folder, "diff", "--cached", "--stat").decode())
        print("$ sakaime check\n")
        code = check.run_default()
    finally:
        os.chdir(before)
        os.environ.update(outside)
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(
        f"\nExit code {code}: under git this commit would have been refused." if code == 1 else f"\nExit code {code}."
    )
    return 0 if code == 1 else 3


def _empty(folder: str) -> bool:
    return os.path.isdir(folder) and not os.listdir(folder)


def make_repository(folder: str) -> None:
    """The deploy-kit repository in `folder`, its base committed and its pull request staged."""
    case = os.path.join(os.path.dirname(os.path.abspath(sakaime.demo.__file__)), "deploy-kit")
    shutil.copytree(os.path.join(case, "base"), folder, dirs_exist_ok=True)
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "--no-verify", "-m", "deploy-kit")
    _git(folder, "apply", "--index", os.path.join(case, "pr.patch"))


def _git(folder: str, *args: str) -> None:
    identity = ("-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false")
    neutral = ("-c", "core.autocrlf=false", "-c", "core.hooksPath=", "-c", "init.templateDir=")
    done = subprocess.run(["git", "-C", folder, *identity, *neutral, *args], capture_output=True)
    if done.returncode:
        raise CannotJudge(f"the demonstration needs git: {done.stderr.decode('utf-8', 'replace').strip()}")
