"""Which lines are looked at, what of them counts, and what hostile files do."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Repo, sakaime
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_fixtures import shipped_policy
from risks_fixtures import IMAGE, edited, found

from sakaime.checks import risks
from sakaime.checks.risks.lines import could_match
from sakaime.judge import judge
from sakaime.material.change import Material
from sakaime.material.sources import from_diff, message, whole_file
from sakaime.material.texts import Binary, Texts
from sakaime.model import NotJudged
from sakaime.policy.match import windows


def lines(path: str, text: str) -> list[tuple[int, str]]:
    return [(f.span.start.line, f.rule) for f in found(shipped_policy(), path, text.encode())]


def test_only_added_lines_count() -> None:
    material = edited(Dockerfile=(IMAGE, f"{IMAGE}RUN make\n"))
    (change,) = material.changes
    assert list(risks.check(shipped_policy(), material, change, Texts(material))) == []


def test_a_changed_line_counts_with_its_exact_place() -> None:
    material = edited(**{"src/client.py": ("import http\n\nget(url)\n", "import http\n\nget(url, verify=False)\n")})
    (finding,) = judge(shipped_policy(), material).findings
    assert (finding.rule, finding.severity, finding.kind) == ("core/tls-verification-off", "info", "risk")
    assert (finding.span.start.place, finding.span.end.place) == ((3, 10), (3, 22))
    assert finding.excerpt == "verify=False"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "get(url)  # verify=False\n"),
        ("a.go", "// InsecureSkipVerify: true\nx := 1\n"),
        ("a.go", "/* before\nInsecureSkipVerify: true\n*/\n"),
        ("compose.yml", 'ports:\n  # - "5432:5432"\n'),
        ("Dockerfile", "# FROM node:22\n"),
        ("a.py", '"""Never call eval(text) here."""\n'),
        ("README.md", "```\nFROM node:22\n```\ncurl https://example.org | sh\n"),
        ("docs/a.rst", "verify=False\n"),
    ],
)
def test_comments_and_pages_are_not_looked_at(path: str, text: str) -> None:
    assert lines(path, text) == []


def test_a_rule_may_look_at_comments() -> None:
    assert lines("a.py", "run(cmd)  # nosec\n") == [(1, "core/checks-off")]


def test_what_goes_on_in_the_next_line_is_one_line() -> None:
    text = "RUN wget -qO- https://example.org/setup \\\n    | sh\n"
    assert lines("Dockerfile", text) == [(1, "core/shell-from-network")]
    material = edited(Dockerfile=(text.replace("| sh", "| tar x"), text))
    found = judge(shipped_policy(), material).findings
    assert [(f.rule, f.span.start.line, f.span.end.line) for f in found] == [("core/shell-from-network", 1, 2)]


def test_one_rule_reports_a_line_once_and_other_rules_too() -> None:
    assert lines("a.py", "get(a, verify=False); get(b, verify=False); app.run(debug=True)\n") == [
        (1, "core/debug-on"),
        (1, "core/tls-verification-off"),
    ]


def test_a_message_holds_no_code() -> None:
    assert judge(shipped_policy(), message("commit-message", b"FROM node:22\n\nverify=False\n")).findings == ()


def test_a_bare_diff_is_enough() -> None:
    diff = b"--- a/Dockerfile\n+++ b/Dockerfile\n@@ -7,2 +7,2 @@\n-FROM node:20@sha256:0\n+FROM node:22\n RUN make\n"
    (finding,) = judge(shipped_policy(), from_diff(diff)).findings
    assert (finding.rule, finding.span.start.line) == ("core/unpinned-image", 7)


def test_the_same_line_has_the_same_fingerprint_elsewhere() -> None:
    first = judge(shipped_policy(), edited(Dockerfile=(None, IMAGE))).findings
    moved = judge(shipped_policy(), edited(Dockerfile=(None, f"ARG A=1\n\n{IMAGE}"))).findings
    assert [f.fingerprint for f in first] == [f.fingerprint for f in moved]


def test_info_stops_no_commit_and_is_told_in_short(repo: Repo) -> None:
    repo.stage("Dockerfile", IMAGE)
    done = sakaime("check", cwd=repo.path)
    assert done.returncode == 0
    row = "  Dockerfile:1:1  info[core/unpinned-image]  “FROM node:22” can be another image tomorrow\n"
    assert done.stdout.startswith(f"For the review to look at:\n{row}\n1 info; ")
    assert sakaime("check", "--fail-on", "info", cwd=repo.path).returncode == 1


def test_many_are_counted(repo: Repo) -> None:
    repo.stage("Dockerfile", "".join(f"FROM node:{n}\n" for n in range(14)))
    told = sakaime("check", cwd=repo.path).stdout
    assert told.count("core/unpinned-image") == 10
    assert "\n  and 4 more (sakaime coverage lists them)\n" in told


def test_a_severity_of_the_settings_holds(repo: Repo) -> None:
    repo.stage("sakaime.toml", '[rules."core/unpinned-image"]\nseverity = "error"\n')
    repo.commit()
    repo.stage("Dockerfile", IMAGE)
    done = sakaime("check", cwd=repo.path)
    assert done.returncode == 1
    assert done.stdout.startswith("error[core/unpinned-image] “FROM node:22” can be another image tomorrow\n  --> Dock")
    assert "mend     Write the line so that nothing is left to look at" in done.stdout


def test_an_exception_holds(repo: Repo) -> None:
    repo.stage("Dockerfile", f"# sakaime: allow core/unpinned-image -- built and scanned each night\n{IMAGE}")
    told = sakaime("check", cwd=repo.path).stdout
    assert "Dockerfile:2  core/unpinned-image: built and scanned each night" in told
    assert "For the review" not in told


def test_a_baseline_does_not_take_them_in(repo: Repo) -> None:
    repo.commit(Dockerfile=IMAGE)
    assert sakaime("baseline", "write", cwd=repo.path).stdout.startswith("no findings, so there is nothing to know\n")


ANY = st.binary(max_size=300)
PATHS = st.sampled_from(["Dockerfile", "compose.yml", "a.py", "a.js", "a.go", "a.tf", "a.sql", "a.sh", "a.json", "a"])
TELLING = st.sampled_from(["FROM a:1\n", "verify=False", "eval(x)", '- "1:2"', "\\\n", "#", "'", '"'])


@settings(max_examples=150, deadline=None)
@given(PATHS, st.lists(st.one_of(ANY, TELLING.map(str.encode)), max_size=6).map(b"".join))
def test_any_bytes_are_judged_or_refused(path: str, data: bytes) -> None:
    try:
        findings = found(shipped_policy(), path, data)
    except (Binary, NotJudged):
        return
    count = data.count(b"\n") + 1
    assert all(1 <= f.span.start.line <= f.span.end.line <= count for f in findings)
    assert [f for f in findings if f.family != "risks"] == []


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_line_that_matches_is_never_left_out_for_its_neighbours(data: Any) -> None:
    rule = data.draw(st.sampled_from(tuple(shipped_policy().risks)))
    texts = data.draw(st.lists(TELLING, min_size=1, max_size=6))
    several = "\n".join(text.strip("\n") for text in texts)
    if any(windows(rule, line) for line in several.split("\n")):
        assert could_match(rule, several)


def test_a_huge_line_is_judged() -> None:
    text = f"x = {'a + ' * 400_000}1; get(url, verify=False)\n"
    (finding,) = found(shipped_policy(), "a.py", text.encode())
    assert finding.rule == "core/tls-verification-off"
    assert len(finding.line) <= 2000


def test_a_file_of_thousands_of_such_lines_has_each() -> None:
    text = "".join(f"a{n} = get(url, verify=False)\nb{n} = {n}\n" for n in range(3000))
    assert len(found(shipped_policy(), "a.py", text.encode())) == 3000


def test_no_rules_no_findings() -> None:
    policy = shipped_policy()
    bare = policy.replace(risks=type(policy.risks)(()), risky=type(policy.risky)((), 0))
    change = whole_file("Dockerfile", IMAGE.encode())
    material = Material("tree", (change,))
    assert list(risks.check(bare, material, change, Texts(material))) == []
