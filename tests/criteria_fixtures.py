"""Documents of a few items, and judges that go by a few words."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from sakaime.checks.criteria.comparing.judges import Judges
from sakaime.checks.criteria.item import BULLET, HEADING, KEY, KINDS, OWNER, PROSE, ROW, Document, Item
from sakaime.checks.criteria.meaning.grade import EXCLUDES, REQUIRES, TELLS, Grade
from sakaime.checks.criteria.meaning.reading import Said

_LEVELS = {"blocker": 5, "critical": 4, "major": 3, "minor": 2, "nit": 1, "red": 4, "amber": 2, "stop": 3, "fix": 1}


def grade(item: Item) -> Grade:
    words = re.findall(r"\w+", " ".join((item.text, *(text for _, text in item.cells))).lower())
    around = " ".join((*item.headings, *item.above, item.text)).lower()
    polarity = TELLS if item.kind == HEADING else EXCLUDES if "do not report" in around else REQUIRES
    return Grade(
        polarity,
        1 if "optional" in around else 4 if "must" in words else 2 if "should" in words else 3,
        severity=next((_LEVELS[word] for word in words if word in _LEVELS), None),
        quantifier=2 if "every" in words else 1,
        own=Said(limits=("only report",) if "only report" in item.text.lower() else ()),
    )


def weaker(old: Grade, new: Grade) -> tuple[str, str] | None:
    if old.polarity == REQUIRES and new.polarity == EXCLUDES:
        return "narrowed", "is not reported"
    if old.severity is not None and new.severity is not None and new.severity < old.severity:
        return "weakened", "less severe"
    return ("weakened", "less firm") if new.modality < old.modality else None


def adds_limit(new: Grade) -> str | None:
    return "limits the review" if new.own.limits or new.polarity == EXCLUDES else None


def key_weaker(old: Item, new: Item) -> str | None:
    return f"{old.text} -> {new.text}" if old.value is True and new.value is False else None


def asks(item: Item) -> int:
    return -1 if item.negative or item.value is False else 1 if item.entry or item.value is True else 0


RULES = (
    "Uploads are scanned before they are stored",
    "The retry queue keeps its order",
    "Migrations can be rolled back",
    "Public functions have a docstring",
    "Feature flags carry an expiry date",
    "利用者の権限を確かめる",
    "合计金额由服务器计算",
)

JUDGES = Judges(grade, weaker, adds_limit, key_weaker, asks)


def document(*lines: str, path: str = "REVIEW.md", kind: str = BULLET) -> Document:
    """A document of one item a line: `# heading`, `| first | second |`, `- ` (two blanks deeper: nested), `key: value`
    (of a list `key[]: value`, one that leaves out `!key: value`), `@pattern owners`, or text of the given kind. A line
    that begins with `%`, or has nothing in it, is no item."""
    items: list[Item] = []
    headings: list[str] = []
    nested: list[tuple[int, int]] = []
    at = 0
    for line in lines:
        body = line.strip()
        depth = len(line) - len(line.lstrip())
        start, end = at + depth, at + depth + len(body)
        at += len(line) + 1
        if not body or body.startswith("%"):
            continue
        if body.startswith("#"):
            level = len(body) - len(body.lstrip("#"))
            del headings[level - 1 :]
            text = body.lstrip("# ")
            items.append(Item(HEADING, text, start, end, headings=tuple(headings)))
            headings.append(text)
            nested = []
        elif body.startswith("|"):
            first, *rest = (cell.strip() for cell in body.strip("|").split("|"))
            cells = tuple(zip(("First", "Second", "Third"), (first, *rest), strict=False))
            items.append(Item(ROW, ", ".join(rest), start, end, first, tuple(headings), cells=cells))
        elif body.startswith("- "):
            while nested and nested[-1][0] >= depth:
                nested.pop()
            above = tuple(items[number].text for _, number in nested)
            parent = nested[-1][1] if nested else -1
            nested.append((depth, len(items)))
            items.append(Item(kind, body[2:], start, end, headings=tuple(headings), above=above, parent=parent))
        elif body.startswith("@"):
            pattern, _, owners = body[1:].partition(" ")
            items.append(Item(OWNER, owners, start, end, pattern, negative=not owners, scope=(pattern,)))
        elif found := re.fullmatch(r"(!?)([\w.]+)(\[\])?: (.*)", body):
            value = {"true": True, "false": False}.get(found[4], found[4])
            negative, entry = bool(found[1]), bool(found[3])
            items.append(
                Item(KEY, found[4], start, end, found[2], value=value, negative=negative, entry=entry, ordered=entry)
            )
        else:
            items.append(Item(PROSE, body, start, end, headings=tuple(headings)))
    return Document(path, "\n".join(lines), tuple(items))


_TEXT = st.one_of(st.text(max_size=40), st.sampled_from(RULES), st.sampled_from(("", "1", "must not", "!x/**", "例外")))
_ITEM = st.builds(
    Item,
    kind=st.sampled_from(KINDS),
    text=_TEXT,
    start=st.integers(-3, 60),
    end=st.integers(-3, 60),
    key=st.sampled_from(("", "1", "AB-1", "a.b", "/src/")),
    headings=st.lists(_TEXT, max_size=3).map(tuple),
    above=st.lists(_TEXT, max_size=2).map(tuple),
    parent=st.integers(-2, 9),
    value=st.one_of(st.none(), st.booleans(), st.text(max_size=5)),
    negative=st.booleans(),
    entry=st.booleans(),
    scope=st.lists(st.sampled_from(("**", "a/*", "!")), max_size=2).map(tuple),
    sample=st.booleans(),
    ordered=st.booleans(),
)
DOCUMENTS = st.builds(
    Document, path=st.sampled_from(("REVIEW.md", "a.yml")), text=_TEXT, items=st.lists(_ITEM, max_size=8).map(tuple)
)
