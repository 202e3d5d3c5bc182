"""How much an item asks for: which way it points, how firmly, of how much, with which exceptions.

The words are data (see `words`). The sign comes before the vocabulary: "no exceptions" is no exception, "only" is a
limit where it governs a verb of reviewing, and for what an item leaves out everything is turned round.
"""

from __future__ import annotations

from sakaime.checks.criteria.item import HEADING, KEY, ROW
from sakaime.checks.criteria.meaning import words
from sakaime.checks.criteria.meaning.amounts import lowered, turned, unsaid
from sakaime.checks.criteria.meaning.extent import (
    apart,
    kept,
    narrowed,
    opposite,
    restricts,
    widened,
)
from sakaime.checks.criteria.meaning.nouns import narrower
from sakaime.checks.criteria.meaning.reading import (
    ABSOLUTE,
    DUTY,
    EXCLUDES,
    LEVELS,
    NOTHING,
    OPTIONAL,
    PERMITS,
    RECOMMENDED,
    REQUIRES,
    Said,
    read,
)
from sakaime.checks.criteria.meaning.verdicts import REFUSES, REMINDS
from sakaime.checks.criteria.meaning.words import Ladders, ladders
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.item import Item
    from sakaime.checks.criteria.meaning.words import Scanner

__all__ = [
    "ABSOLUTE",
    "DUTY",
    "EXCLUDES",
    "OPTIONAL",
    "PERMITS",
    "RECOMMENDED",
    "REQUIRES",
    "TELLS",
    "Grade",
    "Ladders",
    "adds_limit",
    "grade",
    "ladders",
    "weaker",
]

TELLS = "tells"

_LEVEL_WORDS = {ABSOLUTE: "must", DUTY: "shall", RECOMMENDED: "should", OPTIONAL: "optional"}
_SEVERITY_WORDS = ("off", "trivial", "minor", "medium", "major", "blocking")
_QUANTITY_WORDS = ("some", "all that are named", "every")
_ALL = 2
_OPEN = late(r"[\[(【「（〔]")
_CLOSED = late(r"[\])】」）〕]")
_COLON = late(r"[:：]| [-–—|] ")
# A label is a word or two; a title that is longer says something of its own.
_LABEL = 24
# What an item inherits is read from the nearest titles, and of a long paragraph from both ends: where a document nests
# its items deeply, or leads a list in by a book, each item would read all of it again.
_NEAREST, _END = 8, 200
_CELLS = 32
_REMEMBERED = 4096


class Grade(Record):
    """What an item amounts to: its own words, and where these do not say, those around it.

    `polarity`: it asks that something is looked at or holds (`REQUIRES`), that something is not looked at or not
    reported (`EXCLUDES`), that something may be done or let pass (`PERMITS`), or none of these (`TELLS`: a title, an
    example, a description). `modality` is how firmly, from `OPTIONAL` to `ABSOLUTE`. `severity` is the place on a
    ladder of severities that the item names for its findings, 0 (off) to 5 (blocks); None where it names none.
    `quantifier` is 2 for all, every, each; 0 for main, relevant, some; 1 where it says neither. `exceptions` are the
    phrases and cells that take something out of the item ("unless", "except"). `bounds` are those of its numbers that
    have a direction: (1 where a larger one asks for more, -1 where a smaller one does; the unit, or what is measured;
    the amount; how it is written). `threshold`: a severity, and whether all above it (1) or below it (-1) are meant.
    `own` is what its own words say.
    """

    polarity: str
    modality: int
    severity: int | None = None
    quantifier: int = 1
    exceptions: tuple[str, ...] = ()
    bounds: tuple[tuple[int, str, float, str], ...] = ()
    threshold: tuple[int, int] | None = None
    own: Said = NOTHING


def grade(ladders: Ladders, item: Item) -> Grade:
    """What an item amounts to: by its own words, and where these do not say, by the column, the nearest sentence or
    item above it, the nearest heading. Raises nothing, whatever the text."""
    titles = (*item.headings[-_NEAREST:], *item.above[-_NEAREST:])
    inherited, titled, context = _inherited(ladders, titles) if titles else (NOTHING, False, "")
    # A sentence in the first column asks as one in any other.
    text = words.plain(f"{item.key}. {item.text}" if item.kind == ROW and len(item.key) > _LABEL else item.text)
    scan = words.scanner(ladders, text, context)
    own = read(scan, text, titled)
    label = _label(scan, text)
    excepted = list(own.exceptions)
    for title, cell in item.cells[:_CELLS]:
        if title and _excepts(ladders, title, context):
            if _is_said(ladders, cell, context):
                excepted.append(cell)
        elif len(cell) <= _LABEL:
            label = _filled(label, _cell(ladders, title, cell, context))
    named = _filled(label, inherited)
    polarity = own.polarity or named.polarity or (TELLS if item.kind == HEADING else REQUIRES)
    # The usual form of a duty says no more than that something is asked; the title says how firmly.
    modality = named.modality if own.modality in (None, DUTY) else own.modality
    severity = named.severity if own.severity is None else own.severity
    return Grade(
        polarity,
        modality or DUTY,
        # What a severity does to a setting, only the setting knows: a threshold to report has the other direction.
        None if item.kind == KEY else severity,
        1 if own.quantifier is None else own.quantifier,
        tuple(excepted),
        turned(own.bounds, polarity in (EXCLUDES, PERMITS)) if own.bounds else (),
        None if item.kind == KEY else own.threshold,
        own,
    )


