"""What a change lets agents do is told, and what keeps them from it is missed when it goes."""

from __future__ import annotations

import pytest
from agents_fixtures import AGENT, CASES, CLAUDE, HUSKY, MCP, SETTINGS, WORKFLOW, Case
from conftest import Repo
from trust_fixtures import in_range, judged, of, topic

from sakaime.checks import agents, policy
from sakaime.material import sources
from sakaime.material.change import Material
from sakaime.material.git import Objects
from sakaime.model import Finding


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository for many changes, one after the other."""
    repo = Repo(tmp_path_factory.mktemp("history"))
    repo.commit("first", **{"README.md": "# shop\n"})
    return repo


def committed(repo: Repo, case: Case) -> Material:
    """The change, as a range of one commit."""
    repo.git("rm", "-rqf", "--ignore-unmatch", "--", case.path)
    repo.commit("before", **({case.path: case.before} if case.before is not None else {}))
    if case.after is None:
        repo.git("rm", "-q", "--", case.path)
    repo.commit("after", **({case.path: case.after} if case.after is not None else {}))
    return sources.between(str(repo.path), Objects(str(repo.path)), "HEAD~1..HEAD")


def told(material: Material) -> list[Finding]:
    """What is told, past the gate that every change has to pass."""
    return [f for change in material.changes if policy.steers(change) for f in agents.check(material, change)]


def short(findings: list[Finding]) -> list[tuple[str, str, int]]:
    return sorted((f.severity, f.rule.removeprefix("policy/"), f.span.start.line) for f in findings)


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_of_a_change(history: Repo, name: str) -> None:
    case = CASES[name]
    found = told(committed(history, case))
    assert short(found) == sorted(case.told), [f.message for f in found]
    assert {(f.path, f.family) for f in found} <= {(case.path, "policy")}


def one(repo: Repo, path: str, before: str | None, after: str | None) -> list[Finding]:
    return told(committed(repo, Case(path, before, after, [])))


def test_it_stops_a_range_and_a_commit_alike_until_somebody_allows_it(repo: Repo) -> None:
    repo.commit(**{CLAUDE: SETTINGS})
    topic(repo)
    repo.stage(CLAUDE, CASES["a deny entry goes"].after or "")
    code, staged = judged(repo.path)
    assert (code, [(f["rule"], f["severity"]) for f in staged]) == (1, [("policy/agent-permission", "error")])
    print_ = staged[0]["fingerprint"]
    allow = f'[[allow]]\nrule = "policy/agent-permission"\nfingerprint = "{print_}"\nreason = "the proxy does it"\n'
    repo.stage("sakaime.toml", allow)
    assert judged(repo.path)[0] == 0
    repo.git("rm", "-qf", "--cached", "sakaime.toml")
    repo.commit()
    code, findings = in_range(repo)
    assert code == 1
    assert [f["fingerprint"] for f in of(findings, "policy/agent-permission")] == [print_]


def test_an_exception_to_one_loss_is_none_to_another_at_the_same_line(history: Repo) -> None:
    few = SETTINGS.replace('      "Read(./.env)",\n      "Bash(curl:*)"\n', "")
    lost = one(history, CLAUDE, SETTINGS, few)
    assert len({(f.span.start.line, f.line) for f in lost}) == 1
    assert len({f.message for f in lost}) == 2, "a fingerprint is made of the message where there is no line"


def test_a_server_that_changes_later_is_another_finding(history: Repo) -> None:
    (new,) = one(history, ".mcp.json", None, MCP)
    (other,) = one(history, ".mcp.json", MCP, MCP.replace("@acme/docs", "@acne/docs"))
    assert new.line == other.line == ""
    assert new.message != other.message


def test_no_secret_of_a_server_is_told(history: Repo) -> None:
    args = '["-y", "a", "--api-key=hunter2", "--token", "hunter3"], "env": {"KEY": "hunter4"}'
    (new,) = one(history, ".mcp.json", None, MCP.replace('["-y", "@acme/docs-mcp@1.2.0"]', args))
    assert "--api-key=…" in new.message
    assert "hunter" not in new.message + new.line + new.excerpt


@pytest.mark.parametrize("path", [CLAUDE, ".mcp.json", ".husky/pre-commit", "AGENTS.md", ".claude/agents/a.md"])
@pytest.mark.parametrize(
    "text", ["", "\n", "[[[[", "null", "---\n", "---\n- a\n---\n", '{"permissions": 5, "hooks": [1]}']
)
def test_whatever_stands_there_something_is_told(history: Repo, path: str, text: str) -> None:
    assert one(history, path, "x\n", text)
    assert one(history, path, text, "y\n")


def test_a_link_is_not_read_as_settings(history: Repo) -> None:
    history.git("rm", "-rqf", "--ignore-unmatch", "--", CLAUDE)
    history.commit("before", **{CLAUDE: SETTINGS})
    target = history.path / CLAUDE
    target.unlink()
    target.symlink_to("../elsewhere.json")
    history.git("add", "-A")
    history.commit("after")
    found = told(sources.between(str(history.path), Objects(str(history.path)), "HEAD~1..HEAD"))
    assert [(f.severity, f.rule) for f in found] == [("warning", "policy/agent-file")]


def test_settings_renamed_away_protect_no_more(history: Repo) -> None:
    history.git("rm", "-rqf", "--ignore-unmatch", "--", CLAUDE)
    history.commit("before", **{CLAUDE: SETTINGS})
    history.git("mv", CLAUDE, "settings.json")
    history.commit("after")
    found = told(sources.between(str(history.path), Objects(str(history.path)), "HEAD~1..HEAD"))
    assert [f.severity for f in found] == ["error"] * 3
    assert {f.path for f in found} == {"settings.json"}
    history.git("rm", "-q", "settings.json")


def test_a_hook_that_git_may_not_start_is_one_that_is_gone(history: Repo) -> None:
    target = history.write(".githooks/pre-commit", HUSKY)
    target.chmod(0o755)
    history.git("add", "-A")
    history.commit("before")
    target.chmod(0o644)
    history.git("add", "-A")
    history.commit("after")
    found = told(sources.between(str(history.path), Objects(str(history.path)), "HEAD~1..HEAD"))
    assert short(found) == [("error", "git-hook", 1)]


@pytest.mark.parametrize(
    ("path", "before", "after", "wanted"),
    [
        (CLAUDE, None, CASES["a new hook"].after, {("warning", "agent-hook")}),  # the diff shows all of a new file
        (CLAUDE, SETTINGS, CASES["a deny entry goes"].after, {("warning", "agent-file")}),
        (CLAUDE, SETTINGS, CASES["hooks switched off"].after, {("error", "agent-hook")}),
        (".github/workflows/r.yml", WORKFLOW, WORKFLOW.replace("read", "write"),
         {("warning", "ai-workflow")}),
        (".claude/agents/a.md", AGENT, AGENT.replace("Grep", "Grep, Bash"), {("warning", "agent-permission"),
                                                                               ("warning", "agent-file")}),
        ("AGENTS.md", "a\n", "b\n", {("info", "agent-file")}),
        (".github/workflows/ci.yml", CASES["a version goes up"].before, CASES["a version goes up"].after, set()),
    ],
)  # fmt: skip
def test_of_a_bare_diff_the_lines_tell(
    history: Repo, path: str, before: str | None, after: str, wanted: set[tuple[str, str]]
) -> None:
    committed(history, Case(path, before, after, []))
    patch = history.git("diff", "-U10", "HEAD~1", "HEAD").encode()
    assert {(severity, rule) for severity, rule, _ in short(told(sources.from_diff(patch)))} == wanted


def test_the_gate_stays_shut_for_ordinary_files(history: Repo) -> None:
    for path in ("src/app.py", "docs/agents/guide.md", "claude/settings.json", "mcp.json", "hooks/pre-commit"):
        case = Case(path, None, "x = 1\n", [])
        assert not any(policy.steers(change) for change in committed(history, case).changes), path
