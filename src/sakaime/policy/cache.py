"""The compiled policy, kept between runs in the user's own cache folder.

It is read with `marshal`, which is not made for hostile input: so it is only taken from a folder that
belongs to the user and that nobody else can write, never from a repository or a pack.
"""

from __future__ import annotations

import marshal
import os
import sys

import sakaime
from sakaime.model import PackId, PolicyId
from sakaime.policy.gate import Gate
from sakaime.policy.policy import Allow, Baseline, Note, Policy, Review, Unjudged

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which costs half an interpreter start
except ImportError:  # a Python built without it
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = 3
_DIGEST = 16


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


def load(key: str) -> Policy | None:
    """The compiled policy of that name; None where there is none that can be trusted."""
    folder = os.path.join(cache_folder(), "policy")
    try:
        if not _own(folder):
            return None
        with open(os.path.join(folder, key), "rb") as file:
            data = file.read()
        if blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() != data[:_DIGEST]:
            return None
        digest, packs, rules, literals, gates, within, notes, review, allows, unjudged, files, known = marshal.loads(
            data[_DIGEST:]
        )
        return Policy(
            PolicyId(digest, tuple(PackId(*pack) for pack in packs)),
            rules,
            Gate(literals, gates, within),
            tuple(Note(*note) for note in notes),
            Review(*review),
            tuple(Allow(*allow) for allow in allows),
            tuple(Unjudged(*entry) for entry in unjudged),
            files,
            Baseline(*known),
        )
    except (OSError, ValueError, EOFError, TypeError):
        return None


def store(key: str, policy: Policy) -> None:
    """Keeps a compiled policy. A folder that cannot be written is no error: the next run compiles again."""
    body = marshal.dumps(
        (
            policy.id.digest,
            tuple(pack.values() for pack in policy.id.packs),
            policy.rules,
            policy.gate.literals,
            policy.gate.rules,
            policy.gate.within,
            tuple(note.values() for note in policy.notes),
            policy.review.values(),
            tuple(allow.values() for allow in policy.allows),
            tuple(entry.values() for entry in policy.unjudged),
            policy.files,
            policy.baseline.values(),
        )
    )
    folder = os.path.join(cache_folder(), "policy")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not _own(folder):
            return
        temporary = os.path.join(folder, f".{key}.{os.getpid()}")
        with open(temporary, "wb") as file:
            file.write(blake2b(body, digest_size=_DIGEST).digest() + body)
        os.replace(temporary, os.path.join(folder, key))
    except OSError:
        return


def _own(folder: str) -> bool:
    if not hasattr(os, "geteuid"):  # Windows: the profile folder is the user's own by its access list
        return True
    state = os.stat(folder)
    return state.st_uid == os.geteuid() and not state.st_mode & 0o022
