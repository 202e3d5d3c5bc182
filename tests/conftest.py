"""Real repositories and the real command, for every test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEPLOY_KIT = ROOT / "src/sakaime/demo/deploy-kit"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-snapshots", action="store_true", help="accept what the program prints now")


@pytest.fixture
def update_snapshots(request: pytest.FixtureRequest) -> bool:
    """Whether snapshots are written instead of compared."""
    return bool(request.config.getoption("--update-snapshots"))


@pytest.fixture(autouse=True)
def _alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No settings, caches or hooks of the machine reach a test."""
    for name in [n for n in os.environ if n.startswith(("GIT_", "PRE_COMMIT", "SAKAIME_"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # every process would compile everything
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    # What is compiled depends on its inputs alone, so that all tests can share it.
    monkeypatch.setenv("SAKAIME_CACHE", str(tmp_path_factory.getbasetemp().parent / "sakaime-cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    yield


class Repo:
    """A git repository with work tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        for key, value in (("user.name", "test"), ("user.email", "test@example.invalid"), ("commit.gpgsign", "false")):
            self.git("config", key, value)

    def git(self, *args: str) -> str:
        """Runs git; gives what it prints."""
        done = subprocess.run(["git", *args], cwd=self.path, capture_output=True)
        assert done.returncode == 0, f"git {args}: {done.stderr.decode(errors='replace')}"
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, content: str | bytes) -> Path:
        """Writes a file of the work tree."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def stage(self, path: str, content: str | bytes) -> None:
        """Writes and stages a file."""
        self.write(path, content)
        self.git("add", "-f", "--", path)

    def commit(self, message: str = "change", **files: str | bytes) -> str:
        """Stages `files` and commits what is staged; gives the commit id."""
        for path, content in files.items():
            self.stage(path, content)
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one commit that holds a README."""
    made = Repo(tmp_path / "repo")
    made.stage("README.md", "# shop\n")
    made.commit("first")
    return made


@pytest.fixture
def deploy_kit(tmp_path: Path) -> Repo:
    """The deploy-kit case: its base committed, its pull request staged."""
    from sakaime.cli.demo import make_repository

    folder = tmp_path / "deploy-kit"
    make_repository(str(folder))
    return Repo(folder)


def sakaime(
    *args: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own. No traceback may ever come out of it."""
    done = subprocess.run(
        [sys.executable, "-m", "sakaime", *args],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)
