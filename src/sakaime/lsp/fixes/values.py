"""Replacing a value where a secret is expected by a reference to where it is kept, in the grammar of the file."""

from __future__ import annotations

import re

from sakaime.checks.secrets.readers import kind_of
from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.model import Record
from sakaime.text.syntax import ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LONG = 300  # characters of a line that are looked at on either side of a value
_LONGEST_NAME = 80
_PARTS = 3  # of a path of keys, from its end
_NO_NAMES = frozenset(
    "class self this return const var let val env environment environ config settings default".split()
)
_LEAST_NAME = 3  # characters of what a value of a program is in, for it to be part of the name
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# What reads a variable of the environment, by the ending of a program's name.
_READERS = {
    ending: reader
    for endings, reader in (
        ("py pyi pyw", 'os.environ["{}"]'),
        ("js mjs cjs jsx ts mts cts tsx", "process.env.{}"),
        ("rb rake gemspec ru", 'ENV.fetch("{}")'),
        ("java kt kts groovy gradle scala", 'System.getenv("{}")'),
        ("go", 'os.Getenv("{}")'),
        ("cs", 'Environment.GetEnvironmentVariable("{}")'),
        ("php", "getenv('{}')"),
        ("rs", 'std::env::var("{}").unwrap()'),
        ("ex exs", 'System.fetch_env!("{}")'),
        ("ps1 psm1", "$env:{}"),
        ("pl pm", "$ENV{{{}}}"),
        ("swift", 'ProcessInfo.processInfo.environment["{}"]'),
    )
    for ending in endings.split()
}
_QUOTES = "\"'`"
_TAGS = ("jsx", "tsx")  # where `name="value"` may be an attribute

_SHELL_FALLBACK = re.compile(r"\$\{[A-Za-z_][\w.]*(?P<gone>(?::-|:=|-|=|:)[\"']?)\Z")
_SHELL_END = re.compile(r"(?P<gone>[\"']?)\}")
_CALL = re.compile(
    r"(?P<call>[\w.:]+)\([ \t]*(?P<name>[\"'][A-Za-z_]\w*[\"'])(?P<gone>[ \t]*,[ \t]*(?:default[ \t]*=[ \t]*)?[\"'])\Z"
)
_CALL_END = re.compile(r"(?P<gone>[\"'][ \t]*)\)")
_OR = re.compile(r"[\w\])\"'](?P<gone>[ \t]*(?:\|\||\?\?|\bor\b)[ \t]*[\"'`])\Z")
_BLOCK = re.compile(r"\)(?P<gone>[ \t]*\{[ \t]*[\"'])\Z")
_BLOCK_END = re.compile(r"(?P<gone>[\"'][ \t]*\})")
_QUOTE_END = re.compile(r"(?P<gone>[\"'`])")
_PYTHON_CALLS = ("os.environ.get", "os.getenv")

_FLOW_OPENS = re.compile(r"[\[{][ \t]*(?:#[^\n]*)?\r?\n")
_PLAIN_BEFORE = re.compile(r"(?:[:\-][ \t]+|[,\[{][ \t]*)\Z")
_PLAIN_AFTER = re.compile(r"[ \t]*(?:[,\]}]|#|\r?\n|\Z)")
_IMPORT_OS = re.compile(r"^(?:import os\b|import .*\bos\b|from os import )", re.M)
_FIRST_IMPORT = re.compile(r"^(?:import |from (?!__future__))", re.M)


class _Written(Record):
    """A reference, and the edits that write it in the place of a value."""

    reference: str
    edits: tuple[Edit, ...]


class _Spot:
    """A value in its line: what stands before it and behind it there."""

    def __init__(self, known: Known, placed: Placed, keys: tuple[str, ...]) -> None:
        self.text, self.path, self.keys = known.text, known.path, keys
        self.start, self.end = placed.start, placed.end
        line = self.text.rfind("\n", 0, self.start) + 1
        self.before = self.text[max(line, self.start - _LONG) : self.start]
        stop = self.text.find("\n", self.end)
        stop = len(self.text) if stop < 0 else stop + 1
        self.after = self.text[self.end : min(stop, self.end + _LONG)]
        self.ending = ending(self.path)

    @property
    def quote(self) -> str:
        """The quote that the value alone stands in; empty if it is none or more stands in it."""
        if self.before[-1:] and self.before[-1] == self.after[:1] and self.before[-1] in _QUOTES:
            return self.before[-1]
        return ""


def referring(known: Known, placed: Placed) -> list[Fix]:
    """The fix that reads a value from where secrets are kept; none where the grammar has no words for it."""
    value = known.text[placed.start : placed.end]
    if not value or "\n" in value or "\r" in value:
        return []
    keys = tuple(part for part in placed.finding.key.partition("\0")[2].split(".") if part)
    spot = _Spot(known, placed, keys)
    kind = kind_of(known.path, known.text[:200])
    if placed.finding.kind == "fallback":
        edits, told = _without_fallback(spot), "Take out the fallback"
    else:
        name = _name(keys, kind.startswith("code:"))
        write = _by_kind(kind) if name else None
        found = write(spot, name) if write is not None else None
        if found is None:
            return []
        edits, told = found.edits, f"Replace by a reference: {found.reference}"
    return [Fix(told, edits, (placed,))] if edits else []


