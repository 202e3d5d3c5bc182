"""What changed: files, hunks and lines, with readers for both sides."""

from __future__ import annotations

from sakaime.model import Record, Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LINK, SUBMODULE = "120000", "160000"
BINARY = "binary"  # why nothing was read of a file that is no text


class Blob(Record):
    """One side of a file: its git mode, and either an object id or the bytes themselves."""

    mode: str
    oid: str = ""
    data: bytes | None = None


class Hunk(Record):
    """A contiguous part of a change.

    `old` and `new` are the bytes of the two sides, context included, every line with its line end as
    recorded (the last one may lack it). `added` and `removed` are (first, last) line numbers of the
    new and the old file.
    """

    old_start: int
    new_start: int
    old: bytes
    new: bytes
    added: tuple[tuple[int, int], ...]
    removed: tuple[tuple[int, int], ...]

    @property
    def added_bytes(self) -> bytes:
        """The added lines alone."""
        lines = self.new.split(b"\n")
        runs = (lines[first - self.new_start : last - self.new_start + 1] for first, last in self.added)
        return b"".join(line + b"\n" for run in runs for line in run)


class Change(Record):
    """One file's old and new side.

    `path` is the new name (of a deleted file: the old one), bytes that are not UTF-8 as surrogate
    escapes. `status` is A, M, D, R or T. A side that does not exist is None; a side whose blob cannot
    be read (a bare diff) has neither `oid` nor `data`, and only the hunks tell of it. `unread` says why
    nothing was read of the sides, in words: then there are no hunks.
    """

    path: str
    status: str
    old: Blob | None
    new: Blob | None
    hunks: tuple[Hunk, ...]
    old_path: str | None = None
    unread: str = ""

    @property
    def added(self) -> tuple[tuple[int, int], ...]:
        """(first, last) numbers of the added lines, ascending."""
        return tuple(run for hunk in self.hunks for run in hunk.added)

    @property
    def added_lines(self) -> int:
        """How many lines were added."""
        return sum(last - first + 1 for hunk in self.hunks for first, last in hunk.added)

    @property
    def regular(self) -> bool:
        """Whether the new side exists and is neither a submodule nor only a name."""
        return self.new is not None and self.new.mode != SUBMODULE


def _no_reader(oid: str) -> bytes:
    raise LookupError(oid)


def _nothing(_path: str) -> bytes | None:
    return None


class Material(Record):
    """What is judged: all changes together.

    `mode` is one of staged, range, diff, tree, message, buffer; `base` and `head` are commit ids where
    there are such. `read` gives the bytes of an object id. `patch` gives the exact text of the diff
    (with `git.DIFF_OPTIONS`, where git makes it); None where the material is no diff. `complete` says that
    these are all files of a tree: what does not stand in them is gone. `start` is the commit that delimits
    a range. `decided` gives the bytes of a file on the side whose exceptions count in CI (None: no such file).
    `verbatim` is the change of a branch's name as it is, where the signs in it are read as blanks.
    """

    mode: str
    changes: tuple[Change, ...]
    base: str | None = None
    head: str | None = None
    read: Callable[[str], bytes] = _no_reader
    skipped: tuple[Skipped, ...] = ()
    patch: Callable[[], bytes] | None = None
    complete: bool = False
    start: str | None = None
    decided: Callable[[str], bytes | None] = _nothing
    verbatim: Change | None = None

    def bytes_of(self, blob: Blob | None) -> bytes | None:
        """The bytes of a side; None where the side does not exist or only its hunks are known."""
        if blob is None:
            return None
        if blob.data is not None:
            return blob.data
        return self.read(blob.oid) if blob.oid else None
