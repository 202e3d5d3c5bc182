"""The compiled policy, kept between runs (`sakaime.policy.memory`)."""

from __future__ import annotations

import marshal
import os
from itertools import islice

from sakaime.model import CannotJudge, PackId, PolicyId
from sakaime.policy.gate import Gate
from sakaime.policy.memory import DIGEST, cache_folder, digest_of, is_own, mark_used, write
from sakaime.policy.packed import dump, pack
from sakaime.policy.policy import Allow, Baseline, Late, Mentions, Note, Policy, Review, Rules, Tables, Unjudged
from sakaime.policy.tables import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sakaime.policy.tables import Begun, Beside

    Place = tuple[int, int, bytes]  # of a part of the file: where it begins, how long it is, its digest


def load(key: str) -> Policy | None:
    """The compiled policy of that name; None where there is none that can be trusted.

    Rules and tables are read from the file when they are asked for, and hashed then.
    """
    folder = os.path.join(cache_folder(), "policy")
    path = os.path.join(folder, key)
    try:
        if not is_own(folder):
            return None
        with open(path, "rb") as file:
            digest, length = file.read(DIGEST), int.from_bytes(file.read(8), "little")
            rest = int.from_bytes(file.read(8), "little")
            if os.fstat(file.fileno()).st_size != DIGEST + 16 + length + rest:
                return None
            data = file.read(length)
        if digest_of(data) != digest:
            return None
        mark_used(path)
        head, *lists = marshal.loads(data)
        (
            name,
            packs,
            rules,
            hidden,
            gate,
            reach,
            ids,
            locked,
            dates,
            across,
            files,
            known,
            review,
            tables,
            criteria,
            named,
            ladders,
            risks,
            risky,
            wide_reach,
            topics,
            softened,
            secrets,
            secret_data,
            hints,
        ) = head
        notes, allows, unjudged, mentions = lists
        start = DIGEST + 16 + length
        return Policy(
            id=PolicyId(name, tuple(PackId(*pack) for pack in packs)),
            rules=Rules(tuple((count, _reader(path, start, *place)) for count, place in rules)),
            hidden=Rules(tuple((count, _reader(path, start, *place)) for count, place in hidden)),
            gate=Gate(tuple(_part(path, start, *part) for part in gate), reach),
            ids=ids,
            locked=locked,
            dates=dates,
            across=across,
            files=files,
            baseline=Baseline(*known),
            review=Review(*review),
            tables=Tables({name: _reader(path, start, *place) for name, place in tables}),
            criteria=Rules(tuple((count, _reader(path, start, *place)) for count, place in criteria)),
            named=named,
            ladders=Late(_reader(path, start, *ladders)),
            risks=Rules(tuple((count, _reader(path, start, *place)) for count, place in risks)),
            risky=Gate(tuple(_part(path, start, *part) for part in risky), wide_reach, bare=True),
            topics=topics,
            softened=softened,
            secrets=Rules(tuple((count, _reader(path, start, *place)) for count, place in secrets)),
            secret_data=Late(_reader(path, start, *secret_data)),
            hints=hints,
            notes=tuple(Note(*note) for note in notes),
            allows=tuple(Allow(*allow) for allow in allows),
            unjudged=tuple(Unjudged(*entry) for entry in unjudged),
            mentions=tuple(Mentions(*entry) for entry in mentions),
        )
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _part(
    path: str,
    start: int,
    count: int,
    always: bool,
    keys: Begun,
    beside: Beside,
    wide: Place,
    named: tuple[str, ...],
    place: Place,
) -> Part:
    return Part(count, always, keys, beside, _reader(path, start, *wide), named, _reader(path, start, *place))


def _reader(path: str, start: int, at: int, length: int, digest: bytes) -> Callable[[], bytes]:
    """What reads a part of the file, which must be as it was."""

    def read() -> bytes:
        try:
            with open(path, "rb") as file:
                file.seek(start + at)
                data = file.read(length)
        except OSError:
            data = b""
        if digest_of(data) != digest:
            from contextlib import suppress

            with suppress(OSError):
                os.unlink(path)
            raise CannotJudge("the compiled policy in the cache has changed while it was used", way_out="Run it again.")
        return data

    return read


def store(key: str, policy: Policy) -> None:
    """Keeps a compiled policy. A folder that cannot be written is no error: the next run compiles again."""
    parts = bytearray()

    def place(data: bytes) -> Place:
        at = len(parts)
        parts.extend(data)
        return at, len(data), digest_of(data)

    def placed(rules: Rules) -> tuple[tuple[int, Place], ...]:
        every = iter(rules)
        return tuple((count, place(pack(islice(every, count)))) for count, _ in rules.packs)

    def parts_of(gate: Gate) -> tuple[tuple[Any, ...], ...]:
        return tuple(
            (
                part.count,
                part.always,
                part.keys,
                part.beside,
                place(dump(gate.wide(at))),
                part.named,
                place(dump(gate.tables(at).values())),
            )
            for at, part in enumerate(gate.parts)
        )

    head = (
        policy.id.digest,
        tuple(pack.values() for pack in policy.id.packs),
        placed(policy.rules),
        placed(policy.hidden),
        parts_of(policy.gate),
        policy.gate.reach,
        policy.ids,
        policy.locked,
        policy.dates,
        policy.across,
        policy.files,
        policy.baseline.values(),
        policy.review.values(),
        tuple((name, place(dump(policy.tables[name].values()))) for name in policy.tables.held),
        placed(policy.criteria),
        policy.named,
        place(dump(policy.ladders.values())),
        placed(policy.risks),
        parts_of(policy.risky),
        policy.risky.reach,
        policy.topics,
        policy.softened,
        placed(policy.secrets),
        place(dump(policy.secret_data.values())),
        policy.hints,
    )
    lists = (policy.notes, policy.allows, policy.unjudged, policy.mentions)
    body = marshal.dumps((head, *(tuple(entry.values() for entry in entries) for entries in lists)))
    folder = os.path.join(cache_folder(), "policy")
    digest = digest_of(body)
    write(
        folder,
        os.path.join(folder, key),
        b"".join([digest, len(body).to_bytes(8, "little"), len(parts).to_bytes(8, "little"), body, parts]),
    )
