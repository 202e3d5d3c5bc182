"""How packs reach this machine: one module per way, each with one function `fetch`.

`fetch(extend, top, revision) -> Fetched` gives the files of the pack that an `extends` entry names;
`top` is the root of the repository, `revision` (empty: whatever the entry says now) what `Fetched.revision`
said earlier, to get the same files again. It raises `SakaimeError` without a place; the caller adds it.
A new way is one more module and one more line in `TRANSPORTS`.
"""

from __future__ import annotations

from importlib import import_module

from sakaime.model import Record, UserError
from sakaime.policy.settings import Extend

# By the scheme of the source; a source without a scheme is a folder or a file.
TRANSPORTS = {
    "": "sakaime.packs.transports.folder",
    "git+https": "sakaime.packs.transports.git",
    "git+ssh": "sakaime.packs.transports.git",
    "git+file": "sakaime.packs.transports.git",
}


class Fetched(Record):
    """The files of a pack by name, and the revision that they are of (empty where there is no such thing)."""

    files: dict[str, bytes]
    revision: str


def scheme(source: str) -> str:
    """What stands before `://`; empty for a folder."""
    before, mark, _ = source.partition("://")
    return before if mark else ""


def fetch(extend: Extend, top: str, revision: str = "") -> Fetched:
    """The files of a pack from wherever its entry says. Raises `SakaimeError` without a place."""
    found = TRANSPORTS.get(scheme(extend.source))
    if found is None:
        known = ", ".join(f"{name}://" for name in TRANSPORTS if name)
        raise UserError(
            f"{scheme(extend.source)!r} is no way to get a pack", way_out=f"Give a folder, or one of {known}"
        )
    fetched: Fetched = import_module(found).fetch(extend, top, revision)
    return fetched
