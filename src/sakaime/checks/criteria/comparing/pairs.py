"""What the items that are still there ask for less than before."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.demands import left_out
from sakaime.checks.criteria.comparing.globs import covers, held, is_pattern
from sakaime.checks.criteria.comparing.likeness import share
from sakaime.checks.criteria.comparing.loss import NARROWED, WEAKENED, Loss, identity
from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.checks.criteria.comparing.tokens import plain, translated, wording, words
from sakaime.checks.criteria.item import HEADING, KEY, OWNER, PROSE
from sakaime.checks.criteria.meaning.grade import EXCLUDES
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.comparing.nesting import Nesting
    from sakaime.checks.criteria.item import Document, Item
    from sakaime.checks.criteria.meaning.grade import Grade

_LEVELS = 8  # of headings
_HITS = 48
_PATTERNS = 64  # of one list
_STANDS = 0.7  # the share of a clause that must stand in one item for it not to be lost


class Drop(Record):
    """That one pair asks for less: the numbers of both items, what kind of loss, why; the numbers of the headings or
    lead-ins (old, new) that make it so if its own words do not (-1, -1: its own words)."""

    old: int
    new: int
    change: str
    why: str
    cause: tuple[int, int] = (-1, -1)


def weakened(old: Document, new: Document, pairing: Pairing, judges: Judges, asks: Sequence[int]) -> Iterator[Loss]:
    """The losses of the pairs of two sides, one for each item; one for all that a heading or lead-in brought about.

    `asks` says of each old item whether it is a criterion: only these lose a part without a word that says so.
    """
    shapes = nesting(old.items), nesting(new.items)
    drops = list(_drops(old, new, pairing, judges, asks, shapes))
    own = {drop.new for drop in drops}
    paired = {other for _, other in pairing.pairs}
    by_cause: dict[tuple[int, int], list[Drop]] = {}
    for drop in drops:
        if drop.cause[1] >= 0:
            by_cause.setdefault(drop.cause, []).append(drop)
    for drop in drops:
        if drop.cause[1] >= 0:
            continue
        others = tuple(new.items[each.new] for each in by_cause.pop((drop.old, drop.new), ()))
        yield _loss(new, old.items[drop.old], new.items[drop.new], drop, others)
    dropped = {drop.new for drop in drops}
    for (was, now), caused in by_cause.items():
        below = [at for at in range(now + 1, shapes[1].ends.get(now, now + 1)) if at in paired]
        if was < 0 and new.items[now].kind == HEADING and 2 * len(dropped.intersection(below)) <= len(below):
            # Most below it ask for no less: it is no new title above them, they went below it.
            for drop in caused:
                yield _loss(new, old.items[drop.old], new.items[drop.new], drop, ())
            continue
        others = tuple(new.items[each.new] for each in caused)
        if now not in own:
            yield _loss(new, old.items[was] if was >= 0 else None, new.items[now], caused[0], others)


def _loss(new: Document, was: Item | None, item: Item, drop: Drop, others: tuple[Item, ...]) -> Loss:
    return Loss(drop.change, new.path, item, was, item.start, item.end, drop.why, others, identity(was or item))


def _drops(
    old: Document,
    new: Document,
    pairing: Pairing,
    judges: Judges,
    asks: Sequence[int],
    shapes: tuple[Nesting, Nesting],
) -> Iterator[Drop]:
    partners = dict(pairing.pairs)
    parts, wholes = dict(pairing.splits), {new_one: ones for ones, new_one in pairing.merges}
    elsewhere = _standing(new.items)
    beside: dict[str, list[str]] = {}  # by key, the patterns that stand there
    for its in new.items:
        if its.kind == KEY and is_pattern(its.text) and not its.negative and len(beside.get(its.key, ())) < _PATTERNS:
            beside.setdefault(its.key, []).append(its.text)
    taken = set(partners.values())
    same_language = not translated(old.text, new.text)
    graded: list[tuple[int, int, Grade, Grade, tuple[str, str]]] = []
    levels: list[tuple[int, int, Grade, Grade]] = []
    lead_ins = {plain(item.text): at for at, item in reversed(list(enumerate(new.items)))}
    for one, other in pairing.pairs:
        item, now = old.items[one], new.items[other]
        if item.said == now.said:
            continue
        if OWNER in (item.kind, now.kind) or KEY in (item.kind, now.kind):
            if (change := _setting(item, now, judges)) is not None and not _held(item, now, beside):
                yield Drop(one, other, *change)
            continue
        if item.kind == HEADING and _has_items(shapes[0], one):
            continue  # its words count for what stands below it
        item = _joined(old.items, wholes.get(other, (one,)), one)
        now = _joined(new.items, parts.get(one, (other,)), other)
        before, after = judges.grade(item), judges.grade(now)
        if before.severity is not None and after.severity is not None:
            levels.append((one, other, before, after))
        if not same_language:  # "large" and its translation need not be the same step
            after = after.replace(quantifier=before.quantifier)
        change = judges.weaker(before, after) or _demoted(one, other, before, after, partners, taken, shapes)
        if change is not None and item.kind == PROSE and not asks[one] and not _limits(before, after):
            continue  # a sentence that only describes
        if change is not None:
            graded.append((one, other, before, after, change))
        elif (
            same_language
            and item.kind != HEADING
            and plain(wording(item)) != plain(wording(now))
            and (less := _less(before, after, item, now, asks[one], elsewhere(other))) is not None
        ):
            yield Drop(one, other, *less)
    renamed = _renamed(levels, old.items, new.items)
    for one, other, before, after, change in graded:
        if (before.severity, after.severity) in renamed:
            same = judges.weaker(before, after.replace(severity=before.severity))
            if same is None:
                continue
            change = same
        cause = _cause(old, new, one, other, before, judges, partners, shapes, lead_ins, taken)
        yield Drop(one, other, change[0], change[1], cause)


def _demoted(
    one: int,
    other: int,
    before: Grade,
    after: Grade,
    partners: Mapping[int, int],
    taken: set[int],
    shapes: tuple[Nesting, Nesting],
) -> tuple[str, str] | None:
    """Whether an item left a section whose title calls what stands in it severe for another one, while both stand."""
    section, over = shapes[0].section[one], shapes[1].section[other]
    if section not in partners or over not in taken or partners[section] == over:
        return None
    if before.severity is None or after.severity is not None or after.modality >= before.modality:
        return None
    return WEAKENED, "stands below a title that calls it less severe"


def _limits(before: Grade, after: Grade) -> bool:
    """Whether a new wording limits a review, whatever the sentence is: it says who reads what, and now excepts."""
    excepts = before.own.of_review and len(after.exceptions) > len(before.exceptions)
    return excepts or len(after.own.limits) > len(before.own.limits) or before.polarity != after.polarity == EXCLUDES


def _has_items(shape: Nesting, heading: int) -> bool:
    return shape.ends.get(heading, 0) > heading + 1


def _joined(items: Sequence[Item], group: Sequence[int], named: int) -> Item:
    if len(group) == 1:
        return items[named]
    return items[named].replace(text=". ".join(items[at].text.rstrip(".") for at in sorted(group)))


def _setting(item: Item, now: Item, judges: Judges) -> tuple[str, str] | None:
    if OWNER in (item.kind, now.kind):
        if item.kind != now.kind or item.negative or not item.text.strip():
            return None
        # Any one owner's approval is enough: fewer of them ask for no less as long as one is left.
        return (NARROWED, "has no owner any more") if now.negative or not now.text.strip() else None
    if item.kind == now.kind and (why := judges.key_weaker(item, now)) is not None:
        return WEAKENED, why
    return narrower(item, now)


def _held(item: Item, now: Item, beside: Mapping[str, Sequence[str]]) -> bool:
    """Whether the entries of a list of patterns hold together what one of them held before."""
    if KEY not in (item.kind, now.kind) or not is_pattern(item.text) or item.negative:
        return False
    return held(beside.get(now.key, ()), item.text)


def narrower(item: Item, now: Item) -> tuple[str, str] | None:
    """Whether a pattern of paths holds less than it did (of what is left out: more)."""
    wide, narrow = (now, item) if now.negative else (item, now)
    if item.negative != now.negative or not (is_pattern(wide.text) and (is_pattern(narrow.text) or "." in narrow.text)):
        return None
    if covers(wide.text, narrow.text) and not covers(narrow.text, wide.text):
        return NARROWED, f"{item.text} -> {now.text}"
    return None


def _less(
    before: Grade, after: Grade, item: Item, now: Item, asks: int, elsewhere: Callable[[Mapping[str, float]], bool]
) -> tuple[str, str] | None:
    if asks:
        if len(after.exceptions) < len(before.exceptions):
            return None  # what is not said any more was an exception
        clause = left_out(item.text, now.text, elsewhere)
        return None if clause is None else (WEAKENED, f"no longer says: {clause}")
    if before.polarity == after.polarity == EXCLUDES:
        clause = left_out(now.text, item.text, lambda _: False)
        return None if clause is None else (NARROWED, f"now leaves out: {clause}")
    return None


def _standing(items: Sequence[Item]) -> Callable[[int], Callable[[Mapping[str, float]], bool]]:
    """Asks whether a clause stands in an item other than one."""
    index: dict[str, list[int]] = {}
    texts: list[Mapping[str, float]] = []

    def fill() -> None:
        for at, item in enumerate(items):
            texts.append(words(wording(item)))
            for word, weight in texts[-1].items():
                if weight >= 0.3:
                    index.setdefault(word, []).append(at)

    def beside(but: int) -> Callable[[Mapping[str, float]], bool]:
        def stands(clause: Mapping[str, float]) -> bool:
            if not texts:
                fill()
            weight = sum(clause.values())
            rare = sorted((len(index.get(word, ())), word) for word, each in clause.items() if each >= 0.3)[:3]
            places = {at for _, word in rare for at in index.get(word, ())[:_HITS]}
            return any(at != but and share(clause, texts[at], weight) >= _STANDS for at in places)

        return stands

    return beside


def _cause(
    old: Document,
    new: Document,
    one: int,
    other: int,
    before: Grade,
    judges: Judges,
    partners: Mapping[int, int],
    shapes: tuple[Nesting, Nesting],
    lead_ins: Mapping[str, int],
    taken: set[int],
) -> tuple[int, int]:
    """The heading or lead-in that makes an item weaker, if its own words would not."""
    item, now = old.items[one], new.items[other]
    if (item.headings, item.above) == (now.headings, now.above):
        return -1, -1
    if judges.weaker(before, judges.grade(now.replace(headings=item.headings, above=item.above))) is not None:
        return -1, -1
    if item.above != now.above and now.above:
        over = lead_ins.get(plain(now.above[-1]), -1)
        if over >= 0 and over != other:
            was = next((was for was in (one - 1, shapes[0].parent[one]) if partners.get(was, -2) == over), -1)
            return (-1, -1) if was < 0 and over in taken else (was, over)
    section, over = shapes[0].section[one], shapes[1].section[other]
    for _ in range(_LEVELS):
        if over >= 0 and over not in taken and shapes[1].section[over] >= -1:
            return -1, over  # it was put in above
        if section < 0 or partners.get(section) != over:
            return (-1, over) if over >= 0 and over not in partners.values() else (-1, -1)
        if old.items[section].text != new.items[over].text:
            return section, over
        section, over = shapes[0].section[section], shapes[1].section[over]
    return -1, -1


def _renamed(
    levels: Iterable[tuple[int, int, Grade, Grade]], old: Sequence[Item], new: Sequence[Item]
) -> set[tuple[int | None, int | None]]:
    """The drops of severity that only a new name for each step of the ladder brings about: each old step has one new
    one, their order is kept, and the new names stood for nothing before."""
    steps: dict[int, int] = {}
    gained: dict[int, set[str]] = {}
    for one, other, before, after in levels:
        high, low = before.severity or 0, after.severity or 0
        if steps.setdefault(high, low) != low:
            return set()
        if fresh := set(_all_words(new[other])) - set(_all_words(old[one])):
            gained[high] = gained[high] & fresh if high in gained else fresh
    ordered = [steps[step] for step in sorted(steps)]
    if not gained or len(steps) < 2 or sorted(set(ordered)) != ordered:
        return set()
    known = {word for item in old for word in _all_words(item)}
    if len(gained) < min(2, len(steps)) or any(names <= known for names in gained.values()):
        return set()
    return {(step, steps[step]) for step in gained if steps[step] != step}


def _all_words(item: Item) -> Iterable[str]:
    return words(" ".join((item.text, *(text for _, text in item.cells), *item.headings[-1:])))
