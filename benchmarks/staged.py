"""The staged check against the start of the interpreter: `python benchmarks/staged.py [--runs N]`.

Three repositories: seven short source files with twelve added lines; seven modules of this Python's library, long
ones among them, with fourteen; and the deploy-kit pull request (YAML and a document of review criteria). Before every
round one byte of what is staged is changed, so that nothing about the change can be kept; the compiled policy is warm.
Peers get the staged files by name, in the same rounds. Prints CPU time, the ratios, and the limits of ours.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable

import peers
from measure import Command, in_turn, machine, ratio, seconds, table

from sakaime.cli.demo import make_repository

BASE, OURS = "`python -c pass`", "`sakaime check`"
LIMITS = {"7 source files, 12 added lines": 3.0, "7 modules, 14 added lines": 8.0, "deploy-kit": 8.0}
MODULES = ("argparse.py", "bisect.py", "csv.py", "textwrap.py", "uuid.py", "http/client.py", "json/decoder.py")

# path: (text before, lines added)
FILES = {
    "src/app/cache.py": (
        "class Cache:\n    def __init__(self, size):\n        self.size = size\n",
        ["        self.hits = 0", "        self.misses = 0"],
    ),
    "src/app/server.py": (
        "def serve(port):\n    # open the socket and wait\n    return port\n",
        ["def stop(port):", "    return -port"],
    ),
    "src/web/index.ts": (
        "export const title = 'shop';\n",
        ["export const limit = 20; // items on a page", "export const retries = 3;"],
    ),
    "src/web/cart.ts": (
        "export function total(items: number[]) {\n  return items.length;\n}\n",
        ["// rounds to whole cents", "export const round = Math.round;"],
    ),
    "lib/parse.go": (
        "package lib\n\nfunc Parse(s string) int { return len(s) }\n",
        ["func Size(s string) int { return len(s) + 1 }"],
    ),
    "lib/store.rs": (
        "pub fn store(key: &str) -> usize { key.len() }\n",
        ["/// Removes a key and tells whether it was there.", "pub fn remove(key: &str) -> bool { key.is_empty() }"],
    ),
    "scripts/run.sh": ("#!/bin/sh\nset -eu\n", ["exec python -m app"]),
}


def _git(folder: str, *args: str) -> None:
    identity = ("-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *identity, *args], check=True, capture_output=True)


def _write(folder: str, path: str, text: str) -> None:
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def seven_files(folder: str) -> Callable[[int], None]:
    """Makes the repository; the answer stages the change anew with another byte."""
    _git(folder, "init", "-q", "-b", "main")
    for path, (text, _) in FILES.items():
        _write(folder, path, text)
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "base")

    def stage(run: int) -> None:
        for path, (text, added) in FILES.items():
            _write(folder, path, text + "\n".join(added) + "\n")
        _write(folder, "scripts/run.sh", f"#!/bin/sh\nset -eu\nexec python -m app{run % 10}\n")
        _git(folder, "add", "-A")

    return stage


def seven_modules(folder: str) -> Callable[[int], None]:
    """The same, with two lines added to each of seven modules of the library."""
    library = sysconfig.get_paths()["stdlib"]
    _git(folder, "init", "-q", "-b", "main")
    for name in MODULES:
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        shutil.copyfile(os.path.join(library, name), os.path.join(folder, name))
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "-m", "base")

    def stage(run: int) -> None:
        for name in MODULES:
            with open(os.path.join(library, name), encoding="utf-8") as file:
                lines = file.readlines()
            lines[len(lines) // 2 : len(lines) // 2] = ["# what a caller may rely on\n", f"WIDTH = {run % 10}\n"]
            _write(folder, name, "".join(lines))
        _git(folder, "add", "-A", "-f")

    return stage


def deploy_kit(folder: str) -> Callable[[int], None]:
    """Makes the repository; the answer stages the change anew with another byte."""
    make_repository(folder)

    def stage(run: int) -> None:
        _write(folder, ".nvmrc", f"{20 + run % 10}\n")
        _git(folder, "add", "-A")

    return stage


def staged_files(folder: str) -> list[str]:
    """The files that a hook would be called with."""
    listed = ["git", "-C", folder, "diff", "--cached", "--name-only", "--diff-filter=d", "-z"]
    return [os.fsdecode(name) for name in subprocess.check_output(listed).split(b"\0")[:-1]]


def measured(name: str, make: Callable[[str], Callable[[int], None]], runs: int) -> tuple[list[list[str]], bool]:
    """The rows of one repository, and whether ours is above its limit."""
    folder = tempfile.mkdtemp(prefix="sakaime-benchmark-")
    try:
        stage = make(folder)
        stage(0)
        files, listed = staged_files(folder), os.path.join(folder, ".git", "patterns.txt")
        peers.write_patterns(folder, listed)
        commands = {
            BASE: Command([sys.executable, "-c", "pass"]),
            OURS: peers.sakaime("check"),
            "`typos FILES`": peers.typos(*files),
            "`rg -f PATTERNS FILES`": peers.rg(listed, *files),
            "`detect-secrets-hook FILES`": peers.secrets_hook(*files),
        }
        used = in_turn(peers.installed(commands), folder, runs, stage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = []
    for command in commands:
        if command in used:
            figures = [f"{seconds(used[command]) * 1000:.0f}", f"{ratio(used, command, BASE):.2f}"]
        else:
            figures = [peers.ABSENT, ""]
        rows.append([name, command, *figures, f"{LIMITS[name]:.1f}" if command == OURS else ""])
    return rows, ratio(used, OURS, BASE) > LIMITS[name]


def main() -> int:
    """Measures and prints; exit 1 where a ratio is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=21)
    options = parser.parse_args()
    makes = (seven_files, seven_modules, deploy_kit)
    results = [measured(name, make, options.runs) for name, make in zip(LIMITS, makes, strict=True)]
    print(f"{machine(options.runs)}\n")
    rows = [row for found, _ in results for row in found]
    print(table(["staged", "command", "CPU ms", f"x {BASE}", "at most"], rows, words=2))
    return int(any(over for _, over in results))


if __name__ == "__main__":
    sys.exit(main())
