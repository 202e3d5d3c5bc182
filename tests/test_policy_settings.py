"""Settings and the floor: places in TOML, and a merge that only ever adds."""

from __future__ import annotations

import json
from datetime import date
from functools import lru_cache
from typing import Any

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from sakaime.model import SEVERITIES, UserError
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import Org, Placed, read_org, read_settings
from sakaime.policy.tomlplaces import toml_places
from sakaime.policy.yamltext import Path

TOML = '''a.b = 1 # x = """
"q.r".'s=t' = "it's \'\'\'odd"
x = """
fake = 1
[no]
"""
arr = [
  {pack = "x", from = "y"}, # c = 1
  "[z]", [1, {k = 2}],
]
[rules."en/cap"] # a = b
severity = "error"
paths = {include = ["a"], exclude = []}
y = \'\'\'
[[no]]\'\'\'
[[allow]]
rule="x"
[[allow]]
  line = 'y'
  "l\\u0069n" = 1979-05-27T07:32:00Z
[allow.sub]
z = [
  1.5,
]'''


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("a", "b"), (1, 1)),
        (("q.r", "s=t"), (2, 1)),
        (("x",), (3, 1)),
        (("arr",), (7, 1)),
        (("arr", 0), (8, 3)),
        (("arr", 0, "from"), (8, 16)),
        (("arr", 1), (9, 3)),
        (("arr", 2, 1, "k"), (9, 15)),
        (("rules", "en/cap"), (11, 1)),
        (("rules", "en/cap", "severity"), (12, 1)),
        (("rules", "en/cap", "paths", "exclude"), (13, 27)),
        (("rules", "en/cap", "y"), (14, 1)),
        (("allow", 0), (16, 1)),
        (("allow", 0, "rule"), (17, 1)),
        (("allow", 1), (18, 1)),
        (("allow", 1, "line"), (19, 3)),
        (("allow", 1, "lin"), (20, 3)),
        (("allow", 1, "sub"), (21, 1)),
        (("allow", 1, "sub", "z", 0), (23, 3)),
    ],
)
def test_the_places_of_toml(path: Path, place: tuple[int, int]) -> None:
    tomlkit.parse(TOML)
    assert toml_places(TOML)[path] == place
    assert toml_places(TOML.replace("\n", "\r\n"))[path] == place


def test_what_only_looks_like_a_key_has_no_place() -> None:
    names = {part for path in toml_places(TOML) for part in path}
    assert names.isdisjoint({"fake", "no", "c", "odd"})


def every_path(value: Any, path: Path = ()) -> list[Path]:
    below: list[Path] = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        below += every_path(inner, (*path, key))
    return below


keys = st.sampled_from(["a", "b c", 'q"', "x.y", "語", "'", "=", "[[", "#", "A-1_"])
values = st.recursive(
    st.integers(0, 9) | st.booleans() | st.sampled_from(["", "a = 1", "[x]", '"""', "'''", "#", "\n[y]\nb = 2\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(keys, values, max_size=3))
def test_everything_that_toml_holds_has_a_place_that_begins_with_it(data: dict[str, Any]) -> None:
    text = tomlkit.dumps(data)
    places = toml_places(text)
    lines = text.split("\n")
    wanted = every_path(tomlkit.parse(text).unwrap())
    assert set(wanted) <= set(places)
    for path in wanted:
        line, column = places[path]
        rest = lines[line - 1][column - 1 :]
        assert rest.strip()
        if isinstance(path[-1], str):
            assert rest.startswith("[") or tomlkit.key(path[-1]).as_string()[:1] == rest[:1]


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["[", "]", '"', "'", "=", ".", "\n", "a", "{", "}", ",", '"""', "#", "1", "allow", "\\"]),
        max_size=25,
    ).map("".join)
)
def test_no_text_does_worse_than_a_user_error(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for own, pyproject in ((data, None), (None, data + b"\n# sakaime")):
        try:
            read_settings(own, pyproject)
        except UserError as error:
            assert error.path


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("extend = []", 1, 1, "unknown key 'extend'"),
        ('[rules."a/b"]\nseverty = "info"', 2, 1, "Did you mean 'severity'?"),
        ('[rules."a/b"]\nseverity = "low"', 2, 1, "must be one of"),
        ('[[allow]]\nrule = "a/b"\n[[allow]]\nrule = "x"', 4, 1, "is not of the form"),
        ('[[allow]]\nrule = "a/b"', 1, 1, "the key 'reason' is missing"),
        ('extends = [{pack = "a", frm = "b"}]', 1, 25, "unknown key 'frm'"),
        ("x = ", 1, 4, "ends in the middle"),
        ("a = 1\na = 2", 2, None, "not valid TOML"),
    ],
)
def test_mistakes_in_settings_are_told_with_their_place(text: str, line: int, column: int | None, message: str) -> None:
    for own, pyproject, path in ((text.encode(), None, "sakaime.toml"),):
        with pytest.raises(UserError) as caught:
            read_settings(own, pyproject)
        told = [e for e in (caught.value, *caught.value.others) if message in f"{e.message} {e.way_out}"]
        assert told, str(caught.value)
        assert told[0].path == path
        if column is not None:
            assert (told[0].line, told[0].column) == (line, column)


