"""Which items of a text are which of its translation: by their order, and by what no translation changes."""

from __future__ import annotations

import math
import re

from sakaime.checks.criteria.item import HEADING
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sakaime.checks.criteria.item import Item

_MOST = 120  # items a side that are aligned; the time is that of both numbers multiplied
_LEAST_LEFT = 0.6  # the share of the items that are still there: of what is left of less, nothing is certain
_GAP = -0.4
_SAME, _OTHER_KIND = 1.0, 0.7
_SHARED, _MOST_SHARED, _APART = 1.0, 2.0, -1.2
_KEPT = 0.4
_COLUMNS, _STEP = 8, 16  # columns of a row, and letters of a word, that are looked at
_LENGTH, _MOST_LENGTH = 0.6, 0.9
# Numbers, paths, code and names: a run of ASCII in another script, or one that no word of a language looks like.
_ANCHOR = late(r"\d+(?:[.,]\d+)*|[A-Za-z_][\w./-]*[\w/]", re.A)
_CODE = late(r"[\d_./]|[a-z][A-Z]|\A[A-Z]{2,}\Z")
_WIDE = 2.5  # how many letters a character of a script without blanks says


def aligned(old: Sequence[Item], new: Sequence[Item], known: Sequence[tuple[Item, Item]] = ()) -> list[tuple[int, int]]:
    """The places (old, new) of items that are translations of each other, in order; none where too little is left.
    `known` are those that are paired already.

    The best alignment of both sequences (Needleman and Wunsch, 1970).
    """
    if not old or not new or max(len(old), len(new)) > _MOST or len(new) < _LEAST_LEFT * len(old):
        return []
    found = _best(old, new, {})
    steps = _steps([*known, *((old[one], new[other]) for one, other in found)])
    return _best(old, new, steps) if steps else found


def _best(old: Sequence[Item], new: Sequence[Item], steps: Mapping[tuple[int, str], str]) -> list[tuple[int, int]]:
    sides = [[(_anchors(item.text), _length(item.text)) for item in items] for items in (old, new)]
    usual = sum(length for _, length in sides[1]) / len(new) / (sum(length for _, length in sides[0]) / len(old))
    best = [[_GAP * other for other in range(len(new) + 1)]]
    for one, item in enumerate(old, 1):
        row = [_GAP * one]
        for other, its in enumerate(new, 1):
            pair = best[-1][other - 1] + _score(item, its, sides[0][one - 1], sides[1][other - 1], usual)
            pair += _steady(item, its, steps) if steps else 0.0
            row.append(max(pair, best[-1][other] + _GAP, row[-1] + _GAP))
        best.append(row)
    found: list[tuple[int, int]] = []
    one, other = len(old), len(new)
    while one and other:
        if best[one][other] == best[one - 1][other] + _GAP:
            one -= 1
        elif best[one][other] == best[one][other - 1] + _GAP:
            other -= 1
        else:
            one, other = one - 1, other - 1
            found.append((one, other))
    return found[::-1]


def _steps(pairs: Sequence[tuple[Item, Item]]) -> dict[tuple[int, str], str]:
    """By column, what a word that stands there in many rows (a level, a kind) became in most of them."""
    count: dict[tuple[int, str], dict[str, int]] = {}
    for item, its in pairs:
        theirs = dict(_columns(its))
        for column, cell in _columns(item):
            if column in theirs:
                became = count.setdefault((column, cell), {})
                became[theirs[column]] = became.get(theirs[column], 0) + 1
    found: dict[tuple[int, str], str] = {}
    for said, became in count.items():
        most = max(became, key=lambda word: became[word])
        if became[most] > 1 and 2 * became[most] > sum(became.values()):
            found[said] = most
    return found


def _columns(item: Item) -> list[tuple[int, str]]:
    return [(at, cell) for at, (_, cell) in enumerate(item.cells[:_COLUMNS]) if at and 0 < len(cell) <= _STEP]


def _steady(item: Item, its: Item, steps: Mapping[tuple[int, str], str]) -> float:
    """Whether two rows say the same as the others do in the columns of few words."""
    theirs = dict(_columns(its))
    became = [(steps[said], theirs[said[0]]) for said in _columns(item) if said in steps and said[0] in theirs]
    return sum(_KEPT if one == other else _APART for one, other in became)


def _score(
    item: Item, its: Item, mine: tuple[frozenset[str], float], theirs: tuple[frozenset[str], float], usual: float
) -> float:
    if (item.kind == HEADING) != (its.kind == HEADING):
        return 2 * _GAP - 1
    score = _SAME if item.kind == its.kind and len(item.headings) == len(its.headings) else _OTHER_KIND
    if shared := len(mine[0] & theirs[0]):
        score += min(_SHARED * shared, _MOST_SHARED)
    elif mine[0] and theirs[0]:
        score += _APART
    return score - min(_MOST_LENGTH, _LENGTH * abs(math.log(theirs[1] / (mine[1] * usual))))


def _anchors(text: str) -> frozenset[str]:
    dense = not text.isascii() and sum(char > "\u1100" for char in text) * 3 > len(text)
    return frozenset(found.casefold() for found in _ANCHOR.findall(text) if dense or _CODE.search(found))


def _length(text: str) -> float:
    return 1.0 + sum(_WIDE if char > "\u1100" else 1.0 for char in text)
