"""A whole tree against ripgrep: `python benchmarks/tree.py [--megabytes 50] [--runs 3] [--corpus DIR]`.

The tree is made of text files of this Python's own library and packages (or of DIR), up to the size named,
in a git repository of its own. `sakaime check --all` with the default rules is measured in turn with
`rg -j1 -c -f PATTERNS`, where PATTERNS holds every pattern of the English rules, one a line, as `all` and `any`
give them with the words filled in; with those of all nine languages it does not come to an end. rg finds lines
where one pattern matches; sakaime judges, in nine languages, where they meet. rg and detect-secrets, which are
slower by far, get a sample, and are compared by the byte; typos reads the same tree.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import peers
from measure import in_turn, machine, ratio, seconds, table

LIMIT = 1.0
GREP_BYTES = 500_000
TEXT = {".py", ".md", ".rst", ".txt", ".json", ".js", ".ts", ".c", ".h", ".yml", ".yaml", ".toml", ".sh", ".html"}


def make_tree(folder: str, sources: list[str], megabytes: int) -> tuple[int, int]:
    """Copies text files into a repository in `folder`; gives (files, bytes)."""
    found = []
    for source in sources:
        for top, _, names in os.walk(source):
            found += [Path(top, name) for name in names if Path(name).suffix in TEXT]
    found.sort()
    random.Random(1).shuffle(found)
    total = count = 0
    for path in found:
        try:
            data = path.read_bytes()
            data.decode()
        except (OSError, UnicodeDecodeError):
            continue
        if path.is_symlink() or not 200 < len(data) < 400_000 or b"\0" in data:
            continue
        target = Path(folder, f"{count % 100}", f"{count}-{path.name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        total, count = total + len(data), count + 1
        if total >= megabytes << 20:
            break
    for command in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", folder, *command], check=True, capture_output=True)
    return count, total


def make_lines(path: str, sources: list[str], size: int) -> int:
    """Writes a file of at most so many bytes of those texts; gives its size."""
    parts = sorted(found for source in sources for found in Path(source).rglob("*.py") if found.is_file())
    random.Random(1).shuffle(parts)
    text = b"".join(found.read_bytes()[:2000] for found in parts[: size // 1000])[:size]
    Path(path).write_bytes(text)
    return len(text)


def measured(
    folder: str, sources: list[str], megabytes: int, sample: int, runs: int
) -> tuple[str, list[list[str]], bool]:
    """What was measured, the rows, and whether ours is above its limit."""
    tree, part, few = (os.path.join(folder, name) for name in ("tree", "sample", "lines.txt"))
    files, size = make_tree(tree, sources, megabytes)
    _, little = make_tree(part, sources, min(sample, megabytes))
    listed = os.path.join(folder, "patterns.txt")
    rules, patterns = peers.write_patterns(tree, listed)
    lines = make_lines(few, sources, GREP_BYTES)
    ours, grep = "`sakaime check --all`", f"`rg -j1 -c -f PATTERNS` of {lines / 1e6:.2f} MB of it"
    scan = f"`detect-secrets scan` of {little / 1e6:.1f} MB of it"
    commands = {
        ours: peers.sakaime("check", "--all"),
        grep: peers.rg(listed, few),
        "`typos -j1`": peers.typos("."),
        scan: peers.secrets_scan(),
    }
    where = {name: part if name == scan else tree for name in commands}
    used = in_turn(peers.installed(commands), where, runs, warmup=1)
    rows = []

    def per_byte(name: str) -> float:
        """How long a program takes for as much text, in times of rg."""
        read = {scan: little, grep: lines}.get(name, size)
        return ratio(used, name, grep) * lines / read

    for name in commands:
        if name in used:
            taken, read = seconds(used[name]), {scan: little, grep: lines}.get(name, size)
            figures = [f"{taken:.2f}", f"{read / 1e6 / taken:.3f}", f"{per_byte(name):.3f}" if grep in used else ""]
        else:
            figures = [peers.ABSENT, "", ""]
        rows.append([name, *figures, f"{LIMIT:.1f}" if name == ours else ""])
    what = f"{files} files, {size / 1e6:.1f} MB, {rules} rules, {patterns} patterns"
    return what, rows, grep in used and per_byte(ours) > LIMIT


def main() -> int:
    """Measures and prints; exit 1 where the ratio is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--sample", type=int, default=2, metavar="MEGABYTES", help="what detect-secrets gets")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--corpus", action="append", metavar="DIR")
    options = parser.parse_args()
    sources = options.corpus or [sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]]
    folder = tempfile.mkdtemp(prefix="sakaime-benchmark-")
    try:
        what, rows, over = measured(folder, sources, options.megabytes, options.sample, options.runs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{machine(options.runs)}; {what}\n")
    print(table(["whole tree", "CPU s", "MB/s", "x rg", "at most"], rows))
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
