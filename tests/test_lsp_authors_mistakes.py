"""What the editor says is wrong with packs, settings and lock, and where: the text that counts is the unsaved one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from authors_fixtures import HEAD, PACK, RULE, all_of, mistakes, shipped
from conftest import ROOT
from packs_fixtures import Box, extends

from sakaime.lsp.authors import diagnose, examples, kind, lenses
from sakaime.packs import shipped as packs
from sakaime.packs.manifest import MAIN, pack_tree
from sakaime.packs.selftest import Failure, failures, failures_of
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.schema import AnyRule
from sakaime.policy.settings import NOTHING


def lens(
    kind: str, text: str, root: str | None = None, path: str = "", old: str | None = None
) -> list[tuple[str, str]]:
    path = path or {"pack": "acme.yaml", "settings": "sakaime.toml", "pyproject": "pyproject.toml"}[kind]
    return [(text[one.start : one.end], one.text) for one in lenses(kind, root, path, text, shipped(), old)]


def test_a_pack_in_order_has_no_mistakes() -> None:
    assert mistakes("pack", PACK) == []


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("tactic: waive", "tactic: wave", "wave", "'wave' must be one of"),
        ("tactic: waive", "tactic: 'wave'", "wave", "'wave' must be one of"),
        ("    tactic: waive\n", "", "id: wave", "the key 'tactic' is missing"),
        ("title:", "titel: t\n    title:", "titel", "unknown key 'titel'"),
        ("version: 1.0.0", "version: 1.0", "1.0", "'1.0' is no version"),
        ("title: asks", "title: [1]\n    why: asks", "title", "must be text"),
        (', "wave now"', "", "bad", "needs at least 2 entries"),
        ("pack: acme", "pack: acme\npack: acme", "pack", "stands twice"),
        ('all: ["wave"]', "all: ['wave', '(?=wave)']", "(?=", "invalid perl operator"),
        ('all: ["wave"]', "all: ['\\(?=wave(?=x)']", "(?=", "invalid perl operator"),
        ('all: ["wave"]', 'all: ["\\\\b\\\\1wave"]', "\\\\1", "invalid escape sequence"),
        ('all: ["wave"]', "all: ['it''s a**']", "**", "bad repetition operator"),
        ('all: ["wave"]', "all: ['x(wave']", "(", "missing )"),
        ('all: ["wave"]', "all: ['x(wa)ve)']", ")", "unexpected )"),
        ('all: ["wave"]', "all: ['{few} {fewer}']", "{fewer}", "there are no words '{fewer}'"),
        ('all: ["wave"]', "all: [wave]\n    any:\n      - a{1001}", "{1001}", "invalid repetition size"),
        ("few: [at most", "few: ['re:a(b'", "(", "missing )"),
        ("few: [at most", "few: ['re:'", "'re:'", "RE2 refuses 're:'"),
        ('    all: ["wave"]\n', "", "id: wave", "has no pattern"),
        ("words:", "uses: [em]\nwords:", "em", "uses the words of pack 'em'"),
        ("words:", "locked: [wav]\nwords:", "wav", "there is no rule 'wav' to lock"),
        ("words:", "criteria: 3\nwords:", "3", "must be a list"),
        ("words:", "samples: ['a', '!']\nwords:", "'!'", "bad glob"),
        ("words:", 'needs: {sakaime: "x"}\nwords:', "x", "not a version specifier"),
        ("words:", "mentions: ['(']\nwords:", "(", "missing )"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_what_is_underlined(old: str, new: str, at: str, message: str) -> None:
    for text in (PACK, "\ufeff" + PACK.replace("\n", "\r\n")):
        changed = text.replace(old.replace("\n", "\r\n") if "\r" in text else old, new)
        assert changed != text
        (found,) = mistakes("pack", changed)
        assert found[0] == at
        assert message in found[1]


def test_a_pattern_of_a_block_scalar_is_underlined_at_its_first_line() -> None:
    text = PACK.replace('all: ["wave"]', "all:\n      - >-\n        a(b\n      - c")
    assert mistakes("pack", text)[0][0] == "a(b"


def test_a_secret_where_a_name_should_stand_is_not_shown() -> None:
    token = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
    for which, text in (("pack", PACK.replace("tactic: waive", f"tactic: {token}")), ("settings", f"{token} = 1\n")):
        ((at, message),) = mistakes(which, text)
        assert at == token
        assert "p_***" in message
        assert token not in message


def test_all_mistakes_of_a_kind_are_told_at_once() -> None:
    text = PACK.replace("tactic: waive", "tactic: x").replace("title:", "titel:")
    assert [at for at, _ in mistakes("pack", text)] == ["id: wave", "x", "titel"]
    two = PACK.replace('["wave"]', "['(']") + RULE.replace("instructions:\n", "").replace("id: wave", "id: b").replace(
        '["wave"]', "[')']"
    )
    assert [at for at, _ in mistakes("pack", two)] == ["(", ")"]


def test_a_mistake_has_its_way_out() -> None:
    (found,) = all_of("pack", PACK.replace("title:", "titel:").replace("message", "title: t\n    message"))
    assert (found.severity, found.way_out) == ("error", "Did you mean 'title'?")


def test_an_example_that_comes_out_otherwise_is_a_warning_at_the_example() -> None:
    text = PACK.replace('"wave now"', '"wav now"').replace('"all is well"', "{path: a.md, text: 'we wave'}")
    found = all_of("pack", text)
    assert [(text[one.start : one.end], one.message, one.severity) for one in found] == [
        ('"wav now"', "acme/wave: this bad example is not reported", "warning"),
        ("'we wave'", "acme/wave: this good example is reported: wave", "warning"),
    ]
    assert lens("pack", text) == [("id: wave", "2/4 examples pass: bad 2 is not reported, good 2 is reported")]


def test_a_broken_rule_does_not_keep_the_examples_of_others_from_running() -> None:
    other = RULE.replace("instructions:\n", "").replace("id: wave", "id: other")
    text = PACK.replace('all: ["wave"]', "all: ['(']") + other
    assert lens("pack", text) == [
        ("id: wave", "examples are run when the mistakes are out"),
        ("id: other", "4/4 examples pass"),
    ]


def test_examples_run_again_only_for_the_rule_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def counted(rule: AnyRule, name: str, policy: Policy, number: int) -> Iterator[Failure]:
        ran.append(rule.id)
        return failures_of(rule, name, policy, number)

    monkeypatch.setattr("sakaime.lsp.authors.study.failures_of", counted)
    other = RULE.replace("instructions:\n", "").replace("id: wave", "id: other-one")
    text = PACK.replace("acme", "again") + other
    assert len(examples("again.yaml", text, shipped())) == 2
    assert ran == ["wave", "other-one"]
    examples("again.yaml", text, shipped())
    examples("again.yaml", text.replace('"wave now"', '"wave it"', 1) + "# end\n", shipped())
    assert ran == ["wave", "other-one", "wave"]
    examples("again.yaml", text.replace("few: [", "few: [x, "), shipped())  # words can stand in any rule
    assert ran == ["wave", "other-one", "wave", "wave", "other-one"]


def test_nothing_of_a_text_that_is_being_written_is_kept_on_disk() -> None:
    def kept() -> set[str]:
        return {str(path) for path in Path(os.environ["SAKAIME_CACHE"]).rglob("*")}

    shipped()
    examples("a.yaml", PACK.replace("acme", "warm-up"), shipped())
    before = kept()
    examples("a.yaml", PACK.replace("acme", "not-kept") + "risks: []\n", shipped())
    assert kept() - before == set()


@pytest.mark.parametrize("name", ["core", "ko"])
def test_examples_come_out_as_pack_test_says(name: str, tmp_path: Path) -> None:
    """Also where they fail: good and bad change places."""
    (tree,) = (tree for tree in packs.trees() if tree.main.data["pack"] == name)
    other_way = {b"bad": b"good:", b"good": b"bad:"}
    files = {path: re.sub(rb"\b(bad|good):", lambda found: other_way[found[1]], data) for path, data in tree.files}
    for path, data in files.items():
        (tmp_path / path).write_bytes(data)
    pack = read_pack(pack_tree(files, "", "x"))
    others = [other for one in packs.trees() if (other := read_pack(one)).model.pack != name]
    policy = compile_policy([*others, pack], NOTHING, None, "2026-01-01")
    expected = {(one.rule, one.kind, one.number) for one in failures(pack, policy)}
    found = examples(MAIN, files[MAIN].decode(), shipped(), str(tmp_path))
    assert {(one.rule, failed.kind, failed.number) for one in found for failed in one.failed} == expected
    assert len(expected) > 100
    assert len(found) == len(pack.model.rules)


def test_the_page_about_writing_rules_shows_what_the_editor_says() -> None:
    page = (ROOT / "docs/writing-rules.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- file acme.yaml -->\n```yaml\n(.*?)```", page, re.S)
    assert found is not None
    ((_, message),) = mistakes("pack", found[1])
    ((_, lens_text),) = lens("pack", found[1])
    for text in (message, lens_text):
        assert f"`{text}`" in page
        assert f"`{text}`" in (ROOT / "docs/ja/writing-rules.md").read_text(encoding="utf-8")


def test_lines_end_as_yaml_ends_them() -> None:
    text = HEAD.replace("\n", "\r") + "title: \0\r"
    assert mistakes("pack", text)[0][0].startswith("\0")


class TestOfSeveralFiles:
    """A pack that is a folder: the open file as it is in the editor, the others as they are on disk."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        folder = tmp_path / "rules" / "acme"
        folder.mkdir(parents=True)
        (folder / "pack.yaml").write_text(HEAD)
        (folder / "more.yaml").write_text(RULE)
        return tmp_path

    def test_a_further_file_is_known_by_its_folder(self, root: Path) -> None:
        assert kind("rules/acme/more.yaml", RULE, str(root)) == "pack"
        assert kind("rules/acme/more.yaml", RULE) is None
        assert kind("rules/other.yaml", RULE, str(root)) is None
        assert kind("rules/acme/more.yaml", "services: 1\n", str(root)) is None

    def test_mistakes_and_lenses_are_those_of_the_open_file(self, root: Path) -> None:
        path = "rules/acme/more.yaml"
        text = RULE.replace('["wave"]', "['(']")
        assert [at for at, _ in mistakes("pack", text, str(root), path)] == ["("]
        assert lens("pack", RULE, str(root), path) == [("id: wave", "4/4 examples pass")]
        assert lens("pack", HEAD, str(root), "rules/acme/pack.yaml") == []
        text = RULE + "title: x\n"
        assert mistakes("pack", text, str(root), path)[0][0] == "title"

    def test_a_mistake_in_another_file_is_a_warning_at_the_top(self, root: Path) -> None:
        (root / "rules/acme/more.yaml").write_text(RULE.replace("tactic: waive", "tactic: x"))
        (found,) = all_of("pack", HEAD, str(root), "rules/acme/pack.yaml")
        assert (found.start, found.severity) == (0, "warning")
        assert found.message.startswith("rules/acme/more.yaml:3:5: 'x' must be one of")

    def test_words_and_rules_of_both_files_go_together(self, root: Path) -> None:
        text = RULE.replace('["wave"]', "['{few}', wave]")
        assert mistakes("pack", text, str(root), "rules/acme/more.yaml")[0][0] == "{few}"
        (root / "rules/acme/pack.yaml").write_text(HEAD + "words: {few: [this, now]}\n")
        assert mistakes("pack", text, str(root), "rules/acme/more.yaml") == []


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ('[rules."en/cap"]\nseverity = "eror"\n', '"eror"', "must be one of"),
        ('[rules."en/cap"]\nseverty = "error"\n', "severty", "unknown key"),
        ('[rules."en/cap"]\nseverity = "info"\n', 'severity = "info"', "needs a reason"),
        ('[rules."en/capp"]\nseverity = "error"\n', '[rules."en/capp"]', "there is no rule 'en/capp'"),
        ('[rules."cap"]\n', "cap", "is not of the form"),
        ('[[allow]]\nrule = "en/cap"\nline = "x"\n', "[[allow]]", "the key 'reason' is missing"),
        ('[[allow]]\nrule = "en/cap"\nreason = "x"\n', "[[allow]]", "names no finding"),
        ('[criteria]\npaths = ["a", 3]\n', "3", "must be text"),
        ('[criteria]\npaths = ["a", "!"]\n', '"!"', "bad glob"),
        ('allow = [{rule = "a/b", rason = "x"}]\n', "rason", "unknown key"),
        ("[criteria]\npaths = []\npaths = []\n", "paths = []", "already exists"),
        ("[criteria]\npaths = ['\n", "", "not valid TOML"),
    ],
)
def test_mistakes_of_settings_are_at_their_place(text: str, at: str, message: str) -> None:
    for one in (text, "\ufeff# settings\r\n\r\n" + text.replace("\n", "\r\n")):
        found = mistakes("settings", one)
        assert any(message in said and (not at or where == at) for where, said in found), found


