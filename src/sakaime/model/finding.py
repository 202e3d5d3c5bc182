"""One rule's judgement of one place."""

from __future__ import annotations

from sakaime.model.record import Record
from sakaime.model.span import Span

SEVERITIES = ("info", "warning", "error")


def at_least(severity: str, floor: str) -> bool:
    """Whether `severity` is `floor` or worse. Both are one of `SEVERITIES`."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(floor)


class Related(Record):
    """Another place that helps to understand a finding."""

    path: str
    span: Span
    message: str


class Finding(Record):
    """Where, what, how bad, and what it covers.

    `rule` is the full id (`pack/id`); `family` is one of instructions, hidden, criteria, secrets,
    risks, policy; `kind` is the tactic, class or change within the family. `path` is relative to the
    root of the repository, in the form `sakaime.text.paths.printable` gives. `excerpt` is the matched
    text, one line, shortened; `line` the source line where it starts, of a very long one the part around
    it, which begins at `line_column`. `why` says what the risk is. `unit` is the sentence or line in which
    the match was found. `key` is what the finding is known by, where that is not the line: a criterion that is gone
    stands in none. `told` says that its text is told of, it seems, and not meant, or that the words around it speak
    against it. `digest` is that of a secret, made with the organisation's key; empty
    without one.
    """

    rule: str
    family: str
    kind: str
    severity: str
    message: str
    path: str
    span: Span
    excerpt: str
    covers: str | None = None
    escalated_from: str | None = None
    related: tuple[Related, ...] = ()
    fingerprint: str = ""
    inherited: bool = False
    suppressed: str | None = None
    line: str = ""
    line_column: int = 1
    why: str = ""
    unit: Span | None = None
    key: str = ""
    told: bool = False
    digest: str = ""
