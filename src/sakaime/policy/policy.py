"""The policy in force: compiled rules, the gate before them, and what the merge had to say."""

from __future__ import annotations

from sakaime.model import PolicyId, Record
from sakaime.policy.gate import Gate
from sakaime.policy.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


LOCKED = "locked"  # what the layer that locks a rule says


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
    """An exception in force: findings of a rule, by fingerprint or by the text of their line, in one file or all.

    `file`, `number` and `column` say where it stands. One that `frees` may except a locked rule: only the
    organisation has such.
    """

    rule: str
    path: str
    fingerprint: str
    line: str
    reason: str
    file: str = ""
    number: int = 1
    column: int = 1
    frees: bool = False

    @property
    def content(self) -> tuple[str, str, str, str, str, bool]:
        """What it says, without where it stands."""
        return self.rule, self.path, self.fingerprint, self.line, self.reason, self.frees


class Accepted(Record):
    """One finding that somebody accepted outside of the material."""

    fingerprint: str
    path: str
    by: str
    reason: str


class Unjudged(Record):
    """Files that may pass although they cannot be judged: compiled globs, and why."""

    globs: tuple[tuple[bool, str], ...]
    reason: str


class Baseline(Record):
    """The findings that are known: `entries` are (rule, path, fingerprint, line of `path`), each for one finding."""

    path: str = ""
    entries: tuple[tuple[str, str, str, int], ...] = ()


class Review(Record):
    """How the input of a review is put together: fence marks, chunk size, declarations by language."""

    fence: tuple[str, str]
    chunk_bytes: int
    declaration: tuple[tuple[str, str], ...]


class Policy(Record):
    """Everything that decides, compiled.

    `rules` are the field values of `Rule`, made into rules only when the gate lets them through. `files`
    are the pack files that this was compiled from: (file name, hex sha256); they are hashed again whenever
    the compiled form is used. `accepted` is handed in with the call and no part of the compiled form.
    """

    id: PolicyId
    rules: tuple[tuple[Any, ...], ...]
    gate: Gate
    notes: tuple[Note, ...]
    review: Review
    allows: tuple[Allow, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    baseline: Baseline = Baseline()
    accepted: tuple[Accepted, ...] = ()

    def rule(self, number: int) -> Rule:
        """The rule of a number."""
        return Rule(*self.rules[number])

    def every_rule(self) -> tuple[Rule, ...]:
        """All rules in force, in order of their ids."""
        return tuple(Rule(*values) for values in self.rules)

    def locked(self) -> dict[str, str]:
        """The ids of the locked rules, each with who locks it."""
        return {rule.id: who for rule in self.every_rule() for who, what in rule.layers if what == LOCKED}

    def only(self, number: int) -> Policy:
        """The policy with one rule alone, and nothing that the settings say."""
        gate = Gate(self.gate.literals, (self.gate.rules[number],), (self.gate.within[number],))
        return self.replace(
            rules=(self.rules[number],), gate=gate, notes=(), allows=(), baseline=Baseline(), accepted=()
        )
