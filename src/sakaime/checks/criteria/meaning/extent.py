"""What a new wording that is otherwise the old one takes in more, or less: a place, a condition, one thing beside."""

from __future__ import annotations

from difflib import SequenceMatcher

from sakaime.checks.criteria.meaning.clauses import CJK
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.checks.criteria.meaning.words import Hit

    Run = tuple[int, int]  # of words

_WORD = late(r"[\u2e80-\u9fff\uac00-\ud7ff]|[^\W_][\w.*/+#@:>'-]*|[,、;；/&]|[\w.*/]+")
_MARKS = frozenset(",、;；")
_NAME = late(r"[\w*-]*[/*_][\w./*-]*|\w+\.\w+|\w+-?>\w+")
_OF_EXTENT = frozenset(
    "within condition joins every article qualifier except absolute duty recommended optional no_exception also"
    " other_than discretion review report report_first only number clause negation_before negation_after".split()
)
_SAYS_MORE = frozenset("every no_exception also absolute duty report report_first except only".split())
_EMPTY = frozenset({"article"})
# Longer texts are not looked at closely; what is put in and is longer than this says something of its own.
_MOST, _MIDDLE, _LONGEST, _LONGEST_CJK = 160, 40, 12, 24
_KEPT = 0.5
_CLAUSE, _KNOWN = 2, 0.34
_STOPS = frozenset(";；")
_BANS = frozenset({"negation_before", "negation_after"})
_PARTICLE = 3
_OUT = frozenset({"except", "discretion", "other_than"})


class Extent(Record):
    """The words of a text in order, and what the phrases that each stands in say."""

    words: tuple[str, ...] = ()
    roles: tuple[frozenset[str], ...] = ()
    present: frozenset[str] = frozenset()


NO_EXTENT = Extent()
_NONE: frozenset[str] = frozenset()


class Edit(Record):
    """The one thing that differs: the words that went, those that came, and whether "every" went beside."""

    gone: tuple[tuple[str, frozenset[str]], ...]
    come: tuple[tuple[str, frozenset[str]], ...]
    all_of_it: bool
    before: frozenset[str]
    after: frozenset[str]
    last: bool


def extent(text: str, hits: Sequence[Hit]) -> Extent:
    """The words of a text that went through `words.plain`, with the phrases in it."""
    words: list[str] = []
    roles: list[frozenset[str]] = []
    place = 0
    for match in _WORD.finditer(text):
        start = match.start()
        while place < len(hits) and hits[place].end <= start:
            place += 1
        hit = hits[place] if place < len(hits) and hits[place].start < match.end() else None
        words.append(match[0].rstrip(".:>'") or match[0])
        roles.append(_NONE if hit is None else hit.roles & _OF_EXTENT)
        if len(words) > _MOST:
            return NO_EXTENT
    return Extent(tuple(words), tuple(roles), _NONE.union(*roles))


def narrowed(old: Extent, new: Extent, reports: bool) -> str | None:
    """Of two wordings that ask for something, what the new one asks for only: a part, a place, a case. `reports` says
    that it asks to report something, which a place limits; of a duty it may say how it is fulfilled."""
    edit = _edit(old, new)
    if edit is None or not edit.come or len(edit.come) > (_LONGEST_CJK if _unspaced(edit.come) else _LONGEST):
        return None
    shown = _shown(edit.come)
    said = _NONE.union(*[roles for _, roles in edit.come])
    if not said.isdisjoint(_SAYS_MORE) or any(word.isdigit() for word, _ in edit.come):
        return None
    if edit.gone:
        only_all = all("every" in roles or roles == _EMPTY for _, roles in edit.gone)
        some = only_all and any("every" in roles for _, roles in edit.gone)
        names = not said.isdisjoint(("article", "number", "negation_before", "within", "condition", "review"))
        return shown if some and not names and len(edit.come) <= _LONGEST // 2 else None
    if not _free(edit.come) and _starts(edit, "condition"):
        return shown
    if _starts(edit, "within") and (reports or edit.all_of_it):
        return shown
    if all("qualifier" in roles for _, roles in edit.come):
        return shown
    return None


def widened(old: Extent, new: Extent) -> str | None:
    """Of two wordings that leave something out, let it pass or allow it only, what the new one does so beside."""
    names = _names(new.words) - _names(old.words)
    if names and _names(old.words) and _names(old.words) < _names(new.words) and kept(old, new):
        return ", ".join(sorted(names)[:3])
    edit = _edit(old, new)
    if edit is None:
        return None
    if edit.come and not edit.gone:
        # At the end, a comma adds a remark, or one more cell of a row.
        marks = frozenset[str]() if edit.last else _MARKS
        joined = any("joins" in roles or word in marks for word, roles in (edit.come[0], edit.come[-1]))
        said = _NONE.union(*[roles for _, roles in edit.come])
        # "And nothing else": a word for "only" that comes with it takes the rest away.
        if "only" in said and not _unspaced(edit.come):
            return None
        out = said.isdisjoint(("except", "negation_before", "negation_after", "other_than", "duty", "absolute"))
        return _shown(edit.come) if joined and out and len(edit.come) <= _LONGEST_CJK else None
    if edit.gone and not edit.come:
        began = edit.replace(come=edit.gone)
        if _starts(began, "within") or _starts(began, "condition") or all("qualifier" in r for _, r in edit.gone):
            return f"without: {_shown(edit.gone)}"
    return None


