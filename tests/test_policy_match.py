"""Where the patterns of a rule meet, and which files a rule looks at."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise, product
from types import FrameType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sakaime.policy.globs import compile_globs
from sakaime.policy.match import looks_at, matches_path, windows
from sakaime.policy.rule import Rule
from sakaime.policy.tree import tree

Range = tuple[int, int]


def rule(
    all_: tuple[str, ...] = (),
    any_: tuple[str, ...] = (),
    none: tuple[str, ...] = (),
    within: int = 120,
    include: tuple[str, ...] | None = None,
    exclude: tuple[str, ...] = (),
) -> Rule:
    return Rule(
        id="t/r",
        family="instructions",
        kind="cap",
        severity="error",
        enforce_from="",
        title="",
        message="",
        why="",
        unit="sentence",
        all=tuple(tree(pattern, {}) for pattern in all_),
        any=tuple(tree(pattern, {}) for pattern in any_),
        none=tuple(tree(pattern, {}) for pattern in none),
        within=within,
        places=("comment",),
        include=None if include is None else compile_globs(list(include)),
        exclude=compile_globs(list(exclude)),
        covers="near",
        across=False,
        named=(),
    )


def occurrences(word: str, text: str) -> list[Range]:
    found, at = [], text.find(word)
    while at >= 0:
        found.append((at, at + len(word)))
        at = text.find(word, at + len(word))
    return found


def every_window(all_: list[str], any_: list[str], text: str, within: int) -> list[Range]:
    """All minimal stretches with one occurrence of every word of `all_` and one of any of `any_`."""
    groups = [occurrences(word, text) for word in all_]
    if any_:
        groups.append([found for word in any_ for found in occurrences(word, text)])
    hulls = {(min(s for s, _ in pick), max(e for _, e in pick)) for pick in product(*groups)}
    return [h for h in hulls if h[1] - h[0] <= within and not any(_inside(o, h) for o in hulls if o != h)]


def _inside(inner: Range, outer: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


WORDS = ["a", "bb", "承認", "🙂c", "abba"]


@settings(max_examples=400)
@given(
    st.lists(st.sampled_from(WORDS), max_size=3, unique=True),
    st.lists(st.sampled_from(WORDS), max_size=3, unique=True),
    st.lists(st.sampled_from([*WORDS, "x", " ", "語"]), max_size=14).map("".join),
    st.integers(1, 20),
)
def test_windows_are_the_shortest_stretches_where_all_patterns_meet(
    all_: list[str], any_: list[str], text: str, within: int
) -> None:
    if not all_ and not any_:
        return
    possible = every_window(all_, any_, text, within)
    found = windows(rule(tuple(all_), tuple(any_), within=within), text)
    assert found == sorted(found)
    assert all(first[1] <= second[0] for first, second in pairwise(found))
    assert set(found) <= set(possible)
    # Every stretch is reported, or overlaps one that is reported and no longer (directly or through its neighbour).
    assert bool(found) == bool(possible)
    shortest = min((end - start for start, end in possible), default=0)
    assert not possible or min(end - start for start, end in found) == shortest


def test_a_long_match_of_one_alternative_does_not_hide_a_short_one() -> None:
    text = "ab" + "x" * 5 + "c d" + "y" * 100 + "e"
    assert windows(rule(("ab",), ("x.*e", "c d"), within=15), text) == [(0, 10)]


def test_none_of_the_patterns_of_none_may_match_anywhere_in_the_unit() -> None:
    assert windows(rule(("a",), none=("z",)), "a b") == [(0, 1)]
    assert windows(rule(("a",), none=("z",)), "a b z") == []


def test_offsets_are_code_points() -> None:
    assert windows(rule(("承認", "不要")), "🙂は承認済み、指摘は不要。") == [(2, 12)]


def test_the_window_is_counted_in_code_points() -> None:
    text = "承認" + "あ" * 10 + "不要"
    assert windows(rule(("承認", "不要"), within=14), text) == [(0, 14)]
    assert windows(rule(("承認", "不要"), within=13), text) == []


def test_one_pattern_alone_is_bound_by_the_window_too() -> None:
    text = "a" + "x" * 300 + "b"
    for rules in (rule(("ax*b",), within=301), rule((), ("ax*b",), within=301)):
        assert windows(rules, text) == []
        assert windows(rules.replace(within=302), text) == [(0, 302)]


def test_work_grows_with_the_number_of_matches() -> None:
    def calls(count: int) -> int:
        done = 0

        def tick(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal done
            done += event in ("call", "c_call")

        text = "approved あ review " * count
        sys.setprofile(tick)
        try:
            assert len(windows(rule(("approved", "review"), ("あ", "approved あ")), text)) == count
        finally:
            sys.setprofile(None)
        return done

    assert calls(2000) <= 2.2 * calls(1000)


PARTS = ["a", "b", "ab", "*", "**", "a*", "*.py", "?", "[ab]", "[!a]", "x y", "語", ".x", "test*"]
globs = (
    st.tuples(
        st.sampled_from(["", "!", "/"]),
        st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
        st.sampled_from(["", "/"]),
    )
    .map(lambda t: t[0] + "/".join(t[1]) + t[2])
    .filter(lambda glob: not glob.endswith("**/"))
)  # pathspec reads `a/**/` as `a/`
NAMES = ["a", "b", "ab", "a.py", "x y", "語", ".x", "tests", "A", "a.pyc"]
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)


@settings(max_examples=150)
@given(chosen=st.lists(globs, min_size=1, max_size=3), path=paths)
def test_globs_select_what_git_ignores(tmp_path_factory: pytest.TempPathFactory, chosen: list[str], path: str) -> None:
    # `?` and a class stand for one character here, for one byte in git.
    assume(path.isascii() or not any("?" in glob or "[" in glob for glob in chosen))
    folder = tmp_path_factory.mktemp("globs")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / ".gitignore").write_text("\n".join(chosen) + "\n", encoding="utf-8")

    def ignored(name: str) -> bool:
        return subprocess.run(["git", "check-ignore", "-q", "--no-index", name], cwd=folder).returncode == 0

    # git never takes in again what is below a folder that it ignores, a list of paths does.
    if any(glob.startswith("!") for glob in chosen):
        assume(not any(ignored(path[:at]) for at, char in enumerate(path) if char == "/"))
    assert matches_path(compile_globs(chosen), path) is ignored(path)


@pytest.mark.parametrize(
    ("include", "exclude", "path", "looks"),
    [
        (None, (), "a/b.py", True),
        (("*.py",), (), "a/b.py", True),
        (("*.py",), (), "a/b.md", False),
        (("/*.py",), (), "a/b.py", False),
        (("**",), ("**/test*/**",), "a/tests/b.py", False),
        (("*.py", "!b.py"), (), "a/b.py", False),
        (("*.py",), ("*.py", "!b.py"), "a/b.py", True),
        (("*.py",), (), "a\nb.py", True),
        (("*.py",), (), "a\udcff.py", True),
        (("a?.py",), (), "a\udcff.py", True),
        (("**",), (), "\udcff", True),
        (("docs/",), (), "docs/a/b", True),
    ],
)
def test_a_rule_looks_at_its_files(
    include: tuple[str, ...] | None, exclude: tuple[str, ...], path: str, looks: bool
) -> None:
    assert looks_at(rule(("x",), include=include, exclude=exclude), path) is looks


@pytest.mark.parametrize("glob", ["[z-a]", "#x", " ", "", "/", "\\", "[[:alpha:]]", "a["])
def test_a_glob_that_selects_nothing_is_an_error(glob: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        compile_globs([glob])
