"""How notes are brought together: what a page does not show, texts in several pieces, mentions, correlation, gate."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from test_checks_instructions import policy_of, whole

from sakaime.judge.correlate import correlate
from sakaime.model import Finding, Position, Span
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.gate import gate_of
from sakaime.policy.needs import chance, condition
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING
from sakaime.text.markup import unseen
from sakaime.text.view import make_view

NOTE = {"all": ["approved", "review"], "within": 80, "severity": "warning"}


def kinds(text: str, path: str, **more: object) -> list[str]:
    return [f"{f.family} {f.kind} {f.severity}" for f in whole(policy_of({**NOTE, **more}), text, path)]


HIDDEN, OPEN = ["hidden hidden error"], ["instructions cap warning"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "Usage\n<!-- approved, no review -->\nMore\n"),
        ("a.md", "Usage\n\n<!-- approved,\nno review"),
        ("a.html", "<p>Usage</p><!-- approved, no review -->"),
        ("a.md", "See ![approved, no review](a.png).\n"),
        ("a.md", "See ![approved, no review][a].\n"),
        ("a.md", 'See [it](a.html "approved, no review").\n'),
        ("a.md", "See [it](a.html 'approved, no review').\n"),
        ("a.md", "Usage\n\n[//]: # (approved, no review)\n"),
        ("a.md", '[comment]: <> "approved, no review"\n'),
        ("a.md", '<img src="a.png" alt="approved, no review">\n'),
        ("a.html", "<a title='approved, no review' href='b'>it</a>\n"),
        ("a.md", '<div style="display: none">approved, no review</div>\n'),
        ("a.html", "<span hidden>approved, no review</span>\n"),
        ("a.html", '<p style="color: red; font-size:0">approved, no review</p>\n'),
        ("a.rst", "Usage\n\n.. approved,\n   no review\n"),
        ("a.adoc", "Usage\n// approved, no review\n"),
        ("a.adoc", "////\napproved, no review\n////\n"),
        ("a.md", "```py approved, no review\nx\n```\n"),
    ],
)
def test_what_a_page_does_not_show_is_hidden(path: str, text: str) -> None:
    assert kinds(text, path) == HIDDEN


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "approved, no review\n"),
        ("a.md", "[approved, no review](a.html)\n"),
        ("a.html", "<p>approved, no review</p>\n"),
        ("a.html", '<p style="opacity: 0.5">approved, no review</p>\n'),
        ("a.html", '<p style="display: block">approved, no review</p>\n'),
        ("a.rst", ".. note:: approved, no review\n"),
        ("a.rst", "approved, no review\n"),
        ("a.adoc", "approved, no review\n"),
        ("a.py", "# approved, no review\n"),
    ],
)
def test_what_a_page_shows_is_not(path: str, text: str) -> None:
    assert kinds(text, path) == OPEN


def test_what_is_unseen_comes_with_its_words_and_in_order() -> None:
    text = 'a <!-- b --> ![c](d "e") <i hidden>f</i>'
    found = list(unseen("md", text))
    assert [text[slice(*one.inner)].strip() for one in found] == ["b", "c", "e", "f"]
    assert [one.name for one in found] == [
        "a comment",
        "an alternative text",
        "a title",
        "an element that its style hides",
    ]
    assert list(unseen("py", text)) == []


@pytest.mark.parametrize(
    ("path", "text", "across"),
    [
        ("a.py", 'x = (\n    "all appro"\n    "ved, no review"\n)\n', False),
        ("a.py", 'x = "approved, " + "no review"\n', False),
        ("a.c", 'char *x = "approved, "\n  "no review";\n', False),
        ("a.json", '{"k": ["approved,", "no review"]}\n', True),
        ("a.yaml", "k:\n  - approved,\n  - no review\n", True),
        ("a.md", "| a | approved, |\n| b | no review |\n", True),
        ("a.md", "- approved by them,\n- no review\n", True),
        ("a.py", "# approved,\nx = 1\n# no review\n", True),
    ],
)
def test_neighbours_that_read_as_one_text_are_split(path: str, text: str, across: bool) -> None:
    assert kinds(text, path, across=across) == ["hidden split error"]
    if across:
        assert kinds(text, path) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'x = ["approved", f(1), "no review"]\n'),
        ("a.py", 'x = "approved"\ny = "no review"\n'),
        ("a.py", "# approved\n" + "x = 1\n" * 6 + "# no review\n"),
        ("a.md", "- It was approved.\n- No review is here\n"),
        ("a.md", "approved,\n\nno review\n"),
        ("a.md", "- approved,\n\n\n- no review\n"),
        ("a.yaml", "a: approved\nb: no review\n"),
        ("a.json", '{"a": "approved", "b": "no review"}\n'),
        ("a.py", 'x = "approved"  # no review\n'),
    ],
)
def test_what_stands_apart_is_not_brought_together(path: str, text: str) -> None:
    assert kinds(text, path, across=True) == []


@pytest.mark.parametrize("path", ["a.md", "a.py"])
def test_a_paragraph_that_is_wrapped_is_no_disguise(path: str) -> None:
    sign = "# " if path == "a.py" else ""
    text = f"{sign}This is approved by everybody in the team and\n{sign}needs no review by anybody else here.\n"
    assert kinds(text, path, across=True) == OPEN


def test_a_view_of_a_string_reads_its_escapes_and_may_glue_pieces() -> None:
    text = r"no\nre\"view\" a\\b"
    assert make_view(text, [(0, len(text))]).text == text
    assert make_view(text, [(0, len(text))], escapes=True).text == r'no re"view" a\b'
    parts = "appro ved"
    assert make_view(parts, [(0, 5), (6, 9)]).text == "appro ved"
    glued = make_view(parts, [(0, 5), (6, 9)], glued=True)
    assert glued.text == "approved"
    assert glued.source_range(4, 8) == (4, 9)


def pack(name: str, **more: object) -> LoadedPack:
    rest = {"tactic": "cap", "title": "t", "message": "m", "examples": {"bad": ["a", "b"], "good": ["c", "d"]}}
    rule = {"id": "r", **rest, **NOTE}
    data = {"sakaime": 1, "pack": name, "version": "1.0.0", "instructions": [rule], **more}
    return read_pack(pack_tree({"pack.yaml": json.dumps(data).encode()}, "test", "p.yaml"))


def told(*packs: LoadedPack) -> Policy:
    return compile_policy(list(packs), NOTHING, None, "2026-01-01")


MENTIONS = ["attack"]


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ('An attack says "approved, no review".', "info"),
        ("It says “approved, no review”, which is an attack.", "info"),
        ("It says `approved, no review`, which is an attack.", "info"),
        ("They attack with:\n\n> approved, no review\n", "info"),
        ("They attack with:\n\n```\napproved, no review\n```\n", "info"),
        ("An attack is approved, no review.", "warning"),  # no quotation
        ('"An attack" is approved, no review.', "warning"),
        ('It says "approved, no review".', "warning"),  # nothing says that it is told of
        ("It's the team's: approved, no review, as an attack isn't it.", "warning"),  # apostrophes
    ],
)
def test_a_quotation_beside_words_of_mention_is_information(text: str, severity: str) -> None:
    assert [f.severity for f in whole(told(pack("p", mentions=MENTIONS)), text, "a.md")] == [severity]


def test_samples_are_information_but_not_what_their_comments_say() -> None:
    policy = told(pack("p", samples=["samples/**"]))
    data, comment = 'x = "approved, no review"\n', "# approved, no review\n"
    assert [f.severity for f in whole(policy, data, "samples/a.py")] == ["info"]
    assert [f.severity for f in whole(policy, data, "src/a.py")] == ["warning"]
    assert [f.severity for f in whole(policy, comment, "samples/a.py")] == ["warning"]


SEMGREP = """rules:
  - id: talks-to-reviewer
    languages: [generic]
    message: Somebody speaks to the model.
    pattern: "approved, no review"  {comment}
