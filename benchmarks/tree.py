"""A whole tree against ripgrep: `python benchmarks/tree.py [--megabytes 50] [--runs 3] [--corpus DIR]`.

The tree is made of text files of this Python's own library and packages (or of DIR), up to the size named,
in a git repository of its own. `sakaime check --all` with the default rules is measured in turn with
`rg -j1 -c -f PATTERNS`, where PATTERNS holds every pattern of those rules, one a line, as `all` and `any`
give them with the words filled in. rg finds lines where one pattern matches; sakaime judges where they
meet. typos reads the same tree; detect-secrets, which is slower by far, a sample of it.
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


def measured(
    folder: str, sources: list[str], megabytes: int, sample: int, runs: int
) -> tuple[str, list[list[str]], bool]:
    """What was measured, the rows, and whether ours is above its limit."""
    tree, part = os.path.join(folder, "tree"), os.path.join(folder, "sample")
    files, size = make_tree(tree, sources, megabytes)
    _, little = make_tree(part, sources, min(sample, megabytes))
    rules, patterns = peers.patterns(tree)
    listed = os.path.join(folder, "patterns.txt")
    Path(listed).write_text("\n".join(patterns) + "\n", encoding="utf-8")
    ours, grep = "`sakaime check --all`", "`rg -j1 -c -f PATTERNS`"
    scan = f"`detect-secrets scan` of {little / 1e6:.1f} MB of it"
    commands = {
        ours: peers.sakaime("check", "--all"),
        grep: peers.rg(listed, "."),
        "`typos -j1`": peers.typos("."),
        scan: peers.secrets_scan(),
    }
    where = {name: part if name == scan else tree for name in commands}
    used = in_turn(peers.installed(commands), where, runs, warmup=1)
    rows = []
    for name in commands:
        if name in used:
            taken, read = seconds(used[name]), little if name == scan else size
            compared = f"{ratio(used, name, grep):.2f}" if grep in used and name != scan else ""
            figures = [f"{taken:.2f}", f"{read / 1e6 / taken:.1f}", compared]
        else:
            figures = [peers.ABSENT, "", ""]
        rows.append([name, *figures, f"{LIMIT:.1f}" if name == ours else ""])
    what = f"{files} files, {size / 1e6:.1f} MB, {rules} rules, {len(patterns)} patterns"
    return what, rows, grep in used and ratio(used, ours, grep) > LIMIT


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
