"""The rules of a pack about lines that a review must look at, compiled."""

from __future__ import annotations

from typing import Any

from sakaime.model import UserError
from sakaime.policy.globs import compile_globs, literal_of_glob
from sakaime.policy.memory import remembered
from sakaime.policy.mistakes import first_with_others
from sakaime.policy.needs import Condition, condition
from sakaime.policy.pack import LoadedPack, expanded
from sakaime.policy.rule import Rule
from sakaime.policy.tree import tree
from sakaime.text.skeleton import solid

WITHIN = 400  # characters of a line in which the patterns of a rule must meet
_PATTERNS = ("line", "any", "none")


def risk_rules(pack: LoadedPack, words: dict[str, tuple[str, ...]]) -> list[tuple[Rule, tuple[Condition, ...]]]:
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


def _compiled(
    pack: LoadedPack, words: dict[str, tuple[str, ...]]
) -> list[tuple[tuple[Any, ...], tuple[Condition, ...]]]:
    out: list[tuple[tuple[Any, ...], tuple[Condition, ...]]] = []
    errors: list[UserError] = []
    for number, rule in enumerate(pack.model.risks):
        try:
            for key in _PATTERNS:
                expanded(pack, ("risks", number, key), getattr(rule, key), words)
        except UserError as error:
            errors.append(error)
            continue
        include = None if rule.paths.include == ["**"] else compile_globs(rule.paths.include)
        needed = [condition(pattern, words, solid) for pattern in rule.line]
        if rule.any:
            needed.append(condition("|".join(f"(?:{pattern})" for pattern in rule.any), words, solid))
        compiled = Rule(
            id=f"{pack.model.pack}/{rule.id}",
            family="risks",
            kind="risk",
            severity=rule.severity,
            enforce_from=rule.enforce_from.isoformat() if rule.enforce_from else "",
            title=rule.title,
            message=rule.message,
            why=rule.why,
            unit="line",
            all=tuple(tree(pattern, words) for pattern in rule.line),
            any=tuple(tree(pattern, words) for pattern in rule.any),
            none=tuple(tree(pattern, words) for pattern in rule.none),
            within=WITHIN,
            include=include,
            exclude=compile_globs(rule.paths.exclude),
            named=() if include is None else tuple(map(literal_of_glob, rule.paths.include)),
            layers=((f"pack {pack.model.pack} {pack.model.version}", f"severity {rule.severity}"),),
            places=tuple(rule.places),
            topics=tuple(rule.topics),
        )
        out.append((compiled.values(), tuple(needed)))
    if errors:
        raise first_with_others(errors)
    return out
