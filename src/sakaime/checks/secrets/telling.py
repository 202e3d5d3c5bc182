"""What is told of a value without telling it: length, characters, a public prefix."""

from __future__ import annotations

from sakaime.model import Finding
from sakaime.policy.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.secrets.classify import Verdict
    from sakaime.model import Span

MASK = "*"  # of each character that is not shown
_SHOWN = 120
_KEY = 80


def described(value: str, prefix: str, checked: str) -> str:
    """A value in words: how long it is, of what, with which public prefix."""
    begins = f", beginning with {prefix}" if prefix else ""
    ends = f"; {checked}" if checked else ""
    return f"{len(value)} characters of {_charset(value)}{begins}{ends}"


def _charset(value: str) -> str:
    if all(c in "0123456789abcdefABCDEF" for c in value):
        return "hex"
    every = (
        ("letters", any(map(str.isalpha, value))),
        ("digits", any(map(str.isdigit, value))),
        ("signs", any(not c.isalnum() and not c.isspace() for c in value)),
    )
    names = [name for name, there in every if there] or ["blanks"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def finding(
    verdict: Verdict,
    kind: str,
    severity: str,
    path: str,
    keys: tuple[str, ...],
    value: str,
    span: Span,
    line: tuple[int, str],
) -> Finding:
    """What is reported of a value. Nothing of it is in the finding but what `verdict` says may be shown."""
    shown = verdict.shown if len(verdict.shown) <= _SHOWN else ""
    what = verdict.product or shown or described(value, verdict.prefix, verdict.checked)
    if verdict.product and shown:
        what = f"{verdict.product}: “{shown}”" if verdict.rule.test == "published" else shown
    name = ".".join(keys) or "the text"
    name = name if len(name) <= _KEY else f"…{name[1 - _KEY :]}"
    message = verdict.rule.message.replace("{match}", " ".join(what.split())).replace("{key}", " ".join(name.split()))
    if not shown:
        message = message.replace("“" + what + "”", "a value of " + what)
    return Finding(
        rule=verdict.rule.id,
        family="secrets",
        kind=kind,
        severity=severity,
        message=message + (", where nothing else is set" if kind == "fallback" else ""),
        path=path,
        span=span,
        excerpt=" ".join(shown.split()) if shown else f"{verdict.prefix}…",
        line=line[1],
        line_column=line[0],
        why=verdict.rule.why,
        key="\0".join((path, ".".join(keys))),
    )


def masked(text: str, start: int, end: int, prefix: str) -> str:
    """A text with a range of it masked, as long as before, so that columns stay; line ends stay, too."""
    start, end = max(0, start), min(len(text), end)
    if start >= end:
        return text
    inside = text[start:end]
    keep = len(prefix) if prefix and inside.startswith(prefix) else 0
    return text[:start] + inside[:keep] + "".join(c if c in "\r\n" else MASK for c in inside[keep:]) + text[end:]


def severity_of(rule: Rule, zone: str, kind: str) -> str:
    """How bad a value is in a zone; empty: nothing is told."""
    worths = dict(rule.worths)
    where = "fallback" if kind == "fallback" and zone != "exempt" else zone
    worth = worths.get(where, "off")
    if worth == "off" or rule.severity == "error":
        return "" if worth == "off" else worth
    order = ("info", "warning", "error")
    return min(worth, rule.severity, key=order.index)
