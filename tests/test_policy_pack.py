"""Packs: every mistake is told with its place and a way out, and no bytes do worse than that."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sakaime.model import SakaimeError, UserError
from sakaime.packs import shipped
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.settings import NOTHING, read_org

GOOD = """sakaime: 1
pack: acme
version: 1.0.0
words:
  few: [at most, up to]
instructions:
  - id: cap
    tactic: cap
    title: t
    message: m
    all: ["{few}"]
    examples: {bad: [a, b], good: [c, d]}
"""


def load(text: str | bytes) -> LoadedPack:
    data = text.encode() if isinstance(text, str) else text
    return read_pack(pack_tree({"pack.yaml": data}, "test", "acme.yaml"))


def in_force(text: str | bytes) -> None:
    compile_policy([load(text)], NOTHING, None, "2026-01-01")


def mistake(text: str | bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        in_force(text)
    return caught.value


def test_the_pack_that_the_mistakes_are_put_into_is_right() -> None:
    in_force(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("    message: m", "    mesage: m\n    message: m", 10, 5, "unknown key 'mesage'"),
        ("title: t", "title: [t]", 9, 5, "'title' must be text"),
        ("title: t", "title: 1", 9, 5, "'title' must be text"),
        ("title: t", "title: true", 9, 5, "'title' must be text"),
        ("title: t", "title:", 9, 5, "'title' must be text"),
        ("    title: t\n", "", 7, 5, "the key 'title' is missing"),
        ("version: 1.0.0\n", "", 1, 1, "the key 'version' is missing"),
        ("bad: [a, b]", "bad: [a]", 12, 16, "'bad' needs at least 2 entries, and has 1"),
        ("tactic: cap", "tactic: caps", 8, 5, "'caps' must be one of"),
        ('"{few}"', '"(?=a)"', 11, 11, "invalid perl operator"),
        ('"{few}"', '"(a"', 11, 11, "missing )"),
        ('"{few}"', '"{fwe}"', 11, 11, "there are no words '{fwe}' (known here: few)"),
        ("    all:", "    severity: warn\n    all:", 11, 5, "'warn' must be one of"),
        ("    all:", "    enforce_from: 2027-02-30\n    all:", 11, 5, "must be a day"),
        ("    all:", "    enforce_from: soon\n    all:", 11, 5, "must be a day"),
        ("    all:", "    enforce_from: 20270101\n    all:", 11, 5, "must be a day"),
        ("    all:", "    within: 0\n    all:", 11, 5, "greater than or equal to 1"),
        ("    all:", "    within: many\n    all:", 11, 5, "must be a whole number"),
        ("    all:", "    places: []\n    all:", 11, 5, "at least 1"),
        ("    all:", "    places: [code]\n    all:", 11, 14, "'code' must be one of"),
        ("    all:", "    paths: {include: ['[z-a]']}\n    all:", 11, 23, "bad glob"),
        ("    all:", "    paths: {exclude: ['#x']}\n    all:", 11, 23, "bad glob"),
        ("    all:", "    all: [x]\n    all:", 12, 5, "the key 'all' stands twice (first in line 11)"),
        ('    all: ["{few}"]\n', "", 7, 5, "rule 'cap' has no pattern"),
        ("[at most, up to]", '[at most, " "]', 5, 18, "it is empty"),
        ("[at most, up to]", '[at most, "re:("]', 5, 18, "missing )"),
        ("[at most, up to]", "at most", 5, 3, "'few' must be a list"),
        ("pack: acme", "pack: Acme!", 2, 1, "is no name"),
        ("version: 1.0.0", "version: 1.0", 3, 1, "is no version"),
        ("sakaime: 1", "sakaime: 2", 1, 1, "2 must be one of 1"),
        ("sakaime: 1", "sakaime: 1\nuses: [nope]", 2, 8, "uses the words of pack 'nope'"),
        ("sakaime: 1", "sakaime: 1\nlocked: [caps]", 2, 10, "there is no rule 'caps' to lock"),
        ("sakaime: 1", "sakaime: 1\nneeds: {sakaime: '>=99'}", 2, 9, "needs sakaime >=99"),
        ("sakaime: 1", "sakaime: 1\nneeds: {sakaime: new}", 2, 9, "is not a version specifier"),
        ("sakaime: 1", "sakaime: 1\n? [a]\n: b", 2, 3, "a key must be a plain word"),
        ("sakaime: 1", "sakaime: 1\n\tx: 1", 2, 1, "cannot start any token"),
        ("title: t", 'title: "\\ud800"', 9, 12, "surrogate"),
        ("title: t", "title: *nowhere", 9, 12, "undefined alias"),
        ("title: t", "title: 'open", 9, 12, "not valid YAML"),
    ],
)
def test_a_mistake_is_told_where_it_stands_and_with_a_way_out(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    error = mistake(GOOD.replace(old, new, 1))
    mistakes: list[SakaimeError] = [error, *error.others]
    told = [e for e in mistakes if message in e.message]
    assert told, str(error)
    assert (told[0].path, told[0].line) == ("acme.yaml", line)
    if "not valid YAML" not in told[0].message:
        assert told[0].column == column
        assert told[0].way_out or re.search("must be|needs at least|is missing|is no |than|surrogate", told[0].message)


def test_a_key_that_was_meant_is_suggested() -> None:
    error = mistake(GOOD.replace("tactic", "tactik"))
    assert "Did you mean 'tactic'?" in str(error)


def test_a_rule_that_stands_twice_is_told_with_both_places() -> None:
    error = mistake(GOOD + GOOD[GOOD.index("  - id") :])
    assert str(error).startswith("acme.yaml:13:5: the id 'cap' stands twice (first in line 7)")


def test_all_mistakes_are_told_in_one_go_and_in_order() -> None:
    error = mistake(
        GOOD.replace("title: t", "title: 1").replace("tactic: cap", "tactic: x").replace("pack: acme", "pack: A")
    )
    places = [(e.line, e.column) for e in (error, *error.others)]
    assert places == [(2, 1), (8, 5), (9, 5)]


def test_words_of_another_pack_cannot_be_defined_again() -> None:
    other = load(GOOD.replace("pack: acme", "pack: other"))
    mine = load(GOOD.replace("sakaime: 1", "sakaime: 1\nuses: [other]"))
    with pytest.raises(UserError, match="already defined by pack 'other'") as caught:
        compile_policy([other, mine], NOTHING, None, "2026-01-01")
    assert (caught.value.line, caught.value.column) == (6, 3)


def test_a_mistake_in_a_further_file_of_a_pack_is_told_there() -> None:
    rule = GOOD[GOOD.index("instructions") :]
    files = {
        "pack.yaml": GOOD.encode(),
        "more.yaml": rule.replace("id: cap", "id: two").replace("title: t", "titel: t").encode(),
    }
    with pytest.raises(UserError) as caught:
        read_pack(pack_tree(files, "test", "acme"))
    assert {e.path for e in (caught.value, *caught.value.others)} == {"acme/more.yaml"}
    assert (caught.value.line, caught.value.column) == (2, 5)


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n" for before, name in pairwise("abcdefghijk")
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (BOMB.encode(), "unfolds to more than"),
        (b"a: " + b"[" * 100_000, "nested deeper than 50 levels"),
        (b"a: " + b"[" * 60 + b"]" * 60, "nested deeper than 50 levels"),
        (b"- " * 50_000, "nested deeper than 50 levels"),
        (b"{a: " * 20_000, "nested deeper than 50 levels"),
        (b"&a [*a]", "nested deeper than 50 levels"),
        ("pack: é".encode("latin-1"), "is not UTF-8 at byte 6"),
        (b"", "is empty"),
        (b"# only\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a: \0", "U+0000"),
        (b"a: \x1b[1m", "U+001B"),
        (b"- a", "must be a mapping"),
        (b"a", "must be a mapping"),
        (b"a: 1\n---\nb: 1", "another document"),
        (b"%YAML 9.9\n---\na: 1", "not valid YAML"),
        (b"a: 1\n" * 1_000_000, "larger than 4 MiB"),
    ],
)
def test_what_is_no_pack_at_all(data: bytes, message: str) -> None:
    error = mistake(data)
    assert message in error.message
    assert error.path == "acme.yaml"


def test_an_anchor_that_is_used_again_is_yaml_and_warns_nobody(recwarn: pytest.WarningsRecorder) -> None:
    in_force(GOOD.replace("title: t", "title: &x t").replace("message: m", "message: &x m"))
    assert not recwarn.list


def test_every_shipped_pack_is_right() -> None:
    packs = [read_pack(tree) for tree in shipped.trees()]
    policy = compile_policy(packs, NOTHING, None, "2026-01-01")
    assert {pack.model.pack for pack in packs} >= {"core", "en", "ja"}
    assert len(policy.rules) == sum(len(pack.model.instructions) for pack in packs)
    assert policy.notes == ()


SHIPPED = [dict(tree.files)["pack.yaml"] for tree in shipped.trees()]
SMALL = [GOOD.encode(), SHIPPED[0][:3000], SHIPPED[-1][:3000]]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60))
@example(b"!!python/object:os.system x")
@example(b"? ? ?")
@example(b"<<: *a")
@example(b"a: !!int x")
@example(b"a: !!float")
@example(b"!!binary x")
@example(b"--- !!set {a}")
@example(b"'")
@example(b"\\")
@example(b"%")
@example(b"a: 0x")
@example(b"a: 1_000")
@example(b"- !<x> y")
def test_no_bytes_do_worse_than_a_user_error(data: bytes) -> None:
    for read in (load, lambda d: read_org(d, "org.yaml")):
        try:
            read(data)
        except UserError as error:
            assert error.path


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SMALL), st.data())
def test_no_damage_to_a_pack_does_worse_than_a_user_error(good: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(good)))
    end = min(len(good), start + data.draw(st.integers(0, 20)))
    scraps = st.sampled_from(
        [
            b"",
            b"[",
            b"{",
            b"]",
            b"'",
            b'"',
            b"\t",
            b"\n",
            b"  ",
            b": ",
            b"- ",
            b"*",
            b"&a ",
            b"\\",
            b"(",
            b"{x}",
            b"\xff",
            b"!",
            b"|",
        ]
    )
    damaged = good[:start] + data.draw(scraps | st.binary(max_size=4)) + good[end:]
    try:
        in_force(damaged)
    except UserError as error:
        assert error.path