def test_settings_in_pyproject_are_told_with_their_place_there() -> None:
    text = '[project]\nname = "x"\n[tool.sakaime]\nallow = [{rule = "a/b", raison = "x"}]\n'
    with pytest.raises(UserError) as caught:
        read_settings(None, text.encode())
    unknown = [e for e in (caught.value, *caught.value.others) if "raison" in e.message]
    assert [(e.path, e.line, e.column) for e in unknown] == [("pyproject.toml", 4, 25)]


def test_settings_in_both_files_are_refused() -> None:
    with pytest.raises(UserError, match=r"stand both here and in sakaime.toml"):
        read_settings(b"", b"[tool.sakaime]\n")


RULES = {"one": "warning", "two": "error", "three": "info", "four": "warning"}


@lru_cache
def pack(locked: frozenset[str]) -> LoadedPack:
    rules = [
        {
            "id": name,
            "tactic": "cap",
            "severity": severity,
            "title": "t",
            "message": "m",
            "all": [name],
            "paths": {"include": ["*.md"]},
            "examples": {"bad": ["a", "b"], "good": ["c", "d"]},
            **({"enforce_from": "2999-01-01"} if name == "four" else {}),
        }
        for name, severity in RULES.items()
    ]
    data = {"sakaime": 1, "pack": "p", "version": "1.0.0", "instructions": rules, "locked": sorted(locked)}
    return read_pack(pack_tree({"pack.yaml": json.dumps(data).encode()}, "test", "p.yaml"))


severities = st.sampled_from(SEVERITIES)
ids = st.sampled_from([f"p/{name}" for name in RULES])
wishes = st.fixed_dictionaries(
    {"reason": st.just("why")},
    optional={
        "severity": severities,
        "enabled": st.booleans(),
        "paths": st.sampled_from([{"include": ["nothing"]}, {"exclude": ["**"]}, {"include": ["**"]}]),
        "until": st.sampled_from([date(2000, 1, 1), date(2999, 1, 1)]),
    },
)
TODAY = "2026-01-01"


def merged(own: dict[str, Any], org: Org | None, locked: list[str]) -> Policy:
    text = tomlkit.dumps(own)
    return compile_policy([pack(frozenset(locked))], read_settings(text.encode(), None), org, TODAY)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(ids, unique=True),
    st.dictionaries(ids, severities),
    st.lists(st.sampled_from(list(RULES)), unique=True),
    st.dictionaries(ids, wishes),
    st.lists(ids),
)
def test_no_settings_lower_what_the_floor_or_a_pack_holds(
    org_locked: list[str], floor: dict[str, str], pack_locked: list[str], wished: dict[str, Any], allowed: list[str]
) -> None:
    org = Org.model_validate({"sakaime": 1, "org": "acme", "locked": org_locked, "severity": floor})
    allow = [{"rule": rule, "line": "x", "reason": "why"} for rule in allowed]
    before = merged({}, org, pack_locked)
    after = merged({"rules": wished, "allow": allow}, org, pack_locked)
    kept = {rule.id: rule for rule in after.every_rule()}
    locked = {*org_locked, *(f"p/{name}" for name in pack_locked)}
    noted = {rule for rule in RULES for note in after.notes if f"p/{rule} " in f"{note.message} "}
    for rule in before.every_rule():
        wish = wished.get(rule.id, {})
        held = rule.id in locked or rule.id in floor
        mine = kept.get(rule.id)
        if held:
            assert mine is not None
            assert (mine.include, mine.exclude, mine.all, mine.enforce_from) == (
                rule.include,
                rule.exclude,
                rule.all,
                rule.enforce_from,
            )
            least = rule.severity if rule.id in locked else floor[rule.id]
            assert SEVERITIES.index(mine.severity) >= SEVERITIES.index(least)
            if rule.id in floor:
                assert mine.enforce_from == ""
            lowers = "severity" in wish and SEVERITIES.index(wish["severity"]) < SEVERITIES.index(least)
            if lowers or not wish.get("enabled", True) or "paths" in wish:
                assert rule.id.removeprefix("p/") in noted
        elif wish == {"reason": "why"} or not wish:
            assert mine == rule
        if rule.id in locked and rule.id in allowed:
            assert rule.id.removeprefix("p/") in noted
            assert all(entry.rule != rule.id for entry in after.allows)
        elif rule.id in allowed:
            assert any(entry.rule == rule.id for entry in after.allows)


