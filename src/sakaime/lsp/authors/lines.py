"""How examples and settings stand, in a line each."""

from __future__ import annotations

from sakaime.lsp.authors.study import Failed, Outcome
from sakaime.report.width import fitted

_WIDE = 60


def told_of(failed: Failed) -> str:
    """What is the matter with an example."""
    if failed.kind == "bad":
        return "this bad example is not reported"
    found = next(iter(failed.found), "")
    return "this good example is reported" + (f": {fitted(found, _WIDE)}" if found else "")


def of_examples(outcome: Outcome) -> str:
    """How the examples of a rule come out."""
    good = outcome.examples - len(outcome.failed)
    text = f"{good}/{outcome.examples} examples pass"
    if not outcome.failed:
        return text
    said = (f"{one.kind} {one.number} is{' not' if one.kind == 'bad' else ''} reported" for one in outcome.failed)
    return f"{text}: {', '.join(said)}"
