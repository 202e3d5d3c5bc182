"""The numbers of an item, and which way they ask for more."""

from __future__ import annotations

import itertools
from bisect import bisect_right

from sakaime.checks.criteria.meaning.clauses import CJK, Group
from sakaime.checks.criteria.meaning.words import Hit
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.clauses import Text
    from sakaime.checks.criteria.meaning.words import Scanner

    # (1: a larger one asks for more, -1: a smaller one, 2 and -2: the same of what triggers a duty; its unit, or what
    # is measured; the amount; how it is written)
    Bound = tuple[int, str, float, str]

# A digit inside of a name, a version or a path is no amount.
_DIGITS = late(r"(?<![\w.#/-])\d[\d.,]*|(?<=[^\W\da-zäöüß_])\d[\d.,]*")
_UNIT = late(r"[ -]?(%|[^\W\d_]+)")
_DIRECTIONS = frozenset("at_least at_most above below more_is_stricter less_is_stricter".split())
_NOUNS = frozenset({"more_is_stricter", "less_is_stricter"})
# How far a direction stands from its number, in words; a noun that gives one, a little farther.
_NEAR, _NEAR_NOUN = 2.4, 4
# Phrases before and after a number that are looked at.
_AROUND = 16
_BESIDE, _AFTER = 14, 24
_ADJECTIVES = 1
_LONGEST_UNIT, _LONGEST_NUMBER = 24, 40
# "Keep functions under 40 lines": how far a verb of keeping that leads stands from the direction, in words.
_KEPT = 3


def bounds(scan: Scanner, whole: Text, hits: list[Hit]) -> tuple[list[Bound], list[float], list[str], list[Hit]]:
    """The numbers with a direction, all that are written in digits, the phrases that cap how much is reported, and
    those that say how sure one must be."""
    text = whole.text
    digits = [(m.start(), m.end(), _amount(m.group())) for m in _DIGITS.finditer(text)]
    places = sorted([*digits, *_spoken(scan, text, hits)])
    found: list[Bound] = []
    caps: list[str] = []
    floors: list[Hit] = []
    starts = [hit.start for hit in hits] if places else []
    for start, end, amount in places:
        at = bisect_right(starts, start)
        near = [hit for hit in hits[max(0, at - _AROUND) : at + _AROUND] if _together(whole, hit, start)]
        name, size, unit_end = _unit(scan, text, end)
        if size and any(_repeats(text, hit, start, unit_end) for hit in near):
            found.append((-1, name, amount * size, text[start:unit_end]))
            continue
        hit = _nearest(text, near, start, end)
        if hit is None:
            continue
        direction = _direction(whole, near, hit)
        if any("more_is_stricter" in other.roles and 0 <= other.start - end <= _BESIDE for other in near):
            # "Above two approvals" triggers nothing; and an approval is a review is a person.
            direction = 1 if direction == 2 else direction
            name = name if size else ""
        if direction == -1 and "at_most" in hit.roles and _caps(Group(whole, near), end):
            caps.append(text[min(hit.start, start) : max(hit.end, end)])
            direction = 1
        if direction == -1 and any("confidence" in other.roles for other in near):
            floors.append(Hit(min(hit.start, start), max(hit.end, unit_end), hit.roles))
        shown = text[start:unit_end] if size else f"{amount:g}"
        found.append((direction, name, amount * (size or 1), shown))
    if not any(bound[0] == 1 for bound in found):
        found += [(1, "", 1.0, text[hit.start : hit.end]) for hit in _articles(whole, hits)]
    return found, [amount for _, _, amount in digits], caps, floors


def lowered(old: tuple[Bound, ...], new: tuple[Bound, ...]) -> str | None:
    """Which amount asks for less than before: "88 -> 70"."""
    for direction in (1, -1):
        before = [bound for bound in old if bound[0] == direction]
        after = [bound for bound in new if bound[0] == direction]
        alone = len(before) == len(after) == 1
        for unit in dict.fromkeys(bound[1] for bound in before):
            was = [(direction * bound[2], bound[3]) for bound in before if bound[1] == unit]
            now = [
                (direction * bound[2], bound[3])
                for bound in after
                if bound[1] == unit or (alone and "" in (bound[1], unit))
            ]
            if now and min(now)[0] < min(was)[0]:
                return f"{min(was)[1]} -> {min(now)[1]}"
    return None


def unsaid(old: tuple[Bound, ...], new: tuple[Bound, ...]) -> str | None:
    """Which amount is not named any more; one of something is as many as any."""
    if new:
        return None
    return next((f"{shown} -> no number" for way, _, amount, shown in old if way < 0 or amount > 1), None)


