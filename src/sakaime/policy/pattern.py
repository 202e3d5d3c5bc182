"""Patterns, compiled by RE2, which is the one authority on what they match."""

from __future__ import annotations

import re

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


class PatternError(ValueError):
    """A pattern that RE2 refuses, or that names unknown words."""


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
