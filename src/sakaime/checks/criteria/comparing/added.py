"""What was added to a document that makes a review look at or report less."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.globs import covers, is_pattern
from sakaime.checks.criteria.comparing.loss import NARROWED, Loss, identity
from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.checks.criteria.comparing.scopes import on_demand, shrunk
from sakaime.checks.criteria.comparing.tokens import plain
from sakaime.checks.criteria.item import HEADING, KEY, OWNER, PROSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.comparing.nesting import Nesting
    from sakaime.checks.criteria.item import Document, Item


_MOST = 64  # patterns of one list that are compared with each other


def limits(old: Document, new: Document, pairing: Pairing, judges: Judges) -> Iterator[Loss]:
    """The new items that limit a review, those below a new one that does as its `others`; scopes that shrank."""
    fresh = set(pairing.fresh)
    origin = {other: one for one, other in pairing.pairs}
    shape = nesting(new.items)
    before: dict[str, list[Item]] = {}
    for item in old.items:
        if item.kind == KEY:
            before.setdefault(item.key, []).append(item)
    limiting: dict[int, str] = {}
    for at in pairing.fresh:
        item = new.items[at]
        if item.kind in (KEY, OWNER):
            why = _setting(item, before, judges)
        else:
            graded = judges.grade(item)
            # "Skip this check for …" behind a check that is new itself limits nothing that there was.
            why = None if graded.own.here and at - 1 in fresh else judges.adds_limit(graded)
        if why is not None and not (item.kind == HEADING and _said_before(at, old, new, shape, origin, judges)):
            limiting[at] = why
    leads = {plain(new.items[at].text): at for at in limiting}
    below: dict[int, list[int]] = {}
    top: list[int] = []
    for at in limiting:
        over = _over(at, new.items, limiting, fresh, shape.parent[at], shape.section[at], leads)
        if over < 0 and at - 1 in limiting and _goes_on(new, at):
            over = at - 1
        if over >= 0 and over != at:
            below.setdefault(over, []).append(at)
        else:
            top.append(at)
    for at in top:
        item = new.items[at]
        others = tuple(new.items[part] for part in _all_below(at, below))
        yield Loss(NARROWED, new.path, item, None, item.start, item.end, limiting[at], others, identity(item))
    yield from _reordered(old, new, pairing)
    yield from shrunk(old, new, pairing, {new.items[at].text for at in limiting})
    yield from on_demand(old, new)


def _said_before(
    at: int, old: Document, new: Document, shape: Nesting, origin: Mapping[int, int], judges: Judges
) -> bool:
    """Whether all that stands below a new heading was left out before: by another heading, a tag, a lead-in."""
    below = [
        part
        for part in range(at + 1, shape.ends.get(at, at + 1))
        if shape.section[part] == at and new.items[part].kind not in (HEADING, KEY, OWNER)
    ]
    return bool(below) and all(
        part in origin and judges.grade(old.items[origin[part]]).polarity == judges.grade(new.items[at]).polarity
        for part in below
    )


def _over(
    at: int,
    items: Sequence[Item],
    limiting: Mapping[int, str],
    fresh: set[int],
    parent: int,
    section: int,
    leads: Mapping[str, int],
) -> int:
    """The new item or heading above a new one that limits the review already."""
    item = items[at]
    if parent in limiting:
        return parent
    for text in reversed(item.above):
        lead = leads.get(plain(text), -1)
        if 0 <= lead < at:
            return lead
    return section if section in limiting and section in fresh and items[section].kind == HEADING else -1


def _goes_on(document: Document, at: int) -> bool:
    """Whether an item is the next sentence of the paragraph that the one before it stands in."""
    before, item = document.items[at - 1], document.items[at]
    between = document.text[before.end : item.start]
    return before.kind == item.kind == PROSE and not between.strip() and between.count("\n") < 2


def _all_below(at: int, below: Mapping[int, Sequence[int]]) -> list[int]:
    found, waiting = [], list(below.get(at, ()))
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting.extend(below.get(part, ()))
    return sorted(found)


def _setting(item: Item, before: Mapping[str, Sequence[Item]], judges: Judges) -> str | None:
    if item.kind == OWNER:
        return "has no owner" if item.negative or not item.text.strip() else None
    if judges.asks(item) >= 0:
        return None
    if is_pattern(item.text) and any(
        was.negative and covers(was.text, item.text) for was in before.get(item.key, ()) if is_pattern(was.text)
    ):
        return None
    return f"leaves out {item.text}" if item.negative and isinstance(item.value, str) else f"{item.key}: {item.text}"


def _reordered(old: Document, new: Document, pairing: Pairing) -> Iterator[Loss]:
    """Of filters the last that holds a path decides: what is left out now comes behind what it was an exception of."""
    lists: dict[str, list[tuple[int, int]]] = {}
    for one, other in pairing.pairs:
        if old.items[one].kind == new.items[other].kind == KEY and new.items[other].ordered:
            lists.setdefault(new.items[other].key, []).append((one, other))
    for entries in lists.values():
        taken_in = [entry for entry in entries if not new.items[entry[1]].negative][:_MOST]
        for one, other in [entry for entry in entries if new.items[entry[1]].negative][:_MOST]:
            item = new.items[other]
            for before, after in taken_in:
                if one < before and after < other and covers(item.text, new.items[after].text):
                    why = f"now overrides {new.items[after].text}"
                    yield Loss(NARROWED, new.path, item, old.items[one], item.start, item.end, why, (), identity(item))
                    break
