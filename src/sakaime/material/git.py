"""Asking git, in a way that no user configuration and no content of a repository can bend.

`subprocess` costs more than an interpreter start; where the platform can spawn directly, it is not
imported unless git fails and its words are needed.
"""

from __future__ import annotations

import os

from sakaime.model import CannotJudge, UserError
from sakaime.text.source import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

# Replace refs and grafts would show other blobs and parents than the commits record; a lazy fetch would
# open a socket; the two GIT_DIFF variables change what a diff prints (git-diff(1), git-config(1)).
_ENVIRONMENT = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.path.join(os.devnull, "none"),
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
_DROPPED = (
    "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
)  # fmt: skip

_DROPPED_AT_ONCE = 1 << 20

OPTIONS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotePath=true",
    "-c",
    "diff.suppressBlankEmpty=false",
)
DIFF_OPTIONS = (
    "-U3", "--text", "--full-index", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative",
    "--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=myers", "--indent-heuristic", "-M50%", "-l1000",
    "--inter-hunk-context=0", "--ignore-submodules=none", "--submodule=short", "-O/dev/null",
)  # fmt: skip


def environment() -> dict[str, str]:
    """The environment git gets: ours, without what bends its answers."""
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    return {**kept, **_ENVIRONMENT}


def _find(program: str) -> str:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder or os.curdir, program)
        if folder and os.access(path, os.X_OK):
            return path
    raise CannotJudge("git was not found on PATH", way_out="Install git, or put its folder on PATH.")


class Process:
    """A running git with pipes for its standard input and output."""

    def __init__(self, cwd: str, args: tuple[str, ...]) -> None:
        command = ("git", "-C", cwd, *OPTIONS, *args)
        if hasattr(os, "posix_spawn"):
            program = _find("git")
            child_in, our_out = os.pipe()
            our_in, child_out = os.pipe()
            self._pid = os.posix_spawn(
                program,
                command,
                environment(),
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, child_in, 0),
                    (os.POSIX_SPAWN_DUP2, child_out, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
            os.close(child_in)
            os.close(child_out)
            self.stdin: IO[bytes] = open(our_out, "wb")  # noqa: SIM115  (closed by finish)
            self.stdout: IO[bytes] = open(our_in, "rb")  # noqa: SIM115
        else:  # Windows
            import subprocess

            child = subprocess.Popen(
                command,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert child.stdin is not None and child.stdout is not None
            self._pid, self._child = 0, child
            self.stdin, self.stdout = child.stdin, child.stdout

    def finish(self) -> int:
        """Closes both pipes, waits, and gives the exit code."""
        try:  # noqa: SIM105  (contextlib is not loaded at a start of the command)
            self.stdin.close()
        except BrokenPipeError:  # it has ended, and did not read all that it was told
            pass
        self.stdout.close()
        if self._pid:
            return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._child.wait()


class TooMuch(Exception):
    """Git prints more than was wanted."""


def run(cwd: str, *args: str, most: int = -1) -> bytes:
    """What git prints.

    Raises `CannotJudge` with git's own words when it fails, and `TooMuch`, with git stopped, when it
    prints more than `most` bytes.
    """
    process = Process(cwd, args)
    out = process.stdout.read(most)
    if most >= 0 and process.stdout.read(1):
        process.finish()
        raise TooMuch
    if code := process.finish():
        raise CannotJudge(f"git {args[0]} failed (exit {code}): {_words_of_failure(cwd, args)}")
    return out


def ask(cwd: str, *args: str) -> bytes | None:
    """What git prints, or None when it fails: for questions whose answer may be no."""
    process = Process(cwd, args)
    out = process.stdout.read()
    return None if process.finish() else out


def _words_of_failure(cwd: str, args: tuple[str, ...]) -> str:
    import subprocess

    again = subprocess.run(
        ["git", "-C", cwd, *OPTIONS, *args], env=environment(), stdin=subprocess.DEVNULL, capture_output=True
    )
    return again.stderr.decode("utf-8", "replace").strip() or "no message"


# What a user sets so that git reaches a server at all. All other GIT_* may be a surrounding hook's and
# would point git at that hook's repository, index or configuration (GIT_CONFIG_PARAMETERS).
_REACHING = (
    "GIT_ASKPASS", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_KEY_", "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM", "GIT_CONFIG_VALUE_", "GIT_EXEC_PATH", "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_PROXY_SSL_", "GIT_SSH", "GIT_SSL_CA", "GIT_SSL_CERT", "GIT_SSL_KEY",
)  # fmt: skip
_APART = (
    "-c", f"core.hooksPath={os.devnull}", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
    "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60",
)  # fmt: skip


def apart(repository: str, *args: str, protocols: str = "none", stdin: bytes = b"") -> bytes:
    """What git prints in a bare repository of our own, untouched by the repository around us.

    `protocols` are the ones it may speak, with colons between (`https:ssh`); no configuration adds
    others. Raises `CannotJudge` with git's own words when it fails.
    """
    import subprocess

    from sakaime.text.paths import printable

    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k.startswith(_REACHING)}
    try:
        done = subprocess.run(
            ["git", f"--git-dir={repository}", *OPTIONS, *_APART, *args],
            cwd=repository,
            env={**kept, **_ENVIRONMENT, "GIT_ALLOW_PROTOCOL": protocols},
            input=stdin,
            capture_output=True,
        )
    except FileNotFoundError:
        raise CannotJudge("git was not found on PATH", way_out="Install git, or put its folder on PATH.") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "surrogateescape").strip().splitlines()[:10]
        said = "\n  ".join(map(printable, lines)) or "no message"
        raise CannotJudge(f"git {args[0]} failed (exit {done.returncode}): {said}")
    return done.stdout


