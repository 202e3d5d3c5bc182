"""Reading diffs: patches from git or from a file, raw records from git.

Inside a hunk, lines are counted by the numbers of its `@@` header, so that no content can pass for a
header (a removed line `-- a/x` prints as `--- a/x`).
"""

from __future__ import annotations

import os
from io import BytesIO

from sakaime.material.change import BINARY, Blob, Change, Hunk
from sakaime.model import CannotJudge, Record
from sakaime.text.paths import printable


class FilePatch(Record):
    """The patch of one file: header lines (without line ends), hunks, and whether it shows no text (binary)."""

    header: tuple[bytes, ...]
    hunks: tuple[Hunk, ...]
    binary: bool = False


_EXTENDED = (
    b"old mode ", b"new mode ", b"deleted file mode ", b"new file mode ", b"copy from ", b"copy to ",
    b"rename from ", b"rename to ", b"similarity index ", b"dissimilarity index ", b"index ", b"--- ", b"+++ ",
)  # fmt: skip


def _numbers(header: bytes) -> tuple[int, int, int, int]:
    words = header.split(b" ", 4)
    if len(words) > 3 and words[0] == b"@@" and words[3].startswith(b"@@"):
        old, new = _side(words[1], b"-"), _side(words[2], b"+")
        if old is not None and new is not None:
            return *old, *new
    raise CannotJudge(f"the diff has a hunk header that cannot be read: {header[:80]!r}")


def _side(word: bytes, sign: bytes) -> tuple[int, int] | None:
    """`-3,4` as (3, 4), `-3` as (3, 1)."""
    start, comma, count = word[1:].partition(b",")
    # Nineteen digits: no line has a number that does not fit into 64 bits.
    if word[:1] != sign or not start.isdigit() or len(word) > 20 or (comma and not count.isdigit()):
        return None
    return int(start), int(count) if comma else 1


class _Side:
    """One side of a hunk while it is read: its bytes, and which of its lines the change adds or takes away.

    A hunk may be as large as the whole diff; a `BytesIO` gives its bytes away without a second copy of them.
    """

    def __init__(self, start: int, count: int) -> None:
        self.first = start if count else start + 1  # `-0,0` and `+0,0` name the line before an empty side
        self.left = count
        self.taken = 0
        self._data = BytesIO()
        self.runs: list[tuple[int, int]] = []

    def take(self, line: bytes, changed: bool) -> None:
        """The next line, with its line end."""
        if changed:
            number = self.first + self.taken
            if self.runs and self.runs[-1][1] == number - 1:
                self.runs[-1] = self.runs[-1][0], number
            else:
                self.runs.append((number, number))
        self._data.write(line)
        self.taken += 1
        self.left -= 1

    def unend(self) -> None:
        """Takes the line end of the last line away."""
        self._data.truncate(self._data.seek(-1, os.SEEK_CUR))

    def whole(self) -> bytes:
        """All its lines."""
        return self._data.getvalue()


def _line(data: bytes, at: int) -> tuple[bytes, int]:
    """The line that begins at an offset, with its line end (which the last one may lack), and where the next begins."""
    end = data.find(b"\n", at) + 1
    return (data[at:end], end) if end else (data[at:] + b"\n", len(data))


def _hunk(data: bytes, at: int) -> tuple[Hunk, int]:
    """The hunk whose header begins at an offset, and the offset behind it. Nothing is kept but its two sides."""
    header, at = _line(data, at)
    old_start, old_count, new_start, new_count = _numbers(header.rstrip(b"\n"))
    old, new = _Side(old_start, old_count), _Side(new_start, new_count)
    last: tuple[_Side, ...] = ()
    while at < len(data):
        line, after = _line(data, at)
        sign = line[:1]
        if sign == b"\\":  # no line end in the file
            for side in last:
                side.unend()
            last = ()
            at = after
            continue
        if not old.left and not new.left:
            break
        if sign == b"+" and new.left:
            new.take(line[1:], True)
            last = (new,)
        elif sign == b"-" and old.left:
            old.take(line[1:], True)
            last = (old,)
        elif sign in (b" ", b"\n") and old.left and new.left:  # some mailers drop the blank of an empty line
            text = line[1:] if sign == b" " else line
            old.take(text, False)
            new.take(text, False)
            last = (old, new)
        else:
            raise CannotJudge(f"the diff ends inside a hunk or has a line that is neither: {line[:80]!r}")
        at = after
    if old.left or new.left:
        raise CannotJudge("the diff ends inside a hunk", way_out="Give the whole diff, unshortened.")
    if at < len(data) and _goes_on(_line(data, at)[0]):
        raise CannotJudge(f"the diff has a hunk that is longer than its header says: {data[at : at + 80]!r}")
    return Hunk(old.first, new.first, old.whole(), new.whole(), tuple(new.runs), tuple(old.runs)), at


