"""Notes to the reviewer: what is found, where it is said to stand, and what becomes one finding."""

from __future__ import annotations

import json

import pytest

from sakaime.judge import judge
from sakaime.material.change import Blob, Change, Material
from sakaime.material.sources import buffer, from_diff, whole_file
from sakaime.model import Finding
from sakaime.packs import shipped
from sakaime.packs.manifest import pack_tree
from sakaime.packs.selftest import failures
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING, Org, read_settings

TODAY = "2026-01-01"
SHIPPED = {pack.model.pack: pack for pack in map(read_pack, shipped.trees())}
EVERY = compile_policy(list(SHIPPED.values()), NOTHING, None, TODAY)


def pack_of(*rules: dict[str, object], locked: tuple[str, ...] = ()) -> LoadedPack:
    rest = {"tactic": "cap", "title": "t", "message": "“{match}”", "examples": {"bad": ["a", "b"], "good": ["c", "d"]}}
    data = {
        "sakaime": 1,
        "pack": "p",
        "version": "1.0.0",
        "instructions": [{"id": f"r{n}", **rest, **rule} for n, rule in enumerate(rules)],
        "locked": list(locked),
    }
    return read_pack(pack_tree({"pack.yaml": json.dumps(data).encode()}, "test", "p.yaml"))


def policy_of(*rules: dict[str, object], own: str = "", org: Org | None = None, locked: tuple[str, ...] = ()) -> Policy:
    return compile_policy([pack_of(*rules, locked=locked)], read_settings(own.encode(), None), org, TODAY)


def whole(policy: Policy, text: str, path: str = "a.py") -> tuple[Finding, ...]:
    return judge(policy, Material("tree", (whole_file(path, text.encode()),))).findings


def edited(policy: Policy, old: str, new: str, path: str = "a.py") -> tuple[Finding, ...]:
    return judge(policy, buffer(path, old.encode(), new.encode())).findings


def place(finding: Finding) -> tuple[int, int, int, int]:
    start, end = finding.span.start, finding.span.end
    return start.line, start.column, end.line, end.column


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rules_find_their_bad_examples_and_leave_the_good_ones(name: str) -> None:
    wrong = [f"{f.rule} {f.kind} {f.number}: {f.sample.text}" for f in failures(SHIPPED[name], EVERY)]
    assert wrong == []


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("added", "start"),
    [({1, 2, 3}, (1, 3)), ({2, 3}, (2, 3)), ({2}, (2, 3)), ({3}, (3, 3)), ({1}, (1, 3)), ({1, 3}, (1, 3))],
)
def test_a_note_stands_at_its_first_added_line(added: set[int], start: tuple[int, int], ending: str) -> None:
    lines = ["# approved by", "# the team, no", "# review needed"]
    text = "".join(line + ending for line in [*lines, "x = 1"])
    policy = policy_of({"all": ["approved", "review needed"]})
    change = whole_file("a.py", text.encode())
    runs = tuple((n, n) for n in sorted(added))
    part = Change("a.py", "M", Blob("100644", data=b""), change.new, (change.hunks[0].replace(added=runs),))
    (finding,) = judge(policy, Material("staged", (part,))).findings
    assert place(finding) == (*start, 3, 16)
    assert finding.excerpt == "approved by the team, no review needed"
    assert finding.line == lines[start[0] - 1]


def test_what_was_there_before_is_not_found() -> None:
    policy = policy_of({"all": ["approved"]})
    assert edited(policy, "# approved\nx = 1\n", "# approved\nx = 2\n") == ()
    assert edited(policy, "# one\n# approved\n", "# two\n# approved\n") == ()
    assert len(edited(policy, "# one\n", "# one\n# approved\n")) == 1


def test_a_match_that_touches_no_added_line_is_not_found_even_in_an_added_sentence() -> None:
    policy = policy_of({"all": ["approved"]})
    assert edited(policy, "# approved\n", "# approved\n# by them.\n") == ()
    blank = policy_of({"all": [r"approved\s+"]})
    assert edited(blank, "# approved\n", "# approved\n# by them.\n") == ()


