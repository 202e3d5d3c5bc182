"""What the rules of a pack have in common, whatever their family."""

from __future__ import annotations

from typing import Any

from sakaime.policy.globs import compile_globs, literal_of_glob
from sakaime.policy.needs import Condition, condition
from sakaime.policy.pack import LoadedPack
from sakaime.policy.rule import Rule
from sakaime.policy.schema import HiddenRule, InstructionRule, RiskRule, SecretRule
from sakaime.policy.tree import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.needs import Fold

Words = dict[str, tuple[str, ...]]


def rule_of(
    pack: LoadedPack,
    rule: InstructionRule | HiddenRule | RiskRule | SecretRule,
    *,
    family: str,
    kind: str,
    severity: str,
    **own: Any,
) -> Rule:
    """A rule of a pack as it is in force before any settings; `own` is what rules of its family alone have."""
    include = None if rule.paths.include == ["**"] else compile_globs(rule.paths.include)
    return Rule(
        id=f"{pack.model.pack}/{rule.id}",
        family=family,
        kind=kind,
        severity=severity,
        enforce_from=rule.enforce_from.isoformat() if rule.enforce_from else "",
        title=rule.title,
        message=rule.message,
        why=rule.why,
        include=include,
        exclude=compile_globs(rule.paths.exclude),
        named=() if include is None else tuple(map(literal_of_glob, rule.paths.include)),
        layers=((f"pack {pack.model.pack} {pack.model.version}", f"severity {severity}"),),
        **own,
    )


def trees(patterns: list[str], words: Words) -> tuple[Any, ...]:
    """Patterns as they are kept: with their words apart."""
    return tuple(tree(pattern, words) for pattern in patterns)


def conditions(every: list[str], some: list[str], words: Words, fold: Fold) -> tuple[Condition, ...]:
    """What a text must hold, folded, for patterns to match: per pattern of `every`, and for `some` together."""
    found = [condition(pattern, words, fold) for pattern in every]
    if some:
        found.append(condition("|".join(f"(?:{pattern})" for pattern in some), words, fold))
    return tuple(found)
