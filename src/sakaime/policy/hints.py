"""What a text must hold for a pattern of few words to match in it: whole words, where `sakaime.policy.needs` keeps the
beginnings of many.

Names of keys are lists such as `(?:api|signing|encryption)_?key`. By their first letters alone, `signing` and
`encryption` would be met in every second change; `signingkey` is not.
"""

from __future__ import annotations

import re

from sakaime.text.skeleton import skeleton

try:
    from re import _constants as ops  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as ops
    import sre_parse as parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_MOST = 4000  # strings that one part stands for
_FEW = 4  # characters of a class that are told apart


def literals(pattern: str) -> tuple[str, ...]:
    """Literals of which one is in the skeleton of every text that a pattern matches in; ("",) where none is certain."""
    try:
        found = _best(parser.parse(pattern))
    except (re.error, RecursionError, OverflowError):
        return ("",)
    return tuple(sorted(found)) if found else ("",)


def shortest(every: Iterable[str]) -> tuple[str, ...]:
    """Of some literals those that contain no other one."""
    kept: list[str] = []
    for literal in sorted({*every}, key=lambda one: (len(one), one)):
        if not any(shorter in literal for shorter in kept):
            kept.append(literal)
    return tuple(kept)


def _best(sequence: Iterable[Any]) -> set[str]:
    """Of the stretches of a sequence whose strings are few, the one that tells most; empty where none does."""
    runs: list[set[str]] = []
    run = {""}
    for item in sequence:
        exact = _exact(item)
        if exact is not None and len(run) * len(exact) <= _MOST:
            run = {before + after for before in run for after in exact}
            continue
        runs += [run, _inside(item)]
        run = exact if exact is not None else {""}
    runs.append(run)
    return max(({skeleton(one) for one in some} for some in runs), key=_worth, default=set())


def _worth(strings: set[str]) -> int:
    return min(map(len, strings), default=0)


def _exact(item: Any) -> set[str] | None:
    """The strings that a part can be, where they are few."""
    what, held = item
    if what is ops.LITERAL:
        return {chr(held)}
    if what is ops.AT:
        return {""}
    if what is ops.IN and len(held) <= _FEW and all(kind is ops.LITERAL for kind, _ in held):
        return {chr(code) for _, code in held}
    if what is ops.SUBPATTERN:
        return _whole(held[3])
    if what is ops.BRANCH:
        every = [_whole(branch) for branch in held[1]]
        return None if None in every else {one for some in every for one in some or ()}
    if what is ops.MAX_REPEAT and held[1] == 1:
        once = _whole(held[2])
        return None if once is None else once | ({""} if held[0] == 0 else set())
    return None


def _whole(sequence: Iterable[Any]) -> set[str] | None:
    run = {""}
    for item in sequence:
        exact = _exact(item)
        if exact is None or len(run) * len(exact) > _MOST:
            return None
        run = {before + after for before in run for after in exact}
    return run


def _inside(item: Any) -> set[str]:
    """What must be in a part that stands for more strings than can be listed."""
    what, held = item
    if what is ops.SUBPATTERN:
        return _best(held[3])
    if what is ops.BRANCH:
        every = [_best(branch) for branch in held[1]]
        return {one for some in every for one in some} if all(map(_worth, every)) else set()
    if what is ops.MAX_REPEAT and held[0] > 0:
        return _best(held[2])
    return set()