@pytest.mark.parametrize(
    ("wish", "word"),
    [({"enabled": False}, "disable"), ({"severity": "info"}, "soften"), ({"paths": {"include": ["x"]}}, "narrow")],
)
def test_an_attempt_on_a_locked_rule_is_an_error_at_its_place(wish: dict[str, Any], word: str) -> None:
    policy = merged({"rules": {"p/one": {**wish, "reason": "why"}}}, None, ["one"])
    (note,) = policy.notes
    assert (note.rule, note.severity, note.path) == ("policy/locked", "error", "sakaime.toml")
    assert note.message == f"p/one is locked by pack p; sakaime.toml cannot {word} it"
    assert note.line > 1


def test_a_repository_may_always_raise_a_severity() -> None:
    policy = merged({"rules": {"p/one": {"severity": "error"}}}, None, ["one"])
    assert {rule.id: rule.severity for rule in policy.every_rule()}["p/one"] == "error"
    assert policy.notes == ()


def test_a_softening_needs_a_reason_and_ends_on_its_day() -> None:
    with pytest.raises(UserError, match="needs a reason"):
        merged({"rules": {"p/one": {"enabled": False}}}, None, [])
    off = merged({"rules": {"p/one": {"enabled": False, "reason": "why", "until": date(2026, 1, 1)}}}, None, [])
    assert "p/one" not in {rule.id for rule in off.every_rule()}
    over = merged({"rules": {"p/one": {"enabled": False, "reason": "why", "until": date(2025, 12, 31)}}}, None, [])
    assert "p/one" in {rule.id for rule in over.every_rule()}
    assert [note.rule for note in over.notes] == ["policy/expired"]


def test_an_exception_that_names_no_finding_is_refused() -> None:
    with pytest.raises(UserError, match="names no finding"):
        merged({"allow": [{"rule": "p/one", "reason": "why"}]}, None, [])


def test_a_floor_that_holds_a_rule_that_does_not_exist_is_told() -> None:
    org = Org.model_validate({"sakaime": 1, "org": "acme", "locked": ["p/oen", "absent/rule"]})
    policy = merged({}, org, [])
    assert [(note.rule, note.severity) for note in policy.notes] == [("policy/unknown-rule", "error")]
    assert "p/oen" in policy.notes[0].message


def test_a_pack_that_the_floor_requires_and_is_not_there_is_told() -> None:
    org = Org.model_validate(
        {"sakaime": 1, "org": "acme", "require": [{"pack": "p", "at_least": "2.0.0"}, {"pack": "absent"}]}
    )
    assert [note.rule for note in merged({}, org, []).notes] == ["policy/required-pack"] * 2


def test_settings_that_name_a_rule_that_does_not_exist_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UserError) as caught:
        merged({"rules": {"p/oen": {"severity": "error"}}}, None, [])
    assert caught.value.way_out == "Did you mean 'p/one'?"
    assert caught.value.line is not None


def test_mistakes_in_the_floor_are_told_with_their_place() -> None:
    with pytest.raises(UserError) as caught:
        read_org(b"sakaime: 1\norg: acme\nlockd: [a/b]\nseverity: {a/b: bad}\n", "org.yaml")
    places = [(e.path, e.line, e.column) for e in (caught.value, *caught.value.others)]
    assert places == [("org.yaml", 3, 1), ("org.yaml", 4, 12)]


def test_no_settings_are_no_settings() -> None:
    placed = read_settings(None, b"[tool.other]\n")
    assert isinstance(placed, Placed)
    assert placed.settings.rules == {}
