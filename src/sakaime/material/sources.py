"""Where material comes from: the index, a range of commits, a diff, named files, an editor buffer."""

from __future__ import annotations

import os
from bisect import bisect_left

from sakaime.material import git
from sakaime.material.change import LINK, SUBMODULE, Blob, Change, Hunk, Material
from sakaime.material.diff import parse_diff_file, parse_raw_and_patch
from sakaime.model import CannotJudge, UserError
from sakaime.text.paths import printable
from sakaime.text.source import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_COMPARED = 4_000_000  # pairs of lines


def staged(top: str, objects: git.Objects, merged: tuple[str, ...] = ()) -> Material:
    """What the next commit will record, against HEAD (against nothing where there is no commit yet).

    `merged` are the other parents of a merge (`merging`): what one of them holds already is left out,
    so that of a merge the lines are judged that no parent has.
    """
    changes = _staged_changes(top)

    def patch() -> bytes:
        text = git.run(top, "diff", "--cached", "-p", *git.DIFF_OPTIONS)
        if _staged_changes(top) != changes:
            raise CannotJudge("what is staged changed while it was read", way_out="Run it once more.")
        return text

    new = changes
    for parent in merged if changes else ():
        new = _in_neither(new, _staged_changes(top, parent))
    return Material("staged", new, read=objects.read, patch=patch)


def _staged_changes(top: str, *against: str) -> tuple[Change, ...]:
    return _compared(top, "--cached", *against)


def _compared(top: str, *sides: str) -> tuple[Change, ...]:
    """What `git diff` shows of two sides. Of files that are too large nothing is read."""
    options = ("--raw", "-z", *git.DIFF_OPTIONS, *sides)
    try:
        return parse_raw_and_patch(git.run(top, "diff", "-p", *options, "--", most=LIMIT))
    except git.TooMuch:
        from sakaime.material.large import without_large

        return without_large(top, options)


def merging(top: str) -> tuple[str, ...]:
    """The other parents of the merge that is under way; empty where there is none."""
    try:
        with open(os.path.join(git.folder(top), "MERGE_HEAD"), "rb") as file:
            named = [line.decode("ascii", "replace") for line in file.read().split()]
    except OSError:
        # Before it runs pre-merge-commit, `git merge` has not written MERGE_HEAD; it names them like this.
        names = (n.removeprefix("GITHEAD_") for n in os.environ if n.startswith("GITHEAD_"))
        named = sorted(names) if "GIT_INDEX_FILE" in os.environ else []
    return tuple(name for name in named if len(name) in (40, 64) and set(name) <= set("0123456789abcdef"))


def _in_neither(ours: tuple[Change, ...], theirs: tuple[Change, ...]) -> tuple[Change, ...]:
    """Of the changes against one parent, what is a change against another one as well."""
    others = {change.path: change for change in theirs}
    return tuple(
        change.replace(hunks=tuple(_only(hunk, others[change.path]) for hunk in change.hunks))
        for change in ours
        if change.path in others
    )


def _only(hunk: Hunk, other: Change) -> Hunk:
    runs = []
    for first, last in hunk.added:
        at = bisect_left(other.added, first, key=lambda run: run[1])
        while at < len(other.added) and other.added[at][0] <= last:
            runs.append((max(first, other.added[at][0]), min(last, other.added[at][1])))
            at += 1
    return hunk.replace(added=tuple(runs))


