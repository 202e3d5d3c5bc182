"""Which way a key points: whether a larger value of it, or one entry more, asks a review for more or for less."""

from __future__ import annotations

import re

from sakaime.checks.criteria.item import KEY
from sakaime.checks.criteria.meaning import keywords
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.item import Item, Value

_CAPS = frozenset("max maximum limit num".split())
_BOUNDS = frozenset("max min maximum minimum".split())
_FROM = frozenset("fail severity level cutoff audit report".split())
_WORDS = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PERCENT = late(r"\s?([-+]?\d{1,15}(?:\.\d{1,15})?)\s?%?\s?", re.A)


def _name(key: str) -> str:
    return key[-400:].rsplit(".", 1)[-1]


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name[:200])]


def leaves_out(name: str, around: str = "") -> bool | None:
    """Whether a key (not a path of keys) names what is left out; None where it does not say.

    `around` is the key of what it stands in: below `rules` stand the names of rules, which say nothing of this.
    """
    words = _words(name)
    if "_".join(_words(around)) in keywords.OF_NAMES or any(char in "/*@" for char in name):
        return None
    for number, word in enumerate(words):
        if word in keywords.KEPT_OUT:
            return False
        if word in keywords.LEAVES_OUT - keywords.LISTS:
            return not _kept_from(words, number)
    return False if not keywords.CONTAINER_ASKS.isdisjoint(words) else None


def direction(key: str) -> int:
    """What a larger value of a key means (true, a higher number, a more severe word, a longer list): 1 that more is
    asked for, -1 that less is, 0 that it is not known. `key` may be a path of keys; its last name decides."""
    words = _words(_name(key))
    whole = "_".join(words)
    if whole in keywords.WHOLE:
        return keywords.WHOLE[whole]
    if not keywords.LOGS.isdisjoint(words):
        return 0
    held = set(words)
    if held & {"threshold", "cutoff"}:
        return -1 if held & keywords.CONFIDENT else 1 if "coverage" in held or "coverage" in key.lower() else 0
    return _of_switch(words) or _of_amount(words) or (1 if words[-1:] and words[-1] in keywords.NAMES_LEVEL else 0)


def _kept_from(words: list[str], number: int) -> bool:
    """Whether a word that leaves something out stands behind one that forbids it ("fail on skip", "no bypass")."""
    before = words[:number]
    return not keywords.GUARDS.isdisjoint(before) and words[number] not in ("disabled", "disable")


def _of_switch(words: list[str]) -> int:
    if not _BOUNDS.isdisjoint(words):
        return 0
    out = [number for number, word in enumerate(words) if word in keywords.LEAVES_OUT]
    if out:
        return 1 if len(out) > 1 or _kept_from(words, out[0]) else -1  # "disable skipping" is a double negative
    if words[:1] == ["no"]:
        return 1 if words[1:2] and words[1] in ("implicit", "unused", "unchecked", "fallthrough", "untyped") else 0
    asks = not (keywords.ASKS | keywords.GUARDS).isdisjoint(words)
    return 1 if asks or words[-1:] in (["review"], ["reviews"]) else 0


def _of_amount(words: list[str]) -> int:
    held = set(words)
    if held & _CAPS:
        return 1 if held & keywords.OUTPUT else -1 if held & {"max", "maximum", "limit"} else 0
    if held & {"min", "minimum"}:
        return -1 if held & (keywords.CONFIDENT | keywords.SIZES) else 1
    if words[-2:] == ["line", "length"] or held & keywords.LESS:
        return -1
    return 1 if held & keywords.MORE or keywords.COVERED.issuperset(words[-1:]) else 0


def rank(value: Value) -> float | None:
    """The place of a boolean, a number or a word for a level on one scale, as ESLint counts: off 0, warn 1, error 2;
    None of anything else."""
    if isinstance(value, bool | int | float):
        return float(value) if abs(value) < 1e300 else None
    if not isinstance(value, str) or len(value) > 40:
        return None
    if found := _PERCENT.fullmatch(value):
        return float(found[1])
    word = value.strip().lower()
    return {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}.get(word, keywords.LEVELS.get(word))