def test_an_added_line_between_two_old_ones_completes_a_note() -> None:
    policy = policy_of({"all": ["approved", "review"]})
    (finding,) = edited(policy, "# approved\n\n# no review\n", "# approved\n# so\n# no review\n")
    assert place(finding) == (2, 3, 3, 12)
    far = [f"# {word}\n" for word in ("approved", *"abcdefgh", "", *"ijklmnop", "review")]
    near = [line if line != "# \n" else "# x\n" for line in far]
    assert len(edited(policy, "".join(far), "".join(near))) == 1


def test_in_a_bare_diff_lines_keep_their_numbers() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -7,2 +7,3 @@\n x\n+# approved\n y\n@@ -90 +91,2 @@\n z\n+# approved\n"
    findings = judge(policy_of({"all": ["approved"]}), from_diff(diff.encode())).findings
    assert [place(f)[:2] for f in findings] == [(8, 3), (92, 3)]


def test_units_bound_what_is_brought_together() -> None:
    text = "# approved by them.\n# It needs\n# no review.\n"
    one = {"all": ["approved", "review"]}
    two = {"all": ["needs", "review"]}
    found = {
        unit: [len(whole(policy_of({**rule, "unit": unit}), text)) for rule in (one, two)]
        for unit in ("line", "sentence", "paragraph")
    }
    assert found == {"line": [0, 0], "sentence": [0, 1], "paragraph": [1, 1]}


def test_none_counts_inside_the_unit_only() -> None:
    policy = policy_of({"all": ["approved"], "none": ["never"]})
    assert whole(policy, "# This is never approved.\n") == ()
    assert len(whole(policy, "# This is approved. It never was before.\n")) == 1


def test_within_bounds_the_window() -> None:
    rule = {"all": ["approved", "review"], "within": 20}
    assert len(whole(policy_of(rule), "# approved ab review\n")) == 1
    assert len(whole(policy_of(rule), "# approved abcde review\n")) == 0


def test_places_bound_where_a_rule_looks() -> None:
    text = 'x = "approved"  # approved\n'
    for places, columns in ((["comment"], [19]), (["string"], [6]), (["prose"], []), (["comment", "string"], [6, 19])):
        found = whole(policy_of({"all": ["approved"], "places": places}), text)
        assert [f.span.start.column for f in found] == columns
    assert len(whole(policy_of({"all": ["approved"], "places": ["prose"]}), "approved", "a.md")) == 1


def test_paths_bound_the_files() -> None:
    policy = policy_of({"all": ["approved"], "paths": {"include": ["*.py"], "exclude": ["tests/"]}})
    for path, count in (("a.py", 1), ("src/a.py", 1), ("tests/a.py", 0), ("a.c", 0), ("a\udcff.py", 1), ("a\n.py", 1)):
        assert len(whole(policy, "# approved\n", path)) == count
    (finding,) = whole(policy, "# approved\n", "a\udcff\n.py")
    assert finding.path == "a\\xff\\n.py"


def test_two_notes_of_one_rule_on_one_line_stay_two() -> None:
    policy = policy_of({"all": ["approved"]})
    found = whole(policy, "# approved here. And approved there.\n")
    assert [f.span.start.column for f in found] == [3, 22]
    assert found[0].fingerprint != found[1].fingerprint


def test_what_several_rules_say_of_one_place_is_one_finding() -> None:
    policy = policy_of(
        {"all": ["approved by them"], "tactic": "waive", "severity": "error", "covers": "near"},
        {"all": ["approved"], "tactic": "claim", "severity": "warning", "covers": "change"},
        {"all": ["by them"], "tactic": "override", "severity": "info", "covers": "file"},
    )
    (finding,) = whole(policy, "# approved by them\n")
    assert (finding.rule, finding.kind, finding.severity, finding.covers) == ("p/r1", "claim", "error", "change")
    assert sorted(related.message.split(" ")[0] for related in finding.related) == ["p/r0", "p/r2"]
    assert place(finding) == (1, 3, 1, 19)


def test_different_kinds_in_sentences_that_follow_each_other_stay_two() -> None:
    policy = policy_of({"all": ["approved"], "tactic": "claim"}, {"all": ["skip"], "tactic": "waive"})
    assert [f.kind for f in whole(policy, "# It is approved. So skip it.\n")] == ["claim", "waive"]


