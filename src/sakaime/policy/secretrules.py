"""The rules of packs about secrets, compiled: shapes, names of keys, zones, published values, and the hints."""

from __future__ import annotations

import re

from sakaime.policy.globs import compile_globs
from sakaime.policy.hints import literals, shortest
from sakaime.policy.pack import SHIPPED, LoadedPack
from sakaime.policy.packrule import rule_of
from sakaime.policy.rule import Rule
from sakaime.policy.schema import SecretRule
from sakaime.policy.values import Values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.policy.settings import Org

# How bad a value is by its class, where its rule does not say.
_WORTHS = {
    "placeholder": {"production": "error", "elsewhere": "warning", "fallback": "warning", "exempt": "off"},
    "default": {"production": "error", "elsewhere": "warning", "fallback": "warning", "exempt": "off"},
    "live": {"production": "error", "elsewhere": "error", "fallback": "error", "exempt": "off"},
    "reference": {"production": "off", "elsewhere": "off", "fallback": "off", "exempt": "off"},
}


def secret_rules(pack: LoadedPack, org: Org | None) -> list[Rule]:
    """The rules of a pack about values."""
    return [_rule(pack, rule) for rule in pack.model.secrets if rule.class_ != "reference" or may_silence(pack, org)]


def may_silence(pack: LoadedPack, org: Org | None) -> bool:
    """Whether what a pack calls no secret counts: one that a repository brings itself must not soften what its
    organisation holds."""
    if pack.tree.source == SHIPPED or org is None:
        return True
    return any(required.pack == pack.model.pack for required in org.require)


def worths(rule: SecretRule) -> dict[str, str]:
    """How bad a value is by where it stands: production, elsewhere, fallback, exempt."""
    every = {**_WORTHS[rule.class_], **rule.severity.model_dump(exclude_none=True)}
    if rule.holds and rule.severity.exempt is None:
        every["exempt"] = every["elsewhere"]  # nobody needs a working token of a service in a test
    return every


def _rule(pack: LoadedPack, rule: SecretRule) -> Rule:
    every = worths(rule)
    worst = next((level for level in ("error", "warning", "info") if level in every.values()), "info")
    return rule_of(
        pack,
        rule,
        family="secrets",
        kind=rule.class_,
        severity=worst,
        value=f"^{_grouped(rule.value)}$" if rule.full and rule.value else rule.value or "",
        test=rule.test or "",
        full=rule.full,
        random=rule.random,
        any_key=rule.any_key,
        holds=tuple(rule.holds),
        structure=rule.structure or "",
        worths=tuple(every.items()),
    )


def values_of(packs: Iterable[LoadedPack], org: Org | None) -> Values:
    """What all packs together say. Those that may not silence anything add, and take nothing away."""
    every = list(packs)
    silent = [pack for pack in every if may_silence(pack, org)]
    return Values(
        secret=_either(pattern for pack in every for pattern in pack.model.keys.secret),
        not_secret=_either(pattern for pack in silent for pattern in pack.model.keys.not_secret),
        carriers=_either((pattern for pack in every for pattern in pack.model.keys.carriers), whole=True),
        password=_either(pattern for pack in every for pattern in pack.model.keys.password),
        production_words=tuple(word for pack in every for word in pack.model.zones.production.segments),
        production_paths=_joined([glob for pack in every for glob in pack.model.zones.production.paths]),
        production_content=tuple(one for pack in every for one in pack.model.zones.production.content),
        exempt_keys=tuple(word for pack in silent for word in pack.model.zones.exempt.segments),
        exempt_paths=_joined([glob for pack in silent for glob in pack.model.zones.exempt.paths]),
        ci_paths=_joined([glob for pack in silent for glob in pack.model.zones.ci.paths]),
        ci_keys=tuple(word for pack in silent for word in pack.model.zones.ci.segments),
        salts=tuple(dict.fromkeys(pack.model.published.salt for pack in every if pack.model.published.values)),
        published={
            entry.sha256: (entry.product, entry.where, entry.cve, entry.class_, entry.any_key)
            for pack in every
            for entry in pack.model.published.values
        },
    )


def _joined(globs: list[str]) -> tuple[tuple[bool, str], ...]:
    """Compiled globs, those in a row that select made one pattern: hundreds of them are not compiled one by one."""
    joined: list[tuple[bool, list[str]]] = []
    for selects, source in compile_globs(globs):
        source = re.sub(r"\(\?P<\w+>", "(?:", source).removeprefix("(?s)")
        if joined and joined[-1][0] and selects:
            joined[-1][1].append(source)
        else:
            joined.append((selects, [source]))
    return tuple((selects, f"(?s){'|'.join(sources)}") for selects, sources in joined)


_FLAGS = re.compile(r"\(\?([imsU]+)\)")


def _grouped(pattern: str) -> str:
    """A pattern as a group, the flags of its beginning as those of the group: not every engine takes others."""
    found = _FLAGS.match(pattern)
    return f"(?{found[1]}:{pattern[found.end() :]})" if found else f"(?:{pattern})"


def _either(patterns: Iterable[str], whole: bool = False) -> str:
    every = [_grouped(pattern) for pattern in patterns]
    if not every:
        return "[^\\x00-\\x{10FFFF}]"  # matches nothing
    return f"^(?:{'|'.join(every)})$" if whole else "|".join(every)


def hints_of(rules: Iterable[Rule], packs: Iterable[LoadedPack]) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
    """Texts of which one is in every text that the rules could find something in: as they stand in its skeleton, and
    as they stand in it themselves."""
    named = shortest(one for pack in packs for pattern in pack.model.keys.secret for one in literals(pattern))
    return named, tuple({text.encode("utf-8", "surrogatepass"): None for rule in rules for text in rule.holds})
