"""What names an item whatever its words are: an id that its author gave it, never its place in a list."""

from __future__ import annotations

import re

from sakaime.text.late import late

# A comment that holds nothing but an id: <!-- rule:912 -->
_COMMENT = late(r"\s*((?:rule|id|criterion|criteria|check|req|requirement)\s*[:=#]\s*[\w./-]{1,60}|[A-Z]+-\d+)\s*")
_BRACKETED = late(r"[\[(【]\s*([A-Za-z][A-Za-z_]{0,11}[-_. ]?\d{1,6}(?:\.\d{1,4}){0,4})\s*[\])】]\s*[:：.—–-]?\s*")
_LED = late(
    r"([A-Z][A-Z_]{0,11}-\d{1,6}(?:\.\d{1,4}){0,4})(?:\s*[:：.)—–]\s*|\s+(?:-\s+)?)"
    r"|([A-Z][A-Z_]{0,11}\d{1,6}(?:\.\d{1,4}){0,4})(?:\s*[:：)]\s*|\s+[—–-]\s+)"
)
_DOTTED = late(r"(\d{1,3}(?:\.\d{1,3}){2,4})[.:：)]?\s+")
_NUMBER = late(
    r"(?:\d{1,3}(?:\.\d{1,3})*[.)、．:：]\s*(?=\D)|\d{1,3}(?:\.\d{1,3})+\s+|[一二三四五六七八九十]{1,3}[、．.]\s*)"
)
# A step of a ladder of severities, or a standard: many items share it, so it names none of them.
_SHARED = late(
    r"(?i)(?:p|s|sev|prio|priority|severity|level|l|h|tier|utf|sha|iso|rfc|http|ipv|aes|md|base|py)[-_. ]?\d"
)


def comment_id(body: str) -> str:
    """The id that a comment gives, without blanks; empty if it holds anything else."""
    found = _COMMENT.fullmatch(body)
    return re.sub(r"\s", "", found[1]) if found else ""


def split_id(text: str) -> tuple[str, str]:
    """The id that a text begins with, and the rest of it; an empty id and the whole text if there is none."""
    for pattern in (_BRACKETED, _LED, _DOTTED):
        if (found := pattern.match(text)) and found.end() < len(text):
            key = next(group for group in found.groups() if group)
            return ("", text) if _SHARED.match(key) else (key, text[found.end() :].lstrip())
    return "", text


def unnumbered(title: str) -> str:
    """A title without the number of its section, which changes when a section is put before it."""
    found = _NUMBER.match(title)
    return title[found.end() :].lstrip() if found and found.end() < len(title) else title
