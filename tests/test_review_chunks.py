from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_fixtures import odd_changes, staged_diff

from sakaime.review.chunks import Chunk, chunks

ODD = "name with spaces.txt", "new\\nline.txt", "境目.txt", "binary", "script.sh", "gone.txt", "turns.txt"


def parts(diff: bytes, cut: tuple[Chunk, ...]) -> list[bytes]:
    return [diff[chunk.start : chunk.end] for chunk in cut]


def holds(diff: bytes, limit: int) -> tuple[Chunk, ...]:
    """What must be true of any diff and any limit."""
    cut = chunks(diff, limit)
    pieces = parts(diff, cut)
    assert b"".join(pieces) == diff
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert [c.start for c in cut] == [0, *(c.end for c in cut)][: len(cut)]
    for chunk, piece in zip(cut, pieces, strict=True):
        whole_lines = (chunk.start == 0 or diff[chunk.start - 1 : chunk.start] == b"\n") and (
            chunk.end == len(diff) or piece.endswith(b"\n")
        )
        assert whole_lines or chunk.oversized
        if chunk.oversized:
            assert b"\n" not in piece[:-1]
    return cut


LINES = st.sampled_from(
    [
        b"diff --git a/a b/a\n",
        b'diff --git "a/\\377\\" b/x\n',
        b'diff --git "a/\\999" "b/\\999"\n',
        b"diff --git\n",
        b"diff --cc x\n",
        b"rename from\n",
        b"rename x\n",
        b"rename from a\n",
        b"rename to b\n",
        b"--- a/x\n",
        b"+++ b/x\n",
        b'+++ "b/\\',
        b"@@ -1,2 +1,3 @@ f\n",
        b"@@ -1 +1 @@\n",
        b"@@@ -1 -1 +1 @@@\n",
        b"@@ -1,99999999999999999999999 +1 @@\n",
        b"+++ c\n",
        b"--- d\n",
        b"\\ No newline at end of file\n",
        b"\r\n",
        b"\n",
        "+あいうえお\n".encode(),
        b"+\xff\x80\x80\x80\x80\x80\xf0\x9f\n",
    ]
)
DIFFS = st.one_of(
    st.binary(max_size=400),
    st.lists(st.one_of(LINES, st.binary(max_size=30)), max_size=40).map(b"".join),
    st.text(max_size=200).map(str.encode),
)


@given(DIFFS, st.integers(4, 120))
def test_any_bytes_come_back_whole_and_no_chunk_is_too_large(diff: bytes, limit: int) -> None:
    holds(diff, limit)


@given(st.text(max_size=200).filter(lambda text: "\n" not in text), st.integers(4, 30))
def test_a_long_line_is_cut_between_characters(line: str, limit: int) -> None:
    for piece in parts(line.encode(), holds(line.encode(), limit)):
        piece.decode()


def test_a_carriage_return_stays_with_its_line_end() -> None:
    assert parts(b"abcdefg\r\nx\n", chunks(b"abcdefg\r\nx\n", 8)) == [b"abcdefg", b"\r\n", b"x\n"]


def test_a_limit_below_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="3 bytes"):
        chunks(b"x", 3)


def test_no_bytes_are_no_chunks() -> None:
    assert chunks(b"", 100) == ()


def test_every_odd_change_survives(tmp_path: Path) -> None:
    diff = staged_diff(odd_changes(tmp_path / "r"))
    for limit in (4, 64, 256, 1000, 24000):
        cut = holds(diff, limit)
        assert set(ODD) <= {name for chunk in cut for name in chunk.files}
    assert any(chunk.oversized for chunk in chunks(diff, 1000))
    assert not any(chunk.oversized for chunk in chunks(diff, 24000))


def test_a_content_that_looks_like_a_header_opens_no_file(tmp_path: Path) -> None:
    diff = staged_diff(odd_changes(tmp_path / "r"))
    assert b"\n--- a/x\n" in diff and b"\n+++ b/x\n" in diff
    assert {"x", "q"}.isdisjoint(name for chunk in chunks(diff, 24000) for name in chunk.files)


def test_a_plain_diff_counts_its_lines_too() -> None:
    one = b"--- a/one\n+++ b/one\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n y\n"
    two = b"--- a/two\n+++ b/two\n@@ -1 +1 @@\n-a\n+b\n"
    assert chunks(one + two, 1000)[0].files == ("one", "two")
    assert parts(one + two, chunks(one + two, 80)) == [one, two]


def _file(name: str, *hunks: int) -> bytes:
    head = f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"
    return (head + "".join(f"@@ -0,0 +1,{n} @@\n" + "+1234567\n" * n for n in hunks)).encode()


def test_a_cut_prefers_a_file_then_a_hunk_then_a_line() -> None:
    one, two, three = _file("one", 2), _file("two", 2), _file("three", 20, 2)
    cut = chunks(one + two + three, 200)
    assert parts(one + two + three, cut)[0] == one + two
    assert [chunk.files for chunk in cut] == [("one", "two"), ("three",), ("three",)]
    assert cut[1].end - cut[1].start > 190, "a hunk that is too large is filled up by lines"
    hunks = _file("four", 3, 3, 3)
    assert all(piece.startswith((b"diff", b"@@")) for piece in parts(hunks, chunks(hunks, 110)))
    assert len(chunks(hunks, 110)) == 2


def test_a_combined_diff_is_cut_like_any_other() -> None:
    diff = b"diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,2 @@@\n- x\n -y\n++z\n" * 30
    cut = holds(diff, 300)
    assert all(diff[chunk.start :].startswith(b"diff --cc a") for chunk in cut)


@settings(max_examples=30)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(100, 400))
def test_chunks_are_filled(sizes: list[int], limit: int) -> None:
    diff = b"".join(_file(f"f{n}", size) for n, size in enumerate(sizes))
    assert len(holds(diff, limit)) <= 3 * len(diff) // limit + 2


def test_the_work_grows_with_the_diff() -> None:
    """Lines are visited once, however the diff is made: counted, not timed."""
    reads = 0

    class Counting(bytes):
        def find(self, *arguments: object) -> int:
            nonlocal reads
            reads += 1
            return super().find(*arguments)  # type: ignore[arg-type]

    lines = 3000
    assert len(chunks(Counting(b"+x\n" * lines + b"y" * 100_000), 64)) > 1500
    assert reads == lines + 1
