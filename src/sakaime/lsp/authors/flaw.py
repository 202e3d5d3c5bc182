"""Which part of a pattern RE2 refuses. It names the part, and not the place."""

from __future__ import annotations

import re

from sakaime.policy.pattern import PatternError, compile_pattern
from sakaime.policy.slots import SLOT

_MOST = 50  # places that are tried
_BRACKETS = re.compile(r"(?s)\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|(?P<bracket>[()])")


def flaw(entry: str) -> tuple[int, int] | None:
    """Where in a pattern, or in an entry of words, the part is that is refused; None where it is not to be told."""
    skipped = 3 if entry.startswith("re:") else 0
    found = _flaw(entry[skipped:])
    return found and (found[0] + skipped, found[1] + skipped)


def _flaw(pattern: str) -> tuple[int, int] | None:
    said = _refused(pattern)
    if said is None:
        return None
    what, _, part = said.partition(": ")
    if what in ("missing )", "unexpected )"):
        return _odd_bracket(pattern)
    if what.startswith("trailing"):
        return len(pattern) - 1, len(pattern)
    at = pattern.find(part) if part else -1
    for _ in range(_MOST):
        if at < 0:
            break
        # RE2 reads from the left: cut behind the right place, the pattern is refused in the same words.
        if _refused(pattern[: at + len(part)]) == said:
            return at, at + len(part)
        at = pattern.find(part, at + 1)
    at = pattern.rfind(part) if part else -1
    return (at, at + len(part)) if at >= 0 else None


def _refused(pattern: str) -> str | None:
    """What RE2 has to say against a pattern, whose words are taken to be in order."""
    try:
        compile_pattern(SLOT.sub(lambda slot: slot.group() if slot["name"] is None else "(?:w)", pattern))
    except PatternError as error:
        return str(error)
    except UnicodeEncodeError:
        return None
    return None


def _odd_bracket(pattern: str) -> tuple[int, int] | None:
    """The bracket that closes none, or the last one that is not closed."""
    opened = []
    for found in _BRACKETS.finditer(pattern):
        if found["bracket"] == "(":
            opened.append(found.start())
        elif found["bracket"] == ")":
            if not opened:
                return found.start(), found.end()
            opened.pop()
    return (opened[-1], opened[-1] + 1) if opened else None
