"""`sakaime brief`: puts the input of a review together."""

from __future__ import annotations

import sys

from sakaime.cli.chosen import add_arguments as add_selection
from sakaime.cli.chosen import selection
from sakaime.cli.selection import select
from sakaime.judge import judge
from sakaime.model import CannotJudge, UserError
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sakaime.material.change import Material
    from sakaime.model import Judgement
    from sakaime.policy.policy import Policy
    from sakaime.review.brief import Brief

HELP = "Put the input of a review together: the material in chunks behind a fence, and what was found in it."


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_selection(parser, with_paths=False)
    parser.add_argument("--out", metavar="DIR", help="the folder to write; not there yet, or empty")
    parser.add_argument("--language", default="en", help="the language of the declaration (default: en)")
    parser.add_argument("--print", action="store_true", dest="whole", help="print the whole input as one text")
    parser.add_argument(
        "--count-delimiters", action="store_true", help="count the usual delimiters in the material, and end"
    )
    parser.add_argument("--allow-live", action="store_true", help="make the brief even of material that holds a secret")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how the answer is told")


def run(options: Namespace) -> int:
    """Writes or prints the brief. Gives 3 where a file of the material could not be judged, else 0."""
    if not (options.out or options.whole or options.count_delimiters):
        raise UserError("brief needs a folder to write", way_out="Give --out DIR, or --print.")
    if options.whole and options.format == "json":
        raise UserError("--print and --format json both write to standard output", way_out="Leave one out.")
    selected = select(selection(options), verbatim=True)
    material = selected.material
    if material.patch is None:
        raise UserError(
            "a brief is made of a diff, and here whole files are judged",
            way_out="Give --range BASE...HEAD or --diff FILE, or stage a change.",
        )
    diff = material.patch()
    if options.count_delimiters:
        _tell_delimiters(material, diff, options.format)
        return 0

    from sakaime.review.brief import assemble, printed, write

    judgement = judge(selected.policy, material)
    if not options.allow_live:
        _refuse_secrets(selected.policy, material, judgement)
    brief = assemble(selected.policy, judgement, diff, options.language)
    if options.out:
        write(brief, options.out)
    if options.whole:
        sys.stdout.flush()
        for part in printed(brief):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    if options.format == "json":
        from sakaime.review.brief import quoted

        print(quoted(brief.manifest, 2))
    else:
        summary = "\n".join(filter(None, (selected.said, _summary(brief, judgement, options.out))))
        print(summary, file=sys.stderr if options.whole else sys.stdout)
    return 3 if judgement.scope.unjudged else 0


def _refuse_secrets(policy: Policy, material: Material, judgement: Judgement) -> None:
    """Raises `CannotJudge` where a secret is in the material: what a model has read cannot be taken back."""
    from sakaime.judge.masking import live_places
    from sakaime.report.width import visible

    found = [(f.path, f.span.start.line) for f in judgement.findings if f.family == "secrets" and f.kind == "live"]
    places = [
        f"{visible(printable(path))}:{line}" for path, line in dict.fromkeys([*found, *live_places(policy, material)])
    ]
    if not places:
        return
    more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
    raise CannotJudge(
        f"the material holds a secret ({', '.join(places[:_TOLD])}{more}), and a brief hands it on as it is",
        way_out="Take it out of the change, and of what the change removes; where it is none, give --allow-live.",
    )


_TOLD = 5  # places that are named


def _tell_delimiters(material: Material, diff: bytes, form: str) -> None:
    from sakaime.review.fence import delimiters

    added = b"".join(hunk.added_bytes for change in material.changes for hunk in change.hunks)
    table = delimiters(diff, added)
    if form == "json":
        import json

        print(json.dumps({"delimiters": table}, indent=2))
        return
    width = max(map(len, table))
    print(f"{'delimiter':{width}}  whole diff  added lines")
    for mark, counts in table.items():
        print(f"{mark:{width}}  {counts['diff']:10}  {counts['added']:11}")
    lines = sum(change.added_lines for change in material.changes)
    files = len(material.changes)
    print(f"{_count(files, 'file')}, {_count(lines, 'added line')}, {_count(len(diff), 'byte')}")


def _summary(brief: Brief, judgement: Judgement, out: str | None) -> str:
    from sakaime.report.text import scope_line
    from sakaime.report.width import visible

    found = brief.manifest["instructions"]
    lines = [f"{entry['id']}  {visible(entry['path'])}:{entry['line']}  {entry['rule']}" for entry in found]
    lines += [f"not judged: {visible(e.path)}: {e.reason}" for e in judgement.scope.unjudged]
    if not brief.diff:
        lines.append("The material is empty: there is nothing to review.")
    size = f"{_count(len(brief.diff), 'byte')} in {_count(len(brief.chunks), 'chunk')}"
    fence = f"the fence occurs {_count(brief.fence.count, 'time')} in the material"
    lines.append(f"{out or 'the brief'}: {size}, {_count(len(found), 'instruction')} found, {fence}")
    return "\n".join([*lines, scope_line(judgement).rstrip("\n")])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
