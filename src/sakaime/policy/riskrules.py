"""The rules of a pack about lines that a review must look at, compiled."""

from __future__ import annotations

from typing import Any

from sakaime.model import UserError
from sakaime.policy.memory import remembered
from sakaime.policy.mistakes import first_with_others
from sakaime.policy.needs import Condition
from sakaime.policy.pack import LoadedPack, expanded
from sakaime.policy.packrule import Words, conditions, rule_of, trees
from sakaime.policy.rule import Rule
from sakaime.text.skeleton import solid

WITHIN = 400  # characters of a line in which the patterns of a rule must meet
_PATTERNS = ("line", "any", "none")


def risk_rules(pack: LoadedPack, words: Words) -> list[tuple[Rule, tuple[Condition, ...]]]:
    """The rules, as the pack has them; of each, per pattern of `line` and for all of `any` together, what a text must
    hold for it to match. `words` are the lists that its patterns can name.

    Raises `UserError` where RE2 refuses a pattern.
    """
    if not pack.model.risks:
        return []
    inputs = [pack.model.pack.encode(), pack.model.version.encode(), repr(pack.model.risks).encode()]
    inputs.append(repr(sorted(words.items())).encode())
    kept = remembered("risks", inputs, lambda: _compiled(pack, words))
    return [(Rule(*values), needed) for values, needed in kept]


def _compiled(pack: LoadedPack, words: Words) -> list[tuple[tuple[Any, ...], tuple[Condition, ...]]]:
    out: list[tuple[tuple[Any, ...], tuple[Condition, ...]]] = []
    errors: list[UserError] = []
    for number, rule in enumerate(pack.model.risks):
        try:
            for key in _PATTERNS:
                expanded(pack, ("risks", number, key), getattr(rule, key), words)
        except UserError as error:
            errors.append(error)
            continue
        compiled = rule_of(
            pack,
            rule,
            family="risks",
            kind="risk",
            severity=rule.severity,
            unit="line",
            all=trees(rule.line, words),
            any=trees(rule.any, words),
            none=trees(rule.none, words),
            within=WITHIN,
            places=tuple(rule.places),
            topics=tuple(rule.topics),
        )
        out.append((compiled.values(), conditions(rule.line, rule.any, words, solid)))
    if errors:
        raise first_with_others(errors)
    return out
