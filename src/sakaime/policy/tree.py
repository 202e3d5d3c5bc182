"""The trees of patterns (`sakaime.policy.trim`): their groups, and what each branch needs."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.policy.needs import ALL, branches, condition, condition_of
from sakaime.policy.slots import SLOT, expand, phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from sakaime.policy.needs import Condition
    from sakaime.policy.trim import Branch, Group, Tree

    Words: TypeAlias = Mapping[str, tuple[str, ...]]

_EDGE = "|"
_SHORT = 16  # characters
_MOST_LITERALS = 200  # to ask for more takes longer than to compile the branch
_TOKEN = re.compile(
    rf"(?P<slot>{SLOT.pattern})"
    r"|(?P<flags>\(\?[a-zA-Z-]+\))|(?P<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?)|(?P<close>\))|(?P<bar>\|)|[^\\\[(){|]+|(?s:.)"
)
_REPEATED = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})\??")
_OPTIONAL = re.compile(r"[*?]|\{0[,}]")


def tree(pattern: str, words: Words) -> Tree:
    """The tree of a pattern that RE2 accepts; `words` are what its slots stand for."""
    flags = re.match(r"\(\?[a-zA-Z-]+\)", pattern)
    head = flags.group() if flags else ""
    reader = _Reader(pattern, len(head), words)
    try:
        branches = reader.branches()
    except _ScopedFlagsError:
        return (expand(pattern, dict(words)),)
    return _joined([head, (False, "(?:", ")", branches)] if len(branches) > 1 else [head, *branches[0][1]])


class _ScopedFlagsError(Exception):
    """Flags in the middle of a group change what follows, branches included: such a pattern stays whole."""


class _Reader:
    """Reads the groups of a pattern; what is inside of classes and escapes is text."""

    def __init__(self, pattern: str, at: int, words: Words) -> None:
        self.pattern = pattern
        self.at = at
        self.words = words
        self.known = branches(pattern, words)

    def branches(self) -> tuple[Branch, ...]:
        """The branches up to the closing bracket, or the end."""
        read: list[tuple[tuple[int, int], Tree]] = []
        while True:
            start = self.at
            parts = self.sequence()
            read.append(((start, self.at), parts))
            if not self.pattern.startswith("|", self.at):
                break
            self.at += 1
        alone = len(read) == 1 or _is_short(parts for _, parts in read)
        return tuple(
            (() if alone or place not in self.known else _literals(condition_of(self.known[place])), parts)
            for place, parts in read
        )

    def sequence(self) -> Tree:
        parts: list[str | Group] = []
        while (token := _TOKEN.match(self.pattern, self.at)) is not None:
            if token["close"] or token["bar"]:
                break
            self.at = token.end()
            if token["flags"]:
                raise _ScopedFlagsError
            if token["open"]:
                branches = self.branches()
                self.at += 1
                parts.append(self.repeated(token["open"], branches))
            elif token["slot"] and token["name"]:
                parts.append(self.repeated("(?:", _of_words(self.words[token["name"]])))
            else:
                parts.append(token.group())
        return _joined(parts)

    def repeated(self, head: str, branches: tuple[Branch, ...]) -> str | Group:
        sign = _REPEATED.match(self.pattern, self.at)
        tail = ")"
        if sign:
            self.at = sign.end()
            tail += sign.group()
        if _is_short(parts for _, parts in branches):
            return head + "|".join("".join(map(str, parts)) for _, parts in branches) + tail
        return (bool(sign and _OPTIONAL.match(sign.group())), head, tail, branches)


def _joined(parts: Iterable[str | Group]) -> Tree:
    """Parts with neighbouring text as one."""
    out: list[str | Group] = []
    for part in parts:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] += part
        else:
            out.append(part)
    return tuple(out)


def _is_short(branches: Iterable[Tree]) -> bool:
    """Whether a group is text alone, of so few characters that it is sooner compiled than looked through."""
    every = list(branches)
    texts = [part for branch in every for part in branch if isinstance(part, str)]
    return len(texts) == sum(map(len, every)) and sum(map(len, texts)) < _SHORT


@lru_cache(maxsize=4096)
def _of_words(entries: tuple[str, ...]) -> tuple[Branch, ...]:
    """The branches of a list of words, made once, so that rules share them."""
    return tuple((_literals(condition(phrase(entry), {})), tree(phrase(entry), {})) for entry in entries)


def _literals(needed: Condition) -> tuple[str, ...]:
    """Literals of which one stands where a condition holds; none where nothing is known, or too much."""
    found = tuple(dict.fromkeys(literal.strip(_EDGE) for literal in _heads(needed)))
    return found if len(found) <= _MOST_LITERALS and all(found) else ()


def _heads(needed: Condition) -> tuple[str, ...]:
    if not needed or not isinstance(needed[0], int):
        return needed
    kind, parts = needed
    if kind == ALL:
        return _heads(parts[0]) if parts else ()
    every = [_heads(part) for part in parts]
    return tuple(literal for heads in every for literal in heads) if all(every) else ()