def test_settings_in_order_have_no_mistakes() -> None:
    assert mistakes("settings", '[rules."en/cap"]\nseverity = "info"\nreason = "noise"\n') == []
    assert mistakes("settings", "") == []


def test_settings_in_pyproject_are_read_there_and_nothing_else_is() -> None:
    text = '[tool.ruff]\nseverity = "eror"\n[tool.sakaime.rules."en/cap"]\nseverity = "eror"\n'
    (found,) = all_of("pyproject", text)
    assert found.start == text.rindex('"eror"')
    assert mistakes("pyproject", '[tool.ruff]\nx = "sakaime"\n') == []


def test_the_unsaved_text_counts_and_not_the_one_on_disk(tmp_path: Path) -> None:
    (tmp_path / "sakaime.toml").write_text('[rules."en/capp"]\n')
    assert mistakes("settings", '[rules."en/cap"]\n', str(tmp_path)) == []


def test_packs_that_settings_extend_must_be_locked_and_their_rules_are_known(box: Box) -> None:
    from packs_fixtures import pack_text

    where = box.repository("shop", {"acme.yaml": pack_text(), "sakaime.toml": extends("acme.yaml")})
    text = extends("acme.yaml") + '[rules."acme-review/wave"]\nseverity = "info"\nreason = "x"\n'
    ((at, said),) = mistakes("settings", text, str(where))
    assert (at, said) == ("[[extends]]", "pack acme-review is not locked: there is no sakaime.lock")
    assert box.run(where, "pack", "sync").returncode == 0
    assert mistakes("settings", text, str(where)) == []
    assert mistakes("settings", text.replace("/wave", "/wav"), str(where))[0][0] == '[rules."acme-review/wav"]'
    lock = (where / "sakaime.lock").read_text()
    assert mistakes("lock", lock, str(where)) == []
    broken = lock.replace("digest = ", "digst = ")
    assert {"digst"} <= {at for at, _ in mistakes("lock", broken, str(where))}
    (where / "acme.yaml").write_text(pack_text(version="1.0.1"))
    (stale,) = all_of("lock", lock, str(where))
    assert (stale.severity, "is stale" in stale.message) == ("warning", True)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_lens_says_what_a_rule_is_by_these_settings() -> None:
    text = (
        '[rules."en/cap"]\nseverity = "info"\nreason = "x"\n'
        '[rules."en/claim"]\nenabled = false\nreason = "x"\n'
        '[[allow]]\nrule = "en/cap"\nline = "a"\nreason = "x"\n'
        '[[allow]]\nrule = "en/cap"\nline = "a"\nreason = "x"\nuntil = 2020-01-01\n'
        '[[allow]]\nrule = "en/cap"\nline = "a"\nreason = "x"\nuntil = 2999-01-01\n'
    )
    assert lens("settings", text) == [
        ('[rules."en/cap"]', "limits how many findings are reported: info"),
        ('[rules."en/claim"]', "an approval as the reason for silence: switched off"),
        ("[[allow]]", "Counts, without an end"),
        ("[[allow]]", "Expired: it counts no more"),
        ("[[allow]]", "Counts until 2999-01-01"),
    ]


