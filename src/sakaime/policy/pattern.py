"""Patterns: words filled in, checked by RE2, and the literals that a text must hold for them to match.

The literals come from the pattern's syntax tree, as in R. Cox, "Regular Expression Matching with a
Trigram Index" (2012): for each part the exact strings it can match, where they are few, else a set of
strings of which at least one must occur. They are compared on skeletons (`sakaime.text.chars`), so
everything but letters and digits counts as empty.
"""

from __future__ import annotations

import re

import re2

from sakaime.model import Record
from sakaime.text.chars import skeleton

# RE2 spends memory per program; a set of phrases as long as a pack may hold needs more than its default.
_MAX_MEM = 64 << 20
_MOST_EXACT = 400
_MOST_NEEDS = 3
_SLOT = re.compile(r"(?<!\\p)(?<!\\P)(?<!\\x)\{([a-z][a-z0-9_-]*)\}")


class PatternError(ValueError):
    """A pattern that RE2 refuses or that names unknown words."""


class UnknownWordsError(PatternError):
    """A pattern that names words which no list has."""


def options() -> re2.Options:
    """How every pattern is compiled: UTF-8, no output on errors."""
    chosen = re2.Options()
    chosen.max_mem = _MAX_MEM
    chosen.log_errors = False
    return chosen


def compile_pattern(pattern: str) -> re2._Regexp:
    """A compiled RE2 pattern for UTF-8 bytes. Raises `PatternError` with RE2's words."""
    try:
        return re2.compile(pattern.encode(), options())
    except re2.error as error:
        words = error.args[0] if error.args else "refused"
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
        raise PatternError(text) from None


def phrase(entry: str) -> str:
    """One entry of a words list as an RE2 fragment: `re:` fragments as they are, phrases literally.

    A blank in a phrase matches any run of blanks; ASCII letters and digits at its ends match at word
    borders only.
    """
    if entry.startswith("re:"):
        return f"(?:{entry[3:]})"
    parts = [re2.escape(part) for part in entry.split()]
    body = r"\s+".join(parts)
    head = r"\b" if entry[:1].isascii() and entry[:1].isalnum() else ""
    tail = r"\b" if entry[-1:].isascii() and entry[-1:].isalnum() else ""
    return f"{head}{body}{tail}"


def expand(pattern: str, words: dict[str, tuple[str, ...]]) -> str:
    """A pattern with every `{name}` replaced by the alternation of that words list.

    Raises `UnknownWordsError` where no list has that name.
    """

    def fill(match: re.Match[str]) -> str:
        entries = words.get(match.group(1))
        if entries is None:
            near = ", ".join(sorted(words)) or "none"
            raise UnknownWordsError(f"there are no words {match.group()!r} (known here: {near})")
        return "(?:" + "|".join(phrase(entry) for entry in entries) + ")"

    return _SLOT.sub(fill, pattern)


Needs = tuple[frozenset[str], ...]


class _Known(Record):
    """What is known of a part: the strings it matches exactly, and sets of strings of each of which one must occur."""

    exact: frozenset[str] | None
    needs: Needs


_EMPTY = _Known(frozenset({""}), ())
_UNKNOWN = _Known(None, ())


def _worth(need: frozenset[str]) -> tuple[int, int]:
    return min(map(len, need)), -len(need)


def _all_needs(known: _Known) -> Needs:
    if known.exact and "" not in known.exact:
        return (*known.needs, known.exact)
    return known.needs


def _concat(parts: list[_Known]) -> _Known:
    exact = frozenset({""})
    whole = True
    needs: Needs = ()
    for part in parts:
        if part.exact is not None and len(exact) * len(part.exact) <= _MOST_EXACT:
            exact = frozenset(a + b for a in exact for b in part.exact)
            continue
        needs = (*needs, *_all_needs(_Known(exact, ())), *part.needs)
        whole = False
        exact = part.exact if part.exact is not None else frozenset({""})
    if whole:
        return _Known(exact, needs)
    return _Known(None, (*needs, *_all_needs(_Known(exact, ()))))


def _either(parts: list[_Known]) -> _Known:
    if len(parts) == 1:
        return parts[0]
    if all(part.exact is not None for part in parts):
        exact = frozenset(string for part in parts for string in part.exact or ())
        if len(exact) <= _MOST_EXACT:
            return _Known(exact, ())
    needs = [_all_needs(part) for part in parts]
    if not all(needs):
        return _UNKNOWN
    return _Known(None, (frozenset(string for need in needs for string in max(need, key=_worth)),))