def weaker(old: Grade, new: Grade) -> tuple[str, str] | None:
    """Of two matched items, how the new one asks for less: ("weakened" | "narrowed", why); None where it does not."""
    if len(new.own.limits) > len(old.own.limits):
        return "narrowed", f"now limited: {_added(old.own.limits, new.own.limits)}"
    if old.polarity == EXCLUDES:
        if new.polarity == EXCLUDES and len(new.exceptions) < len(old.exceptions):
            return "narrowed", f"no longer excepts: {_added(new.exceptions, old.exceptions)}"
        if new.polarity != EXCLUDES:
            return None
        amount = _shifted(old, new) or lowered(old.bounds, new.bounds) or widened(old.own.extent, new.own.extent)
        return ("narrowed", amount) if amount else None
    if new.polarity == EXCLUDES:
        return "narrowed", f"{old.polarity} -> {EXCLUDES}"
    if old.polarity == PERMITS:
        more = _shifted(old, new) or widened(old.own.extent, new.own.extent)
        beside = more if new.polarity == PERMITS else None
        return ("narrowed", f"now lets pass: {beside}") if beside else None
    if new.polarity == PERMITS:
        return "narrowed", f"{old.polarity} -> {PERMITS}"
    if old.own.catch_all and not new.own.catch_all and new.quantifier < _ALL:
        return "narrowed", "no longer asks for what is not named"
    if old.own.reports and new.own.sure and not old.own.sure:
        return "narrowed", "reports what is certain only"
    if old.own.verdict == REFUSES and new.own.verdict == REMINDS:
        return "weakened", "holds a change back -> comments on it"
    if len(new.exceptions) > len(old.exceptions) and not (
        apart(old.own.extent, new.own.extent) or restricts(old.own.extent, new.own.extent)
    ):
        return "weakened", f"now excepts: {_added(old.exceptions, new.exceptions)}"
    if opposite(old.own.extent, new.own.extent):
        return "weakened", "asks for the opposite"
    # From "must" to a bare imperative, and from "every endpoint" to "endpoints", is how people reword.
    if new.modality < old.modality and new.modality < DUTY:
        return "weakened", f"{_LEVEL_WORDS[old.modality]} -> {_LEVEL_WORDS[new.modality]}"
    if new.quantifier == 0 and old.quantifier > 0 and not _relabelled(old, new):
        return "weakened", f"{_QUANTITY_WORDS[old.quantifier]} -> {_QUANTITY_WORDS[new.quantifier]}"
    if some := narrower(old.own.nouns, new.own.nouns):
        return "weakened", f"every -> {some}"
    if old.severity is not None and new.severity is not None and new.severity < old.severity:
        return "weakened", f"{_SEVERITY_WORDS[old.severity]} -> {_SEVERITY_WORDS[new.severity]}"
    if moved := _shifted(old, new):
        return ("narrowed" if new.own.reports else "weakened"), moved
    amount = lowered(old.bounds, new.bounds)
    if amount is None and not new.own.numbers and kept(old.own.extent, new.own.extent):
        amount = unsaid(old.bounds, new.bounds)
    if amount is not None:
        return "weakened", amount
    if only := narrowed(old.own.extent, new.own.extent, new.own.reports):
        return ("narrowed" if new.own.reports else "weakened"), f"now of some only: {only}"
    if "only" in new.own.extent.present and (beside := widened(old.own.extent, new.own.extent)):
        return "weakened", f"now allows: {beside}"
    return None


def _shifted(old: Grade, new: Grade) -> str | None:
    """How the severities from which on something is asked for became fewer, or those that are let pass, more."""
    if old.threshold is None or new.threshold is None or old.threshold[1] != new.threshold[1]:
        return None
    (before, way), (after, _) = old.threshold, new.threshold
    sign = -way if new.polarity in (EXCLUDES, PERMITS) else way
    return f"from {_SEVERITY_WORDS[before]} -> from {_SEVERITY_WORDS[after]}" if sign * (after - before) > 0 else None


def _relabelled(old: Grade, new: Grade) -> bool:
    """Whether findings are named by a severity as before, in other words: "P0 findings", "critical findings"."""
    return old.own.ranked is not None and new.own.ranked is not None and new.own.ranked <= old.own.ranked


