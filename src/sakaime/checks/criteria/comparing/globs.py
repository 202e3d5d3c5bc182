"""Patterns of paths: whether one holds all that another one does, as far as their text tells."""

from __future__ import annotations

import re

from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PIECES = late(r"\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)
_EVERYTHING = frozenset(("*", "**", "**/*", "/", "/**", "/*", "./**", "."))
_ACROSS = ("/", "**", "**/")  # what no single sign stands for
_LONGEST = 300
_BRACES = late(r"\{([^{}]{0,200})\}")
_MOST = 64  # patterns without braces that one with braces may stand for


def covers(wide: str, narrow: str) -> bool:
    """Whether a pattern holds what another one holds: `**/*.py` holds `docs/*.py`, `/src/` holds `/src/db/`.

    The states of the pattern are followed side by side, so the time is that of both lengths multiplied.
    """
    wide, narrow = (pattern.strip().lstrip("!").strip() for pattern in (wide, narrow))
    if "{" in wide or "{" in narrow:
        wides = alternatives(wide)
        return all(any(covers(one, other) for one in wides) for other in alternatives(narrow))
    if wide == narrow or wide in _EVERYTHING:
        return True
    if not wide or not narrow or narrow in _EVERYTHING or max(len(wide), len(narrow)) > _LONGEST:
        return False
    wide, narrow = (f"{pattern}**" if pattern.endswith("/") else pattern for pattern in (wide, narrow))
    pieces = _PIECES.findall(wide)
    states = _skip({0}, pieces)
    for char in _PIECES.findall(narrow):
        reached = set()
        for state in states:
            if state == len(pieces):
                continue
            piece = pieces[state]
            if piece == "**" or (piece == "*" and char not in _ACROSS):
                reached.add(state)
            elif piece == "**/":
                reached.add(state)
                if char in ("/", "**/"):
                    reached.add(state + 1)
            elif piece == char or (piece == "?" and char not in _ACROSS and char != "*"):
                reached.add(state + 1)
        states = _skip(reached, pieces)
        if not states:
            return False
    return len(pieces) in states


def held(wide: Sequence[str], narrow: str) -> bool:
    """Whether some patterns hold together what one with braces does."""
    return all(any(covers(one, part) for one in wide) for part in alternatives(narrow))


def alternatives(pattern: str) -> list[str]:
    """The patterns that one with braces stands for, without braces; those beyond the most as they are."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        one = waiting.pop()
        found = _BRACES.search(one)
        if found is None or len(done) + len(waiting) >= _MOST:
            done.append(one.replace("{", "").replace("}", ""))
        else:
            waiting += [f"{one[: found.start()]}{part}{one[found.end() :]}" for part in found[1].split(",")]
    return done


def _skip(states: set[int], pieces: list[str]) -> set[int]:
    for state in sorted(states):
        while state < len(pieces) and pieces[state] in ("**/", "**", "*"):
            state += 1
            states.add(state)
    return states


def is_pattern(text: str) -> bool:
    """Whether a value reads as a pattern of paths."""
    return " " not in text.strip() and any(sign in text for sign in "*/")
