"""What holds for any criteria document, from the bytes of both sides to the findings."""

from __future__ import annotations

import textwrap
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from judging_fixtures import shipped_policy

from sakaime.checks import criteria
from sakaime.material.sources import buffer
from sakaime.model import Finding

SUBJECTS = (
    "query",
    "migration",
    "endpoint",
    "password",
    "timeout",
    "retry",
    "upload",
    "cookie",
    "cache",
    "log line",
    "feature flag",
    "index",
    "lock",
    "webhook",
    "translation",
    "container",
)
ASKED = (
    "is bounded and closed",
    "names its owner",
    "has a test for the failing path",
    "never reaches a public port",
    "is documented in the handbook",
    "survives a restart of the service",
)
SUBJECTS_JA = ("問い合わせ", "移行", "権限", "鍵", "再試行", "添付", "保存期間", "通知", "翻訳", "索引")
ASKED_JA = ("に上限があること", "の持ち主が書いてあること", "の失敗する道に試験があること", "を外へ出していないこと")
ENGLISH = st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(ASKED)).map(
    lambda pair: (pair[0], f"Check that every {pair[0]} {pair[1]}.")
)
JAPANESE = st.tuples(st.sampled_from(SUBJECTS_JA), st.sampled_from(ASKED_JA)).map(
    lambda pair: (pair[0], f"{pair[0]}{pair[1]}")
)
NEW = [("licence", "Licences of new libraries are listed by the legal team of the company.")]
NEW_JA = [("契約", "新しいライブラリの契約条件は法務の一覧に載せること")]
Item = tuple[str, str]
ITEMS = st.one_of(
    st.lists(ENGLISH, min_size=2, max_size=9, unique_by=lambda item: item[0]),
    st.lists(JAPANESE, min_size=2, max_size=7, unique_by=lambda item: item[0]),
)
SHAPES = ("- ", "* ", "+ ", "1. ", "1) ", "- [ ] ", "| ")
REVIEW = "REVIEW.md"


def findings(old: bytes, new: bytes, path: str = REVIEW) -> list[Finding]:
    """What is told of a document that was `old` and is `new`."""
    found, _ = criteria.check(shipped_policy(), buffer(path, old, new))
    return [finding for finding in found if finding.severity != "info"]


def written(items: list[Item], shape: str = "- ", title: str = "# Review") -> list[str]:
    """The lines of a document that asks for `items`, one line each, from the third (of a table the fifth) on."""
    if shape == "| ":
        return [title, "", "| Topic | Question |", "|---|---|", *(f"| {name} | {text} |" for name, text in items)]
    return [title, "", *(shape + text for _, text in items)]


