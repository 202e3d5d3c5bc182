"""Files that are handed in with the call: those that decide must not come from the change itself, in a range."""

from __future__ import annotations

import os

from sakaime.model import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.material.change import Material

LIMIT = 1 << 20
_MOST_LINKS = 40


def read_outside(path: str, top: str, material: Material, blob: Callable[[str], bytes | None] | None) -> bytes:
    """The bytes of such a file. `blob` reads objects by name, where there is a repository.

    Raises `UserError` when it cannot be read, and in a range or a diff when the change adds or edits it,
    a link to it or a folder above it, or when the work tree has another version of it than BASE.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=path) from None
    if len(data) > LIMIT:
        raise UserError(f"is larger than {LIMIT >> 20} MiB", path=path)
    refuse_inside(path, top, material, blob, data)
    return data


def refuse_inside(
    path: str, top: str, material: Material, blob: Callable[[str], bytes | None] | None, data: bytes | None = None
) -> None:
    """Raises `UserError` where a file is part of the change that it is to decide about."""
    if material.mode not in ("range", "diff"):
        return
    changed = {name.casefold() for c in material.changes for name in (c.path, c.old_path) if name is not None}
    for name in _inside(_passed(os.path.abspath(path)), top):
        if name.casefold() in changed or (blob is not None and _stale(name, material, blob, data)):
            raise UserError(
                "is part of the change that it is to decide about",
                path=path,
                way_out="Hand in a file that the change cannot reach: from another checkout, or from outside.",
            )


def _stale(name: str, material: Material, blob: Callable[[str], bytes | None], data: bytes | None) -> bool:
    """Whether HEAD holds the file, and the bytes read are not what BASE has."""
    if data is None or material.head is None or blob(f"{material.head}:{name}") is None:
        return False
    return blob(f"{material.base}:{name}") != data


def _inside(paths: list[str], top: str) -> list[str]:
    tops = {os.path.abspath(top), os.path.realpath(top)}
    found = [os.path.relpath(path, t) for path in paths for t in tops if path.startswith(t.rstrip(os.sep) + os.sep)]
    return [name.replace(os.sep, "/") for name in dict.fromkeys(found)]


def _passed(path: str) -> list[str]:
    """Every file and folder that the system passes when it opens a path: links, and what they lead to."""
    drive, rest = os.path.splitdrive(path)
    at, passed, links = drive + os.sep, [], 0
    pending = rest.split(os.sep)[::-1]
    while pending:
        part = pending.pop()
        if part in ("", os.curdir):
            continue
        if part == os.pardir:
            at = os.path.dirname(at)
            continue
        here = os.path.join(at, part)
        passed.append(here)
        if os.path.islink(here) and links < _MOST_LINKS:
            links += 1
            target = os.readlink(here)
            at = drive + os.sep if os.path.isabs(target) else at
            pending += os.path.splitdrive(target)[1].split(os.sep)[::-1]
        else:
            at = here
    return passed


def handed_in(name: str) -> bytes:
    """The bytes of a file that the call names; `-` is standard input. Raises `UserError` when it cannot be read."""
    if name == "-":
        import sys

        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=name) from None