def commit_of(top: str, name: str) -> str:
    """The commit id that a revision names. Raises `CannotJudge` when this clone has none such."""
    answer = git.ask(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if answer is None:
        raise CannotJudge(
            f"{name} is not in this clone, so there is nothing to compare with",
            way_out=f"Fetch it first: git fetch {_whole_history(top)}origin {_wanted(name)}",
        )
    return answer.decode().strip()


def _wanted(name: str) -> str:
    # A clone of one branch keeps no other one under origin/ unless it is told where to put it.
    branch = name.removeprefix("origin/")
    return branch if branch == name else f"+refs/heads/{branch}:refs/remotes/{name}"


def _whole_history(top: str) -> str:
    return "--unshallow " if git.ask(top, "rev-parse", "--is-shallow-repository") == b"true\n" else ""


def split_range(spec: str) -> tuple[str, str, bool]:
    """`A...B` or `A..B` as (A, B, whether the merge base delimits); an empty end is HEAD."""
    for dots in ("...", ".."):
        left, found, right = spec.partition(dots)
        if found:
            return left or "HEAD", right or "HEAD", dots == "..."
    raise UserError(f"--range {spec!r} is not of the form BASE...HEAD", way_out="Give two revisions: main...HEAD")


def between(top: str, objects: git.Objects, spec: str) -> Material:
    """What HEAD of `BASE...HEAD` adds since the merge base. `Material.base` is the tip of BASE."""
    left, right, symmetric = split_range(spec)
    base, head = commit_of(top, left), commit_of(top, right)
    start = base
    if symmetric:
        answer = git.ask(top, "merge-base", base, head)
        if answer is None:
            raise CannotJudge(
                f"{left} and {right} have no common commit in this clone",
                way_out="The clone is shallow. Run: git fetch --unshallow"
                if _whole_history(top)
                else f"Compare as {left}..{right}",
            )
        start = answer.decode().strip()
        _not_cut(top, base, head, start, (left, right))
    changes = _compared(top, start, head)

    def patch() -> bytes:
        return git.run(top, "diff", "-p", *git.DIFF_OPTIONS, start, head, "--")

    return Material("range", changes, base, head, objects.read, patch=patch, start=start)


def _not_cut(top: str, base: str, head: str, start: str, names: tuple[str, str]) -> None:
    """Raises `CannotJudge` where a shallow clone may hide a better merge base.

    It cannot as long as no commit between the merge base and the two ends is one whose parents were cut off.
    """
    if not _whole_history(top):
        return
    place = git.run(top, "rev-parse", "--git-path", "shallow").decode("utf-8", "surrogateescape").strip()
    with open(os.path.join(top, place), "rb") as file:
        cut = set(file.read().split())
    if cut.isdisjoint(git.run(top, "rev-list", base, head, f"^{start}", "--").split()):
        return
    raise CannotJudge(
        f"the clone is shallow: where {names[0]} and {names[1]} part cannot be told for certain",
        way_out="Run: git fetch --unshallow",
    )


def from_diff(data: bytes, *, verbatim: bool = False) -> Material:
    """A diff that came as a file or through a pipe. Raises `CannotJudge` for bytes that are no diff.

    `verbatim` keeps its text for `Material.patch`: a judgement alone needs none, and it may be large.
    """
    changes = parse_diff_file(data)
    if not changes and data.strip():
        raise CannotJudge("this is no diff: it names no file", way_out="Give what `git diff` prints.")
    return Material("diff", changes, patch=(lambda: data) if verbatim else None)


def _whole(data: bytes) -> tuple[Hunk, ...]:
    lines = data.count(b"\n") + (not data.endswith(b"\n") if data else 0)
    return (Hunk(1, 1, b"", data, ((1, lines),), ()),) if lines else ()


def whole_file(path: str, data: bytes, mode: str = "100644") -> Change:
    """A file as if every line of it were added; nothing of one that is too large."""
    if len(data) > LIMIT:
        from sakaime.material.large import unread

        return unread(Change(path, "A", None, Blob(mode, data=b""), ()), data)
    return Change(path, "A", None, Blob(mode, data=data), _whole(data))


def files(top: str, paths: list[str], cwd: str) -> Material:
    """Named files and folders as they are on disk, every line as if it were added.

    What a sparse checkout leaves out of a folder is taken from the index.
    """
    changes = []
    for name in paths:
        full = os.path.normpath(os.path.join(cwd, name))
        if os.path.isdir(full) and not os.path.islink(full):
            changes += _of_folder(top, full)
        elif os.path.lexists(full):
            changes.append(_from_disk(_relative(full, top), full))
        elif left_out := _of_folder(top, full):
            changes += left_out
        else:
            raise UserError(f"{name}: there is no such file")
    return Material("tree", tuple(c for c in changes if c is not None))


def _relative(full: str, top: str) -> str:
    return os.path.relpath(full, top).replace(os.sep, "/")


def _of_folder(top: str, full: str) -> list[Change | None]:
    """The files of a folder, or the one file of that name, that git tracks or would add."""
    command = ("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--", full)
    listed = [(record[:1], os.fsdecode(record[2:])) for record in git.run(top, *command).split(b"\0")[:-1]]
    here = [name for name in dict.fromkeys(name for _, name in listed) if os.path.lexists(os.path.join(top, name))]
    left_out = {name for tag, name in listed if tag == b"S"}.difference(here)
    found = [_from_disk(name, os.path.join(top, name)) for name in here]
    if left_out:
        objects = git.Objects(top)
        recorded = (
            entry for entry in _entries(git.run(top, "ls-files", "-s", "-z", "--", full)) if entry[0] in left_out
        )
        found += [whole_file(name, objects.read(oid), mode) for name, mode, oid, _ in recorded if mode != SUBMODULE]
        objects.close()
    return found


def _entries(listed: bytes) -> list[tuple[str, str, str, str]]:
    """(name, mode, object id, stage) of what `git ls-files -s -z` prints."""
    out = []
    for record in listed.split(b"\0")[:-1]:
        about, _, name = record.partition(b"\t")
        mode, oid, stage = about.decode("ascii").split(" ")
        out.append((os.fsdecode(name), mode, oid, stage))
    return out


def recorded(
    top: str, objects: git.Objects, commit: str | None = None, wanted: Callable[[str], bool] = lambda _path: True
) -> Material:
    """Every file of a commit (None: of the index) that is wanted, every line as if it were added."""
    if commit is None:
        listed = git.run(top, "ls-files", "-s", "-z", "--full-name")
    else:
        listed = git.run(top, "ls-tree", "-r", "-z", "--full-tree", commit)
    changes = []
    for record in listed.split(b"\0")[:-1]:
        about, _, name = record.partition(b"\t")
        fields, path = about.decode("ascii").split(" "), os.fsdecode(name)
        mode, oid = fields[0], fields[1] if commit is None else fields[2]
        if not wanted(path):
            continue
        if commit is None and fields[2] != "0":
            raise CannotJudge(
                "the file is unmerged", path=printable(path), way_out="Resolve the conflict and stage it."
            )
        if mode != SUBMODULE:
            changes.append(whole_file(path, objects.read(oid), mode))
    return Material("tree", tuple(changes), head=commit, complete=True)


def _from_disk(path: str, full: str) -> Change | None:
    if os.path.islink(full):
        return whole_file(path, os.fsencode(os.readlink(full)), LINK)
    if not os.path.isfile(full):
        return None
    with open(full, "rb") as file:
        return whole_file(path, file.read(LIMIT + 1))


def buffer(path: str, old: bytes | None, new: bytes) -> Material:
    """An editor's buffer against the base side of the same file (None: the file is new)."""
    if old is None:
        return Material("buffer", (whole_file(path, new),))
    return Material(
        "buffer",
        (Change(path, "M", Blob("100644", data=old), Blob("100644", data=new), hunks_between(old, new)),),
        decided=lambda name: old if name == path else None,
    )


def hunks_between(old: bytes, new: bytes) -> tuple[Hunk, ...]:
    """The hunks between two texts, without context, compared by line."""
    from sakaime.material.align import changed

    a, b = _by_newline(old), _by_newline(new)
    return tuple(
        Hunk(
            a1 + 1,
            b1 + 1,
            b"".join(a[a1:a2]),
            b"".join(b[b1:b2]),
            ((b1 + 1, b2),) if b2 > b1 else (),
            ((a1 + 1, a2),) if a2 > a1 else (),
        )
        for a1, a2, b1, b2 in changed(a, b)
    )


def _by_newline(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def message(kind: str, data: bytes) -> Material:
    """A commit message, a title, a body or a branch name, as `kind` says, every line as if it were added.

    Of a commit message, what git will not record is left out: lines that begin with the comment sign, and
    everything from the scissors line on (git-commit(1), --cleanup).
    """
    path = {
        "commit-message": "COMMIT_EDITMSG",
        "pr-title": "pull request title",
        "pr-body": "pull request body",
    }.get(kind, "branch name")
    if kind == "commit-message":
        lines = data.split(b"\n")
        cut = next(
            (n for n, line in enumerate(lines) if line.startswith(b"# ------------------------ >8 ----")),
            None,
        )
        lines = lines[:cut]
        data = b"\n".join(b"" if line.startswith(b"#") else line for line in lines)
    if kind == "branch":  # words are joined by signs there
        spoken = data.translate(bytes.maketrans(b"-_/.", b"    "))
        return Material("message", (whole_file(path, spoken),), verbatim=whole_file(path, data))
    return Material("message", (whole_file(path, data),))
