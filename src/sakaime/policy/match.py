"""Matching a rule inside a unit of text: RE2 decides, windows bring the patterns together."""

from __future__ import annotations

from sakaime.policy.pattern import compile_pattern
from sakaime.policy.rule import Rule
from sakaime.policy.trim import trimmed
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re2


_NEAR = 40  # characters between a match and the words that speak against it
_SHORT = 4000  # characters of a text for which a pattern is cut down
_OFTEN = 6  # texts in which a pattern was looked for: from then on it is compiled whole
_MOST_KEPT = 20_000
_KEPT: dict[str, re2._Regexp] = {}
_TIMES: dict[str, int] = {}


def _compiled(pattern: str) -> re2._Regexp:
    if pattern not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[pattern] = compile_pattern(pattern)
    return _KEPT[pattern]


def search(pattern: str, data: bytes) -> bool:
    """Whether a pattern matches anywhere in UTF-8 text."""
    return _compiled(pattern).search(data) is not None


def matches_path(globs: tuple[tuple[bool, str], ...], path: str) -> bool:
    """Whether a list of compiled globs selects a path; as in gitignore, the last one that matches decides."""
    selected, told_of_file = False, False
    # RE2 matches no byte that is not UTF-8: such a name must not slip past `*`.
    data = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()
    for selects, pattern in globs:
        if (found := _compiled(pattern).search(data)) is None:
            continue
        # What is said of a folder around a file does not undo what was said of the file.
        of_folder = any(found.groups())  # the one group of pathspec's patterns: the end of a folder's name
        if (selects and of_folder) or not (of_folder and told_of_file):
            selected, told_of_file = selects, not of_folder
    return selected


def looks_at(rule: Rule, path: str) -> bool:
    """Whether a rule looks at a file of that name."""
    if rule.include is not None and not matches_path(rule.include, path):
        return False
    return not (rule.exclude and matches_path(rule.exclude, path))


class _Unit:
    """A text in which the patterns of a rule are looked for."""

    def __init__(self, rule: Rule, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        self._trees = dict(zip((*rule.all, *rule.any, *rule.none), rule.trees, strict=True))
        self._bones: str | None = None

    def ranges(self, pattern: str) -> list[Range]:
        """Where a pattern of the rule matches, in bytes."""
        if pattern in _KEPT or len(self.text) > _SHORT or _TIMES.get(pattern, 0) >= _OFTEN:
            found = _compiled(pattern)
        else:
            if len(_TIMES) >= _MOST_KEPT:
                _TIMES.clear()
            _TIMES[pattern] = _TIMES.get(pattern, 0) + 1
            if self._bones is None:
                self._bones = skeleton(self.text)
            source = trimmed(self._trees[pattern], self._bones)
            if source is None:
                return []
            found = compile_pattern(source)
        return [m.span() for m in found.finditer(self.data) if m.end() > m.start()]


def windows(rule: Rule, text: str) -> list[Range]:
    """Where all of a rule's patterns meet: (start, end) in code points, ascending, without overlaps.

    Each is the shortest stretch that holds one match of every pattern of `all` and one of `any`, at most
    `within` characters long. A match of `none` forbids the windows that it touches, and those it comes near to:
    a "never" at the other end of a paragraph says nothing of them, and must not switch a rule off.
    """
    unit = _Unit(rule, text)
    groups: list[list[Range]] = []
    for pattern in rule.all:
        groups.append(unit.ranges(pattern))
        if not groups[-1]:
            return []
    if rule.any:
        groups.append(innermost(found for pattern in rule.any for found in unit.ranges(pattern)))
        if not groups[-1]:
            return []
    vetoes: list[Range] = []
    # A character has at most four bytes.
    if rule.none and shortest_windows(groups, 4 * rule.within):
        vetoes = innermost(found for pattern in rule.none for found in unit.ranges(pattern))
    if not text.isascii():
        *groups, vetoes = _code_points(unit.data, [*groups, vetoes])
    return shortest_windows(groups, rule.within, vetoes, _NEAR)


def _code_points(data: bytes, groups: list[list[Range]]) -> list[list[Range]]:
    """Byte offsets as offsets of code points, in one pass over the text."""
    offsets = sorted({offset for group in groups for found in group for offset in found})
    at, count, known = 0, 0, {}
    for offset in offsets:
        count += len(data[at:offset].decode("utf-8", "surrogatepass"))
        at = offset
        known[offset] = count
    return [[(known[start], known[end]) for start, end in group] for group in groups]
