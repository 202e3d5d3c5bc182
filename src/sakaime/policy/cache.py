"""The compiled policy, kept between runs in the user's own cache folder.

It is read with `marshal`, which is not made for hostile input: so it is only taken from a folder that
belongs to the user and that nobody else can write, never from a repository or a pack.
"""

from __future__ import annotations

import marshal
import os
import sys

import sakaime
from sakaime.model import CannotJudge, PackId, PolicyId
from sakaime.policy.gate import Gate
from sakaime.policy.policy import Allow, Baseline, Mentions, Note, Policy, Review, Rules, Unjudged
from sakaime.policy.tables import Part

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which costs half an interpreter start
except ImportError:  # a Python built without it
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    Plain = TypeVar("Plain")

FORMAT = 19
_DIGEST = 16
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
    digest = blake2b(f"{FORMAT} {sakaime.__version__} {sys.version}".encode(), digest_size=_DIGEST)
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def code() -> bytes:
    """What changes when the compiler of policies does: in a checkout, the version does not tell."""
    folder = os.path.dirname(__file__)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
    return repr([os.stat(os.path.join(folder, name)).st_mtime_ns for name in names]).encode()


def remembered(kind: str, parts: Iterable[bytes], make: Callable[[], Plain]) -> Plain:
    """What `make` gives for some inputs: plain values, kept as `store` keeps policies.

    The parts of a policy change seldom, and seldom all at once: reading a pack takes a hundred times as long as to
    load what was read.
    """
    folder = os.path.join(cache_folder(), "parts")
    path = os.path.join(folder, key_of([kind.encode(), code(), *parts]))
    try:
        if _own(folder):
            with open(path, "rb") as file:
                data = file.read()
            if blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() == data[:_DIGEST]:
                _used(path)
                kept: Plain = marshal.loads(data[_DIGEST:])
                return kept
    except (OSError, ValueError, EOFError, TypeError):
        pass
    value = make()
    try:
        body = marshal.dumps(value)  # type: ignore[arg-type]
    except ValueError:  # something that is no plain value: of YAML, a date
        return value
    _write(folder, path, blake2b(body, digest_size=_DIGEST).digest() + body)
    return value


def _write(folder: str, path: str, data: bytes) -> None:
    """Writes a file of the cache at once. A folder that cannot be written is no error."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not _own(folder):
            return
        temporary = os.path.join(folder, f".{os.path.basename(path)}.{os.getpid()}")
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        _evict(folder)
    except OSError:
        return


def _used(path: str) -> None:
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


def load(key: str) -> Policy | None:
    """The compiled policy of that name; None where there is none that can be trusted.

    Rules and tables are read from the file when they are asked for, and hashed then.
    """
    folder = os.path.join(cache_folder(), "policy")
    path = os.path.join(folder, key)
    try:
        if not _own(folder):
            return None
        with open(path, "rb") as file:
            digest, length = file.read(_DIGEST), int.from_bytes(file.read(8), "little")
            rest = int.from_bytes(file.read(8), "little")
            if os.fstat(file.fileno()).st_size != _DIGEST + 16 + length + rest:
                return None
            data = file.read(length)
        if blake2b(data, digest_size=_DIGEST).digest() != digest:
            return None
        _used(path)
        head, *lists = marshal.loads(data)
        name, packs, rules, hidden, gate, reach, ids, locked, dates, across, files, known, review = head
        notes, allows, unjudged, mentions = lists
        start = _DIGEST + 16 + length
        return Policy(
            id=PolicyId(name, tuple(PackId(*pack) for pack in packs)),
            rules=Rules(tuple((count, _reader(path, start, *place)) for count, place in rules)),
            hidden=Rules(tuple((count, _reader(path, start, *place)) for count, place in hidden)),
            gate=Gate(
                tuple(
                    Part(count, always, keys, beside, _reader(path, start, *wide), named, _reader(path, start, *place))
                    for count, always, keys, beside, wide, named, place in gate
                ),
                reach,
            ),
            ids=ids,
            locked=locked,
            dates=dates,
            across=across,
            files=files,
            baseline=Baseline(*known),
            review=Review(*review),
            notes=tuple(Note(*note) for note in notes),
            allows=tuple(Allow(*allow) for allow in allows),
            unjudged=tuple(Unjudged(*entry) for entry in unjudged),
            mentions=tuple(Mentions(*entry) for entry in mentions),
        )
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _reader(path: str, start: int, at: int, length: int, digest: bytes) -> Callable[[], bytes]:
    """What reads a part of the file, which must be as it was."""

    def read() -> bytes:
        try:
            with open(path, "rb") as file:
                file.seek(start + at)
                data = file.read(length)
        except OSError:
            data = b""
        if blake2b(data, digest_size=_DIGEST).digest() != digest:
            from contextlib import suppress

            with suppress(OSError):
                os.unlink(path)
            raise CannotJudge("the compiled policy in the cache has changed while it was used", way_out="Run it again.")
        return data

    return read


def store(key: str, policy: Policy) -> None:
    """Keeps a compiled policy. A folder that cannot be written is no error: the next run compiles again."""
    parts = bytearray()

    def place(value: tuple[Any, ...]) -> tuple[int, int, bytes]:
        data = marshal.dumps(_shared(value, {}))
        at = len(parts)
        parts.extend(data)
        return at, len(data), blake2b(data, digest_size=_DIGEST).digest()

    def placed(rules: Rules) -> tuple[tuple[int, tuple[int, int, bytes]], ...]:
        every = [rules.of_pack(at) for at in range(len(rules.packs))]
        return tuple((len(some), place(tuple(rule.values() for rule in some))) for some in every)

    gate = tuple(
        (
            part.count,
            part.always,
            part.keys,
            part.beside,
            place(policy.gate.wide(at)),
            part.named,
            place(policy.gate.tables(at).values()),
        )
        for at, part in enumerate(policy.gate.parts)
    )
    head = (
        policy.id.digest,
        tuple(pack.values() for pack in policy.id.packs),
        placed(policy.rules),
        placed(policy.hidden),
        gate,
        policy.gate.reach,
        policy.ids,
        policy.locked,
        policy.dates,
        policy.across,
        policy.files,
        policy.baseline.values(),
        policy.review.values(),
    )
    lists = (policy.notes, policy.allows, policy.unjudged, policy.mentions)
    body = marshal.dumps((head, *(tuple(entry.values() for entry in entries) for entries in lists)))
    folder = os.path.join(cache_folder(), "policy")
    digest = blake2b(body, digest_size=_DIGEST).digest()
    _write(
        folder,
        os.path.join(folder, key),
        b"".join([digest, len(body).to_bytes(8, "little"), len(parts).to_bytes(8, "little"), body, parts]),
    )


def _shared(value: Any, seen: dict[Any, Any]) -> Any:
    """The same value with equal parts as one object, which is written once, and sooner read."""
    if isinstance(value, dict):
        return {key: _shared(part, seen) for key, part in value.items()}
    if isinstance(value, tuple):
        value = tuple(_shared(part, seen) for part in value)
    try:
        return seen.setdefault((type(value), value), value)  # True is equal to 1
    except TypeError:  # it holds a dictionary
        return value


def _own(folder: str) -> bool:
    if not hasattr(os, "geteuid"):  # Windows: the profile folder is the user's own by its access list
        return True
    state = os.stat(folder)
    return state.st_uid == os.geteuid() and not state.st_mode & 0o022