class _Parser:
    """Reads RE2 syntax that RE2 has already accepted; what it does not know it calls unknown."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def alternation(self) -> _Known:
        branches = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.sequence())
        return _either(branches)

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def sequence(self) -> _Known:
        parts: list[_Known] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.atom()))
        return _concat(parts)

    def repeated(self, part: _Known) -> _Known:
        while True:
            sign = self.peek()
            counts = re.compile(r"\{(\d+)(,?)(\d*)\}").match(self.pattern, self.at) if sign == "{" else None
            if sign and sign in "*+?":
                least, most = (1 if sign == "+" else 0), (1 if sign == "?" else None)
                self.at += 1
            elif counts:
                least = int(counts[1])
                most = int(counts[3]) if counts[3] else None if counts[2] else least
                self.at = counts.end()
            else:
                return part
            if self.peek() == "?":
                self.at += 1
            if part.exact == frozenset({""}) or (least, most) == (1, 1):
                continue
            if (least, most) == (0, 1) and part.exact is not None:
                part = _Known(part.exact | {""}, ())
            else:
                part = _Known(None, _all_needs(part)) if least else _UNKNOWN

    def atom(self) -> _Known:
        char = self.peek()
        self.at += 1
        if char == "(":
            return self.group()
        if char == "[":
            return self.character_class()
        if char == "\\":
            return self.escape()
        if char == ".":
            return _UNKNOWN
        if char in "^$":
            return _EMPTY
        return _Known(frozenset({skeleton(char)}), ())

    def group(self) -> _Known:
        if self.peek() == "?":
            head = re.compile(r"\?(?:P?<[^>]*>|[a-zA-Z-]*(:|\)))").match(self.pattern, self.at)
            if head is None:
                raise _NotKnownError
            self.at = head.end()
            if head.group().endswith(")"):  # flags for the rest of the group
                return _EMPTY
        inside = self.alternation()
        self.at += 1  # the closing bracket
        return inside

    def character_class(self) -> _Known:
        negated = self.peek() == "^"
        if negated:
            self.at += 1
        members: set[str] | None = set()
        first = True
        while first or self.peek() != "]":
            first = False
            if self.pattern.startswith("[:", self.at):
                self.at = self.pattern.index(":]", self.at) + 2
                members = None
                continue
            low = self.member()
            high = low
            if self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                self.at += 1
                high = self.member()
            if low is None or high is None or members is None:
                members = None if low != "" else members
            elif low == "":
                members.add("")
            elif ord(high) - ord(low) <= 40:
                members |= {skeleton(chr(c)) for c in range(ord(low), ord(high) + 1)}
            else:
                members = None
        self.at += 1
        if negated or members is None or len(members) > 40:
            return _UNKNOWN
        return _Known(frozenset(members), ())

    def member(self) -> str | None:
        """One member of a class: a character, "" for a kind that holds no letter or digit, None for others."""
        char = self.peek()
        self.at += 1
        if char != "\\":
            return char
        known = self.escape()
        if known.exact is None or len(known.exact) != 1:
            return None
        (only,) = known.exact
        return only if len(only) <= 1 else None

    def escape(self) -> _Known:
        char = self.peek()
        self.at += 1
        if char in "bBAzsC":  # \s matches blanks, which a skeleton leaves out
            return _UNKNOWN if char == "C" else _EMPTY
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            stop = end if end >= 0 else len(self.pattern)
            text = self.pattern[self.at : stop]
            self.at = stop + 2 if end >= 0 else stop
            return _Known(frozenset({skeleton(text)}), ())
        if char in "pP":
            self.at = self.pattern.index("}", self.at) + 1 if self.peek() == "{" else self.at + 1
            return _UNKNOWN
        if char == "x":
            code = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})").match(self.pattern, self.at)
            if code is None:
                raise _NotKnownError
            self.at = code.end()
            return _Known(frozenset({skeleton(chr(int(code[1] or code[2], 16)))}), ())
        if char in "aftnrv":
            return _EMPTY
        if char.isalnum():  # \d \w \D \W \S, octal
            return _UNKNOWN
        return _Known(frozenset({skeleton(char)}), ())


class _NotKnownError(Exception):
    """Syntax that the parser does not follow."""


def literals(pattern: str) -> Needs:
    """Sets of skeleton strings, of each of which at least one is in every text that the pattern matches.

    They are in the match itself, so no further apart than it is long. Empty where nothing is certain; such a
    pattern must always be tried.
    """
    try:
        needs = _all_needs(_Parser(pattern).alternation())
    except (_NotKnownError, ValueError, RecursionError, OverflowError):
        return ()
    useful = {_shortest(need) for need in needs if all(need)}
    return tuple(sorted(useful, key=_worth, reverse=True)[:_MOST_NEEDS])


def _shortest(need: frozenset[str]) -> frozenset[str]:
    """Without the strings that contain another one: where they are, the other is."""
    kept: list[str] = []
    for string in sorted(need, key=len):
        if not any(shorter in string for shorter in kept):
            kept.append(string)
    return frozenset(kept)
