"""One large diff: `python benchmarks/diff.py [--runs 5]`.

Diffs of 25,000 to 200,000 added lines, made of some sources of this Python's library, again and again: as many
new files, and as one new file. `sakaime check --diff FILE` runs on them in turn, in a repository whose one
commit is empty. Prints CPU seconds and the peak of memory, both beside half as many lines: the time as a ratio, of
memory by how much it grew, in sizes of what the diff grew by. Rules, and RE2's automata for what they have met, grow
to a size of their own, which has nothing to do with the diff; so the limit is for the last doubling. The last rows are
of a file with one character beyond U+FFFF, for which Python keeps four bytes for every character of the text: figures
without a limit.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from itertools import cycle
from typing import IO

import peers
from measure import in_turn, machine, ratio, seconds, table

DOUBLING, MEMORY = 2.3, 3.0
LINES = (25_000, 50_000, 100_000, 200_000)
MANY, ONE, WIDE = "many files", "one file", "one file with an emoji"
_NEW = b"diff --git a/%s b/%s\nnew file mode 100644\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n"


def sources() -> Iterator[list[bytes]]:
    """The lines of modules of the library that are ASCII, of as many as the smallest diff takes, again and again."""
    paths = []
    for top, folders, names in os.walk(sysconfig.get_paths()["stdlib"]):
        folders[:] = sorted(name for name in folders if name not in ("site-packages", "dist-packages", "__pycache__"))
        paths += [os.path.join(top, name) for name in sorted(names) if name.endswith(".py")]
    random.Random(1).shuffle(paths)
    modules: list[list[bytes]] = []
    while sum(map(len, modules)) < LINES[0]:
        with open(paths.pop(), "rb") as file:
            data = file.read()
        if data.isascii() and data.endswith(b"\n") and len(data) < 400_000:
            modules.append(data.split(b"\n")[:-1])
    return cycle(modules)


def write_diff(path: str, shape: str, lines: int) -> int:
    """Writes a diff of so many added lines, never holding more than one module of it; gives its size."""
    with open(path, "wb") as file:
        if shape != MANY:
            _begin(file, b"src/big.py", lines)
        if shape == WIDE:
            file.write("+# \N{OPEN MAILBOX WITH RAISED FLAG}\n".encode())
            lines -= 1
        for number, module in enumerate(sources()):
            part = module[:lines]
            if shape == MANY:
                _begin(file, b"src/m%d.py" % number, len(part))
            file.write(b"".join(b"+" + line + b"\n" for line in part))
            lines -= len(part)
            if not lines:
                return file.tell()
    raise AssertionError("the sources have an end")


def _begin(file: IO[bytes], name: bytes, lines: int) -> None:
    file.write(_NEW % (name, name, name, lines))


def main() -> int:
    """Measures and prints; exit 1 where a ratio is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    shapes = [(shape, lines) for shape in (MANY, ONE, WIDE) for lines in (LINES if shape != WIDE else LINES[2:])]
    folder = tempfile.mkdtemp(prefix="sakaime-benchmark-")
    try:
        commit = ["-c", "user.name=b", "-c", "user.email=b@example.invalid", "commit", "-q", "--allow-empty", "-m", "b"]
        for arguments in (["init", "-q"], commit):
            subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)
        names = {f"{shape}, {lines:,}": os.path.join(folder, f"{n}.diff") for n, (shape, lines) in enumerate(shapes)}
        sizes = {name: write_diff(path, *what) for (name, path), what in zip(names.items(), shapes, strict=True)}
        used = in_turn(
            {name: peers.sakaime("check", "--diff", path) for name, path in names.items()},
            folder,
            options.runs,
            warmup=1,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # A child's peak begins with what this process had when it started the child.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if own >= min(one.peak for every in used.values() for one in every):
        raise RuntimeError("this process is larger than what it measures")
    rows, over = [], False
    for name, (shape, lines) in zip(sizes, shapes, strict=True):
        half = f"{shape}, {lines // 2:,}"
        doubled = ratio(used, name, half) if half in used else None
        peak, before = (max(one.peak for one in used[which]) for which in (name, half if half in used else name))
        grown = (peak - before) / (sizes[name] - sizes[half]) if half in used else None
        limited = shape != WIDE and lines == LINES[-1]
        over = (
            over or (doubled is not None and doubled > DOUBLING) or (limited and grown is not None and grown > MEMORY)
        )
        rows.append([
            shape,
            f"{lines:,}",
            f"{sizes[name] / 1e6:.1f}",
            f"{seconds(used[name]):.2f}",
            f"{doubled:.2f}" if doubled is not None else "",
            f"{peak / 1e6:.0f}",
            f"{grown:.2f}" if grown is not None else "",
            f"{MEMORY:.1f}" if limited else "",
        ])  # fmt: skip
    print(f"{machine(options.runs)}\n")
    head = ["a diff of", "added lines", "MB", "CPU s", f"x half the lines (at most {DOUBLING})", "peak MB"]
    print(table([*head, "growth over half the lines, x that of the diff", "at most"], rows))
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
