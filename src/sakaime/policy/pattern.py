"""Patterns: words filled in, and compiled by RE2, which is the one authority on what they match."""

from __future__ import annotations

import re

from sakaime.text.chars import normalised

try:
    import re2
except ImportError:  # no wheel for this platform
    re2 = None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Match(Protocol):
        """A match in UTF-8 text, its places in bytes."""

        def start(self) -> int: ...
        def end(self) -> int: ...
        def span(self) -> tuple[int, int]: ...
        def groups(self) -> tuple[object, ...]: ...
        def group(self) -> bytes: ...

    class Pattern(Protocol):
        """A compiled pattern, of RE2 or of what stands in for it."""

        def search(self, data: bytes) -> Match | None: ...
        def finditer(self, data: bytes) -> Iterable[Match]: ...


# What engines raise where some other package hands them a pattern.
ENGINE_ERRORS: tuple[type[Exception], ...] = (IndexError, re.error, *((re2.error,) if re2 else ()))
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


def compile_pattern(pattern: str) -> Pattern:
    """A compiled RE2 pattern for UTF-8 bytes. Raises `PatternError` with RE2's words."""
    if re2 is None:
        return _without_re2(pattern)
    options = re2.Options()
    options.max_mem = _MAX_MEM
    options.log_errors = False
    try:
        compiled: Pattern = re2.compile(pattern.encode(), options)
        return compiled
    except re2.error as error:
        words = error.args[0] if error.args else "refused"
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
        raise PatternError(text) from None


def _without_re2(pattern: str) -> Pattern:
    from sakaime.policy import stdlib

    try:
        return stdlib.Pattern(pattern)
    except stdlib.RefusedError as error:
        raise PatternError(str(error)) from None


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
            raise UnknownWordsError(f"there are no words {match.group()!r} (known here: {near})")
        return "(?:" + "|".join(phrase(entry) for entry in entries) + ")"

    return SLOT.sub(fill, pattern)
