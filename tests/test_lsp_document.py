"""Documents: edits land where the client means them, whatever characters the text holds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import Workspace

from sakaime.lsp.document import Document, column, split, units, use_in

ENCODINGS = [
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
]
TEXT = st.text(st.sampled_from("ab é指😀\u0301\t\n\r\f\v\x1c\x1e\x85\u2028\u2029\ufeff"), max_size=40)


def naive_lines(text: str) -> list[tuple[int, int]]:
    """(start, end without line end) of the lines as the protocol counts them, the last, empty one included."""
    lines, at = [], 0
    for match in re.finditer("\r\n|\r|\n", text):
        lines.append((at, match.start()))
        at = match.end()
    return [*lines, (at, len(text))]


def naive_offset(text: str, line: int, character: int, encoding: str) -> int:
    lines = naive_lines(text)
    if line >= len(lines):
        return len(text)
    start, end = lines[line]
    for offset in range(start, end):
        if (
            len(text[start : offset + 1].encode(f"{encoding}-le" if encoding != "utf-8" else encoding))
            > character * ({"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding])
        ):
            return offset
    return end


def document(text: str, encoding: types.PositionEncodingKind) -> Document:
    workspace = Workspace(None, position_encoding=encoding)
    use_in(workspace)
    workspace.put_text_document(types.TextDocumentItem("untitled:a", "markdown", 1, text))
    made = workspace.get_text_document("untitled:a")
    assert isinstance(made, Document)
    return made


@given(TEXT)
def test_lines_end_at_lf_cr_lf_and_cr_alone(text: str) -> None:
    lines = [text[start:end] for start, end in naive_lines(text)]
    if lines[-1] == "":
        lines.pop()
    assert "".join(split(text)) == text
    assert [line.rstrip("\r\n") for line in split(text)] == lines


@given(
    TEXT,
    st.sampled_from(ENCODINGS),
    st.lists(st.tuples(*[st.integers(0, 6), st.integers(0, 12)] * 2, TEXT), min_size=1, max_size=6),
)
def test_edits_equal_those_of_a_plain_string(
    text: str, encoding: types.PositionEncodingKind, edits: list[tuple[int, int, int, int, str]]
) -> None:
    edited = document(text, encoding)
    for line, character, end_line, end_character, inserted in edits:
        if (end_line, end_character) < (line, character):
            line, character, end_line, end_character = end_line, end_character, line, character
        start = naive_offset(text, line, character, encoding.value)
        end = max(start, naive_offset(text, end_line, end_character, encoding.value))
        where = types.Range(types.Position(line, character), types.Position(end_line, end_character))
        edited.apply_change(types.TextDocumentContentChangePartial(where, inserted))
        text = text[:start] + inserted + text[end:]
        assert edited.source == text
        assert list(edited.lines) == split(text)


@given(st.text(max_size=20), st.sampled_from(ENCODINGS))
def test_columns_go_to_the_client_and_back(line: str, encoding: types.PositionEncodingKind) -> None:
    line = "".join(split(line)[:1]).rstrip("\r\n")
    for place in range(len(line) + 1):
        assert column(line, units(line, place, encoding), encoding) == place


def test_a_form_feed_or_a_line_separator_does_not_move_an_edit() -> None:
    edited = document("a\fb\u2028c\nLGTM\n", types.PositionEncodingKind.Utf16)
    where = types.Range(types.Position(1, 0), types.Position(1, 4))
    edited.apply_change(types.TextDocumentContentChangePartial(where, "x"))
    assert edited.source == "a\fb\u2028c\nx\n"


def test_a_full_change_replaces_everything() -> None:
    edited = document("old\n", types.PositionEncodingKind.Utf16)
    edited.apply_change(types.TextDocumentContentChangeWholeDocument("new\r\ntext"))
    assert list(edited.lines) == ["new\r\n", "text"]


@pytest.mark.parametrize(("encoding", "expected"), list(zip(ENCODINGS, [6, 3, 2], strict=True)))
def test_units_of_an_encoding(encoding: types.PositionEncodingKind, expected: int) -> None:
    assert units("😀é LGTM", 2, encoding) == expected
