"""What there is to tell of a rule: what it looks for and why, its examples, and which layer decides about it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches, unified_diff
from functools import lru_cache

from sakaime.model import Record, UserError
from sakaime.packs import shipped
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule
from sakaime.policy.schema import AnyRule, Edit, Example
from sakaime.report.width import revealed


class Explained(Record):
    """A rule in force. `facts` are (name, value) in their order, `worths` how bad a value is (where, severity);
    examples and references are those of the shipped pack, texts of one line or more with everything in them to be
    seen; `layers` are (who, what)."""

    rule: Rule
    facts: tuple[tuple[str, str], ...]
    worths: tuple[tuple[str, str], ...]
    bad: tuple[str, ...]
    good: tuple[str, ...]
    references: tuple[str, ...]
    layers: tuple[tuple[str, str], ...]


def explained(policy: Policy, rule_id: str) -> Explained:
    """The rule of an id. Raises `UserError` when no rule in force has it."""
    rules = {rule.id: rule for rule in policy.every_rule()}
    rule = rules.get(rule_id)
    if rule is None:
        near = get_close_matches(rule_id, rules, 1)
        raise UserError(
            f"there is no rule {rule_id!r} in force",
            way_out=f"Did you mean {near[0]!r}?" if near else "`sakaime rules` lists the rules in force.",
        )
    facts = [("kind", rule.kind), ("severity", rule.severity), *_facts(rule)]
    if rule.weights:
        least = policy.tables[rule.weights].least
        facts.append(("weighs", f"the words of each sentence; reports it from a score of {least} on"))
    source = _shipped(rule.id)
    return Explained(
        rule,
        tuple(facts),
        rule.worths if rule.family == "secrets" else (),
        _examples(source.examples.bad) if source is not None else (),
        _examples(source.examples.good) if source is not None else (),
        tuple(source.references) if source is not None else (),
        rule.layers,
    )


def _facts(rule: Rule) -> Iterable[tuple[str, str]]:
    if rule.enforce_from:
        yield "from", f"{rule.enforce_from} on; a warning at most before"
    if rule.family == "criteria":
        yield from rule.losses
        if rule.reader:
            yield "read by", f"{rule.reader}{f', from the {rule.reads} side' if rule.reads else ''}"
    elif rule.family == "risks":
        yield "topics", ", ".join(rule.topics)
    elif rule.family == "secrets":
        return
    elif rule.form:
        yield "form", rule.form
    else:
        yield from (("unit", rule.unit), ("places", ", ".join(rule.places)), ("covers", rule.covers))


def _shipped(rule_id: str) -> AnyRule | None:
    pack_name, _, name = rule_id.partition("/")
    return _rules_of(pack_name).get(name)


@lru_cache(maxsize=32)
def _rules_of(pack_name: str) -> dict[str, AnyRule]:
    """The rules of a shipped pack as they are written. A server asks again and again, and they do not change."""
    for tree in shipped.trees():
        pack = read_pack(tree).model
        if pack.pack == pack_name:
            return {rule.id: rule for _, rule in reversed(pack.rules)}
    return {}


def _examples(examples: Iterable[str | Example | Edit]) -> tuple[str, ...]:
    return tuple(revealed(_written(example)).strip() for example in examples)


def _written(example: str | Example | Edit) -> str:
    if isinstance(example, Edit):
        lines = list(unified_diff(example.before.split("\n"), example.after.split("\n"), lineterm="", n=1))[2:]
        return "\n".join([f"({example.path})", *lines])
    return example if isinstance(example, str) else f"({example.path}) {example.text.replace('@@@@', '')}"
