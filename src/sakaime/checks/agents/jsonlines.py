"""JSON files, as data with lines."""

from __future__ import annotations

from bisect import bisect_left

from sakaime.checks.agents.facts import Tree
from sakaime.text import jsontree


def parse(text: str) -> Tree:
    """Reads one value. Raises `ValueError` for anything that is not one."""
    read = jsontree.parse(text)
    ends = [at for at, char in enumerate(text) if char == "\n"]
    starts = {path: start for path, (start, _) in read.spans.items()} | read.keys
    return Tree(read.data, {path: bisect_left(ends, start) + 1 for path, start in starts.items()})
