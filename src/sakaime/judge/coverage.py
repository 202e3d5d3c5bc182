"""Which risks and hunks each note shields: what a reviewer who obeys it does not report.

A note reaches as far as its rule says (`covers`): what is near it, its file, the whole change, or the risks whose topic
nothing names that is still to be looked at. So does a criterion that was narrowed. Criteria that are gone are risks
themselves, and shield nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sakaime.judge.places import NOTES, Place, named, shields
from sakaime.judge.reach import reach
from sakaime.material.texts import Binary, Texts
from sakaime.model import Coverage, Finding, NotJudged, Position, Record, Related, Risk, Shield, Span, Stretch
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sakaime.judge.places import Topics
    from sakaime.material.change import Change, Material
    from sakaime.model import Defect
    from sakaime.policy.policy import Policy
    from sakaime.text.source import Source

MOST = 20  # places that are listed of one risk: each further one shields no more
_NEAR, _FILE, _UNNAMED, _CHANGE = "near", "file", "unnamed", "change"


class _Note(Record):
    """A finding that shields: from which to which line, of a note about what is near it; which topics it leaves open,
    of one about what is not named."""

    finding: Finding
    covers: str
    first: int = 0
    last: int = 0
    open: frozenset[Topics] = frozenset()

    @property
    def shield(self) -> Shield:
        """What is told of it."""
        return Shield(self.finding.path, self.finding.span.start.line, self.finding.rule, self.covers)


class Covering:
    """The notes of a change, and the risks that each of them shields."""

    def __init__(
        self, policy: Policy, material: Material, texts: Texts, findings: Iterable[Finding], risks: Sequence[Place]
    ) -> None:
        self.material = material
        self.listed = risks
        self.risks = sorted(risks, key=lambda place: (place.risk.path, place.risk.line))
        self.by_path: dict[str, list[Place]] = {}
        for place in self.risks:
            self.by_path.setdefault(place.risk.path, []).append(place)
        self.lines = {path: [place.risk.line for place in here] for path, here in self.by_path.items()}
        self.notes = list(_notes(policy, material, texts, findings, {place.topics for place in self.risks}))
        self._by_reach: dict[str, dict[str | frozenset[Topics], list[_Note]]] = {}
        for note in self.notes:
            # By file, or by what they leave open: those that reach equally far are one list.
            where = note.finding.path if note.covers in (_NEAR, _FILE) else note.open
            self._by_reach.setdefault(note.covers, {}).setdefault(where, []).append(note)
        self._near = {path: _Near(notes) for path, notes in self._by_reach.get(_NEAR, {}).items()}
        self._counted: dict[tuple[str, frozenset[Topics]], tuple[int, Place | None]] = {}

    def coverage(self) -> Coverage:
        """All risks, in the order in which they were given, and the hunks that are shielded."""
        risks = tuple(
            place.risk.replace(
                covered_by=self._shields(place.risk.path, place.risk.line, place.risk.line, {place.topics})
            )
            for place in self.listed
        )
        hunks = []
        for change in self.material.changes if self.notes else ():
            path = printable(change.path)
            for first, last in _hunks(change):
                lines = self.lines.get(path, [])
                here = self.by_path.get(path, [])[bisect_left(lines, first) : bisect_right(lines, last)]
                by = self._shields(path, first, last, {place.topics for place in here})
                if by:
                    hunks.append(Stretch(path, first, last, by))
        return Coverage(risks, tuple(hunks))

    def _shields(self, path: str, first: int, last: int, topics: set[Topics]) -> tuple[Shield, ...]:
        """What shields some lines, one entry for each line with a note, in order of path and line."""
        found: dict[tuple[str, int], Shield] = {}
        for note in self._reaching(path, first, last, topics):
            if len(found) == MOST:
                break
            shield = note.shield
            found.setdefault((shield.path, shield.line), shield)
        return tuple(found[where] for where in sorted(found))

    def _reaching(self, path: str, first: int, last: int, topics: set[Topics]) -> Iterator[_Note]:
        """The notes that reach some lines, the nearest ones first."""
        if path in self._near:
            yield from self._near[path].over(first, last)
        yield from self._by_reach.get(_FILE, {}).get(path, ())
        for left, notes in self._by_reach.get(_UNNAMED, {}).items():
            if not topics.isdisjoint(left):
                yield from notes
        yield from self._by_reach.get(_CHANGE, {}).get(frozenset(), ())

    def shielded(self, note: _Note) -> tuple[int, Place | None]:
        """How many risks a note shields, and the first of them."""
        path = note.finding.path
        if note.covers == _NEAR:
            lines = self.lines.get(path, [])
            low, high = bisect_left(lines, note.first), bisect_right(lines, note.last)
            # What stands behind a note is what it is about, mostly.
            at = min(bisect_left(lines, note.finding.span.start.line, low, high), max(low, high - 1))
            return high - low, self.by_path[path][at] if high > low else None
        if note.covers == _FILE:
            some = self.by_path.get(path, [])
            return len(some), some[0] if some else None
        if (note.covers, note.open) not in self._counted:
            some = [place for place in self.risks if note.covers == _CHANGE or place.topics in note.open]
            self._counted[note.covers, note.open] = len(some), some[0] if some else None
        return self._counted[note.covers, note.open]


class _Near:
    """Notes by the lines that they reach."""

    def __init__(self, notes: Iterable[_Note]) -> None:
        self._notes = sorted(notes, key=lambda note: note.first)
        self._firsts = [note.first for note in self._notes]
        self._most = max(note.last - note.first for note in self._notes)

    def over(self, first: int, last: int) -> Iterator[_Note]:
        """Those that reach into some lines."""
        start = bisect_left(self._firsts, first - self._most)
        for note in self._notes[start : bisect_right(self._firsts, last)]:
            if note.last >= first:
                yield note


def _hunks(change: Change) -> Iterator[tuple[int, int]]:
    for hunk in change.hunks:
        if hunk.added:
            yield hunk.added[0][0], hunk.added[-1][1]
        else:
            yield max(1, hunk.new_start), max(1, hunk.new_start)


def _notes(
    policy: Policy, material: Material, texts: Texts, findings: Iterable[Finding], topics: set[Topics]
) -> Iterator[_Note]:
    """The findings that shield something, by file, so that each file is read once."""
    changes = {printable(change.path): change for change in material.changes}
    remaining: dict[str, str] = {}
    # Notes come first: of a place that a note and a narrowed criterion share, the note is told.
    for finding in sorted(filter(shields, findings), key=lambda f: (f.family == "criteria", f.path)):
        covers = _UNNAMED if finding.family == "criteria" else finding.covers or _NEAR
        change = changes.get(finding.path)
        source = None if change is None else _source(texts, change)
        if covers == _NEAR and (not finding.line or source is None):  # it stands in the name of the file
            yield _Note(finding, _FILE)
        elif covers == _NEAR and source is not None:
            lines = finding.span.lines
            yield _Note(finding, covers, *reach(source, lines.start, lines.stop - 1))
        elif covers == _UNNAMED:
            if finding.path not in remaining:
                remaining[finding.path] = _remaining(policy, material, change, source) if topics else ""
            text = f"{_unit(finding, source)}\n{remaining[finding.path]}"
            yield _Note(finding, covers, open=frozenset(_open(topics, text)))
        else:
            yield _Note(finding, covers)


def _source(texts: Texts, change: Change) -> Source | None:
    try:
        return texts.new(change).source
    except (Binary, NotJudged):
        return None


def _remaining(policy: Policy, material: Material, change: Change | None, source: Source | None) -> str:
    """What the document in which a note stands still asks to look at."""
    if change is None:
        return ""
    from sakaime.checks.criteria.remaining import remaining

    return "\n".join(remaining(policy, material, change, "" if source is None else source.text))


def _unit(finding: Finding, source: Source | None) -> str:
    """The sentence of a note: it may name what it leaves in."""
    if source is None or finding.unit is None or not finding.line:
        return finding.excerpt
    return "\n".join(map(source.line, finding.unit.lines))


def _open(topics: set[Topics], text: str) -> Iterator[Topics]:
    from sakaime.judge.topics import names

    return (words for words in topics if not names(words, text))


def raised(policy: Policy, covering: Covering, findings: Iterable[Finding], today: str) -> list[Finding]:
    """The findings, with every note that shields a risk as an error, and that risk as a related place.

    A rule that the settings soften, or that is not enforced yet, stays what it is.
    """
    notes = {id(note.finding): note for note in covering.notes if note.finding.family in NOTES}
    held = policy.softened | {rule for rule, day in policy.dates.items() if day > today}
    out = []
    for finding in findings:
        note = notes.get(id(finding))
        count, place = covering.shielded(note) if note is not None else (0, None)
        if place is None:
            out.append(finding)
            continue
        related = Related(place.risk.path, _span(place), _said(place.risk, count))
        finding = finding.replace(related=(*finding.related, related))
        if finding.severity != "error" and finding.rule not in held:
            finding = finding.replace(severity="error", escalated_from=finding.escalated_from or finding.severity)
        out.append(finding)
    return out


def _span(place: Place) -> Span:
    if place.finding is not None:
        return place.finding.span
    return Span(Position(place.risk.line, 1), Position(place.risk.line, 2))


def _said(risk: Risk, count: int) -> str:
    return f"shields from the review: {risk.what}" + (f", and {count - 1} more" if count > 1 else "")


def coverage_of(policy: Policy, material: Material, findings: Sequence[Finding], defects: Sequence[Defect]) -> Coverage:
    """What the notes among the findings of a material shield of some defects, which take the place of its risks."""
    return Covering(policy, material, Texts(material), findings, named(policy, findings, defects)).coverage()
