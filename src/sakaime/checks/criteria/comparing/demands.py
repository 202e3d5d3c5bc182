"""What a text asks for beside other things, and which of that a new wording leaves out."""

from __future__ import annotations

import re

from sakaime.checks.criteria.comparing.likeness import share
from sakaime.checks.criteria.comparing.tokens import words
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ASIDE = late(r"[(（\[][^()（）\[\]]{0,300}[)）\]]")
_LABEL = late(r"\A[^:：]{1,60}(?::\s|：)")
_BETWEEN = late(
    r"[,;.!?](?=\s|\Z)|[、；，。！？]| (?:and|or|as well as|plus|und|oder|sowie|et|ou|y|o|e) |"
    r"および|及び|ならびに|並びに|かつ|または|又は|もしくは|以及|并且|和|及|与|或| 및 | 또는 |그리고"
)
# What begins so is a reason, a condition, an example or an exception: without it a text does not ask for less.
_NO_DEMAND = late(
    r"\s*(?:(?:and|or|but|und|aber)\s+)?(?:because|since|so that|as|if|when|whenever|while|where|unless|except|"
    r"other than|e\.g|i\.e|for example|for instance|such as|like|see|which|who|that is|in order|otherwise|please|"
    r"weil|damit|wenn|falls|sofern|außer|z\.\s?b|zum beispiel|siehe|"
    r"ただし|但し|例外|例えば|たとえば|なぜなら|詳しくは|除非|例如|因为|如果|比如|详见|예를 들어|단,|다만)",
    re.IGNORECASE,
)
_CONDITION = late(r"(?:場合|とき|時|ため|ので|から|際|的话|时)(?:に|は|には|で)?\s*\Z")
_LEAST = 0.7  # weight of a clause that can be missed
_HELD, _KEPT = 0.35, 0.8
_NOVEL = 0.4  # of the weight of what is missing; more that is new may be what it became
_SHOWN = 60


def clauses(text: str) -> list[str]:
    """The things that a text asks for, without asides and the label in front."""
    bare = _LABEL.sub("", _ASIDE.sub(" ", text))
    return [part.strip() for part in _BETWEEN.split(bare) if part.strip()]


def left_out(old: str, new: str, elsewhere: Callable[[Mapping[str, float]], bool]) -> str | None:
    """A clause of a text that its new wording leaves out while it keeps the others as they are and says nothing new in
    its stead; None if there is none, or if it stands `elsewhere`."""
    parts = clauses(old)
    if len(parts) < 2:
        return None
    before, after = words(old), words(new)
    novel = sum(weight for word, weight in after.items() if word not in before)
    lost: list[tuple[str, float]] = []
    kept = kept_of = 0.0
    for part in parts:
        theirs = words(part)
        weight = sum(theirs.values())
        held = share(theirs, after, weight)
        if held < _HELD and sum(each for each in theirs.values() if each >= 0.3) >= _LEAST:
            lost.append((part, weight))
        else:
            kept, kept_of = kept + held * weight, kept_of + weight
    if not lost or not kept_of or kept < _KEPT * kept_of or novel > _NOVEL * sum(weight for _, weight in lost):
        return None
    for part, _ in lost:
        if not _NO_DEMAND.match(part) and not _CONDITION.search(part) and not elsewhere(words(part)):
            return part if len(part) <= _SHOWN else f"{part[: _SHOWN - 1]}…"
    return None
