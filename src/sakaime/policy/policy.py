"""The policy in force: compiled rules, the gate before them, and what the merge had to say."""

from __future__ import annotations

from sakaime.model import PolicyId, Record
from sakaime.policy.rule import Rule
from sakaime.text.chars import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Note(Record):
    """Something the merge of packs, floor and settings has to report: where, about which rule, how bad.

    `rule` is the id under which it is reported (`policy/...`); `kind` a short word for it.
    """

    rule: str
    kind: str
    severity: str
    message: str
    path: str
    line: int
    column: int


class Allow(Record):
    """An exception in force: findings of a rule, by fingerprint or by the text of their line, in one file or all."""

    rule: str
    path: str
    fingerprint: str
    line: str
    reason: str


class Review(Record):
    """How the input of a review is put together: fence marks, chunk size, declarations by language."""

    fence: tuple[str, str]
    chunk_bytes: int
    declaration: tuple[tuple[str, str], ...]


class Policy(Record):
    """Everything that decides, compiled.

    `rules` are the field values of `Rule`, made into rules only when the gate lets them through;
    `literals` are the distinct gate literals, and `gates` the numbers of those literals per rule, one
    tuple per pattern (empty: always try). `files` are the pack files that this was compiled from:
    (file name, hex sha256); they are hashed again whenever the compiled form is used.
    """

    id: PolicyId
    rules: tuple[tuple[Any, ...], ...]
    literals: tuple[str, ...]
    gates: tuple[tuple[tuple[int, ...], ...], ...]
    notes: tuple[Note, ...]
    review: Review
    allows: tuple[Allow, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    def rule(self, number: int) -> Rule:
        """The rule of a number."""
        return Rule(*self.rules[number])

    def every_rule(self) -> tuple[Rule, ...]:
        """All rules in force, in order of their ids."""
        return tuple(Rule(*values) for values in self.rules)

    def touched(self, text: str) -> tuple[int, ...]:
        """Numbers of the rules of which at least one pattern could match in some view of a text."""
        found = self._present(text)
        return tuple(n for n, gate in enumerate(self.gates) if any(_open(group, found) for group in gate))

    def possible(self, text: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Of some rules, those of which every pattern could match in some view of a text."""
        wanted = {literal for n in numbers for group in self.gates[n] for literal in group}
        bones = skeleton(text)
        found = {literal for literal in wanted if self.literals[literal] in bones}
        return tuple(n for n in numbers if all(_open(group, found) for group in self.gates[n]))

    def _present(self, text: str) -> set[int]:
        bones = skeleton(text)
        return {number for number, literal in enumerate(self.literals) if literal in bones}


def _open(group: tuple[int, ...], found: set[int]) -> bool:
    return not group or not found.isdisjoint(group)
