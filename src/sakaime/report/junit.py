"""A judgement as JUnit XML, which most CI servers show as test results."""

from __future__ import annotations

from sakaime.model import Finding, Judgement, Skipped, at_least
from sakaime.report.text import block, scope_line
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.report import Context


def render(judgement: Judgement, context: Context) -> str:
    """One suite: a test case for what was looked at, one per finding, per file skipped and not judged.

    A finding fails its case where it fails the run (`fail_on`); what is allowed is a skipped case with its
    reason. What could not be judged is an error.
    """
    scope = judgement.scope
    failing = [f for f in judgement.findings if f.suppressed is None and _fails(f, context.fail_on)]
    allowed = [f for f in judgement.findings if f.suppressed is not None]
    cases = [_case("sakaime", "what was judged", f"<system-out>{_text(scope_line(judgement).strip())}</system-out>")]
    cases += [_file(file, "error", "not judged") for file in scope.unjudged]
    cases += [_finding(finding, context.fail_on) for finding in judgement.findings]
    cases += [_file(file, "skipped", "skipped") for file in scope.skipped]
    counts = f'tests="{len(cases)}" failures="{len(failing)}" errors="{len(scope.unjudged)}"'
    suite = f'name="sakaime" {counts} skipped="{len(allowed) + len(scope.skipped)}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="sakaime" {counts}>',
        f"  <testsuite {suite}>",
        "    <properties>",
        *(f'      <property name="{key}" value="{_text(value)}"/>' for key, value in _properties(judgement, context)),
        "    </properties>",
        *(f"    {case}" for case in cases),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _properties(judgement: Judgement, context: Context) -> list[tuple[str, str]]:
    scope = judgement.scope
    told = {
        "mode": scope.mode,
        "base": scope.base or "",
        "head": scope.head or "",
        "files": str(scope.files),
        "added_lines": str(scope.added_lines),
        "rules": str(scope.rules),
        "policy": judgement.policy.digest,
        "selected": context.said,
    }
    return [(key, value) for key, value in told.items() if value]


def _fails(finding: Finding, fail_on: str) -> bool:
    return fail_on != "never" and at_least(finding.severity, fail_on)


def _finding(finding: Finding, fail_on: str) -> str:
    start = finding.span.start
    name = f"{finding.rule} at {start.line}:{start.column}"
    if finding.suppressed is not None:
        return _case(finding.path, name, f'<skipped message="{_text(f"allowed: {finding.suppressed}")}"/>')
    told = "\n".join(map(_text, block(finding).rstrip("\n").split("\n")))
    if not _fails(finding, fail_on):
        return _case(finding.path, name, f"<system-out>{told}</system-out>")
    head = f'type="{_text(finding.rule)}" message="{_text(finding.message)}"'
    return _case(finding.path, name, f"<failure {head}>{told}</failure>")


def _file(file: Skipped, element: str, title: str) -> str:
    return _case(file.path, title, f'<{element} message="{_text(file.reason)}"/>')


def _case(path: str, name: str, inside: str) -> str:
    return f'<testcase classname="{_text(path)}" name="{_text(name)}">{inside}</testcase>'


def _text(text: str) -> str:
    """A text inside XML. What XML cannot hold is shown as `<U+XXXX>`, as in every report."""
    shown = visible(text)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
