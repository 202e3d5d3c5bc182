"""Stretches of a text in which several things come together."""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Range = tuple[int, int]


def innermost(ranges: Iterable[Range]) -> list[Range]:
    """Ranges without those that hold another one: starts and ends ascend, and no window is lost."""
    kept: list[Range] = []
    for start, end in sorted(set(ranges), key=lambda found: (found[0], -found[1])):
        while kept and kept[-1][1] >= end:
            kept.pop()
        kept.append((start, end))
    return kept


def shortest_windows(
    groups: Sequence[Sequence[Range]], within: int, vetoes: Sequence[Range] = (), reach: int = 0
) -> list[Range]:
    """Shortest stretches, at most `within` long, that hold one range of every group; of those that overlap,
    the shortest. Every group is not empty, and its starts and its ends ascend; so is the answer, which may be empty.
    A stretch with one of `vetoes` (of the same order) in it, or no further than `reach` from it, is none.

    The sweep is the smallest-range-covering-k-lists algorithm: advance the list whose current element
    starts first.
    """
    positions = [0] * len(groups)
    found: list[Range] = []
    while True:
        current = [group[at] for group, at in zip(groups, positions, strict=True)]
        start, end = min(c[0] for c in current), max(c[1] for c in current)
        if end - start <= within and not _near(vetoes, start - reach, end + reach):
            if found and start < found[-1][1]:
                if end - start < found[-1][1] - found[-1][0]:
                    found[-1] = (start, end)
            else:
                found.append((start, end))
        first = min(range(len(groups)), key=lambda n: current[n])
        positions[first] += 1
        if positions[first] == len(groups[first]):
            return found


def _near(ranges: Sequence[Range], start: int, end: int) -> bool:
    """Whether one of some ranges, whose ends ascend, touches a stretch."""
    at = bisect_left(ranges, start, key=lambda found: found[1])
    return at < len(ranges) and ranges[at][0] <= end
