"""A whole tree against ripgrep: `python benchmarks/tree.py [--megabytes 50] [--runs 3] [--corpus DIR]`.

The tree is made of text files of this Python's own library and packages (or of DIR), up to the size named,
in a git repository of its own. `sakaime check --all` with the default rules is measured in turn with
`rg -j1 -c -f LIST`, where LIST holds every pattern of those rules, one a line, as `all` and `any` give
them with the words filled in. rg finds lines where one pattern matches; sakaime judges where they meet.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from measure import in_turn, ratio

from sakaime.cli.selection import Selection, select

LIMIT = 1.0
TEXT = {".py", ".md", ".rst", ".txt", ".json", ".js", ".ts", ".c", ".h", ".yml", ".yaml", ".toml", ".sh", ".html"}


def make_tree(folder: str, sources: list[str], megabytes: int) -> tuple[int, int]:
    """Copies text files into a repository in `folder`; gives (files, bytes)."""
    found = []
    for source in sources:
        for top, _, names in os.walk(source):
            found += [Path(top, name) for name in names if Path(name).suffix in TEXT]
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
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
        total, count = total + len(data), count + 1
        if total >= megabytes << 20:
            break
    for command in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", folder, *command], check=True, capture_output=True)
    return count, total


def main() -> int:
    """Measures and prints; exit 1 where the ratio is above its limit, 2 where there is no rg."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--corpus", action="append", metavar="DIR")
    options = parser.parse_args()
    if shutil.which("rg") is None:
        print("there is no rg on PATH (Debian: apt-get install ripgrep)", file=sys.stderr)
        return 2
    folder = tempfile.mkdtemp(prefix="sakaime-benchmark-")
    try:
        stdlib, packages = sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]
        files, size = make_tree(folder, options.corpus or [stdlib, packages], options.megabytes)
        before = os.getcwd()
        os.chdir(folder)
        rules = select(Selection()).policy.every_rule()
        os.chdir(before)
        patterns = [pattern for rule in rules for pattern in (*rule.all, *rule.any)]
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
            listed.write("\n".join(patterns) + "\n")
            listed.flush()
            commands = {
                "check": [os.path.join(os.path.dirname(sys.executable), "sakaime"), "check", "--all"],
                "rg": ["rg", "-j1", "-c", "--no-messages", "-f", listed.name, "."],
            }
            times = in_turn(commands, folder, options.runs, warmup=1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = ratio(times, "check", "rg")
    print(
        f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {platform.machine()}, {options.runs} rounds"
    )
    print(f"{files} files, {size / 1e6:.1f} MB, {len(rules)} rules, {len(patterns)} patterns")
    for name, taken in times.items():
        print(f"{name:8} {min(taken):8.2f} s CPU, {size / 1e6 / min(taken):7.1f} MB/s")
    print(f"ratio    {found:8.2f}, at most {LIMIT}")
    return int(found > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
