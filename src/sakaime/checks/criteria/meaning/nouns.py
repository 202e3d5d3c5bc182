"""Of which things an item speaks without exception, and which it narrows down."""

from __future__ import annotations

import re

from sakaime.checks.criteria.meaning.clauses import CJK
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.clauses import Text
    from sakaime.checks.criteria.meaning.words import Hit

_NAMING = frozenset({"every", "qualifier"})
_WORD = late(r"[^\W_](?:[^\W_]|-){0,40}")
_LATIN = late(r"[a-z0-9]+", re.A)
# Of a noun, the two words behind "all" are looked at ("all API endpoints"); where words have no blanks between, two
# letters are enough to know it by.
_WORDS, _LETTERS = 2, 2
_ARTICLES = 3
# How far a qualifier stands behind its noun, in letters: "files that this change touches".
_BEHIND = 40
_MOST = 16
_SHORTEST, _ENDING = 3, 3


class Nouns(Record):
    """`every`: what "all", "every", "each" is said of. `narrowed`: (qualifier, what it is said of)."""

    every: tuple[str, ...] = ()
    narrowed: tuple[tuple[str, str], ...] = ()


NO_NOUNS = Nouns()


def nouns(whole: Text, hits: list[Hit]) -> Nouns:
    """The nouns of a text that are looked at; only the first few, as an item is about few things."""
    naming = [place for place, hit in enumerate(hits) if not hit.roles.isdisjoint(_NAMING)][:_MOST]
    every: list[str] = []
    narrowed: list[tuple[str, str]] = []
    for place in naming:
        hit = hits[place]
        found = _behind(whole.text, hits, place)
        if "qualifier" in hit.roles:
            narrowed.extend((whole.text[hit.start : hit.end], word) for word, _ in found)
        for word, end in found if "every" in hit.roles else ():
            by = _later(whole, hits, place, end)
            if by is None:
                every.append(word)
            else:
                narrowed.append((whole.text[by.start : by.end], word))
    return Nouns(tuple(every), tuple(narrowed)) if every or narrowed else NO_NOUNS


def narrower(old: Nouns, new: Nouns) -> str | None:
    """What was said of all of something and is now said of some of it: "public endpoints"."""
    known = {qualifier for qualifier, _ in old.narrowed}
    for qualifier, noun in new.narrowed:
        of_all = any(_same(noun, each) for each in old.every)
        if of_all and qualifier not in known and not any(_same(noun, each) for each in new.every):
            return f"{qualifier} {noun}" if not CJK.match(noun) else f"{qualifier}{noun}"
    return None


def _behind(text: str, hits: list[Hit], place: int) -> list[tuple[str, int]]:
    """The words that a phrase is said of and where each ends; none where a qualifier says which of them."""
    at = hits[place].end
    for other in hits[place + 1 : place + 1 + _ARTICLES]:
        if text[at : other.start].strip():
            break
        if "qualifier" in other.roles and "every" in hits[place].roles:
            return []
        if "article" not in other.roles:
            break
        at = other.end
    found: list[tuple[str, int]] = []
    for _ in range(_WORDS):
        while at < len(text) and text[at] in " *_`'\"":
            at += 1
        match = _WORD.match(text, at)
        if match is None:
            break
        if CJK.match(match[0]):
            found.append((match[0][:_LETTERS], at + _LETTERS))
            break
        latin = _LATIN.match(match[0]) if not match[0].isascii() and CJK.search(match[0]) else None
        word = latin[0] if latin else match[0]
        found.append((word, at + len(word)))
        at += len(word)
    return found


def _later(whole: Text, hits: list[Hit], place: int, end: int) -> Hit | None:
    """The qualifier that stands behind a noun in a relative clause."""
    tied = False
    for other in hits[place + 1 : place + 1 + _MOST]:
        if other.start < end:
            continue
        if other.start - end > _BEHIND or whole.clause(other.start) != whole.clause(end):
            return None
        if not tied:
            if "relative" not in other.roles or whole.text[end : other.start].strip():
                return None
            tied = True
            if "qualifier" not in other.roles:
                continue
        if "qualifier" in other.roles:
            return other
    return None


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one: "query", "queries"."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if CJK.match(short) or len(short) < _SHORTEST or len(long) - len(short) > _ENDING:
        return False
    return long.startswith(short[: max(_SHORTEST, len(short) - 1)])
