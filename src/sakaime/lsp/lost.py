"""What a criteria document lost, as the check sees it: the losses behind the findings, and the items of both sides."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from sakaime.checks.criteria.comparing.lost import criteria
from sakaime.checks.criteria.findings import compared, judges
from sakaime.checks.criteria.readers import readers
from sakaime.checks.criteria.revisions import Unreadable, revisions
from sakaime.checks.criteria.sides import whole
from sakaime.lsp.known import Known, Placed
from sakaime.lsp.normal import normal
from sakaime.material.change import Material
from sakaime.material.sources import buffer, whole_file
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sakaime.checks.criteria.comparing.loss import Loss
    from sakaime.checks.criteria.item import Document
    from sakaime.policy.policy import Policy

FAMILY = "criteria"


class Lost(Record):
    """Both sides of a document (None: no such side) and what it lost; of each side the items that ask a reviewer for
    something, by their numbers; the losses by what changed and by their place or key. Offsets are those of
    `normal(known.text)`."""

    old: Document | None
    new: Document | None
    losses: tuple[Loss, ...]
    asked_before: frozenset[int] = frozenset()
    asked: frozenset[int] = frozenset()
    by_place: Mapping[tuple[str, int | str], tuple[Loss, ...]] = MappingProxyType({})


_NOTHING = Lost(None, None, ())


class _Question(Record):
    """What the answer depends on. Two policies are one only if they are the same object."""

    policy: Policy
    path: str
    text: str
    old: str | None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Question)
            and self.policy is other.policy
            and (self.path, self.text, self.old) == (other.path, other.text, other.old)
        )

    def __hash__(self) -> int:
        return hash((id(self.policy), self.path, self.text, self.old))


def lost(known: Known) -> Lost:
    """What a document lost against its old side; nothing for one that reviewers do not read. The answers given last
    are kept: an editor asks again whenever the cursor moves."""
    if known.message:
        return _NOTHING
    return _lost(_Question(known.policy, known.path, known.text, known.old))


@lru_cache(maxsize=4)
def _lost(asked: _Question) -> Lost:
    new = normal(asked.text).text.encode()
    old = None if asked.old is None else normal(asked.old).text.encode()
    material = buffer(asked.path, old, new)
    reader = readers(asked.policy, material.decided)
    found, _ = revisions(reader, material)
    if old is not None and found:
        both = compared(asked.policy, reader, material, found)
        for one in both.pairs:
            if one.rule is not None:
                losses = tuple(loss for pair, loss in both.losses if pair is one)
                asks = _asked(asked.policy, one.old), _asked(asked.policy, one.new)
                return Lost(one.old, one.new, losses, *asks, _by_place(losses))
    as_new = Material("buffer", (whole_file(asked.path, new),), decided=material.decided)
    try:
        document = whole(reader, as_new, as_new.changes[0])
    except Unreadable:
        return _NOTHING
    alone = _asked(asked.policy, document)
    return Lost(document if old is not None else None, document, (), alone if old is not None else frozenset(), alone)


def _by_place(losses: Sequence[Loss]) -> dict[tuple[str, int | str], tuple[Loss, ...]]:
    found: dict[tuple[str, int | str], list[Loss]] = {}
    for loss in losses:
        found.setdefault((loss.change, loss.start), []).append(loss)
        found.setdefault((loss.change, loss.key), []).append(loss)
    return {place: tuple(some) for place, some in found.items()}


def _asked(policy: Policy, document: Document | None) -> frozenset[int]:
    if document is None:
        return frozenset()
    return frozenset(number for number, asks in enumerate(criteria(document, judges(policy))) if asks)


def loss_of(known: Known, placed: Placed) -> Loss | None:
    """The loss that a finding tells of; None where it tells of none."""
    finding = placed.finding
    if finding.family != FAMILY:
        return None
    by_place = lost(known).by_place
    near = by_place.get((finding.kind, normal(known.text).inner(placed.start)), ())
    named = [loss for loss in near if loss.key == finding.key]
    return next(iter(named or near or by_place.get((finding.kind, finding.key), ())), None)
