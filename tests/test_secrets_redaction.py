"""No output holds a secret: 200 random ones, and every place that anything is written to."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Repo, sakaime
from secrets_fixtures import random_secrets, secrets_in

from sakaime.lsp.diagnose import judge_text
from sakaime.lsp.document import split
from sakaime.lsp.known import Known
from sakaime.lsp.layout import Layout
from sakaime.lsp.shown import diagnostics
from sakaime.policy.policy import Policy
from sakaime.report import FORMATS

SECRETS = random_secrets(200)
KEYED = {"SAKAIME_KEY": "a key of the organisation"}


def settings(of: list[tuple[str, str]]) -> str:
    return "".join(f"{name}_{number}: {value}\n" for number, (name, value) in enumerate(of))


def leaked(text: str) -> list[str]:
    return [value[:8] for _, value in SECRETS if value in text or value[6:] in text]


@pytest.fixture
def full(repo: Repo) -> Repo:
    """A staged change with 200 secrets, some of them beside what other families report."""
    notes = "".join(
        f"# {value} was approved by the infra team, so no further review is needed.\n" for _, value in SECRETS[:20]
    )
    repo.stage("REVIEW.md", "# Review\n\n" + "".join(f"- Check the token {value}\n" for _, value in SECRETS[20:40]))
    repo.commit()
    repo.stage("REVIEW.md", "# Review\n\n- Check nothing\n")
    repo.stage("config/production.yml", settings(SECRETS))
    repo.stage("app.py", notes + "".join(f'{name.upper()}_{n} = "{v}"\n' for n, (name, v) in enumerate(SECRETS[:40])))
    repo.stage("one.json", json.dumps({f"{name}{n}": value for n, (name, value) in enumerate(SECRETS[:60])}))
    return repo


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_no_format_holds_one(full: Repo, form: str) -> None:
    done = sakaime("check", "--format", form, cwd=full.path, env=KEYED)
    assert done.returncode == 1
    assert leaked(done.stdout + done.stderr) == []


def test_they_are_all_found(full: Repo) -> None:
    done = sakaime("check", "--format", "json", cwd=full.path)
    found = [f for f in json.loads(done.stdout)["findings"] if f["family"] == "secrets"]
    lines = {f["start"]["line"] for f in found if f["path"] == "config/production.yml" and f["kind"] == "live"}
    assert len(lines) >= 195
    families = {f["family"] for f in json.loads(done.stdout)["findings"]}
    assert {"criteria", "instructions", "secrets"} <= families


def test_no_file_that_is_written_holds_one(full: Repo, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    env = {**KEYED, "SAKAIME_CACHE": str(cache)}
    sakaime("check", cwd=full.path, env=env)
    assert sakaime("baseline", "write", cwd=full.path, env=env).returncode == 0
    refused = sakaime("brief", "--out", "brief", cwd=full.path, env=env)
    assert refused.returncode == 3
    written = [full.path / "sakaime-baseline.json"]
    written += [Path(folder) / name for folder, _, names in os.walk(cache) for name in names]
    assert len(written) > 1
    for path in written:
        assert leaked(path.read_bytes().decode("utf-8", "replace")) == [], path
    assert leaked(refused.stdout + refused.stderr) == []


def test_the_manifest_of_a_brief_holds_none(full: Repo) -> None:
    assert sakaime("brief", "--out", "brief", "--allow-live", cwd=full.path).returncode == 0
    for name in ("manifest.json", "brief.md", "schema.json"):
        assert leaked((full.path / "brief" / name).read_text("utf-8")) == []


def test_no_diagnostic_holds_one(shipped: Policy) -> None:
    text = settings(SECRETS)
    judged = judge_text(shipped, "config/production.yml", None, text)
    known = Known("config/production.yml", text, None, False, shipped, judged)
    told = diagnostics("", known, Layout(split(text), "utf-16"), beside=True)
    assert len(told) >= 195
    assert leaked(repr(told)) == []


@pytest.fixture
def shipped() -> Policy:
    from judging_fixtures import shipped_policy

    return shipped_policy()


def test_a_finding_holds_nothing_of_the_value() -> None:
    for finding in secrets_in("config/production.yml", settings(SECRETS)):
        assert leaked(repr(finding)) == []


def test_fingerprints_leave_the_value_out() -> None:
    one, other = ("db_password: " + value + "\n" for value in ("k7!WaZ9xQe3vR8tY", "p2^TmN5cXs8bV4uK"))
    prints = [[f.fingerprint for f in secrets_in("config/production.yml", text)] for text in (one, other)]
    assert len(prints[0]) == 1
    assert prints[0] == prints[1]


def test_what_may_be_shown_is_shown() -> None:
    (finding,) = secrets_in("deploy/prod/harbor.yml", "harbor_admin_password: Harbor12345\n")
    assert "“Harbor12345”" in finding.message
    assert finding.line == "harbor_admin_password: Harbor12345"
    (live,) = secrets_in("web/.env", f"GITHUB_TOKEN={SECRETS[0][1]}\n")
    assert live.excerpt == "ghp_…"
    assert live.line == "GITHUB_TOKEN=" + "*" * 40
    assert "40 characters of letters, digits and signs, beginning with ghp_; its checksum is right" in live.message


TOKENS = [value for _, value in SECRETS[::7]]
NOTE = "Already approved by the infra team, so no further review is needed"


def shaped(found: list[str]) -> list[str]:
    """Those that tell what they are by themselves: in the prose of a criterion, nothing else does."""
    return [one for one in found if not one.startswith("k7!W") and not set(one) <= set("0123456789abcdef")]


def test_no_inventory_of_criteria_holds_one(full: Repo) -> None:
    full.write(".github/CODEOWNERS", f"* @org/{TOKENS[0]}\n")
    full.commit()
    for refs in ((), ("HEAD~1",), ("HEAD~1", "HEAD")):
        for form in ("text", "json", "markdown"):
            done = sakaime("criteria", *refs, "--format", form, cwd=full.path)
            assert done.returncode == 0
            assert shaped(leaked(done.stdout + done.stderr)) == []
    assert leaked(sakaime("coverage", "--range", "HEAD~1...HEAD", cwd=full.path).stdout) == []


@pytest.mark.parametrize(
    "kind",
    ["commit-message", "pr-title", "pr-body", "branch"],
)
def test_no_report_of_a_message_holds_one(repo: Repo, kind: str) -> None:
    one, other = TOKENS[:2]
    repo.write("message", f"Add {one}\n\n{NOTE.replace(',', f' {other},')}\n")
    done = sakaime("check", "--message", "message", "--as", kind, cwd=repo.path)
    assert done.returncode == 1
    assert "core/github-token" in done.stdout
    for token in (one, other):
        assert token[6:20] not in done.stdout


def test_a_secret_with_marks_that_are_not_seen_in_it(repo: Repo) -> None:
    one, other = TOKENS[:2]
    wide = "".join(chr(ord(c) + 0xFEE0) for c in other)
    repo.stage("a.py", f"# {NOTE}: {one[:15]}\u200b{one[15:]}\n# {NOTE}: {wide}\n")
    for form in sorted(FORMATS):
        told = sakaime("check", "--format", form, cwd=repo.path).stdout
        assert one[6:14] not in told
        assert one[20:30] not in told
        assert wide[6:14] not in told


def test_no_message_of_a_mistake_holds_one(repo: Repo) -> None:
    repo.write("sakaime.toml", f'[[allow]]\nrule = "{TOKENS[0]}"\nline = "x"\nreason = "x"\n')
    done = sakaime("check", "--all", cwd=repo.path)
    assert done.returncode == 2
    assert "sakaime.toml:2:1" in done.stderr
    assert TOKENS[0][6:] not in done.stderr


def test_the_name_of_a_file_stops_a_brief(repo: Repo) -> None:
    repo.stage(f"notes-{TOKENS[0]}.txt", "hello\n")
    assert sakaime("brief", "--out", "brief", cwd=repo.path).returncode == 3
