"""Views: the text as it is judged, and the way back to the source."""

from __future__ import annotations

import sys
import unicodedata
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.text.chars import INVISIBLE, MOST_MARKS
from sakaime.text.view import View, make_view

HARD = [*"aZ ｶﾞﾊﾟｦﬁ①½㌔ǆé", "e\u0301", "か\u3099", "\u1100\u1161\u11a8", "\u200b", "\u202e", "\u00a8", "\u3000", "\u2028"]
texts = st.lists(st.sampled_from(HARD) | st.characters(exclude_categories=["Cs"]), max_size=30).map("".join)


def whole(text: str, drop: str = "") -> View:
    return make_view(text, ((0, len(text)),), drop)


def longest_run(text: str) -> int:
    run = most = 0
    for char in text:
        if char not in INVISIBLE:
            run = run + 1 if unicodedata.combining(char) else 0
            most = max(most, run)
    return most


@given(texts)
def test_the_text_is_nfkc_without_invisible_marks_and_with_single_blanks(text: str) -> None:
    visible = "".join(char for char in text if char not in INVISIBLE)
    if longest_run(text) <= MOST_MARKS:
        assert whole(text).text == " ".join(unicodedata.normalize("NFKC", visible).split())


@given(texts)
def test_the_map_ascends_and_stays_inside(text: str) -> None:
    view = whole(text)
    assert len(view.text) == len(view.starts) == len(view.ends)
    assert list(view.starts) == sorted(view.starts)
    assert list(view.ends) == sorted(view.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(view.starts, view.ends, strict=True))


@given(texts, st.data())
def test_a_range_of_the_view_is_made_of_its_range_of_the_source(text: str, data: st.DataObject) -> None:
    view = whole(text)
    if not view.text:
        return
    start = data.draw(st.integers(0, len(view.text) - 1))
    end = data.draw(st.integers(start + 1, len(view.text)))
    first, last = view.source_range(start, end)
    assert view.text[start:end].strip() in whole(text[first:last]).text
    assert view.source_range(0, len(view.text))[0] <= first < last <= view.source_range(0, len(view.text))[1]


@given(st.lists(texts.map(lambda text: text.replace("\n", "")), min_size=1, max_size=5))
def test_lines_join_in_order_and_map_into_their_own_line(lines: list[str]) -> None:
    source = "\n".join(lines)
    pieces, at = [], 0
    for line in lines:
        pieces.append((at, at + len(line)))
        at += len(line) + 1
    view = make_view(source, pieces)
    assert "".join(view.text.split()) == "".join("".join(whole(line).text.split()) for line in lines)
    for at, char in enumerate(view.text):
        start, end = view.source_range(at, at + 1)
        assert char == " " or any(first <= start and end <= last for first, last in pieces)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["no further", "review"], "no further review"),
        (["レビューの", "対象外"], "レビューの対象外"),
        (["レビュー", "API"], "レビュー API"),
        (["not a", "レビュー"], "not a レビュー"),
        (["검토가", "필요 없음"], "검토가 필요 없음"),
        (["不需要", "审查"], "不需要审查"),
        (["ﾚﾋﾞｭｰの", "ﾀｲｼｮｳ"], "レビューのタイショウ"),
        (["レビュー", "**対象外**"], "レビュー対象外"),
        (["レビュー", "\u200b対象外"], "レビュー対象外"),
        (["レビュー\u200b", "\u3000対象外"], "レビュー対象外"),
        (["no", "\u200b"], "no"),
        (["Ａ", "Ｂ"], "A B"),
        (["a ", " b"], "a b"),
    ],
)
def test_lines_join_as_their_script_is_written(lines: list[str], joined: str) -> None:
    source = "\n".join(lines)
    pieces = [(source.index(line), source.index(line) + len(line)) for line in lines]
    assert make_view(source, pieces, "*").text == joined


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("**no** `review`", "no review"),
        ("_no review_ needed", "no review needed"),
        ("__no__ review", "no review"),
        ("some_name and an_other_one", "some_name and an_other_one"),
        ("a__b __init__", "a__b init"),
        ("(_so_)", "(so)"),
    ],
)
def test_emphasis_is_no_part_of_the_words(text: str, seen: str) -> None:
    assert whole(text, "*`_").text == seen


def test_the_first_character_from_an_offset_on() -> None:
    source = "approved by\n# infra"
    view = make_view(source, ((0, 11), (14, 19)))
    assert view.text == "approved by infra"
    assert view.first_from(12, 0) == 14
    assert view.first_from(0, 3) == 3


def calls_of(text: str) -> int:
    """How many Python and C functions are called to make a view of a text."""
    count = 0

    def tick(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        whole(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", ["\u0301", "e\u0301", "か\u3099", "ｶﾞ", "a", "日", "\u200b", "\u1100\u1161", " ", "_"])
def test_work_grows_with_the_length(unit: str) -> None:
    small, large = calls_of("x" + unit * 2000), calls_of("x" + unit * 4000)
    assert large <= 2.1 * small + 100


def test_long_runs_of_marks_are_cut() -> None:
    view = whole("e" + "\u0323" * 100_000 + "x")
    assert len(view.text) <= MOST_MARKS + 2
    assert view.text.endswith("x")
    assert view.source_range(len(view.text) - 1, len(view.text)) == (100_001, 100_002)
