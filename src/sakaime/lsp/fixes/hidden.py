"""Stripping the characters that nobody sees: those that were reported, and no other ones."""

from __future__ import annotations

from sakaime.checks.hidden import form_of
from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.text import marks

_FORMS = frozenset({"zero-width", "tags", "variation", "bidi"})


def stripping(known: Known, placed: Placed) -> list[Fix]:
    """The fix that takes the characters out; none for blanks and for the name of the file."""
    form = next((rule.form for rule in known.policy.hidden if rule.id == placed.finding.rule), "")
    if form not in _FORMS or placed.start >= placed.end:
        return []
    text = known.text
    gone = {
        at
        for kind, start, end in marks.misplaced(text, placed.start, placed.end)
        if form_of(kind, text, start, end) == form
        for at in range(start, end)
    }
    if form == "bidi":
        gone = _in_disorder(text, placed, gone)
    edits = tuple(Edit(start, end, "") for start, end in _runs(sorted(gone)))
    return [Fix("Strip the hidden characters", edits, (placed,), safe=True, preferred=True)] if edits else []


def _in_disorder(text: str, placed: Placed, reported: set[int]) -> set[int]:
    """Of the directions that were reported, those that override letters, with what ends them, and those that do not
    begin and end on their line: without these the others are in order."""
    start = text.rfind("\n", 0, placed.start) + 1
    end = text.find("\n", placed.end)
    gone = set(reported)
    for one, other in marks.pairs(text[start : end if end >= 0 else len(text)]):
        change = gone.update if text[start + one] in marks.OVERRIDES else gone.difference_update
        change((start + one, start + other))
    return gone


def _runs(places: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for at in places:
        if runs and runs[-1][1] == at:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs
