"""Text in Markdown that stays text: what comes from a stranger's file must not become a link, an image or a tag."""

from __future__ import annotations

import re

from sakaime.report.width import revealed, visible

_TICKS = re.compile("`+")
# What may begin markup: anywhere, at the start of a line, and as an address that becomes a link by itself.
_MARKUP = re.compile(
    r"([\\`*_\[\]<>&~|@])|(?<![^\n])(#|[-+=:](?=[-+=:\s]|\Z))|(?<=[0-9])([.)])(?=\s|\Z)|(?i:(?<=www)(\.)|(:)(?=//))"
)


def fenced(text: str) -> str:
    """A text in a block of its own, with everything in it to be seen."""
    shown = revealed(text)
    fence = "`" * max(3, _longest(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def code(text: str) -> str:
    """A text of one line as code, with everything in it to be seen."""
    shown = visible(" ".join(text.split("\n")))
    if not shown.strip():
        return ""
    ticks = "`" * (_longest(shown) + 1)
    edge = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{ticks}{edge}{shown}{edge}{ticks}"


def prose(text: str) -> str:
    """A text as it is: no sign in it is markup. Its lines stay lines, its empty ones part paragraphs."""
    lines = (_MARKUP.sub(r"\\\g<0>", visible(line.strip())) for line in text.strip().split("\n"))
    return "\n".join(lines)


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
