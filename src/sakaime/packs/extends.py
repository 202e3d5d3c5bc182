"""The `extends` entries of the settings: their places, names and version wishes."""

from __future__ import annotations

import os

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from sakaime.model import UserError
from sakaime.policy.settings import Extend, Placed


def entries(settings: Placed) -> list[Extend]:
    """The entries in order. Raises `UserError` where one pack is named twice."""
    seen: set[str] = set()
    for number, extend in enumerate(settings.settings.extends):
        if extend.pack in seen:
            raise mistake(settings, number, "pack", f"pack {extend.pack} is named twice", "Remove one of the two.")
        seen.add(extend.pack)
    return settings.settings.extends


def mistake(settings: Placed, number: int, key: str, message: str, way_out: str | None = None) -> UserError:
    """A mistake in the entry of a number, at one of its keys."""
    line, column = settings.place(("extends", number, key))
    return UserError(message, path=settings.path, line=line, column=column, way_out=way_out)


def label(extend: Extend) -> str:
    """Where a pack comes from, in one word: what reports call its source."""
    return extend.source + (f"@{extend.ref}" if extend.ref else "") + (f":{extend.path}" if extend.path else "")


def inside(top: str, source: str) -> str | None:
    """A folder source as a path from the root of the repository, `/` between its parts; None outside it."""
    full = os.path.normpath(os.path.join(top, source))
    relative = os.path.relpath(full, top).replace(os.sep, "/")
    return None if relative == ".." or relative.startswith("../") or os.path.isabs(relative) else relative


def check_version(settings: Placed, number: int, version: str) -> None:
    """Raises `UserError` unless a version meets what the entry asks for."""
    extend = settings.settings.extends[number]
    if not extend.version:
        return
    try:
        wanted = SpecifierSet(extend.version)
    except InvalidSpecifier:
        text = f"{extend.version!r} is not a version specifier"
        raise mistake(settings, number, "version", text, "Write one like >=2,<3") from None
    if not wanted.contains(Version(version), prereleases=True):
        text = f"pack {extend.pack} is {version}, and {extend.version} is asked for"
        raise mistake(settings, number, "version", text, "Change `ref` or `version`, then run: sakaime pack sync")
