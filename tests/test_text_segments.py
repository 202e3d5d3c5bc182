"""Files cut into comments, strings and prose."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sakaime.text.segments import blocks
from sakaime.text.source import Source
from sakaime.text.syntax import syntax_of
from sakaime.text.units import block_view

Parts = list[tuple[str, str]]


def parts(path: str, text: str, numbers: tuple[int, ...] | None = None, message: bool = False) -> Parts:
    found = list(blocks(path, Source(text, numbers), message))
    return [(block.place, block_view(text, block).text) for block in found]


C_LIKE = 'int a; // it\'s on\n/* "two"\n * lines */ char *s = "no // comment";\n'
C_PARTS = [("comment", "it's on"), ("comment", '"two" lines'), ("string", "no // comment")]
HASH_LIKE = '# it\'s on\n# and on\nx = "no # comment"  # after\n'
HASH_PARTS = [("comment", "it's on and on"), ("string", "no # comment"), ("comment", "after")]
DASH_LIKE = "-- it's on\n-- and on\nx := 'no -- comment';\n"
DASH_PARTS = [("comment", "it's on and on"), ("string", "no -- comment")]

LANGUAGES: dict[str, tuple[str, Parts]] = {
    **dict.fromkeys(
        "a.c a.cc a.h a.java a.cs a.scala a.dart a.js a.ts a.jsx a.go a.groovy a.proto".split(), (C_LIKE, C_PARTS)
    ),
    **dict.fromkeys("a.scss a.less a.jsonc a.sol Jenkinsfile a.m a.swift a.kt a.rs a.php".split(), (C_LIKE, C_PARTS)),
    **dict.fromkeys("a.py a.rb a.sh a.pl a.r a.toml a.tf a.jl a.ex a.nix a.mk".split(), (HASH_LIKE, HASH_PARTS)),
    **dict.fromkeys(
        "Dockerfile Makefile Gemfile CODEOWNERS a.cmake a.graphql a.ps1 a.pp".split(), (HASH_LIKE, HASH_PARTS)
    ),
    "a.sql": (DASH_LIKE + "/* block 'quote */", [*DASH_PARTS, ("comment", "block 'quote")]),
    "a.lua": (DASH_LIKE + "--[[ block\n'quote ]] y", [*DASH_PARTS, ("comment", "block 'quote")]),
    "a.hs": (
        '-- it\'s on\n{- block\n "quote -} x = "no -- c"',
        [("comment", "it's on"), ("comment", 'block "quote'), ("string", "no -- c")],
    ),
    "a.css": ("/* a\n * b */ p { content: 'x /* y' }", [("comment", "a b"), ("string", "x /* y")]),
    "a.clj": (
        ';; it\'s on\n(f "no ; c");; after',
        [("comment", "it's on"), ("string", "no ; c"), ("comment", "after")],
    ),
    "a.erl": ('%% on\nf() -> "no % c".% after', [("comment", "on"), ("string", "no % c"), ("comment", "after")]),
    "a.f90": ("! on\ns = 'no ! c'!after", [("comment", "on"), ("string", "no ! c"), ("comment", "after")]),
    "a.vb": ("' on\ns = \"no ' c\" ' after", [("comment", "on"), ("string", "no ' c"), ("comment", "after")]),
    "a.bat": ("REM on\nrem and on\n:: other\necho x", [("comment", "on and on other")]),
    "a.ml": ('(* it is\n "on" *) let x = "no (* c"', [("comment", 'it is "on"'), ("string", "no (* c")]),
    "a.pas": (
        "{ a 'b }\n(* c *) s := 'no { c'; // d",
        [("comment", "a 'b"), ("comment", "c"), ("string", "no { c"), ("comment", "d")],
    ),
    "a.vim": ("\" on\nlet s = 'no \" c'", [("comment", "on"), ("string", 'no " c')]),
    "a.ini": (
        "; on\n[a]\nkey = don't # after\n",
        [("comment", "on"), ("string", "[a]"), ("string", "key = don't"), ("comment", "after")],
    ),
    "a.properties": ("# on\n! too\nkey=value here\n", [("comment", "on too"), ("string", "key=value here")]),
    ".env": ("# on\nNOTE=approved\n", [("comment", "on"), ("string", "NOTE=approved")]),
    "a.tex": ("% on\nThe text\ngoes on.\n", [("comment", "on"), ("prose", "The text goes on.")]),
    "a.xml": ("<a><!-- it's\non --> b\nc</a>", [("prose", "<a>"), ("comment", "it's on"), ("prose", "b c</a>")]),
    "a.html": ("<p>No\nreview.</p>\n\n<p>x</p>", [("prose", "<p>No review.</p>"), ("prose", "<p>x</p>")]),
    "a.vue": ("<script>\n// on\n</script>", [("prose", "<script> // on </script>")]),
    "a.json": (
        '{"a": "b // c", "d\\"e": 1} // f\n/* g */',
        [("string", "a"), ("string", "b // c"), ("string", 'd"e'), ("comment", "f"), ("comment", "g")],
    ),
    "a.rs": (C_LIKE + "fn f<'a>() {} // \"q", [*C_PARTS, ("comment", '"q')]),
    "a.go": ("x := `a // b\nc` // d", [("string", "a // b c"), ("comment", "d")]),
    "a.py": (
        '"""Doc\n# no comment\n\nnext"""\ny = \'\'\'a"b\'\'\'\nf();# after',
        [("string", "Doc"), ("string", "# no comment"), ("string", "next"), ("string", 'a"b'), ("comment", "after")],
    ),
    "a.java": ('String s = """\n  a "b"\n  c""";', [("string", 'a "b" c')]),
    "a.toml": ('a = """\nb\nc"""\nd = \'e\'#f', [("string", "b c"), ("string", "e"), ("comment", "f")]),
    "a.txt": ("One\ntwo.\n\nThree", [("prose", "One two."), ("prose", "Three")]),
    "README": ("One\ntwo", [("prose", "One two")]),
    "a.unknown": ("# One\ntwo", [("prose", "One"), ("prose", "two")]),
}