def adds_limit(new: Grade) -> str | None:
    """Of an item that is new, why it makes a review look at or report less; None if it does not."""
    if new.own.limits:
        return f"a limit: {', '.join(new.own.limits)}"
    if new.polarity == PERMITS and new.own.waives:
        return "a waiver"
    return "an exclusion" if new.polarity == EXCLUDES else None


def _added(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    return ", ".join([phrase for phrase in new if phrase not in old] or new)


def _filled(first: Said, then: Said) -> Said:
    """What the first says, and where it does not, what the second does, as far as it is inherited."""
    if then is NOTHING:
        return first
    return Said(
        first.modality or then.modality,
        first.polarity or then.polarity,
        then.severity if first.severity is None else first.severity,
    )


def _inherited(ladders: Ladders, titles: tuple[str, ...]) -> tuple[Said, bool, str]:
    """What the titles say, the nearest first; whether they speak of a review; and their text, which shows the language
    of an item that does not."""
    short = tuple(title if len(title) <= 2 * _END else f"{title[:_END]} {title[-_END:]}" for title in titles)
    found: tuple[Said, bool, str] | None = ladders.memory.get(short)
    if found is None:
        context = " ".join(short)
        said, titled = NOTHING, False
        for title in reversed(short):
            # The name of a tag is a title, too: "never_report".
            text = words.plain(title.replace("_", " ") if title.isidentifier() else title)
            scan = words.scanner(ladders, text, context)
            own = read(scan, text, False)
            titled = titled or any("reviewer" in hit.roles for hit in words.hits(scan, text))
            polarity = own.polarity if own.polarity in (EXCLUDES, PERMITS) else None
            labels = _labels(scan, text)
            # The sentence that leads in a list may ask, too: it says which way the list points all the same.
            said = _filled(said, _filled(Said(own.modality, polarity, own.severity), labels))
        found = said, titled, context
        if len(ladders.memory) >= _REMEMBERED:
            ladders.memory.clear()
        ladders.memory[short] = found
    return found


def _cell(ladders: Ladders, title: str, cell: str, context: str) -> Said:
    text = words.plain(cell)
    return _labels(words.scanner(ladders, text, context + title[:_END]), text)


def _excepts(ladders: Ladders, title: str, context: str) -> bool:
    """Whether a column tells exceptions."""
    text = words.plain(title[:_END])
    scan = words.scanner(ladders, text, context)
    return any("excluding_title" in hit.roles and hit.start == 0 for hit in words.hits(scan, text))


def _is_said(ladders: Ladders, cell: str, context: str) -> bool:
    """Whether a cell says more than that there is none."""
    text = words.plain(cell[:_END]).strip(" -–—.。/")
    scan = words.scanner(ladders, text, context)
    none = 0 in (scan.severity(text), scan.numbers.get(text)) or any(
        "no_exception" in hit.roles for hit in words.hits(scan, text)
    )
    return bool(text) and not none


def _label(scan: Scanner, text: str) -> Said:
    """What stands before a colon or in brackets, at the beginning or the end of an item."""
    head = text[: _LABEL + 8].lstrip("*_ ")
    said = NOTHING
    if _OPEN.match(head):
        parts = _CLOSED.split(head[1:], maxsplit=1)
    else:
        parts = _COLON.split(head, maxsplit=1)
        if len(parts) == 2 and _calls_out(scan, parts[0]):
            parts = []
    if len(parts) == 2:
        said = _labels(scan, parts[0])
    tail = text[-_LABEL:].rstrip("*_. 。")
    if _CLOSED.match(tail[-1:]):
        parts = _OPEN.split(tail[:-1])
        if len(parts) > 1:
            said = _filled(said, _labels(scan, parts[-1]))
    elif len(parts := _COLON.split(tail)) > 1 and said.severity is None:
        last = parts[-1].strip(" *_`")
        severity = scan.severity(last)
        if severity is not None:
            said = _filled(said, Said(severity=severity))
    return said


def _calls_out(scan: Scanner, text: str) -> bool:
    """Whether a label only catches the eye."""
    return "callout" in scan.phrases.get(text.strip(" *_"), ())


def _labels(scan: Scanner, text: str) -> Said:
    """What a short text says as a title of what belongs to it."""
    if len(text) > _LABEL:
        return NOTHING
    modality = polarity = severity = None
    for hit in words.hits(scan, text):
        for role in sorted(hit.roles):
            level = LEVELS.get(role.removeprefix("label:"))
            if level is not None:
                modality = max(modality or level, level)
            elif role == "label:leave_out":
                polarity = EXCLUDES
            elif role == "label:permit":
                polarity = polarity or PERMITS
            elif role == "severity" and severity is None:
                severity = scan.severity(text[hit.start : hit.end])
    if modality is None and polarity is None and severity is None:
        return NOTHING
    return Said(modality, polarity, severity)