def test_a_lens_says_that_ci_does_not_judge_by_this_text(tmp_path: Path) -> None:
    root, text = str(tmp_path), "# nothing\n[criteria]\n"
    said = ("# nothing", "CI judges by what HEAD holds, not by this text")
    assert lens("settings", text, root, old=None) == [said]
    assert lens("settings", text, root, old="") == [said]
    assert lens("settings", text, root, old=text.replace("\n", "\r\n")) == []
    assert lens("settings", text, None, old=None) == []
    assert lens("settings", text, root, "sub/sakaime.toml")[0][1].startswith("Settings are read at the root")
    other = '[project]\nname = "x"\n'
    assert lens("pyproject", other, root, old=None) == []
    own = other + "[tool.sakaime.criteria]\n"
    assert lens("pyproject", own, root, old=own + "[tool.ruff]\n") == []
    assert len(lens("pyproject", own, root, old=other)) == 1


def test_text_that_is_too_large_is_told_of_and_not_read() -> None:
    text = HEAD + "words:\n" + "".join(f"  w{n}: [a, b]\n" for n in range(300_000))
    (found,) = all_of("pack", text)
    assert (found.severity, found.way_out) == ("warning", "Run: sakaime pack check")
    assert diagnose("settings", None, "sakaime.toml", "x = 1\n" * 300_000, shipped())[0].severity == "warning"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "a: &a [x,x,x,x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a, *a]\n" for n in range(4)) + "c: *b3\n",
        HEAD + "a0: &a0 [x, x, x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" for n in range(1, 12)),
        HEAD + "x: " + "[{a: " * 3_000,
        HEAD + "x: " + "[" * 49_000,
        HEAD + "".join(" " * n + "a:\n" for n in range(1000)),
        HEAD + 'x: "a\n' * 2_000,
        HEAD + "x: '" * 9_000,
        HEAD + "x: \ud800",
        HEAD + "x: \0",
        "\0", "[", "{", "- " * 900, "%YAML 1.1\n---\n", "--- a\n--- b\n", "? a\n: b\n",
        "&a *a: 1", "!!python/name:x {}",
    ],
)  # fmt: skip
def test_hostile_packs_are_a_mistake_and_no_more(text: str) -> None:
    found = all_of("pack", text)
    assert found
    assert all(0 <= one.start <= one.end <= len(text) for one in found)


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 50_000, "x = " + "[{a = " * 20_000, "[a" + ".a" * 50_000 + "]", "a." * 50_000 + "b = 1",
     '"' * 50_000, "'''" * 9_000, "[[" * 9_000, "x = \ud800", "\0", 'x."\\q" = 1', '["\\q"]\n'],
)  # fmt: skip
def test_hostile_settings_are_a_mistake_and_no_more(text: str) -> None:
    from sakaime.lsp.authors import complete, hover

    found = all_of("settings", text)
    assert found
    assert all(0 <= one.start <= one.end <= len(text) for one in found)
    for offset in (0, len(text) // 2, len(text)):
        complete("settings", text, offset, shipped())
        hover("settings", text, offset, shipped())
