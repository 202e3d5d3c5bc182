"""All findings of a material, and what was looked at to get them."""

from __future__ import annotations

from sakaime.model.coverage import Coverage
from sakaime.model.finding import Finding
from sakaime.model.record import Record


class PackId(Record):
    """A pack in force. `digest` is the hex sha256 of its manifest, `source` says where it came from."""

    name: str
    version: str
    digest: str
    source: str


class PolicyId(Record):
    """What decided: the digest over packs, settings and floor, and the packs one by one."""

    digest: str
    packs: tuple[PackId, ...]


class Skipped(Record):
    """A file of the material that was not judged, and why."""

    path: str
    reason: str


class Scope(Record):
    """What was looked at. `unjudged` files turn the exit code to 3; `skipped` ones are listed only."""

    mode: str
    base: str | None
    head: str | None
    files: int
    added_lines: int
    rules: int
    skipped: tuple[Skipped, ...] = ()
    unjudged: tuple[Skipped, ...] = ()


class Judgement(Record):
    """The answer of `judge(policy, material)`: findings in order of path and place, with the scope, and what the notes
    among them shield."""

    policy: PolicyId
    scope: Scope
    findings: tuple[Finding, ...]
    coverage: Coverage = Coverage()
