"""Texts of packs and settings with a cursor in them, for the tests of what the editor offers to authors."""

from __future__ import annotations

from functools import cache

from sakaime.lsp.authors import Completion, Mistake, complete, diagnose, hover
from sakaime.packs.inforce import policy_in_force
from sakaime.policy.policy import Policy

PATHS = {"pack": "acme.yaml", "settings": "sakaime.toml", "pyproject": "pyproject.toml", "lock": "sakaime.lock"}
HEAD = "sakaime: 1\npack: acme\nversion: 1.0.0\n"
RULE = """\
instructions:
  - id: wave
    tactic: waive
    title: asks to wave a change through
    message: "“{match}” asks to wave the change through"
    all: ["wave"]
    examples:
      bad: ["# wave this", "wave now"]
      good: ["# nothing to see", "all is well"]
"""
PACK = HEAD + "words:\n  few: [at most, up to]\n" + RULE


@cache
def shipped() -> Policy:
    """The policy of the packs that come with the program."""
    return policy_in_force("/nowhere", lambda _: None)


def offered(kind: str, text: str) -> dict[str, Completion]:
    """What can be written at the cursor, which `|` stands for, by label."""
    offset = text.index("|")
    found = complete(kind, text.replace("|", "", 1), offset, shipped())
    return {one.label: one for one in found}


def written(kind: str, text: str, label: str) -> str:
    """The text when one of what is offered is chosen."""
    one = offered(kind, text)[label]
    text = text.replace("|", "", 1)
    return text[: one.start] + one.insert + text[one.end :]


def told(kind: str, text: str) -> tuple[str, str]:
    """What a hover at the cursor is about, and says."""
    offset = text.index("|")
    text = text.replace("|", "", 1)
    found = hover(kind, text, offset, shipped())
    assert found is not None
    return text[found.start : found.end], found.text.replace("\\", "")


def mistakes(kind: str, text: str, root: str | None = None, path: str | None = None) -> list[tuple[str, str]]:
    """The text that each mistake is at, and what it says."""
    return [(text[one.start : one.end], one.message) for one in all_of(kind, text, root, path)]


def all_of(kind: str, text: str, root: str | None = None, path: str | None = None) -> list[Mistake]:
    """The mistakes of a text."""
    return diagnose(kind, root, path or PATHS[kind], text, shipped())
