"""Running the examples of rules through the judge."""

from __future__ import annotations

from sakaime.judge import judge
from sakaime.material.change import Material
from sakaime.material.sources import buffer, message, whole_file
from sakaime.model import Finding, Record
from sakaime.policy.examples import Sample, sample
from sakaime.policy.pack import LoadedPack
from sakaime.policy.policy import Policy
from sakaime.policy.schema import SecretRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.policy.schema import AnyRule, Edit, Example


class Failure(Record):
    """An example that is not judged as its rule says.

    `kind` is bad (the rule must report it and does not) or good (it must not and does); `number` counts
    from 1 in the rule's list; `findings` are what the whole policy reports.
    """

    rule: str
    kind: str
    number: int
    sample: Sample
    findings: tuple[Finding, ...]


def failures(pack: LoadedPack, policy: Policy) -> Iterator[Failure]:
    """The examples of a pack that come out wrong. `policy` must hold the pack, with no settings applied.

    Every rule is judged alone, so that another one that says the same does not hide it.
    """
    numbers = {rule.id: number for number, rule in enumerate(policy.every_rule())}
    for _, rule in pack.model.rules:
        name = f"{pack.model.pack}/{rule.id}"
        yield from failures_of(rule, name, policy, numbers[name])


def failures_of(rule: AnyRule, name: str, policy: Policy, number: int) -> Iterator[Failure]:
    """The same of one rule, whose full id is `name` and which is of that number in `policy.every_rule()`."""
    reference = isinstance(rule, SecretRule) and rule.class_ == "reference"
    alone = policy if reference else policy.only(number)
    both: list[tuple[str, Sequence[str | Example | Edit]]]
    both = [("bad", rule.examples.bad), ("good", rule.examples.good)]
    for kind, examples in both:
        for count, example in enumerate(examples, 1):
            one = sample(rule, example)
            # A reference is silent: beside it stands what other rules report.
            found = [f for f in _findings(alone, one) if (f.family == "secrets" if reference else f.rule == name)]
            if bool(found) != (kind == "bad"):
                yield Failure(name, kind, count, one, _findings(policy, one))


def examples_of(pack: LoadedPack) -> int:
    """How many examples a pack holds."""
    return sum(len(rule.examples.bad) + len(rule.examples.good) for _, rule in pack.model.rules)


def _findings(policy: Policy, one: Sample) -> tuple[Finding, ...]:
    data = one.text.encode("utf-8", "surrogatepass")
    if one.before is not None:
        return judge(policy, buffer(one.path, one.before.encode("utf-8", "surrogatepass"), data)).findings
    # A body is judged as it is; of a commit message, git's own comment lines are left out.
    material = Material("tree", (whole_file(one.path, data),)) if one.path else message("pr-body", data)
    return judge(policy, material).findings
