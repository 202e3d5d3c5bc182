"""Letting a finding stay, with a reason: a comment beside it, or an entry in the settings."""

from __future__ import annotations

import re

from sakaime.judge.comments import MARK, comments
from sakaime.judge.suppress import is_locked
from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.lsp.normal import normal
from sakaime.packs.inforce import SETTINGS
from sakaime.policy.policy import WATCHED
from sakaime.report.width import visible
from sakaime.text.segments import blocks
from sakaime.text.source import Source
from sakaime.text.syntax import JSON, YAML, ending, syntax_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tomlkit.items import Date, String

_MARKDOWN = frozenset({"md", "markdown", "mdx", "mdc", "qmd", "rmd"})
_COMMENTED_JSON = frozenset({"jsonc", "json5"})
_SHOWN = 40  # characters of a criterion in a title
_ENDS = re.compile(r"\buntil([ \t]+\S+)\Z", re.I)
_INLINE_ALLOWS = re.compile(r"^[ \t]*(?:allow|\"allow\")[ \t]*=", re.M)


def allow(
    known: Known,
    placed: Placed,
    reason: str,
    until: str | None = None,
    settings: str | None = None,
    into: str = SETTINGS,
) -> Fix | None:
    """The fix that lets a finding stay for a reason, up to a day (YYYY-MM-DD; None: for good).

    A comment on a line of its own above, where the language has any and the place takes one; else an entry of the
    settings, whose text is `settings` (None: there are none yet) and whose file is `into`, `sakaime.toml` or
    `pyproject.toml`. Without a reason the comment says none, which is a finding by itself. None for what nobody here
    may let stay: what the floor locks, and what no rule in force says.
    """
    finding = placed.finding
    policy = known.policy
    if is_locked(finding, policy.locked) or not (finding.rule in policy.ids or finding.rule in WATCHED):
        return None
    why, until = _plain(reason), "".join((until or "").split()) or None
    live = finding.family == "secrets" and finding.kind == "live"  # its line is masked: only its fingerprint tells it
    commented = not live and not known.message and finding.rule in policy.ids
    edit = _comment(known, placed, why, until) if commented else None
    if edit is not None:
        return Fix(_title(placed, why), (edit,), (placed,))
    if not finding.fingerprint:
        return None
    entry = _entry(placed, why, until, settings or "", into)
    return Fix(_title(placed, why), (entry,), (placed,), path=into)


def named(placed: Placed) -> str:
    """The rule of a finding and, where several criteria may be gone at one place, which one it is."""
    finding = placed.finding
    what = f" ({visible(finding.excerpt[:_SHOWN])})" if finding.family == "criteria" else ""
    return f"{finding.rule} here{what}"


def _title(placed: Placed, why: str) -> str:
    return f"Allow {named(placed)}" if why else f"Allow {named(placed)}, with a reason to be written"


def _plain(reason: str) -> str:
    """A reason in one line that ends neither a comment nor itself."""
    words = " ".join("".join(char if char.isprintable() else " " for char in reason).split())
    for sign, instead in (("-->", "->"), ("*/", "* /"), ("#>", "# >"), ("*)", "* )"), ("]]", "] ]"), ("-}", "- }")):
        words = words.replace(sign, instead)
    return _ENDS.sub(r"till\1", words)  # what is behind `until` is a day


def _comment(known: Known, placed: Placed, why: str, until: str | None) -> Edit | None:
    """The comment above the line of a finding; None where there can be none."""
    signs = _signs(known.path)
    here = normal(known.text)
    source = here.source
    if signs is None or not here.text:
        return None
    index = source.line_index(min(here.inner(placed.start), max(0, len(here.text) - 1)))
    start, end = source.bounds(index)
    line = here.text[start:end]
    if index == 0 and line.startswith(("#!", "<?", "---")):
        return None
    if ending(known.path) in _MARKDOWN and not _takes_comment(source, index):
        return None
    said = f"{MARK} {placed.finding.rule} --"
    said += f" {why}" if why else ""
    said += f" until {until}" if until and why else ""
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    leader = _leader(known.path, source, here.inner(placed.start), signs)
    if leader is not None:  # in a comment of several lines
        written = f"{indent}{leader}{said}\n"
    else:
        written = f"{indent}{signs[0]} {said}{f' {signs[1]}' if signs[1] else ''}\n"
    changed = here.text[:start] + written + here.text[start:]
    after = Source(changed)
    for one in comments(known.path, after):
        if one.number == index + 1 and (one.rule, one.reason, one.until) == (
            placed.finding.rule,
            why,
            until or "" if why else "",
        ):
            break
    else:
        return None  # inside of a string, a block of text
    at = here.outer(start)
    return Edit(at, at, here.written(written))


