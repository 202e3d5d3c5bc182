"""A judgement for people: source line, caret, why, and the way out."""

from __future__ import annotations

from sakaime.model import Finding, Judgement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.report import Context

    _Paint = Callable[[str, str], str]

_SHOWN = 100  # columns of a source line that are shown
_SHORTLY = 10  # lines for the review to look at that are told one by one
_COLOURS = {"error": "1;31", "warning": "1;33", "info": "1;36", "dim": "2", "bold": "1", "way": "1;32"}


def render(judgement: Judgement, context: Context) -> str:
    """The whole report, in colour where the context says so."""
    paint = _painter(context.colour)
    parts = [context.said] if context.said else []
    counted = [finding for finding in judgement.findings if finding.suppressed is None]
    parts += [block(finding, paint) for finding in counted if not _in_short(finding)]
    if short := [finding for finding in counted if _in_short(finding)]:
        parts.append(_shortly(short, paint))
    parts += [f"{told}\n" for told in (*asides(judgement), context.way_out) if told]
    parts.append(summary(judgement, paint) + scope_line(judgement))
    return "\n".join(parts)


def _in_short(finding: Finding) -> bool:
    """Whether a finding is no more than a line that the review must look at: it must not drown the others."""
    return finding.family == "risks" and finding.severity == "info"


def _shortly(findings: list[Finding], paint: _Paint) -> str:
    from sakaime.report.width import columns, fitted, padded, visible

    rows = [
        (visible(f"{f.path}:{f.span.start.line}:{f.span.start.column}"), f"info[{f.rule}]", fitted(f.message, _SHOWN))
        for f in findings[:_SHORTLY]
    ]
    wide, rule = max(columns(row[0]) for row in rows), max(len(row[1]) for row in rows)
    lines = [f"  {padded(place, wide)}  {paint('info', padded(name, rule))}  {said}" for place, name, said in rows]
    if rest := len(findings) - len(rows):
        lines.append(f"  and {rest} more (sakaime coverage lists them)")
    return "\n".join([paint("bold", "For the review to look at:"), *lines]) + "\n"


def asides(judgement: Judgement) -> list[str]:
    """What is no finding that counts, one text each: what is allowed, not judged, skipped."""
    if not (judgement.findings or judgement.scope.unjudged or judgement.scope.skipped):
        return []
    from sakaime.report.width import visible

    allowed = [f for f in judgement.findings if f.suppressed not in (None, "baseline")]
    known = sum(f.suppressed == "baseline" for f in judgement.findings)
    told = {
        "allowed, with a reason": [
            f"{visible(f.path)}:{f.span.start.line}  {f.rule}: {visible(f.suppressed or '')}" for f in allowed
        ],
        "not judged": [f"{visible(f.path)}: {f.reason}" for f in judgement.scope.unjudged],
        "skipped": [f"{visible(f.path)}: {f.reason}" for f in judgement.scope.skipped],
    }
    texts = ["\n  ".join([f"{title}:", *lines]) for title, lines in told.items() if lines]
    return [*texts, f"known from the baseline: {_count(known, 'finding')}"] if known else texts


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


def _painter(colour: bool) -> _Paint:
    if not colour:
        return lambda _name, text: text
    return lambda name, text: f"\x1b[{_COLOURS[name]}m{text}\x1b[0m"


def block(finding: Finding, paint: _Paint = lambda _name, text: text) -> str:
    """One finding: what, where, the source line with a mark below it, why."""
    from sakaime.report.width import visible

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
    from sakaime.report.width import attached, cells

    span, line = finding.span, finding.line
    start = min(max(0, span.start.column - finding.line_column), len(line))
    end = len(line)
    if span.end.line == span.start.line:
        end = max(start, min(span.end.column - finding.line_column, end))
    # No more than this many characters can be shown, so no others need to be measured.
    offset = max(0, start - _SHOWN)
    shown = cells(line[offset : start + 2 * _SHOWN])
    start, end = start - offset, min(end - offset, len(shown))
    first = 0
    before, marked = _columns(shown[:start]), _columns(shown[start:end])
    while first < start and ((before > _SHOWN // 2 and before + marked > _SHOWN) or (first and attached(shown[first]))):
        before -= shown[first][1]
        first += 1
    last, room = first, _SHOWN
    while last < len(shown) and shown[last][1] <= room:
        room -= shown[last][1]
        last += 1
    head = "… " if first or offset or finding.line_column > 1 else ""
    tail = " …" if last < len(shown) or offset + last < len(line) else ""
    marked = _columns(shown[start : max(start, min(end, last))])
    return f"{head}{''.join(text for text, _ in shown[first:last])}{tail}", len(head) + before, marked


def _columns(shown: list[tuple[str, int]]) -> int:
    return sum(columns for _, columns in shown)
