"""Where RE2 cannot be imported: the standard library gives the same answers, or says that it cannot."""

from __future__ import annotations

import contextlib
import json
import os
import re
import unicodedata
from pathlib import Path

import pytest
import re2
from conftest import Repo, sakaime
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from judging_fixtures import shipped_examples, shipped_policy
from pattern_fixtures import patterns, texts

from sakaime.policy import stdlib
from sakaime.policy.pattern import PatternError, compile_pattern
from sakaime.policy.stdlib import MOST_STEPS, NotRunError, Pattern, RefusedError
from sakaime.policy.trim import whole

OPTIONS = re2.Options()
OPTIONS.log_errors = False


def spans(pattern: Pattern, data: bytes) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(data)]


@settings(max_examples=800, deadline=None)
@given(patterns, texts)
@example(r"(?i)k", "K")
@example(r"[[:alpha:]]+", "aé")
@example(r"[^\pL]", "か1")
@example(r"$", "a\n")
@example(r"(?m)a$", "a\nb")
@example(r"[\w-]+", "a-b")
@example(r"\Qa.b\E+", "a.bbb")
def test_it_finds_what_re2_finds(pattern: str, text: str) -> None:
    try:
        wanted = [match.span() for match in re2.compile(pattern.encode(), OPTIONS).finditer(text.encode())]
    except re2.error:
        assume(False)
    try:
        found = spans(Pattern(pattern), text.encode())
    except NotRunError:
        assume(False)
    assert bool(found) == bool(wanted)
    # RE2's binding gives an empty match at the end twice.
    assert [at for at in found if at[0] < at[1]] == [at for at in wanted if at[0] < at[1]]


@settings(max_examples=300, deadline=None)
@given(st.text("ab[](){}|*+?\\^$.-:,1QEpLPx<>=!imsU", max_size=12), texts)
def test_whatever_it_is_given_it_answers_or_refuses(pattern: str, text: str) -> None:
    with contextlib.suppress(RefusedError, NotRunError):
        Pattern(pattern).search(text.encode())


@pytest.mark.parametrize(
    "pattern",
    ["(", ")", "[", "[z-a]", "a**", "a++", "*a", "a{1001}", r"\1", r"\y", "(?=a)", "(?<!a)", "(?>a)", "[[:no:]]"],
)
def test_it_refuses_what_re2_refuses(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)
    monkeypatch.setattr("sakaime.policy.pattern.re2", None)
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize("name", ["Han", "Hiragana", "Katakana", "L", "Lu", "N", "P", "Zs", "S", "M"])
@pytest.mark.parametrize("sign", ["p", "P"])
def test_a_property_holds_the_characters_that_it_holds_in_re2(sign: str, name: str) -> None:
    old = unicodedata.ucd_3_2_0
    known = "".join(c for c in map(chr, range(0x30000)) if old.category(c) not in ("Cn", "Cs"))
    # Changed since: what Unicode has moved from one category to another is not the point here.
    steady = "".join(c for c in known if old.category(c) == unicodedata.category(c))
    pattern = rf"\{sign}{{{name}}}"
    ours = [start for start, _ in spans(Pattern(pattern), steady.encode())]
    theirs = [match.start() for match in re2.compile(pattern.encode(), OPTIONS).finditer(steady.encode())]
    strange = {steady.encode()[at : at + 4].decode("utf-8", "ignore")[0] for at in {*ours} ^ {*theirs}}
    assert not strange, sorted(strange)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+b", "a" * 200),
        ("(?:a|a)*b", "a" * 200),
        ("(?:a|ab|b)*c", "ab" * 200),
        (r"\s*\s*\s*\s*x", " " * 500),
        (".*.*.*=", "x" * 2000),
        ("(?:.{0,40}a){8}b", "a" * 500),
        (r"(?i)(?:\w+\s?)+$", "a" * 100 + "!"),
    ],
)
def test_what_could_explode_is_not_run(pattern: str, text: str) -> None:
    with pytest.raises(NotRunError):
        Pattern(pattern).search(text.encode())


@settings(max_examples=200, deadline=None)
@given(patterns, st.text("ab1 -", min_size=1, max_size=30))
def test_no_way_through_is_left_out_of_the_count(pattern: str, text: str) -> None:
    """The engine is made to try every way: with something at the end that never stands there."""
    try:
        ours = Pattern(f"(?:{pattern})(?:\\x00)")
        ours.search(text.encode())
    except (RefusedError, NotRunError):
        assume(False)
    counted = stdlib.steps(ours.tree, text)
    assert counted <= MOST_STEPS
    assert ways(ours.source.removesuffix(r"(?:\x00)").removesuffix("(?:\x00)"), text) <= counted


def ways(source: str, text: str) -> int:
    """At how many places a match can end, for each place where one begins: never more than the ways to get there."""
    found = 0
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            try:
                found += re.compile(source).fullmatch(text, start, end) is not None
            except re.error:
                return 0
    return found


def test_the_shipped_rules_find_the_same_in_their_examples() -> None:
    """Of texts that it runs on: of each pattern, on the examples of all rules that it is asked for most."""
    policy = shipped_policy()
    sources = [whole(tree) for rule in policy.rules for tree in (*rule.all, *rule.any, *rule.none)][::40]
    examples = [example.encode() for example in shipped_examples()][::25]
    ran = 0
    for source in sources:
        ours, theirs = Pattern(source), re2.compile(source.encode(), OPTIONS)
        for data in examples:
            try:
                found = spans(ours, data)
            except NotRunError:
                continue
            ran += 1
            assert found == [match.span() for match in theirs.finditer(data)], (source[:200], data)
    assert ran > 100


@pytest.fixture
def without_re2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "nothing"
    folder.mkdir()
    (folder / "re2.py").write_text("raise ModuleNotFoundError(\"No module named 're2'\", name='re2')\n")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep))


@pytest.mark.usefixtures("without_re2")
def test_deploy_kit_is_stopped_at_the_same_places(deploy_kit: Repo) -> None:
    done = sakaime("check", "--format", "json", cwd=deploy_kit.path)
    answer = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert not answer["scope"]["unjudged"]
    kinds = [
        "cap",
        "claim",
        "exclude",
        "narrow",
        "narrowed",
        "placeholder",
        "removed",
        "removed",
        *4 * ["risk"],
        "waive",
    ]
    assert sorted(f["kind"] for f in answer["findings"]) == kinds


@pytest.mark.usefixtures("without_re2")
def test_a_rule_that_cannot_be_run_is_named_and_the_file_is_not_judged(repo: Repo) -> None:
    repo.stage(
        "packs/slow/pack.yaml",
        "sakaime: 1\npack: slow\nversion: 1.0.0\ninstructions:\n"
        "  - id: slow\n    tactic: cap\n    severity: error\n    title: slow\n    message: slow\n    why: slow\n"
        "    unit: line\n    all: ['(?:q+q?)+!']\n    within: 400\n"
        "    examples: {bad: ['# qq!', '# qqq!'], good: ['# q', '# qq']}\n",
    )
    repo.stage("sakaime.toml", 'extends = [{pack = "slow", from = "packs/slow"}]\n')
    assert sakaime("pack", "sync", cwd=repo.path).returncode == 0
    repo.git("add", "-A")
    repo.commit()
    repo.stage("a.py", f"# {'q' * 60}\n")
    repo.stage("b.py", "# harmless\n")
    done = sakaime("check", cwd=repo.path)
    assert done.returncode == 3
    assert "a.py: rule slow/slow needs RE2 (the package google-re2), which is not installed" in done.stdout
    assert "b.py" not in done.stdout