def _signs(path: str) -> tuple[str, str] | None:
    """What begins and ends a comment of a line in a file; None where there are no comments."""
    kind = ending(path)
    if kind in _MARKDOWN:
        return "<!--", "-->"
    if kind in YAML:
        return "#", ""
    if kind in JSON:
        return None
    syntax = syntax_of(path)
    if syntax is None:
        return None
    if syntax.line:
        return syntax.line[0].strip(), ""
    return syntax.block[0] if syntax.block else None


def _leader(path: str, source: Source, offset: int, signs: tuple[str, str]) -> str | None:
    """What a line begins with in a comment that goes on over lines; None where an offset is in no such comment."""
    start, end = source.bounds(source.line_index(offset))
    for block in blocks(path, source, wanted=((start, end),)):
        if block.place != "comment":
            continue
        for first, last in block.pieces:
            if first <= offset < last and start <= first:
                before = source.text[start:first].strip()
                if not before:
                    return ""
                return "* " if before == "*" and signs[0] != "*" else None
    return None


def _takes_comment(source: Source, index: int) -> bool:
    """Whether a line of Markdown may have a comment above it: none in a table, a fence, the keys at the top."""
    text = source.text
    line = text[slice(*source.bounds(index))]
    if line.lstrip(" \t>").startswith("|") or (index and "|" in line and "|" in text[slice(*source.bounds(index - 1))]):
        return False
    fence, top = "", text.startswith("---\n")
    for number in range(index):
        at = text[slice(*source.bounds(number))].strip()
        if top and number and at in ("---", "..."):
            top = False
        mark = at[:3]
        if mark in ("```", "~~~") and (not fence or (mark == fence and not at.strip(mark[0]))):
            fence = "" if fence else mark
    return not fence and not top


def _entry(placed: Placed, why: str, until: str | None, settings: str, into: str) -> Edit:
    """The entry of the settings: behind the others."""
    import tomlkit

    finding = placed.finding
    entry = tomlkit.table()
    for key, value in (
        ("rule", finding.rule),
        ("path", finding.path),
        ("fingerprint", finding.fingerprint),
        ("reason", why),
    ):
        entry.add(key, value)
    if until:
        entry.add("until", _day(until))
    here = normal(settings)
    name = "allow" if into == SETTINGS else "tool.sakaime.allow"
    if into == SETTINGS and _INLINE_ALLOWS.search(here.text) is not None:
        inline = _appended(here.text, entry)
        if inline is not None:
            return Edit(here.outer(0), here.outer(len(here.text)), here.written(inline))
    head = "" if not here.text or here.text.endswith("\n\n") else "\n" if here.text.endswith("\n") else "\n\n"
    at = here.outer(len(here.text))
    return Edit(at, at, here.written(f"{head}[[{name}]]\n{entry.as_string()}"))


def _day(until: str) -> Date | String:
    """A day as TOML has it; what is none stays a text, which the settings do not take."""
    import tomlkit

    try:
        return tomlkit.date(until)
    except ValueError:
        return tomlkit.string(until)


def _appended(settings: str, entry: object) -> str | None:
    """The settings with an entry more in the list that they write in brackets; None where there is none."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import Array, Table

    try:
        document = tomlkit.parse(settings)
        listed = document.get("allow")
        if not isinstance(listed, Array) or not isinstance(entry, Table):
            return None
        inline = tomlkit.inline_table()
        inline.update(entry)
        listed.append(inline)
        return tomlkit.dumps(document)
    except TOMLKitError:
        return None