def turned(found: tuple[Bound, ...], leaves_out: bool) -> tuple[Bound, ...]:
    """The bounds without triggers: "longer than 40" asks for less the larger it is, unless it says what is left out."""
    sign = 1 if leaves_out else -1
    return tuple(
        (sign * (way // 2) if abs(way) == 2 else way, unit, amount, shown) for way, unit, amount, shown in found
    )


def _unit(scan: Scanner, text: str, end: int) -> tuple[str, float, int]:
    """The unit behind a number: its name, or what is measured; its size (0: not known); where it ends."""
    unit = _UNIT.match(text, end)
    if unit is None:
        return "", 0, end
    name, at = unit[1][:_LONGEST_UNIT], unit.start(1)
    for size in range(len(name), 0, -1) if CJK.match(name) else (len(name),):
        if name[:size] in scan.units:
            return *scan.units[name[:size]], at + size
    return name.rstrip("s"), 0, at + len(name)


def _repeats(text: str, hit: Hit, start: int, end: int) -> bool:
    """Whether "every" makes an interval of an amount of time: "every 30 days"."""
    return "every" in hit.roles and (0 <= start - hit.end <= 1 or (hit.start == end and bool(CJK.match(text[end]))))


def _spoken(scan: Scanner, text: str, hits: list[Hit]) -> list[tuple[int, int, float]]:
    found = []
    for place, hit in enumerate(hits):
        if "number" not in hit.roles:
            continue
        word = text[hit.start : hit.end]
        following = hits[place + 1] if place + 1 < len(hits) else None
        counted = following is not None and "counters" in following.roles and following.start - hit.end <= 1
        # One letter that means a number means much else.
        if word in scan.numbers and (counted or not CJK.match(word)):
            found.append((hit.start, hit.end, scan.numbers[word]))
    return found


def _articles(whole: Text, hits: list[Hit]) -> list[Hit]:
    """The articles that stand for one of those of whom more ask for more: "a maintainer"."""
    found = [hit for hit in hits if {"single", "person"} <= hit.roles]
    for hit, following in itertools.pairwise(hits):
        beside = "more_is_stricter" in following.roles and whole.gap(hit.end, following.start) <= _ADJECTIVES
        if "single" in hit.roles and beside and whole.clause(hit.start) == whole.clause(following.start):
            found.append(hit)
    return found


def _together(whole: Text, hit: Hit, start: int) -> bool:
    return whole.sentence(hit.start) == whole.sentence(start)


def _nearest(text: str, near: list[Hit], start: int, end: int) -> Hit | None:
    best: tuple[tuple[bool, float, bool], Hit] | None = None
    for hit in near:
        if hit.roles.isdisjoint(_DIRECTIONS) or (hit.start < end and hit.end > start):
            continue
        noun = not hit.roles.isdisjoint(_NOUNS) and hit.roles.isdisjoint(_DIRECTIONS - _NOUNS)
        between = text[hit.end : start] if hit.end <= start else text[end : hit.start]
        far = len(CJK.findall(between)) / 3 + sum(not CJK.search(word) for word in between.split())
        if far <= (_NEAR_NOUN if noun else _NEAR):
            rank = (noun, far, hit.end > start)
            if best is None or rank < best[0]:
                best = (rank, hit)
    return best[1] if best else None


def _direction(whole: Text, near: list[Hit], hit: Hit) -> int:
    if any("confidence" in other.roles for other in near):
        return -1
    if "at_least" in hit.roles:
        return 1
    if "at_most" in hit.roles:
        return -1
    if not hit.roles.isdisjoint(("above", "below")):
        kept = any("keep" in o.roles and o.end <= hit.start and _keeps(whole, o, hit) for o in near)
        direction = 1 if "above" in hit.roles else -1
        return direction if kept else 2 * direction
    return 1 if "more_is_stricter" in hit.roles else -1


def _keeps(whole: Text, verb: Hit, hit: Hit) -> bool:
    gap = whole.gap(verb.end, hit.start)
    if gap == 0:
        return True
    start, _ = whole.clause_at(verb.start)
    leads = not whole.text[start : verb.start].strip(" *_") and whole.clause(verb.start) == whole.clause(hit.start)
    return gap <= _KEPT and leads


def _caps(group: Group, end: int) -> bool:
    after = [hit for hit in group.hits if 0 <= hit.start - end <= _AFTER]
    if any("finding" in hit.roles for hit in after):
        return True
    return any("remark" in hit.roles for hit in after) and (
        group.of_review or any(group.reports(hit) for hit in group.hits)
    )


def _amount(digits: str) -> float:
    digits = digits.rstrip(".,")[:_LONGEST_NUMBER].rstrip(".,")
    parts = digits.replace(",", ".").split(".")
    if len(parts) > 1 and "," in digits and all(len(part) == 3 for part in parts[1:]):
        return float("".join(parts))  # thousands
    return float(".".join(part for part in parts[:2]))
