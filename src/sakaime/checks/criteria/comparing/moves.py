"""Where what is gone from a document went: silent where it is still read there, moved where nobody reads it."""

from __future__ import annotations

from itertools import pairwise

from sakaime.checks.criteria.comparing.elsewhere import There
from sakaime.checks.criteria.comparing.likeness import share
from sakaime.checks.criteria.comparing.loss import MOVED, REMOVED, Loss, identity
from sakaime.checks.criteria.comparing.lost import criteria
from sakaime.checks.criteria.comparing.match import match
from sakaime.checks.criteria.comparing.places import first_line
from sakaime.checks.criteria.comparing.tokens import wording, words
from sakaime.checks.criteria.documents.mentions import imported, is_pointer, mentions, paths_of
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sakaime.checks.criteria.comparing.elsewhere import Elsewhere
    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.item import Document, Item

_LEAST_SPLIT, _SPOKEN_OF = 3, 0.5
_DESCRIBING = ("README", "CHANGELOG", "CHANGES", "HISTORY", "LICENSE", "NEWS")


class Went(Record):
    """Of the gone items of a document: those that stand where reviewers look, those that stand where none does, and
    those that ask for less there, with (change, why)."""

    read: dict[int, There]
    unread: dict[int, There]
    less: dict[int, tuple[str, str]]


def went(
    number: int,
    old: Document,
    new: Document,
    gone: Sequence[int],
    there: Elsewhere,
    judges: Judges,
    is_criteria: Callable[[str], bool],
) -> Went:
    """Where the gone items are: in a document that the new side links to, or in another one of the change."""
    read = there.find(number, old, gone, there.linked(new))
    left = [at for at in gone if at not in read]
    other = there.same(number, old, left)
    if left := [at for at in left if at not in other]:
        other |= there.find(number, old, left, there.others(number), fresh=True)
    read |= {at: its for at, its in other.items() if is_criteria(its.path)}
    unread = {at: its for at, its in other.items() if not is_criteria(its.path)}
    if left := [at for at in gone if at not in read and at not in unread]:
        read |= _split_up(number, old, new, left, len(read), there)
    less = {}
    for at, its in read.items():
        change = judges.weaker(judges.grade(old.items[at]), judges.grade(its.item))
        if change is not None:
            less[at] = change
    return Went(read, unread, less)


def _split_up(
    number: int,
    old: Document,
    new: Document,
    left: Sequence[int],
    found: int,
    there: Elsewhere,
) -> dict[int, There]:
    """Of the rest of a document whose items for the most part went to new ones that it leads to, those whose subject is
    spoken of there: whoever divides a document writes it anew, a fact here and a fact there."""
    parts = [at for at in there.linked(new) if there.old[at] is None and at != number]
    if found < _LEAST_SPLIT or 2 * found < len(left) or not parts:
        return {}
    held: dict[str, float] = {}
    for at in parts:
        document = there.new[at]
        for item in () if document is None else document.items:
            theirs = words(wording(item))
            held.update(theirs)
            held.update((f"`{name.rpartition('/')[2]}", each) for name, each in theirs.items() if "/" in name)
            said = item.text.casefold().split()
            held.update((f"{one}{other}", 1.0) for one, other in pairwise(said))
    first = there.new[parts[0]]
    out: dict[int, There] = {}
    for at in left:
        mine = words(wording(old.items[at]))
        if first is not None and share(mine, held, sum(mine.values())) >= _SPOKEN_OF:
            out[at] = There(first.path, old.items[at])
    return out


def moved(went_to: Went, old: Document, path: str, place: Callable[[int], tuple[int, int]]) -> Iterator[Loss]:
    """One loss for each place where nobody reads what was moved there."""
    by_path: dict[str, list[int]] = {}
    for at in sorted(went_to.unread):
        by_path.setdefault(went_to.unread[at].path, []).append(at)
    for target, ones in by_path.items():
        item = old.items[ones[0]]
        others = tuple(old.items[at] for at in ones[1:])
        yield Loss(MOVED, path, item, item, *place(ones[0]), f"now in {target}", others, identity(item))


def is_linked(path: str, there: Elsewhere, is_criteria: Callable[[str], bool]) -> bool:
    """Whether a document that reviewers read leads to that path."""
    leading = (there.new[at] for at in there.leading.get(path, ()))
    return any(new is not None and is_criteria(new.path) for new in leading)


def retargeted(
    number: int, old: Document, new: Document, there: Elsewhere, judges: Judges, place: Callable[[int], tuple[int, int]]
) -> Iterator[Loss]:
    """The documents that stood in for the text of the old side (it was a pointer, or imported them) and do no longer,
    as far as their criteria are neither in the new side nor where that leads."""
    names = dict.fromkeys(mentions(old.text), -1) if is_pointer(old) else {}
    if not names:
        names = {name: at for at, item in enumerate(old.items) if (name := imported(item.text))}
    if not names:
        return
    still = {path for name in mentions(new.text) for path in paths_of(name, new.path)}
    for name, at in names.items():
        target = _target(name, old, there)
        if target is None or target.path in still or target.path == new.path or _describes(target.path):
            continue
        missing = _missing(target, number, new, there, judges)
        if missing:
            first = missing[0]
            why = f"stood in {target.path}, which is no longer read here"
            where = first_line(new.text) if at < 0 else place(at)
            yield Loss(REMOVED, new.path, first, first, *where, why, tuple(missing[1:]), f"document:{target.path}")


def _describes(path: str) -> bool:
    """Whether a document tells what a project is: its lists are of features and commands."""
    return path.rpartition("/")[2].upper().startswith(_DESCRIBING)


def _target(name: str, old: Document, there: Elsewhere) -> Document | None:
    """What a name of the old side stands for, without what went from there, which is told of there."""
    for path in paths_of(name, old.path):
        at = there.by_old_path.get(path)
        if at is not None and (was := there.old[at]) is not None and was.items:
            now = there.new[at]
            return was if now is None else now.replace(path=was.path)
    return None


def _missing(target: Document, number: int, new: Document, there: Elsewhere, judges: Judges) -> list[Item]:
    left = [item for item, asks in zip(target.items, criteria(target, judges), strict=True) if asks]
    for at in (number, *there.linked(new)):
        document = there.new[at]
        if document is None or not left:
            continue
        found = match(target.replace(items=tuple(item.replace(parent=-1) for item in left)), document)
        held = {one for one, _ in found.pairs} | {one for ones, _ in found.merges for one in ones}
        left = [item for one, item in enumerate(left) if one not in held]
    return left
