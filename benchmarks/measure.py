"""Time and memory of whole commands, measured in turn, so that a machine's drift hits all of them alike."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple


class Command(NamedTuple):
    """Its words, the exit codes that mean that it did its work, and what it reads: no more than a pipe holds."""

    words: Sequence[str]
    allowed: tuple[int, ...] = (0, 1)
    stdin: bytes = b""


class Usage(NamedTuple):
    """User and system seconds of a command and everything it waited for; the most memory one of them had, in bytes."""

    seconds: float
    peak: int


def environment() -> dict[str, str]:
    """What a measured command gets: an installed package has its bytecode beside it, whatever the caller wants."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PRE_COMMIT", "PYTHON"))}


def usage(command: Command, cwd: str) -> Usage:
    """Runs a command to its end. Raises `RuntimeError` when it fails."""
    process = subprocess.Popen(
        command.words,
        cwd=cwd,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stderr is not None
    process.stdin.write(command.stdin)
    process.stdin.close()
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode not in command.allowed:
        words = " ".join(command.words[:5])
        raise RuntimeError(f"{words}: exit {process.returncode}: {said.decode(errors='replace')}")
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


def in_turn(
    commands: Mapping[str, Command],
    cwd: str | Mapping[str, str],
    runs: int,
    before_each: Callable[[int], None] = lambda _run: None,
    warmup: int = 2,
) -> dict[str, list[Usage]]:
    """Usage per command, `runs` of each, one after the other; `before_each` is called before every round."""
    used: dict[str, list[Usage]] = {name: [] for name in commands}
    for run in range(runs + warmup):
        before_each(run)
        for name, command in commands.items():
            taken = usage(command, cwd if isinstance(cwd, str) else cwd[name])
            if run >= warmup:
                used[name].append(taken)
    return used


def ratio(used: Mapping[str, list[Usage]], name: str, base: str) -> float:
    """The median, over the rounds, of one command's time divided by another's in the same round."""
    return statistics.median(a.seconds / b.seconds for a, b in zip(used[name], used[base], strict=True))


def seconds(used: list[Usage]) -> float:
    """The median time."""
    return statistics.median(one.seconds for one in used)


def machine(runs: int) -> str:
    """When and on what this was measured, and in how many rounds."""
    name = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), name)
    except OSError:
        pass
    python = f"Python {platform.python_version()}"
    return f"{time.strftime('%Y-%m-%d')}, {name}, {os.cpu_count()} cores, {python}, {runs} rounds"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A Markdown table, in which all columns but the first `words` hold figures."""
    lines = [head, ["---"] * words + ["---:"] * (len(head) - words), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
