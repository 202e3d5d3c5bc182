"""Files that are larger than a text may be: they are named, not read."""

from __future__ import annotations

from sakaime.material import git
from sakaime.material.change import BINARY, SUBMODULE, Blob, Change
from sakaime.material.diff import parse_raw, parse_raw_and_patch
from sakaime.text.source import LIMIT, TOO_LARGE, is_binary

_HEAD = 8000


def unread(change: Change, head: bytes) -> Change:
    """A change with nothing of it read, as its beginning tells: binary, or too large."""
    return change.replace(hunks=(), unread=BINARY if is_binary(head[:_HEAD], whole=False) else TOO_LARGE)


def without_large(top: str, options: tuple[str, ...]) -> tuple[Change, ...]:
    """The changes that `git diff` shows with some options, of which some may be of files that are too large.

    Those have no hunks; one that takes such a file away has nothing to read. Raises `CannotJudge`.
    """
    bare = [option for option in options if not option.startswith("-U")]  # which would ask for the patch
    records, _ = parse_raw(git.run(top, "diff", *bare, "--"))
    large = _larger_than_limit(top, records)
    names = [f":(exclude,top,literal){path}" for change in large for path in (change.path, change.old_path) if path]
    shown = git.run(top, "--no-literal-pathspecs", "diff", "-p", *options, "--", *names)
    read = {change.path: change for change in parse_raw_and_patch(shown)}
    return tuple(read.get(change.path) or _as_told(top, change) for change in records)


def _as_told(top: str, change: Change) -> Change:
    return change if change.new is None else unread(change, _beginning(top, change.new))


def _larger_than_limit(top: str, changes: tuple[Change, ...]) -> list[Change]:
    process = git.Process(top, ("cat-file", "--batch-check=%(objectsize)"))

    def size(blob: Blob | None) -> int:
        if blob is None or blob.mode == SUBMODULE:
            return 0
        process.stdin.write(blob.oid.encode() + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        return int(answer) if answer.isdigit() else 0

    found = [change for change in changes if max(size(change.old), size(change.new)) > LIMIT]
    process.finish()
    return found


def _beginning(top: str, blob: Blob) -> bytes:
    process = git.Process(top, ("cat-file", "blob", blob.oid))
    head = process.stdout.read(_HEAD)
    process.finish()
    return head
