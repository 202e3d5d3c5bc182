from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.model import CannotJudge, UserError
from sakaime.review.fence import CANDIDATES, count, delimiters, draw, occurrences

MARKS = ("<<<MATERIAL {nonce}", "MATERIAL {nonce}>>>")
NONCE = "0123456789abcdef0123456789abcdef"
FULL_WIDTH = NONCE.translate({ord(c): ord(c) + 0xFEE0 for c in NONCE})


def test_occurrences_do_not_overlap() -> None:
    assert [count(text, "---") for text in (b"-----", b"------", b"- --", b"")] == [1, 2, 0, 0]


def test_the_table_counts_the_diff_and_its_added_lines() -> None:
    table = delimiters(b"--- a/x\n+++ b/x\n+|---|---|\n-~~~\n", b"|---|---|\n")
    assert list(table) == list(CANDIDATES)
    assert table["---"] == {"diff": 3, "added": 2}
    assert table["~~~"] == {"diff": 1, "added": 0}


def test_the_fence_is_random_and_in_both_lines() -> None:
    one, two = draw(MARKS, [b"x"]), draw(MARKS, [b"x"])
    assert re.fullmatch("[0-9a-f]{32}", one.nonce) and one.nonce != two.nonce
    assert (one.open, one.close) == (f"<<<MATERIAL {one.nonce}", f"MATERIAL {one.nonce}>>>")
    assert one.count == 0


@pytest.mark.parametrize(
    "text",
    [
        NONCE.encode(),
        b"\xff" + NONCE.encode() + b"\xff",
        NONCE.upper().encode(),
        FULL_WIDTH.encode(),
        FULL_WIDTH.upper().encode(),
        "\u200b".join(NONCE).encode(),
        "\u00ad\ufe0f\U000e0041".join(NONCE).encode(),
        b"x" * ((1 << 20) - 7) + NONCE.encode(),
        ("\u200b" * (1 << 19)).join((NONCE[:5], NONCE[5:])).encode(),
        ("境" * 349_520 + "1" + FULL_WIDTH).encode(),
    ],
)
def test_a_fence_that_stands_in_any_text_is_drawn_again(text: bytes) -> None:
    assert occurrences(text, NONCE) > 0
    fresh = "f" * 32
    nonces = iter([NONCE, NONCE, fresh])
    fence = draw(MARKS, [b"material", text], lambda: next(nonces))
    assert fence.nonce == fresh and next(nonces, None) is None


def test_a_source_that_is_never_free_ends_as_not_judged() -> None:
    with pytest.raises(CannotJudge):
        draw(MARKS, [NONCE.encode()], lambda: NONCE)


@pytest.mark.parametrize("marks", [("---", "--- {nonce}"), ("{nonce}", "end"), ("a\n{nonce}", "{nonce}")])
def test_a_mark_without_a_random_part_is_refused(marks: tuple[str, str]) -> None:
    with pytest.raises(UserError, match="one line"):
        draw(marks, [])


@given(st.binary(max_size=300))
def test_what_is_drawn_stands_nowhere(material: bytes) -> None:
    fence = draw(MARKS, [material])
    lowered = material.lower()
    assert not any(mark.lower().encode() in lowered for mark in (fence.open, fence.close, fence.nonce))


def test_a_long_run_of_combining_marks_costs_no_more_than_any_other_text() -> None:
    # Sorting such a run, as normalising the whole text would, takes quadratic time: hours here.
    assert occurrences(("\u0327\u0301" * 1_000_000).encode(), NONCE) == 0
