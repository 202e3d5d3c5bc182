"""Cutting a diff into pieces that a reader takes one by one, without losing a byte.

Lines end at LF alone: what else a text library takes for a line break (form feed, U+2028) is content.
"""

from __future__ import annotations

import os
import re

from sakaime.material.names import names
from sakaime.model import CannotJudge, Record
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 4  # the longest UTF-8 character

_FILE, _HUNK, _LINE = range(3)
_HUNK_HEADER = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_HEADER_LINES = 16  # of a file that names it; a binary patch has no hunk to end them
_FILE_HEADERS = (b"diff --git ", b"diff --cc ", b"diff --combined ")


class Chunk(Record):
    """The bytes from `start` up to, not including, `end` of a diff.

    `oversized`: a part of one line that is longer than the limit; every other chunk holds whole lines.
    `files` are the files that the chunk tells of, as `printable` gives them.
    """

    start: int
    end: int
    oversized: bool
    files: tuple[str, ...]


def chunks(diff: bytes, limit: int) -> tuple[Chunk, ...]:
    """A diff in order, in chunks of at most `limit` bytes that joined are the diff again.

    A chunk ends at the last file border within the limit; where there is none, at the last border of a
    hunk, then of a line; a line longer than the limit is cut between UTF-8 characters. Any bytes will do.
    Raises `ValueError` for a limit below `LEAST`.
    """
    if limit < LEAST:
        raise ValueError(f"a chunk of {limit} bytes cannot hold every character")
    files: list[tuple[int, str]] = []
    pieces = list(_pieces(diff, limit, files))
    out: list[Chunk] = []
    first = 0
    for start, end, oversized in pieces:
        while first + 1 < len(files) and files[first + 1][0] <= start:
            first += 1
        told: dict[str, None] = {}
        at = first
        while at < len(files) and files[at][0] < end:
            told[files[at][1]] = None
            at += 1
        out.append(Chunk(start, end, oversized, tuple(told)))
    return tuple(out)


def _pieces(diff: bytes, limit: int, files: list[tuple[int, str]]) -> Iterator[tuple[int, int, bool]]:
    """(start, end, oversized) of the chunks; puts (start, name) of every file of the diff into `files`."""
    start = 0
    last = [0, 0, 0]  # the last border of each rank so far
    for rank, begin, end in _lines(diff, files):
        last[rank] = begin
        while end - start > limit:
            border = next((b for b in (last[_FILE], last[_HUNK], begin) if start < b), None)
            if border is None:
                break
            yield start, border, False
            start = border
        if end - start > limit:
            while end - start > limit:
                cut = _character_border(diff, start, start + limit)
                yield start, cut, True
                start = cut
            yield start, end, True
            start = end
    if start < len(diff):
        yield start, len(diff), False


def _lines(diff: bytes, files: list[tuple[int, str]]) -> Iterator[tuple[int, int, int]]:
    """(rank of the border before it, start, end) of every line."""
    old_left = new_left = 0
    header: list[bytes] | None = None  # of the file at hand, until its first hunk
    hunks = False
    at = 0
    while at < len(diff):
        newline = diff.find(b"\n", at)
        end = newline + 1 if newline >= 0 else len(diff)
        sign = diff[at : at + 1]
        rank = _LINE
        if (old_left or new_left) and sign and sign in b" +-\\\n":
            if sign != b"\\":
                old_left -= sign != b"+"
                new_left -= sign != b"-"
            if old_left < 0 or new_left < 0:
                old_left = new_left = 0
        else:
            old_left = new_left = 0
            if diff.startswith(_FILE_HEADERS, at) or (
                diff.startswith(b"--- ", at) and (hunks or not files) and diff.startswith(b"+++ ", end)
            ):
                if header is not None:
                    _name(files, header)
                header, hunks, rank = [], False, _FILE
                files.append((at, ""))
            elif diff.startswith(b"@@", at):
                if counts := _HUNK_HEADER.match(diff, at, end):
                    old_left, new_left = (int(n[:18]) if n is not None else 1 for n in counts.groups())
                if header is not None:
                    _name(files, header)
                    header = None
                rank = _HUNK if hunks else _LINE  # a header without its first hunk says little
                hunks = True
            if header is not None and len(header) < _HEADER_LINES:
                header.append(diff[at : min(end, at + 8192)].rstrip(b"\n"))
        yield rank, at, end
        at = end
    if header is not None:
        _name(files, header)


def _name(files: list[tuple[int, str]], header: list[bytes]) -> None:
    try:
        old, new = names(tuple(header))
    except CannotJudge:  # here it is only shown
        old = new = None
    name = new if new is not None else old if old is not None else b""
    files[-1] = (files[-1][0], printable(os.fsdecode(name)))


def _character_border(diff: bytes, start: int, cut: int) -> int:
    """The last place up to `cut`, and after `start`, that is inside no character and no CRLF."""
    for back in range(1, LEAST):
        lead = diff[cut - back]
        if lead & 0xC0 == 0x80:
            continue
        length = 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if length > back and cut - back > start and _is_character(diff[cut - back : cut - back + length]):
            return cut - back
        break
    if diff[cut - 1 : cut + 1] == b"\r\n" and cut - 1 > start:
        return cut - 1
    return cut


def _is_character(data: bytes) -> bool:
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False
