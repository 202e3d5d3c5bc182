"""The words by which an item asks for more or for less: phrases of many languages, found in one pass.

A file of them (`rules/ladders/*.yaml`) is one language. All of its sections are optional lists of phrases:

- `absolute`, `duty`, `recommended`, `optional`: how firmly something is asked, 4 to 1.
- `soften`, `hedge`: what is asked beside them is at most recommended ("in general"), optional ("where possible").
  `hedge_first`: verbs that do so where they lead a clause ("try to"). `may`: those of `optional` that give a leave;
  with "only" beside them they take it from the others, which is a duty. `none_of`: with one of these leading, nobody
  has it, which is a ban ("no handler may").
- `every`, `some`: of how much: all, or the main ones.
- `only`: a limit where it governs a verb of reviewing. `nothing_but`: strict wherever it stands. `limit`: a limit.
- `except`, `discretion`: take something out ("unless", "as needed"). `other_than`: does, unless it is said of a person
  or bans the rest. `beside`: those of both that add something where a word of `also` follows.
- `catch_all`: what a review may find beyond what is named ("anything else you notice").
- `qualifier`: narrows a noun down ("public", "changed"). `article`: what may stand between "all" and its noun.
  `relative`: what may stand between a noun and a qualifier behind it ("files that changed").
- `within`, `condition`: what a place or a case begins with ("in", "if"), or ends with where words have no blanks
  between.
  `joins`: what puts one thing beside another ("and").
- `certain`: beside a verb of reporting, asks to be sure ("obvious"). `defines`: says what a word stands for; with a
  negation, what it does not. `here`: says that only what stands beside it is meant ("this check").
- `waive`: those of `permit` that take a duty away ("need not"). `single`: an article that stands for one.
- `bypass`: what a change lacks that is let pass all the same ("without"). `excluding_title`: of a column, that its
  cells are exceptions.
- `no_exception`: there is no way out. `insist`: "never skip". `neutral`: contains another phrase and means none.
- `report`: verbs of reporting. `report_first`, `report_beside`: those that programs do, too. The first count where they
  lead a clause, and both where the sentence speaks of findings or reviewers. `review`: verbs of looking.
- `leave_out`: "do not report". `leave_out_first`, `leave_out_beside`: "ignore", "exclude", which count there, too;
  `leave_out_titled`: also below a title that speaks of reviewers.
- `finding`: what a review reports. `remark`: the same in words that products use, too. `reviewer`: who reviews.
- `permit`: lets something pass. `approve`: lets a change pass without the review.
- `gate`: verbs of letting a change pass, which the review is for ("merge"). `case`: words that tie such a verb to a
  case ("on red"). `refuse`: holds a change back ("request changes", "block the merge"). `remind`: only says something.
  `refuse_first`, `remind_first`: verbs that do so where they lead a clause.
- `negation_before`, `negation_after`: turn round what follows them, what they follow.
- `clause`: "that", "whether". `lead`: what may stand before an imperative. `person`: someone.
- `at_least`, `at_most`, `above`, `below`: directions of numbers; the last two are what triggers something ("longer than
  40 lines is split") unless a word of `keep` stands before ("stays above 80 %").
- `more_is_stricter`, `less_is_stricter`: nouns whose number has a direction by itself: "approvals", "timeout".
- `confidence`: what a finding is scored by: the larger the number beside it, the less is reported.
- `counters`: what follows a number word in languages that count so.
- `severity_titles`: what stands beside a severity that is meant as one: "severity", "counts as". `callout`: severities
  that are none before a colon, where they only catch the eye ("Important:").

`severities` is a list of lists, the highest first: blocks, major, medium, minor, trivial, off. `labels` maps
`absolute`, `duty`, `recommended`, `optional`, `leave_out`, `permit` to words that say so only as a title: in a heading,
a column, a label before a colon. `number_words` maps words to amounts, `units` the name of what is measured to its
units and their sizes (`time: {hours: 3600000}`). `variants` are pairs of letters, `应應`: a phrase with the first of a
pair is also read with the second, where that means nothing else.

`language` names the language. `letters` are the characters that show it (a class of a regular expression, without the
brackets), `script` those that it shares with others. Of the languages with one of the two, a text is read in those
whose letters it has, or else in those whose script it has; where a phrase means different things in two of them, the
one that has no letters of its own wins. A language with neither is always read.

A phrase is matched case-insensitively, a blank as one blank, the longest of those that begin at one place. A letter of
an alphabet at its ends matches at a word border only; `*` at the end stands for the rest of a word. `re:` begins a
pattern in RE2 syntax; of what begins at one place, the longer one counts.
"""

