"""Patterns: slots filled with words, and the literals that the gate looks for before RE2 does."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from pattern_fixtures import patterns, texts

from sakaime.packs import shipped
from sakaime.policy.needs import ALL, ANY, NOTHING, condition
from sakaime.policy.pack import read_pack
from sakaime.policy.pattern import PatternError, compile_pattern
from sakaime.policy.slots import expand, phrase
from sakaime.text.chars import normalised
from sakaime.text.skeleton import skeleton


@settings(max_examples=800, deadline=None)
@given(patterns, texts)
@example(r"a[\--z]b", "axb")
@example(r"a[\x41-\x7A]b", "a_b")
@example(r"a[\n-z]b", "axb")
@example(r"x\Qab\E?c", "xac")
@example(r"a\012b", "a\nb")
@example("(?i)straße", "STRASSE straße")
@example("が", "か\u3099")
def test_a_pattern_that_matches_finds_one_of_its_literals_in_the_skeleton(pattern: str, text: str) -> None:
    text = normalised(text)
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        assume(False)
    needed = condition(pattern, {})
    for match in compiled.finditer(text.encode()):
        found = skeleton(match.group().decode("utf-8", "replace"))
        assert holds(needed, found), (needed, found)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.needs import Condition


def holds(needed: Condition, found: str) -> bool:
    """Whether a condition holds in a skeleton, wherever its words begin and end."""
    if needed and isinstance(needed[0], int):
        return (all if needed[0] == ALL else any)(holds(part, found) for part in needed[1])
    return any(literal.strip("|") in found for literal in needed)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("approved", ("approve",)),  # the beginning of a long one is enough
        ("(?i)No Review", ("norevie",)),
        (r"(?i)\bno\s+(?:further\s+)?review", ("|nofurth", "|norevie")),
        (r"\b(?:bots?|linters)\b", ("|bots|", "|bot|", "|linters|")),
        ("指摘|報告", ("報告", "指摘")),
        ("a[bc]dxyz", ("abdxyz", "acdxyz")),
        ("(?:ab|)cdef", ("cdef",)),
        ("approved.*review", (ALL, (("approve",), ("review",)))),
        ("approved.*review|waived", (ANY, (("waived",), (ALL, (("approve",), ("review",)))))),
        (r"\bthis\b.*\breview", (ALL, (("|review",), ("|this|",)))),
        (r"{who}.*review", (ALL, (("review",), ("|bot|", "人")))),
        (r"\d+件名書", ("件名書",)),
        (r"\d+", NOTHING),
        (".*", NOTHING),
        ("a?", NOTHING),
        (r"[^a]", NOTHING),
        ("approve|.", NOTHING),
        ("e", ("e",)),
    ],
)
def test_what_a_pattern_needs(pattern: str, expected: Condition) -> None:
    assert condition(pattern, {"who": ("bot", "人")}) == expected


def test_every_shipped_rule_needs_something_that_not_every_text_has() -> None:
    for tree in shipped.trees():
        pack = read_pack(tree)
        words = {name: tuple(entries) for name, entries in pack.model.words.items()}
        for rule in pack.model.instructions:
            needed = [condition(pattern, words) for pattern in (*rule.all, "|".join(f"(?:{p})" for p in rule.any))]
            assert any(need != NOTHING for need in needed), rule.id


def test_a_pattern_of_many_words_is_read_in_one_go() -> None:
    words = {"many": tuple(f"w{n:04}" for n in range(5000))}
    assert len(condition("{many}", words)) == 5000


WORDS = {"few": ("at most", "up to"), "2nd": ("second",), "n-a_b": ("re:x+",)}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{few}", r"(?:\bat\s+most\b|\bup\s+to\b)"),
        ("a{2}b{2,}c{2,3}", "a{2}b{2,}c{2,3}"),
        (r"\p{Han}\P{Greek}\x{1F600}\p{^Han}", r"\p{Han}\P{Greek}\x{1F600}\p{^Han}"),
        (r"\{few}", r"\{few}"),
        (r"\\{few}", r"\\(?:\bat\s+most\b|\bup\s+to\b)"),
        (r"\\p{few}", r"\\p(?:\bat\s+most\b|\bup\s+to\b)"),
        ("{2nd}", r"(?:\bsecond\b)"),
        ("{n-a_b}{2}", "(?:(?:x+)){2}"),
        ("[{few}]", "[{few}]"),
        ("[]{few}[:alpha:]]{2nd}", r"[]{few}[:alpha:]](?:\bsecond\b)"),
        (r"\Q{few}\E{2nd}", r"\Q{few}\E(?:\bsecond\b)"),
        ("{,3}", "{,3}"),
        ("{}", "{}"),
    ],
)
def test_words_fill_their_slots_and_nothing_else(pattern: str, expected: str) -> None:
    assert expand(pattern, WORDS) == expected


@pytest.mark.parametrize("pattern", ["{fwe}", "{Few}", "a{few}{nope}", "{few_}"])
def test_words_that_do_not_exist_are_named(pattern: str) -> None:
    with pytest.raises(PatternError, match="known here: 2nd, few, n-a_b"):
        expand(pattern, WORDS)


@pytest.mark.parametrize(
    ("entry", "text", "matches"),
    [
        ("at most", "at  most", True),
        ("at most", "at\tmost", True),
        ("at most", "atmost", False),
        ("at most", "that most", False),
        ("at most", "at mostly", False),
        ("  at  most ", "at most", True),
        ("指摘", "再指摘です", True),
        ("LGTM です", "LGTM です", True),
        ("LGTM です", "xLGTM です", False),
        ("ｌｇｔｍ", "lgtm", True),
        ("か\u3099", "が", True),
        ("می\u200cشود", "میشود", True),
        ("a.b", "axb", False),
        ("(x)", "(x)", True),
        ("re:a.b", "axb", True),
        ("re:a|b", "b", True),
        ("C++", "C++", True),
        ("#1", "#1", True),
        ("#1", "#12", False),
    ],
)
def test_phrases(entry: str, text: str, matches: bool) -> None:
    assert (compile_pattern(phrase(entry)).search(text.encode()) is not None) is matches


@pytest.mark.parametrize("entry", [" ", "\u3000", "re:", "\u200b"])
def test_a_phrase_of_nothing_is_refused(entry: str) -> None:
    with pytest.raises(PatternError):
        phrase(entry)


@pytest.mark.parametrize("pattern", ["(?=a)", "(?<!a)", r"(a)\1", "(", "a**", "[z-a]", "a{1001}", r"\Z", "\\"])
def test_what_re2_refuses_is_an_error_of_the_pattern(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)
