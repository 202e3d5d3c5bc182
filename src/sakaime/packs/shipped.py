"""The packs that come with the program."""

from __future__ import annotations

import os

import sakaime
from sakaime.model import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.pack import PackTree


def folder() -> str:
    """The folder of the shipped packs: inside the installed package, or `rules` of a checkout."""
    package = os.path.dirname(os.path.abspath(sakaime.__file__))
    for candidate in (os.path.join(package, "rules"), os.path.join(package, "..", "..", "rules")):
        if os.path.isdir(candidate):
            return os.path.normpath(candidate)
    raise CannotJudge("the shipped rule packs are missing", way_out="Install sakaime again.")


def state() -> bytes:
    """What changes when a shipped pack does: names, sizes and times of the files."""
    entries = sorted(os.scandir(folder()), key=lambda entry: entry.name)
    return repr([(e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in entries]).encode()


def trees() -> list[PackTree]:
    """The shipped packs, in order of their names."""
    from sakaime.packs.manifest import MAIN, pack_tree
    from sakaime.policy.pack import SHIPPED

    found = []
    for name in sorted(os.listdir(folder())):
        if name.endswith(".yaml"):
            with open(os.path.join(folder(), name), "rb") as file:
                found.append(pack_tree({MAIN: file.read()}, SHIPPED, f"rules/{name}"))
    return found
