"""The policy in force for a repository: shipped packs, settings and lock, and the organisation's floor."""

from __future__ import annotations

import os
import time

from sakaime.model import UserError
from sakaime.packs import shipped
from sakaime.policy import cache, memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sakaime.material.change import Change
    from sakaime.policy.policy import Policy

SETTINGS, PYPROJECT, LOCK = "sakaime.toml", "pyproject.toml", "sakaime.lock"
BASELINE = "sakaime-baseline.json"
_EVERYBODYS = "/etc/sakaime/org.yaml"


def org_file(named: str | None) -> str | None:
    """The organisation's file: as the call or SAKAIME_ORG names it, or in /etc; None if there is none."""
    path = named or os.environ.get("SAKAIME_ORG")
    if path:
        return path
    return _EVERYBODYS if os.path.exists(_EVERYBODYS) else None


def policy_in_force(
    top: str, read: Callable[[str], bytes | None], org: str | None = None, baseline: str = BASELINE
) -> Policy:
    """The policy that decides.

    `top` is the root of the repository; `read` gives the bytes of a file at the root from the side that
    is trusted (None: no such file there); `org` names the organisation's file, `baseline` that of the
    findings that are known, which `read` gives as well. Opens no socket. Raises
    `UserError` for a mistake in packs or settings, `CannotJudge` when a locked pack is not at hand.
    """
    today = time.strftime("%Y-%m-%d")
    own, pyproject, lock, known = read(SETTINGS), read(PYPROJECT), read(LOCK), read(baseline)
    if pyproject is not None and b"sakaime" not in pyproject:
        pyproject = None
    floor = _read_org(org) if org else None
    parts = [today.encode(), os.fsencode(top), shipped.state(), memory.code()]
    parts += [b"-" if data is None else b"+" + data for data in (own, pyproject, lock, floor, known)]
    parts.append(os.fsencode(baseline))
    key = memory.key_of(parts)
    policy = cache.load(key)
    if policy is not None and all(_unchanged(path, digest) for path, digest in policy.files):
        return policy
    policy = _build(top, read, own, pyproject, lock, floor, org, today)
    if known is not None:
        from sakaime.policy.baseline import in_force, read_baseline

        policy = in_force(policy, read_baseline(known, baseline))
    cache.store(key, policy)
    return policy


def touched(policy: Policy, changes: Iterable[Change]) -> tuple[str, ...]:
    """The changed files that make the policy: settings, lock, and packs that lie in the repository."""
    folders = tuple(
        os.path.normpath(pack.source).replace(os.sep, "/")
        for pack in policy.id.packs
        if pack.source != "shipped" and "://" not in pack.source and not os.path.isabs(pack.source)
    )
    names = []
    for change in changes:
        for path in (change.path, change.old_path):
            if path is None or path in names:
                continue
            makes = path in (SETTINGS, PYPROJECT, LOCK) or any(_below(path, folder) for folder in folders)
            if makes or path.endswith("/" + SETTINGS):
                names.append(path)
    return tuple(names)


def _below(path: str, folder: str) -> bool:
    return folder == "." or path == folder or path.startswith(folder + "/")


def _read_org(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UserError(f"cannot read the organisation's file: {error.strerror}", path=path) from None


def _unchanged(path: str, digest: str) -> bool:
    import hashlib

    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest() == digest
    except OSError:
        return False


def _build(
    top: str,
    read: Callable[[str], bytes | None],
    own: bytes | None,
    pyproject: bytes | None,
    lock: bytes | None,
    floor: bytes | None,
    org: str | None,
    today: str,
) -> Policy:
    from sakaime.packs.locked import locked_trees
    from sakaime.policy.compile import compile_policy
    from sakaime.policy.pack import read_pack
    from sakaime.policy.settings import read_org, read_settings

    settings = read_settings(own, pyproject)
    rules = read_org(floor, org or "org.yaml") if floor is not None else None
    added, files = locked_trees(top, settings, lock, read)
    packs = [read_pack(tree) for tree in [*shipped.trees(), *added]]
    return compile_policy(packs, settings, rules, today).replace(files=files)
