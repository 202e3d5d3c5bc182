"""What the notes of a change shield: the lines that a reviewer who obeys them does not report."""

from __future__ import annotations

from sakaime.model.record import Record


class Shield(Record):
    """A note, or a criterion that was narrowed, where it shields something; `covers` says how far it reaches."""

    path: str
    line: int
    rule: str
    covers: str


class Risk(Record):
    """A line that a review must look at. `id` stays while the line does, wherever it moves in its file; `rule` is
    empty where somebody else said so (`what`). `covered_by` has one entry for each line that shields it."""

    id: str
    path: str
    line: int
    rule: str
    what: str
    text: str = ""
    covered_by: tuple[Shield, ...] = ()


class Stretch(Record):
    """A hunk that is shielded: the first and the last of its added lines (of a mere removal, the line behind it)."""

    path: str
    line: int
    end: int
    covered_by: tuple[Shield, ...]


class Coverage(Record):
    """All risks of a change, shielded or not, and the hunks that are."""

    risks: tuple[Risk, ...] = ()
    hunks: tuple[Stretch, ...] = ()


class Defect(Record):
    """A risk that somebody names by hand."""

    id: str
    path: str
    line: int
    what: str
