"""Diffs: from git, whatever a user has configured, and from files, whoever has written them."""

from __future__ import annotations

import os
import subprocess
import tracemalloc
from pathlib import Path

import pytest
from conftest import Repo
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sakaime.material.change import BINARY, Change, Material
from sakaime.material.diff import parse_patch
from sakaime.material.git import Objects
from sakaime.material.sources import from_diff, hunks_between, staged
from sakaime.model import CannotJudge

LINES = [b"a", b"b", b"", b" ", b"x\r", "日本".encode(), b"\xff\xfe", b"nul\0", b"+", b"-", b"\x0c", b"\r", b"-- a/x"]
LINES += [
    b"--- a/x",
    b"+++ b/x",
    b"@@ -1 +1 @@",
    b"diff --git a/x b/x",
    b"\\ No newline at end of file",
    b"Binary files a/x",
]
contents = st.tuples(st.lists(st.sampled_from(LINES), max_size=25), st.sampled_from([b"\n", b""])).map(
    lambda t: b"\n".join(t[0]) + (t[1] if t[0] else b"")
)
pairs = st.tuples(st.none() | contents, st.none() | contents)
NAMES = [
    "a",
    "a b",
    'q"uote',
    "new\nline",
    "tab\t",
    "back\\slash",
    "日本語",
    "\udcff\udcfe",
    "d/e/f.txt",
    "-x",
    "--- a",
    "\x1b[1m",
]

BENT = """
[diff]
    noprefix = true
    mnemonicPrefix = true
    context = 0
    interHunkContext = 10
    renames = false
    external = false
    orderFile = order
    algorithm = histogram
    ignoreSubmodules = all
    submodule = log
    suppressBlankEmpty = true
    relative = true
    colorMoved = zebra
    wsErrorHighlight = all
    dirstat = lines
    indentHeuristic = false
    renameLimit = 1
[color]
    ui = always
    diff = always
[core]
    quotePath = false
    pager = false
    attributesFile = attributes
    whitespace = cr-at-eol
    fsmonitor = false
[diff "up"]
    textconv = tr a-z A-Z <
    command = false
    binary = true
    xfuncname = "^(.*)$"
    algorithm = patience
[interactive]
    diffFilter = false
"""


def bend(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(repo.path / ".git/config", "a", encoding="utf-8") as file:
        file.write(BENT)
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/attributes").write_text("* diff=up\n*.txt -diff\na binary\n", encoding="utf-8")
    (repo.path / "order").write_text("z\na\n", encoding="utf-8")
    (repo.path / ".git/info/exclude").write_text("order\n", encoding="utf-8")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u0")
    monkeypatch.setenv("GIT_PAGER", "false")
    monkeypatch.setenv("GIT_NOGLOB_PATHSPECS", "1")


def material(repo: Repo) -> Material:
    return staged(str(repo.path), Objects(str(repo.path)))


def split(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def numbered(runs: tuple[tuple[int, int], ...]) -> set[int]:
    return {number for first, last in runs for number in range(first, last + 1)}


def agrees(change: Change, old: bytes, new: bytes) -> None:
    """The hunks are parts of both sides, and what they leave out is the same on both."""
    before, after = split(old), split(new)
    for hunk in change.hunks:
        for start, part, side in ((hunk.old_start, hunk.old, before), (hunk.new_start, hunk.new, after)):
            assert split(part) == side[start - 1 : start - 1 + len(split(part))]
    removed = numbered(tuple(run for hunk in change.hunks for run in hunk.removed))
    added = numbered(change.added)
    assert [line for n, line in enumerate(before, 1) if n not in removed] == [
        line for n, line in enumerate(after, 1) if n not in added
    ]
    assert change.added_lines == len(added)
    assert list(change.added) == sorted(change.added)


def numstat(repo: Repo) -> dict[str, int]:
    """How many lines git itself counts as added, by path, without our options."""
    plain = "-c diff.renames=false -c diff.orderFile=/dev/null -c color.ui=never diff --cached --numstat -z --text"
    more = "--no-ext-diff --no-textconv --no-renames --diff-algorithm=myers --no-relative --submodule=short"
    done = subprocess.run(
        ["git", *plain.split(), *more.split()],
        cwd=repo.path,
        capture_output=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    )
    out = done.stdout
    rows = [row.split(b"\t", 2) for row in out.split(b"\0") if row]
    return {os.fsdecode(name): int(added) for added, _, name in rows if added != b"-"}


@pytest.mark.parametrize("bent", [False, True])
def test_the_added_lines_are_exactly_those_of_the_new_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bent: bool
) -> None:
    count = 0

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(pairs, min_size=len(NAMES), max_size=len(NAMES)))
    def holds(sides: list[tuple[bytes | None, bytes | None]]) -> None:
        nonlocal count
        count += 1
        repo = Repo(tmp_path / str(count))
        for name, (old, _) in zip(NAMES, sides, strict=True):
            if old is not None:
                repo.write(name, old)
        repo.git("-c", "core.autocrlf=false", "add", "-A")
        repo.commit("old")
        for name, (_, new) in zip(NAMES, sides, strict=True):
            if new is not None:
                repo.write(name, new)
            elif (repo.path / name).exists():
                (repo.path / name).unlink()
        repo.git("-c", "core.autocrlf=false", "add", "-A")
        if bent:
            bend(repo, monkeypatch)
        found = {change.path: change for change in material(repo).changes}
        by_name = dict(zip(NAMES, sides, strict=True))
        renamed = {change.old_path for change in found.values() if change.old_path is not None}
        assert set(found) | renamed == {name for name, (old, new) in by_name.items() if old != new}
        for name, change in found.items():
            old = by_name[change.old_path or name][0]
            agrees(change, old or b"", by_name[name][1] or b"")
        git_counts = numstat(repo)
        for name, change in found.items():
            if change.status in "AM" and name in git_counts:
                assert change.added_lines == git_counts[name]
        monkeypatch.undo()

    holds()


