"""`sakaime criteria`: what reviewers are told to look at, and what of it was lost between two commits."""

from __future__ import annotations

import json
import os
import sys

from sakaime.cli.deciding import recorded_at, staged_or_disk
from sakaime.material import git, sources
from sakaime.model import Record, Skipped, UserError
from sakaime.packs.inforce import org_file, policy_in_force
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from sakaime.checks.criteria.inventory import Entry
    from sakaime.policy.policy import Policy

HELP = "what reviewers are told to look at"


class Lost(Record):
    """One loss: what became of a criterion, where, and its words."""

    change: str
    path: str
    line: int
    item: str
    why: str


class Document(Record):
    """How many criteria a document holds on both sides."""

    path: str
    before: int
    after: int


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("before", nargs="?", metavar="REF", help="the commit to list (default: the index)")
    parser.add_argument("after", nargs="?", metavar="REF", help="a second commit: tell what was lost up to it")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    parser.add_argument("--org", metavar="FILE", help="the organisation's floor")


def run(options: Namespace) -> int:
    """Prints the inventory, or the losses. Raises `UserError` and `CannotJudge`."""
    if "" in (options.before, options.after):
        raise UserError("the name of a commit is empty", way_out="Name one, or leave it out for the index.")
    top = git.root_or_bare(os.getcwd()) if options.before else git.root(os.getcwd())
    objects = git.Objects(top)
    read = recorded_at(top, objects, options.before) if options.before else staged_or_disk(top, objects)
    policy = policy_in_force(top, read, org_file(options.org))
    from sakaime.judge.masking import masking

    mask = masking(policy)
    if options.after:
        documents, losses, unread = _losses(top, objects, policy, f"{options.before}..{options.after}")
        told = [loss.replace(item=mask(loss.item), why=mask(loss.why)) for loss in losses]
        print(_FORMATS[options.format][1](documents, told), end="")
    else:
        entries, unread = _inventory(top, objects, policy, options.before, read)
        print(_FORMATS[options.format][0]([entry.replace(text=mask(entry.text)) for entry in entries]), end="")
    for skipped in unread:
        print(f"not read: {visible(skipped.path)}: {skipped.reason}", file=sys.stderr)
    return 3 if unread else 0


def _inventory(
    top: str, objects: git.Objects, policy: Policy, ref: str | None, read: Callable[[str], bytes | None]
) -> tuple[list[Entry], list[Skipped]]:
    from sakaime.checks.criteria.inventory import inventory
    from sakaime.checks.criteria.readers import readers

    commit = sources.commit_of(top, ref) if ref else None
    reader = readers(policy, read)
    material = sources.recorded(top, objects, commit, lambda path: reader(path) is not None)
    return inventory(policy, reader, material)


def _losses(
    top: str, objects: git.Objects, policy: Policy, spec: str
) -> tuple[list[Document], list[Lost], Sequence[Skipped]]:
    from sakaime.checks.criteria.findings import compared, judges, place, said
    from sakaime.checks.criteria.inventory import asked
    from sakaime.checks.criteria.readers import readers
    from sakaime.checks.criteria.revisions import revisions

    before = spec.partition("..")[0]
    material = sources.between(top, objects, spec).replace(decided=recorded_at(top, objects, before))
    reader = readers(policy, material.decided)
    revised, unread = revisions(reader, material)
    found = compared(policy, reader, material, revised)
    words = judges(policy)
    documents = [
        Document((one.new or one.old).path, asked(one.old, words), asked(one.new, words))  # type: ignore[union-attr]
        for one in found.pairs
    ]
    losses = [
        Lost(loss.change, loss.path, place(one, loss)[0].start.line, said(item), loss.why)
        for one, loss in found.losses
        for item in (loss.item, *loss.others)
    ]
    return documents, losses, [*unread, *found.unread]


def _list_text(entries: Sequence[Entry]) -> str:
    lines: list[str] = []
    path = ""
    for entry in entries:
        if entry.path != path:
            path = entry.path
            lines += ["", visible(path)] if lines else [visible(path)]
        lines.append(f"  {entry.id}  {entry.line:>5}  {entry.level:9}  {visible(entry.text)}")
    lines += ["", _counted(len(entries), len({entry.path for entry in entries}))] if lines else ["no criteria"]
    return "\n".join(lines) + "\n"


def _counted(criteria: int, documents: int) -> str:
    return f"{criteria} {'criterion' if criteria == 1 else 'criteria'} in {documents} document{'s' * (documents != 1)}"


def _list_json(entries: Sequence[Entry]) -> str:
    items = [dict(zip(entry._fields, entry.values(), strict=True)) for entry in entries]
    return json.dumps({"items": items}, ensure_ascii=False, indent=2) + "\n"


def _list_markdown(entries: Sequence[Entry]) -> str:
    rows = [f"| `{e.id}` | {_cell(e.path)}:{e.line} | {e.level} | {_cell(e.text)} |" for e in entries]
    return "\n".join(["| id | place | level | criterion |", "|---|---|---|---|", *rows]) + "\n"


def _cell(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _changes_text(documents: Sequence[Document], losses: Sequence[Lost]) -> str:
    lines = []
    for document in documents:
        here = [loss for loss in losses if loss.path == document.path]
        if here or document.before != document.after:
            lines.append(f"{visible(document.path)}: criteria {document.before} -> {document.after}")
            lines += [f"  {_word(loss)}: {visible(loss.item)} (line {loss.line}; {loss.why})" for loss in here]
    return "\n".join(lines or ["no criterion was lost"]) + "\n"


def _word(loss: Lost) -> str:
    return "gone" if loss.change == "removed" else loss.change


def _changes_json(documents: Sequence[Document], losses: Sequence[Lost]) -> str:
    data = {
        "changes": [dict(zip(loss._fields, loss.values(), strict=True)) for loss in losses],
        "documents": [dict(zip(one._fields, one.values(), strict=True)) for one in documents],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _changes_markdown(documents: Sequence[Document], losses: Sequence[Lost]) -> str:
    counts = {document.path: f"{document.before} → {document.after}" for document in documents}
    rows = [
        f"| {_word(loss)} | {_cell(loss.path)}:{loss.line} | {counts.get(loss.path, '')} | {_cell(loss.item)} |"
        for loss in losses
    ]
    return "\n".join(["| change | place | criteria | criterion |", "|---|---|---|---|", *rows]) + "\n"


_FORMATS = {
    "text": (_list_text, _changes_text),
    "json": (_list_json, _changes_json),
    "markdown": (_list_markdown, _changes_markdown),
}
