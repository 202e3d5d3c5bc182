"""Changes to files that agents, reviewing programs and git's hooks obey: what they let happen, what they keep from it.

Both sides are read as what they say, and compared. What lets an agent run or approve something is a warning, what
weakens a protection an error, all else is told.
"""

from __future__ import annotations

from sakaime.checks.agents.facts import GUARDS, Fact, Tree, compare
from sakaime.checks.agents.kinds import MARKS, kind_of
from sakaime.material.change import LINK, SUBMODULE, Blob, Change, Material
from sakaime.model import Finding, Position, Record, Span
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MODES = ("staged", "buffer", "range", "diff")
_QUIET = ("vscode", "workflow", "precommit")  # of these, only what matters is told
_TEXT = {
    "text": "agents are told what stands here",
    "file": "agents find this file beside their settings",
    "command": "agents can be called by it",
    "agent": "it is an agent that can be called",
}
_RULES = {"mcp": "mcp-server", "workflow": "ai-workflow", "lefthook": "git-hook", "githook": "git-hook"}


class _Sides(Record):
    """The two sides of a change as text, each None where it does not exist or is no such file; `kind` of either."""

    kind: str
    old: str | None
    new: str | None


def check(material: Material, change: Change) -> Iterator[Finding]:
    """What a change to such a file does, at its line, or at the line that takes its place."""
    if material.mode not in _MODES:
        return
    before = kind_of(change.old_path or change.path) if change.old is not None else ""
    after = kind_of(change.path) if change.new is not None else ""
    kind = after or before
    if not kind:
        return
    if change.new is not None and after and (change.new.mode in (LINK, SUBMODULE) or change.unread):
        yield from _unseen(change, kind)
        return
    removed, added = _changed(change)
    old = _side(material, change.old if before == kind else None, change, False)
    new = _side(material, change.new if after else None, change, True)
    unknown = (old is None and before == kind) or (new is None and bool(after))
    sides = _Sides(kind, old, new)
    if kind == "workflow" and not (_marked(change) if unknown else _concerns(sides)):
        return
    if kind in ("workflow", "precommit") and before == after and _only_versions(removed, added):
        return
    if unknown:
        yield from _by_lines(change, kind, removed, added)
        return
    yield from _told(change, sides, added)


def _side(material: Material, blob: Blob | None, change: Change, new: bool) -> str | None:
    """A side as text; None where there is none, or only its hunks are known and they are not all of it."""
    if blob is None or blob.mode in (LINK, SUBMODULE):
        return "" if blob is not None else None
    data = material.bytes_of(blob) if not change.unread else b""
    if data is None and change.status in ("A" if new else "D"):
        data = b"".join(hunk.new if new else hunk.old for hunk in change.hunks)
    return None if data is None else data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _changed(change: Change) -> tuple[list[str], list[tuple[int, str]]]:
    """The removed lines, and the added ones with their numbers."""
    removed: list[str] = []
    added: list[tuple[int, str]] = []
    for hunk in change.hunks:
        old, new = (side.decode("utf-8", "replace").split("\n") for side in (hunk.old, hunk.new))
        for first, last in hunk.removed:
            removed += (line.rstrip("\r") for line in old[first - hunk.old_start : last - hunk.old_start + 1])
        for first, last in hunk.added:
            added += [(n, new[n - hunk.new_start].rstrip("\r")) for n in range(first, last + 1)]
    return removed, added


def _only_versions(removed: list[str], added: list[tuple[int, str]]) -> bool:
    from sakaime.checks.agents.lines import only_versions

    return only_versions(removed, [line for _, line in added])


def _concerns(sides: _Sides) -> bool:
    both = f"{sides.old or ''}\n{sides.new or ''}".lower().encode("utf-8", "surrogatepass")
    return any(mark in both for mark in MARKS)


def _finding(change: Change, rule: str, severity: str, message: str, number: int = 1, line: str = "") -> Finding:
    span = Span(Position(number, 1), Position(number, max(2, len(line) + 1)))
    path = printable(change.path)
    return Finding(f"policy/{rule}", "policy", rule, severity, message, path, span, line[:200], line=line[:2000])


def _unseen(change: Change, kind: str) -> Iterator[Finding]:
    assert change.new is not None
    what = {LINK: "a link", SUBMODULE: "another repository"}.get(change.new.mode, "no text that can be read")
    harmless = kind in ("text", "file") and change.new.mode != SUBMODULE
    text = f"this is {what}; what agents or hooks find there, the change does not show"
    yield _finding(change, _RULES.get(kind, "agent-file"), "info" if harmless else "warning", text)


def _by_lines(change: Change, kind: str, removed: list[str], added: list[tuple[int, str]]) -> Iterator[Finding]:
    """Of a bare diff: what its lines tell. What was around them is not known."""
    if kind in ("text", "file"):
        yield _finding(change, "agent-file", "info", _TEXT[kind], added[0][0] if added else 1)
        return
    if kind in _QUIET and not _marked(change):
        return
    yield from _lines(change, kind, added)
    if any(line.strip() and not line.lstrip().startswith(("#", "//")) for line in removed):
        text = "lines are taken out; whether that weakens a protection cannot be told from a diff"
        yield _finding(change, _RULES.get(kind, "agent-file"), "warning", text, added[0][0] if added else 1)