def one(repo: Repo) -> Change:
    (change,) = material(repo).changes
    return change


def test_a_rename_with_an_edit(repo: Repo) -> None:
    lines = "".join(f"line {n}\n" for n in range(20))
    repo.commit(**{"old name": lines})
    repo.git("mv", "old name", "new\nname")
    repo.stage("new\nname", lines + "more\n")
    change = one(repo)
    assert (change.status, change.path, change.old_path, change.added) == ("R", "new\nname", "old name", ((21, 21),))


def test_a_mode_alone_adds_nothing(repo: Repo) -> None:
    repo.commit(run="x\n")
    repo.git("update-index", "--chmod=+x", "run")
    change = one(repo)
    assert change.new is not None
    assert (change.status, change.new.mode, change.hunks) == ("M", "100755", ())


def test_a_file_that_becomes_a_link_and_back(repo: Repo) -> None:
    repo.commit(f="text\n", g="other\n")
    (repo.path / "f").unlink()
    (repo.path / "f").symlink_to("target")
    repo.stage("g", "other\nmore\n")
    repo.git("add", "-A")
    changes = {change.path: change for change in material(repo).changes}
    link = changes["f"].new
    assert (changes["f"].status, link and link.mode) == ("T", "120000")
    assert changes["f"].added == ((1, 1),)
    assert changes["g"].added == ((2, 2),)
    repo.commit()
    (repo.path / "f").unlink()
    repo.stage("f", "a\nb\n")
    assert (one(repo).status, one(repo).added) == ("T", ((1, 2),))


