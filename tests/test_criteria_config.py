"""Configuration that says what a review looks at, as items."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sakaime.checks.criteria.documents import config
from sakaime.checks.criteria.item import BULLET, KEY, PROSE, TASK, Item
from sakaime.checks.criteria.meaning.directions import asks, direction, leaves_out, rank, weaker

REVIEWER = """\
# what the bot looks at
tone: short
reviews:
  profile: assertive
  auto_review: {enabled: true, drafts: false}
  path_filters:
    - "!vendor/**"
    - lib/**
  path_instructions:
    - path: "lib/money/**"
      instructions: |
        Compare totals with the ledger. Flag floats
        that hold an amount.

        Always look at:
        - rounding
          of halves
          - in both directions
        - [ ] overflow
    - instructions: >-
        Ask for a
        test.
      path: lib/net/**
"""


def by_key(items: tuple[Item, ...], key: str) -> list[Item]:
    return [item for item in items if item.key == key]


def values(text: str, path: str = "a.yaml") -> dict[str, Any]:
    return {item.key: item.value for item in config.items(text, path)}


def without_places(items: tuple[Item, ...]) -> list[str]:
    """What the items say, in an order that does not depend on that of the text."""
    return sorted(repr((item.replace(start=0, end=0, parent=-1), _above(items, item))) for item in items)


def _above(items: tuple[Item, ...], item: Item) -> str:
    return f"{items[item.parent].key} {items[item.parent].text}" if item.parent >= 0 else ""


def test_a_scalar_is_an_item_under_the_path_of_its_keys() -> None:
    items = config.items(REVIEWER, ".coderabbit.yaml")
    (enabled,) = by_key(items, "reviews.auto_review.enabled")
    assert (enabled.kind, enabled.value, enabled.text) == (KEY, True, "true")
    assert REVIEWER[enabled.start : enabled.end] == "enabled: true"
    assert by_key(items, "reviews.profile")[0].text == "assertive"


def test_an_entry_of_a_list_has_the_key_of_the_list_and_the_name_of_an_entry_stands_in_the_keys_below_it() -> None:
    items = config.items(REVIEWER, ".coderabbit.yaml")
    filters = by_key(items, "reviews.path_filters")
    assert [(item.text, item.negative, item.ordered, item.entry) for item in filters] == [
        ("!vendor/**", True, True, True),
        ("lib/**", False, True, True),
    ]
    assert [REVIEWER[item.start : item.end] for item in filters] == ['"!vendor/**"', "lib/**"]
    assert by_key(items, "reviews.path_instructions.lib/money/**.path")[0].entry


def test_instructions_are_split_with_their_exact_places_and_the_files_that_they_are_about() -> None:
    items = config.items(REVIEWER, ".coderabbit.yaml")
    said = [item for item in items if item.kind != KEY]
    assert [(item.kind, item.text) for item in said] == [
        (PROSE, "Compare totals with the ledger."),
        (PROSE, "Flag floats that hold an amount."),
        (PROSE, "Always look at:"),
        (BULLET, "rounding of halves"),
        (BULLET, "in both directions"),
        (TASK, "overflow"),
        (PROSE, "Ask for a test."),
    ]
    assert [REVIEWER[item.start : item.end].split() for item in said] == [item.text.split() for item in said]
    assert {item.scope for item in said} == {("lib/money/**",), ("lib/net/**",)}
    assert said[4].above == ("Always look at:", "rounding of halves")
    assert said[0].headings == ("reviews", "path_instructions", "lib/money/**", "instructions")


def test_what_names_an_entry_is_above_the_rest_of_it() -> None:
    items = config.items(REVIEWER, ".coderabbit.yaml")
    (path,) = by_key(items, "reviews.path_instructions.lib/net/**.path")
    (told,) = by_key(items, "reviews.path_instructions.lib/net/**.instructions")
    assert items[told.parent] is path
    assert items[next(item for item in items if item.text == "Ask for a test.").parent] is told
    assert items[next(item for item in items if item.text == "in both directions").parent].text == "rounding of halves"


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("disable", True),
        ("ignorePatterns", True),
        ("labels-to-skip", True),
        ("disabledLabels", True),
        ("allowlist", True),
        ("except", True),
        ("enable", False),
        ("fail_on_skip", False),
        ("no_bypass", False),
        ("paths", None),
        ("src/ignored/*", None),
    ],
)
def test_a_key_says_whether_it_names_what_is_left_out(key: str, expected: bool | None) -> None:
    assert leaves_out(key) is expected


def test_the_nearest_key_that_says_so_decides_what_is_left_out() -> None:
    text = "exclusions:\n  rules:\n    - path: a\n      linters: [dupl]\n  enable: [x]\nskip: ['!b', c]\n"
    found = {(item.key, item.text): item.negative for item in config.items(text, "a.yml")}
    assert found == {
        ("exclusions.rules.a.path", "a"): True,
        ("exclusions.rules.a.linters", "dupl"): True,
        ("exclusions.enable", "x"): False,
        ("skip", "!b"): False,
        ("skip", "c"): True,
    }


def test_the_name_of_a_rule_does_not_say_that_something_is_left_out() -> None:
    items = config.items("rules:\n  skip-link: error\n  no-ignored: [warn, {allow: [x]}]\n", "a.yaml")
    assert [(item.key, item.text, item.negative) for item in items] == [
        ("rules.skip-link", "error", False),
        ("rules.no-ignored", "warn", False),
        ("rules.no-ignored.options.allow", "x", True),
    ]


@pytest.mark.parametrize("name", ["a.json", "a.jsonc", ".eslintrc"])
def test_json_and_its_comments(name: str) -> None:
    rule = r'{"scope": ["a/**"], "rule": "Ask for a test of\neach \"branch\"."}'
    text = f'{{ // what\n "rules": [{rule}], "skipReview": "AUTO"}}'
    items = config.items(text, name)
    said = next(item for item in items if item.kind == PROSE)
    assert (said.text, said.scope) == ('Ask for a test of each "branch".', ("a/**",))
    assert said.start >= text.index("Ask")
    assert by_key(items, "skipReview")[0].negative


def test_toml_and_its_places() -> None:
    text = """\
[reviewer] # here
require_tests = true
extra."a.b" = 'x' # c
"labels" = ["one",
  "two"]
extra_instructions = \"\"\"\\
- Look at locks.
- Look at
  queues.
\"\"\"
[[reviewer.area]]
path = "a/**"
day = 2026-01-02
"""
    items = config.items(text, ".pr_agent.toml")
    assert [(item.kind, item.key, item.text) for item in items if item.kind == KEY] == [
        (KEY, "reviewer.require_tests", "true"),
        (KEY, "reviewer.extra.a.b", "x"),
        (KEY, "reviewer.labels", "one"),
        (KEY, "reviewer.labels", "two"),
        (KEY, "reviewer.extra_instructions", ""),
        (KEY, "reviewer.area.a/**.path", "a/**"),
        (KEY, "reviewer.area.a/**.day", "2026-01-02"),
    ]
    assert text[items[0].start : items[0].end] == "require_tests = true"
    assert text[items[1].start : items[1].end] == "extra.\"a.b\" = 'x'"
    assert [text[item.start : item.end] for item in by_key(items, "reviewer.labels")] == ['"one"', '"two"']
    bullets = [item for item in items if item.kind == BULLET]
    assert [text[item.start : item.end] for item in bullets] == ["Look at locks.", "Look at\n  queues."]


def test_what_an_alias_brings_in_stands_where_it_is_named() -> None:
    text = "base: &b {level: error}\na:\n  <<: *b\n  own: 1\nc: *b\n"
    items = config.items(text, "a.yaml")
    assert values(text) == {"base.level": "error", "a.own": 1, "a.level": "error", "c.level": "error"}
    assert text[by_key(items, "c.level")[0].start] == "c"


def test_a_byte_order_mark_moves_the_places() -> None:
    text = "\ufeffa: 1\n"
    (item,) = config.items(text, "a.yaml")
    assert text[item.start : item.end] == "a: 1"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: [1", "a.yaml"),
        ("? [a]\n: b", "a.yml"),
        ("a: &x [*x]", "a.yaml"),
        ("a = ", "a.toml"),
        ('{"a": }', "a.json"),
        ("[" * 2000, "a.json"),
        ("[\n" * 2000, "a.yaml"),
        ("a = " + "[" * 5000, "a.toml"),
        ("a." * 9000 + "a = 1", "a.toml"),
        ("x = {" + "'a' . " * 9000 + "a = 1}", "a.toml"),
        ("a: 1", "a.ini"),
        ("a: \ud800", "a.yaml"),
        (
            "\n".join(["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]),
            "b.yaml",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line(text: str, path: str) -> None:
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z"):
        config.items(text, path)


@pytest.mark.parametrize("path", ["a.yaml", "a.toml", "a.json"])
def test_an_empty_file_says_nothing(path: str) -> None:
    assert [item for item in config.items("\n", path) if item.text] == []


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet=" \n\r\t-:[]{},\"'#&*!|>\\=ab1.=/`~日。", max_size=80), st.sampled_from(["yaml", "toml", "json"])
)
def test_any_text_gives_items_within_it_or_a_value_error(text: str, ending: str) -> None:
    try:
        items = config.items(text, f"a.{ending}")
    except ValueError as error:
        assert "\n" not in str(error)
        return
    for number, item in enumerate(items):
        assert 0 <= item.start <= item.end <= len(text)
        assert item.parent < number
        assert item.text == " ".join(item.text.split())


KEYS = st.text(alphabet="abcxyz_", min_size=1, max_size=5)
LEAVES = (
    st.booleans()
    | st.integers(-50, 500)
    | st.sampled_from(["error", "a word", "src/**", "!x", "日本 語", "true story"])
)
DATA = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(LEAVES, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
)


def turned(data: Any) -> Any:
    return {key: turned(value) for key, value in reversed(data.items())} if isinstance(data, dict) else data


def yaml_of(data: Any, indent: int, step: int, quote: str) -> str:
    """Block style with comments."""
    pad = " " * indent
    if isinstance(data, dict) and data:
        return "".join(f"\n{pad}{key}: # c{yaml_of(value, indent + step, step, quote)}" for key, value in data.items())
    if isinstance(data, list) and data:
        return "".join(f"\n{pad}- {yaml_of(value, indent, step, quote)}" for value in data)
    said = json.dumps(data, ensure_ascii=False)
    if isinstance(data, str):
        said = f"{quote}{data}{quote}" if data[0] != "!" else f"'{data}'"
    return f"\n{pad} {said}"


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DATA, st.sampled_from(["", '"', "'"]), st.integers(1, 4))
def test_order_comments_quotes_indentation_and_format_do_not_matter(data: Any, quote: str, step: int) -> None:
    expected = without_places(config.items(json.dumps(data), "a.json"))
    assert without_places(config.items(json.dumps(turned(data), indent=step, ensure_ascii=False), "a.json")) == expected
    assert without_places(config.items(json.dumps(data), "a.yaml")) == expected
    if data:
        assert without_places(config.items(yaml_of(data, 0, step, quote), "a.yaml")) == expected


@pytest.mark.parametrize("style", ["|", ">", "|-", ">+", "plain", "double", "single"])
def test_the_style_of_a_long_text_does_not_matter(style: str) -> None:
    lines = ["Look at every lock that is held while", "something is awaited. Then look at the queues of it."]
    expected = [" ".join(lines)[:59], "Then look at the queues of it."]
    sign = {"double": '"', "single": "'"}.get(style, "")
    body = "\n  ".join(lines)
    text = f"a:\n  {sign}{body}{sign}\n" if style.isalpha() else f"a: {style}\n  {body}\n"
    said = [item for item in config.items(text, "a.yaml") if item.kind == PROSE]
    assert [item.text for item in said] == expected
    assert [" ".join(text[item.start : item.end].split()) for item in said] == expected


def test_a_reflow_does_not_matter_and_lines_that_end_early_are_kept_apart() -> None:
    words = "look at every lock that is held while something is awaited, Postgres and Redis too, and at each queue"
    wide = f"instructions: |\n  {words}\n"
    narrow = "instructions: |\n" + "".join(f"  {words[at : at + 53].strip()}\n" for at in range(0, len(words), 53))
    told = [[item.text for item in config.items(text, "a.yaml") if item.kind == PROSE] for text in (wide, narrow)]
    assert len(told[0]) == 1
    apart = config.items("instructions: |\n  Check locks\n  Check queues for growth\n  日本語\n", "a.yaml")
    assert [item.text for item in apart if item.kind == PROSE] == ["Check locks", "Check queues for growth", "日本語"]


@pytest.mark.parametrize("ending", ["yaml", "toml", "json"])
def test_many_entries(ending: str) -> None:
    names = [f"rule-{number}" for number in range(20_000)]
    text = {"yaml": "a:\n" + "".join(f"- {name}\n" for name in names), "json": json.dumps({"a": names})}.get(
        ending, f"a = {json.dumps(names)}\n"
    )
    assert len(config.items(text, f"a.{ending}")) == 20_000


def test_long_keys_around_many_values_take_no_room() -> None:
    items = config.items(json.dumps({"k" * 100_000: {"x" * 1000: list(range(5000))}}), "a.json")
    assert len(items) == 5000
    assert max(len(item.key) for item in items) < 1000


# --- which way a key points


def key(name: str, value: Any) -> Item:
    return Item(KEY, str(value), 0, 1, key=name, value=value, negative=bool(leaves_out(name.rsplit(".", 1)[-1])))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("disable skipReview ignorePatterns allow_any exclude auto_approve continue-on-error", -1),
        (
            "a.enabled requireTests auto_review request_changes_workflow include_drafts fail_on_error strict",
            1,
        ),
        ("disallow_untyped_defs warn_unused_ignores noImplicitAny fail_on_skip", 1),
        ("coverage min_approvals strictness passes fail_under max_review_comments coverage.threshold", 1),
        (
            "max_complexity line-length timeout retries comment_severity_threshold fail_on max-warnings min_confidence",
            -1,
        ),
        ("language poem collapse log_level high_level_summary threshold", 0),
    ],
)
def test_the_direction_of_a_key(names: str, expected: int) -> None:
    assert {name: direction(name) for name in names.split()} == dict.fromkeys(names.split(), expected)


WEAKER: list[tuple[str, Any, Any]] = [
    ("a.disable", False, True),
    ("a.enabled", True, False),
    ("rules.some-rule", "error", "warn"),
    ("rules.some-rule", "error", False),
    ("rules.some-rule", 2, 1),
    ("rules.some-rule", 2, "warn"),
    ("rules.some-rule", "error", "off"),
    ("comment_severity_threshold", "LOW", "HIGH"),
    ("fail_on", "warning", "error"),
    ("profile", "assertive", "chill"),
    ("strictness", 3, 1),
    ("strictness", "high", "low"),
    ("priority", "P0", "P2"),
    ("r.severity", "ERROR", "INFO"),
    ("target", "80%", "60%"),
    ("min_approvals", 2, 1),
    ("max_complexity", 10, 20),
    ("max_review_comments", -1, 5),
    ("linters.default", "all", "none"),
    ("rules.max-lines.options", 300, 500),
    ("reportThing", True, "none"),
]


@pytest.mark.parametrize(("name", "old", "new"), WEAKER)
def test_what_asks_for_less_is_told_and_the_way_back_is_not(name: str, old: Any, new: Any) -> None:
    assert weaker(key(name, old), key(name, new)) == f"{old} -> {new}"
    assert weaker(key(name, new), key(name, old)) is None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("language", "en", "de"),
        ("log_level", "error", "info"),
        ("review_status", True, False),
        ("suggested_reviewers", True, False),
        ("temperature", "high", "low"),
        ("port", 90, 80),
        ("enabled", True, None),
    ],
)
def test_what_has_no_direction_is_not_told(name: str, old: Any, new: Any) -> None:
    assert weaker(key(name, old), key(name, new)) is None


@given(st.text(max_size=30), st.text(max_size=30) | st.integers() | st.floats() | st.booleans() | st.none())
def test_any_key_and_value_have_a_direction_and_a_rank_or_none(name: str, value: Any) -> None:
    assert direction(name) in (-1, 0, 1)
    assert rank(value) is None or isinstance(rank(value), float)
    assert weaker(key(name, value), key(name, value)) is None or value != value
    assert asks(key(name, value)) in (-1, 0, 1)


@pytest.mark.parametrize(
    ("name", "value", "entry", "expected"),
    [
        ("enabled", True, False, 1),
        ("enabled", False, False, -1),
        ("disable", True, False, -1),
        ("disable", False, False, 0),
        ("rules.x", "error", False, 1),
        ("rules.x", "off", False, -1),
        ("linters.disable", "dupl", True, -1),
        ("linters.enable", "dupl", True, 1),
        ("min_coverage", 80, False, 1),
        ("max_complexity", 10, False, 1),
        ("max_review_comments", 5, False, -1),
        ("comment_severity_threshold", "HIGH", False, -1),
        ("language", "en", False, 0),
    ],
)
def test_what_it_means_that_a_key_is_there(name: str, value: Any, entry: bool, expected: int) -> None:
    assert asks(key(name, value).replace(entry=entry)) == expected


def test_a_lone_value_and_a_list_of_one_say_the_same() -> None:
    (lone,) = config.items('path_filters: "!dist/**"\n', "a.yaml")
    (entry,) = config.items('path_filters: ["!dist/**"]\n', "a.yaml")
    assert (lone.key, lone.text, lone.negative) == (entry.key, entry.text, entry.negative) and lone.negative


def test_a_text_whose_lines_are_patterns_is_a_list() -> None:
    text = '{"ignorePatterns": "dist/**\\nvendor/**\\n*.lock", "instructions": "Check it.\\nName the risk."}'
    found = [item for item in config.items(text, "greptile.json") if item.key == "ignorePatterns"]
    assert [(item.text, item.entry, item.negative) for item in found] == [
        ("dist/**", True, True),
        ("vendor/**", True, True),
        ("*.lock", True, True),
    ]
    assert [text[item.start : item.end] for item in found] == ["dist/**", "vendor/**", "*.lock"]
