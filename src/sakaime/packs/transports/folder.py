"""Packs from a folder with pack.yaml, or from a single YAML file."""

from __future__ import annotations

import os

from sakaime.model import UserError
from sakaime.packs.disk import NotRegularError, read_regular
from sakaime.packs.extends import inside
from sakaime.packs.manifest import MAIN, MOST_BYTES, MOST_FILES
from sakaime.packs.transports import Fetched
from sakaime.policy.settings import Extend
from sakaime.text.paths import printable


def fetch(extend: Extend, top: str, revision: str = "") -> Fetched:  # noqa: ARG001  (a folder has no revisions)
    """The files of a folder or file, relative to the root of the repository."""
    if extend.ref or extend.path:
        raise UserError("`ref` and `path` are for git sources", way_out="Write the whole path into `from`.")
    full = os.path.normpath(os.path.join(top, extend.source))
    if (within := inside(top, extend.source)) is not None:
        real_top = os.path.realpath(top)
        if os.path.realpath(full) != os.path.normpath(os.path.join(real_top, within)):
            raise UserError(
                f"{printable(extend.source)} is reached through a symlink", way_out="Name the folder itself."
            )
    return Fetched(read(full, extend.source), "")


def read(full: str, name: str) -> dict[str, bytes]:
    """The files of the pack at a path, called `name` in messages. Raises `UserError` without a place.

    Of a folder these are all regular files in it, except what is hidden (a name that begins with a dot).
    """
    shown = printable(name)
    try:
        if not os.path.isdir(full):
            if not full.endswith((".yaml", ".yml")) and os.path.lexists(full):
                raise UserError(f"{shown} is neither a folder nor a YAML file")
            return {MAIN: read_regular(full, MOST_BYTES)}
        files: dict[str, bytes] = {}
        room = MOST_BYTES
        for inner in _walk(full, shown):
            shown = printable(f"{name}/{inner}")
            files[inner] = read_regular(os.path.join(full, *inner.split("/")), room)
            room -= len(files[inner])
        return files
    except FileNotFoundError:
        raise UserError(f"{shown} does not exist") from None
    except NotRegularError as error:
        raise UserError(
            f"{shown} {error}", way_out=f"A pack is regular files, {MOST_BYTES >> 20} MiB in all."
        ) from None
    except OSError as error:
        raise UserError(f"{shown} cannot be read: {error.strerror}") from None


def _walk(folder: str, shown: str) -> list[str]:
    names: list[str] = []
    pending = [""]
    folders = 0
    while pending:
        below = pending.pop()
        folders += 1
        with os.scandir(os.path.join(folder, below)) as found:
            for entry in found:
                if entry.name.startswith("."):
                    continue
                name = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(name)
                else:
                    names.append(name)
                if len(names) + folders + len(pending) > MOST_FILES:
                    way_out = "Give the pack a folder of its own."
                    raise UserError(f"{shown} holds more than {MOST_FILES} files", way_out=way_out)
    return sorted(names)