from __future__ import annotations

import re

from sakaime.model import Record
from sakaime.policy.pattern import compile_pattern
from sakaime.text.chars import INVISIBLE
from sakaime.text.confusables import FOLDED
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from sakaime.policy.pattern import Pattern

SECTIONS = frozenset(
    "absolute duty recommended optional soften hedge every some only nothing_but limit except other_than discretion"
    " no_exception insist neutral report report_first report_beside review finding remark reviewer leave_out"
    " leave_out_first leave_out_beside leave_out_titled permit approve negation_before negation_after clause lead"
    " person keep at_least at_most above below more_is_stricter less_is_stricter confidence counters"
    " severity_titles callout hedge_first may also beside catch_all qualifier article relative gate case refuse"
    " refuse_first remind remind_first certain within condition joins bypass defines excluding_title here waive"
    " single none_of".split()
)
SETTINGS = frozenset({"language", "letters", "script", "severities", "labels", "number_words", "units", "variants"})
LABELS = frozenset({"absolute", "duty", "recommended", "optional", "leave_out", "permit"})
HIGHEST_SEVERITY = 5
_LONGEST_STEM = 80
# Letters that are written without blanks between words, where a border is no help.
_UNSPACED = (
    ("ᄀ", "ᇿ"), ("\u2e80", "\u9fff"), ("가", "\ud7ff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003fffd"),
)  # fmt: skip
_BEGUN = (3, 2, 1)  # by how many characters phrases are looked up
# The wide forms of ASCII, and the wide blank: what NFKC does to them, in linear time on any text.
_WIDE = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, 0x2019: 0x27}
_NARROW = dict.fromkeys(map(ord, INVISIBLE)) | _WIDE
_WORD = late(r"\w+")


class Hit:
    """A phrase in a text: its place, and what it says (names of sections, and of labels as `label:section`).

    No `Record`: a document has a hundred thousand of them, and they live while one item is read.
    """

    __slots__ = ("end", "roles", "start")

    def __init__(self, start: int, end: int, roles: frozenset[str]) -> None:
        self.start, self.end, self.roles = start, end, roles


class Language(Record):
    """One file of phrases."""

    name: str
    letters: tuple[tuple[str, str], ...]
    script: tuple[tuple[str, str], ...]
    phrases: dict[str, frozenset[str]]
    patterns: dict[str, list[str]]
    severities: dict[str, int]
    numbers: dict[str, float]
    units: dict[str, tuple[str, float]]
    variants: dict[str, str]


class Scanner(Record):
    """The phrases of the languages that a text is read in, compiled."""

    phrases: dict[str, frozenset[str]]
    begun: dict[str, tuple[str, ...]]
    patterns: tuple[tuple[str, Pattern], ...]
    severities: dict[str, int]
    numbers: dict[str, float]
    units: dict[str, tuple[str, float]]

    def severity(self, phrase: str) -> int | None:
        """The place of a word on the ladder of severities."""
        if phrase in self.severities:
            return self.severities[phrase]
        ends = range(min(len(phrase), _LONGEST_STEM), 0, -1)
        return next((self.severities[f"{phrase[:n]}*"] for n in ends if f"{phrase[:n]}*" in self.severities), None)


class Ladders(Record):
    """The phrases of all languages. `memory` keeps the scanners and what was read of titles; both are bounded."""

    languages: tuple[Language, ...]
    memory: dict[Any, Any]


def ladders(data: Iterable[Mapping[str, Any]]) -> Ladders:
    """The phrases of many files, as they were read from YAML. Raises `ValueError` where a section is unknown or holds
    something else than it should, and `PatternError` (a `ValueError`) where RE2 refuses a pattern."""
    return Ladders(tuple(_language(file) for file in data), {})


def plain(text: str) -> str:
    """A text as phrases are looked for in it: wide characters narrow, small letters, single blanks, without marks that
    nobody sees, and with letters amid Latin ones that look like these as the Latin letter."""
    if not text.isascii():
        text = text.translate(_NARROW)
        if not FOLDED.keys().isdisjoint(text):
            text = _WORD.sub(_latin, text)
    return " ".join(text.lower().split())


def _latin(word: re.Match[str]) -> str:
    """A word as it looks, if some of its letters are Latin ones."""
    said = word[0].lower()
    return "".join(FOLDED.get(char, char) for char in said) if any("a" <= char <= "z" for char in said) else said


