"""Programs that look at the same files for something else, where they are installed.

`typos` looks for misspelt words, `detect-secrets` for secret values, `rg` for lines in which one of the
patterns of our rules matches. None of them does what sakaime does; they show what a look at files costs.
"""

from __future__ import annotations

import os
import shutil
import sys

from measure import Command

from sakaime.cli.chosen import Selection
from sakaime.cli.selection import select
from sakaime.policy.trim import whole

ABSENT = "not installed"


def find(program: str) -> str | None:
    """Where a program is: beside this Python, else on PATH; None where it is not."""
    beside = os.path.join(os.path.dirname(sys.executable), program)
    return beside if os.access(beside, os.X_OK) else shutil.which(program)


def sakaime(*arguments: str) -> Command:
    """Ours, of the environment that this runs in. Raises `FileNotFoundError` where it is not installed."""
    path = find("sakaime")
    if path is None:
        raise FileNotFoundError("sakaime is not installed beside this Python: make bench")
    return Command([path, *arguments])


def typos(*arguments: str) -> Command | None:
    """`typos` on one core, without a configuration; None where it is not installed."""
    path = find("typos")
    return Command([path, "-j1", "--isolated", *arguments], (0, 2)) if path is not None else None


def secrets_hook(*files: str) -> Command | None:
    """`detect-secrets-hook` on one core; None where it is not installed."""
    path = find("detect-secrets-hook")
    return Command([path, "-c", "1", *files]) if path is not None else None


def secrets_scan() -> Command | None:
    """`detect-secrets scan` of a repository on one core; None where it is not installed."""
    path = find("detect-secrets")
    return Command([path, "-c", "1", "scan"]) if path is not None else None


def rg(listed: str, *paths: str) -> Command | None:
    """`rg` with a file of patterns on one core; None where it is not installed."""
    path = find("rg")
    limits = ["--regex-size-limit", "4G", "--dfa-size-limit", "4G"]
    words = ["-j1", "-c", "--no-messages", *limits, "-f", listed, *paths]
    return Command([path, *words]) if path is not None else None


def installed(commands: dict[str, Command | None]) -> dict[str, Command]:
    """Those that can be run."""
    return {name: command for name, command in commands.items() if command is not None}


def write_patterns(folder: str, into: str) -> tuple[int, int]:
    """Writes the patterns of the English rules, with the words filled in, one a line; gives how many rules are in force
    in a repository, and how many patterns were written.

    With those of all nine languages, rg does not come to an end.
    """
    before = os.getcwd()
    os.chdir(folder)
    try:
        rules = select(Selection()).policy.every_rule()
    finally:
        os.chdir(before)
    english = [rule for rule in rules if rule.id.startswith("en/")]
    # RE2 takes a backslash before any sign, older versions of rg only where one is needed.
    listed = [whole(tree).replace('\\"', '"') for rule in english for tree in (*rule.all, *rule.any)]
    with open(into, "w", encoding="utf-8") as file:
        file.write("\n".join(listed) + "\n")
    return len(rules), len(listed)
