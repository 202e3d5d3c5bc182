"""The gate before the rules may let too much through, and never too little."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judging_fixtures import found, shipped_examples, shipped_policy

from sakaime.model import Finding
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.gate import gate_of
from sakaime.policy.needs import NOTHING as NOTHING_NEEDED
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING

REST = "tactic: cap, title: t, message: m, examples: {bad: [a, b], good: [c, d]}"
PACK = r"""
sakaime: 1
pack: p
version: 1.0.0
instructions:
  - {id: far, REST, all: [approved, review], within: 60}
  - {id: one, REST, all: ["no\\s+further\\s+review"]}
  - {id: ja, REST, all: [承認, "不要|が無い"], within: 40}
  - {id: ko, REST, all: [검토, "필요\\s*없"], within: 40, unit: paragraph}
  - {id: any, REST, all: [skip], any: ["(?i)audit", "é"], within: 50, unit: line}
"""


@lru_cache
def policy() -> Policy:
    return compile_policy(
        [read_pack(pack_tree({"pack.yaml": PACK.replace("REST", REST).encode()}, "t", "p"))],
        NOTHING,
        None,
        "2026-01-01",
    )


def open_gate(policy: Policy) -> Policy:
    """The same policy with a gate that lets everything through."""
    return policy.replace(gate=gate_of([[((NOTHING_NEEDED,), 2000, ()) for _ in policy.rules]]))


def told(findings: list[Finding]) -> list[str]:
    return sorted(f"{f.rule} {f.span} {f.excerpt}" for f in findings)


WORDS = [
    "approved",
    "review",
    "no",
    "further",
    "承認",
    "不要",
    "か\u3099",
    "が",
    "無い",
    "검토",
    "필요 ",
    "없",
    "skip",
    "Audit",
]
WORDS += ["e\u0301", "é", "x", "filler words here", "\u200b", "\u0345", "語", ".", "。", "*", "_", "**"]
WORDS += ["x" * 1500, "語" * 600, "가" * 500]
ENDS = [" ", " ", "", "\n", "\n# ", "\n// ", "\n * ", "\n- ", "\n[x] ", "\nREM ", "\r\n", "\n\n"]
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(ENDS)).map("".join), max_size=30).map("".join)
PATHS = ["a.md", "a.py", "a.c", "a.yaml", "a.json", "a.bat", "a.html", "a.ini", "a.tex"]


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(PATHS), st.sampled_from(["", "# ", "/* ", '"', "REM ", "k: |\n  "]), texts)
@example("a.py", "# ", "x" * 3000 + " approved\n# review")
@example("a.py", "# ", "approved\n# " + "\n# ".join(["語" * 12] * 3) + " review")
@example("a.md", "", "no\n[x] further review")
@example("a.bat", "REM ", "no\nREM further\nREM review")
@example("a.md", "", "承認済み、か*\u3099*無い")
@example("a.md", "", "검토는 " + "각" * 30 + "\n" + "필요 없다\n\n" + "x" * 1500)
@example("a.md", "", "approved" + "\u0345" * 2000 + " review")
def test_the_gate_hides_nothing(path: str, before: str, text: str) -> None:
    text = before + text
    assert told(found(policy(), path, text)) == told(found(open_gate(policy()), path, text))


@pytest.mark.parametrize("path", ["a.md", "a.py", "a.c"])
def test_a_large_file_hides_no_bad_example(path: str) -> None:
    sign = {"a.md": "", "a.py": "# ", "a.c": "// "}[path]
    filler = "".join(f"{sign}line {n} of plain words\n\n" for n in range(400))
    for text in list(shipped_examples())[PATHS.index(path) :: 90]:
        text = " ".join(text.lstrip("#/ ").split())
        small, large = (told(found(shipped_policy(), path, f"{fill}{sign}{text}\n\n{fill}")) for fill in ("", filler))
        assert len(small) == len(large), text
