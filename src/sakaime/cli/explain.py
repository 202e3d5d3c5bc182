"""`sakaime explain RULE`: what a rule looks for, why, its examples, and which layer of the policy decides about it."""

from __future__ import annotations

from collections.abc import Sequence

from sakaime.cli.chosen import Selection
from sakaime.cli.selection import select
from sakaime.packs.explained import explained

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
    told = explained(select(Selection(org=options.org)).policy, options.rule)
    lines = [f"{told.rule.id}  {told.rule.title}", ""]
    lines += [f"{name:9} {value}" for name, value in told.facts]
    lines += [f"{where:11} {worth}" for where, worth in told.worths]
    if told.rule.why:
        lines += ["", "Why", *_indented(told.rule.why)]
    for title, examples in (("Reported", told.bad), ("Fine", told.good)):
        lines += ["", title, *_examples(examples)] if examples else []
    if told.references:
        lines += ["", "More", *(f"  {link}" for link in told.references)]
    lines += ["", "Decided by", *(f"  {who}: {what}" for who, what in told.layers)]
    print("\n".join(lines))
    return 0


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.strip().split("\n")]


def _examples(examples: Sequence[str]) -> list[str]:
    out = []
    for example in examples:
        first, *rest = example.split("\n")
        out += [f"  - {first}", *(f"    {line}" for line in rest)]
    return out
