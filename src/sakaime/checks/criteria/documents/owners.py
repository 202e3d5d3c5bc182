"""CODEOWNERS: who is asked about which files, as far as a line is in force."""

from __future__ import annotations

import re

from sakaime.checks.criteria.item import KEY, OWNER, Item
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = late(r"[^\r\n]+")
_TOKEN = late(r"(?:\\.|[^\s\\]|\\(?!.))+")
_SECTION = late(r"(?P<optional>\^)?\[(?P<name>[^\[\]]+)\](?:\[(?P<count>\d{1,9})\])?(?=\s|\Z)")
_ANY = "*?["


class _Entry(Record):
    """One line of a pattern. `folder` are the segments of the folder that it is all about."""

    section: str
    pattern: str
    owners: tuple[str, ...]
    start: int
    end: int
    kept: bool = False  # an exclusion of GitLab, which no later line takes back


def items(text: str) -> tuple[Item, ...]:
    """The lines that are in force, and of GitLab's sections how many must approve and whether they may be passed over.

    The last line that matches a file decides. So a line gives no item where a later one of its section matches
    whatever it matches: the same pattern, `*`, a folder around it, a name or ending that all of it has.
    A pattern is told of in one spelling (`/docs/` for `/docs/**`, `a` for `**/a`). Never raises.
    """
    entries, out = _read(text)
    in_force = _in_force(entries, gitlab=any(entry.section for entry in entries))
    for entry in in_force:
        pattern = _spelling(entry.pattern)
        out.append(
            Item(
                OWNER,
                ", ".join(entry.owners),
                entry.start,
                entry.end,
                key=pattern,
                headings=(entry.section,) if entry.section else (),
                negative=not entry.owners,
                scope=(pattern,),
            )
        )
    return tuple(sorted(out, key=lambda item: item.start))


def _read(text: str) -> tuple[list[_Entry], list[Item]]:
    entries: list[_Entry] = []
    sections: list[Item] = []
    names: dict[str, str] = {}
    section, default = "", ()  # type: str, tuple[str, ...]
    for line in _LINE.finditer(text):
        tokens = list(_tokens(line[0], line.start()))
        if not tokens:
            continue
        begin, end = tokens[0][1], tokens[-1][1] + len(tokens[-1][0])
        if header := _SECTION.match(text, begin, end):
            name = " ".join(header["name"].split())
            section = names.setdefault(name.casefold(), name)
            default = _sorted([word for word, at in tokens if at >= header.end()])
            sections += _asked(section, header, begin, end)
            continue
        pattern, owners = tokens[0][0], _sorted([word for word, _ in tokens[1:]])
        kept = len(pattern) > 1 and pattern[0] == "!"
        owners = () if kept else owners or default
        entries.append(_Entry(section, pattern[1:] if kept else pattern, owners, begin, end, kept))
    return entries, sections


def _tokens(line: str, at: int) -> Iterator[tuple[str, int]]:
    for token in _TOKEN.finditer(line):
        if token[0][0] == "#":
            return
        yield token[0], at + token.start()


def _sorted(owners: list[str]) -> tuple[str, ...]:
    """Owners are no different for their order, and none for the case of their letters."""
    return tuple(sorted({owner.casefold(): owner for owner in reversed(owners)}.values(), key=str.casefold))


def _asked(section: str, header: re.Match[str], start: int, end: int) -> Iterator[Item]:
    """What the head of a section says besides its name."""
    if header["count"]:
        count = int(header["count"])
        yield Item(KEY, str(count), start, end, key=f"{section}.approvals", headings=(section,), value=count)
    if header["optional"]:
        yield Item(
            KEY, "true", start, end, key=f"{section}.optional", headings=(section,), value=True, negative=True
        )  # fmt: skip


def _spelling(pattern: str) -> str:
    """One spelling for the patterns that match the same files."""
    while pattern.startswith("**/") and "/" not in pattern[3:].rstrip("/"):
        pattern = pattern[3:]
    while pattern.endswith("/**"):
        pattern = pattern[:-2]
    return "*" if pattern in ("**", "/", "", "/**/*") else pattern


class _Later:
    """What the lines below match, of one section."""

    def __init__(self, gitlab: bool) -> None:
        self.gitlab = gitlab
        self.all = False
        self.patterns: set[str] = set()
        self.folders: set[tuple[str, ...]] = set()  # from the root
        self.names: set[str] = set()  # of files or folders, anywhere
        self.folder_names: set[str] = set()
        self.endings: set[str] = set()

    def covers(self, pattern: str) -> bool:
        """Whether they match all that a pattern does."""
        if self.all or pattern in self.patterns:
            return True
        segments = pattern.strip("/").split("/")
        inner = segments if pattern.endswith("/") else segments[:-1]
        if self._rooted(pattern):
            for depth in range(1, min(len(segments), 64) + 1):
                if tuple(segments[:depth]) in self.folders and (depth < len(segments) or pattern.endswith("/")):
                    return True
        if not self.names.isdisjoint(segments) or not self.folder_names.isdisjoint(inner):
            return True
        last = segments[-1]
        return any(last[at:] in self.endings for at in range(max(0, len(last) - 64), len(last)) if last[at] == ".")

    def add(self, pattern: str) -> None:
        self.patterns.add(pattern)
        segments = pattern.strip("/").split("/")
        if pattern == "*":
            self.all = True
        elif len(segments) > 1 or pattern[0] == "/":
            if pattern[0] == "/" or not self.gitlab:
                whole = pattern.endswith("/") or not any(char in segments[-1] for char in _ANY)
                if whole:
                    self.folders.add(tuple(segments))
                    self.patterns.add(pattern.rstrip("/") + "/")
        elif not any(char in segments[0] for char in _ANY):
            (self.folder_names if pattern.endswith("/") else self.names).add(segments[0])
        elif segments[0][:2] == "*." and not any(char in segments[0][1:] for char in _ANY) and pattern[-1] != "/":
            self.endings.add(segments[0][1:])

    def _rooted(self, pattern: str) -> bool:
        return pattern[0] == "/" or (not self.gitlab and "/" in pattern.rstrip("/"))


def _in_force(entries: list[_Entry], gitlab: bool) -> list[_Entry]:
    later: dict[str, _Later] = {}
    out = []
    for entry in reversed(entries):
        below = later.setdefault(entry.section, _Later(gitlab))
        pattern = _spelling(entry.pattern)
        if entry.kept or not below.covers(pattern):
            out.append(entry)
        if not entry.kept:
            below.add(pattern)
    return out[::-1]
