"""Settings and lock that are being written, read as the check does, without compiling what they do not concern."""

from __future__ import annotations

import time
from functools import lru_cache

from sakaime.lsp.authors import around, light
from sakaime.lsp.authors.study import TOO_LARGE
from sakaime.model import Record, SakaimeError, UserError
from sakaime.packs import shipped
from sakaime.packs.inforce import LOCK, PYPROJECT, SETTINGS, org_file
from sakaime.packs.lock import read_lock
from sakaime.packs.locked import locked_trees
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import LIMIT, Org, Placed, read_org, read_settings


class Settled(Record):
    """Settings as they are written now, and the policy that they make: of every rule id, severity and who decides, and
    nothing to judge with. None where there are mistakes before."""

    placed: Placed | None
    policy: Policy | None
    mistakes: tuple[SakaimeError, ...]


def settle(kind: str, path: str, text: str, root: str | None) -> Settled:
    """Reads settings (kind "settings" or "pyproject") with the packs that they extend; other files come from disk.

    `root` is the repository's folder; without one, packs that are extended are not looked for.
    """
    if len(text) > LIMIT:
        return Settled(None, None, (UserError(TOO_LARGE, path=path, line=1, column=1),))
    data = text.encode("utf-8", "surrogatepass")
    name = SETTINGS if kind == "settings" else PYPROJECT
    if path != name:  # settings are read at the root of a repository only
        root = None
    read = around.reader(root, name, data)
    placed = None
    with around.drafting():
        try:
            placed = read_settings(read(SETTINGS), read(PYPROJECT))
            if placed.path != name:  # pyproject.toml, and it holds none
                return Settled(None, None, ())
            if root is None and placed.settings.extends:
                return Settled(placed, None, ())
            return Settled(placed, _policy(placed, root, read), ())
        except SakaimeError as error:
            return Settled(placed, None, (error, *error.others))


def _policy(placed: Placed, root: str | None, read: around.Read) -> Policy:
    added = locked_trees(root, placed, read(LOCK), read)[0] if root is not None else []
    packs = [*_shipped(shipped.state()), *(light.bare(read_pack(tree)) for tree in added)]
    return compile_policy(packs, placed, _org(), time.strftime("%Y-%m-%d"))


@lru_cache(maxsize=1)
def _shipped(state: bytes) -> tuple[LoadedPack, ...]:  # noqa: ARG001
    return tuple(light.bare(read_pack(tree)) for tree in shipped.trees())


def _org() -> Org | None:
    path = org_file(None)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return read_org(file.read(), path)
    except (OSError, SakaimeError):
        return None  # told where the policy is read


def lock_mistakes(path: str, text: str, root: str | None) -> tuple[SakaimeError, ...]:
    """What is wrong with a lock: by itself, and where it is not what the settings on disk need."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        read_lock(data)
        if root is not None and path == LOCK:
            read = around.reader(root, LOCK, data)
            locked_trees(root, read_settings(read(SETTINGS), read(PYPROJECT)), data, read)
    except SakaimeError as error:
        return (error, *error.others)
    return ()
