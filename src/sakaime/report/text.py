"""A judgement for people: source line, caret, why, and the way out."""

from __future__ import annotations

from sakaime.model import Finding, Judgement
from sakaime.report.width import visible, width

_SHOWN = 100  # columns of a source line that are shown
_COLOURS = {"error": "1;31", "warning": "1;33", "info": "1;36", "dim": "2", "bold": "1", "way": "1;32"}


def render(judgement: Judgement, *, colour: bool, way_out: str = "") -> str:
    """The whole report. `way_out` is what a blocked run shows before the scope, ready to paste."""
    paint = _painter(colour)
    parts = [_finding(finding, paint) for finding in judgement.findings if finding.suppressed is None]
    allowed = [f for f in judgement.findings if f.suppressed not in (None, "baseline")]
    if allowed:
        lines = [f"  {visible(f.path)}:{f.span.start.line}  {f.rule}: {visible(f.suppressed or '')}" for f in allowed]
        parts.append("\n".join(["allowed, with a reason:", *lines]) + "\n")
    if known := sum(f.suppressed == "baseline" for f in judgement.findings):
        parts.append(f"known from the baseline: {_count(known, 'finding')}\n")
    for title, files in (("not judged", judgement.scope.unjudged), ("skipped", judgement.scope.skipped)):
        if files:
            parts.append("\n".join([f"{title}:", *(f"  {visible(f.path)}: {f.reason}" for f in files)]) + "\n")
    if way_out:
        parts.append(way_out + "\n")
    parts.append(summary(judgement, paint) + scope_line(judgement))
    return "\n".join(parts)


def summary(judgement: Judgement, paint: _Paint | None = None) -> str:
    """How many findings of which severity; empty where there are none."""
    counts = {s: sum(f.severity == s for f in judgement.findings if f.suppressed is None) for s in _COLOURS}
    told = [f"{n} {s}{'s' if n != 1 and s != 'info' else ''}" for s, n in counts.items() if n]
    if not told:
        return ""
    text = ", ".join(told)
    return (paint("bold", text) if paint else text) + "; "


def scope_line(judgement: Judgement) -> str:
    """What was looked at, on one line: `7 files, 12 added lines, 214 rules, policy 3f9c1a2b…`."""
    scope = judgement.scope
    if scope.mode == "none":
        what = "nothing staged, nothing judged"
    else:
        what = f"{_count(scope.files, 'file')}, {_count(scope.added_lines, 'added line')}"
    text = f"{what}, {_count(scope.rules, 'rule')}, policy {judgement.policy.digest[:8]}"
    where = {"staged": "staged", "tree": "whole files", "diff": "diff", "message": "message"}.get(scope.mode, "")
    if scope.mode == "range" and scope.base and scope.head:
        where = f"{scope.base[:10]}...{scope.head[:10]}"
    return f"{text} ({where})\n" if where else f"{text}\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    _Paint = Callable[[str, str], str]


def _painter(colour: bool) -> _Paint:
    if not colour:
        return lambda _name, text: text
    return lambda name, text: f"\x1b[{_COLOURS[name]}m{text}\x1b[0m"


def _finding(finding: Finding, paint: _Paint) -> str:
    start = finding.span.start
    margin = " " * len(str(start.line))
    head = paint(finding.severity, f"{finding.severity}[{finding.rule}]")
    lines = [
        f"{head} {paint('bold', visible(finding.message))}",
        f"{margin} {paint('dim', '-->')} {visible(finding.path)}:{start.line}:{start.column}",
    ]
    if finding.line:
        source, before, marked = _cut(finding)
        bar = paint("dim", "|")
        lines += [
            f"{margin} {bar}",
            f"{paint('dim', str(start.line))} {bar} {source}",
            f"{margin} {bar} {' ' * before}{paint(finding.severity, '^' * max(1, marked))}",
        ]
    if finding.why:
        lines.append(f"{margin} {paint('dim', '=')} why: {visible(finding.why)}")
    for related in finding.related:
        place = f"{visible(related.path)}:{related.span.start.line}:{related.span.start.column}"
        lines.append(f"{margin} {paint('dim', '=')} also: {visible(related.message)} ({place})")
    return "\n".join(lines) + "\n"


def _cut(finding: Finding) -> tuple[str, int, int]:
    """The part of the source line to show, and where in it, in columns, the mark begins and how long it is."""
    line = finding.line
    start = min(finding.span.start.column - 1, len(line))
    end = finding.span.end.column - 1 if finding.span.end.line == finding.span.start.line else len(line)
    end = max(start, min(end, len(line)))
    first, head = 0, ""
    while width(line[first:start]) > _SHOWN // 2 and width(line[first:end]) > _SHOWN:
        first, head = max(first + 1, (first + start) // 2), "… "
    last = len(line)
    tail = ""
    while last > first and width(line[first:last]) > _SHOWN:
        last, tail = last - max(1, (width(line[first:last]) - _SHOWN) // 2), " …"
    last = max(last, first)
    before = visible(line[first:start])
    marked = visible(line[start : max(start, min(end, last))])
    after = visible(line[max(start, min(end, last)) : last])
    return f"{head}{before}{marked}{after}{tail}", width(head) + width(before), width(marked)