def test_a_submodule_has_a_hunk_that_is_no_text_of_the_repository(repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD").strip()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    repo.stage("z", "x\n")
    changes = {change.path: change for change in material(repo).changes}
    assert changes["sub"].new is not None
    assert changes["sub"].new.mode == "160000"
    assert not changes["sub"].regular
    assert changes["z"].added == ((1, 1),)


def test_what_is_only_intended_to_be_added_is_not_staged(repo: Repo) -> None:
    repo.write("later", "x\n")
    repo.git("add", "-N", "later")
    repo.stage("now", "y\n")
    assert [change.path for change in material(repo).changes] == ["now"]


def test_an_unmerged_file_cannot_be_judged(repo: Repo) -> None:
    repo.commit(f="a\n")
    repo.git("checkout", "-q", "-b", "other")
    repo.commit(f="b\n")
    repo.git("checkout", "-q", "main")
    repo.commit(f="c\n", z="z\n")
    subprocess.run(["git", "merge", "other"], cwd=repo.path, capture_output=True)
    with pytest.raises(CannotJudge, match="unmerged") as caught:
        material(repo)
    assert caught.value.path == "f"


def test_a_folder_with_pattern_signs_is_no_pattern(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from sakaime.material.sources import files

    repo.stage("d[12]/a", "x\n")
    repo.stage("d1/b", "x\n")
    monkeypatch.chdir(repo.path)
    assert [c.path for c in files(str(repo.path), ["d[12]"], str(repo.path)).changes] == ["d[12]/a"]


@given(contents, contents)
def test_hunks_between_two_texts(old: bytes, new: bytes) -> None:
    agrees(Change("x", "M", None, None, hunks_between(old, new)), old, new)


# Diffs that come as files.

BODY = "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"


def seen(diff: str | bytes) -> list[tuple[str, str, str | None, int]]:
    data = diff.encode("utf-8", "surrogateescape") if isinstance(diff, str) else diff
    return [(c.path, c.status, c.old_path, c.added_lines) for c in from_diff(data).changes]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n", ("x", "M", None)),
        ("diff --git x x\n--- x\n+++ x\n", ("x", "M", None)),
        ("diff --git a/x a/x\n--- a/x\n+++ a/x\n", ("a/x", "M", None)),
        ("diff --git b/x b/x\n--- b/x\n+++ b/x\n", ("b/x", "M", None)),
        ("diff --git i/x w/x\n--- i/x\n+++ w/x\n", ("x", "M", None)),
        ("diff --git c/x i/x\nnew file mode 100644\n--- /dev/null\n+++ i/x\n", ("x", "A", None)),
        ("diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n", ("b/x", "A", None)),
        ("diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n", ("x", "A", None)),
        ("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n", ("x", "D", None)),
        ("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n", ("y", "R", "x")),
        ("diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n--- a/x\n+++ b/y\n", ("y", "R", "x")),
        (
            'diff --git "a/X" "b/X"\n--- "a/X"\n+++ "b/X"\n'.replace("X", '\\"\\n\\303\\251'),
            ('"\né', "M", None),
        ),
        ('--- "a/\\377"\n+++ "b/\\377"\n', ("\udcff", "M", None)),
        (
            "--- x.orig\t2026-01-01 10:00:00.000000000 +0900\n+++ x\t2026-01-02 10:00:00.000000000 +0900\n",
            ("x", "R", "x.orig"),
        ),
        ("--- a/x y\t\n+++ b/x y\t\n", ("x y", "M", None)),
        ("--- a/x\r\n+++ b/x\r\n", ("x", "M", None)),
        ("Index: x\n=====\n--- x\t(revision 1)\n+++ x\t(working copy)\n", ("x", "M", None)),
        ("diff -u -r old/x new/x\n--- old/x\tMon\n+++ new/x\tMon\n", ("new/x", "R", "old/x")),
        (
            "From 1 Mon\nSubject: [PATCH] x\n\n--- dashes\n---\n x | 3 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n",
            ("x", "M", None),
        ),
    ],
)
def test_the_headers_of_a_diff(header: str, expected: tuple[str, str, str | None]) -> None:
    assert seen(header + BODY) == [(*expected, 2)]
    assert seen(header + BODY + "-- \n2.39.5\n\n") == [(*expected, 2)]
    assert seen("diff --git a/first b/first\n--- a/first\n+++ b/first\n" + BODY + header + BODY)[1:] == [(*expected, 2)]


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", ("x", "M", None, 0)),
        ("diff --git a/a b c b/a b c\nold mode 100644\nnew mode 100755\n", ("a b c", "M", None, 0)),
        ("diff --git a/e b/e\nnew file mode 100644\nindex 000..e69\n", ("e", "A", None, 0)),
        ('diff --git "a/\\t" "b/\\t"\ndeleted file mode 100644\n', ("\t", "D", None, 0)),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", ("y", "R", "x", 0)),
        ("diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", ("y", "R", "x", 0)),
    ],
)
def test_headers_without_a_hunk(diff: str, expected: tuple[str, str, str | None, int]) -> None:
    mail = "-- \n2.39.5\n\nFrom 2\nSubject: x\n\ndeleted scenes\nrename x\nnew file\n--- \n+++\n"
    assert seen(diff) == [expected]
    assert seen(diff + mail) == [expected]
    assert seen(diff + mail + diff) == [expected, expected]