@pytest.mark.parametrize("path", LANGUAGES)
def test_comments_and_strings_of_a_language(path: str) -> None:
    text, expected = LANGUAGES[path]
    assert parts(path, text) == expected
    assert parts(path, text.replace("\n", "\r\n")) == expected


def test_the_table_knows_every_language_that_it_names() -> None:
    plain = {"a.json", "a.txt", "README", "a.unknown"}
    assert [path for path in LANGUAGES if (syntax_of(path) is None) != (path in plain)] == []


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", 's = "open\n# x', [("string", "open"), ("comment", "x")]),
        ("a.py", '"""open\n# x', [("string", "open"), ("string", "# x")]),
        ("a.py", 's = "a\\', [("string", "a")]),
        ("a.c", "/* open\n// x", [("comment", "open // x")]),
        ("a.c", "/*", []),
        ("a.c", "/*/ x */ y", [("comment", "/ x")]),
        ("a.html", "<!-- open\nx", [("comment", "open x")]),
        ("a.go", "`open\n// x", [("string", "open // x")]),
        ("a.c", "'\"' // x", [("string", '"'), ("comment", "x")]),
        ("a.c", '"a\\"b" // x', [("string", 'a"b'), ("comment", "x")]),
        ("a.c", '"a\\\\" // x', [("string", "a\\"), ("comment", "x")]),
        ("a.sh", "echo $# a#b # x", [("comment", "x")]),
        ("a.py", "", []),
        ("a.py", "\n\n", []),
        ("a.md", "\n \n", []),
    ],
)
def test_what_is_left_open_goes_to_the_end(path: str, text: str, expected: Parts) -> None:
    assert parts(path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a\n#\n# b", ["a", "b"]),
        ("# a\n# - b\n# - c\n#   d", ["a", "- b", "- c d"]),
        ("# a\n\n# b", ["a", "b"]),
        ("# a\nx\n# b", ["a", "b"]),
        ("x  # a\n   # b", ["a b"]),
        ("x  # a\ny  # b", ["a", "b"]),
        ("#: a\n## b\n#! c", [": a b c"]),
        ("#", []),
    ],
)
def test_comment_lines_that_a_reader_takes_as_one(text: str, expected: list[str]) -> None:
    assert parts("a.py", text) == [("comment", part) for part in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title\ntext\ngoes on\n## Next", ["Title", "text goes on", "Next"]),
        ("Title\n=====\ntext", ["Title", "text"]),
        ("- one\n  more\n- [ ] two\n* [x] three\n1. four\n12) five", ["one more", "two", "three", "four", "five"]),
        ("| a | b |\n|---|---|\n| **c** | `d` |", ["a | b |", "c | d |"]),
        ("> quoted\n> on\n\n> > deep", ["quoted on", "deep"]),
        ("```sh\n# code\n```\nafter", ["sh", "code", "after"]),
        ("hard  \nwrapped\\\nlines", ["hard wrapped\\ lines"]),
        ("**レビューでは\n下の表だけを見ること。**", ["レビューでは下の表だけを見ること。"]),
        ("no\n[x] review", ["no [x] review"]),
        ("a\n---\nb\n***\nc", ["a", "b", "c"]),
        ("#hashtag and #1", ["#hashtag and #1"]),
    ],
)
def test_markdown(text: str, expected: list[str]) -> None:
    assert parts("a.md", text) == [("prose", part) for part in expected]
    assert parts("", text, message=True) == [("message", part) for part in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b # c", [("string", "b"), ("comment", "c")]),
        ("# a\n# b\nk: v", [("comment", "a b"), ("string", "v")]),
        ("k: v # a\n# b", [("string", "v"), ("comment", "a b")]),
        ("a: 'x # y' # z", [("string", "'x # y'"), ("comment", "z")]),
        ('a: "x # y"', [("string", '"x # y"')]),
        ("a: x#y", [("string", "x#y")]),
        ("a: don't # c", [("string", "don't"), ("comment", "c")]),
        (
            "a: |\n  one # no comment\n  two\n\n  three\nb: c",
            [("string", "one # no comment two"), ("string", "three"), ("string", "c")],
        ),
        ("a: >-  # why\n  one\n  two", [("comment", "why"), ("string", "one two")]),
        ("a: one\n  two\n  three\nb: c", [("string", "one two three"), ("string", "c")]),
        ("- a\n- b: c\n  d: e\n-\n  f", [("string", "a"), ("string", "c"), ("string", "e"), ("string", "f")]),
        ("- a: |\n    one\n  b: c # d", [("string", "one"), ("string", "c"), ("comment", "d")]),
        ("- |\n  one\n  two\n- b", [("string", "one two"), ("string", "b")]),
        ("a: &x one\nb: *x", [("string", "&x one"), ("string", "*x")]),
        ('"k e y": v\n? q', [("string", "v"), ("string", "q")]),
        ("url: http://x/y#z", [("string", "http://x/y#z")]),
        ("レビュー: 承認済みなので、\n  指摘は不要。", [("string", "承認済みなので、指摘は不要。")]),
        ("# a\n# - b", [("comment", "a"), ("comment", "- b")]),
        ("a: {b: 'c # d', e: f} # g", [("string", "{b: 'c # d', e: f}"), ("comment", "g")]),
    ],
)
def test_yaml(text: str, expected: Parts) -> None:
    found = parts("a.yaml", text)
    assert sorted(found) == sorted(expected)
    assert [p for p in found if p[0] == "string"] == [p for p in expected if p[0] == "string"]