def _marked(change: Change) -> bool:
    both = b"\n".join(hunk.old + hunk.new for hunk in change.hunks).lower()
    return any(mark in both for mark in (*MARKS, b"autoapprove"))


def _lines(change: Change, kind: str, added: list[tuple[int, str]]) -> Iterator[Finding]:
    from sakaime.checks.agents.lines import telling

    for rule, severity, message, number, line in telling(kind, added):
        yield _finding(change, rule, severity, message, number, line)


def _told(change: Change, sides: _Sides, added: list[tuple[int, str]]) -> Iterator[Finding]:
    """What the comparison of the two sides says; where it says nothing of a file that agents read, that it changed."""
    kind = sides.kind
    try:
        old = _facts(sides, sides.old)[0]
    except ValueError:
        old = []  # what nobody could read kept nobody from anything
    try:
        new, tree = _facts(sides, sides.new)
    except ValueError as error:
        if kind != "vscode" and not _silent_hooks(sides):
            text = f"this cannot be read ({error}); whether it is obeyed depends on who reads it"
            yield _finding(change, _RULES.get(kind, "agent-file"), "info", text, added[0][0] if added else 1)
        if kind not in ("precommit", "lefthook"):
            yield from _lines(change, kind, added)
        return
    if kind == "githook":
        old, new, tree = _hooks_of_git(change, sides)
    silent = _silent(sides, [*old, *new])
    if kind == "workflow" and not any(fact.rule == _RULES[kind] for fact in new):
        old = [fact for fact in old if fact.rule != _RULES[kind]]  # what runs no more needs nobody to hold it back
    told = list(compare(old, new, _covers))
    lines = (sides.new or "").split("\n")
    for one in sorted(told, key=lambda one: tree.line(one.at)):
        number = tree.line(one.at)
        # The line is what a fingerprint is made of: one that does not hold all that is said must not stand for it.
        line = lines[number - 1] if number <= len(lines) else ""
        yield _finding(
            change, one.rule, one.severity, one.message, number, line if one.what and one.what in line else ""
        )
    if told or silent:
        return
    first = added[0][0] if added else 1
    if sides.new is None:
        yield _finding(change, _RULES.get(kind, "agent-file"), "info", "this is taken out; it protected nothing")
    else:
        text = _TEXT.get(kind, "this changes; what agents may run or approve, and what keeps them from it, does not")
        text = "the hooks change; none is taken out" if kind in ("githook", "lefthook", "precommit") else text
        yield _finding(change, _RULES.get(kind, "agent-file"), "info", text, first)


def _facts(sides: _Sides, text: str | None) -> tuple[list[Fact], Tree]:
    """Raises `ValueError` where the text cannot be read."""
    kind = sides.kind
    if text is None or kind in ("text", "file", "folder", "githook"):
        return [], Tree(None, {})
    if kind in ("command", "agent"):
        from sakaime.checks.agents import documents

        return documents.facts(kind, text)
    if kind in ("workflow", "precommit", "lefthook", "coderabbit"):
        from sakaime.checks.agents import githooks, settings, workflows, yamltree

        tree = yamltree.parse(text)
        if kind == "workflow":
            return workflows.facts(tree), tree
        if kind == "coderabbit":
            return settings.facts(kind, tree), tree
        return list(githooks.precommit_facts(tree) if kind == "precommit" else githooks.lefthook_facts(tree)), tree
    from sakaime.checks.agents import jsonlines, settings

    tree = jsonlines.parse(text) if text.strip() else Tree(None, {})
    return settings.facts(kind, tree), tree


def _covers(new: Fact, old: Fact) -> bool:
    from sakaime.checks.agents.settings import covers

    return covers(new, old)


def _hooks_of_git(change: Change, sides: _Sides) -> tuple[list[Fact], list[Fact], Tree]:
    """A script of a folder of hooks. One that git finds no more, or may not start, is one that is gone."""
    from sakaime.checks.agents.githooks import RULE, is_hook, script, script_facts

    was, now = change.old_path or change.path, change.path
    name = was.rsplit("/", 1)[-1]
    if not is_hook(was) and not is_hook(now):
        return [], [], Tree(None, {})
    old = sides.old if is_hook(was) else None
    new = sides.new if is_hook(now) and now.rsplit("/", 1)[-1] == name else None
    if change.old is not None and change.new is not None and old is not None and new is not None:
        started = ".husky" not in now.lower().split("/")  # husky starts its hooks by `sh`, whatever their mode
        if started and change.old.mode == "100755" and change.new.mode == "100644" and script(old)[0]:
            return [Fact(RULE, GUARDS, (name,), f"git may run the hook {name}", ())], [], Tree(None, {})
    return script_facts(name if new is None else now.rsplit("/", 1)[-1], old, new)


def _silent(sides: _Sides, facts: list[Fact]) -> bool:
    """Whether nothing is to be told of a change that means nothing."""
    if sides.kind == "workflow":
        return not any(fact.rule == "ai-workflow" for fact in facts)
    return sides.kind == "vscode" or _silent_hooks(sides)


def _silent_hooks(sides: _Sides) -> bool:
    """Whether it is `sakaime.checks.guarded` that tells of the hooks of pre-commit: sakaime is one of them."""
    return sides.kind == "precommit" and "sakaime" in f"{sides.old}{sides.new}"
