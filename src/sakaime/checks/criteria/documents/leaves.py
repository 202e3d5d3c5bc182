"""The items of configuration: every scalar under the path of its keys, every sentence of a long one."""

from __future__ import annotations

from zlib import crc32

from sakaime.checks.criteria.documents.prose import Located, plain_words, split
from sakaime.checks.criteria.documents.trees import DEPTH
from sakaime.checks.criteria.item import BULLET, KEY, Item
from sakaime.checks.criteria.meaning.directions import is_level, leaves_out
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sakaime.checks.criteria.documents.trees import Path, Tree
    from sakaime.checks.criteria.item import Value

# What names an entry of a list, and what says which files it is about.
_NAMES = ("id", "name", "path", "label", "rule", "pattern", "key", "title", "applyTo", "glob", "linter", "text")
_SCOPES = ("path", "paths", "applyTo", "globs", "glob", "files", "filePatterns", "fileFilters", "scope", "patterns")
_SCOPES_ANYWHERE = ("applyTo", "globs", "glob")
# Keys whose value is instructions, however short.
_PROSE = frozenset(
    """instructions extra_instructions instruction guidelines guideline prompt rule message issues_user_guidelines
    best_practices custom_instructions review_instructions""".split()
)
_GLOB = late(r"!?[^\s:]*[*/.][^\s:]*")
_LONG = 80
_LONGEST = 400
# Words that make a sentence of an entry of a list, and of the value of any key.
_SENTENCE, _SENTENCES = 5, 8


class _Place(Record):
    """Where in the data an item stands, and what it has from there."""

    path: Path = ()
    key: str = ""
    names: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    negative: bool = False
    scope: tuple[str, ...] = ()
    parent: int = -1

    def named(self, name: str, title: bool = True) -> _Place:
        """The same with one more name in its key. A title is what stays when entries are reordered."""
        key = f"{self.key}.{name}" if self.names else name
        if len(key) > _LONGEST:  # many items may hold it
            key = f"{key[:200]}…{crc32(key.encode('utf-8', 'surrogatepass')):08x}…{key[-150:]}"
        return self.replace(key=key, names=(*self.names, name), titles=(*self.titles, name) if title else self.titles)


def items(text: str, tree: Tree) -> tuple[Item, ...]:
    """What a tree says, in its order; of an entry of a list, what names it comes first and is above the rest.

    Raises `ValueError` where it is nested too deep.
    """
    walk = _Walk(text, tree)
    walk.value(tree.data, _Place())
    return tuple(walk.out)