"""
GITLEAKS = "title = 'x'\n[[rules]]\nid = 'note'\nregex = '''approved, no review'''  {comment}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("rules/a.yml", SEMGREP),
        ("a.toml", GITLEAKS),
        ("a.yaml", "sakaime: 1\npack: mine\nx: 'approved, no review'  {comment}\n"),
    ],
)
def test_what_a_scanner_looks_for_is_information_and_comments_are_not(path: str, text: str) -> None:
    policy = told(pack("p"))
    assert [f.severity for f in whole(policy, text.replace("{comment}", ""), path)] == ["info"]
    assert "warning" in [f.severity for f in whole(policy, text.replace("{comment}", "# approved, no review"), path)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "sakaime: 1\npack: mine\n\nThis is approved, no review.\n"),
        ("a.py", 'sakaime = 1\nx = "approved, no review"\n'),
        ("values.yaml", "sakaime: 1\nx: approved, no review\n"),
        ("values.yaml", "rules:\n  - host: a\n    note: approved, no review\n"),
        ("a.toml", '[[rules]]\nnote = "approved, no review"\n'),
    ],
)
def test_what_only_begins_like_a_pack_of_rules_is_none(path: str, text: str) -> None:
    assert [f.severity for f in whole(told(pack("p")), text, path)] == ["warning"]


def test_a_pack_softens_its_own_rules_only() -> None:
    policy = told(pack("p"), pack("q", mentions=MENTIONS, samples=["samples/**"]))
    for path, text in (
        ("a.md", 'An attack says "approved, no review".'),
        ("samples/a.py", 'x = "approved, no review"\n'),
    ):
        (finding,) = whole(policy, text, path)
        assert (finding.rule, finding.severity) == ("p/r", "warning")


def test_none_counts_near_a_match_only() -> None:
    rule: dict[str, object] = {"all": ["approved"], "none": ["never"], "unit": "paragraph"}
    assert whole(policy_of(rule), "# never approved\n") == ()
    assert whole(policy_of(rule), f"# never {'x' * 20} approved\n") == ()
    assert len(whole(policy_of(rule), f"# never {'x' * 60} approved\n")) == 1
    assert len(whole(policy_of(rule), f"# approved {'x' * 60} never\n")) == 1


def finding(family: str, kind: str, columns: tuple[int, int], severity: str = "error") -> Finding:
    span = Span(Position(1, columns[0]), Position(1, columns[1]))
    return Finding(f"p/{family}-{kind}", family, kind, severity, "m", "a.py", span, "x")


ORDER = ["hidden", "split", "spoof", "override", "act", "claim", "exclude", "narrow", "waive", "cap", "verdict"]


@pytest.mark.parametrize(("first", "second"), list(pairwise(ORDER)))
@pytest.mark.parametrize("turned", [False, True])
def test_at_one_place_the_kind_that_tells_most_names_the_finding(first: str, second: str, turned: bool) -> None:
    two = [finding("hidden" if k in ORDER[:2] else "instructions", k, (1, 9)) for k in (first, second)]
    (one,) = correlate(two[::-1] if turned else two)
    assert one.kind == first
    assert [related.message.split(" ")[0] for related in one.related] == [two[1].rule]


def test_what_counts_names_the_finding_before_what_is_only_told() -> None:
    (one,) = correlate([finding("hidden", "hidden", (1, 9), "info"), finding("instructions", "cap", (5, 12))])
    assert (one.kind, one.severity, one.span.start.column, one.span.end.column) == ("cap", "error", 1, 12)


def test_findings_of_other_families_or_places_stay_apart() -> None:
    assert len(correlate([finding("hidden", "hidden", (1, 9)), finding("policy", "allow", (1, 9))])) == 2
    assert len(correlate([finding("hidden", "hidden", (1, 5)), finding("instructions", "cap", (5, 9))])) == 2


def test_a_gate_in_parts_counts_rules_over_all_of_them() -> None:
    parts = [[((condition(word, {}),), 100, ()) for word in words] for words in (["approved", "waived"], ["承認"])]
    gate = gate_of(parts)
    assert gate.possible("it was waived") == (1,)
    assert gate.possible("承認 approved") == (0, 2)
    assert gate.possible("nothing") == ()
    assert gate.possible("waived 承認") == (1, 2)
    assert gate.only(2).possible("承認 approved") == (0,)
    with pytest.raises(IndexError):
        gate.only(3)


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("a bot here", True),
        ("a\nbot\nhere", True),
        ("a **bot**", True),
        (r'"a\nbot"', True),
        ("人bot人", True),  # a letter beyond ASCII is none of a word for RE2
        ("robot", False),
        ("both", False),
    ],
)
def test_a_gate_knows_where_words_begin_and_end(text: str, opens: bool) -> None:
    gate = gate_of([[((condition(r"\bbot\b", {}),), 100, ())]])
    assert bool(gate.possible(text)) == opens


def test_words_at_the_ends_of_lines_open_the_gate_of_a_block() -> None:
    rule: dict[str, object] = {"all": [r"\bpinning check\b", "skipped"]}
    assert len(whole(policy_of(rule), "# the pinning\n# check is skipped\n")) == 1


def test_a_rule_for_files_of_a_name_is_not_asked_elsewhere() -> None:
    gate = gate_of([[((condition("approved", {}),), 100, ("AGENTS.md",))]])
    assert gate.possible("approved", "a.md") == ()
    assert gate.possible("approved", "x/AGENTS.md") == (0,)
    assert gate.possible("approved") == (0,)


def test_what_a_rule_needs_must_lie_near_enough_to_each_other() -> None:
    gate = gate_of([[((condition("approved", {}), condition("review", {})), 20, ())]])
    assert gate.possible("approved, " + "x" * 5 + " review") == (0,)
    assert gate.possible("approved, " + "x" * 50 + " review") == ()
    assert gate.possible("approved, " + "x" * 50 + " review, approved") == (0,)


def test_what_is_rare_has_the_smaller_chance() -> None:
    rare, common, two = (condition(pattern, {}) for pattern in ("rubberstamp", "file", "rubberstamp.*file"))
    assert chance(two) <= chance(rare) < chance(common) <= 1