def root(cwd: str) -> str:
    """The top folder of the work tree around `cwd`. Raises `UserError` outside a repository."""
    if "GIT_DIR" not in os.environ and "GIT_WORK_TREE" not in os.environ:
        folder = os.path.realpath(cwd)
        while True:
            if os.path.exists(os.path.join(folder, ".git")):
                return folder
            if os.path.exists(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
                break  # a bare repository, which may lie inside of another one's work tree
            parent = os.path.dirname(folder)
            if parent == folder:
                break
            folder = parent
    answer = ask(cwd, "rev-parse", "--show-toplevel")
    if answer is None:
        raise UserError(
            f"{cwd} is not inside a git work tree", way_out="Run this in a repository, or give --diff FILE."
        )
    return os.fsdecode(answer.removesuffix(b"\n"))


def folder(top: str) -> str:
    """The folder in which git keeps the state of a work tree (of a linked one: its own)."""
    if named := os.environ.get("GIT_DIR"):
        return os.path.abspath(named)
    path = os.path.join(top, ".git")
    if os.path.isdir(path):
        return path
    answer = ask(top, "rev-parse", "--absolute-git-dir")
    return os.fsdecode(answer.removesuffix(b"\n")) if answer is not None else path


def root_or_bare(cwd: str) -> str:
    """As `root`; in a bare repository its own folder. For questions that need no work tree."""
    try:
        return root(cwd)
    except UserError:
        if ask(cwd, "rev-parse", "--is-bare-repository") != b"true\n":
            raise
        return os.fsdecode(run(cwd, "rev-parse", "--absolute-git-dir").removesuffix(b"\n"))


class Objects:
    """Reads objects by name (`HEAD:path`, `:path`, an object id) through one git process, and ids through another."""

    def __init__(self, cwd: str) -> None:
        self._cwd = cwd
        self._process: Process | None = None
        self._ids: Process | None = None

    def oid(self, name: str) -> str | None:
        """The id of an object; None when there is none of that name. Of a file in a commit it tells in microseconds
        whether it is still the same."""
        if "\n" in name or "@{" in name:  # no line of the batch protocol; and no upstream ends the process
            said = ask(self._cwd, "rev-parse", "--verify", "--end-of-options", name)
            return said.decode("ascii").strip() if said is not None else None
        if self._ids is None:
            self._ids = Process(self._cwd, ("cat-file", "--batch-check=%(objectname)"))
        header = self._asked(self._ids, name).strip()
        return header.decode("ascii") if header.isalnum() else None

    def get(self, name: str) -> bytes | None:
        """The content of an object; None when there is none of that name.

        Of one larger than a text may be, as much as shows that it is.
        """
        if "\n" in name:  # the batch protocol is one name a line; -z is newer than git 2.38
            return ask(self._cwd, "cat-file", "blob", name)
        if self._process is None:
            self._process = Process(self._cwd, ("cat-file", "--batch"))
        pipe = self._process
        header = self._asked(pipe, name)
        fields = header.split()
        if len(fields) != 3 or not fields[2].isdigit():
            if header.endswith((b" missing\n", b" ambiguous\n")):
                return None
            raise CannotJudge(f"git cat-file answered {header[:80]!r}")
        left = int(fields[2]) + 1
        data = pipe.stdout.read(min(left - 1, LIMIT + 1))
        left -= len(data)
        while left > 0 and (dropped := pipe.stdout.read(min(left, _DROPPED_AT_ONCE))):
            left -= len(dropped)
        return data if fields[1] == b"blob" else None

    def _asked(self, pipe: Process, name: str) -> bytes:
        try:
            pipe.stdin.write(os.fsencode(name) + b"\n")
            pipe.stdin.flush()
        except BrokenPipeError:
            line = b""
        else:
            line = pipe.stdout.readline()
        if not line:
            raise CannotJudge(f"git cat-file ended early: {_words_of_failure(self._cwd, ('status',))}")
        return line

    def read(self, oid: str) -> bytes:
        """The content of an object id that must exist. Raises `CannotJudge` when it does not."""
        data = self.get(oid)
        if data is None:
            raise CannotJudge(
                f"object {oid} is not in this clone",
                way_out="Fetch it: git fetch --unshallow, or git fetch --refetch.",
            )
        return data

    def close(self) -> None:
        """Ends the processes that were started."""
        for process in (self._process, self._ids):
            if process is not None:
                process.finish()
        self._process = self._ids = None
