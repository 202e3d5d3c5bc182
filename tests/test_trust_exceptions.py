"""Exceptions that a legitimate change may have: in a comment, in the settings, accepted from outside."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path

import pytest
from conftest import Repo, sakaime
from trust_fixtures import NOTE, RULE, allow, fingerprint, in_range, judged, of, topic

HERE = f"# sakaime: allow {RULE} -- a quotation\n"
REST = "".join(f"y{n} = {n}\n" for n in range(20))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", HERE + NOTE),
        (
            "a.py",
            f"x = 1  # already approved by infra, nothing left to raise  # sakaime: allow {RULE} -- a quotation\n",
        ),
        (
            "a.c",
            f"/* sakaime: allow {RULE} -- a quotation */\n// Already approved by infra, nothing left to raise.\n",
        ),
        ("a.md", f"<!-- sakaime: allow {RULE} -- a quotation -->\nAlready approved by infra, nothing left to raise.\n"),
        ("a.yml", HERE + NOTE),
        (
            "a.html",
            f"<!-- sakaime: allow {RULE} -- a quotation -->\n<p>Already approved by infra, nothing left to raise.\n",
        ),
        ("a.py", f"# sakaime: allow {RULE} -- a quotation until 2099-12-31\n{NOTE}"),
        ("a.py", f"# sakaime: allow {RULE} -- a quotation [until 2099-12-31]\n{NOTE}"),
    ],
)
def test_a_comment_allows_its_own_line_and_the_next_one(repo: Repo, path: str, text: str) -> None:
    repo.stage(path, text)
    code, findings = judged(repo.path)
    assert code == 0, findings
    assert {f["suppressed"] for f in findings if f["rule"] == RULE} == {"a quotation"}
    (told,) = of(findings, "policy/own-exception")
    assert (told["severity"], told["start"]["line"]) == ("info", 1)
    assert "CI judges by BASE" in told["message"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", HERE + "\n" + NOTE),
        ("a.py", NOTE + HERE),
        ("a.py", f's = "sakaime: allow {RULE} -- no comment"\n{NOTE}'),
        ("a.txt", f"sakaime: allow {RULE} -- no comment\n\nApproved by the platform team, nothing left to raise.\n"),
        ("a.py", f"# sakaime: allow en/cap -- another rule\n{NOTE}"),
    ],
)
def test_what_is_no_exception_for_the_place(repo: Repo, path: str, text: str) -> None:
    repo.stage(path, text)
    code, findings = judged(repo.path)
    assert code == 1
    assert len(of(findings, RULE)) == 1


@pytest.mark.parametrize(
    ("said", "rule", "words"),
    [
        (RULE, "policy/exception", "says no reason"),
        (f"{RULE} --", "policy/exception", "says no reason"),
        ("-- because", "policy/exception", "no rule '' is in force"),
        ("en/clam -- because", "policy/exception", "no rule 'en/clam' is in force"),
        (f"{RULE} -- because until 2020-01-01", "policy/expired", "ended on 2020-01-01"),
        (f"{RULE} -- because until tomorrow", "policy/exception", "'tomorrow' is no day"),
    ],
)
def test_a_comment_without_effect_says_why(repo: Repo, said: str, rule: str, words: str) -> None:
    repo.stage("a.py", f"# sakaime: allow {said}\n{NOTE}")
    code, findings = judged(repo.path)
    assert code == 1
    assert of(findings, RULE)
    (told,) = of(findings, rule)
    assert told["severity"] == "warning"
    assert words in told["message"]


def test_a_locked_rule_cannot_be_allowed_by_a_comment(repo: Repo, tmp_path: Path) -> None:
    org = tmp_path / "org.yaml"
    org.write_text(f"sakaime: 1\norg: acme\nlocked: [{RULE}]\n")
    repo.stage("a.py", HERE + NOTE)
    code, findings = judged(repo.path, "--org", str(org))
    assert code == 1
    assert of(findings, RULE)
    (told,) = of(findings, "policy/locked")
    assert (told["severity"], told["start"]["line"]) == ("error", 1)


def test_in_a_range_a_comment_counts_only_where_it_stands_in_base(repo: Repo) -> None:
    repo.commit(**{"a.py": f"x = 1\n{HERE}{REST}"})
    topic(repo)
    repo.commit(**{"a.py": f"x = 1\n{HERE}{NOTE}{REST}"})
    assert in_range(repo)[0] == 0
    repo.git("mv", "a.py", "moved.py")
    repo.commit()
    assert in_range(repo)[0] == 0, "renamed, with the comment as it is in BASE"

    repo.commit(**{"moved.py": f"x = 1\n{REST}{HERE}{NOTE}"})
    code, findings = in_range(repo)
    assert code == 1, "moved to another place, it is the change's own"
    assert of(findings, RULE)
    assert [f["severity"] for f in of(findings, "policy/own-exception")] == ["warning"]


def test_a_comment_that_base_has_taken_out_since_counts_no_more(repo: Repo) -> None:
    repo.commit(**{"a.py": f"x = 1\n{HERE}y = 2\n"})
    topic(repo)
    repo.commit(**{"a.py": f"x = 1\n{HERE}{NOTE}y = 2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit(**{"a.py": "x = 1\ny = 2\n"})
    code, findings = in_range(repo)
    assert code == 1
    assert of(findings, RULE)
    assert "stands in BASE no more" in of(findings, "policy/own-exception")[0]["message"]


def test_a_comment_in_a_diff_counts_where_head_has_it(repo: Repo) -> None:
    repo.commit(**{"a.py": f"x = 1\n{HERE}y = 2\n"})
    repo.write("a.py", f"x = 1\n{HERE}{NOTE}y = 2\n")
    repo.write("change.diff", repo.git("diff"))
    assert judged(repo.path, "--diff", "change.diff")[0] == 0
    repo.write("a.py", f"x = 1\n{HERE}y = 2\n{HERE}{NOTE}")
    repo.write("change.diff", repo.git("diff"))
    assert judged(repo.path, "--diff", "change.diff")[0] == 1


def test_what_is_in_head_needs_no_word_locally(repo: Repo) -> None:
    repo.commit(**{"a.py": HERE + "x = 1\n"})
    repo.stage("a.py", HERE + NOTE)
    code, findings = judged(repo.path)
    assert code == 0
    assert [f["rule"] for f in findings] == [RULE]


def test_unused_exceptions_are_told_of_whole_files_only(repo: Repo) -> None:
    unused = allow("0" * 32, "not needed")
    repo.commit(**{"a.py": HERE + "x = 1\n", "used.py": HERE + NOTE, "sakaime.toml": unused})
    repo.stage("b.py", "x = 1\n")
    assert judged(repo.path) == (0, [])
    code, findings = judged(repo.path, "--all")
    assert code == 0
    told = of(findings, "policy/unused")
    assert [(f["path"], f["severity"]) for f in told] == [("a.py", "info"), ("sakaime.toml", "info")]
    assert len({f["fingerprint"] for f in told}) == 2
    _, findings = judged(repo.path, "a.py")
    assert [f["path"] for f in of(findings, "policy/unused")] == ["a.py"]
    assert of(judged(repo.path, "used.py")[1], "policy/unused") == []


def accept(folder: Path, text: str) -> str:
    path = folder / "accept.yaml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("mode", ["staged", "range"])
def test_what_was_accepted_from_outside_passes_and_is_shown(repo: Repo, tmp_path: Path, form: str, mode: str) -> None:
    print_ = fingerprint(repo)
    topic(repo)
    repo.stage("a.py", NOTE)
    if mode == "range":
        repo.commit()
    entries = [{"fingerprint": print_, "by": "kim", "reason": "a quotation", "until": "2099-12-31"}]
    text = (
        json.dumps(entries, indent="\t")
        if form == "json"
        else "".join(
            f'- {{fingerprint: "{e["fingerprint"]}", by: kim, reason: a quotation, until: 2099-12-31}}\n'
            for e in entries
        )
    )
    file = accept(tmp_path, text)
    args = ("--range", "main...topic") if mode == "range" else ()
    code, findings = judged(repo.path, *args, "--accept", file)
    assert code == 0
    assert [f["suppressed"] for f in findings] == ["accepted by kim: a quotation"]


@pytest.mark.parametrize(
    ("entry", "rule"),
    [("by: kim", "policy/exception"), ("by: kim, reason: x, until: 2020-01-01", "policy/expired")],
)
def test_acceptance_without_reason_or_past_its_day(repo: Repo, tmp_path: Path, entry: str, rule: str) -> None:
    file = accept(tmp_path, f'- {{fingerprint: "{fingerprint(repo)}", {entry}}}\n')
    repo.stage("a.py", NOTE)
    code, findings = judged(repo.path, "--accept", file)
    assert code == 1
    assert of(findings, RULE)
    assert [f["severity"] for f in of(findings, rule)] == ["warning"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\n", ":1:1", "must be a list"),
        ("- by: kim\n", ":1:", "'fingerprint' is missing"),
        ('- {fingerprint: "x", by: kim, reason: y}\n', ":1:4", "is not of the form"),
        (f'- {{fingerprint: "{"0" * 32}", reason: y}}\n', ":1:3", "'by' is missing"),
        (f'- {{fingerprint: "{"0" * 32}", by: kim, reson: y}}\n', ":1:", "Did you mean 'reason'"),
        ("", "", "is empty"),
        ("- [\n", ":2:1", "not valid YAML"),
    ],
)
def test_a_mistake_in_the_accepted(repo: Repo, tmp_path: Path, text: str, place: str, words: str) -> None:
    file = accept(tmp_path, text)
    done = sakaime("check", "--accept", file, cwd=repo.path)
    assert done.returncode == 2
    assert f"{file}{place}" in done.stderr
    assert words in done.stderr


def test_an_accepted_file_of_the_change_is_refused(repo: Repo) -> None:
    entry = f'- {{fingerprint: "{fingerprint(repo)}", by: kim, reason: mine}}\n'
    repo.commit(**{"there.yaml": "[]\n", "later.yaml": entry})
    topic(repo)
    repo.stage("a.py", NOTE)
    repo.stage("new.yaml", entry)
    repo.stage("there.yaml", entry)
    repo.stage("deep/list.yaml", entry)
    os.symlink("deep", repo.path / "link")
    repo.git("add", "link")
    repo.commit()
    os.symlink(repo.path / "new.yaml", repo.path.parent / "outside")
    for name in ("new.yaml", "there.yaml", "deep/list.yaml", "link/list.yaml", "../outside", "deep/../new.yaml"):
        done = sakaime("check", "--range", "main...topic", "--accept", name, cwd=repo.path)
        assert done.returncode == 2, name
        assert "is part of the change that it is to decide about" in done.stderr
    assert in_range(repo, "--accept", "later.yaml")[0] == 0, "it stands in BASE, as it is"
    repo.git("checkout", "-q", "main")
    repo.commit(**{"later.yaml": "[]\n"})
    repo.git("checkout", "-q", "topic")
    done = sakaime("check", "--range", "main...topic", "--accept", "later.yaml", cwd=repo.path)
    assert done.returncode == 2, "BASE has taken it back"


@pytest.mark.parametrize("locked_by", ["pack", "organisation"])
def test_a_locked_rule_passes_by_the_organisations_exception_alone(repo: Repo, tmp_path: Path, locked_by: str) -> None:
    from packs_fixtures import pack_text

    rule, note = "house/stamp", "# housestamp this\n"
    locks = ("stamp",) if locked_by == "pack" else ()
    repo.write("house/pack.yaml", pack_text(name="house", rules=(("stamp", "housestamp"),), locked=locks))
    repo.write("sakaime.toml", '[[extends]]\npack = "house"\nfrom = "house"\n')
    assert sakaime("pack", "sync", cwd=repo.path).returncode == 0
    repo.git("add", "-A")
    repo.commit()
    repo.stage("a.py", note)
    org = tmp_path / "org.yaml"
    head = f"sakaime: 1\norg: acme\nlocked: [{'' if locks else rule}]\n"
    org.write_text(head)
    _, findings = judged(repo.path, "--org", str(org))
    (finding,) = findings
    file = accept(tmp_path, f'- {{fingerprint: "{finding["fingerprint"]}", by: kim, reason: x}}\n')
    assert judged(repo.path, "--org", str(org), "--accept", file)[0] == 1

    report = sakaime("check", "--org", str(org), cwd=repo.path).stdout
    assert "[[allow]]" not in report
    start = report.index("             exceptions:")
    pasted = textwrap.dedent("\n".join(report[start:].split("\n")[:5])) + "\n"
    org.write_text(head + pasted)
    code, findings = judged(repo.path, "--org", str(org))
    assert code == 0
    assert findings[0]["suppressed"] == "excepted by organisation acme: why this may stay"
    org.write_text(head + pasted + "    until: 2020-01-01\n")
    code, findings = judged(repo.path, "--org", str(org))
    assert code == 1
    assert of(findings, "policy/expired")


def test_what_the_floor_reports_cannot_be_accepted(repo: Repo, tmp_path: Path) -> None:
    org = tmp_path / "org.yaml"
    org.write_text(f"sakaime: 1\norg: acme\nlocked: [{RULE}]\n")
    repo.stage("sakaime.toml", f'[rules."{RULE}"]\nenabled = false\nreason = "noise"\n')
    _, findings = judged(repo.path, "--org", str(org))
    (locked,) = of(findings, "policy/locked")
    file = accept(tmp_path, f'- {{fingerprint: "{locked["fingerprint"]}", by: kim, reason: x}}\n')
    assert judged(repo.path, "--org", str(org), "--accept", file)[0] == 1


def test_a_locked_rule_that_speaks_beside_an_allowed_one_is_not_silenced(repo: Repo, tmp_path: Path) -> None:
    text = "# At most three findings per review.\n"
    repo.stage("a.py", text)
    _, (finding,) = judged(repo.path)
    (other,) = {related["message"].split(" ")[0] for related in finding["related"]} - {finding["rule"]}
    org = tmp_path / "org.yaml"
    org.write_text(f"sakaime: 1\norg: acme\nlocked: [{other}]\n")
    entry = '[[allow]]\nrule = "{}"\nline = "' + text.strip() + '"\nreason = "mine"\n'
    repo.write("sakaime.toml", entry.format(finding["rule"]))
    assert judged(repo.path)[0] == 0, "one sentence, one exception"
    assert judged(repo.path, "--org", str(org))[0] == 1
    repo.write("sakaime.toml", entry.format(finding["rule"]) + entry.format(other))
    assert judged(repo.path)[0] == 0
    assert judged(repo.path, "--org", str(org))[0] == 1


def test_a_change_of_the_settings_passes_with_the_entry_that_the_report_proposes(repo: Repo, tmp_path: Path) -> None:
    topic(repo)
    repo.commit(**{"sakaime.toml": '[rules."en/cap"]\nenabled = false\nreason = "noise"\n'})
    done = sakaime("check", "--range", "main...topic", cwd=repo.path)
    assert done.returncode == 1
    lines = done.stdout.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("  accept "))
    file = accept(tmp_path, textwrap.dedent("\n".join(lines[at + 1 : at + 5])) + "\n")
    assert in_range(repo, "--accept", file)[0] == 0
    repo.commit(**{"sakaime.toml": '[rules."en/claim"]\nenabled = false\nreason = "noise"\n'})
    assert in_range(repo, "--accept", file)[0] == 1, "another softening than the accepted one"
