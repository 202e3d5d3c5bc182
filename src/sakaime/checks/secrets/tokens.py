"""Tokens of services, known by their public parts, anywhere in a text."""

from __future__ import annotations

import binascii
import json
from bisect import bisect_right

from sakaime.model import Record
from sakaime.policy.checksum import github_checksum
from sakaime.policy.pattern import compile_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sakaime.policy.pattern import Pattern
    from sakaime.policy.rule import Rule

_BEFORE, _AFTER = 80, 5000  # characters around a public part that a token may take up
_PREFIX = 4  # of a token, at most so many characters are told
_EDGE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Token(Record):
    """A token in a text: which rule knows it, where it is, the public prefix that may be told, what was checked."""

    rule: Rule
    start: int
    end: int
    prefix: str
    checked: str = ""


class Tokens:
    """The rules about tokens, compiled as they are needed."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.held = [(text, rule) for rule in rules if rule.holds for text in rule.holds]
        self._compiled: dict[str, Pattern] = {}

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
        """The tokens that begin in a range of a text, in no order; no two at one place."""
        end = len(text) if end is None else end
        taken: list[tuple[int, int]] = []  # in order
        for held, rule in self.held:
            at = text.find(held, start, end)
            found = []
            while at >= 0:
                behind = at + len(held)
                before = bisect_right(taken, (at, len(text))) - 1
                if (before < 0 or taken[before][1] <= at) and (token := self._at(text, rule, held, at)):
                    found.append((token.start, token.end))
                    behind = max(behind, token.end)
                    yield token
                at = text.find(held, behind, end)
            if found:
                taken = sorted([*taken, *found])

    def _at(self, text: str, rule: Rule, held: str, at: int) -> Token | None:
        if rule.value not in self._compiled:
            self._compiled[rule.value] = compile_pattern(rule.value)
        # Where the public part is the beginning, nothing before it belongs to the token.
        first = at if rule.value.find(held) < 0 or not _inside(held) else max(0, at - _BEFORE)
        stretch = text[first : at + _AFTER]
        data = stretch.encode("utf-8", "surrogatepass")
        for found in self._compiled[rule.value].finditer(data):
            begin = first + len(data[: found.start()].decode("utf-8", "surrogatepass"))
            stop = begin + len(found.group().decode("utf-8", "surrogatepass"))
            if begin > at:
                return None
            if stop <= at:
                continue
            if (begin and text[begin - 1] in _EDGE and text[begin] in _EDGE) or _goes_on(text, stop):
                continue
            checked = _structure(rule.structure, text[begin:stop])
            if checked is None:
                continue
            prefix = held[:_PREFIX] if begin == at else ""
            return Token(rule, begin, stop, prefix, checked)
        return None


def _inside(held: str) -> bool:
    return held.startswith((".", ":")) or held == "T3BlbkFJ"


def _goes_on(text: str, stop: int) -> bool:
    return stop < len(text) and text[stop] in _EDGE and text[stop - 1] in _EDGE


def _structure(name: str, value: str) -> str | None:
    """What a check of the value's own structure says; None: it is no token of that kind."""
    if name == "jwt":
        try:
            head = json.loads(binascii.a2b_base64(value.split(".")[0].translate(_URL) + "=="))
        except (ValueError, binascii.Error, RecursionError):
            return None
        return (
            f"signed with {head['alg']}"[:40] if isinstance(head, dict) and isinstance(head.get("alg"), str) else None
        )
    if name == "github":
        return "its checksum is right" if github_checksum(value[4:-6]) == value[-6:] else ""
    return ""


_URL = {ord("-"): "+", ord("_"): "/"}
