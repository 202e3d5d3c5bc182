"""What the criteria documents of a change ask for less than before."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.added import limits
from sakaime.checks.criteria.comparing.elsewhere import Elsewhere, elsewhere
from sakaime.checks.criteria.comparing.loss import DELETED, MOVED, NARROWED, REMOVED, WEAKENED, Loss, identity
from sakaime.checks.criteria.comparing.lost import criteria, groups, settings_together, unfolded
from sakaime.checks.criteria.comparing.match import Pairing, match
from sakaime.checks.criteria.comparing.moves import is_linked, moved, retargeted, went
from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.checks.criteria.comparing.owners_left import overridden
from sakaime.checks.criteria.comparing.pairs import weakened
from sakaime.checks.criteria.comparing.places import first_line, line_of, place, places
from sakaime.checks.criteria.comparing.retired import is_shelved, retired
from sakaime.checks.criteria.comparing.sentences import cut_out
from sakaime.checks.criteria.comparing.tokens import plain, translated, wording
from sakaime.checks.criteria.documents.mentions import is_pointer
from sakaime.checks.criteria.item import HEADING, KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.item import Document, Item

_REWRITTEN, _LEAST_REWRITTEN, _LEAST_EMPTIED = 0.6, 6, 3
_BESIDE = 120  # characters between two entries of a list that are one loss
_PRECEDENCE = (DELETED, MOVED, REMOVED, NARROWED, WEAKENED)


def compare(
    pairs: Sequence[tuple[Document | None, Document | None]], judges: Judges, is_criteria: Callable[[str], bool]
) -> tuple[Loss, ...]:
    """What reviewers are asked for no more, less firmly or in fewer places, over all criteria documents of a change.

    Each pair is a document before and after (None: there is no such side; the paths differ if it was renamed).
    `is_criteria` says whether reviewers read what stands at a path. The losses are in the order of the documents and of
    their places; one item has one loss.
    """

    def is_read(path: str) -> bool:
        return is_criteria(path) and not is_shelved(path)

    pairings = [match(old, new) if old is not None and new is not None else None for old, new in pairs]
    there = elsewhere(pairs, pairings)
    found: list[Loss] = []
    for number, ((old, new), pairing) in enumerate(zip(pairs, pairings, strict=True)):
        if old is None or old == new:
            continue
        if new is None or not new.text.strip():
            found += _whole(number, old, new, there, judges, is_read)
        elif is_read(old.path) and not is_read(new.path):
            if not is_linked(new.path, there, is_read):
                found += _out_of_reach(old, new, judges)
        elif pairing is not None:
            found += _single(_document(number, old, new, pairing, there, judges, is_read))
    return tuple(found)


def _single(losses: Iterator[Loss]) -> list[Loss]:
    """One loss for each item: what is worst. In the order of the text."""
    of: dict[tuple[str, int, int], Loss] = {}
    for loss in sorted(losses, key=lambda loss: _PRECEDENCE.index(loss.change)):
        item = loss.item
        of.setdefault(("old" if item is loss.was else "new", item.start, item.end), loss)
    return _listed(sorted(of.values(), key=lambda loss: (loss.start, loss.end)))


def _listed(losses: Sequence[Loss]) -> list[Loss]:
    """What one list leaves out now, entry after entry, as one loss."""
    groups: list[list[Loss]] = []
    for loss in losses:
        if groups and _next_entry(groups[-1][-1], loss):
            groups[-1].append(loss)
        else:
            groups.append([loss])
    return [
        first.replace(others=(*first.others, *(loss.item for loss in rest))) if rest else first
        for first, *rest in groups
    ]


def _next_entry(last: Loss, loss: Loss) -> bool:
    """Whether two losses are of neighbours in a list of what is left out."""
    one, other = last.item, loss.item
    return (
        last.change == loss.change == NARROWED
        and one.kind == other.kind == KEY
        and one.entry
        and other.entry
        and other.negative
        and one.key == other.key
        and loss.start - last.end <= _BESIDE
    )


def _asked(document: Document, judges: Judges) -> list[int]:
    return [at for at, asks in enumerate(criteria(document, judges)) if asks]


def _one(change: str, path: str, items: Sequence[Item], place_of: tuple[int, int], why: str) -> Loss:
    first = items[0]
    return Loss(change, path, first, first, *place_of, why, tuple(items[1:]), f"document:{change}")


def _whole(
    number: int,
    old: Document,
    new: Document | None,
    there: Elsewhere,
    judges: Judges,
    is_criteria: Callable[[str], bool],
) -> Iterator[Loss]:
    """The loss of a document that is gone or has nothing in it any more."""
    asked = _asked(old, judges)
    if not asked or not is_criteria(old.path):
        return
    found = there.same(number, old, asked)
    if left := [at for at in asked if at not in found]:
        found |= there.find(number, old, left, there.others(number))
    missing = [old.items[at] for at in asked if at not in found]
    path, at = (old.path, (0, 0)) if new is None else (new.path, first_line(new.text))
    if missing:
        why = f"{len(missing)} criteria are gone with it" if len(missing) > 1 else "its criterion is gone with it"
        yield _one(DELETED, path, missing, at, why)
    paths = {its.path for its in found.values() if not is_criteria(its.path)}
    unread = {one for one in paths if not is_linked(one, there, is_criteria)}
    away = [one for one in asked if one in found and found[one].path in unread]
    if away:
        yield _one(MOVED, path, [old.items[one] for one in away], at, f"now in {found[away[0]].path}")


def _out_of_reach(old: Document, new: Document, judges: Judges) -> Iterator[Loss]:
    if asked := _asked(old, judges):
        items = [old.items[at] for at in asked]
        yield _one(MOVED, new.path, items, first_line(new.text), f"{old.path} -> {new.path}")


def _document(
    number: int,
    old: Document,
    new: Document,
    pairing: Pairing,
    there: Elsewhere,
    judges: Judges,
    is_criteria: Callable[[str], bool],
) -> Iterator[Loss]:
    partners = dict(pairing.pairs)
    asks = criteria(old, judges)
    where = places(old, new, partners)
    for at in cut_out(old, new, pairing, asks, judges):
        asks[at] = 1
    lost = bytearray(len(old.items))
    for at in pairing.gone:
        lost[at] = asks[at]
    kept = bytearray(asked and not gone for asked, gone in zip(asks, lost, strict=True))
    repeated = _repeated(old, new, pairing) | unfolded(old, new, pairing)
    killers = overridden(old, new, pairing)
    left = [at for at in range(len(lost)) if lost[at] and at not in repeated]
    found = went(number, old, new, left, there, judges, is_criteria)
    for at in range(len(lost)):
        if lost[at] and (at in repeated or at in found.read or at in found.unread or at in killers):
            lost[at], kept[at] = 0, 1
    yield from moved(found, old, new.path, lambda at: place(where, at))
    for at, (change, why) in found.less.items():
        item = old.items[at]
        why = f"{why}, in {found.read[at].path}"
        yield Loss(change, new.path, item, item, *place(where, at), why, (), identity(item))
    yield from retired(old, new, pairing, asks, lambda at: place(where, at))
    yield from retargeted(number, old, new, there, judges, lambda at: place(where, at))
    by_killer: dict[int, list[Item]] = {}
    for at, killer in killers.items():
        if killer >= 0:
            by_killer.setdefault(killer, []).append(old.items[at])
    for killer, items in by_killer.items():
        now = new.items[killer]
        why = f"{now.key} comes later and overrides {', '.join(item.key for item in items[:3])}"
        yield Loss(WEAKENED, new.path, now, items[0], now.start, now.end, why, tuple(items[1:]), identity(now))
    gone = set(pairing.gone).difference(repeated, found.read, found.unread, killers)
    grouped = settings_together(old.items, groups(old.items, lost, kept, nesting(old.items), gone), new.items)
    rewritten = _rewritten(old, new, asks, lost, grouped)
    if rewritten:
        items = [old.items[at] for at in range(len(lost)) if lost[at]]
        yield _one(REMOVED, new.path, items, first_line(new.text), f"rewritten: {len(items)} criteria not found")
    elif not _translated(old, new, lost):
        for group in grouped:
            item = old.items[group[0]]
            others = tuple(old.items[at] for at in group[1:])
            yield Loss(REMOVED, new.path, item, item, *place(where, group[0]), _why(others), others, identity(item))
    for loss in limits(old, new, pairing, judges):
        yield loss if loss.item is not loss.was else _placed(loss, line_of(where, loss.start))
    if not rewritten:
        yield from weakened(old, new, pairing, judges, asks)


def _placed(loss: Loss, at: tuple[int, int]) -> Loss:
    return loss.replace(start=at[0], end=at[1])


def _why(others: Sequence[Item]) -> str:
    return f"with {len(others)} below it" if others else "not found any more"


def _repeated(old: Document, new: Document, pairing: Pairing) -> set[int]:
    """Gone items whose words still stand in the document, so that they were said twice: those whose own section is
    gone, or that stood in the same section twice."""
    standing: dict[str, set[str]] = {}
    for item in new.items:
        standing.setdefault(f"{item.kind in ('key', 'owner')}{plain(wording(item))}", set()).add(_section(item))
    sections = {_section(item) for item in new.items}
    found = set()
    for at in pairing.gone:
        item = old.items[at]
        if item.kind in ("key", "owner"):
            continue
        stands = standing.get(f"False{plain(wording(item))}")
        if stands and (_section(item) in stands or _section(item) not in sections):
            found.add(at)
    return found


def _section(item: Item) -> str:
    return plain(" ".join(item.headings[-1:]))


def _rewritten(old: Document, new: Document, asks: bytearray, lost: bytearray, grouped: list[list[int]]) -> bool:
    if sum(lost) >= _LEAST_EMPTIED and (sum(lost) == sum(asks) or (is_pointer(new) and not is_pointer(old))):
        return not _translated(old, new, lost)
    first = old.items[grouped[0][0]] if grouped else None
    return (
        first is not None
        and (len(grouped) > 1 or (first.kind == HEADING and not first.headings))
        and sum(asks) >= _LEAST_REWRITTEN
        and sum(lost) > _REWRITTEN * sum(asks)
        and not _translated(old, new, lost)
    )


def _translated(old: Document, new: Document, lost: bytearray) -> bool:
    """Whether the text is in another language now and has as many items as before."""
    if not sum(lost) or not translated(old.text, new.text):
        return False
    return len(new.items) >= len(old.items)
