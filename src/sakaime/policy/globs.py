"""gitignore patterns as RE2 patterns, so that the hot path matches paths without a further library."""

from __future__ import annotations

from pathspec import GitIgnoreSpec


def compile_globs(globs: list[str]) -> tuple[tuple[bool, str], ...]:
    """Each glob as (selects, RE2 pattern of a path); `!` globs deselect. Raises `ValueError` for a bad one."""
    compiled = []
    for glob in globs:
        for pattern in GitIgnoreSpec.from_lines([glob]).patterns:
            if pattern.include is None or pattern.regex is None:
                raise ValueError(f"{glob!r} selects nothing")
            compiled.append((bool(pattern.include), f"(?s){pattern.regex.pattern}"))  # a name may hold a newline
    return tuple(compiled)