def data(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


@given(ITEMS, st.sampled_from(SHAPES), st.data())
@settings(deadline=None)
def test_what_is_taken_out_is_one_finding_on_its_line(items: list[Item], shape: str, drawn: st.DataObject) -> None:
    at = drawn.draw(st.integers(0, len(items) - 1))
    after = written([*items[:at], *items[at + 1 :]], shape)
    (found,) = findings(data(written(items, shape)), data(after))
    first = 5 if shape == "| " else 3
    assert (found.kind, found.span.start.line) == ("removed", min(first + at, len(after)))
    assert items[at][1] in found.excerpt


@given(ITEMS, st.sampled_from(SHAPES), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_does_not_matter(items: list[Item], shape: str, random: Any) -> None:
    after = list(items)
    random.shuffle(after)
    assert not findings(data(written(items, shape)), data(written(after, shape)))


@given(ITEMS, st.sampled_from(SHAPES[:-1]), st.sampled_from(SHAPES[:-1]))
@settings(deadline=None)
def test_the_marks_of_a_list_do_not_matter(items: list[Item], one: str, other: str) -> None:
    assert not findings(data(written(items, one)), data(written(items, other)))


@given(ITEMS, st.sampled_from(SHAPES))
@settings(deadline=None)
def test_a_list_may_become_a_table_and_a_table_a_list(items: list[Item], shape: str) -> None:
    rows = data(written(items, "| "))
    named = data(written([(name, f"{name}: {text}") for name, text in items], shape))
    assert not findings(rows, named)
    assert not findings(named, rows)


@given(st.lists(ENGLISH, min_size=2, max_size=9, unique_by=lambda item: item[0]), st.integers(18, 70))
@settings(deadline=None)
def test_where_lines_break_does_not_matter(items: list[Item], width: int) -> None:
    lines = written(items)
    wrapped = [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ") or [""]]
    assert not findings(data(lines), data(wrapped))
    assert not findings(data(wrapped), data(lines))


@given(ITEMS, st.integers(0, 30), st.booleans())
@settings(deadline=None)
def test_how_a_table_is_aligned_does_not_matter(items: list[Item], width: int, colons: bool) -> None:
    rows = [(name.ljust(width), text.ljust(width)) for name, text in items]
    lines = written(rows, "| ")
    lines[3] = "|:---|:---:|" if colons else "|" + "-" * (width + 3) + "|---|"
    assert not findings(data(written(items, "| ")), data(lines))


@given(ITEMS, st.sampled_from(SHAPES), st.booleans())
@settings(deadline=None)
def test_line_ends_and_a_byte_order_mark_do_not_matter(items: list[Item], shape: str, mark: bool) -> None:
    before = data(written(items, shape))
    after = b"\xef\xbb\xbf" * mark + before.replace(b"\n", b"\r\n")
    assert not findings(before, after)
    assert not findings(after, before)


@given(ITEMS, st.sampled_from(SHAPES), st.data())
@settings(deadline=None)
def test_what_is_taken_out_amid_new_items_and_another_order_is_still_told(
    items: list[Item], shape: str, drawn: st.DataObject
) -> None:
    at = drawn.draw(st.integers(0, len(items) - 1))
    kept = [*items[:at], *items[at + 1 :]]
    fresh = NEW if items[0][1].isascii() else NEW_JA
    after = drawn.draw(st.permutations([*kept, *fresh]))
    told = findings(data(written(items, shape)), data(written(list(after), shape)))
    assert [(found.kind, items[at][1] in found.excerpt) for found in told] == [("removed", True)]


@given(ITEMS, st.sampled_from(SHAPES))
@settings(deadline=None)
def test_more_is_no_loss(items: list[Item], shape: str) -> None:
    assume(len(items) > 2)
    assert not findings(data(written(items[:2], shape)), data(written(items, shape)))


NAMES = (REVIEW, "README.md", "AGENTS.md", ".coderabbit.yaml", ".pr_agent.toml", "greptile.json", "CODEOWNERS", "a.mdc")


@given(st.binary(max_size=200), st.binary(max_size=200), st.sampled_from(NAMES))
@settings(deadline=None, max_examples=200)
def test_any_bytes_of_either_side_are_compared_or_named(old: bytes, new: bytes, path: str) -> None:
    criteria.check(shipped_policy(), buffer(path, old, new))


@given(st.text(alphabet="# -*|`~<>[]()!:\n\t 1aMUST必須:{}\"'", max_size=200), st.sampled_from(NAMES), st.data())
@settings(deadline=None, max_examples=200)
def test_equal_sides_and_sides_of_markup_alone(text: str, path: str, drawn: st.DataObject) -> None:
    assert not findings(text.encode(), text.encode(), path)
    cut = drawn.draw(st.integers(0, len(text)))
    for found in criteria.check(shipped_policy(), buffer(path, text.encode(), text[:cut].encode()))[0]:
        assert found.span.start.line <= text[:cut].count("\n") + 1


def test_owners_that_are_only_written_otherwise() -> None:
    before = b"* @org/all\n/docs/ @org/docs\n/src/ @org/core @org/infra\n"
    after = b"# owners\n*      @org/all\n\n/docs/   @org/docs   # prose\n/src/ @org/infra @org/core\n"
    assert not findings(before, after, "CODEOWNERS")
