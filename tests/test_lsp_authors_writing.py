"""What the editor offers and tells while a pack or settings are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from authors_fixtures import HEAD, PACK, RULE, offered, shipped, told, written

from sakaime.lsp.authors import hover, kind
from sakaime.lsp.authors.outline import outline
from sakaime.packs import shipped as packs
from sakaime.policy.pack import PackTree
from sakaime.policy.schema import InstructionRule, Pack
from sakaime.policy.yamltext import parse

OPEN = HEAD + "uses: [en]\nwords:\n  few: [at most, up to]\ninstructions:\n  - id: x\n    title: t\n    "


def names(model: type[Pack] | type[InstructionRule]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def test_keys_are_those_of_the_model_that_reads_the_pack() -> None:
    assert offered("pack", "|").keys() == names(Pack)
    assert offered("pack", OPEN + "|\n").keys() == names(InstructionRule) - {"id", "title"}


def test_a_key_that_stands_further_down_is_not_offered_again() -> None:
    assert "severity" not in offered("pack", OPEN + "|\n    severity: error\n")
    assert "pack" not in offered("pack", "sakaime: 1\n|\npack: acme\n")


def test_a_key_says_what_it_is_for() -> None:
    severity = offered("pack", OPEN + "sev|")["severity"]
    assert severity.documentation.replace("\\", "") == "How bad a finding is."
    assert severity.detail == 'text, default "error"'
    assert offered("pack", OPEN + "ta|")["tactic"].detail == "text, needed"


@pytest.mark.parametrize(
    ("line", "label", "after"),
    [
        ("sev|", "severity", "severity: "),
        ("exa|", "examples", "examples:"),
        ("|ty: error", "severity", "severity: error"),
        ("severity: |", "warning", "severity: warning"),
        ("severity: er|", "error", "severity: error"),
        ('severity: "er|"', "error", "severity: error"),
        ("severity:\n      |", "error", "severity:\n      error"),
        ("places: [comment, |]", "prose", "places: [comment, prose]"),
        ("places:\n      - comment\n      - p|", "prose", "places:\n      - comment\n      - prose"),
        ("paths: {inc|}", "include", "paths: {include:}"),
        ("paths:\n      |", "include", "paths:\n      include:"),
        ("examples:\n      bad:\n        - pa|", "path", "examples:\n      bad:\n        - path: "),
        ('all: ["{f|"]', "{few}", 'all: ["{few}"]'),
        ('all: ["{f|', "{few}", 'all: ["{few}'),
        ("all:\n      - '\\b{f|ew}'", "{few}", "all:\n      - '\\b{few}'"),
        ("any: ['x{|}']", "{few}", "any: ['x{few}']"),
        ("all: x\nlocked: [|", "x", "all: x\nlocked: [x"),
        ("all: x\nuses:\n  - |", "ja", "all: x\nuses:\n  - ja"),
        ("weights: |\nweights:\n  heavy: {}", "heavy", "weights: heavy\nweights:\n  heavy: {}"),
    ],
)
def test_what_is_offered_takes_the_place_of_the_word_at_the_cursor(line: str, label: str, after: str) -> None:
    assert written("pack", OPEN + line, label) == OPEN + after


def test_words_of_the_packs_that_are_used_are_offered_and_of_no_others() -> None:
    found = offered("pack", OPEN + 'all: ["{|"]')
    assert found["{approver}"].detail == "en"
    assert "{approver}" not in offered("pack", (OPEN + 'all: ["{|"]').replace("uses: [en]\n", ""))


@pytest.mark.parametrize(
    "line", ["title: '{f|'", "title: |", "# sev|", "message: >\n      sev|\n", "all: ['f|']", "nothing:\n      |"]
)
def test_nothing_is_offered_where_nothing_is_known(line: str) -> None:
    assert not offered("pack", OPEN.replace("    title: t\n", "") + line)


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("[cri|", "criteria", "[criteria"),
        ("[[|]]", "allow", "[[allow]]"),
        ('[rules."en/c|', "en/cap", '[rules."en/cap"'),
        ("[rules.|]", "en/cap", '[rules."en/cap"]'),
        ("[rules]\n|", "en/cap", '[rules]\n"en/cap" = '),
        ('[rules."en/cap"]\nsev|', "severity", '[rules."en/cap"]\nseverity = '),
        ('[rules."en/cap"]\nseverity = |\n', "info", '[rules."en/cap"]\nseverity = "info"\n'),
        ('[rules."en/cap"]\nseverity = "e|"\n', "info", '[rules."en/cap"]\nseverity = "info"\n'),
        ('[rules."en/cap"]\nenabled = f|\n', "false", '[rules."en/cap"]\nenabled = false\n'),
        ('[[allow]]\nrule = "en/|\nline = "x"\n', "en/cap", '[[allow]]\nrule = "en/cap"\nline = "x"\n'),
        ('allow = [{rule = "|"}]', "policy/git-hook", 'allow = [{rule = "policy/git-hook"}]'),
        ("allow = [{rule = 'a/b', re|}]", "reason", "allow = [{rule = 'a/b', reason = }]"),
    ],
)
def test_settings_are_completed_by_the_header_above(text: str, label: str, after: str) -> None:
    done = written("settings", text, label)
    assert done.removesuffix(" = ") == after.removesuffix(" = ")


def test_a_key_of_a_table_is_offered_once() -> None:
    found = offered("settings", '[[allow]]\nrule = "a/b"\n[[allow]]\n|\nreason = "x"\n')
    assert {"rule", "line"} <= found.keys()
    assert "reason" not in found


def test_pyproject_is_ours_in_one_table_only() -> None:
    assert written("pyproject", "[to|", "tool.sakaime") == "[tool.sakaime"
    assert written("pyproject", "[tool.|]", "sakaime") == "[tool.sakaime]"
    assert "severity" in offered("pyproject", '[tool.sakaime.rules."en/cap"]\n|')
    assert not offered("pyproject", "[tool.ruff]\n|")
    assert not offered("pyproject", "[project]\nname = |")


def test_a_pin_of_the_lock_has_the_keys_of_a_pin() -> None:
    assert {"version", "digest", "from", "files"} <= offered("lock", "[packs.acme]\n|").keys()


def test_a_key_is_told_of() -> None:
    where, text = told("pack", OPEN + "sev|erity: error\n")
    assert where == "severity"
    assert text.startswith("**severity** (text)\n\nHow bad a finding is.\n\nOne of `error`, `warning`, `info`")
    where, text = told("settings", '[[allow]]\nru|le = "a/b"\n')
    assert (where, "full id" in text) == ("rule", True)
    assert told("lock", "[packs.acme]\ndig|est = 1\n")[1].startswith("**digest**")


@pytest.mark.parametrize(
    "text",
    ['[rules."en/c|ap"]\n', '[[allow]]\nrule = "en/|cap"\n', 'rules."en/|cap".severity = "info"\n'],
)
def test_a_rule_is_told_of_wherever_settings_name_it(text: str) -> None:
    where, said = told("settings", text)
    rule = next(rule for rule in shipped().every_rule() if rule.id == "en/cap")
    assert where == '"en/cap"'
    for part in (rule.title, rule.why, f"Severity: {rule.severity}", "Decided by\n- pack en"):
        assert part in said


def test_a_locked_rule_of_a_pack_is_told_of() -> None:
    assert told("pack", "sakaime: 1\npack: en\nlocked: [ca|p]\n")[1].startswith("**en/cap**")


def test_words_in_a_pattern_are_told_of_first_twenty() -> None:
    where, said = told("pack", OPEN + 'all: ["\\\\b{f|ew}"]\n')
    assert (where, said) == ("{few}", "**{few}**\n\n- `at most`\n- `up to`")
    many = (
        HEAD + "words:\n  few: [" + ", ".join(f"w{n}" for n in range(25)) + "]\n" + RULE.replace('"wave"', "'{f|ew}'")
    )
    said = told("pack", many)[1]
    assert "`w19`" in said
    assert "`w20`" not in said
    assert said.endswith("and 5 more")


def test_what_a_pack_says_is_shown_and_not_rendered() -> None:
    words = "words:\n  few: ['![x](http://evil.example/a.png)', '`a`\u202eb']\n"
    text = HEAD + words + RULE.replace('"wave"', "'{few}'")
    found = hover("pack", text, text.index("{few}") + 2, shipped())
    assert found is not None
    assert "![x]" not in found.text.replace("`![x](http://evil.example/a.png)`", "")
    assert "`` `a`<U+202E>b ``" in found.text


def test_nothing_is_told_of_what_is_not_known() -> None:
    for text in (PACK, PACK + "bogus: 1\n", PACK + "mentions: ['{nothing}']\n"):
        assert hover("pack", text, len(text) - 4, shipped()) is None


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a/acme.yaml", PACK, "pack"),
        ("acme.yml", "# c\n" + PACK, "pack"),
        ("acme.yaml", "\ufeff" + PACK, "pack"),
        ("acme.yaml", "sakaime: 1\n", None),
        ("acme.yaml", "a:\n  sakaime: 1\n  pack: x\n", None),
        ("docker-compose.yml", "services:\n  a:\n", None),
        ("README.md", PACK, None),
        ("sakaime.toml", "", "settings"),
        ("x/sakaime.toml", "", "settings"),
        ("pyproject.toml", "", "pyproject"),
        ("sakaime.lock", "", "lock"),
    ],
)
def test_texts_are_told_apart_by_name_and_head(path: str, text: str, found: str | None) -> None:
    assert kind(path, text) == found


@pytest.mark.parametrize("tree", packs.trees(), ids=lambda tree: tree.where)
def test_the_outline_of_a_shipped_pack_is_what_the_parser_reads(tree: PackTree) -> None:
    for name, data in tree.files:
        text = data.decode()
        document = parse(data, name)
        starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        every = outline(text)
        keys = {every.path(n): e.key[0] for n, e in enumerate(every.entries) if isinstance(e.name, str) and not e.bare}
        assert keys == {path: starts[line - 1] + column - 1 for path, (line, column) in document.keys.items()}


def test_a_hover_over_settings_tells_of_this_text(tmp_path: Path) -> None:
    text = '[rules."en/cap"]\nseverity = "info"\nreason = "a test"\n'
    told = hover("settings", text, text.index("cap"), shipped(), str(tmp_path))
    assert told is not None and "Severity: info" in told.text


def test_a_hover_over_the_id_of_a_rule_tells_of_the_rule() -> None:
    text = "sakaime: 1\npack: en\nversion: 1.0.0\ninstructions:\n  - id: cap\n    tactic: cap\n"
    told = hover("pack", text, text.index("cap"), shipped(), None)
    assert told is not None and "en/cap" in told.text and "Severity" in told.text
    new = text.replace("cap", "new-one")
    assert hover("pack", new, new.index("new-one"), shipped(), None) is None