def _free(run: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Whether a run has a clause of its own behind its first word: another demand."""
    return any("joins" in roles for _, roles in run[1:]) and any(word in _MARKS for word, _ in run[1:])


def _starts(edit: Edit, role: str) -> bool:
    """Whether a run begins with such a word; where words have no blanks between, whether it ends with one."""
    run = [each for each in edit.come if each[0] not in _MARKS]
    if not run:
        return False
    if _unspaced(run):
        return role in run[-1][1] or role in run[0][1] or role in edit.after or role in edit.before
    return role in run[0][1]


def _unspaced(run: Iterable[tuple[str, frozenset[str]]]) -> bool:
    return any(CJK.match(word) for word, _ in run)


def _shown(run: Sequence[tuple[str, frozenset[str]]]) -> str:
    return ("" if _unspaced(run) else " ").join(word for word, _ in run)


def _names(words: Iterable[str]) -> set[str]:
    return {word for word in words if _NAME.fullmatch(word)}


def apart(old: Extent, new: Extent) -> bool:
    """Whether the exception of a new wording belongs to what it asks beside the old one: "… and is never changed unless
    it is locked"."""
    out = [at for at, roles in enumerate(new.roles) if not roles.isdisjoint(_OUT)]
    if not out or not old.words:
        return False
    joined = [at for at in range(out[0]) if "joins" in new.roles[at] or new.words[at] in _STOPS]
    if not joined:
        return False
    part = [_form(word) for word in new.words[joined[-1] + 1 : out[0]] if word not in _MARKS]
    known = {_form(word) for word in old.words}
    return len(part) >= _CLAUSE and sum(word in known for word in part) <= _KNOWN * len(part)


def restricts(old: Extent, new: Extent) -> bool:
    """Whether the exception of a new wording is what the old one named, and the rest is banned: "are taken from a" that
    turns into "use none except those in a"."""
    if not (old.words and new.words) or not old.present.isdisjoint(_BANS):
        return False
    out = [at for at, roles in enumerate(new.roles) if not roles.isdisjoint(_OUT)]
    bans = [at for at, roles in enumerate(new.roles) if not roles.isdisjoint(_BANS)]
    if not out or not bans:
        return False
    if bans[0] < out[0]:
        part = new.words[out[0] :]
    elif _unspaced(((new.words[out[-1]], _NONE),)) and bans[-1] > out[-1]:
        part = new.words[: out[-1] + 1]
    else:
        return False
    known = _names(old.words)
    if known:
        return not known.isdisjoint(_names(part))
    told = {_form(word) for word, roles in zip(old.words, old.roles, strict=True) if roles != _EMPTY}
    rest = [_form(word) for word in part if len(word) > _PARTICLE]
    return bool(rest) and sum(word in told for word in rest) >= _KEPT * len(rest)


def opposite(old: Extent, new: Extent) -> bool:
    """Whether nothing but a "not" was put in or taken out."""
    edit = _edit(old, new)
    if edit is None or (edit.come and edit.gone) or "only" in edit.after:
        return False
    run = [roles for word, roles in (edit.come or edit.gone) if word not in _MARKS]
    return len(run) == 1 and "negation_before" in run[0]


def kept(old: Extent, new: Extent) -> bool:
    """Whether most words of a text stand in its new wording."""
    before = set(old.words)
    return len(before & set(new.words)) >= _KEPT * len(before)


def _form(word: str) -> str:
    """A word without what its number changes."""
    if word in ("has", "have"):
        return "have"
    if word in ("is", "are"):
        return "be"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _edit(old: Extent, new: Extent) -> Edit | None:
    """The one run of words in which two texts differ; None where there are more, or none."""
    if not (old.words and new.words):
        return None
    one, other = [_form(word) for word in old.words], [_form(word) for word in new.words]
    first = 0
    while first < min(len(one), len(other)) and one[first] == other[first]:
        first += 1
    last = 0
    while last < min(len(one), len(other)) - first and one[-1 - last] == other[-1 - last]:
        last += 1
    runs: list[tuple[Run, Run]] = [((first, len(one) - last), (first, len(other) - last))]
    (a, b), (c, d) = runs[0]
    if b > a and d > c:
        if max(b - a, d - c) > _MIDDLE:
            return None
        if not any(CJK.match(word) for word in (*one[a:b], *other[c:d])):
            ops = SequenceMatcher(None, one[a:b], other[c:d], autojunk=False).get_opcodes()
            runs = [((a + i, a + j), (c + k, c + m)) for tag, i, j, k, m in ops if tag != "equal"]
    every = False
    kept: list[tuple[Run, Run]] = []
    for was, now in runs:
        gone = old.roles[slice(*was)]
        come = new.roles[slice(*now)]
        if not come and gone and all("every" in roles or roles == _EMPTY for roles in gone):
            every = every or any("every" in roles for roles in gone)
        elif any(roles != _EMPTY for roles in (*gone, *come)):
            kept.append((was, now))
    if len(kept) != 1:
        return None
    (a, b), (c, d) = kept[0]
    # Where what was put in begins with the word behind it, as in "(in tests) in loops", the first of both is looked at.
    return Edit(
        tuple(zip(old.words[a:b], old.roles[a:b], strict=True)),
        tuple(zip(new.words[c:d], new.roles[c:d], strict=True)),
        every,
        new.roles[c - 1] if c else _NONE,
        new.roles[d] if d < len(new.roles) else _NONE,
        d == len(new.words),
    )
