"""Judging one text in this process, under the packs that come with the program."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sakaime.checks import instructions
from sakaime.material.change import Material
from sakaime.material.sources import whole_file
from sakaime.material.texts import Texts
from sakaime.model import Finding, Position
from sakaime.packs import shipped
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING


@lru_cache
def shipped_policy() -> Policy:
    """All packs that come with the program, with no settings."""
    return compile_policy([read_pack(tree) for tree in shipped.trees()], NOTHING, None, "2026-01-01")


def found(policy: Policy, path: str, text: str) -> list[Finding]:
    """What the rules of instructions find in a whole file, before findings are made one."""
    change = whole_file(path, text.encode())
    material = Material("tree", (change,))
    return list(instructions.check(policy, material, change, Texts(material)))


def shipped_examples(*packs: str) -> Iterator[str]:
    """The bad examples of the rules of some packs (none named: of all)."""
    for tree in shipped.trees():
        model = read_pack(tree).model
        for rule in model.instructions if not packs or model.pack in packs else ():
            yield from (example if isinstance(example, str) else example.text for example in rule.examples.bad)


def offset(text: str, position: Position) -> int:
    """Where a position stands in a text whose lines end with a line feed."""
    return sum(len(line) + 1 for line in text.split("\n")[: position.line - 1]) + position.column - 1


def touches(finding: Finding, text: str, start: int, end: int) -> bool:
    """Whether the span of a finding has a character of a range of the text."""
    return offset(text, finding.span.start) < end and start < offset(text, finding.span.end)
