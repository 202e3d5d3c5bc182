"""gitignore patterns as RE2 patterns, so that the hot path matches paths without a further library."""

from __future__ import annotations

import re
import warnings

from pathspec import GitIgnoreSpec

from sakaime.policy.pattern import ENGINE_ERRORS, PatternError, compile_pattern

_WILD = re.compile(r"[*?]|\[[!^]?\]?[^\]]*\]")


def compile_globs(globs: list[str]) -> tuple[tuple[bool, str], ...]:
    """Each glob as (selects, RE2 pattern of a path); `!` globs deselect. Raises `ValueError` for a bad one."""
    compiled = []
    for glob in globs:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                patterns = GitIgnoreSpec.from_lines([glob]).patterns
        except ENGINE_ERRORS as error:  # a character class that is none
            raise ValueError(f"{glob!r} is no gitignore pattern: {error}") from None
        if not patterns:
            raise ValueError(f"{glob!r} selects nothing")
        for pattern in patterns:
            if pattern.include is None or pattern.regex is None:
                raise ValueError(f"{glob!r} selects nothing")
            source = f"(?s){pattern.regex.pattern}"  # a name may hold a newline
            try:
                compile_pattern(source)
            except PatternError as error:
                raise ValueError(f"{glob!r} is no gitignore pattern: {error}") from None
            compiled.append((bool(pattern.include), source))
    return tuple(compiled)


def literal_of_glob(glob: str) -> str:
    """A string that every path contains which a glob selects; empty where none is certain."""
    if "\\" in glob:
        return ""
    parts = _WILD.split(glob)
    return max((part.strip("/") for part in parts), key=len)
