"""Texts of packs as Markdown: packs come from other people, and what they say is shown, not rendered."""

from __future__ import annotations

import re

from sakaime.report.width import visible

_SIGNS = re.compile(r"[\\`*_{}\[\]()#+\-.!|<>~&$:@/]")


def plain(text: str) -> str:
    """A text that is shown as it is, line by line, invisible characters made visible."""
    return "  \n".join(_SIGNS.sub(r"\\\g<0>", visible(line)) for line in text.strip().split("\n"))


def code(text: str) -> str:
    """A text of one line as code."""
    shown = visible(text.replace("\n", " ").replace("\r", " "))
    marks = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    return f"{marks} {shown} {marks}" if "`" in shown else f"`{shown}`"
