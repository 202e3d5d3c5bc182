"""Large criteria documents: `python benchmarks/criteria.py [--items 2000 6000 20000] [--runs 3]`.

A repository holds one document of so many items, as a list, a table, CODEOWNERS or settings; two hundred edits are
staged: items that went, that ask for less, that stand elsewhere. `sakaime check` is measured on each size in
turn, without the time that it takes on one of ten items. Ten times the items should take ten times the time.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

from measure import Command, in_turn, machine, table

LIMIT = 1.5  # times the growth of the items
EDITS = 200
SUBJECTS = ("query", "migration", "endpoint", "upload", "cookie", "webhook", "index", "lock", "container", "job")
ASKED = ("is bounded", "names its owner", "has a test for the failing path", "never opens a public port")


def sentence(number: int) -> str:
    """One of ever so many requirements, no two alike."""
    name = f"{SUBJECTS[number % 10]} {chr(97 + number // 10 % 26)}{number // 260}"
    return f"Check that every {name} {ASKED[number % 7 % 4]}."


def as_list(numbers: Sequence[int], weak: set[int]) -> str:
    """A Markdown list below a heading for every hundred."""
    lines = ["# Review", ""]
    for at, number in enumerate(numbers):
        if at % 100 == 0:
            lines += ["", f"## Part {at // 100}", ""]
        lines.append(
            "- " + sentence(number).replace("Check that", "Consider whether" if number in weak else "Check that")
        )
    return "\n".join(lines) + "\n"


def as_table(numbers: Sequence[int], weak: set[int]) -> str:
    """One table."""
    rows = [f"| V-{number} | {sentence(number)} | {'nit' if number in weak else 'major'} |" for number in numbers]
    return "\n".join(["# Review", "", "| Id | Question | Severity |", "|---|---|---|", *rows]) + "\n"


def as_owners(numbers: Sequence[int], weak: set[int]) -> str:
    """A line for every folder."""
    return "".join(f"/src/{n % 97}/{n}/ {'' if n in weak else f'@org/team-{n % 50}'}\n" for n in numbers)


def as_settings(numbers: Sequence[int], weak: set[int]) -> str:
    """Instructions for paths, as CodeRabbit takes them: each is three items, a path, a key, a sentence."""
    lines = ["reviews:", "  path_instructions:"]
    for number in numbers[: len(numbers) // 3]:
        text = sentence(number).replace("Check that", "Consider whether" if number in weak else "Check that")
        lines += [f"    - path: 'src/{number}/**'", f"      instructions: {text}"]
    return "\n".join(lines) + "\n"


SHAPES: dict[str, tuple[str, Callable[[Sequence[int], set[int]], str]]] = {
    "a Markdown list": ("REVIEW.md", as_list),
    "a Markdown table": ("REVIEW.md", as_table),
    "CODEOWNERS": ("CODEOWNERS", as_owners),
    "YAML settings": (".coderabbit.yaml", as_settings),
}


def stage(folder: str, path: str, write: Callable[[Sequence[int], set[int]], str], count: int) -> int:
    """A repository with `count` items in the document at `path`, and edits staged; gives its size in bytes."""
    numbers = list(range(count))
    draw = random.Random(1)
    edited = draw.sample(numbers, min(EDITS, count // 5))
    gone, weak, moved = set(edited[::3]), set(edited[1::3]), edited[2::3]
    after = [number for number in numbers if number not in gone and number not in set(moved)]
    for number in moved:
        after.insert(draw.randrange(len(after)), number)
    target = os.path.join(folder, path)
    for texts in (write(numbers, set()), write(after, weak)):
        with open(target, "w") as file:
            file.write(texts)
        if not os.path.isdir(os.path.join(folder, ".git")):
            who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
            for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "before"]):
                subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True, capture_output=True)
    return os.path.getsize(target)


def main() -> int:
    """Measures, prints the table, and gives 1 where growth is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[2000, 6000, 20000])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print(machine(options.runs), end="\n\n")
    rows = []
    failed = False
    with tempfile.TemporaryDirectory() as top:
        for shape, (path, write) in SHAPES.items():
            commands: dict[str, Command] = {}
            folders: dict[str, str] = {}
            sizes: dict[str, int] = {}
            for count in (10, *options.items):
                name = str(count)
                folders[name] = os.path.join(top, shape.replace(" ", "-"), name)
                os.makedirs(folders[name])
                sizes[name] = stage(folders[name], path, write, count)
                commands[name] = Command([sys.executable, "-m", "sakaime", "check", "--format", "json"])
            used = in_turn(commands, folders, options.runs, warmup=1)
            net = {
                count: statistics.median(
                    a.seconds - b.seconds for a, b in zip(used[str(count)], used["10"], strict=True)
                )
                for count in options.items
            }
            first = options.items[0]
            for count in options.items:
                growth = net[count] / net[first] / (count / first)
                failed = failed or growth > LIMIT
                size = f"{sizes[str(count)] / 1e6:.2f}"
                rows.append([shape, f"{count}", size, f"{net[count]:.2f}", f"{growth:.2f}", f"{LIMIT}"])
    print(table(["document", "items", "MB", "CPU s", "time per item, of the first row", "at most"], rows))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
