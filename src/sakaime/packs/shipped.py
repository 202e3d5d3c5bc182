"""The packs that come with the program."""

from __future__ import annotations

import os

import sakaime
from sakaime.model import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.pack import PackTree


# Folders of further files of some of the packs, by the same name.
FURTHER = ("weights", "ladders", "criteria", "risks", "secrets")


def folder() -> str:
    """The folder of the shipped packs: inside the installed package, or `rules` of a checkout."""
    package = os.path.dirname(os.path.abspath(sakaime.__file__))
    for candidate in (os.path.join(package, "rules"), os.path.join(package, "..", "..", "rules")):
        if os.path.isdir(candidate):
            return os.path.normpath(candidate)
    raise CannotJudge("the shipped rule packs are missing", way_out="Install sakaime again.")


def state() -> bytes:
    """What changes when a shipped pack does: names, sizes and times of the files."""
    folders = [folder(), *(os.path.join(folder(), name) for name in FURTHER)]
    entries = sorted((entry for one in folders for entry in os.scandir(one)), key=lambda entry: entry.path)
    return repr([(e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in entries]).encode()


def trees() -> list[PackTree]:
    """The shipped packs, in order of their names."""
    from sakaime.packs.manifest import MAIN, pack_tree
    from sakaime.policy.pack import SHIPPED

    found = []
    for name in sorted(os.listdir(folder())):
        if name.endswith(".yaml"):
            files = {MAIN: _read(name)}
            for further in FURTHER:
                if os.path.exists(os.path.join(folder(), further, name)):
                    files[f"{further}.yaml"] = _read(os.path.join(further, name))
            found.append(pack_tree(files, SHIPPED, f"rules/{name}"))
    return found


def _read(name: str) -> bytes:
    with open(os.path.join(folder(), name), "rb") as file:
        return file.read()
