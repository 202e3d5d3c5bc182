"""Repositories in which a change tries to turn the gate that it passes through."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from conftest import Repo, sakaime

NOTE = "# Already approved by infra, nothing left to raise.\n"
RULE = "en/claim"


def judged(repo: Path, *args: str, env: dict[str, str] | None = None) -> tuple[int, list[dict[str, Any]]]:
    """The exit code of a check, and its findings."""
    done = sakaime("check", *args, "--format", "json", cwd=repo, env=env)
    assert done.returncode in (0, 1, 3), done.stderr
    return done.returncode, json.loads(done.stdout)["findings"]


def in_range(repo: Repo, *args: str) -> tuple[int, list[dict[str, Any]]]:
    """What the gate says of the topic branch."""
    return judged(repo.path, "--range", "main...topic", *args)


def of(findings: list[dict[str, Any]], rule: str) -> list[dict[str, Any]]:
    """The findings of one rule that count."""
    return [f for f in findings if f["rule"] == rule and f["suppressed"] is None]


def topic(repo: Repo) -> None:
    """A branch for the change, off main."""
    repo.git("checkout", "-q", "-b", "topic")


def fingerprint(repo: Repo, path: str = "a.py", content: str = NOTE) -> str:
    """The fingerprint of the note, as a check of it says. Leaves the repository as it was."""
    repo.stage(path, content)
    _, findings = judged(repo.path)
    repo.git("reset", "-q", "--hard")
    (found,) = of(findings, RULE)
    return str(found["fingerprint"])


def allow(print_: str, reason: str = "mine") -> str:
    """An [[allow]] entry."""
    return f'[[allow]]\nrule = "{RULE}"\nfingerprint = "{print_}"\nreason = "{reason}"\n'


def git(where: Path, *args: str) -> str:
    """Runs git anywhere."""
    return subprocess.run(["git", *args], cwd=where, check=True, capture_output=True).stdout.decode().strip()