def scanner(words: Ladders, text: str, context: str = "") -> Scanner:
    """The phrases of the languages that a text is read in; where it shows none itself, those of its context."""
    chosen = _chosen(words.languages, text, context)
    found: Scanner | None = words.memory.get(chosen)
    if found is None:
        found = words.memory[chosen] = _scanner([words.languages[i] for i in chosen])
    return found


def hits(scan: Scanner, text: str) -> list[Hit]:
    """The phrases in a text that went through `plain`, in order; none overlaps another."""
    found: list[Hit] = []
    at, inside = 0, False  # `inside` of a word
    while at < len(text):
        spaced = _is_spaced(text[at])
        hit = None if spaced and inside else _hit(scan, text, at)
        if hit is None:
            inside, at = spaced, at + 1
        else:
            found.append(hit)
            inside, at = _is_spaced(text[hit.end - 1]), hit.end
    if scan.patterns:
        extra = [hit for role, pattern in scan.patterns for hit in _matches(role, pattern, text)]
        if extra:
            found = _apart(found, extra)
    return found


def _hit(scan: Scanner, text: str, at: int) -> Hit | None:
    """The longest phrase that begins there."""
    best, roles = at, frozenset[str]()
    for size in _BEGUN:
        for phrase in scan.begun.get(text[at : at + size], ()):
            stem = phrase.removesuffix("*")
            end = at + len(stem)
            if (end <= best and stem == phrase) or not text.startswith(stem, at):
                continue
            if stem != phrase:
                while end < len(text) and _is_spaced(text[end]):
                    end += 1
            elif _is_spaced(stem[-1]) and end < len(text) and _is_spaced(text[end]):
                continue
            if end > best:
                best, roles = end, scan.phrases[phrase]
            elif end == best:
                roles |= scan.phrases[phrase]
    return Hit(at, best, roles) if best > at else None


def _is_spaced(char: str) -> bool:
    """Whether it is a letter or digit of a script that is written with blanks between words. No regular expression: to
    compile one of such ranges takes longer than to read a document."""
    if char < "\x80":
        return char.isalnum() or char == "_"
    return char.isalnum() and not any(first <= char <= last for first, last in _UNSPACED)


def _language(file: Mapping[str, Any]) -> Language:
    unknown = sorted(set(map(str, file)) - SECTIONS - SETTINGS)
    if unknown:
        raise ValueError(f"a ladder has no section {unknown[0]!r}")
    phrases: dict[str, set[str]] = {}
    patterns: dict[str, list[str]] = {}
    severities: dict[str, int] = {}

    def add(role: str, entries: object) -> None:
        if not isinstance(entries, list):
            raise ValueError(f"{role} is a list of phrases")
        for entry in entries:
            if not isinstance(entry, str) or not entry.strip(" *"):
                raise ValueError(f"{role} is a list of phrases, which {entry!r} is not (put it in quotes?)")
            if entry.startswith("re:"):
                patterns.setdefault(role, []).append(entry[3:])
            else:
                phrases.setdefault(plain(entry), set()).add(role)

    for section in sorted(SECTIONS & file.keys()):
        add(section, file[section])
    labels = file.get("labels", {})
    if not isinstance(labels, dict) or labels.keys() - LABELS:
        raise ValueError(f"labels has lists named {', '.join(sorted(LABELS))}")
    for section, entries in labels.items():
        add(f"label:{section}", entries)
    levels = file.get("severities", [])
    if not isinstance(levels, list) or len(levels) > HIGHEST_SEVERITY + 1:
        raise ValueError("severities is a list of at most six lists")
    for place, entries in enumerate(levels):
        add("severity", entries)
        severities.update({plain(entry): HIGHEST_SEVERITY - place for entry in entries})
    numbers = file.get("number_words", {})
    if not isinstance(numbers, dict) or not all(isinstance(value, (int, float)) for value in numbers.values()):
        raise ValueError("number_words maps words to amounts")
    add("number", [str(word) for word in numbers])
    pairs = str(file.get("variants", "")).split()
    if not all(len(pair) == 2 for pair in pairs):
        raise ValueError("variants are pairs of letters with blanks between")
    written = str.maketrans({pair[0]: pair[1] for pair in pairs})
    if written:
        # Of patterns the variant is one more alternative; of phrases, see `_scanner`.
        patterns = {role: [*some, *{s.translate(written) for s in some} - {*some}] for role, some in patterns.items()}
    return Language(
        str(file.get("language", "")),
        _ranges(file.get("letters")),
        _ranges(file.get("script")),
        {phrase: frozenset(roles) for phrase, roles in phrases.items()},
        patterns,
        severities,
        {plain(str(word)): float(value) for word, value in numbers.items()},
        _units(file.get("units", {})),
        {phrase: other for phrase in phrases if (other := phrase.translate(written)) != phrase} if written else {},
    )


