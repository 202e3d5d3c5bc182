"""Which texts are packs, settings or locks."""

from __future__ import annotations

import re

from sakaime.lsp.authors.study import home
from sakaime.packs.inforce import LOCK, PYPROJECT, SETTINGS
from sakaime.policy.pack import SECTIONS

_HEAD = re.compile(r"^\ufeff?(?:sakaime|\"sakaime\"|'sakaime')[ \t]*:", re.M)
_PACK = re.compile(r"^\ufeff?(?:pack|\"pack\"|'pack')[ \t]*:", re.M)
_SECTION = re.compile(rf"^\ufeff?(?:{'|'.join(SECTIONS)})[ \t]*:", re.M)
_NAMED = {SETTINGS: "settings", PYPROJECT: "pyproject", LOCK: "lock"}


def kind(path: str, text: str, root: str | None = None) -> str | None:
    """What a text is: "pack", "settings", "pyproject", "lock", or None: nothing of ours.

    A pack is a YAML file with the keys `sakaime` and `pack`, or one that lies in the folder of a pack and holds a part
    of it; the latter can only be told where `root` is given, the folder that `path` is relative to.
    """
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    if name in _NAMED:
        return _NAMED[name]
    if not name.lower().endswith((".yaml", ".yml")):
        return None
    if _HEAD.search(text) and _PACK.search(text):
        return "pack"
    if _SECTION.search(text) and name != "pack.yaml" and home(path, root) is not None:
        return "pack"
    return None
