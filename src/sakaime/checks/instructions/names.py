"""What the name of a new file says to whoever reviews it."""

from __future__ import annotations

from sakaime.checks.instructions.place import Here
from sakaime.checks.instructions.units import check_unit
from sakaime.material.texts import Text
from sakaime.model import Finding, Position, Span
from sakaime.policy.match import looks_at
from sakaime.policy.policy import Policy
from sakaime.text.source import Source
from sakaime.text.view import make_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_START = Span(Position(1, 1), Position(1, 1))  # of the file: a name stands in no line


def judged(policy: Policy, path: str, words: str) -> Iterator[Finding]:
    """Findings in the words of a part of a path."""
    here = Here(policy, path, Text(Source(words), ((1, 1),)))
    view = make_view(words, ((0, len(words)),))
    for rule in map(policy.rule, policy.gate.possible(words, path)):
        if not looks_at(rule, path) or not {"prose", "message"}.intersection(rule.places):
            continue
        for _, finding in check_unit(rule, here, view, 0, len(view.text), None):
            yield finding.replace(span=_START, unit=_START, line="", message=f"{finding.message} (in the file's name)")
