"""Reading diffs: patches from git or from a file, raw records from git.

Inside a hunk, lines are counted by the numbers of its `@@` header, so that no content can pass for a
header (a removed line `-- a/x` prints as `--- a/x`).
"""

from __future__ import annotations

import os
import re

from sakaime.material.change import Blob, Change, Hunk
from sakaime.model import CannotJudge, Record
from sakaime.text.paths import printable


class FilePatch(Record):
    """The patch of one file: header lines (without line ends), hunks, and whether it is a binary patch."""

    header: tuple[bytes, ...]
    hunks: tuple[Hunk, ...]


def _numbers(header: bytes) -> tuple[int, int, int, int]:
    try:
        _, old, new, _ = header.split(b" ", 3) if header.count(b" ") > 2 else (*header.split(b" ", 2), b"")
        old_start, _, old_count = old[1:].partition(b",")
        new_start, _, new_count = new[1:].split(b" ")[0].partition(b",")
        return int(old_start), int(old_count or 1), int(new_start), int(new_count or 1)
    except ValueError:
        raise CannotJudge(f"the diff has a hunk header that cannot be read: {header[:80]!r}") from None


def _runs(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)


def _hunk(lines: list[bytes], at: int) -> tuple[Hunk, int]:
    old_start, old_left, new_start, new_left = _numbers(lines[at])
    old: list[bytes] = []
    new: list[bytes] = []
    added: list[int] = []
    removed: list[int] = []
    # `-0,0` and `+0,0` name the line before an empty side.
    old_first = old_start if old_left else old_start + 1
    new_first = new_start if new_left else new_start + 1
    at += 1
    last: list[list[bytes]] = []
    while at < len(lines):
        line = lines[at]
        sign = line[:1]
        if sign == b"\\":
            for side in last:
                side[-1] = side[-1][:-1]
            at += 1
            continue
        if not old_left and not new_left:
            break
        if sign == b"+" and new_left:
            added.append(new_first + len(new))
            new.append(line[1:] + b"\n")
            new_left -= 1
            last = [new]
        elif sign == b"-" and old_left:
            removed.append(old_first + len(old))
            old.append(line[1:] + b"\n")
            old_left -= 1
            last = [old]
        elif sign in (b" ", b"") and old_left and new_left:  # some mailers drop the blank of an empty line
            old.append(line[1:] + b"\n")
            new.append(line[1:] + b"\n")
            old_left -= 1
            new_left -= 1
            last = [old, new]
        else:
            raise CannotJudge(f"the diff ends inside a hunk or has a line that is neither: {line[:80]!r}")
        at += 1
    if old_left or new_left:
        raise CannotJudge("the diff ends inside a hunk", way_out="Give the whole diff, unshortened.")
    hunk = Hunk(old_first, new_first, b"".join(old), b"".join(new), _runs(added), _runs(removed))
    return hunk, at


