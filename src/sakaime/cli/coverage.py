"""`sakaime coverage`: which risks and hunks each note shields."""

from __future__ import annotations

import json

from sakaime.cli.chosen import add_arguments as add_selection
from sakaime.cli.chosen import selection
from sakaime.cli.selection import select
from sakaime.judge import judge
from sakaime.report.coverage import coverage_data, coverage_text
from sakaime.report.text import asides, scope_line
from sakaime.text.paths import printable
from sakaime.text.source import is_wide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sakaime.material.change import Material

HELP = "Tell which lines that a review must look at are shielded, and by which notes."


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_selection(parser)
    parser.add_argument("--defects", metavar="FILE", help="look for these instead: a list of {id, path, line, what}")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is told")


def _lengths(material: Material) -> dict[str, int | None]:
    """The number of lines in the new side of each file, where there is one and it is known as a whole."""
    lengths: dict[str, int | None] = {}
    for change in material.changes:
        data = material.bytes_of(change.new)
        wide = data is not None and is_wide(data)
        lengths[printable(change.path)] = None if data is None or wide else max(1, len(data.splitlines()))
    return lengths


def run(options: Namespace) -> int:
    """Prints the coverage. Gives 3 where a file of the material could not be judged, else 0."""
    selected = select(selection(options))
    judgement = judge(selected.policy, selected.material)
    found = judgement.coverage
    if options.defects is not None:
        from sakaime.cli.defects import defects
        from sakaime.judge.coverage import coverage_of

        listed = defects(options.defects, _lengths(selected.material))
        found = coverage_of(selected.policy, selected.material, judgement.findings, listed)
    if options.format == "json":
        print(json.dumps(coverage_data(found), ensure_ascii=False, indent=2))
    else:
        told = [
            selected.said,
            coverage_text(found).rstrip("\n"),
            *asides(judgement),
            scope_line(judgement).rstrip("\n"),
        ]
        print(*filter(None, told), sep="\n")
    return 3 if judgement.scope.unjudged else 0
