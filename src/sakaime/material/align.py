"""Which lines of two texts are the same: in near-linear time, whatever the texts are.

`difflib` alone is quadratic where every other line changed, or where one line stands thousands of times;
an editor compares at every keystroke, and a text can be written to be slow. So the lines that stand once
on either side are paired first (as patience diff does), and `difflib` only sees the small gaps between.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

Range = tuple[int, int, int, int]  # a1, a2, b1, b2
_SMALL = 10_000  # a gap of at most so many pairs of lines is left to difflib
_DEEP = 50  # gaps inside gaps inside gaps: only in texts made for it


def changed(a: Sequence[bytes], b: Sequence[bytes]) -> list[Range]:
    """What differs, in order: lines a1 up to a2 of one text became b1 up to b2 of the other."""
    found, at_a, at_b = [], 0, 0
    for i, j in [*_pairs(a, b, 0, len(a), 0, len(b)), (len(a), len(b))]:
        if i > at_a or j > at_b:
            found.append((at_a, i, at_b, j))
        at_a, at_b = i + 1, j + 1
    return found


def _pairs(
    a: Sequence[bytes], b: Sequence[bytes], a1: int, a2: int, b1: int, b2: int, depth: int = 0
) -> Iterator[tuple[int, int]]:
    """Pairs of equal lines, ascending on both sides."""
    tail = []
    while a1 < a2 and b1 < b2 and a[a1] == b[b1]:
        yield a1, b1
        a1, b1 = a1 + 1, b1 + 1
    while a1 < a2 and b1 < b2 and a[a2 - 1] == b[b2 - 1]:
        a2, b2 = a2 - 1, b2 - 1
        tail.append((a2, b2))
    if a1 < a2 and b1 < b2:
        if (a2 - a1) * (b2 - b1) <= _SMALL:
            yield from _by_difflib(a, b, a1, a2, b1, b2)
        elif depth < _DEEP and (anchors := _once(a, b, a1, a2, b1, b2)):
            for i, j in [*anchors, (a2, b2)]:
                yield from _pairs(a, b, a1, i, b1, j, depth + 1)
                if i < a2:
                    yield i, j
                a1, b1 = i + 1, j + 1
        else:
            yield from _by_occurrence(a, b, a1, a2, b1, b2)
    yield from reversed(tail)


def _by_difflib(
    a: Sequence[bytes], b: Sequence[bytes], a1: int, a2: int, b1: int, b2: int
) -> Iterator[tuple[int, int]]:
    from difflib import SequenceMatcher

    for block in SequenceMatcher(None, a[a1:a2], b[b1:b2], autojunk=False).get_matching_blocks():
        for step in range(block.size):
            yield a1 + block.a + step, b1 + block.b + step


def _once(a: Sequence[bytes], b: Sequence[bytes], a1: int, a2: int, b1: int, b2: int) -> list[tuple[int, int]]:
    """The lines that stand once in either range."""
    in_a, in_b = Counter(a[a1:a2]), Counter(b[b1:b2])
    where = {b[j]: j for j in range(b1, b2) if in_b[b[j]] == 1}
    return _ascending([(i, where[a[i]]) for i in range(a1, a2) if in_a[a[i]] == 1 and a[i] in where])


def _by_occurrence(
    a: Sequence[bytes], b: Sequence[bytes], a1: int, a2: int, b1: int, b2: int
) -> Iterator[tuple[int, int]]:
    """The first of equal lines with the first, the second with the second, and so on."""
    where = {key: b1 + n for n, key in enumerate(_numbered(b[b1:b2]))}
    pairs = [(a1 + n, where[key]) for n, key in enumerate(_numbered(a[a1:a2])) if key in where]
    yield from _ascending(pairs)


def _numbered(lines: Sequence[bytes]) -> Iterator[Hashable]:
    seen: defaultdict[bytes, int] = defaultdict(int)
    for line in lines:
        seen[line] += 1
        yield line, seen[line]


def _ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, sorted by their first number, that ascends in the second as well."""
    ends: list[int] = []  # the least second number that a run of each length ends with
    last: list[int] = []  # and which pair that is
    before: list[int] = []
    for n, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        last[length : length + 1] = [n]
    run, n = [], last[-1] if last else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]
