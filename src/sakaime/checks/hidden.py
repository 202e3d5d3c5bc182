"""How text is kept from being seen, whatever it says: marks that nobody sees, long runs of blanks.

A rule says which form is looked for. What of an instruction is hidden, `sakaime.checks.instructions` tells.
"""

from __future__ import annotations

from sakaime.material.change import SUBMODULE, Change
from sakaime.material.texts import UTF8_MARK, Text, Texts
from sakaime.model import Finding, Position, Record, Span
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule, reported
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANKS, BLANK_LINES = 200, 300  # of so many in a row, what follows is out of sight
MOST = 20  # findings of one file that are told one by one
_EXCERPT = 200
_LEAST_LETTERS = 4
_LEAST_BYTES, _PRESENTATION = 4, frozenset("\ufe0e\ufe0f")
_LEAST_BITS = 8
_LEAST_CUTS = 2  # words of a line that marks without width cut; a single one comes with a text that was copied

# The marks in UTF-8: by the bytes that they begin with, which are looked for first.
_MARKS = {
    b"\xf3\xa0": (b"\xf3\xa0",),
    b"\xe2\x80": tuple(b"\xe2\x80" + bytes([n]) for n in (*range(0x8B, 0x90), *range(0xAA, 0xAF))),
    b"\xe2\x81": tuple(b"\xe2\x81" + bytes([n]) for n in range(0xA0, 0xB0)),
    b"\xef\xb8": (
        *(b"\xef\xb8" + bytes([n]) for n in range(0x80, 0x8E)),
        b"\xef\xb8\x8e\xef\xb8",
        b"\xef\xb8\x8f\xef\xb8",
    ),
    b"\xef\xbb\xbf": (UTF8_MARK,),
    b"\xe3\x85\xa4": (b"\xe3\x85\xa4",),
    b"\xef\xbe\xa0": (b"\xef\xbe\xa0",),
    b"\xe1\x85": (b"\xe1\x85\x9f", b"\xe1\x85\xa0"),
    b"\xcd\x8f": (b"\xcd\x8f",),
}
_RUN_OF_BLANKS = b" " * BLANKS
_WIDE_BLANKS = (b"\xc2\xa0", b"\xe3\x80\x80", b"\xe2\x80\x83", b"\xe2\x80\x82")


class _Found(Record):
    """A place: which form, the range of the source, and what a finding shows of it."""

    form: str
    start: int
    end: int
    shown: str


def check(policy: Policy, change: Change, texts: Texts) -> Iterator[Finding]:
    """Findings in the added lines of one change.

    Raises `Binary` or `Undecodable` where its new side is no text.
    """
    if not policy.hidden or change.new is None or change.new.mode == SUBMODULE:
        return
    if not _possible(change):
        return
    from sakaime.policy.match import looks_at

    rules = [rule for rule in policy.hidden if looks_at(rule, change.path)]
    if not rules:
        return
    text = texts.new(change)
    places = sorted((*_marks(text), *_blanks(text)), key=lambda place: place.start)
    reported = [(rule, place) for place in places for rule in rules if rule.form == place.form]
    for number, (rule, place) in enumerate(reported):
        rest = len(reported) - number
        if number == MOST - 1 and rest > 1:
            place = place.replace(shown=f"{place.shown} (and {rest - 1} more places in this file)")
            yield _finding(rule, change.path, text, place)
            return
        yield _finding(rule, change.path, text, place)


def _possible(change: Change) -> bool:
    for hunk in change.hunks:
        if not hunk.added:
            continue
        data = hunk.new.removeprefix(UTF8_MARK) if hunk.new_start == 1 else hunk.new
        if b"\0" in data or any(last - first + 1 >= BLANK_LINES for first, last in hunk.added):
            return True
        blanks = data.replace(b"\t", b" ")
        if not data.isascii():
            if any(lead in data and any(mark in data for mark in marks) for lead, marks in _MARKS.items()):
                return True
            for blank in _WIDE_BLANKS:
                blanks = blanks.replace(blank, b" ")
        if _RUN_OF_BLANKS in blanks:
            return True
    return False


def _marks(text: Text) -> Iterator[_Found]:
    """Marks without a reason to stand where they do: of one form, those of one line are one place."""
    from sakaime.text import marks

    source = text.source
    if source.text.isascii():
        return
    for first, last in text.added:
        end = source.bounds(source.index_of(last))[1]
        here: dict[str, list[tuple[int, int]]] = {}
        line = -1
        for kind, start, stop in marks.misplaced(source.text, source.bounds(source.index_of(first))[0], end):
            form = form_of(kind, source.text, start, stop)
            if not form:
                continue
            if source.line_index(start) != line:
                yield from _shown(source.text, here)
                here, line = {}, source.line_index(start)
            here.setdefault(form, []).append((start, max(stop, _overridden(source.text, start, stop))))
        yield from _shown(source.text, here)


def _overridden(text: str, start: int, stop: int) -> int:
    """The end of what marks at a place show in another order; their own end, if they override none."""
    if not any(char in "\u202d\u202e" for char in text[start:stop]):
        return stop
    line_end = text.find("\n", stop)
    closing = text.find("\u202c", stop, line_end if line_end >= 0 else len(text))
    return closing + 1 if closing >= 0 else line_end if line_end >= 0 else len(text)


