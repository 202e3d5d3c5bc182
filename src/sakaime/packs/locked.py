"""The packs that settings add, as the lock pins them."""

from __future__ import annotations

from sakaime.policy.pack import PackTree
from sakaime.policy.settings import Placed


def locked_trees(top: str, settings: Placed, lock: bytes | None) -> tuple[list[PackTree], tuple[tuple[str, str], ...]]:
    return [], ()
