"""Patterns in RE2's syntax, and texts that they may match, for property tests."""

from __future__ import annotations

import re2
from hypothesis import strategies as st

ALPHABET = [*"abkKsS12 -_.", "\u00e9", "É", "ß", "ſ", "か", "が", "レ", "承", "認", "가", "ѕ", "ﬁ", "Ａ"]
chars = st.sampled_from(ALPHABET)
SIMPLE = [r"\s", r"\b", r"\B", r"\d", r"\w", r"\W", r"\S", ".", "^", "$", r"\A", r"\pL", r"\p{Han}", r"\PN", r"\C"]
SIMPLE += [
    r"\n",
    r"\t",
    r"\.",
    r"\-",
    r"\x41",
    r"\x{304C}",
    r"\x{1F600}",
    r"\101",
    r"\07",
    r"\012",
    r"\Qa.b\E",
    "(?i)",
    "(?s)",
]
SIMPLE += [r"\Qab\E?", r"\QA", "{", "}", "a{,5}", "a{2", "]"]
CLASSES = [
    r"[a-c]",
    r"[^a]",
    r"[]a]",
    r"[a-]",
    r"[\--z]",
    r"[\x41-\x7A]",
    r"[\s　]",
    r"[\w-]",
    r"[[:alpha:]]",
    r"[か-が]",
    r"[.k]",
]
CLASSES += [r"[\d\s]", r"[^\n]", r"[\n-z]", r"[A-z]", r"[\pL1]", r"[ 　]", r"[\\\]a]", r"[ab承]", r"[!-~]", r"[-a]"]
REPEATS = ["", "?", "*", "+", "{2}", "{0}", "{1,2}", "{0,1}", "{2,}", "??", "*?", "+?", "{1}"]


def literal(char: str) -> str:
    return re2.escape(char) if char.isascii() else char


atoms = st.one_of(chars.map(literal), chars.map(literal), st.sampled_from(SIMPLE), st.sampled_from(CLASSES))


def bigger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.sampled_from(["({})", "(?:{})", "(?i:{})", "(?P<n>{})"])
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map("|".join),
        st.tuples(groups, inner, st.sampled_from(REPEATS)).map(lambda t: t[0].replace("{}", t[1]) + t[2]),
        st.tuples(inner, st.sampled_from(REPEATS)).map("".join),
    )


patterns = st.recursive(atoms, bigger, max_leaves=8)
EXTRA = ["\n", "A", "Z", "ab", "a.b", "\u200b", "😀", "aab", "ABC", "K"]
texts = st.lists(chars | st.sampled_from(EXTRA), max_size=12).map("".join)
