"""A pattern cut down to a text finds there what the whole pattern finds."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from judging_fixtures import shipped_examples, shipped_policy

from sakaime.policy.pattern import PatternError, compile_pattern
from sakaime.policy.slots import expand
from sakaime.policy.tree import tree
from sakaime.policy.trim import trimmed, whole
from sakaime.text.chars import normalised
from sakaime.text.skeleton import skeleton

if TYPE_CHECKING:
    from sakaime.policy.trim import Tree

WORDS = {
    "act": ("approved", "signed off", "re:clear(?:ed|s)?", "承認", "re:確認(?:済み?|した)", "가", "é"),
    "not": ("no", "re:n[o0]t|never", "ない", "re:不要|無用"),
}


def spans(pattern: str, text: str) -> list[tuple[int, int]]:
    data = text.encode()
    return [m.span() for m in compile_pattern(pattern).finditer(data) if m.end() > m.start()]


def cut(parts: Tree, text: str) -> list[tuple[int, int]]:
    source = trimmed(parts, skeleton(text))
    return [] if source is None else spans(source, text)


LEAVES = st.sampled_from(
    [
        "approved", "no", "審査", "不要", "가나", "é", "ﬁ", "x", "ab", "{act}", "{not}", r"\s+", ".", "[a-c]",
        "[^。]{0,4}?", r"\w*", r"\bend\b", "^", "$", r"\Qa|b)\E", r"\x41", r"\)", "[(|)]", "(?i:No)", "",
        "long enough to be kept apart",
    ]
)  # fmt: skip
COUNTS = st.sampled_from(["", "", "", "?", "*", "+", "{0,2}", "{2}", "??"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.tuples(st.sampled_from(["(?:", "(", "(?i:"]), st.lists(inner, min_size=1, max_size=5), COUNTS)
    return st.one_of(
        groups.map(lambda made: f"{made[0]}{'|'.join(made[1])}){made[2]}"),
        st.lists(inner, min_size=1, max_size=4).map("".join),
    )


PATTERNS = st.recursive(LEAVES, grown, max_leaves=14)
PIECES = [
    "approved",
    "signed off",
    "Cleared",
    "clear",
    "承認",
    "確認した",
    "가나",
    "é",
    "e\u0301",
    "no",
    "n0t",
    "ない",
    "不要",
]
PIECES += ["審査", "x", "ab", "ﬁ", "fi", "A", "a|b)", ")", " ", "\n", "end", "long enough to be kept apart", "。"]


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(["", "(?i)", "(?is)"]), PATTERNS, st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("(?i)", "approved|ab|no", "NO")
@example("", "(?:approved|no)?x(?:(?:審査|long enough to be kept apart){2}|ab)", "xab")
@example("", "(?:x|)(?:approved by somebody|)", "x")
def test_what_is_found_stays(flags: str, pattern: str, text: str) -> None:
    source = flags + pattern
    try:
        expected = spans(expand(source, WORDS), text)
    except PatternError:  # a repetition of a repetition
        assume(False)
    assert cut(tree(source, WORDS), text) == spans(whole(tree(source, WORDS)), text) == expected


def test_flags_inside_of_a_pattern_leave_it_whole() -> None:
    (source,) = tree("(?:a(?i)b|approved by whom it may concern)|{not}", WORDS)
    assert source == expand("(?:a(?i)b|approved by whom it may concern)|{not}", WORDS)


@pytest.mark.parametrize("pack", ["en", "ja", "zh", "ko", "de", "fr", "es", "pt", "ru"])
def test_the_shipped_rules_find_the_same(pack: str) -> None:
    choice = random.Random(pack)
    texts = [normalised(" ".join(text.split())) for text in shipped_examples(pack)]
    smaller = 0
    for rule in [rule for rule in shipped_policy().rules if rule.id.startswith(f"{pack}/")]:
        for tree_ in (*rule.all, *rule.any, *rule.none):
            for text in choice.sample(texts, 3):
                assert cut(tree_, text) == spans(whole(tree_), text), (rule.id, text)
                smaller += len(trimmed(tree_, skeleton(text)) or "") < len(whole(tree_))
    assert smaller > 50
