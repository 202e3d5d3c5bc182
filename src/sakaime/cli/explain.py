"""`sakaime explain RULE`: what a rule looks for, why, its examples, and which layer decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches, unified_diff

from sakaime.cli.chosen import Selection
from sakaime.cli.selection import select
from sakaime.model import UserError
from sakaime.packs import shipped
from sakaime.policy.pack import read_pack
from sakaime.policy.schema import AnyRule, Edit, Example
from sakaime.report.width import revealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "Tell what a rule looks for, why, and which layer of the policy decides about it."


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("rule", metavar="RULE", help="the full id, such as ja/cap")
    parser.add_argument("--org", metavar="FILE", help="the organisation's floor")


def run(options: Namespace) -> int:
    """Prints the rule. Raises `UserError` when no rule in force has that id."""
    selected = select(Selection(org=options.org))
    policy = selected.policy
    rules = {rule.id: rule for rule in policy.every_rule()}
    rule = rules.get(options.rule)
    if rule is None:
        near = get_close_matches(options.rule, rules, 1)
        raise UserError(
            f"there is no rule {options.rule!r} in force",
            way_out=f"Did you mean {near[0]!r}?" if near else "`sakaime rules` lists the rules in force.",
        )
    lines = [f"{rule.id}  {rule.title}", "", f"kind      {rule.kind}", f"severity  {rule.severity}"]
    if rule.enforce_from:
        lines.append(f"from      {rule.enforce_from} on; a warning at most before")
    if rule.family == "criteria":
        lines += [f"{change:9} {severity}" for change, severity in rule.losses]
        lines += (
            [f"read by   {rule.reader}{f', from the {rule.reads} side' if rule.reads else ''}"] if rule.reader else []
        )
    elif rule.family == "risks":
        lines.append(f"topics    {', '.join(rule.topics)}")
    elif rule.family == "secrets":
        lines += [f"{where:11} {worth}" for where, worth in rule.worths]
    elif rule.form:
        lines.append(f"form      {rule.form}")
    else:
        lines += [f"unit      {rule.unit}", f"places    {', '.join(rule.places)}", f"covers    {rule.covers}"]
    if rule.weights:
        least = policy.tables[rule.weights].least
        lines.append(f"weighs    the words of each sentence; reports it from a score of {least} on")
    if rule.why:
        lines += ["", "Why", *_indented(rule.why)]
    if (source := _shipped_rule(rule.id)) is not None:
        for title, examples in (("Reported", source.examples.bad), ("Fine", source.examples.good)):
            lines += ["", title, *_examples(examples)] if examples else []
        if source.references:
            lines += ["", "More", *(f"  {link}" for link in source.references)]
    lines += ["", "Decided by", *(f"  {who}: {what}" for who, what in rule.layers)]
    print("\n".join(lines))
    return 0


def _shipped_rule(rule_id: str) -> AnyRule | None:
    pack_name, _, name = rule_id.partition("/")
    for tree in shipped.trees():
        pack = read_pack(tree).model
        if pack.pack == pack_name:
            return next((rule for _, rule in pack.rules if rule.id == name), None)
    return None


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.strip().split("\n")]


def _examples(examples: Sequence[str | Example | Edit]) -> list[str]:
    out = []
    for example in examples:
        if isinstance(example, Edit):
            lines = list(unified_diff(example.before.split("\n"), example.after.split("\n"), lineterm="", n=1))[2:]
            text = "\n".join([f"({example.path})", *lines])
        else:
            text = example if isinstance(example, str) else f"({example.path}) {example.text.replace('@@@@', '')}"
        first, *rest = revealed(text).strip().split("\n")
        out += [f"  - {first}", *(f"    {line}" for line in rest)]
    return out
