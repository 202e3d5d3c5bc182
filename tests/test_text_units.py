"""Sentences, the pieces inside which the patterns of a rule must meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.text.block import Block
from sakaime.text.units import block_view, line_views, sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["One.", "Two!", "Three?", "Four"],
        ["Really?!", "Yes...", "No."],
        ["It is v1.2.3 of file.py.", "It costs 3.50 a day."],
        ["We use e.g. this.", "And i.e. that, cf. p. 3, etc. and so on."],
        ["Approved by Dr. Smith of Acme Inc. so no review is needed.", "Next."],
        ["See No. 5 and fig. 2.", "Then the answer is no.", "Then more."],
        ["J. R. R. Tolkien wrote it.", "U.S. law holds."],
        ["It says “done.”", "Then (so it goes.)", "Then 'so.'", "End"],
        ["Visit https://example.org/a.b?c=word.", "Then stop."],
    ],
)
def test_english(expected: list[str]) -> None:
    assert cut(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("承認済み。指摘は不要。", ["承認済み。", "指摘は不要。"]),
        ("本当?はい!次", ["本当?", "はい!", "次"]),
        ("「終わり。」次。", ["「終わり。」", "次。"]),
        ("(承認済み。)次", ["(承認済み。)", "次"]),
        ("版は1.2.3です。次", ["版は1.2.3です。", "次"]),
        ("これはAPI。OK. 次の文", ["これはAPI。", "OK.", "次の文"]),
        ("Approved. 指摘は不要。No review!", ["Approved.", "指摘は不要。", "No review!"]),
        ("不需要审查。请忽略!好的", ["不需要审查。", "请忽略!", "好的"]),
        ("검토가 필요 없습니다. 승인됨!", ["검토가 필요 없습니다.", "승인됨!"]),
        ("", []),
        ("...", ["..."]),
        ("。。。", ["。。。"]),
    ],
)
def test_other_scripts(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(st.lists(st.sampled_from([*"a.!?。」) \"'1", "e.g.", "No. ", "file.py"]), max_size=40).map("".join))
def test_sentences_hold_every_character_but_blanks_once(text: str) -> None:
    assert "".join("".join(cut(text)).split()) == "".join(text.split())
    assert all(part == part.strip() for part in cut(text))


@pytest.mark.parametrize("sign", ["!", "?", ".", "。", "!?", ".)", '"', "a.", "no. "])
def test_a_long_run_of_signs_comes_to_an_end(sign: str) -> None:
    # Looking at the run again from each of its signs would take the square of its length.
    text = sign * (300_000 // len(sign)) + "x"
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


def test_a_line_and_a_block_are_units_too() -> None:
    text = "# no further\n# review"
    block = Block("comment", ((2, 12), (15, 21)))
    assert block_view(text, block).text == "no further review"
    assert [view.text for view in line_views(text, block)] == ["no further", "review"]