def _units(kinds: object) -> dict[str, tuple[str, float]]:
    """What is measured, and the size, of each unit."""
    found: dict[str, tuple[str, float]] = {}
    for kind, sizes in kinds.items() if isinstance(kinds, dict) else (("", None),):
        if not isinstance(sizes, dict) or not all(isinstance(size, (int, float)) for size in sizes.values()):
            raise ValueError("units maps what is measured to its units and their sizes")
        found.update({plain(str(unit)): (str(kind), float(size)) for unit, size in sizes.items()})
    return found


def _ranges(letters: object) -> tuple[tuple[str, str], ...]:
    """The first and last letters of what is written as for a class of a regular expression."""
    found: list[tuple[str, str]] = []
    text = str(letters or "")
    at = 0
    while at < len(text):
        last = at + 2 if text[at + 1 : at + 2] == "-" and at + 2 < len(text) else at
        found.append((text[at], text[last]))
        at = last + 1
    return tuple(found)


def _shows(ranges: tuple[tuple[str, str], ...], letters: set[str]) -> bool:
    return any(first <= letter <= last for first, last in ranges for letter in letters)


def _chosen(languages: tuple[Language, ...], text: str, context: str) -> tuple[int, ...]:
    always = [i for i, one in enumerate(languages) if not (one.letters or one.script)]
    if text.isascii() and context.isascii():
        return tuple(always)
    shown = set(text)
    for shown in (set(text), set(text + context)):
        by_letters = [i for i, one in enumerate(languages) if _shows(one.letters, shown)]
        if by_letters:
            return tuple(always + by_letters)
    return tuple(always + [i for i, one in enumerate(languages) if _shows(one.script, shown)])


def _scanner(languages: list[Language]) -> Scanner:
    phrases: dict[str, frozenset[str]] = {}
    patterns: dict[str, list[str]] = {}
    severities: dict[str, int] = {}
    numbers: dict[str, float] = {}
    units: dict[str, tuple[str, float]] = {}
    # Those without letters of their own come last, and win.
    for one in sorted(languages, key=lambda one: not one.letters):
        if one.script and not one.letters:
            phrases.update(one.phrases)
        else:
            for phrase, roles in one.phrases.items():
                phrases[phrase] = phrases.get(phrase, frozenset()) | roles
        severities.update(one.severities)
        numbers.update(one.numbers)
        units.update(one.units)
        for role, fragments in one.patterns.items():
            patterns.setdefault(role, []).extend(fragments)
    for one in languages:
        for phrase, other in one.variants.items():
            phrases.setdefault(other, one.phrases[phrase])
            if phrase in one.severities:
                severities.setdefault(other, one.severities[phrase])
            if phrase in one.numbers:
                numbers.setdefault(other, one.numbers[phrase])
    compiled = tuple(
        (role, compile_pattern("(?i)" + "|".join(f"(?:{fragment})" for fragment in fragments)))
        for role, fragments in sorted(patterns.items())
    )
    return Scanner(phrases, _begun(phrases), compiled, severities, numbers, units)


def _begun(phrases: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Phrases by the characters with which they begin."""
    begun: dict[str, list[str]] = {}
    for phrase in phrases:
        begun.setdefault(phrase.removesuffix("*")[: _BEGUN[0]], []).append(phrase)
    return {start: tuple(some) for start, some in begun.items()}


def _matches(role: str, pattern: Pattern, text: str) -> list[Hit]:
    data = text.encode("utf-8", "surrogatepass")
    found = []
    at = byte = 0
    for match in pattern.finditer(data):
        start, end = match.span()
        if end > start:
            at += len(data[byte:start].decode("utf-8", "replace"))
            length = len(data[start:end].decode("utf-8", "replace"))
            found.append(Hit(at, at + length, frozenset({role})))
            at, byte = at + length, end
    return found


def _apart(plain_hits: list[Hit], extra: list[Hit]) -> list[Hit]:
    merged: list[Hit] = []
    for hit in sorted([*plain_hits, *extra], key=lambda hit: (hit.start, -hit.end)):
        if not merged or hit.start >= merged[-1].end:
            merged.append(hit)
        elif (hit.start, hit.end) == (merged[-1].start, merged[-1].end):
            merged[-1] = Hit(hit.start, hit.end, merged[-1].roles | hit.roles)
    return merged
