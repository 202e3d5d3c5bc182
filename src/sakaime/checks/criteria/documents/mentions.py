"""The other documents that a text names: links, imports (`@docs/rules.md`), and names in its sentences."""

from __future__ import annotations

import posixpath
import re

from sakaime.checks.criteria.item import PROSE_FILES, Document
from sakaime.text.late import late

_POINTER_TEXT, _POINTER_ITEMS = 400, 4  # a document that only points to another one has at most so much in it
_MOST = 32
# Beside scripts without blanks a name ends where its letters do; a name can be of such letters as well.
_NAMES = (late(r"[\w./-]{1,200}\.[A-Za-z]{1,5}\b", re.A), late(r"[\w./-]{1,200}\.[A-Za-z]{1,5}\b"))
_BARE = late(r"[\w.-]{1,100}(?:/[\w.-]{1,100}){0,9}")
_ON_FORGE = late(r"//.*/(?:blob|raw|tree)/[^/]+/(.+)")
_IMPORT = late(r"@([\w./-]{1,200}\.\w{1,5})")


def mentions(text: str) -> tuple[str, ...]:
    """The names of prose documents in a text, each once, in their order; of a link of git the path that it holds."""
    if "\n" not in text.strip() and _BARE.fullmatch(text.strip()):
        return (text.strip(),)
    found = dict.fromkeys(
        name for names in _NAMES for name in names.findall(text) if name.lower().endswith(PROSE_FILES)
    )
    return tuple(found)


def imported(text: str) -> str:
    """The name of the document that an item takes in as a whole; empty if it says anything else."""
    found = _IMPORT.fullmatch(text.strip())
    return found[1] if found else ""


def paths_of(name: str, path: str) -> tuple[str, ...]:
    """The paths of a repository that a name in the document at `path` may stand for."""
    if found := _ON_FORGE.search(name):
        return (found[1],) if found[1] != path else ()
    name = name.lstrip("@")
    near = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    far = posixpath.normpath(name.lstrip("/"))
    return tuple(one for one in dict.fromkeys((near, far)) if one != path and not one.startswith(("..", "/")))


def is_pointer(document: Document) -> bool:
    """Whether a document has little more in it than the name of another one."""
    return (
        len(document.text) <= _POINTER_TEXT and len(document.items) <= _POINTER_ITEMS and bool(mentions(document.text))
    )


def new_mentions(old: Document | None, new: Document) -> tuple[str, ...]:
    """The documents that the new side of one names and the old one did not; of a pointer all that it names."""
    names = mentions(new.text)
    if is_pointer(new) or old is None:
        return names[:_MOST]
    return tuple(name for name in names if name not in old.text)[:_MOST]


def old_mentions(old: Document) -> tuple[str, ...]:
    """The documents that stood in for the text of an old side: what a pointer names, and what it imports."""
    if is_pointer(old):
        return mentions(old.text)[:_MOST]
    return tuple(name for item in old.items if (name := imported(item.text)))[:_MOST]
