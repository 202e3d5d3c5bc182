"""A pack that is being written, read as `sakaime pack check` and `sakaime pack test` do: mistakes, and its examples."""

from __future__ import annotations

import hashlib
import os
import time
from bisect import bisect_right
from collections import OrderedDict
from typing import TypeVar

from sakaime.lsp.authors import around, light
from sakaime.lsp.authors.outline import too_large
from sakaime.model import Record, SakaimeError, UserError
from sakaime.packs.manifest import MAIN, pack_tree
from sakaime.packs.selftest import failures_of
from sakaime.packs.transports import folder
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.schema import AnyRule
from sakaime.policy.settings import NOTHING
from sakaime.policy.yamltext import Path

_K = TypeVar("_K")
_V = TypeVar("_V")
TOO_LARGE = "is too large to be read while you write"
_KEPT, _KEPT_PACKS = 10_000, 8


class Failed(Record):
    """An example that does not come out as it says: bad or good, its number from 1, and what is found in it."""

    kind: str
    number: int
    found: tuple[str, ...]


class Outcome(Record):
    """The examples of the rule at a path of the pack's data: how many there are, and which fail."""

    rule: str
    at: Path
    examples: int
    failed: tuple[Failed, ...]


class Studied(Record):
    """A pack as it is written now. `name` is what messages call the text; `pack` is None where it cannot be read.

    `outcomes` are those of the rules without mistakes.
    """

    name: str
    pack: LoadedPack | None
    mistakes: tuple[SakaimeError, ...]
    outcomes: tuple[Outcome, ...]


_outcomes: OrderedDict[str, tuple[Failed, ...]] = OrderedDict()
_studied: OrderedDict[tuple[str, ...], Studied] = OrderedDict()


def study(path: str, text: str, policy: Policy, root: str | None = None) -> Studied:
    """Reads the pack that a text belongs to: the text as it is now, and further files of the pack from disk.

    `path` is relative to `root`, the repository's folder. Examples run once for each rule as it is written: a change of
    one rule runs those of that rule.
    """
    if too_large(text):
        error = UserError(TOO_LARGE, path=path, line=1, column=1, way_out="Run: sakaime pack check")
        return Studied(path, None, (error,), ())
    with around.drafting():
        try:
            files, where, name = _files(path, text.encode("utf-8", "surrogatepass"), root)
        except SakaimeError as error:
            return Studied(path, None, _every(error), ())
        others = around.packs(root, policy)
        content = hashlib.sha256()
        for part in (part for file, data in sorted(files.items()) for part in (file.encode(), data)):
            content.update(b"%d:" % len(part) + part)
        key = (path, where, content.hexdigest(), *(pack.tree.digest for pack in others), time.strftime("%Y-%m-%d"))
        studied = _studied.get(key) or _study(files, where, name, others)
        _kept(_studied, key, studied, _KEPT_PACKS)
        return studied


def examples(path: str, text: str, policy: Policy, root: str | None = None) -> tuple[Outcome, ...]:
    """How the examples of each rule come out, of rules without mistakes; as `study` reads them."""
    return study(path, text, policy, root).outcomes


def home(path: str, root: str | None) -> str | None:
    """The folder of the pack that a file is part of, relative to the root; None where it is a pack by itself."""
    if root is None:
        return None
    below, base = os.path.split(path)
    if base == MAIN:
        return below
    while True:
        if os.path.isfile(os.path.join(root, below, MAIN)):
            return below
        if not below:
            return None
        below = os.path.dirname(below)


def _files(path: str, data: bytes, root: str | None) -> tuple[dict[str, bytes], str, str]:
    """The files of the pack, and what messages call the pack and this one."""
    below = home(path, root)
    if root is None or below is None:
        return {MAIN: data}, path, path
    inner = path[len(below) + 1 :] if below else path
    where = below or "."
    full = os.path.join(root, below)
    files = {**(folder.read(full, where) if os.path.isdir(full) else {}), inner: data}
    return files, where, where if len(files) == 1 else f"{where}/{inner}"


