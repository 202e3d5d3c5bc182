"""The policy in force: compiled rules, the gate before them, and what the merge had to say."""

from __future__ import annotations

import marshal

from sakaime.model import PolicyId, Record
from sakaime.policy.gate import Gate, gate_of
from sakaime.policy.packed import Packed
from sakaime.policy.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from sakaime.policy.weights import Weights

LOCKED = "locked"  # what the layer that locks a rule says

# What `sakaime.checks.agents` reports: in no pack, but settings can make exceptions to it, as to any rule.
WATCHED = frozenset((
    "policy/agent-file", "policy/agent-permission", "policy/agent-hook", "policy/mcp-server", "policy/ai-workflow",
    "policy/required-check", "policy/git-hook",
))  # fmt: skip


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
    entries: tuple[tuple[str, str, str, int, str], ...] = ()


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


class Rules:
    """Rules by pack: how many, and they themselves, or what gives them as bytes (`sakaime.policy.packed`) when one of
    them is asked for.

    All patterns together are megabytes, a harmless change needs none of them, and any change needs few.
    """

    def __init__(self, packs: tuple[tuple[int, tuple[Rule, ...] | Callable[[], bytes]], ...]) -> None:
        self.packs = packs
        self._count = sum(count for count, _ in packs)
        self._packed: dict[int, Packed] = {}
        self._read: dict[int, Rule] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Rule:
        if number not in self._read:
            self._read[number] = self._found(number)
        return self._read[number]

    def __iter__(self) -> Iterator[Rule]:
        return (self[number] for number in range(len(self)))

    def _found(self, number: int) -> Rule:
        for at, (count, held) in enumerate(self.packs):
            if number >= count:
                number -= count
            elif isinstance(held, tuple):
                return held[number]
            else:
                if at not in self._packed:
                    self._packed[at] = Packed(held())
                return self._packed[at][number]
        raise IndexError(number)


def rules_of(rules: Iterable[Rule]) -> Rules:
    """Rules in their order, those of one pack together."""
    from itertools import groupby

    by_pack = [tuple(group) for _, group in groupby(rules, key=lambda rule: rule.id.split("/")[0])]
    return Rules(tuple((len(group), group) for group in by_pack))


class Tables:
    """The tables of weights of a policy by name (`pack/table`): their values, or what gives them as bytes when one is
    asked for. They are large, and most changes hold no word of most languages."""

    def __init__(self, held: dict[str, tuple[Any, ...] | Callable[[], bytes]]) -> None:
        self.held = held
        self._read: dict[str, Weights] = {}

    def __getitem__(self, name: str) -> Weights:
        if name not in self._read:
            from sakaime.policy.weights import Weights

            held = self.held[name]
            self._read[name] = Weights(*(held if isinstance(held, tuple) else marshal.loads(held())))
        return self._read[name]


class Late:
    """Plain values, or what gives them as bytes when they are asked for."""

    def __init__(self, held: tuple[Any, ...] | Callable[[], bytes] = ()) -> None:
        self._held = held

    def values(self) -> tuple[Any, ...]:
        """The values."""
        if not isinstance(self._held, tuple):
            self._held = tuple(marshal.loads(self._held()))
        return self._held


def _helps(other: Rule, rule: Rule) -> bool:
    """Whether a rule is needed for another one to be judged as it is: what is a reference is nothing else, and what is
    the shape of a token may be the example of a manual."""
    if rule.family != "secrets" or other.family != "secrets":
        return False
    return other.kind == "reference" or (rule.kind == "live" and other.kind == "placeholder")


class Policy(Record):
    """Everything that decides, compiled.

    `rules` are those that the gate lets through where they could match; those without patterns, which
    no gate can tell of, are in `hidden`. `across` are the numbers of the rules that also look over neighbouring
    blocks. Of all rules, `ids` has the ids, `locked` those that are locked, with who locks them, and `dates` the
    days from which they are enforced, where they have one. `files` are the pack files that this was compiled from:
    (file name, hex sha256); they are hashed again whenever the compiled form is used. `accepted` is handed in with
    the call and no part of the compiled form. `tables` are those of weights that rules name.
    `criteria` are the rules about documents that say what a review looks at, `named` strings of which one is in the
    path of each such document, and `ladders` the words, per language, by which criteria ask for more or for less.
    `risks` are the rules about lines that a review must look at, let through by `risky`; `topics` has the words by
    which criteria name the findings of other families, as (family, word). `softened` are the rules to which the
    settings give a lower severity than their pack.
    `secrets` are the rules about values where secrets are expected, `secret_data` what they need besides
    (`sakaime.policy.values`), and `hints` texts of which one is in every change that they could find something in.
    """

    id: PolicyId
    rules: Rules
    gate: Gate
    notes: tuple[Note, ...]
    review: Review
    ids: frozenset[str]
    locked: dict[str, str]
    dates: dict[str, str]
    allows: tuple[Allow, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    baseline: Baseline = Baseline()
    mentions: tuple[Mentions, ...] = ()
    hidden: Rules = Rules(())
    across: tuple[int, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    tables: Tables = Tables({})
    criteria: Rules = Rules(())
    named: tuple[str, ...] = ()
    ladders: Late = Late()
    risks: Rules = Rules(())
    risky: Gate = Gate((), 0)
    topics: tuple[tuple[str, str], ...] = ()
    softened: frozenset[str] = frozenset()
    secrets: Rules = Rules(())
    secret_data: Late = Late()
    hints: tuple[tuple[str, ...], tuple[bytes, ...]] = ((), ())

    def rule(self, number: int) -> Rule:
        """The rule of a number."""
        return self.rules[number]

    def every_rule(self) -> tuple[Rule, ...]:
        """All rules in force: those with patterns of words, then those of families hidden, criteria, risks, secrets."""
        return (*self.rules, *self.hidden, *self.criteria, *self.risks, *self.secrets)

    def only(self, number: int) -> Policy:
        """The policy with one rule alone, by its place in `every_rule`, and nothing that the settings say."""
        rule = self.every_rule()[number]
        patterned = rule.family == "instructions"
        return self.replace(
            rules=rules_of([rule] if patterned else []),
            across=(0,) if number in self.across else (),
            gate=self.gate.only(number) if patterned else gate_of([]),
            hidden=rules_of([rule] if rule.family == "hidden" else []),
            criteria=rules_of([rule] if rule.family == "criteria" else []),
            risks=rules_of([rule] if rule.family == "risks" else []),
            risky=self.risky.only(number - len(self.every_rule()) + len(self.risks) + len(self.secrets))
            if rule.family == "risks"
            else gate_of([]),
            secrets=rules_of(one for one in self.secrets if one is rule or _helps(one, rule)),
            notes=(),
            allows=(),
            baseline=Baseline(),
            accepted=(),
        )
