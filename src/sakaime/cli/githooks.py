"""Plain git hooks, for those who have no hook manager."""

from __future__ import annotations

import os
import shlex
import sys

from sakaime.material import git
from sakaime.model import Record

_MARK = b"# sakaime hook"
_CALLS = {
    "pre-commit": "check",
    "pre-merge-commit": "check",
    "commit-msg": 'check --as commit-message --message "$1"',
}


class Hook(Record):
    """A hook to install: its file, its text, and in `instead` what somebody else's hook there must call."""

    path: str
    text: bytes
    instead: str = ""


def hooks(top: str) -> list[Hook]:
    """The hooks for the work tree at `top`, where git looks for them (core.hooksPath)."""
    folder = os.path.join(top, os.fsdecode(git.run(top, "rev-parse", "--git-path", "hooks").removesuffix(b"\n")))
    shared = _shared(top, folder)
    out = []
    for name, call in _CALLS.items():
        path = os.path.normpath(os.path.join(folder, name))
        instead = f"{_program()} {call} || exit $?" if shared or _foreign(path) else ""
        out.append(Hook(path, _text(name, call), instead))
    return out


def _shared(top: str, folder: str) -> bool:
    """Whether a folder of hooks belongs to more than this repository."""
    common = os.fsdecode(git.run(top, "rev-parse", "--git-common-dir").removesuffix(b"\n"))
    real = os.path.realpath(folder)
    homes = [os.path.realpath(home) for home in (top, os.path.join(top, common))]
    return not any(real == home or real.startswith(home + os.sep) for home in homes)


def _foreign(path: str) -> bool:
    if os.path.islink(path):
        return True
    try:
        with open(path, "rb") as file:
            return _MARK not in file.read(1 << 20)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _program() -> str:
    """This very sakaime as a shell says it. Its script, unlike `python -m`, imports nothing of the current folder."""
    script = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "sakaime")
    if os.access(script, os.X_OK):
        return shlex.quote(script)
    return f"{shlex.quote(os.path.abspath(sys.executable))} -I -m sakaime"


def _text(name: str, call: str) -> bytes:
    program = _program()
    file = shlex.split(program)[0]
    return f"""\
#!/bin/sh
{_MARK.decode()}: written by `sakaime init --git-hook`, which may write it again.
if [ ! -x {shlex.quote(file)} ]; then
    echo "sakaime: the program that the {name} hook calls is gone:" {shlex.quote(file)} >&2
    echo "  Install sakaime and run: sakaime init --git-hook (or delete the hook: $0)" >&2
    exit 1
fi
exec {program} {call}
""".encode("utf-8", "surrogateescape")
