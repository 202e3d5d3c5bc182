"""`sakaime rules`: the rules in force."""

from __future__ import annotations

import json

from sakaime.cli.chosen import Selection
from sakaime.cli.selection import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "List the rules in force."


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--org", metavar="FILE", help="the organisation's floor")


def run(options: Namespace) -> int:
    """Prints the rules, one a line."""
    policy = select(Selection(org=options.org)).policy
    rules = sorted(policy.every_rule(), key=lambda rule: rule.id)
    if options.format == "json":
        data = [{"id": r.id, "kind": r.kind, "severity": r.severity, "title": r.title} for r in rules]
        print(json.dumps({"policy": policy.id.digest, "rules": data}, ensure_ascii=False, indent=2))
        return 0
    wide = max((len(rule.id) for rule in rules), default=0)
    for rule in rules:
        print(f"{rule.id:{wide}}  {rule.severity:7}  {rule.kind:8}  {rule.title}")
    packs = ", ".join(f"{p.name} {p.version}" for p in policy.id.packs)
    print(f"\n{len(rules)} rules from {packs}; policy {policy.id.digest[:8]}")
    return 0
