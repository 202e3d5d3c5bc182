"""Scopes that hold less than before: the patterns of files that criteria are about."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.globs import covers, held
from sakaime.checks.criteria.comparing.loss import NARROWED, Loss, identity
from sakaime.checks.criteria.comparing.places import first_line
from sakaime.checks.criteria.item import KEY, OWNER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.item import Document, Item

_MOST = 64  # patterns of one scope that are compared with each other
_ALWAYS = "alwaysApply"


def shrunk(old: Document, new: Document, pairing: Pairing, said: set[str]) -> Iterator[Loss]:
    """The scopes that hold less than before, each once. `said` are the patterns that are told of by themselves."""
    told = said | _told(old, new, pairing)
    seen: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    settings = {item.text: item for item in reversed(new.items) if item.kind == KEY}
    for one, other in pairing.pairs:
        was, now = old.items[one], new.items[other]
        if was.scope == now.scope or not now.scope or KEY in (was.kind, now.kind) or OWNER in (was.kind, now.kind):
            continue
        if (was.scope, now.scope) in seen:
            continue
        seen.add((was.scope, now.scope))
        before = was.scope or ("**",)
        less = [glob for glob in before[:_MOST] if not held(now.scope[:_MOST], glob)]
        within = all(any(covers(glob, new_one) for glob in before[:_MOST]) for new_one in now.scope[:_MOST])
        if less and within and told.isdisjoint(now.scope) and not told.issuperset(less):
            item = next((settings[glob] for glob in now.scope if glob in settings), now)
            why = (
                f"holds for {', '.join(now.scope[:3])} only"
                if not was.scope
                else f"no longer for {', '.join(less[:3])}"
            )
            yield Loss(NARROWED, new.path, item, was, item.start, item.end, why, (), identity(item))


def _told(old: Document, new: Document, pairing: Pairing) -> set[str]:
    """The old patterns that are a loss themselves: those that are gone as an entry of their own, or hold less now."""
    gone = {old.items[at].text for at in pairing.gone if old.items[at].kind == KEY and old.items[at].entry}
    pairs = ((old.items[one], new.items[other]) for one, other in pairing.pairs)
    return gone | {was.text for was, now in pairs if was.kind == now.kind == KEY and was.text != now.text}


def on_demand(old: Document, new: Document) -> Iterator[Loss]:
    """Rules that every chat and review was given, and that an agent now takes in only where it thinks that they fit."""
    was = next((item for item in old.items if _applies(item)), None)
    if was is None or any(_applies(item) for item in new.items) or not any(_rule(item) for item in new.items):
        return
    now = next((item for item in new.items if item.kind == KEY and item.key == _ALWAYS), None)
    place = first_line(new.text) if now is None else (now.start, now.end)
    yield Loss(NARROWED, new.path, now or was, was, *place, "no longer always applies", (), identity(was))


def _applies(item: Item) -> bool:
    return item.kind == KEY and item.key == _ALWAYS and item.value is True


def _rule(item: Item) -> bool:
    return item.kind != KEY
