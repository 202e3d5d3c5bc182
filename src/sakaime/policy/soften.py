"""What one policy protects less than another one."""

from __future__ import annotations

from hashlib import sha256

from sakaime.model import SEVERITIES, Record
from sakaime.policy.policy import LOCKED, Policy
from sakaime.policy.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


UNJUDGED = "unjudged"


class Softening(Record):
    """One thing that is protected less.

    `about` is the rule, or `UNJUDGED`; `pack` the pack, if the cause is there. `certain` is false where a rule
    reads differently, and which one is wider cannot be told.
    """

    about: str
    message: str
    pack: str = ""
    place: tuple[str, int, int] | None = None
    certain: bool = True


def softenings(before: Policy, after: Policy) -> list[Softening]:
    """Everything that `after` protects less than `before`; empty where it protects at least as much."""
    if before.id.digest == after.id.digest:
        return []
    old_packs = {pack.name: pack for pack in before.id.packs}
    new_packs = {pack.name: pack for pack in after.id.packs}
    changed = {name for name, pack in new_packs.items() if name in old_packs and old_packs[name].digest != pack.digest}
    new = {rule.id: rule for rule in after.every_rule()}
    out = [Softening(name, f"the pack {name} is in force no more", name) for name in old_packs if name not in new_packs]
    for rule in before.every_rule():
        pack = rule.id.split("/", 1)[0]
        if pack not in new_packs:
            continue
        now = new.get(rule.id)
        by = pack if pack in changed else ""
        if now is None:
            out.append(Softening(rule.id, f"{rule.id} is switched off", by))
            continue
        out += [Softening(rule.id, text, by, None, certain) for text, certain in _softer(rule, now)]
    had = {allow.content for allow in before.allows}
    for allow in after.allows:
        if allow.content not in had:
            what = allow.fingerprint or f"the line {allow.line!r}"
            text = f"an exception to {allow.rule} is added, in {allow.path or 'any file'}: {what} ({allow.reason})"
            out.append(Softening(allow.rule, text, place=(allow.file, allow.number, allow.column)))
    for entry in after.unjudged:
        if entry not in before.unjudged:
            text = f"more files may pass unjudged: {entry.reason} (as `path` says, {_print(entry.globs)})"
            out.append(Softening(UNJUDGED, text))
    return out


def _softer(old: Rule, new: Rule) -> Iterator[tuple[str, bool]]:
    """What a rule protects less than it did, and whether that is certain."""
    if SEVERITIES.index(new.severity) < SEVERITIES.index(old.severity):
        yield f"{old.id} is softened from {old.severity} to {new.severity}", True
    if new.enforce_from > old.enforce_from:
        yield f"{old.id} is a warning at most until {new.enforce_from}", True
    if (old.include, old.exclude) != (new.include, new.exclude) and not (new.include is None and not new.exclude):
        yield f"{old.id} looks at other files: {_paths(new)}", True
    if _is_locked(old) and not _is_locked(new):
        yield f"{old.id} is locked no more", True
    if not _as_wide(old, new):
        yield f"{old.id} looks for something else", False


def _paths(rule: Rule) -> str:
    return f"as `paths` says, {_print((rule.include, rule.exclude))}"


def _print(globs: object) -> str:
    # Globs are kept as patterns, which nobody reads; what is accepted once must not be taken for another one.
    return sha256(repr(globs).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_locked(rule: Rule) -> bool:
    return any(what == LOCKED for _, what in rule.layers)


def _as_wide(old: Rule, new: Rule) -> bool:
    return (
        old.form == new.form
        and old.unit == new.unit
        and old.all == new.all
        and (set(old.any) <= set(new.any) if old.any else not new.any)
        and set(new.none) <= set(old.none)
        and new.within >= old.within
        and set(old.places) <= set(new.places)
    )
