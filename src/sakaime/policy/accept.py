"""Findings that somebody accepts from outside of the material: the file of `--accept`."""

from __future__ import annotations

from pydantic import Field, ValidationError

from sakaime.model import Record, UserError
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.policy import Accepted, Note
from sakaime.policy.schema import Strict
from sakaime.policy.settings import Day, Fingerprint, Plain, nearest
from sakaime.policy.yamltext import Path, parse
from sakaime.text.paths import printable


class Entry(Strict):
    """One finding, and who answers for it."""

    fingerprint: Fingerprint = Field(description="The fingerprint of the finding, as JSON output gives it.")
    path: str = Field("", description="The file; empty: any.")
    by: Plain = Field(min_length=1, description="Who accepts it.")
    reason: Plain = Field("", description="Why it may pass.")
    until: Day | None = Field(None, description="The last day on which it may.")


class _File(Strict):
    entries: list[Entry]


class Acceptance(Record):
    """The entries in force, and what is to be said of those that are not."""

    accepted: tuple[Accepted, ...]
    notes: tuple[Note, ...]


def read_accepted(data: bytes, path: str, today: str) -> Acceptance:
    """The entries of a file, YAML or JSON; `today` as YYYY-MM-DD. Raises `UserError` for a mistake in it.

    An entry without a reason, or whose last day is over, has no effect and is reported.
    """
    # JSON may be indented by tabs, which YAML refuses.
    document = parse(data.replace(b"\t", b" ") if data.lstrip()[:1] in (b"[", b"{") else data, path)
    if not isinstance(document.data, list):
        raise UserError(
            "must be a list of entries",
            path=path,
            line=1,
            column=1,
            way_out='Write: - {fingerprint: ..., by: "who", reason: "why", until: 2027-03-31}',
        )
    places = {**document.marks, **document.keys}

    def locate(where: Path) -> tuple[str, int, int]:
        return (path, *nearest(places, where[1:]))

    try:
        entries = _File.model_validate({"entries": document.data}).entries
    except ValidationError as error:
        raise first_with_others(mistakes(error, locate, Entry)) from None
    accepted, notes = [], []
    for number, entry in enumerate(entries):
        line, column = nearest(places, (number,))
        if not entry.reason.strip():
            text = f"{entry.by} accepts {entry.fingerprint} without a reason; it does not count"
            notes.append(Note("policy/exception", "exception", "warning", text, printable(path), line, column))
        elif entry.until is not None and entry.until.isoformat() < today:
            text = f"what {entry.by} accepted ({entry.fingerprint}) ended on {entry.until}; it counts no more"
            notes.append(Note("policy/expired", "expired", "warning", text, printable(path), line, column))
        else:
            accepted.append(Accepted(entry.fingerprint, entry.path, entry.by, entry.reason))
    return Acceptance(tuple(accepted), tuple(notes))
