"""Whether a text is told of and not meant: quoted with words that say so, or data of a scanner."""

from __future__ import annotations

import re

from sakaime.policy.match import matches_path, search
from sakaime.policy.policy import Mentions
from sakaime.text.chars import normalised
from sakaime.text.syntax import ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Opening and closing signs of quotations; the straight ones close themselves.
_PAIRS = {"“": "”", "«": "»", "「": "」", "『": "』", "‘": "’", "„": "“", "《": "》", '"': '"', "'": "'", "`": "`"}
# What stands in a file of rules, by its ending: one of ours; of semgrep; of gitleaks and its kin.
_PACKS = (
    ({"yaml", "yml"}, (r"^sakaime: 1\s*\npack: \S",)),
    ({"yaml", "yml"}, (r"^rules:\s*\n\s*- ", r"^\s+(?:- )?languages: ", r"^\s+(?:- )?(?:pattern|mode: taint)")),
    ({"toml"}, (r"^\[\[rules\]\]", r"^regex = ")),
)
_REACH = 2000  # characters of a quotation, or before a match in which it begins
_BEFORE, _AFTER = 800, 400  # characters around a quotation: a list of them, and what is said of it


def is_sample(mentions: Iterable[Mentions], rule: str, path: str, text: str) -> bool:
    """Whether a file holds such texts as data: by its path, or because it is a rule pack."""
    kind, head = ending(path), text[:_REACH]
    if any(kind in kinds and all(re.search(sign, head, re.MULTILINE) for sign in signs) for kinds, signs in _PACKS):
        return True
    return any(matches_path(entry.samples, path) for entry in _of(mentions, rule) if entry.samples)


def is_mention(
    mentions: Iterable[Mentions],
    rule: str,
    text: str,
    unit: tuple[int, int],
    found: tuple[int, int],
    quoted: bool,
) -> bool:
    """Whether what was found in a text is a quotation beside which words say that it is told of.

    `unit` and `found` are ranges of the text; `quoted` says that all of the unit is marked as a quotation (a block
    quote, a code fence).
    """
    quotation = unit if quoted else _quotation(text, unit, found)
    if quotation is None:
        return False
    start, end = quotation
    around = f"{text[max(0, start - _BEFORE) : start]} {text[end : end + _AFTER]}"
    data = normalised(around).encode("utf-8", "surrogatepass")
    return any(search(pattern, data) for entry in _of(mentions, rule) for pattern in entry.words)


def quotations(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The quotations inside a range of a text, signs included, ascending and apart."""
    found, at = [], start
    while at < end:
        char = text[at]
        apostrophe = char in "'’" and at > start and text[at - 1].isalnum()
        close = text.find(_PAIRS[char], at + 1, min(end, at + _REACH)) if char in _PAIRS and not apostrophe else -1
        if close > at + 1:
            found.append((at, close + 1))
            at = close
        at += 1
    return found


def _of(mentions: Iterable[Mentions], rule: str) -> Iterable[Mentions]:
    pack = rule.split("/")[0]
    return (entry for entry in mentions if entry.pack in ("", pack))


def _quotation(text: str, unit: tuple[int, int], found: tuple[int, int]) -> tuple[int, int] | None:
    """The quotation inside a unit that holds all of what was found; None where there is none."""
    opened: list[tuple[str, int]] = []
    for at in range(max(unit[0], found[0] - _REACH), found[0]):
        char = text[at]
        if opened and char == opened[-1][0]:
            opened.pop()
        elif char in _PAIRS and not (char == "'" and at > unit[0] and text[at - 1].isalnum()):  # an apostrophe
            opened.append((_PAIRS[char], at))
    for closing, at in opened:
        end = text.find(closing, found[1], min(unit[1], found[1] + _REACH))
        if end >= 0:
            return at, end + 1
    return None
