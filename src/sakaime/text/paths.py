"""Path names as text."""

from __future__ import annotations

_CONTROLS = {c: f"\\x{c:02x}" for c in [*range(0x20), 0x7F]} | {
    ord("\n"): "\\n",
    ord("\t"): "\\t",
    ord("\r"): "\\r",
}


def printable(path: str) -> str:
    """A path for people and reports: bytes that are not UTF-8 as ``\\xff``, control characters escaped."""
    if path.isascii() and path.isprintable():
        return path
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.translate(_CONTROLS)
