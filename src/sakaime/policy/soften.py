"""What one policy protects less than another one."""

from __future__ import annotations

from hashlib import sha256

from sakaime.model import SEVERITIES, Record
from sakaime.policy.policy import LOCKED, Policy
from sakaime.policy.rule import Rule
from sakaime.policy.values import Values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


UNJUDGED = "unjudged"
SILENCED = "silenced"


_WORTHS = ("off", *SEVERITIES)


class Softening(Record):
    """One thing that is protected less.

    `about` is the rule, `UNJUDGED`, or `SILENCED` (values that are judged less); `pack` the pack, if the cause is
    there. `certain` is false where a rule reads differently, and which one is wider cannot be told.
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
    out += [Softening(SILENCED, text) for text in _silenced(before, after)]
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
    for (where, was), (_, now) in zip(old.worths, new.worths, strict=False):
        if _WORTHS.index(now) < _WORTHS.index(was):
            yield f"{old.id} is softened from {was} to {now}, as `severity: {{{where}: ...}}` says", True
    if set(new.topics) - set(old.topics):
        # What a criterion names is not shielded by a note that leaves out what none names.
        yield f"{old.id} counts as named by more words", False
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
        and (old.kind, old.value, old.test, old.structure, old.full)
        == (new.kind, new.value, new.test, new.structure, new.full)
        and set(old.holds) <= set(new.holds)
        and (new.any_key or not old.any_key)
        and (old.random or not new.random)
    )


# What only ever silences; what only ever adds.
_SILENCES = {
    "not_secret": "the names that hold no secret (`keys: not_secret`)",
    "exempt_paths": "the exempt files (`zones: exempt: paths`)",
    "exempt_keys": "the exempt names (`zones: exempt: segments`)",
    "ci_paths": "the files of CI (`zones: ci: paths`)",
    "ci_keys": "the names of CI (`zones: ci: segments`)",
}
_ADDS = {
    "secret": "the names that hold a secret (`keys: secret`)",
    "password": "the names of passwords (`keys: password`)",
    "carriers": "the names that hold whatever others say (`keys: carriers`)",
    "production_words": "the words for production (`zones: production: segments`)",
    "production_paths": "the files of production (`zones: production: paths`)",
    "production_content": "what says production in a file (`zones: production: content`)",
    "published": "the published defaults (`published`)",
}


def _silenced(before: Policy, after: Policy) -> Iterator[str]:
    """What `after` takes for harmless among values, and `before` does not."""
    known = {rule.id for rule in before.secrets}
    for rule in after.secrets:
        if rule.id not in known and (rule.kind == "reference" or (rule.kind == "placeholder" and rule.random)):
            yield f"{rule.id} is new, and takes values for harmless: {_print((rule.value, rule.include, rule.exclude))}"
    old, new = (Values(*policy.secret_data.values()) if policy.secrets.packs else None for policy in (before, after))
    if old is None or new is None:
        return
    for name, said in _SILENCES.items():
        if not _within(getattr(new, name), getattr(old, name)):
            yield f"{said} are more, or others: {_print(getattr(new, name))}"
    for name, said in _ADDS.items():
        if not _within(getattr(old, name), getattr(new, name)):
            yield f"{said} are fewer, or others: {_print(getattr(new, name))}"
    more = {word for family, word in after.topics if (family, word) not in before.topics}
    if more:
        yield f"more words name what notes leave out (`topics`): {', '.join(sorted(more))}"


def _within(few: object, many: object) -> bool:
    """Whether some patterns, words or values are among others: patterns joined to one by `|` where all of it is."""
    if few == many:
        return True
    if isinstance(few, str) and isinstance(many, str):
        return f"|{_bare(few)}|" in f"|{_bare(many)}|"
    if isinstance(few, dict) and isinstance(many, dict):
        return few.items() <= many.items()
    # Of globs, one behind another may take back what that one selects.
    return isinstance(few, tuple) and isinstance(many, tuple) and many[: len(few)] == few


def _bare(pattern: str) -> str:
    return pattern.removeprefix("^(?:").removesuffix(")$")
