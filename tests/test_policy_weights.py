"""Rules that weigh words: what a sentence scores, which tactic it is of, and when a finding is doubted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_fixtures import found

from sakaime.model import UserError
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING
from sakaime.policy.weights import Weights, doubtful, features, score, stretches, table, windows

PACK = """sakaime: 1
pack: acme
version: 1.0.0
weights:
  note:
    least: 100
    doubt: -50
    bias: -20
    words: |
      90 remark, no need
      60 review
      -100 shop, custom
    per_tactic:
      cap: |
        50 at most
      waive: |
        50 no need
instructions:
  - id: weighed-waive
    tactic: waive
    title: t
    message: m
    unit: paragraph
    within: 1000
    all: ["(?i)remark|review"]
    weights: note
    examples: {bad: ["no need for a remark in review", "b"], good: ["c", "d"]}
  - id: weighed-cap
    tactic: cap
    title: t
    message: m
    unit: paragraph
    within: 1000
    all: ["(?i)remark|review"]
    weights: note
    examples: {bad: ["a", "b"], good: ["c", "d"]}
  - id: plain
    tactic: exclude
    title: t
    message: m
    all: ["out of scope"]
    examples: {bad: ["a", "b"], good: ["c", "d"]}
"""
NOTE = Weights(
    100,
    -50,
    6,
    -20,
    table("90 remark, no need\n60 review\n-100 shop, custom\n"),
    (("cap", table("50 at most\n")),),
)
SOME = st.lists(
    st.sampled_from([*"ab 。.,;!? ", "no need", "remark ", "review. ", "shop ", "指摘", "x" * 130]), max_size=40
)


def policy(pack: str = PACK) -> Policy:
    return compile_policy(
        [read_pack(pack_tree({"pack.yaml": pack.encode()}, "t", "acme.yaml"))], NOTHING, None, "2026-01-01"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Approved reviewers", {"approv", "review", "^ approv", "approv review"}),
        ("Don't look", {"do", "not", "look", "^ do", "do not", "not look"}),
        ("at 12", {"at", "0", "^ at", "at 0"}),
        ("指摘は", {"指", "摘", "は", "指摘", "摘は", "指摘は"}),
        ("AIは見る", {"は", "見", "る", "は見", "見る", "は見る"}),
        ("", set()),
    ],
)
def test_features_are_stems_pairs_and_grams(text: str, wanted: set[str]) -> None:
    assert features(text, 6) == wanted


def test_a_score_is_the_sum_of_what_stands_in_a_text_once() -> None:
    assert score(NOTE, "no need for a remark, no need") == -20 + 90 + 90
    assert score(NOTE, "nothing of it") == -20


@given(SOME.map("".join))
def test_what_is_scored_covers_a_text_and_goes_on(text: str) -> None:
    alone = [(start, end) for start, end, numbers in windows(text) if len(numbers) == 1]
    assert all(start < end for start, end in alone)
    assert all(first[1] <= second[0] for first, second in pairwise(alone))
    covered = "".join(text[start:end] for start, end in alone)
    assert covered.replace(" ", "") == text.replace(" ", "")


@given(SOME.map("".join))
def test_stretches_are_apart_and_score(text: str) -> None:
    chosen = stretches(NOTE, text)
    assert all(first[1] <= second[0] for first, second in pairwise(chosen))
    assert all(score(NOTE, text[start:end]) >= NOTE.least for start, end, _ in chosen)
    best = max((score(NOTE, text[start:end]) for start, end, _ in windows(text)), default=-1000)
    assert bool(chosen) == (best >= NOTE.least)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["remark review. ", "指摘。", "a, " * 200, "." * 300, "x" * 5000]))
def test_a_long_text_is_read_once(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    assert sum(end - start for start, end, numbers in windows(text) if len(numbers) == 1) <= len(text)
    stretches(NOTE, text)


def test_a_rule_reports_sentences_of_its_own_tactic() -> None:
    rules = policy()
    waived = found(rules, "a.py", "# We fixed it. There is no need for a remark in the review. Thanks.\n")
    assert [(f.rule, f.excerpt) for f in waived] == [
        ("acme/weighed-waive", "There is no need for a remark in the review.")
    ]
    capped = found(rules, "a.py", "# at most a remark on review\n")
    assert [f.rule for f in capped] == ["acme/weighed-cap"]
    assert found(rules, "a.py", "# no need for a remark of shop customers in a review\n") == []


def test_without_a_word_of_its_patterns_nothing_is_weighed() -> None:
    heavy = PACK.replace("90 remark", "190 spare, remark")
    assert found(policy(heavy), "a.py", "# no need, spare it\n") == []


def test_where_the_words_speak_against_it_a_finding_of_another_rule_is_an_information() -> None:
    rules = policy()
    (meant,) = found(rules, "a.py", "# this is out of scope\n")
    (doubted,) = found(rules, "a.py", "# shop customers are out of scope\n")
    assert (meant.severity, doubted.severity) == ("error", "info")
    assert "speak against" in doubted.message
    assert doubtful(NOTE, "shop customers", 0, 4)
    assert not doubtful(NOTE.replace(doubt=None), "shop customers", 0, 4)


def test_a_sentence_that_scores_by_its_quotation_alone_tells_of_it() -> None:
    rules = policy(PACK + 'mentions: ["(?i)attackers write"]\n')
    told = "Attackers write “no need for a remark on review” and hope."
    assert [f.severity for f in found(rules, "a.md", f"{told}\n")] == ["info"]
    assert [f.severity for f in found(rules, "a.md", "They write “no need for a remark on review”.\n")] == ["error"]
    meant = "No need for a remark on review, whatever attackers write “here”."
    assert [f.severity for f in found(rules, "a.md", f"{meant}\n")] == ["error"]


def test_hidden_text_is_never_doubted() -> None:
    (hidden,) = found(policy(), "a.md", "Text.\n\n<!-- shop customers are out of scope -->\n")
    assert hidden.severity == "error"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("90 remark", "much remark", 9, "line 1: 'much remark, no need' does not begin with a weight"),
        ("90 remark", "9.5 remark", 9, "line 1: '9.5 remark, no need' does not begin with a weight"),
        ("weights: note", "weights: notes", 26, "there is no table 'notes' (known here: note)"),
        ("least: 100", "least: high", 6, "must be a whole number"),
        ("      cap: |", "      caps: |", 14, "'caps' must be one of"),
        ("    least: 100\n", "", 5, "the key 'least' is missing"),
    ],
)
def test_mistakes_in_a_table_are_told_with_their_place(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        policy(PACK.replace(old, new, 1))
    assert message in caught.value.message
    assert caught.value.line == line


def test_weights_of_the_shipped_packs_name_each_word_once() -> None:
    from sakaime.packs import shipped

    for tree in shipped.trees():
        for name, weights in read_pack(tree).model.weights.items():
            words = [word for line in weights.words.splitlines() for word in line.partition(" ")[2].split(", ")]
            assert len(words) == len(set(words)) == len(table(weights.words)), (tree.where, name)