def _name(keys: tuple[str, ...], program: bool) -> str:
    """The name of a variable of the environment for a value, by the keys that it stands under; empty for none."""
    if not keys:
        return ""
    if _ENVIRONMENT.fullmatch(keys[-1]):
        return keys[-1] if len(keys[-1]) <= _LONGEST_NAME else ""
    used = [key for key in keys[-_PARTS:-1] if key.lower() not in _NO_NAMES and not key.isdecimal()]
    if program:
        several = len(_WORD.findall(keys[-1])) > 1
        used = [] if several else [key for key in used[-1:] if len(key) >= _LEAST_NAME]
    words = [word.upper() for key in (*used, keys[-1]) for word in _WORD.findall(key)]
    name = "_".join(words)
    asked = bool(_WORD.search(keys[-1])) and keys[-1].isascii()
    return name if asked and len(name) <= _LONGEST_NAME and not name[:1].isdecimal() else ""


def _by_kind(kind: str) -> Callable[[_Spot, str], _Written | None] | None:
    if kind.startswith("code:"):
        return _in_program
    return {
        "yaml": _in_yaml,
        "dotenv": _in_shell,
        "shell": _in_shell,
        "properties": _in_properties,
        "hcl": _in_terraform,
    }.get(kind)


def _in_program(spot: _Spot, name: str) -> _Written | None:
    reader = _READERS.get(spot.ending)
    around = spot.before[-2:-1]
    if reader is None or not spot.quote or around.isalnum() or around in (*_QUOTES, "_", "\\"):
        return None
    if spot.after[1:2] == spot.quote or (spot.ending in _TAGS and around == "="):
        return None
    if spot.ending == "php" and re.search(r"\benv\(", spot.text):
        reader = "env('{}')"
    reference = reader.format(name)
    edits = [Edit(spot.start - 1, spot.end + 1, reference)]
    if reader.startswith("os.environ") and not _IMPORT_OS.search(spot.text):
        first = _FIRST_IMPORT.search(spot.text)
        if first is not None and first.start() < spot.start:
            line_end = "\r\n" if "\r\n" in spot.text else "\n"
            edits.insert(0, Edit(first.start(), first.start(), f"import os{line_end}"))
    return _Written(reference, tuple(edits))


def _in_yaml(spot: _Spot, name: str) -> _Written | None:
    if spot.keys[-2:-1] == ("data",) and re.search(r"^kind:[ \t]*Secret\b", spot.text, re.M):
        return None  # it is written in base64 there
    workflow = "/.github/workflows/" in f"/{spot.path}"
    reference = f"${{{{ secrets.{name} }}}}" if workflow else f"${{{name}}}"
    written = reference
    if not spot.quote:
        inside = re.search(r"[\[{]", spot.before) or _FLOW_OPENS.search(spot.text, 0, spot.start)
        whole = _PLAIN_BEFORE.search(spot.before) and _PLAIN_AFTER.match(spot.after)
        if inside and not whole:
            return None
        written = f'"{reference}"' if inside else reference
    return _Written(reference, (Edit(spot.start, spot.end, written),))


def _in_shell(spot: _Spot, name: str) -> _Written | None:
    """What a name is set to by itself must be there already, or the program stops."""
    settings = kind_of(spot.path, spot.text[:200]) == "dotenv"
    reference = f"${{{name}:?}}" if spot.keys[-1:] == (name,) and not settings else f"${{{name}}}"
    if spot.quote == "'":
        return _Written(reference, (Edit(spot.start - 1, spot.end + 1, f'"{reference}"'),))
    if spot.before.count("'") % 2:
        return None
    bare = not spot.quote and spot.before.endswith("=") and not settings and spot.before.count('"') % 2 == 0
    return _Written(reference, (Edit(spot.start, spot.end, f'"{reference}"' if bare else reference),))


def _in_properties(spot: _Spot, name: str) -> _Written | None:
    reference = f"${{{name}}}"
    return _Written(reference, (Edit(spot.start, spot.end, reference),))


def _in_terraform(spot: _Spot, name: str) -> _Written | None:
    if spot.ending != "tf" or spot.quote != '"':
        return None
    reference = f"var.{name.lower()}"
    return _Written(reference, (Edit(spot.start - 1, spot.end + 1, reference),))


def _without_fallback(spot: _Spot) -> tuple[Edit, ...]:
    """What is left of a reference when its fallback goes."""
    for begins, ends in (
        (_SHELL_FALLBACK, _SHELL_END),
        (_CALL, _CALL_END),
        (_BLOCK, _BLOCK_END),
        (_OR, _QUOTE_END),
    ):
        before, after = begins.search(spot.before), ends.match(spot.after)
        if before is None or after is None:
            continue
        offset = spot.start - len(spot.before)
        start, end = offset + before.start("gone"), spot.end + after.end("gone")
        if begins is _CALL and before["call"] in _PYTHON_CALLS:  # without a fallback these give None
            return (Edit(offset + before.start(), end + 1, f"os.environ[{before['name']}]"),)
        return (Edit(start, end, ""),)
    return ()