def _shown(text: str, here: dict[str, list[tuple[int, int]]]) -> Iterator[_Found]:
    from sakaime.text import marks

    for form, places in here.items():
        start, end = places[0][0], max(stop for _, stop in places)
        if form == "zero-width" and len(places) < _LEAST_CUTS and end - start < _LEAST_BITS:
            continue
        stretch = text[start:end]
        if form == "tags":
            shown = marks.tags_as_text(stretch) or marks.shown(stretch)
        elif form == "variation":
            shown = marks.selectors_as_bytes(stretch).decode("utf-8", "backslashreplace")
        else:
            while end < len(text) and text[end].isalnum():  # the word that the marks are in
                end += 1
            begin = start
            while begin > 0 and text[begin - 1].isalnum():
                begin -= 1
            shown = marks.shown(text[begin : min(end, begin + _EXCERPT)])
            end = start + len(stretch)
        yield _Found(
            form, start, end, "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in shown)
        )


def form_of(kind: str, text: str, start: int, end: int) -> str:
    """The form of a rule that reports such a mark; empty if none does."""
    from sakaime.text import marks

    if kind == marks.TAGS:
        return "tags"
    if kind == marks.SELECTOR:  # a few that make a picture of a letter are a slip
        return "" if end - start < _LEAST_BYTES and set(text[start:end]) <= _PRESENTATION else "variation"
    if kind == marks.BIDI:
        return "bidi"
    if kind != marks.ZERO_WIDTH:
        return ""
    # Scripts without blanks between words mark with them where a line may break.
    alphabetic = all(
        char < "\u0590" or not char.isalpha() for char in text[max(0, start - 1) : start] + text[end : end + 1]
    )
    return "zero-width" if alphabetic else ""


def _blanks(text: Text) -> Iterator[_Found]:
    """Text behind a long run of blanks on its line, or behind a long run of empty lines."""
    source = text.source
    lines = source.text
    columns: frozenset[int] | None = None
    for first, last in text.added:
        empty = 0
        for index in range(source.index_of(first), source.index_of(last) + 1):
            start, end = source.bounds(index)
            if end - start > BLANKS:
                columns = _columns(lines) if columns is None else columns
                yield from _behind_blanks(lines, start, end, columns)
            if not lines[start:end].strip():
                empty += 1
                continue
            if empty >= BLANK_LINES:
                yield _Found("blank-lines", start, end, lines[start:end].strip()[:_EXCERPT])
            empty = 0
        index = source.index_of(last) + 1
        if empty >= BLANK_LINES and index < len(source.starts):
            above = source.bounds(index - 1)[0]
            yield _Found("blank-lines", above, above + 1, lines[slice(*source.bounds(index))].strip()[:_EXCERPT])


def _columns(lines: str) -> frozenset[int]:
    """Where the columns of tables begin that are ruled with `=====  ===`: wide ones are padded with blanks, and the
    rule shows how far they go (doc/en/reference/plugin_list.rst of pytest)."""
    import re

    ruled = re.compile(r"^[ \t]*=+(?: {1,3}=+)+[ \t]*$", re.MULTILINE).finditer(lines)
    return frozenset(run.start() for line in ruled for run in re.finditer("=+", line.group()))


def _width(text: str) -> int:
    """The columns that a text takes on a page: a wide character (UAX #11) takes two."""
    if text.isascii():
        return len(text)
    import unicodedata

    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def _behind_blanks(lines: str, start: int, end: int, columns: frozenset[int]) -> Iterator[_Found]:
    import re

    at, column = start, 0
    for run in re.compile(rf"(?<![^\S\n])[^\S\n]{{{BLANKS},}}(?=\S)").finditer(lines, start, end):
        behind = lines[run.end() : min(end, run.end() + _EXCERPT)].rstrip()
        at, column = run.end(), column + _width(lines[at : run.end()])  # a line is read once, however many runs it has
        if column in columns:
            continue
        if sum(map(str.isalpha, behind)) >= _LEAST_LETTERS:
            yield _Found("blank-run", run.end(), run.end() + len(behind), behind)
            return


def in_name(policy: Policy, path: str) -> Iterator[Finding]:
    """Findings in a new path."""
    if path.isascii() or not policy.hidden:
        return
    from sakaime.policy.match import looks_at
    from sakaime.text import marks

    here: dict[str, list[tuple[int, int]]] = {}
    for kind, start, end in marks.misplaced(path, 0, len(path)):
        if form := form_of(kind, path, start, end):
            here.setdefault(form, []).append((start, end))
    for found in _shown(path, here):
        for rule in policy.hidden:
            if rule.form == found.form and looks_at(rule, path):
                top = Span(Position(1, 1), Position(1, 1))
                yield reported(rule, printable(path), top, f"in the file's name, {found.shown}", (1, ""))


def _finding(rule: Rule, path: str, text: Text, found: _Found) -> Finding:
    source = text.source
    span = source.span(found.start, found.end)
    return reported(rule, printable(path), span, found.shown, source.line_around(found.start))
