"""What a text must hold for a pattern to match in it: literals, in the form of a condition.

It comes from the pattern's syntax tree, as in R. Cox, "Regular Expression Matching with a Trigram Index" (2012): for
each part the exact strings it can match, where they are few, else what of its own parts must occur. Literals are
compared on skeletons (`sakaime.text.skeleton`), so everything but letters and digits counts as empty.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.model import Record
from sakaime.policy.slots import SLOT, phrase
from sakaime.text.skeleton import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    Fold: TypeAlias = Callable[[str], str]

# A group of literals, of which one must occur; or conditions, of which all must hold, or any.
Condition: TypeAlias = "tuple[str, ...] | tuple[int, tuple[Condition, ...]]"

ALL, ANY = 0, 1
NOTHING: Condition = (ALL, ())  # that is needed: such a pattern could match anywhere
_EDGE = "|"
_MOST_EXACT = 400
_MOST_JOINED = 48  # strings made of two lists; of more, each of the two is asked for
_LONG = 7
_MOST_COMPARED = 2000
_COUNTS = re.compile(r"\{(\d+)(,?)(\d*)\}")
_PLAIN = re.compile(r"[^\\\[\](){}.^$|*+?]+(?![*+?{])")  # characters that stand for themselves, once
_GROUP = re.compile(r"\?(?:P?<[^>]*>|[a-zA-Z-]*(:|\)))")
_HEX = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})")
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
# Of scripts with thousands of characters fewer do, of syllables taken apart more: Hangul, kana, Chinese.
_LONG_IN = (("\u1100", "\u1200", 9), ("\u3040", "\u3100", 5), ("\u2e80", "\ua4d0", 3))
_SHORT = 3  # letters of a common word that stands in nearly every text
_MOST_ALL = 3  # conditions that are worth asking for together
# Words that stand in many texts of English or of programs: a list with one of them tells little.
_COMMON = frozenset(
    "a about above act add added after again agent agents ai all also always an and any api app are array as ask "
    "at back be before below block body bot both bots branch bug build but by call can case change changed "
    "changes check checks class client close code comment comments commit commits config content context copy "
    "could count create data date day default delete deploy deployed diff do does done down each edit empty end "
    "error errors even every example examples false field file files filter final first fix fixed for found from "
    "full function get give go good has have help here hidden hide high hook host how http https id if ignore "
    "import in index info input int into is issue issues it item items its js json just keep key keys label last "
    "left length less level limit limits line lines list load local log login long look low make map mark match "
    "max may merge message messages method min mission mode model module more most move must my name need new "
    "next no node none not note notes now null number object of off old on once one only open option options or "
    "order other out output over own page pages parse part pass patch path plain point policy port post print "
    "private problem product public pullreq pullrequest push py query question read record ref release remove "
    "repo report request reset result return review right role root row rule run running safe same save say scope "
    "search section see select send server service set settings sh should show side sign size skip so some sort "
    "start state static status step stop store string style such sure system table tag take task tell test tests "
    "text than that the them then there these they this those three time title to token tokens too top track true "
    "try ts turn two type under up update url use used user users value values version view wait warning warnings "
    "was way we web were what when where which while who will with word words work write yes you your zero".split()
)
_COMMON_CUT = frozenset(word[:_LONG] for word in _COMMON)


class Known(Record):
    """What is known of a part: the strings it matches exactly, where they are few, and what must hold besides."""

    exact: frozenset[str] | None
    needs: tuple[Condition, ...]


_EMPTY = Known(frozenset({""}), ())
_UNKNOWN = Known(None, ())
_BORDER = Known(frozenset({_EDGE}), ())  # of a word


def condition(pattern: str, words: Mapping[str, Iterable[str]], fold: Fold = skeleton) -> Condition:
    """What must hold of every text that the pattern matches, folded: `fold` leaves out blanks, `|` and case.
    `words` are what the slots of the pattern stand for.

    A `|` before or after a literal says that a word begins or ends there (`sakaime.policy.gate`). All of it is in the
    match itself, so no further apart than that is long.
    """
    try:
        return condition_of(_Parser(pattern, _Lists(words, fold)).alternation())
    except (_NotKnownError, ValueError, RecursionError, OverflowError):
        return NOTHING


def branches(pattern: str, words: Mapping[str, Iterable[str]]) -> dict[tuple[int, int], Known]:
    """What is known of the branches of a pattern's groups, by where each begins and ends in it; nothing of a pattern
    that is not understood."""
    parser = _Parser(pattern, _Lists(words, skeleton))
    try:
        parser.alternation()
    except (_NotKnownError, ValueError, RecursionError, OverflowError):
        return {}
    return parser.branches


def condition_of(known: Known) -> Condition:
    """What must hold for a part of a pattern to match."""
    return _all(_all_needs(known))


def chance(needed: Condition) -> float:
    """A rough guess of how often a condition holds in a text that has nothing to do with the pattern."""
    return min(1.0, expected(needed))


def expected(needed: Condition) -> float:
    """How many times what is needed may be expected; more than once, where nearly every text has it. A guess."""
    if needed and isinstance(needed[0], int):
        kind, parts = needed[0], needed[1]
        if kind == ANY:
            return sum(map(expected, parts))
        product = 1.0
        for part in parts:
            product *= min(1.0, expected(part))
        return product
    return sum(map(_of_literal, needed))


def _of_literal(literal: str) -> float:
    bare = literal.strip(_EDGE)
    if bare in _COMMON_CUT or bare.isdigit():
        return 0.5 if len(bare) <= _SHORT else 0.1
    return 30 * 0.15 ** literal.count(_EDGE) / 6 ** sum(map(_letters, bare))


def _letters(char: str) -> float:
    """How many letters of an alphabet tell as much: a third of one for a part of a Hangul syllable, three for kanji."""
    if "\u1100" <= char < "\u1200":
        return 0.7
    return 3 if "\u2e80" <= char < "\ua4d0" else 1


def _all(parts: Iterable[Condition]) -> Condition:
    """The conditions that tell most, together."""
    useful = sorted({*parts}, key=lambda part: (expected(part), repr(part)))
    return useful[0] if len(useful) == 1 else (ALL, tuple(useful[:_MOST_ALL]))


def _leaf(strings: Iterable[str]) -> Condition:
    return tuple(sorted(_shortest(frozenset(_cut(_edged(string)) for string in strings))))


def _all_needs(known: Known) -> tuple[Condition, ...]:
    if known.exact and all(string.strip(_EDGE) for string in known.exact):
        return (*known.needs, _leaf(known.exact))
    return known.needs


def _concat(parts: list[Known]) -> Known:
    exact = frozenset({""})
    whole = True
    needs: tuple[Condition, ...] = ()
    for part in parts:
        if part.exact == _EMPTY.exact:
            continue
        grows = len(part.exact or ()) == 1 or not all(len(string) > _LONG for string in exact)
        if part.exact is not None and grows and (len(part.exact) == 1 or len(exact) * len(part.exact) <= _MOST_JOINED):
            exact = frozenset(a + b for a in exact for b in part.exact)
            continue
        needs = (*needs, *_all_needs(Known(exact, ())), *part.needs)
        whole = False
        exact = part.exact if part.exact is not None else frozenset({""})
    if whole:
        return Known(exact, needs)
    return Known(None, (*needs, *_all_needs(Known(exact, ()))))


def _either(parts: list[Known]) -> Known:
    if len(parts) == 1:
        return parts[0]
    short = [part for part in parts if part.exact is not None]
    exact = frozenset(string for part in short for string in part.exact or ())
    if len(short) == len(parts) and len(exact) <= _MOST_EXACT:
        return Known(exact, ())
    needs = [_all_needs(part) for part in parts]
    if not all(needs):
        return _UNKNOWN
    # What is only a list of strings is one group, however many branches it came from.
    plain = _leaf(exact) if exact and all(string.strip(_EDGE) for string in exact) else ()
    others = [_all(need) for need, part in zip(needs, parts, strict=True) if part.exact is None]
    if any(other == NOTHING for other in others):
        return _UNKNOWN
    branches = tuple(dict.fromkeys([*([plain] if plain else []), *others]))
    return Known(None, (branches[0] if len(branches) == 1 else (ANY, branches),))


class _Lists:
    """What is known of lists of words, found out once for each."""

    def __init__(self, words: Mapping[str, Iterable[str]], fold: Fold) -> None:
        self.words = words
        self.fold = fold

    def __getitem__(self, name: str) -> Known:
        return _list(tuple(self.words[name]), self.fold)


@lru_cache(maxsize=4096)
def _list(entries: tuple[str, ...], fold: Fold) -> Known:
    return _either([_Parser(phrase(entry), _Lists({}, fold)).alternation() for entry in entries])


class _Parser:
    """Reads RE2 syntax that RE2 has already accepted; what it does not know it calls unknown."""

    def __init__(self, pattern: str, lists: _Lists) -> None:
        self.pattern = pattern
        self.lists = lists
        self.at = 0
        self.branches: dict[tuple[int, int], Known] = {}

    def alternation(self, begins: bool = False, ends: bool = False) -> Known:
        """Branches; whether a word begins before, and ends after, each of them."""
        branches = [self.branch(begins, ends)]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.branch(begins, ends))
        return _either(branches)

    def branch(self, begins: bool, ends: bool) -> Known:
        """A branch, which is kept by its place."""
        start = self.at
        known = self.sequence(begins, ends)
        self.branches[start, self.at] = known
        return known

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def sequence(self, begins: bool, ends: bool) -> Known:
        parts: list[Known] = [_BORDER] if begins else []
        while self.peek() not in ("", "|", ")"):
            if plain := _PLAIN.match(self.pattern, self.at):
                self.at = plain.end()
                parts.append(Known(frozenset({self.lists.fold(plain.group())}), ()))
                continue
            if self.peek() == "(":
                self.at += 1
                part = self.group(bool(parts) and parts[-1] == _BORDER, ends)
            else:
                part = self.atom()
            parts.append(self.repeated(part))
        return _concat([*parts, _BORDER] if ends else parts)

    def repeated(self, part: Known) -> Known:
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
                part = Known(part.exact | {""}, ())
            else:
                part = Known(None, _all_needs(part)) if least else _UNKNOWN

    def atom(self) -> Known:
        char = self.peek()
        if char == "{" and (slot := SLOT.match(self.pattern, self.at)) and slot["name"] in self.lists.words:
            self.at = slot.end()
            return self.lists[slot["name"]]
        self.at += 1
        if char == "[":
            return self.character_class()
        if char == "\\":
            return self.escape()
        if char == ".":
            return _UNKNOWN
        if char in "^$":
            return _EMPTY
        return Known(frozenset({self.lists.fold(char)}), ())

    def group(self, begins: bool, ends: bool) -> Known:
        """A group; whether a word begins before it, and ends where the branch does in which it stands."""
        if self.peek() == "?":
            head = _GROUP.match(self.pattern, self.at)
            if head is None:
                raise _NotKnownError
            self.at = head.end()
            if head.group().endswith(")"):  # flags for the rest of the group
                # A repetition repeats what stands before the flags.
                if (self.peek() and self.peek() in "*+?") or _COUNTS.match(self.pattern, self.at):
                    raise _NotKnownError
                return _EMPTY
        start = self.at
        inside = self.alternation(begins)
        self.at += 1  # the closing bracket
        if self.pattern.startswith(r"\b", self.at) or (ends and self.peek() in ("|", ")")):
            self.at = start
            inside = self.alternation(begins, True)
            self.at += 1
        return inside

    def character_class(self) -> Known:
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
                members |= {self.lists.fold(chr(c)) for c in range(ord(low), ord(high) + 1)}
        self.at += 1
        if negated or members is None or len(members) > 40:
            return _UNKNOWN
        return Known(frozenset(members), ())

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

    def escape(self) -> Known:
        char = self.peek()
        if char == "b":
            self.at += 1
            return _BORDER
        if char in "BAzs":  # \s matches blanks, which a skeleton leaves out
            self.at += 1
            return _EMPTY
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            stop = end if end >= 0 else len(self.pattern)
            text = self.pattern[self.at + 1 : stop]
            self.at = stop + 2 if end >= 0 else stop
            if self.peek() and self.peek() in "*+?{":  # repeats the last character only
                raise _NotKnownError
            return Known(frozenset({self.lists.fold(text)}), ())
        one = self.escaped()
        return Known(frozenset({self.lists.fold(one)}), ()) if one is not None else _UNKNOWN

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


def _edged(string: str) -> str:
    """A literal that says of its own edges alone whether they are those of a word."""
    return f"{_EDGE * string.startswith(_EDGE)}{string.replace(_EDGE, '')}{_EDGE * string.endswith(_EDGE)}"


def _cut(string: str) -> str:
    """The beginning of a long literal: where all of it is, that is, too."""
    first, bare = string[: string.startswith(_EDGE)], string.strip(_EDGE)
    most = next((most for least, end, most in _LONG_IN if least <= bare[:1] < end), _LONG)
    return first + bare[:most] if len(bare) > most else string


def _shortest(need: frozenset[str]) -> frozenset[str]:
    """Without the strings that contain another one: where they are, the other is."""
    if len(need) > _MOST_COMPARED:
        return need
    kept: list[str] = []
    for string in sorted(need, key=len):
        if not any(shorter in string for shorter in kept):
            kept.append(string)
    return frozenset(kept)
