"""Exceptions that stand in the text itself: `sakaime: allow RULE -- reason [until 2027-03-31]`.

One covers its own line and the next. In a range or a diff it counts only where it stands in BASE too: a
change cannot bring its own.
"""

from __future__ import annotations

import re

from sakaime.material.change import Change, Material
from sakaime.model import Finding, Record, Span
from sakaime.policy.policy import Policy
from sakaime.text.paths import printable
from sakaime.text.segments import blocks
from sakaime.text.source import Source, Undecodable, decode
from sakaime.text.syntax import ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sakaime.material.texts import Text

MARK = "sakaime: allow"
_DIRECTIVE = re.compile(
    r"(?:\A|(?<=[#/;*%!'-])[ \t]*)sakaime: allow\b[ \t]*(?P<rule>(?!--)\S*)[ \t]*"
    r"(?:--[ \t]*(?P<rest>.*))?\Z"
)
_UNTIL = re.compile(r"(?:\A|\s)\[?until[ \t]+(?P<day>\S+?)\]?\Z")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\Z")
_HTML_COMMENT = re.compile(r"<!--((?:[^-]|-(?!->))*)-->")
_LINE = 2000
_MARKDOWN = frozenset({"md", "markdown", "mdx", "mdc", "qmd", "rmd"})


class Comment(Record):
    """One such comment: its place, the offsets of its text, and what it says."""

    span: Span
    start: int
    end: int
    rule: str
    reason: str
    until: str

    @property
    def number(self) -> int:
        """The number of its line."""
        return self.span.start.line


class Exceptions(Record):
    """Those of one file that count, and what there is to report of the others."""

    path: str
    valid: tuple[Comment, ...]
    findings: tuple[Finding, ...]


def comments(path: str, source: Source) -> Iterator[Comment]:
    """Every such comment of a file, well-formed or not, in order."""
    text = source.text
    spots = []
    at = text.find(MARK)
    while at >= 0:
        spots.append(source.bounds(source.line_index(at)))
        at = text.find(MARK, at + 1)
    if not spots:
        return
    if ending(path) in _MARKDOWN:
        pieces = [m.span(1) for start, end in dict.fromkeys(spots) for m in _HTML_COMMENT.finditer(text, start, end)]
    else:
        wanted = tuple(dict.fromkeys(spots))
        found = blocks(path, source, wanted=wanted)
        pieces = [piece for block in found if block.place == "comment" for piece in block.pieces]
    for start, end in pieces:
        words = text[start:end]
        if MARK not in words:
            continue
        start += len(words) - len(words.lstrip())
        directive = _DIRECTIVE.search(text[start:end].rstrip())
        if directive is None:
            continue
        rest = (directive["rest"] or "").strip()
        until = _UNTIL.search(rest)
        reason = rest[: until.start()].strip() if until else rest
        yield Comment(
            source.span(start, max(start + 1, end)),
            start,
            end,
            directive["rule"],
            reason,
            until["day"] if until else "",
        )


def exceptions(
    policy: Policy, material: Material, change: Change, text: Text, found: Iterable[Finding], today: str
) -> Exceptions:
    """What the comments of one file except. `found` are the findings in that file."""
    known = policy.ids
    locked = policy.locked
    lines = [finding.span.start.line for finding in found]
    gate = material.mode in ("range", "diff")
    there: set[tuple[str, str, str]] | None = None
    valid: list[Comment] = []
    told: list[Finding] = []
    path = printable(change.path)
    for comment in comments(change.path, text.source):
        added = any(first <= comment.number <= last for first, last in change.added)
        near = any(line in (comment.number, comment.number + 1) for line in lines)
        tell = _teller(comment, path, text.source)
        mistake = _mistake(comment, known, locked, today)
        if mistake is not None:
            if added or near:
                told.append(tell(*mistake))
            continue
        if there is None:
            there = _in_base(material, change)
        stands = (comment.rule, comment.reason, comment.until) in there
        if gate and (added or not stands):
            if added or near:
                why = "the change brings its own exception" if added else "the exception stands in BASE no more"
                text_ = f"{why}, to {comment.rule}: it counts only once it is in BASE"
                told.append(tell("policy/own-exception", "own-exception", "warning", text_))
            continue
        valid.append(comment)
        if not stands:
            text_ = f"the exception to {comment.rule} is not in HEAD; CI judges by BASE"
            told.append(tell("policy/own-exception", "own-exception", "info", text_))
    return Exceptions(path, tuple(valid), tuple(told))


def by_comments(every: Iterable[Exceptions], is_locked: Callable[[Finding], bool]) -> Callable[[Finding], str | None]:
    """The source of exceptions that the comments of all files are."""
    by_path = {one.path: one.valid for one in every}

    def reason(finding: Finding) -> str | None:
        for comment in by_path.get(finding.path, ()):
            if covers(comment, finding) and not is_locked(finding):
                return comment.reason
        return None

    return reason


def covers(comment: Comment, finding: Finding) -> bool:
    """Whether a comment is about a finding: its rule, on its own line or the next."""
    return comment.rule == finding.rule and finding.span.start.line in (comment.number, comment.number + 1)


def _mistake(
    comment: Comment, known: frozenset[str], locked: dict[str, str], today: str
) -> tuple[str, str, str, str] | None:
    if comment.rule in locked:
        text = f"{comment.rule} is locked by {locked[comment.rule]}; a comment cannot make an exception to it"
        return "policy/locked", "locked", "error", text
    if comment.rule not in known:
        text = f"the exception has no effect: no rule {comment.rule[:100]!r} is in force"
    elif not comment.reason:
        text = f"the exception to {comment.rule} has no effect: it says no reason (-- why)"
    elif comment.until and not _DAY.match(comment.until):
        text = f"the exception to {comment.rule} has no effect: {comment.until[:100]!r} is no day (YYYY-MM-DD)"
    elif comment.until and comment.until < today:
        text = f"the exception to {comment.rule} ended on {comment.until}; it counts no more"
        return "policy/expired", "expired", "warning", text
    else:
        return None
    return "policy/exception", "exception", "warning", text


def _in_base(material: Material, change: Change) -> set[tuple[str, str, str]]:
    for name in dict.fromkeys((change.path, change.old_path)):
        data = material.decided(name) if name is not None else None
        if data is not None and name is not None:
            try:
                source = Source(decode(data))
            except Undecodable:
                return set()
            return {(comment.rule, comment.reason, comment.until) for comment in comments(name, source)}
    return set()


def _teller(comment: Comment, path: str, source: Source) -> Callable[[str, str, str, str], Finding]:
    index = source.line_index(comment.start)
    first, last = source.bounds(index)

    def tell(rule: str, kind: str, severity: str, message: str) -> Finding:
        return Finding(
            rule=rule,
            family="policy",
            kind=kind,
            severity=severity,
            message=message,
            path=path,
            span=comment.span,
            excerpt=source.text[comment.start : min(comment.end, comment.start + 200)],
            line=source.text[first : min(last, first + _LINE)],
        )

    return tell