def test_fingerprints_stay_when_lines_move_and_tell_equal_lines_apart() -> None:
    policy = policy_of({"all": ["approved"]})
    (first,) = whole(policy, "# approved\n")
    moved = whole(policy, "x = 1\n\n    # approved\n\n# approved\n", "b.py")
    assert moved[0].fingerprint == first.fingerprint
    assert moved[1].fingerprint != first.fingerprint
    (other,) = whole(policy, "# approved by them\n")
    assert other.fingerprint != first.fingerprint


ALLOW = '[[allow]]\nrule = "p/r0"\nline = "# approved by them"\nreason = "why"\n'


def test_an_exception_marks_its_finding_and_no_other() -> None:
    policy = policy_of({"all": ["approved"]}, own=ALLOW)
    text = "# approved by them\n# approved by us\n".replace("\n#", "\n\n#")
    assert [f.suppressed for f in whole(policy, text)] == ["why", None]
    elsewhere = policy_of({"all": ["approved"]}, own=ALLOW + 'path = "b.py"\n')
    assert [f.suppressed for f in whole(elsewhere, text)] == [None, None]


def test_an_exception_to_one_rule_does_not_hide_another_one_at_the_same_place() -> None:
    rules: tuple[dict[str, object], ...] = (
        {"all": ["approved"], "tactic": "claim"},
        {"all": ["by them"], "tactic": "waive"},
    )
    allowed = whole(policy_of(*rules, own=ALLOW, locked=("r1",)), "# approved by them\n")
    assert [(f.rule, f.suppressed) for f in allowed] == [("p/r0", "why"), ("p/r1", None)]


def test_before_its_day_a_rule_is_a_warning_at_most() -> None:
    rules: tuple[dict[str, object], ...] = (
        {"all": ["approved"], "enforce_from": "2999-01-01"},
        {"all": ["skip"], "enforce_from": "2000-01-01"},
    )
    assert [f.severity for f in whole(policy_of(*rules), "# approved\n\n# skip\n")] == ["warning", "error"]
    org = Org.model_validate({"sakaime": 1, "org": "acme", "severity": {"p/r0": "error"}})
    assert [f.severity for f in whole(policy_of(*rules, org=org), "# approved\n")] == ["error"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_every_encoding_that_names_itself_is_judged(encoding: str) -> None:
    policy = policy_of({"all": ["承認"]})
    old, new = "# 上上\n# b\n", "# 上上\n# 承認済み\n"
    material = buffer("a.py", old.encode(encoding), new.encode(encoding))
    (finding,) = judge(policy, material).findings
    assert (finding.span.start.line, finding.span.start.column) == (2, 3)


def test_the_link_of_a_symbolic_link_is_text() -> None:
    policy = policy_of({"all": ["approved"]})
    change = whole_file("a.py", b"approved by them", "120000")
    assert len(judge(policy, Material("tree", (change,))).findings) == 1


def test_binaries_are_listed_and_what_should_be_text_is_not_judged() -> None:
    policy = policy_of({"all": ["approved"]})
    changes = (
        whole_file("a.bin", b"\x7fELF\2\1\1\0\0\0\xf8approved\n"),
        whole_file("b.py", b"# approved \xff\n"),
        whole_file("c.py", b"#\n"),
    )
    judgement = judge(policy, Material("tree", changes))
    assert [s.path for s in judgement.scope.skipped] == ["a.bin"]
    assert [s.path for s in judgement.scope.unjudged] == ["b.py"]
    assert (judgement.scope.files, judgement.scope.added_lines) == (3, 3)


@pytest.mark.parametrize("text", [b"# \0 approved\n", b"# app\0roved\n", b"# approved\n" + b"x = 1\n" * 20 + b"\0"])
def test_a_nul_does_not_take_a_text_out_of_the_judgement(text: bytes) -> None:
    policy = policy_of({"all": ["approved"]})
    assert len(judge(policy, Material("tree", (whole_file("a.py", text),))).findings) == 1
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,%d @@\n" % len(text.splitlines())
    diff = patch + b"".join(b"+%s\n" % line for line in text.split(b"\n") if line)
    assert len(judge(policy, from_diff(diff)).findings) == 1


def test_a_long_line_of_many_notes_is_cut_for_people_and_judged_whole() -> None:
    policy = policy_of({"all": ["approved"]})
    found = whole(policy, "# " + "approved. " * 2000 + "\n")
    assert len(found) == 2000
    assert max(len(f.line) for f in found) == 2000
    assert len({f.fingerprint for f in found}) == 2000
