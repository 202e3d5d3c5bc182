"""The packs around a text that somebody writes: the shipped ones, and those that the repository extends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from sakaime.model import Record, SakaimeError
from sakaime.packs import shipped
from sakaime.packs.disk import read_regular
from sakaime.packs.inforce import LOCK, PYPROJECT, SETTINGS
from sakaime.packs.locked import locked_trees
from sakaime.policy import memory
from sakaime.policy.pack import SHIPPED, LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.schema import AnyRule
from sakaime.policy.settings import read_settings

_MOST = 4 << 20  # above what the readers of settings and lock accept, so that they say so
Read = Callable[[str], bytes | None]


class Told(Record):
    """A rule as its pack has it, by its full id."""

    id: str
    rule: AnyRule


@contextmanager
def drafting() -> Iterator[None]:
    """Inside, nothing of what is read or compiled is kept on disk."""
    before, memory.thread.draft = memory.thread.draft, True
    try:
        yield
    finally:
        memory.thread.draft = before


def reader(root: str | None, name: str = "", text: bytes | None = None) -> Read:
    """What reads files of the repository, with `text` in the place of the file `name`."""

    def read(wanted: str) -> bytes | None:
        if text is not None and wanted == name:
            return text
        if root is None:
            return None
        try:
            return read_regular(os.path.join(root, *wanted.split("/")), _MOST)
        except OSError:
            return None

    return read


def packs(root: str | None, policy: Policy) -> tuple[LoadedPack, ...]:
    """The packs that are in force: the shipped ones, and those of the repository as far as they can be read. Of a
    repository whose packs the policy does not hold, nothing is read."""
    ids = tuple((pack.name, pack.digest) for pack in policy.id.packs if pack.source != SHIPPED)
    return _packs(root if ids else None, ids)


@lru_cache(maxsize=16)
def _packs(root: str | None, ids: tuple[tuple[str, str], ...]) -> tuple[LoadedPack, ...]:
    found = [read_pack(tree) for tree in shipped.trees()]
    if root is not None:
        read = reader(root)
        try:
            trees, _ = locked_trees(root, read_settings(read(SETTINGS), read(PYPROJECT)), read(LOCK), read)
            found += [read_pack(tree) for tree in trees if tree.digest in dict(ids).values()]
        except SakaimeError:
            pass  # what is wrong is told where it stands
    return tuple(found)


def rules(root: str | None, policy: Policy) -> dict[str, Told]:
    """Every rule of these packs by full id, whether the settings switch it off or not."""
    return {
        name: Told(name, rule)
        for pack in packs(root, policy)
        for _, rule in pack.model.rules
        for name in [f"{pack.model.pack}/{rule.id}"]
    }
