"""A judgement as workflow commands of GitHub Actions: annotations beside the lines of a pull request."""

from __future__ import annotations

from sakaime.model import Finding, Judgement
from sakaime.report.text import asides, scope_line, summary
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.report import Context

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(judgement: Judgement, context: Context) -> str:
    """One command a line, then the way out as plain text.

    GitHub shows ten annotations of each kind and step, the first ones; the log of the step shows all. So
    what was looked at and what could not be judged come first.
    """
    told = "\n".join(filter(None, [summary(judgement) + scope_line(judgement).rstrip("\n"), context.said]))
    lines = [_command("notice", "\n".join([told, *asides(judgement)]), title="sakaime")]
    lines += [
        _command("error", f"{file.path} could not be judged: {file.reason}", file=file.path, title="not judged")
        for file in judgement.scope.unjudged
    ]
    lines += [_annotation(finding) for finding in judgement.findings if finding.suppressed is None]
    return "\n".join([*lines, *([context.way_out] if context.way_out else [])]) + "\n"


def _annotation(finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    place = {"file": finding.path, "line": str(start.line), "endLine": str(end.line)}
    if start.line == end.line:  # GitHub refuses columns in an annotation of several lines
        place |= {"col": str(start.column), "endColumn": str(end.column)}
    message = "\n".join(filter(None, [visible(finding.message), visible(finding.why)]))
    return _command(_COMMANDS[finding.severity], message, **place, title=finding.rule)


def _command(name: str, message: str, **properties: str) -> str:
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {told}::{_data(message)}"


def _data(text: str) -> str:
    return _escaped("\n".join(visible(line) for line in text.split("\n")))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
