"""What is kept between runs, in the user's own cache folder: plain values, by what they were made of.

It is read with `marshal`, which is not made for hostile input: so it is only taken from a folder that
belongs to the user and that nobody else can write, never from a repository or a pack.
"""

from __future__ import annotations

import marshal
import os
import sys
from _thread import _local  # `threading` is not loaded otherwise

import sakaime

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which costs half an interpreter start
except ImportError:  # a Python built without it
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Plain = TypeVar("Plain")

FORMAT = 27
DIGEST = 16  # bytes
_KEPT_DAYS = 30


def cache_folder() -> str:
    """Where caches go: SAKAIME_CACHE, or `sakaime` in the platform's cache folder of the user."""
    if own := os.environ.get("SAKAIME_CACHE"):
        return own
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "sakaime")


def key_of(parts: Iterable[bytes]) -> str:
    """The name of the compiled form of these inputs, for this version on this Python."""
    digest = blake2b(f"{FORMAT} {sakaime.__version__} {sys.version}".encode(), digest_size=DIGEST)
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def digest_of(data: bytes) -> bytes:
    """By which something that was kept is known to be whole."""
    return blake2b(data, digest_size=DIGEST).digest()


def code() -> bytes:
    """What changes when the compiler of policies does: in a checkout, the version does not tell."""
    folder = os.path.dirname(__file__)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
    return repr([os.stat(os.path.join(folder, name)).st_mtime_ns for name in names]).encode()


class _Thread(_local):
    """What holds in one thread. With `draft`, `remembered` keeps nothing more: what somebody writes at the moment is
    another text with every key."""

    draft = False


thread = _Thread()


def remembered(kind: str, parts: Iterable[bytes], make: Callable[[], Plain]) -> Plain:
    """What `make` gives for some inputs: plain values, kept as `store` keeps policies.

    The parts of a policy change seldom, and seldom all at once: reading a pack takes a hundred times as long as to
    load what was read.
    """
    folder = os.path.join(cache_folder(), "parts")
    path = os.path.join(folder, key_of([kind.encode(), code(), *parts]))
    try:
        if is_own(folder):
            with open(path, "rb") as file:
                data = file.read()
            if digest_of(data[DIGEST:]) == data[:DIGEST]:
                mark_used(path)
                kept: Plain = marshal.loads(data[DIGEST:])
                return kept
    except (OSError, ValueError, EOFError, TypeError):
        pass
    value = make()
    if thread.draft:
        return value
    try:
        body = marshal.dumps(value)  # type: ignore[arg-type]
    except ValueError:  # something that is no plain value: of YAML, a date
        return value
    write(folder, path, digest_of(body) + body)
    return value


def write(folder: str, path: str, data: bytes) -> None:
    """Writes a file of the cache at once. A folder that cannot be written is no error."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not is_own(folder):
            return
        temporary = os.path.join(folder, f".{os.path.basename(path)}.{os.getpid()}")
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        _evict(folder)
    except OSError:
        return


def mark_used(path: str) -> None:
    """Marks a file as used. In a folder that cannot be written, nothing is taken out either."""
    try:
        os.utime(path)
    except OSError:
        return


def _evict(folder: str) -> None:
    """Takes out what nobody has used for weeks: every change of the settings makes another policy of megabytes."""
    import time

    oldest = time.time() - _KEPT_DAYS * 86400
    for entry in os.scandir(folder):
        if entry.stat(follow_symlinks=False).st_mtime < oldest:
            os.unlink(entry.path)


def is_own(folder: str) -> bool:
    """Whether a folder belongs to the user, and nobody else can write there."""
    if not hasattr(os, "geteuid"):  # Windows: the profile folder is the user's own by its access list
        return True
    state = os.stat(folder)
    return state.st_uid == os.geteuid() and not state.st_mode & 0o022