def is_level(value: Value) -> bool:
    """Whether a value says by itself how bad a rule is: "error", "warn", "off"."""
    return isinstance(value, str) and value.strip().lower() in keywords.OF_RULES


def weaker(old: Item, new: Item) -> str | None:
    """Why the new value of a key asks for less than the old one, in a few words ("true -> false"); None where it does
    not, or where that is not known. Both items are of the kind `KEY` and have the same key."""
    if old.kind != KEY or new.kind != KEY or old.key != new.key or old.value == new.value:
        return None
    sign = _sign(old, new)
    before, after = _rank(old, sign), _rank(new, sign)
    if before is None or after is None or sign * (after - before) >= 0:
        return None
    return f"{old.text} -> {new.text}"


def _sign(old: Item, new: Item) -> int:
    words = _words(_name(old.key))
    sign = direction(old.key)
    kinds = {_kind(old.value), _kind(new.value)}
    if "word" not in kinds:
        if kinds == {"bool"}:
            return keywords.WHOLE.get("_".join(words), _of_switch(words))
        if _name(old.key.rpartition(".")[0]) == "rules" and {old.value, new.value} <= {0, 1, 2}:
            return 1  # ESLint counts: off, warn, error
        if kinds == {"number"} and sign == 0 and words[-1:] == ["options"]:
            return direction(old.key.rsplit(".", 1)[0])
        return sign
    if _ladder(words) is not None:
        return -1 if sign < 0 and "strictness" not in words else 1
    if not keywords.LOGS.isdisjoint(words):
        return 0
    threshold = _reports_from(words)
    if not keywords.NAMES_LEVEL.isdisjoint(words) or threshold:
        return -1 if threshold else 1
    if "bool" in kinds and sign:
        return sign
    levels = [item.value for item in (old, new) if _kind(item.value) == "word"]
    if all(is_level(value) for value in levels) or (sign == 0 and any(is_level(value) for value in levels)):
        return 1
    return 0


def _reports_from(words: list[str]) -> bool:
    """Whether a key names the level from which on something is reported: a higher one reports less."""
    if keywords.WHOLE.get("_".join(words)) == -1:
        return not _FROM.isdisjoint(words)
    return not {"threshold", "cutoff", "min", "minimum"}.isdisjoint(words) and not keywords.CONFIDENT.isdisjoint(words)


def _kind(value: Value) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float) or (isinstance(value, str) and _PERCENT.fullmatch(value[:40])):
        return "number"
    return "word"


def _ladder(words: list[str]) -> dict[str, float] | None:
    return keywords.LADDERS.get("_".join(words)) or (keywords.LADDERS["strictness"] if "strictness" in words else None)


def _rank(item: Item, sign: int) -> float | None:
    words = _words(_name(item.key))
    ladder = _ladder(words)
    if ladder is not None and isinstance(item.value, str):
        return ladder.get(item.value.strip().lower(), rank(item.value))
    value = rank(item.value)
    capped = sign > 0 and not _CAPS.isdisjoint(words)
    if capped and value is not None and (value < 0 or (value == 0 and "issues" in words)):
        return float("inf")  # golangci-lint and Gemini write "no cap" so
    return value


def asks(item: Item) -> int:
    """What it means that a key or an entry stands there at all: 1 that something is asked for, -1 that something is
    taken out of the review (a switch turned off, an entry of what is ignored, a cap of findings), 0 nothing or unknown.
    """
    words = _words(_name(item.key))
    sign = direction(item.key)
    value = item.value
    if isinstance(value, bool):
        sign = keywords.WHOLE.get("_".join(words), _of_switch(words))
        return 0 if sign < 0 and not value else sign if value else -sign
    if value is None:
        return 0
    if _reports_from(words):
        return -1 if (rank(value) or 0.0) > 0 else 0
    if _kind(value) == "number":
        if sign > 0 and not _CAPS.isdisjoint(words):
            return -1
        return -1 if item.negative else abs(sign)
    if is_level(value) and rank(value) == 0.0:
        return -1
    if item.negative:
        return -1
    return 1 if item.entry or is_level(value) or sign > 0 else 0
