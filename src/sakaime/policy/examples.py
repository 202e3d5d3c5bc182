"""How the examples of a rule are to be read: as which file, with which content."""

from __future__ import annotations

import json

from sakaime.model import Record
from sakaime.policy.schema import AnyRule, Edit, Example, InstructionRule


class Sample(Record):
    """A text to judge. `path` is the name of the file that it is the content of; empty: it is a message. `before` is
    what stood there before, where that counts."""

    path: str
    text: str
    before: str | None = None

    @property
    def place(self) -> str:
        """What it is judged as, in words."""
        return self.path or "a message"


def sample(rule: AnyRule, example: str | Example | Edit) -> Sample:
    """What an example stands for. One without a path goes where the rule looks, plain text before code."""
    if isinstance(example, Edit):
        return Sample(example.path, example.after, example.before)
    if isinstance(example, Example):
        return Sample(example.path, example.text)
    if not isinstance(rule, InstructionRule) or "prose" in rule.places:
        return Sample("example.txt", example)
    if "message" in rule.places:
        return Sample("", example)
    if "comment" in rule.places:
        return Sample("example.py", example)
    return Sample("example.json", json.dumps(example, ensure_ascii=False))
