"""Escapes of string literals."""

from __future__ import annotations

import re

from sakaime.text.late import late

_ESCAPE = late(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.S)
_MEANS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def unescaped(raw: str) -> str:
    """What a string literal stands for."""
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else _MEANS.get(m[1], m[1]), raw)
