"""The policy in force: compiled rules, the gate before them, and what the merge had to say."""

from __future__ import annotations

import marshal

from sakaime.model import PolicyId, Record
from sakaime.policy.gate import Gate
from sakaime.policy.rule import Rule

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


class Mentions(Record):
    """How texts are known that are told of and not meant: patterns beside a quotation, compiled globs of samples.

    They count for the rules of `pack`; those of the shipped packs (`pack` is empty) for every rule.
    """

    pack: str
    words: tuple[str, ...]
    samples: tuple[tuple[bool, str], ...]


def packed(rule: Rule) -> bytes:
    """A rule as bytes, which take no time to load until it is needed: all patterns together are megabytes."""
    return marshal.dumps(rule.values())


def unpacked(data: bytes) -> Rule:
    """The rule of some bytes of `packed`."""
    return Rule(*marshal.loads(data))


class Policy(Record):
    """Everything that decides, compiled.

    `rules` are packed (`packed`), and unpacked only when the gate lets them through; those without patterns, which
    no gate can tell of, are in `hidden`. `across` are the numbers of the rules that also look over neighbouring
    blocks. `files` are the pack files that this was compiled from: (file name, hex sha256); they are hashed again
    whenever the compiled form is used. `accepted` is handed in with the call and no part of the compiled form.
    """

    id: PolicyId
    rules: tuple[bytes, ...]
    gate: Gate
    notes: tuple[Note, ...]
    review: Review
    allows: tuple[Allow, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    baseline: Baseline = Baseline()
    mentions: tuple[Mentions, ...] = ()
    hidden: tuple[bytes, ...] = ()
    across: tuple[int, ...] = ()
    accepted: tuple[Accepted, ...] = ()

    def rule(self, number: int) -> Rule:
        """The rule of a number."""
        return unpacked(self.rules[number])

    def every_rule(self) -> tuple[Rule, ...]:
        """All rules in force, those of family hidden last."""
        return tuple(map(unpacked, (*self.rules, *self.hidden)))

    def ids(self) -> frozenset[str]:
        """The ids of all rules in force."""
        return frozenset(rule.id for rule in self.every_rule())

    def locked(self) -> dict[str, str]:
        """The ids of the locked rules, each with who locks it."""
        return {rule.id: who for rule in self.every_rule() for who, what in rule.layers if what == LOCKED}

    def only(self, number: int) -> Policy:
        """The policy with one rule alone, by its place in `every_rule`, and nothing that the settings say."""
        alone = slice(number, number + 1)
        after = max(0, number - len(self.rules))
        return self.replace(
            rules=self.rules[alone],
            across=(0,) if number in self.across else (),
            gate=self.gate.only(number),
            hidden=self.hidden[after : after + 1] if number >= len(self.rules) else (),
            notes=(),
            allows=(),
            baseline=Baseline(),
            accepted=(),
        )