def _every(error: SakaimeError) -> tuple[SakaimeError, ...]:
    return (error, *error.others)


def _study(files: dict[str, bytes], where: str, name: str, others: tuple[LoadedPack, ...]) -> Studied:
    try:
        pack = read_pack(pack_tree(files, "", where))
    except SakaimeError as error:
        return Studied(name, None, _every(error), ())
    beside = [light.beside(pack, other) for other in others if other.model.pack != pack.model.pack]
    marks = _marks(pack, beside)
    fresh = [at for at, _ in pack.model.rules if marks[at] not in _outcomes]
    if any(at[0] == "secrets" for at in fresh):  # what is a reference is nothing else
        fresh = [at for at, _ in pack.model.rules if at in fresh or at[0] == "secrets"]
    mistakes: list[SakaimeError] = []
    _run(pack, beside, fresh, marks, mistakes)
    outcomes = [
        Outcome(f"{pack.model.pack}/{rule.id}", at, _count(rule), failed)
        for at, rule in pack.model.rules
        if (failed := _outcomes.get(marks[at])) is not None
    ]
    return Studied(name, pack, tuple(mistakes), tuple(outcomes))


def _count(rule: AnyRule) -> int:
    return len(rule.examples.bad) + len(rule.examples.good)


def _marks(pack: LoadedPack, beside: list[LoadedPack]) -> dict[Path, str]:
    """Per rule, what its examples go by: itself, what the pack says besides of rules, and the other packs."""
    common = hashlib.sha256(repr(pack.model.model_dump(exclude=set(light.SECTIONS))).encode("utf-8", "surrogatepass"))
    for other in beside:
        common.update(other.tree.digest.encode())
    company = hashlib.sha256(repr(pack.model.secrets).encode("utf-8", "surrogatepass")).hexdigest()
    marks: dict[Path, str] = {}
    for at, rule in pack.model.rules:
        own = common.copy()
        own.update(repr((at[0], rule, company if at[0] == "secrets" else "")).encode("utf-8", "surrogatepass"))
        marks[at] = own.hexdigest()
    return marks


def _run(
    pack: LoadedPack,
    beside: list[LoadedPack],
    fresh: list[tuple[str, int]],
    marks: dict[Path, str],
    mistakes: list[SakaimeError],
) -> None:
    """Runs the examples of some rules; mistakes that show only when the pack is compiled go into `mistakes`."""
    kept: list[Path] = list(fresh)
    parts = [(*place, path) for path, place in pack.places.items() if len(path) <= 2]
    parts.sort(key=lambda one: (one[:3], len(one[3])))
    while True:
        part = light.only(pack, kept)
        try:
            policy = compile_policy([*beside, part], NOTHING, None, time.strftime("%Y-%m-%d"))
            break
        except SakaimeError as error:
            mistakes += _every(error)
            broken = {_part_of(parts, one) for one in _every(error)}
            left = [at for at in kept if at not in broken]
            if len(left) + len(broken) > len(kept):  # something besides rules is broken
                return
            kept = left
    numbers = {rule.id: number for number, rule in enumerate(policy.every_rule())}
    for _, rule in part.model.rules:
        name = f"{pack.model.pack}/{rule.id}"
        at = next(at for at, one in pack.model.rules if one is rule)
        failed = tuple(
            Failed(one.kind, one.number, tuple(f.excerpt for f in one.findings if f.rule == name))
            for one in failures_of(rule, name, policy, numbers[name])
        )
        _kept(_outcomes, marks[at], failed, _KEPT)


def _part_of(parts: list[tuple[str, int, int, Path]], error: SakaimeError) -> Path:
    """The section or rule in which a mistake stands, of those that are given in order of their places."""
    here = (error.path or "", error.line or 1, error.column or 1)
    number = bisect_right(parts, here, key=lambda one: one[:3])
    return parts[number - 1][3] if number else ()


def _kept(held: OrderedDict[_K, _V], key: _K, value: _V, most: int) -> None:
    """Keeps a value, and of all the last ones."""
    held[key] = value
    held.move_to_end(key)
    while len(held) > most:
        held.popitem(last=False)
