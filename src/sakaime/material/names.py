"""The file names in the header lines of a patch."""

from __future__ import annotations

import re

from sakaime.model import CannotJudge

_ESCAPES = {ord("n"): 10, ord("t"): 9, ord("r"): 13, ord("a"): 7, ord("b"): 8, ord("f"): 12, ord("v"): 11}
_QUOTED = re.compile(rb'"((?:[^"\\]|\\[0-3][0-7]{2}|\\[^0-9])*)"')
_ESCAPED = re.compile(rb"\\([0-3][0-7]{2}|[^0-9])")


def unquote(name: bytes) -> bytes:
    """A path as git prints it: C-quoted when it starts with a double quote, plain otherwise. Raises `CannotJudge`."""
    if not name.startswith(b'"'):
        return name
    quoted = _QUOTED.match(name)
    if quoted is None:
        raise CannotJudge(f"the diff has a file name that cannot be read: {name[:80]!r}")

    def plain(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return bytes([int(code, 8) if code.isdigit() else _ESCAPES.get(code[0], code[0])])

    return _ESCAPED.sub(plain, quoted[1])


def _name(line: bytes) -> bytes | None:
    """The name in a `---` or `+++` line; None for /dev/null."""
    name = line[4:]
    if not name.startswith(b'"'):
        name = name.split(b"\t")[0].rstrip(b"\r")
    name = unquote(name)
    return None if name == b"/dev/null" else name


# What git writes before the two names: its default, and those of diff.mnemonicPrefix.
_PREFIXES = {(b"a", b"b"), *((x, y) for x in (b"c", b"i", b"w", b"o") for y in (b"c", b"i", b"w", b"o") if x != y)}
_PREFIXES |= {(b"1", b"2"), (b"2", b"1")}


def _prefixed(first: bytes | None, second: bytes | None) -> bool:
    """Whether two names of one file carry prefixes. A side that does not exist says nothing."""
    old, new = (name.partition(b"/")[0] if name is not None and b"/" in name else None for name in (first, second))
    if first is None:
        return any(new == pair[1] for pair in _PREFIXES)
    if second is None:
        return any(old == pair[0] for pair in _PREFIXES)
    return (old, new) in _PREFIXES


def _both(line: bytes) -> tuple[bytes, bytes] | None:
    """The two names of a `diff --git` line, where it can be told where the first one ends."""
    names = line.removeprefix(b"diff --git ").rstrip(b"\r")
    if quoted := _QUOTED.match(names):
        return unquote(names), unquote(names[quoted.end() + 1 :])
    if names.endswith(b'"') and b' "' in names:
        first, _, second = names.partition(b' "')
        return first, unquote(b'"' + second)
    # Of a file that keeps its name, both names end alike.
    half = len(names) // 2
    if len(names) % 2 and names[half : half + 1] == b" ":
        first, second = names[:half], names[half + 1 :]
        if first == second or first.partition(b"/")[2] == second.partition(b"/")[2]:
            return first, second
    return None


def names(header: tuple[bytes, ...]) -> tuple[bytes | None, bytes | None]:
    """The old and the new name of a file, None where a side does not exist. Raises `CannotJudge`."""
    found = {line[:4]: _name(line) for line in header if line[:4] in (b"--- ", b"+++ ")}
    git = header[0].startswith(b"diff --git ")
    both = _both(header[0]) if git else None
    if len(found) == 2:
        old, new = found[b"--- "], found[b"+++ "]
        if both is not None and (old is None or new is None):
            prefixed = _prefixed(*both)
        else:
            prefixed = _prefixed(old, new)
    else:
        moved = {
            words[1]: words[2]
            for words in (line.split(b" ", 2) for line in header if line.startswith((b"rename ", b"copy ")))
            if len(words) == 3
        }
        if moved.keys() == {b"from", b"to"}:
            return unquote(moved[b"from"]), unquote(moved[b"to"])
        if both is None:
            raise CannotJudge(f"the diff names no file: {header[0][:80]!r}")
        (old, new), prefixed = both, _prefixed(*both)
    if prefixed:
        old, new = (name.partition(b"/")[2] if name is not None else None for name in (old, new))
    if any(line.startswith(b"deleted file mode ") for line in header):
        new = None
    if any(line.startswith(b"new file mode ") for line in header):
        old = None
    if not old and not new:
        raise CannotJudge(f"the diff names no file: {header[0][:80]!r}")
    return old, new
