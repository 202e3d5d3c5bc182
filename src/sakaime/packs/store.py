"""Packs kept in the user's cache folder, each below its digest.

Nothing that lies there is believed: every file is hashed again whenever a pack is read.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile

from sakaime.model import CannotJudge
from sakaime.packs.disk import NotRegularError, read_regular
from sakaime.packs.manifest import MAIN, MOST_BYTES, check_names, pack_tree
from sakaime.policy.memory import cache_folder
from sakaime.policy.pack import PackTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SYNC = "Run: sakaime pack sync"


def folder_of(digest: str) -> str:
    """Where a pack of a digest lies, if it is there."""
    return os.path.join(cache_folder(), "packs", digest)


def put(tree: PackTree) -> None:
    """Keeps a pack. What lies there broken is replaced; two writers at once do no harm.

    Raises `CannotJudge` when the cache folder cannot be written.
    """
    goal = folder_of(tree.digest)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in tree.files}
    try:
        os.makedirs(os.path.dirname(goal), mode=0o700, exist_ok=True)
        for _ in range(10):
            broken = os.path.lexists(goal)
            if _whole(tree.digest, hashes):
                return
            fresh = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(goal))
            try:
                _write(fresh, tree)
                if broken:
                    os.rename(goal, f"{fresh}.old")
                os.rename(fresh, goal)
            except (FileExistsError, FileNotFoundError, NotADirectoryError):
                continue  # another writer was quicker; see what it left
            except OSError:
                if not os.path.lexists(goal):
                    raise
            finally:
                for leftover in (fresh, f"{fresh}.old"):
                    _remove(leftover)
    except OSError as error:
        raise CannotJudge(
            f"cannot write the pack cache: {error.strerror}",
            path=os.path.dirname(goal),
            way_out="Make the folder writable, or name another one in SAKAIME_CACHE.",
        ) from None
    if not _whole(tree.digest, hashes):
        raise CannotJudge("the pack cache keeps changing while it is written", path=goal, way_out=_SYNC)


def get(digest: str, files: Mapping[str, str], source: str) -> PackTree | None:
    """The pack of a digest, every file hashed again; None where it is not kept.

    `files` maps the names that it must hold, and no others, to their sha256. Raises `CannotJudge` that
    names the file which is missing, changed or too many.
    """
    folder = folder_of(digest)
    if not os.path.isdir(folder):
        return None
    check_names(files, folder)
    found = set(_names(folder))
    data: dict[str, bytes] = {}
    for name in sorted(found | files.keys()):
        path = os.path.join(folder, *name.split("/"))
        if name not in files:
            raise _refused(path, "does not belong to the pack")
        try:
            data[name] = read_regular(path, MOST_BYTES)
        except FileNotFoundError:
            raise _refused(path, "is missing") from None
        except NotRegularError as error:
            raise _refused(path, str(error)) from None
        except OSError as error:
            raise _refused(path, f"cannot be read: {error.strerror}") from None
        if hashlib.sha256(data[name]).hexdigest() != files[name]:
            raise _refused(path, "is not the file that sakaime.lock pins (another sha256)")
    tree = pack_tree(data, source, os.path.join(folder, MAIN) if len(data) == 1 else folder)
    if tree.digest != digest:
        raise CannotJudge(f"the files pinned in sakaime.lock do not give the digest {digest}", way_out=_SYNC)
    return tree


def _refused(path: str, problem: str) -> CannotJudge:
    return CannotJudge(f"the cached pack is refused: {os.path.basename(path)} {problem}", path=path, way_out=_SYNC)


def _whole(digest: str, hashes: dict[str, str]) -> bool:
    try:
        return get(digest, hashes, "") is not None
    except CannotJudge:
        return False


def _names(folder: str) -> list[str]:
    names, pending = [], [""]
    while pending:
        below = pending.pop()
        with os.scandir(os.path.join(folder, below)) as entries:
            for entry in entries:
                name = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(name)
                else:
                    names.append(name)
    return names


def _write(folder: str, tree: PackTree) -> None:
    for name, data in tree.files:
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), "wb"
        ) as file:
            file.write(data)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)
