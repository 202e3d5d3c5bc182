"""The comparison of two texts by line: right for every text, near-linear for texts made to be slow."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.material import align
from sakaime.material.align import changed
from sakaime.material.sources import hunks_between

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"d"]), max_size=30)


def applied(a: list[bytes], b: list[bytes]) -> list[bytes]:
    out, at = [], 0
    for a1, a2, b1, b2 in changed(a, b):
        assert a1 >= at and (a2 > a1 or b2 > b1)
        out += [*a[at:a1], *b[b1:b2]]
        at = a2
    return [*out, *a[at:]]


@pytest.mark.parametrize("small", [0, 20, 10_000])
@given(a=LINES, b=LINES)
def test_what_changed_turns_one_text_into_the_other(small: int, a: list[bytes], b: list[bytes]) -> None:
    before, align._SMALL = align._SMALL, small
    try:
        assert applied(a, b) == b
    finally:
        align._SMALL = before


NUMBERED = [b"line %d\n" % n for n in range(1000)]
BLANKS = [b"a\n", b"\n"] * 500


@pytest.mark.parametrize(
    ("a", "b", "added"),
    [
        (NUMBERED, [b"x\n", *NUMBERED, b"y\n"], 2),
        (NUMBERED, [line if n % 2 else b"new " + line for n, line in enumerate(NUMBERED)], 500),
        (BLANKS, [b"x\n", *BLANKS, b"y\n"], 2),
        (NUMBERED, [*NUMBERED[500:], *NUMBERED[:500]], 500),
        (BLANKS, [b"b\n"] * 1000, 1000),
    ],
)
def test_a_large_text_takes_few_steps_per_line_and_shows_only_what_is_new(
    a: list[bytes], b: list[bytes], added: int
) -> None:
    steps = 0

    def count(_frame: object, event: str, _arg: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        ranges = changed(a, b)
    finally:
        sys.settrace(before)
    assert sum(b2 - b1 for _, _, b1, b2 in ranges) == added
    assert steps < 100 * (len(a) + len(b))


def test_hunks_name_lines_from_one() -> None:
    (hunk,) = hunks_between(b"a\nb\nc\n", b"a\nx\ny\nc\n")
    assert (hunk.old, hunk.new, hunk.removed, hunk.added) == (b"b\n", b"x\ny\n", ((2, 2),), ((2, 3),))
