"""Patterns with slots (`{name}`), which lists of words fill."""

from __future__ import annotations

import re

from sakaime.policy.pattern import PatternError
from sakaime.text.chars import normalised

# A word in braces is a slot, unless it is a count, belongs to an escape, or stands in quotes or a class.
SLOT = re.compile(
    r"\\Q(?s:.*?)(?:\\E|\Z)|\\[pPx]\{[^}]*\}|(?s:\\.)"
    r"|\[\^?\]?(?:\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|(?s:\\.)|[^\]\\])*\]"
    r"|\{(?!\d+(?:,\d*)?\})(?P<name>[A-Za-z0-9_-]+)\}"
)


class UnknownWordsError(PatternError):
    """A pattern that names words which no list has, by `slot`."""

    def __init__(self, slot: str, known: str) -> None:
        super().__init__(f"there are no words {slot!r} (known here: {known})")
        self.slot = slot


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
    parts = [re.escape(part) for part in entry.split()]
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
            raise UnknownWordsError(match.group(), near)
        return "(?:" + "|".join(phrase(entry) for entry in entries) + ")"

    return SLOT.sub(fill, pattern)
