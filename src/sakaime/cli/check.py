"""`sakaime check`: judges what is staged, a range, a diff, files or a message."""

from __future__ import annotations

import os
import sys

from sakaime.cli.chosen import Selection, selection
from sakaime.cli.chosen import add_arguments as add_selection
from sakaime.cli.selection import Selected, select
from sakaime.judge import judge
from sakaime.model import Judgement, Record, at_least
from sakaime.report import BESIDE, FORMATS, Context, renderer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

HELP = "Judge the added lines of what is staged, of a range, a diff, files or a message."


class Output(Record):
    """How the judgement is told, and from which severity on the run fails."""

    format: str = "text"
    file: str | None = None
    fail_on: str = "warning"


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_selection(parser)
    parser.add_argument(
        "--baseline", metavar="FILE", help="the findings that are known (default: sakaime-baseline.json)"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="how it is told")
    parser.add_argument("--output", metavar="FILE", help="write the report there instead of to standard output")
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "info", "never"),
        default="warning",
        help="the least severity that gives exit code 1",
    )


def run(options: Namespace) -> int:
    """Judges, reports, and gives the exit code."""
    return _run(selection(options), Output(options.format, options.output, options.fail_on))


def run_default() -> int:
    """The command without options, as a hook calls it."""
    return _run(Selection(), Output())


def _run(chosen: Selection, output: Output) -> int:
    selected = select(chosen)
    judgement = judge(selected.policy, selected.material)
    code = exit_code(judgement, output.fail_on)
    text = renderer(output.format)(judgement, _context(judgement, selected, output, code))
    _write(text, output)
    if output.format in BESIDE:
        _tell_beside(judgement, selected)
    return code


def exit_code(judgement: Judgement, fail_on: str) -> int:
    """3 where something could not be judged, 1 where a finding is at or above `fail_on`, else 0."""
    if judgement.scope.unjudged:
        return 3
    if fail_on == "never":
        return 0
    return int(any(f.suppressed is None and at_least(f.severity, fail_on) for f in judgement.findings))


def _context(judgement: Judgement, selected: Selected, output: Output, code: int) -> Context:
    way_out = ""
    if code and output.format in ("text", "github"):
        from sakaime.cli.wayout import way_out as ways

        way_out = ways(judgement, code, selected.policy.locked)
    return Context(selected.policy, output.fail_on, way_out, selected.said, _colour(output.file))


def _tell_beside(judgement: Judgement, selected: Selected) -> None:
    """What was looked at, where the format itself cannot say it."""
    from sakaime.report.text import asides, scope_line, summary

    told = [selected.said, *asides(judgement), summary(judgement) + scope_line(judgement).rstrip("\n")]
    print(*filter(None, told), sep="\n", file=sys.stderr)


def _colour(file: str | None) -> bool:
    if file is not None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def _write(text: str, output: Output) -> None:
    if output.file is not None:
        from sakaime.cli.files import write_whole

        write_whole(output.file, text.encode("utf-8", "backslashreplace"))
    elif output.format == "text" or not hasattr(sys.stdout, "buffer"):
        sys.stdout.write(text)
    else:
        # Programs read UTF-8, whatever the encoding of the terminal is.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