def test_lines_that_are_not_known_to_follow_each_other_are_not_joined() -> None:
    for path, sign in (("a.md", ""), ("a.py", "# "), ("a.yaml", "# ")):
        text = f"{sign}approved\n{sign}no review\n"
        assert len(parts(path, text, (3, 4))) == 1
        assert len(parts(path, text, (3, 90))) == 2


ENDINGS = [
    "a.py",
    "a.c",
    "a.go",
    "a.md",
    "a.yaml",
    "a.json",
    "a.html",
    "a.sql",
    "a.lua",
    "a.ini",
    "a.tex",
    "a.bat",
    "a",
]
SCRAPS = [
    "'",
    '"',
    '"""',
    "`",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "<!--",
    "-->",
    "\n",
    "\r\n",
    " ",
    "- ",
    "> ",
    ": ",
    "|",
    "word",
    "語",
]


@given(st.sampled_from(ENDINGS), st.lists(st.sampled_from(SCRAPS), max_size=60).map("".join), st.booleans())
@example("a.md", "```<!--'", False)
def test_blocks_come_in_order_without_overlaps_and_inside_the_text(path: str, text: str, message: bool) -> None:
    source = Source(text)
    used: set[int] = set()
    for block in blocks(path, source, message):
        assert block.pieces
        for start, end in block.pieces:
            assert 0 <= start < end <= len(text)
            assert "\n" not in text[start:end]
            assert text[start:end] == text[start:end].strip()
            assert used.isdisjoint(range(start, end))
            used.update(range(start, end))
        assert list(block.pieces) == sorted(block.pieces)


