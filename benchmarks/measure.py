"""CPU time of whole commands, two or more measured in turn, so that a machine's drift hits all of them alike."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence

Command = Sequence[str]


def cpu(command: Command, cwd: str, env: Mapping[str, str], allowed: tuple[int, ...] = (0, 1)) -> float:
    """User and system seconds of a command and everything it waited for. Raises `RuntimeError` when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, env=dict(env), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in allowed:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(
    commands: Mapping[str, Command],
    cwd: str,
    runs: int,
    before_each: Callable[[int], None] = lambda _run: None,
    warmup: int = 2,
) -> dict[str, list[float]]:
    """CPU seconds per command, `runs` of each, one after the other; `before_each` is called before every round."""
    # An installed package has its bytecode beside it; a checkout only where Python may write it.
    left_out = ("GIT_", "PRE_COMMIT", "PYTHON")
    env = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + warmup):
        before_each(run)
        for name, command in commands.items():
            taken = cpu(command, cwd, env)
            if run >= warmup:
                times[name].append(taken)
    return times


def ratio(times: dict[str, list[float]], name: str, base: str) -> float:
    """The median, over the rounds, of one command's time divided by another's in the same round."""
    return statistics.median(a / b for a, b in zip(times[name], times[base], strict=True))
