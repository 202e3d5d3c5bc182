"""What criteria documents lost, as findings."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from sakaime.checks.criteria.comparing.compare import compare
from sakaime.checks.criteria.comparing.judges import Judges
from sakaime.checks.criteria.comparing.loss import DELETED, MOVED, NARROWED, REMOVED, WEAKENED, Loss
from sakaime.checks.criteria.item import KEY, PROSE_FILES, Item
from sakaime.checks.criteria.meaning import directions
from sakaime.checks.criteria.meaning.grade import adds_limit, grade, weaker
from sakaime.checks.criteria.meaning.words import ladders
from sakaime.checks.criteria.revisions import Unreadable
from sakaime.checks.criteria.sides import Pair, further, pair
from sakaime.model import SEVERITIES, Finding, Position, Record, Related, Skipped, Span
from sakaime.policy.match import matches_path
from sakaime.policy.policy import Late, Policy
from sakaime.text.paths import printable
from sakaime.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sakaime.checks.criteria.meaning.grade import Grade
    from sakaime.checks.criteria.readers import Readers
    from sakaime.checks.criteria.revisions import Revision
    from sakaime.material.change import Change, Material
    from sakaime.policy.rule import Rule

_EXCERPT = 160
_GRADED = 8192  # items of which is remembered what they amount to
_SAID = {
    REMOVED: "a criterion is gone: {what}",
    WEAKENED: "a criterion asks for less: {what} ({why})",
    NARROWED: "less is looked at or reported: {what} ({why})",
    DELETED: "{path} is gone: {why}",
    MOVED: "criteria went to a place where no reviewer looks: {what} ({why})",
}
_READS = {"head": "as the change has them", "base": "from the base branch"}
# Folders in which documents stand for the folder around them.
_HOLDERS = frozenset(
    (".github", ".gitlab", ".claude", ".cursor", ".gemini", ".greptile", "docs", "doc", "review", "rules")
)


class Compared(Record):
    """The criteria documents of a change, what they lost, and those that cannot be compared."""

    pairs: tuple[Pair, ...]
    losses: tuple[tuple[Pair, Loss], ...]
    unread: tuple[Skipped, ...]


_last: list[tuple[Policy, tuple[Change, ...], Compared]] = []


def compared(policy: Policy, reader: Readers, material: Material, found: Sequence[Revision]) -> Compared:
    """Compares the two sides of the criteria documents of a change."""
    if material.mode != "buffer":
        return _compared(policy, reader, material, found)
    # An editor wants the findings first, then what stood there before: of the same two texts, and of no others.
    for of, changes, kept in _last:
        if of is policy and changes == material.changes:
            return kept
    answer = _compared(policy, reader, material, found)
    _last[:] = [(policy, material.changes, answer)]
    return answer


def _compared(policy: Policy, reader: Readers, material: Material, found: Sequence[Revision]) -> Compared:
    pairs: list[Pair] = []
    unread: list[Skipped] = []
    for revision in found:
        try:
            pairs.append(pair(revision))
        except Unreadable as error:
            unread.append(error.skipped(revision.path))
    every = [*pairs, *further(material, pairs)]
    losses = compare([(one.old, one.new) for one in every], judges(policy), _read_by_reviewers(reader, every))
    by_path = {side.path: one for one in every for side in (one.new, one.old) if side is not None}
    told = tuple((by_path[loss.path], loss) for loss in losses if by_path[loss.path].rule is not None)
    return Compared(tuple(pairs), told, tuple(unread))


def findings(
    policy: Policy, reader: Readers, material: Material, found: Sequence[Revision]
) -> tuple[list[Finding], list[Skipped]]:
    """The findings, and the documents that cannot be compared."""
    both = compared(policy, reader, material, found)
    code = [change for change in material.changes if _is_code(reader, change)] if both.losses else []
    told = [_finding(one, one.rule, loss, code) for one, loss in both.losses if one.rule is not None]
    return told, list(both.unread)


def judges(policy: Policy) -> Judges:
    """What compares items by the words of a policy."""
    return _judges(policy.ladders)


@lru_cache(maxsize=4)
def _judges(held: Late) -> Judges:
    """More than one check of a change asks, and an editor asks of the same items at every pause."""
    words = ladders(held.values())

    @lru_cache(maxsize=_GRADED)
    def graded(
        kind: str,
        text: str,
        key: str,
        headings: tuple[str, ...],
        above: tuple[str, ...],
        cells: tuple[tuple[str, str], ...],
    ) -> Grade:
        return grade(words, Item(kind, text, 0, 0, key, headings, above, cells=cells))

    def of(item: Item) -> Grade:
        return graded(item.kind, item.text, item.key, item.headings, item.above, item.cells)

    return Judges(of, weaker, adds_limit, directions.weaker, directions.asks)


def _read_by_reviewers(reader: Readers, pairs: Sequence[Pair]) -> Callable[[str], bool]:
    """Whether reviewers read what stands at a path: a whole document, or sections of one that did not come from one."""
    general = {
        side.path
        for one in pairs
        if one.rule is not None and one.rule.sections
        for side in (one.old, one.new)
        if side is not None and side.items and reader(side.path) is not None
    }

    def is_criteria(path: str) -> bool:
        if path in general:
            return True
        rule = reader(path)
        return rule is not None and not rule.sections

    return is_criteria


def _is_code(reader: Readers, change: Change) -> bool:
    if not change.hunks or change.path.lower().endswith(PROSE_FILES):
        return False
    rule = reader(change.path)
    return rule is None or bool(rule.sections)


def place(one: Pair, loss: Loss) -> tuple[Span, str, int]:
    """Where a loss stands in the new text, with the line and the column where that begins; of a document that is gone,
    or empty, its first line."""
    if one.new is None or not one.new.text or loss.path != one.new.path:
        return Span(Position(1, 1), Position(1, 2)), "", 1
    source = Source(one.new.text)
    column, line = source.line_around(loss.start)
    return source.span(loss.start, max(loss.end, loss.start)), line, column


def said(item: Item) -> str:
    """A criterion in a line: what names it, and its words."""
    text = " ".join(f"{item.key}: {item.text}".split()) if item.key and item.key not in item.text else item.text
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"


def _finding(one: Pair, rule: Rule, loss: Loss, code: Sequence[Change]) -> Finding:
    span, line, column = place(one, loss)
    what = said(loss.item)
    message = _SAID[loss.change].format(what=f"“{what}”", why=loss.why, path=loss.path)
    if loss.others and loss.change != DELETED:
        message += f", and {len(loss.others)} more with it"
    if rule.reader:
        message += f"; {rule.reader} reads it {_READS.get(rule.reads, '')}".rstrip()
    severity = _severity(rule, loss.change)
    finding = Finding(
        rule=rule.id,
        family="criteria",
        kind=loss.change,
        severity=severity,
        message=message,
        path=loss.path,
        span=span,
        excerpt=what,
        line=line,
        line_column=column,
        why=rule.why,
        key=loss.key,
    )
    covered = next((change for change in code if _covers(loss, change)), None)
    if covered is None or severity == "info" or _severity(rule, "error") != "error":
        return finding
    number = covered.added[0][0] if covered.added else covered.hunks[0].new_start or 1
    related = Related(
        printable(covered.path),
        Span(Position(number, 1), Position(number, 2)),
        "changed along with it, and covered by it",
    )
    if severity == "error":
        return finding.replace(related=(related,))
    return finding.replace(severity="error", escalated_from=severity, related=(related,))


def _severity(rule: Rule, change: str) -> str:
    """How bad a loss is; no worse than the settings let the rule be."""
    said = dict(rule.losses).get(change, change)
    if change == MOVED:  # only what no reviewer reads any more is told of, and that is no mere note
        said = max(said, "warning", key=SEVERITIES.index)
    return min(said, rule.severity, key=SEVERITIES.index)


def _covers(loss: Loss, change: Change) -> bool:
    """Whether a changed file is in what a criterion is about: what it names, or the folder that its document is for."""
    scope = loss.item.scope or (loss.was.scope if loss.was is not None else ())
    if not scope and loss.item.kind == KEY:  # a key is about what the entries below it are about
        scope = tuple(glob for item in loss.others for glob in item.scope)
    if scope:
        from sakaime.policy.globs import compile_globs

        try:
            return matches_path(compile_globs(list(scope)), change.path)
        except ValueError:  # no pattern of paths
            return False
    folder = posixpath.dirname(loss.path)
    while (folder and posixpath.basename(folder) in _HOLDERS) or posixpath.basename(folder).startswith("."):
        folder = posixpath.dirname(folder)
    return not folder or printable(change.path).startswith(f"{folder}/")