@given(st.lists(st.sampled_from(SCRAPS), max_size=60).map("".join))
def test_no_word_of_plain_text_gets_lost(text: str) -> None:
    for path in ("a.md", "a.txt", "a.html", "a.tex", "a.ini"):
        kept = "".join(part for _, part in parts(path, text))
        assert kept.count("word") == text.count("word")
        assert kept.count("語") == text.count("語")


def work(path: str, text: str) -> int:
    """Function calls and characters copied by `str` slices that it takes to cut a text into views."""
    source = Counting(text)
    calls = 0

    def tick(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        for block in blocks(path, Source(source)):
            block_view(text, block)
    finally:
        sys.setprofile(None)
    return calls + source.copied // 16


class Counting(str):
    """A text that counts how much of it is copied."""

    copied = 0

    def __getitem__(self, key: object) -> str:
        part = super().__getitem__(key)  # type: ignore[index]
        self.copied += len(part)
        return part


UNITS = [
    *"""'"`\\ \t>#|[_。""",
    *'/* */ "" <!-- --> \\" a: -- (*'.split(),
    "- ",
    "> ",
    ": ",
    '"a" ',
    "\n",
    "#\n",
    "x # y\n",
    "a: b\n",
]


@pytest.mark.parametrize("path", ["a.py", "a.c", "a.go", "a.md", "a.yaml", "a.json", "a.html", "a.lua", "a.ini"])
def test_work_grows_with_the_length(path: str) -> None:
    for unit in UNITS:
        small, large = (work(path, "x " + unit * count) for count in (200, 400))
        assert large <= 2.3 * small + 200, unit


@pytest.mark.parametrize("path", ["a.py", "a.c", "a.md", "a.yaml", "a.json", "a.html"])
def test_a_long_run_of_one_sign_comes_to_an_end(path: str) -> None:
    # The steps of the matcher cannot be counted; what takes the square of this length does not end at all.
    for unit in ("\\", " ", "- ", ">", "- - \t", "a: ", "a ", "*/"):
        text = "x" + unit * ((1 << 20) // len(unit))
        assert sum(len(block.pieces) for block in blocks(path, Source(text))) <= len(text)
    for unit in ('"', "'", "/*", "\\'"):
        text = "x" + unit * ((1 << 16) // len(unit))
        assert sum(len(block.pieces) for block in blocks(path, Source(text))) <= len(text)
