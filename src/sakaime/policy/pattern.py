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
from sakaime.text.chars import normalised, skeleton

# RE2 spends memory per program; a set of phrases as long as a pack may hold needs more than its default.
_MAX_MEM = 64 << 20
_MOST_EXACT = 400
_MOST_NEEDS = 3
# A word in braces is a slot, unless it is a count, belongs to an escape, or stands in quotes or a class.
_SLOT = re.compile(
    r"\\Q(?s:.*?)(?:\\E|\Z)|\\[pPx]\{[^}]*\}|(?s:\\.)"
    r"|\[\^?\]?(?:\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|(?s:\\.)|[^\]\\])*\]"
    r"|\{(?!\d+(?:,\d*)?\})(?P<name>[A-Za-z0-9_-]+)\}"
)
_MOST_COMPARED = 2000
_COUNTS = re.compile(r"\{(\d+)(,?)(\d*)\}")
_GROUP = re.compile(r"\?(?:P?<[^>]*>|[a-zA-Z-]*(:|\)))")
_HEX = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})")
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}


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
    borders only. A phrase is normalised like the text that it is looked for in. Raises `PatternError`
    where nothing is left to look for.
    """
    if entry.startswith("re:"):
        if not entry[3:]:
            raise PatternError("it is empty")
        return f"(?:{entry[3:]})"
    entry = " ".join(normalised(entry).split())
    if not entry:
        raise PatternError("it is empty")
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
        if match["name"] is None:
            return match.group()
        entries = words.get(match["name"])
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
            counts = _COUNTS.match(self.pattern, self.at) if sign == "{" else None
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
            head = _GROUP.match(self.pattern, self.at)
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
            if low is None or high is None or members is None or ord(high) - ord(low) > 40:
                members = None
            else:
                members |= {skeleton(chr(c)) for c in range(ord(low), ord(high) + 1)}
        self.at += 1
        if negated or members is None or len(members) > 40:
            return _UNKNOWN
        return _Known(frozenset(members), ())

    def member(self) -> str | None:
        """One member of a class, as a character; None for kinds of characters."""
        char = self.peek()
        self.at += 1
        if char != "\\":
            return char
        if self.peek() == "s":  # blanks only, which no skeleton holds: any of them stands for all
            self.at += 1
            return " "
        return self.escaped()

    def escape(self) -> _Known:
        char = self.peek()
        if char in "bBAzs":  # \s matches blanks, which a skeleton leaves out
            self.at += 1
            return _EMPTY
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            stop = end if end >= 0 else len(self.pattern)
            text = self.pattern[self.at + 1 : stop]
            self.at = stop + 2 if end >= 0 else stop
            if self.peek() and self.peek() in "*+?{":  # repeats the last character only
                raise _NotKnownError
            return _Known(frozenset({skeleton(text)}), ())
        one = self.escaped()
        return _Known(frozenset({skeleton(one)}), ()) if one is not None else _UNKNOWN

    def escaped(self) -> str | None:
        """The character that an escape stands for; None where it stands for a kind of characters."""
        char = self.peek()
        if octal := _OCTAL.match(self.pattern, self.at):
            self.at = octal.end()
            return chr(int(octal.group(), 8))
        self.at += 1
        if char in "pP":
            self.at = self.pattern.index("}", self.at) + 1 if self.peek() == "{" else self.at + 1
            return None
        if char == "x":
            code = _HEX.match(self.pattern, self.at)
            if code is None:
                raise _NotKnownError
            self.at = code.end()
            return chr(int(code[1] or code[2], 16))
        if char in _CONTROLS:
            return _CONTROLS[char]
        return None if char.isalnum() else char  # \d \w \D \W \S \C


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
    if len(need) > _MOST_COMPARED:
        return need
    kept: list[str] = []
    for string in sorted(need, key=len):
        if not any(shorter in string for shorter in kept):
            kept.append(string)
    return frozenset(kept)