def parse_patch(data: bytes) -> list[FilePatch]:
    """The files of a patch, in its order. Raises `CannotJudge` where a hunk cannot be read."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    files: list[FilePatch] = []
    at = 0
    header: list[bytes] | None = None
    hunks: list[Hunk] = []
    while at < len(lines):
        line = lines[at]
        if line.startswith(b"diff --git ") or (line.startswith(b"--- ") and (header is None or hunks)):
            if header is not None:
                files.append(FilePatch(tuple(header), tuple(hunks)))
            header, hunks = [line], []
            at += 1
        elif header is not None and line.startswith(b"@@ "):
            hunk, at = _hunk(lines, at)
            hunks.append(hunk)
        elif line.startswith((b"@@@", b"diff --cc ", b"diff --combined ")):
            raise CannotJudge("a combined diff does not say what each side held", way_out="Diff against one parent.")
        else:
            if header is not None and not hunks:
                header.append(line)
            at += 1
    if header is not None:
        files.append(FilePatch(tuple(header), tuple(hunks)))
    return files


def parse_raw_and_patch(data: bytes) -> tuple[Change, ...]:
    """What `git diff --raw -p -z` prints, as changes with object ids. Raises `CannotJudge` for an unmerged file."""
    records: list[tuple[str, Blob | None, Blob | None, str, str | None]] = []
    at = 0
    while data[at : at + 1] == b":":
        end = data.index(b"\0", at)
        old_mode, new_mode, old_id, new_id, status = data[at + 1 : end].decode().split(" ")
        stop = data.index(b"\0", end + 1)
        path = os.fsdecode(data[end + 1 : stop])
        if status == "U":
            raise CannotJudge(
                "the file is unmerged", path=printable(path), way_out="Resolve the conflict and stage it."
            )
        old_path = None
        if status[0] in "RC":
            end, stop = stop, data.index(b"\0", stop + 1)
            old_path, path = path, os.fsdecode(data[end + 1 : stop])
        old = Blob(old_mode, old_id) if old_mode != "000000" else None
        new = Blob(new_mode, new_id) if new_mode != "000000" else None
        records.append((status[0], old, new, path, old_path))
        at = stop + 1
    patches = parse_patch(data[at:].lstrip(b"\0"))
    changes = []
    each = iter(patches)
    for status, old, new, path, old_path in records:
        hunks = next(each).hunks
        if status == "T":  # git prints a type change as a deletion and a creation
            hunks += next(each).hunks
        changes.append(Change(path, status, old, new, hunks, old_path))
    return tuple(changes)


_OCTAL = re.compile(rb"[0-7]{3}")
_ESCAPES = {ord("n"): 10, ord("t"): 9, ord("r"): 13, ord("a"): 7, ord("b"): 8, ord("f"): 12, ord("v"): 11}


def unquote(name: bytes) -> bytes:
    """A path as git prints it: C-quoted when it starts with a double quote, plain otherwise."""
    if not name.startswith(b'"'):
        return name
    out = bytearray()
    at, end = 1, name.rfind(b'"')
    while at < end:
        byte = name[at]
        if byte != 0x5C:
            out.append(byte)
            at += 1
        elif _OCTAL.fullmatch(name, at + 1, at + 4):
            out.append(int(name[at + 1 : at + 4], 8) & 0xFF)
            at += 4
        else:
            out.append(_ESCAPES.get(name[at + 1], name[at + 1]))
            at += 2
    return bytes(out)


def _name(line: bytes, prefix: bytes) -> bytes | None:
    name = line[4:]
    if not name.startswith(b'"'):
        name = name.split(b"\t")[0].rstrip(b"\r")
    name = unquote(name)
    if name == b"/dev/null":
        return None
    return name.removeprefix(prefix)


def names(header: tuple[bytes, ...]) -> tuple[bytes | None, bytes | None]:
    """The old and the new name in the header lines of a file's patch; None for a side without a file."""
    sides = {line[:4]: line for line in header if line.startswith((b"--- ", b"+++ "))}
    moved = {
        words[1]: words[2]
        for words in (line.split(b" ", 2) for line in header if line.startswith((b"rename ", b"copy ")))
        if len(words) == 3
    }
    old_name: bytes | None
    new_name: bytes | None
    if b"--- " in sides and b"+++ " in sides:
        prefixed = sides[b"--- "][4:6] in (b"a/", b'"a') or sides[b"+++ "][4:6] in (b"b/", b'"b')
        old_name = _name(sides[b"--- "], b"a/" if prefixed else b"")
        new_name = _name(sides[b"+++ "], b"b/" if prefixed else b"")
    elif moved.keys() >= {b"from", b"to"}:
        old_name, new_name = unquote(moved[b"from"]), unquote(moved[b"to"])
    else:  # only a mode changed, or an empty file came or went: both names are the same
        both = header[0][len(b"diff --git ") :]
        old_name = new_name = unquote(both[(len(both) + 1) // 2 :]).removeprefix(b"b/")
    if any(line.split(b" ", 1)[0] == b"deleted" for line in header):
        new_name = None
    if any(line.startswith(b"new file") for line in header):
        old_name = None
    return old_name, new_name


def parse_diff_file(data: bytes) -> tuple[Change, ...]:
    """A diff from a file or a pipe, as changes whose sides are known by their hunks alone."""
    changes = []
    for patch in parse_patch(data):
        old_name, new_name = names(patch.header)
        first = patch.header[0]
        if old_name is None and new_name is None:
            raise CannotJudge(f"the diff names no file: {first[:80]!r}")
        mode = _mode(patch.header)
        status = "A" if old_name is None else "D" if new_name is None else "M" if old_name == new_name else "R"
        path = os.fsdecode(new_name if new_name is not None else old_name or b"")
        changes.append(
            Change(
                path,
                status,
                Blob(mode) if old_name is not None else None,
                Blob(mode) if new_name is not None else None,
                patch.hunks,
                os.fsdecode(old_name) if status == "R" and old_name is not None else None,
            )
        )
    return tuple(changes)


def _mode(header: tuple[bytes, ...]) -> str:
    for line in header:
        if line.startswith((b"new file mode ", b"new mode ", b"deleted file mode ")):
            return line.rsplit(b" ", 1)[1].decode("ascii", "replace")
        if line.startswith(b"index ") and line.count(b" ") == 2:
            return line.rsplit(b" ", 1)[1].decode("ascii", "replace")
    return "100644"
