"""Patterns: words filled in, and compiled by RE2, which is the one authority on what they match."""

from __future__ import annotations

import re

import re2

from sakaime.text.chars import normalised

# RE2 spends memory per program; a set of phrases as long as a pack may hold needs more than its default.
_MAX_MEM = 64 << 20
# A word in braces is a slot, unless it is a count, belongs to an escape, or stands in quotes or a class.
SLOT = re.compile(
    r"\\Q(?s:.*?)(?:\\E|\Z)|\\[pPx]\{[^}]*\}|(?s:\\.)"
    r"|\[\^?\]?(?:\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|(?s:\\.)|[^\]\\])*\]"
    r"|\{(?!\d+(?:,\d*)?\})(?P<name>[A-Za-z0-9_-]+)\}"
)


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

    return SLOT.sub(fill, pattern)
