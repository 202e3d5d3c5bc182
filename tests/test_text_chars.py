"""The gate's alphabet: what stands in any view of a text stands in the skeleton of the text."""

from __future__ import annotations

import re
import unicodedata

import re2
from hypothesis import example, given
from hypothesis import strategies as st

from sakaime.text.block import Block
from sakaime.text.chars import INVISIBLE, normalised
from sakaime.text.segments import blocks
from sakaime.text.skeleton import skeleton
from sakaime.text.source import Source
from sakaime.text.view import make_view

HARD = [
    *"aBéｆﬁ①ß가각ㄱㅏァｱﾞがか\u3099\u0301\u0345ſK",
    "\u1100",
    "\u1161",
    "\u11a8",
    "\u200b",
    "\u00ad",
    "\u202e",
    "*",
    "`",
    "_",
    "# ",
    "\n",
    "\r\n",
    " ",
    '"',
    "'",
    "// ",
    "/*",
    "*/",
    "\u3000",
    "承認",
]
texts = st.lists(st.sampled_from(HARD) | st.characters(), max_size=30).map("".join)


@given(texts, texts)
def test_every_character_adds_its_own_part(first: str, second: str) -> None:
    assert skeleton(first + second) == skeleton(first) + skeleton(second)


@given(texts)
def test_a_skeleton_is_its_own_and_that_of_every_normal_form(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
    assert skeleton(normalised(text)) == skeleton(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert skeleton(unicodedata.normalize(form, text)) == skeleton(text)


@given(texts, st.data())
@example("e*\u0301*", None)
@example("\u1100*\u1161*", None)
@example("か\u200b\u3099", None)
def test_whatever_stands_in_a_view_stands_in_the_skeleton(text: str, data: st.DataObject | None) -> None:
    pieces: tuple[tuple[int, int], ...] = ((0, len(text)),)
    if data is not None:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        pieces = ((0, cuts[0]), (cuts[0], cuts[1]))
    view = make_view(text, pieces, "*`_").text
    assert skeleton(view) in skeleton(text)


@given(st.sampled_from(["a.py", "a.md", "a.yaml", "a.c", "a.html", "a.json", "a.sql", "a.ini", "a"]), texts)
def test_the_blocks_of_a_file_stand_in_its_skeleton(path: str, text: str) -> None:
    for block in blocks(path, Source(text)):
        assert skeleton(_view(text, block)) in skeleton(text)


def _view(text: str, block: Block) -> str:
    return make_view(text, block.pieces, block.drop).text


def test_what_re2_takes_for_the_same_letter_has_the_same_skeleton() -> None:
    points = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    cased = [c for c in points if {c.lower(), c.upper(), c.title(), c.casefold()} != {c}]
    assert len(cased) > 2500
    text = "".join(cased)
    equal = 0
    for char in cased:
        for match in re2.finditer(f"(?i){re2.escape(char)}", text):
            equal += 1
            assert skeleton(match.group()) == skeleton(char), (hex(ord(char)), match.group())
    assert equal > 2 * len(cased)


def test_re2_folds_nothing_that_python_has_no_case_for() -> None:
    points = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    cased = "".join(c for c in points if {c.lower(), c.upper(), c.title(), c.casefold()} != {c})
    caseless = "".join(c for c in points if {c.lower(), c.upper(), c.title(), c.casefold()} == {c})
    folded = re2.findall(f"(?i)[{''.join(map(re2.escape, cased))}]", caseless)
    assert folded == []


def test_no_part_of_a_skeleton_is_anything_but_letters_and_digits() -> None:
    whole = skeleton("".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000))
    assert whole.isalnum()
    assert not INVISIBLE & set(whole)


def test_a_long_text_of_marks_costs_no_more_than_its_length() -> None:
    # A run of marks in one normalisation is sorted mark by mark; each by itself is not.
    text = "e" + "\u0301\u0323" * 200_000
    assert skeleton(text) == "e"
    assert re.fullmatch("e+", skeleton("é" * 100_000))
