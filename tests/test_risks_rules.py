"""The shipped rules of risks: every example, alone and beside the others, and what no rule may be."""

from __future__ import annotations

import pytest
from judging_fixtures import shipped_policy
from risks_fixtures import found

from sakaime.judge.topics import names
from sakaime.packs import shipped
from sakaime.policy.pack import read_pack
from sakaime.policy.schema import RiskRule

CORE = next(pack for pack in map(read_pack, shipped.trees()) if pack.model.pack == "core").model


@pytest.mark.parametrize("rule", CORE.risks, ids=lambda rule: rule.id)
def test_every_example_is_reported_by_its_rule_and_by_no_other(rule: RiskRule) -> None:
    for example in rule.examples.bad:
        rules = {finding.rule for finding in found(shipped_policy(), example.path, example.text.encode())}
        assert rules == {f"core/{rule.id}"}, example
    for example in rule.examples.good:
        assert found(shipped_policy(), example.path, example.text.encode()) == [], example


@pytest.mark.parametrize("rule", CORE.risks, ids=lambda rule: rule.id)
def test_a_rule_informs_and_is_named_in_three_languages(rule: RiskRule) -> None:
    assert rule.severity == "info"
    assert any(topic.isascii() for topic in rule.topics)
    assert sum(not topic.isascii() for topic in rule.topics) >= 2 or rule.id in ("cookie-flags", "jwt-unverified")
    assert all(names((topic,), topic.rstrip("*")) for topic in rule.topics)


def test_no_rule_is_tried_on_every_file() -> None:
    assert not any(part.always for part in shipped_policy().risky.parts)


@pytest.mark.parametrize("path", ["a.py", "a.ts", "a.go", "a.rs", "a.sh", "a.java", "compose.yml", "a.yaml", "a.json"])
def test_harmless_lines_open_no_rule(path: str) -> None:
    lines = "size = 3\nname: shop\nreturn total(items)\nif count > limit: stop()\n"
    assert shipped_policy().risky.possible(lines, path) == () or found(shipped_policy(), path, lines.encode()) == []


DEPLOY = {
    "Dockerfile": ("FROM node:22\n", "core/unpinned-image"),
    ".github/workflows/ci.yml": ("permissions: write-all\n", "core/workflow-permissions"),
    "compose.yml": ('    ports:\n      - "5432:5432"\n', "core/published-port"),
}


@pytest.mark.parametrize("path", DEPLOY)
def test_the_defects_of_deploy_kit(path: str) -> None:
    text, rule = DEPLOY[path]
    assert [finding.rule for finding in found(shipped_policy(), path, text.encode())] == [rule]