class _Walk:
    def __init__(self, text: str, tree: Tree) -> None:
        self.text, self.tree = text, tree
        self.out: list[Item] = []

    def value(self, data: Any, place: _Place) -> None:
        if len(place.path) > DEPTH:
            raise ValueError(f"is nested deeper than {DEPTH} levels")
        if isinstance(data, dict):
            self.mapping(data, place)
        elif isinstance(data, list):
            self.sequence(data, place)
        else:
            self.scalar(data, place)

    def mapping(self, data: dict[Any, Any], place: _Place, entry: bool = False, lead: str = "") -> None:
        scope = next(
            (found for key in (_SCOPES if entry else _SCOPES_ANYWHERE) if (found := _globs(data.get(key)))), ()
        )
        if lead:
            self.value(data[lead], self.below(lead, data[lead], place))
            self.out[-1] = self.out[-1].replace(entry=True)
            place = place.replace(parent=len(self.out) - 1)
        inner = place.replace(scope=scope) if scope else place
        for key, value in data.items():
            if key != lead:
                self.value(value, self.below(str(key), value, place if scope and key in _SCOPES else inner))

    def below(self, key: str, value: Any, place: _Place) -> _Place:
        around = place.names[-1] if place.names else ""
        first = value[0] if isinstance(value, list) and value else value
        out = None if is_level(first) else leaves_out(key, around)
        return place.named(key).replace(path=(*place.path, key), negative=place.negative if out is None else out)

    def sequence(self, data: list[Any], place: _Place) -> None:
        if data and place.names[-2:-1] == ("rules",) and _sets_level(data[0]):
            self.scalar(data[0], place.replace(path=(*place.path, 0)))
            options = place.named("options")
            for number, value in enumerate(data[1:], 1):
                self.value(value, options.replace(path=(*place.path, number)))
            return
        filters = {_denied(value) for value in data if isinstance(value, str)}
        seen: dict[str, int] = {}
        for number, value in enumerate(data):
            here = place.replace(path=(*place.path, number))
            if isinstance(value, dict):
                name, lead = _name(value)
                if name:
                    seen[name] = seen.get(name, 0) + 1
                    name = f"{name}#{seen[name]}" if seen[name] > 1 else name
                self.mapping(value, here.named(name or str(number), title=bool(name)), True, lead)
            elif isinstance(value, list):
                self.value(value, here)
            elif _is_prose(value, place.names[-1] if place.names else "", _SENTENCE):
                self.prose(value, here, BULLET)
            else:
                denied = isinstance(value, str) and _denied(value)
                here = here.replace(negative=here.negative != denied)
                self.key(_scalar(value), here, entry=True, ordered=len(filters) > 1)

    def scalar(self, value: Any, place: _Place) -> None:
        value = _scalar(value)
        if isinstance(value, str) and (globs := _listed(value)):
            self.globs(globs, place)
            return
        named = place.names[-1] if place.path and isinstance(place.path[-1], str) else ""
        if named and _is_prose(value, named, 2 if _plain(named) in _PROSE else _SENTENCES):
            self.key(None, place)
            self.prose(value, place.replace(parent=len(self.out) - 1))
        else:
            denied = isinstance(value, str) and _denied(value)  # a lone entry of a list may be written without it
            self.key(value, place.replace(negative=place.negative != denied))

    def globs(self, found: list[str], place: _Place) -> None:
        """The patterns that a text of lines lists, as the entries of a list."""
        begin, end = self.tree.spans.get(place.path, (0, 0))
        start, stop = self.span(place.path)
        for glob in found:
            self.key(glob, place.replace(negative=place.negative != _denied(glob)), entry=True)
            at = self.text.find(glob, begin, end)
            if at >= 0:
                begin = at + len(glob)
            first, last = (at, begin) if at >= 0 else (start, stop)
            self.out[-1] = self.out[-1].replace(start=first, end=last)

    def key(self, value: Value, place: _Place, entry: bool = False, ordered: bool = False) -> None:
        start, end = self.span(place.path)
        self.out.append(
            Item(
                KEY,
                _written(value),
                start,
                end,
                key=place.key,
                parent=place.parent,
                value=value,
                negative=place.negative,
                entry=entry,
                scope=place.scope,
                ordered=ordered,
            )
        )

    def prose(self, value: str, place: _Place, kind: str = "") -> None:
        """Every sentence below its key. A lone one of a list is an entry of it."""
        begin, end = self.tree.spans.get(place.path, (0, 0))
        if self.text[begin : begin + 1] in ("|", ">"):
            begin = max(begin, self.text.find("\n", begin, end))
        written = self.tree.lines.get(place.path, value)
        found = split(written)
        where = Located(written, self.text, begin, end)
        first = len(self.out)
        for item in found:
            start, stop = where.span(item.start, item.end)
            if (start, stop) == where.whole:
                start, stop = self.span(place.path)
            parent = first + item.parent if item.parent >= 0 else place.parent
            self.out.append(
                item.replace(
                    kind=kind if kind and len(found) == 1 else item.kind,
                    start=start,
                    end=stop,
                    headings=(*place.titles, *item.headings),
                    parent=parent,
                    negative=place.negative,
                    entry=bool(kind),
                    scope=place.scope,
                )
            )

    def span(self, path: Path) -> tuple[int, int]:
        """From the key to the end of the value, or to the end of the line that either begins in."""
        start, end = self.tree.spans.get(path, (0, 0))
        start = min(start, self.tree.keys.get(path, start))
        line = self.text.find("\n", start, end)
        piece = self.text[start : end if line < 0 else line]
        return start, max(start + len(piece.rstrip()), min(start + 1, len(self.text)))


def _scalar(value: Any) -> Value:
    if isinstance(value, str):
        return value.strip()  # a block of YAML ends with the end of its line
    return value if isinstance(value, bool | int | float | None) else str(value)  # a day of TOML


def _written(value: Value) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    try:
        return plain_words(str(value))
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "a number of thousands of digits"


def _plain(key: str) -> str:
    return key.replace("-", "_").lower()


def _is_prose(value: Any, key: str, least: int) -> bool:
    """Whether a value is text to read. `least` is the number of words that make it so, however short (0: none)."""
    if not isinstance(value, str):
        return False
    stripped = value.strip()
    if not stripped:
        return False
    if "\n" in stripped or (len(stripped) > _LONG and any(char.isspace() for char in stripped)):
        return True
    if least and len(stripped.split(None, least)) >= least:
        return True
    return _plain(key) in _PROSE and not stripped.isascii() and len(stripped) > 8


def _listed(value: str) -> list[str]:
    """The lines of a text all of which are patterns of paths; none if it is anything else."""
    lines = [line.strip() for line in value.split("\n")] if "\n" in value else []
    lines = [line for line in lines if line]
    if len(lines) < 2 or not all(_GLOB.fullmatch(line) for line in lines):
        return []
    return lines if any("*" in line or "/" in line for line in lines) else []


def _denied(value: str) -> bool:
    return len(value) > 1 and value[0] == "!" and not any(char.isspace() for char in value)


def _sets_level(value: Any) -> bool:
    return is_level(value) or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 2)


def _name(entry: dict[Any, Any]) -> tuple[str, str]:
    """What names an entry of a list, and the key that says so (none where it is the files that it is about)."""
    for key in _NAMES:
        value = entry.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool):
            name = str(value).strip()
            if (
                name
                and len(name) <= _LONG
                and not _is_prose(value, key, 2 if key in _PROSE else 3 if key == "text" else 0)
            ):
                return plain_words(name), key
    scope = next((found for key in _SCOPES if (found := _globs(entry.get(key)))), ())
    return ",".join(scope)[:_LONG], ""


def _globs(value: Any) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = value.get("include")
    if isinstance(value, str):
        value = [value]
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