def test_a_series_of_mails(repo: Repo) -> None:
    repo.commit("one\n\n--- a/no\n+++ b/no\n", a="x\n")
    repo.commit("two", empty="", b="--- a/x\n")
    repo.stage("b", "++ b/x\n")
    repo.commit("three")
    mails = repo.git("format-patch", "--stdout", "HEAD~3")
    assert seen(mails) == [("a", "A", None, 1), ("b", "A", None, 1), ("empty", "A", None, 0), ("b", "M", None, 1)]


def test_content_cannot_pass_for_a_header() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n--- a/y\n-@@ -1 +1 @@\n---- a/z\n+++ b/y\n+diff --git a/q b/q\n+@@@\n"
    (change,) = from_diff(diff.encode()).changes
    assert change.path == "x"
    assert change.hunks[0].new == b"++ b/y\ndiff --git a/q b/q\n@@@\n"
    assert change.hunks[0].old == b"-- a/y\n@@ -1 +1 @@\n--- a/z\n"


def test_the_missing_line_end_of_the_last_line() -> None:
    sign = "\\ No newline at end of file\n"
    diff = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n{sign}+b\n{sign}{sign}"
    hunk = from_diff(diff.encode()).changes[0].hunks[0]
    assert (hunk.old, hunk.new) == (b"a", b"b")


def test_a_binary_file_is_listed() -> None:
    diff = "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n"
    git = "diff --git a/y b/y\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n\nliteral 0\nHc$@\n\n"
    gone = "diff --git a/z b/z\ndeleted file mode 100644\nindex 1..0\nBinary files a/z and /dev/null differ\n"
    found = from_diff((diff + git + gone).encode())
    assert [change.path for change in found.changes] == ["x", "y", "z"]
    assert [change.path for change in found.changes if change.unread == BINARY] == ["x", "y"]


@pytest.mark.parametrize(
    "diff",
    [
        "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+# approved, no review needed\n",
        "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\nnothing\n",
        "--- a/x\n+++ b/x\n@@ -x +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1 +1_0 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ --1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1 +99999999999999999999 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n",
        "diff --cc x\nindex 1,2..3\n",
        '--- "a/\\999"\n+++ "b/\\999"\n@@ -1 +1 @@\n-a\n+b\n',
        '--- "a/x\n+++ "b/x\n@@ -1 +1 @@\n-a\n+b\n',
        "diff --git a/x b/y\nold mode 100644\nnew mode 100755\n",
        "diff --git a/x b/x\n--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
        "just text\n",
    ],
)
def test_what_is_not_clear_cannot_be_judged(diff: str) -> None:
    with pytest.raises(CannotJudge):
        from_diff(diff.encode())


HEADERS = """diff --git a/x b/x|diff --git "a/x" "b/x"|--- a/x|+++ b/x|--- /dev/null|+++ /dev/null|@@ -1 +1 @@
@@ -1,2 +1,2 @@ f|@@ -0,0 +1 @@|+a|-a| a||\\ No|rename from|rename from x|rename to y|new file mode 1
deleted file mode|--- "a\\|Binary files |---|--- |@@@|diff --git |new mode|index 1..2 |copy from a|copy to "
+++ "\\1"|@@"""
SCRAPS = [*(f"{line}\n".encode() for line in HEADERS.replace("\n", "|").split("|")), b"\0", b"\xff"]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(SCRAPS), max_size=14).map(b"".join) | st.binary(max_size=60))
@example(b"--- a\n+++ b\n@@ -1,999999999 +1,1 @@\n")
def test_no_bytes_do_worse_than_cannot_judge(data: bytes) -> None:
    try:
        found = from_diff(data)
    except CannotJudge:
        return
    for change in found.changes:
        assert change.path
        assert list(change.added) == sorted(change.added)
        for hunk in change.hunks:
            assert len(split(hunk.new)) >= sum(last - first + 1 for first, last in hunk.added)


def test_a_large_hunk_is_held_once_while_it_is_read() -> None:
    diff = b"--- a/x\n+++ b/x\n@@ -0,0 +1,20000 @@\n" + (b"+" + b"x" * 99 + b"\n") * 20_000
    tracemalloc.start()
    try:
        (change,) = from_diff(diff).changes
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert change.added_lines == 20_000
    assert peak < 1.5 * len(diff)


def test_lines_of_a_patch_are_looked_at_once() -> None:
    patch = b"--- a/x\n+++ b/x\n@@ -0,0 +1,200000 @@\n" + b"+x\n" * 200_000
    (file,) = parse_patch(patch)
    assert file.hunks[0].added == ((1, 200_000),)
