"""Lines of CODEOWNERS, as items."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sakaime.checks.criteria.documents import owners
from sakaime.checks.criteria.item import KEY, OWNER, Item


def lines(text: str) -> list[tuple[str, str]]:
    return [(item.key, item.text) for item in owners.items(text)]


def test_a_line_is_its_pattern_and_its_owners_sorted() -> None:
    text = "# who\n  /src/  @b @a/team a@example.com # why @c\n"
    (item,) = owners.items(text)
    assert (item.kind, item.key, item.scope, item.negative) == (OWNER, "/src/", ("/src/",), False)
    assert item.text == "@a/team, @b, a@example.com"
    assert text[item.start : item.end] == "/src/  @b @a/team a@example.com"


def test_a_line_without_owners_is_an_exemption() -> None:
    (_, item) = owners.items("* @a\n/gen/ # nobody\n")
    assert (item.key, item.text, item.negative) == ("/gen/", "", True)


def test_escapes() -> None:
    assert lines("\\#odd @a\nmy\\ docs/ @b\nend\\\n") == [("\\#odd", "@a"), ("my\\ docs/", "@b"), ("end\\", "")]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("/a/", "/a/"),
        ("/a/", "*"),
        ("/a/b.py", "**"),
        ("/a/b/", "/a/"),
        ("/a/b.py", "/a/**"),
        ("a/b/c.py", "/a/b/"),
        ("/a/**", "/a/"),
        ("/a/", "/a"),
        ("**/x", "x"),
        ("/a/*.py", "*.py"),
        ("/a/setup.py", "*.py"),
        ("/a/Makefile", "Makefile"),
        ("/a/docs/b.md", "docs/"),
    ],
)
def test_a_line_that_a_later_one_takes_the_place_of_is_no_item(earlier: str, later: str) -> None:
    assert [text for _, text in lines(f"{earlier} @old\n{later} @new\n")] == ["@new"]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("*", "/a/"),
        ("/a/", "/a/b/"),
        ("/ab/", "/a/"),
        ("/a/b/", "/a/*"),
        ("a", "/a"),
        ("/a/", "/*"),
        ("*.py", "/a/*.py"),
        ("/a/x.pyc", "*.py"),
        ("docs", "docs/"),
        ("/a/docs", "docs/"),
    ],
)
def test_a_line_that_still_decides_about_something_is_an_item(earlier: str, later: str) -> None:
    assert [text for _, text in lines(f"{earlier} @old\n{later} @new\n")] == ["@old", "@new"]


def test_sections_have_owners_of_their_own_and_do_not_take_the_place_of_each_other() -> None:
    text = (
        "* @all\n[Docs] @writers\n/docs/\n/docs/api/ @api\n^[Data Base][2]\nmodel/ @dba\n!model/gen/\n[DOCS]\n* @last\n"
    )
    items = owners.items(text)
    told = [(item.kind, item.key, item.text, item.negative, item.headings) for item in items]
    assert told == [
        (OWNER, "*", "@all", False, ()),
        (KEY, "Data Base.approvals", "2", False, ("Data Base",)),
        (KEY, "Data Base.optional", "true", True, ("Data Base",)),
        (OWNER, "model/", "@dba", False, ("Data Base",)),
        (OWNER, "model/gen/", "", True, ("Data Base",)),
        (OWNER, "*", "@last", False, ("Docs",)),
    ]


def test_default_owners_of_a_section() -> None:
    assert lines("[Docs] @writers\n/docs/\n/api/ @api\n") == [("/docs/", "@writers"), ("/api/", "@api")]


PATTERNS = st.lists(st.sampled_from(["*", "/a/", "/a/b/", "*.py", "/c.py", "d", "e/f/"]), min_size=1, max_size=8)
OWNERS = st.lists(st.sampled_from(["@a", "@b/c", "d@e.org"]), max_size=3, unique=True)


@given(st.lists(st.tuples(PATTERNS.map(lambda p: p[0]), OWNERS), max_size=8), st.sampled_from([" ", "\t", "    "]))
def test_blanks_comments_and_the_order_of_owners_do_not_matter(rows: list[tuple[str, list[str]]], blank: str) -> None:
    plain = "\n".join(" ".join([pattern, *who]) for pattern, who in rows)
    other = "\r\n\r\n# c\r\n".join(blank.join(["", p, *reversed(who), "# @x"]) for p, who in rows) + "\n"

    def said(text: str) -> list[Item]:
        return [item.replace(start=0, end=0) for item in owners.items(text)]

    assert said(plain) == said(other)


@given(st.text(alphabet=" \n\r\t#\\[]^!*/?@ab.12", max_size=120) | st.text(max_size=60))
def test_any_text_gives_items_within_it(text: str) -> None:
    before = 0
    for item in owners.items(text):
        assert before <= item.start < item.end <= len(text)
        before = item.start


def test_many_lines() -> None:
    text = "".join(f"/src/{number % 100}/{number}/ @team\n" for number in range(20_000))
    assert len(owners.items(text)) == 20_000
    assert len(owners.items("a/" * 200_000 + " @a\n" + "**/" * 200_000)) <= 2