def _goes_on(line: bytes) -> bool:
    """Whether a line after a hunk looks as if it belonged to it: no signature of a mail, no header."""
    return line.startswith(b"+") or (line.startswith(b"-") and line.rstrip() != b"--" and line[:4] != b"--- ")


def parse_patch(data: bytes, at: int = 0) -> list[FilePatch]:
    """The files of a patch that begins at an offset, in its order. Raises `CannotJudge` where a hunk cannot be read."""
    files: list[FilePatch] = []
    header: list[bytes] = []
    hunks: list[Hunk] = []
    reading, binary = False, False  # whether header lines may still follow

    def finish() -> None:
        # Words of a mail may look like `---` and `+++`; a file that is only named so holds nothing to judge.
        if header and (hunks or header[0].startswith(b"diff --git ")):
            files.append(FilePatch(tuple(header), tuple(hunks), binary and not hunks))

    while at < len(data):
        whole, after = _line(data, at)
        line = whole[:-1]
        git = line.startswith(b"diff --git ")
        plain = line.startswith(b"--- ") and data.startswith(b"+++ ", after)
        if git or (plain and (not reading or any(known.startswith(b"--- ") for known in header))):
            finish()
            header, hunks, reading, binary = [line], [], True, False
        elif header and line.startswith(b"@@") and not line.startswith(b"@@@"):
            hunk, at = _hunk(data, at)
            if hunks and hunk.new_start < hunks[-1].new_start + hunks[-1].new.count(b"\n"):
                raise CannotJudge(f"the diff has hunks that are not in order: {line[:80]!r}")
            hunks.append(hunk)
            reading = False
            continue
        elif line.startswith((b"@@@", b"diff --cc ", b"diff --combined ")):
            raise CannotJudge("a combined diff does not say what each side held", way_out="Diff against one parent.")
        elif reading and line.startswith(_EXTENDED):
            header.append(line)
        elif header and not hunks and line.startswith((b"Binary files ", b"GIT binary patch")):
            reading, binary = False, True
        else:
            reading = False
        at = after
    finish()
    return files


def parse_raw(data: bytes) -> tuple[tuple[Change, ...], int]:
    """The records of `git diff --raw -z`, as changes without hunks, and the offset behind them.

    Raises `CannotJudge` for an unmerged file.
    """
    changes = []
    at = 0
    while data[at : at + 1] == b":":
        end = data.index(b"\0", at)
        old_mode, new_mode, old_id, new_id, status = data[at + 1 : end].decode().split(" ")
        stop = data.index(b"\0", end + 1)
        path = os.fsdecode(data[end + 1 : stop])
        old_path = None
        if status[0] in "RC":
            end, stop = stop, data.index(b"\0", stop + 1)
            old_path, path = path, os.fsdecode(data[end + 1 : stop])
        if status[0] == "U":
            raise CannotJudge(
                "the file is unmerged", path=printable(path), way_out="Resolve the conflict and stage it."
            )
        old = Blob(old_mode, old_id) if old_mode != "000000" else None
        new = Blob(new_mode, new_id) if new_mode != "000000" else None
        changes.append(Change(path, status[0], old, new, (), old_path))
        at = stop + 1
    while data[at : at + 1] == b"\0":
        at += 1
    return tuple(changes), at


def parse_raw_and_patch(data: bytes) -> tuple[Change, ...]:
    """What `git diff --raw -p -z` prints, as changes with object ids. Raises `CannotJudge` for an unmerged file."""
    changes, at = parse_raw(data)
    each = iter(parse_patch(data, at))
    whole = []
    for change in changes:
        hunks = next(each).hunks
        if change.status == "T":  # git prints a type change as a deletion and a creation
            hunks += next(each).hunks
        whole.append(change.replace(hunks=hunks))
    return tuple(whole)


def parse_diff_file(data: bytes) -> tuple[Change, ...]:
    """A diff from a file or a pipe, as changes whose sides are known by their hunks alone.

    Raises `CannotJudge` where it is not clear what
    it says.
    """
    from sakaime.material.names import names

    changes: list[Change] = []
    for patch in parse_patch(data):
        old_name, new_name = names(patch.header)
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
                BINARY if patch.binary and new_name is not None else "",
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
