"""Packs without what one question does not ask for: to compile all that is in force takes too long for every key."""

from __future__ import annotations

from typing import Any

from sakaime.policy.pack import LoadedPack
from sakaime.policy.schema import Keys, Paths, Published, Zones
from sakaime.policy.yamltext import Path

SECTIONS = ("instructions", "hidden", "criteria", "risks", "secrets")  # those that hold rules
_APART: dict[str, Any] = {"mentions": [], "samples": [], "weights": {}, "topics": {}, "review": None, "locked": []}
_VALUES: dict[str, Any] = {"secrets": [], "keys": Keys(), "zones": Zones(), "published": Published()}


def _with(pack: LoadedPack, changes: dict[str, Any]) -> LoadedPack:
    return pack.replace(model=pack.model.model_copy(update=changes))


def beside(pack: LoadedPack, other: LoadedPack) -> LoadedPack:
    """What of another pack counts when the rules of a pack are judged alone: its words, and where it has rules about
    values or criteria, what belongs to those."""
    changes = {**_APART, "instructions": [], "hidden": [], "criteria": [], "risks": []}
    if not pack.model.secrets:
        changes |= _VALUES
    if not pack.model.criteria:
        changes["ladders"] = []
    return _with(other, changes)


def bare(pack: LoadedPack) -> LoadedPack:
    """A pack whose rules have ids and severities, and look for nothing: what settings are about."""
    everywhere = Paths()
    no_patterns: dict[str, Any] = {"all": [], "any": [], "none": [], "weights": None, "paths": everywhere}
    changes: dict[str, Any] = {name: value for name, value in _VALUES.items() if name != "secrets"}
    changes |= {**_APART, "words": {}, "uses": [], "ladders": [], "locked": pack.model.locked}
    changes["instructions"] = [rule.model_copy(update=no_patterns) for rule in pack.model.instructions]
    changes["risks"] = [
        rule.model_copy(update={"line": [], "any": [], "none": [], "paths": everywhere}) for rule in pack.model.risks
    ]
    changes["hidden"] = [rule.model_copy(update={"paths": everywhere}) for rule in pack.model.hidden]
    changes["secrets"] = [rule.model_copy(update={"value": None, "paths": everywhere}) for rule in pack.model.secrets]
    return _with(pack, changes)


def only(pack: LoadedPack, kept: list[Path]) -> LoadedPack:
    """A pack with some of its rules, by their places in its data."""
    numbers: dict[Path, int] = {}
    changes: dict[str, Any] = {}
    for section in SECTIONS:
        places = sorted(place for place in kept if place[0] == section)
        numbers |= {place: number for number, place in enumerate(places)}
        rules = getattr(pack.model, section)
        changes[section] = [rules[place[1]] for place in places]
    places_now = {}
    for path, where in pack.places.items():
        if len(path) < 2 or path[0] not in SECTIONS:
            places_now[path] = where
        elif (number := numbers.get(path[:2])) is not None:
            places_now[(path[0], number, *path[2:])] = where
    return _with(pack, changes).replace(places=places_now)
