"""Lines, offsets and columns: the same place in code points, bytes and UTF-16 units."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.model import Position, Span
from sakaime.text.source import (
    Source,
    Undecodable,
    byte_column,
    column_of_byte,
    column_of_utf16,
    decode,
    is_binary,
    utf16_column,
)

PIECES = [*"aé日本語レビュー🙂👩‍💻か\u3099e\u0301\r\n\t\x0c\u2028\u0085 \ufeff", "\r\n", "\n\n", "\N{FAMILY}"]
texts = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=40).map("".join)
lines = texts.map(lambda text: text.replace("\n", ""))


@given(lines, st.data())
def test_columns_lead_to_the_same_place_in_every_counting(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(line) + 1))
    assert column_of_utf16(line, utf16_column(line, column)) == column
    assert column_of_byte(line, byte_column(line, column)) == column


@given(lines)
def test_columns_count_what_the_encodings_hold(line: str) -> None:
    assert utf16_column(line, len(line) + 1) == len(line.encode("utf-16-le")) // 2 + 1
    assert byte_column(line, len(line) + 1) == len(line.encode()) + 1


def test_a_column_inside_a_character_is_the_character() -> None:
    assert [column_of_utf16("a🙂b", n) for n in range(1, 6)] == [1, 2, 2, 3, 4]
    assert [column_of_byte("日b", n) for n in range(1, 6)] == [1, 1, 1, 2, 3]


@given(texts, st.data())
def test_a_position_leads_back_to_its_offset(text: str, data: st.DataObject) -> None:
    source = Source(text)
    offset = data.draw(st.integers(0, len(text)))
    position = source.position(offset)
    assert source.starts[position.line - 1] + position.column - 1 == offset


@given(texts)
def test_lines_are_what_git_and_editors_call_lines(text: str) -> None:
    source = Source(text)
    whole = text.split("\n")
    if len(whole) > 1 and not whole[-1]:
        whole.pop()
    assert [source.line(n) for n in range(1, len(source.starts) + 1)] == [line.removesuffix("\r") for line in whole]
    for index, line in enumerate(whole):
        start, end = source.bounds(index)
        assert text[start:end] == line.removesuffix("\r")


@given(texts, st.data())
def test_a_span_ends_on_the_line_of_its_last_character(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = Source(text).span(start, end)
    assert span.start.line + text[start : max(start, end - 1)].count("\n") == span.end.line
    assert (span.start == span.end) == (start == end)


@pytest.mark.parametrize(
    ("text", "count", "last"),
    [
        ("", 1, (0, 0)),
        ("\n", 1, (0, 0)),
        ("a", 1, (0, 1)),
        ("a\n", 1, (0, 1)),
        ("a\r\n", 1, (0, 1)),
        ("a\n\n", 2, (2, 2)),
        ("a\rb", 1, (0, 3)),
        ("a\x0cb\u2028c\u0085d\x1ee\x0bf", 1, (0, 11)),
        ("a\n\r\n", 2, (2, 2)),
    ],
)
def test_bounds(text: str, count: int, last: tuple[int, int]) -> None:
    source = Source(text)
    assert len(source.starts) == count
    assert source.bounds(count - 1) == last


def test_an_empty_text_has_one_empty_line() -> None:
    source = Source("")
    assert source.line(1) == ""
    assert source.line(2) == ""
    assert source.position(0) == Position(1, 1, byte=1)
    assert source.span(0, 0) == Span(Position(1, 1, byte=1), Position(1, 1, byte=1))


def test_lines_keep_their_numbers_where_only_parts_are_known() -> None:
    source = Source("a\nb\nc\n", (3, 4, 90))
    assert [source.position(n).line for n in (0, 2, 4)] == [3, 4, 90]
    assert [source.line(n) for n in (2, 3, 4, 5, 90, 91)] == ["", "a", "b", "", "c", ""]
    assert [source.index_of(n) for n in (1, 3, 5, 90)] == [0, 0, 2, 2]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
    ],
)
def test_a_byte_order_mark_names_the_encoding_and_is_no_text(mark: bytes, encoding: str) -> None:
    text = "承認済み 🙂\r\nend"
    data = mark + text.encode(encoding)
    assert decode(data) == text
    assert not is_binary(data)


@pytest.mark.parametrize(
    "data", [b"\xff", b"a\x80", "é".encode("latin-1"), codecs.BOM_UTF16_LE + b"a", b"\xed\xa0\x80"]
)
def test_what_is_no_text_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(data)
