"""Matching a rule inside a unit of text: RE2 decides, windows bring the patterns together."""

from __future__ import annotations

from functools import lru_cache

from sakaime.model import NotJudged
from sakaime.policy.pattern import compile_pattern
from sakaime.policy.rule import Rule
from sakaime.policy.trim import trimmed, whole
from sakaime.policy.window import Range, innermost, shortest_windows
from sakaime.text.skeleton import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sakaime.policy.pattern import Pattern
    from sakaime.policy.policy import Tables
    from sakaime.policy.trim import Tree


_SIGNS = frozenset("\\.+*?()|[]{}^$")  # what is no literal in a pattern
_NEAR = 40  # characters between a match and the words that speak against it
_SHORT = 4000  # characters of a text for which a pattern is cut down
_OFTEN = 40  # texts in which a pattern was looked for: from then on it is compiled whole
_MOST_KEPT = 20_000
_KEPT: dict[str, Pattern] = {}
# By the identity of their trees, which stand beside them so that no other one can come to have it: how often patterns
# were looked for, and those that are compiled whole, with their sources.
_TIMES: dict[int, tuple[Tree, int]] = {}
_WHOLE: dict[int, tuple[Tree, str, Pattern]] = {}


def _compiled(pattern: str) -> Pattern:
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
    """Whether a rule looks at a file of that name. Raises `NotJudged` where that takes RE2, and it is not there."""
    try:
        return _selects(rule, path)
    except NotJudged as error:
        raise _needs_re2(rule, error) from None


def _needs_re2(rule: Rule, error: NotJudged) -> NotJudged:
    return NotJudged(f"rule {rule.id} needs RE2 (the package google-re2), which is not installed: {error}")


def _selects(rule: Rule, path: str) -> bool:
    if rule.include is not None and not matches_path(rule.include, path):
        return False
    return not (rule.exclude and matches_path(rule.exclude, path))


_bones = lru_cache(maxsize=64)(skeleton)


def _whole(tree: Tree, at_once: bool) -> tuple[str, Pattern] | None:
    """A pattern as it is, if it is compiled: at once, or where it was looked for often enough."""
    if id(tree) not in _WHOLE:
        times = _TIMES.get(id(tree), (tree, 0))[1] + 1
        if len(_TIMES) >= _MOST_KEPT:
            _TIMES.clear()
        _TIMES[id(tree)] = tree, times
        if not at_once and times <= _OFTEN:
            return None
        if len(_WHOLE) >= _MOST_KEPT:
            _WHOLE.clear()
        source = whole(tree)
        _WHOLE[id(tree)] = tree, source, compile_pattern(source)
    return _WHOLE[id(tree)][1:]


def _sought(trees: Iterable[Tree], text: str) -> list[tuple[str, Pattern | None]]:
    """The patterns that could match in a text, each with what is looked for there: itself, compiled, or less."""
    sought: list[tuple[str, Pattern | None]] = []
    for tree in trees:
        if (kept := _whole(tree, len(text) > _SHORT)) is not None:
            sought.append(kept)
        elif (source := trimmed(tree, _bones(text))) is not None:
            sought.append((source, None))
    return sought


def _ranges(sought: Iterable[tuple[str, Pattern | None]], data: bytes) -> list[Range]:
    """Where any of some patterns matches, in bytes."""
    found: list[Range] = []
    for source, compiled in sought:
        if _SIGNS.isdisjoint(source):
            found += _places(source.encode(), data)
        else:
            matches = (compiled or _for_a_text(source)).finditer(data)
            found += (match.span() for match in matches if match.end() > match.start())
    return innermost(found)


_for_a_text = lru_cache(maxsize=256)(compile_pattern)  # rules look for the same words in one text


def _places(literal: bytes, data: bytes) -> Iterator[Range]:
    """Where a pattern without signs matches: RE2 would take longer to compile it."""
    at = data.find(literal)
    while literal and at >= 0:
        yield at, at + len(literal)
        at = data.find(literal, at + len(literal))


def windows(rule: Rule, text: str, tables: Tables | None = None) -> list[Range]:
    """Where all of a rule's patterns meet: (start, end) in code points, ascending, without overlaps.

    Each is the shortest stretch that holds one match of every pattern of `all` and one of `any`, at most
    `within` characters long. A match of `none` forbids the windows that it touches, and those it comes near to:
    a "never" at the other end of a paragraph says nothing of them, and must not switch a rule off. `tables` are those
    of the policy; without them a rule that names one is taken for one without.

    Raises `NotJudged` where the rule cannot be run on that text without RE2, and it is not there.
    """
    try:
        return _weighed(rule, text, tables) if rule.weights and tables else _windows(rule, text)
    except NotJudged as error:
        raise _needs_re2(rule, error) from None


def _weighed(rule: Rule, text: str, tables: Tables) -> list[Range]:
    """Sentences that score by the rule's table, are of its tactic, and in which its patterns meet."""
    from sakaime.policy.weights import stretches

    found = stretches(tables[rule.weights], text)
    return [(start, end) for start, end, tactic in found if tactic == rule.kind and _windows(rule, text[start:end])]


def _windows(rule: Rule, text: str) -> list[Range]:
    together: list[tuple[Tree, ...]] = [(pattern,) for pattern in rule.all]
    if rule.any:
        together.append(rule.any)
    sought = [_sought(patterns, text) for patterns in together]
    if not all(sought):
        return []
    data = text.encode("utf-8", "surrogatepass")
    groups: list[list[Range]] = [[] for _ in sought]
    # Short ones first: they are sooner compiled, and where one does not match, the others are not asked for.
    for at in sorted(range(len(sought)), key=lambda at: sum(len(source) for source, _ in sought[at])):
        groups[at] = _ranges(sought[at], data)
        if not groups[at]:
            return []
    vetoes: list[Range] = []
    # A character has at most four bytes.
    if rule.none and shortest_windows(groups, 4 * rule.within):
        vetoes = _ranges(_sought(rule.none, text), data)
    if not text.isascii():
        *groups, vetoes = _code_points(data, [*groups, vetoes])
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
