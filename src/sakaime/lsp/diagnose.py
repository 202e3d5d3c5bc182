"""From a document's text to what is found in it, judged against its old side."""

from __future__ import annotations

from collections import OrderedDict

from sakaime.judge import judge
from sakaime.lsp.known import Judged, Placed
from sakaime.lsp.normal import Normal, normal
from sakaime.material.change import Material
from sakaime.material.sources import buffer, whole_file
from sakaime.material.sources import message as commit_message
from sakaime.model import Finding, Span
from sakaime.text.paths import printable
from sakaime.text.source import Undecodable, decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.material.change import Change, Hunk
    from sakaime.policy.policy import Policy

_ALLOW = b"sakaime: allow"
_OLD_SIDES = 16  # of which is remembered what stands in them


def judge_text(policy: Policy, path: str, old: bytes | None, text: str, message: bool = False) -> Judged:
    """Everything found in a text: what is new against `old` as it is, what `old` already had as inherited.

    `path` is relative to the root of the repository; `old` is the file on the base side (None: there is
    none, and every line is new). Line ends play no part in the comparison: git may record others than
    the work tree has. With `message` it is the message of a commit, of which git's own lines are left out.
    """
    here = normal(text)
    new = here.text.encode()
    before = None if old is None or message else decoded(old)
    if message:
        material = commit_message("commit-message", new)
    else:
        material = buffer(path, None if before is None else before.replace("\r\n", "\n").encode(), new)
    names = {printable(change.path) for change in material.changes}
    judgement = judge(policy, material)
    findings = list(judgement.findings)
    if before is not None:
        findings += _inherited(policy, material.changes[0])
    reasons = [skipped.reason for skipped in judgement.scope.unjudged]
    return Judged(placed((f for f in findings if f.path in names), here), "; ".join(reasons) or None)


def decoded(old: bytes) -> str | None:
    """An old side as text; None where it is none: nothing of it can be compared, so every line counts as new."""
    try:
        return decode(old)
    except Undecodable:
        return None


def placed(findings: Iterable[Finding], here: Normal) -> tuple[Placed, ...]:
    """The findings that count, in order of their places in the document."""
    found = []
    for finding in findings:
        if finding.suppressed is None:
            start, end = (here.offset(place.line, place.column) for place in (finding.span.start, finding.span.end))
            found.append(Placed(finding, start, max(start, end)))
    return tuple(sorted(found, key=lambda p: (p.start, p.end)))


def _inherited(policy: Policy, change: Change) -> list[Finding]:
    """What the old side had in lines that are still there, at the lines where they stand now."""
    assert change.old is not None and change.old.data is not None
    assert change.new is not None and change.new.data is not None
    if any(_ALLOW in hunk.new for hunk in change.hunks):
        # A new exception may be for a line that was there before: only the whole text tells.
        whole = _standing(policy, change.path, change.new.data)
        return [f.replace(inherited=True) for f in whole if not _touches(f.span.lines, change.added)]
    moved = []
    shift, at, hunks = 0, 0, [_lengths(hunk) for hunk in change.hunks]
    for finding in _standing(policy, change.path, change.old.data):
        lines = finding.span.lines
        while at < len(hunks) and hunks[at][1] <= lines.start:
            shift = hunks[at][2] - hunks[at][1]
            at += 1
        if at == len(hunks) or lines.stop <= hunks[at][0]:
            start, end = finding.span.start, finding.span.end
            span = Span(start.replace(line=start.line + shift), end.replace(line=end.line + shift))
            moved.append(finding.replace(inherited=True, span=span))
    return moved


def _lengths(hunk: Hunk) -> tuple[int, int, int]:
    """Where a hunk begins in the old side, and the lines behind it in the old and in the new one."""
    gone, come = (sum(last - first + 1 for first, last in runs) for runs in (hunk.removed, hunk.added))
    return hunk.old_start, hunk.old_start + gone, hunk.new_start + come


def _touches(lines: range, runs: Sequence[tuple[int, int]]) -> bool:
    return any(first < lines.stop and lines.start <= last for first, last in runs)


_standing_in: OrderedDict[tuple[str, str, bytes], tuple[Finding, ...]] = OrderedDict()


def _standing(policy: Policy, path: str, data: bytes) -> tuple[Finding, ...]:
    """What stands in a text as a whole: of the old side, it is the same at every keystroke.

    A line for the review to look at, and what is said of the policy, are only what a change brings.
    """
    key = (policy.id.digest, path, data)
    found = _standing_in.pop(key, None)
    if found is None:
        whole = judge(policy, Material("buffer", (whole_file(path, data),)))
        here = printable(path)
        found = tuple(
            f for f in whole.findings if f.path == here and f.suppressed is None and f.family not in ("policy", "risks")
        )
    _standing_in[key] = found
    while len(_standing_in) > _OLD_SIDES:
        _standing_in.popitem(last=False)
    return found
