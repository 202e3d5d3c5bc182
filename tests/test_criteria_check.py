"""Criteria documents in real repositories: what takes something out of them is found, whichever way it comes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo, sakaime
from trust_fixtures import judged, topic

BEFORE = """# Review

| Viewpoint | What to look at |
|---|---|
| Ports | Is anything open to the outside? |
| Secrets | Is a value of development left? |
| Rights | Are they no wider than needed? |
"""
AFTER = BEFORE.replace("| Secrets | Is a value of development left? |\n", "")
RULE = "core/review-documents"


def lost(repo: Repo, *args: str) -> list[tuple[str, str, int, str]]:
    """(change, path, line, severity) of the criteria findings that count."""
    _, findings = judged(repo.path, *args)
    return [
        (f["kind"], f["path"], f["start"]["line"], f["severity"])
        for f in findings
        if f["family"] == "criteria" and f["suppressed"] is None
    ]


def of(repo: Repo, *args: str) -> list[dict[str, Any]]:
    return [f for f in judged(repo.path, *args)[1] if f["family"] == "criteria"]


@pytest.fixture
def guarded(repo: Repo) -> Repo:
    """A repository whose REVIEW.md has three viewpoints."""
    repo.commit(**{"REVIEW.md": BEFORE})
    return repo


def test_staged(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    assert lost(guarded) == [("removed", "REVIEW.md", 6, "warning")]


def test_the_index_counts_and_not_the_work_tree(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    guarded.write("REVIEW.md", BEFORE)
    assert lost(guarded) == [("removed", "REVIEW.md", 6, "warning")]
    guarded.stage("REVIEW.md", BEFORE)
    guarded.write("REVIEW.md", AFTER)
    assert lost(guarded) == []


def test_a_range(guarded: Repo) -> None:
    topic(guarded)
    guarded.commit(**{"REVIEW.md": AFTER})
    assert lost(guarded, "--range", "main...topic") == [("removed", "REVIEW.md", 6, "warning")]


def test_a_bare_diff_against_what_decides(guarded: Repo) -> None:
    topic(guarded)
    guarded.commit(**{"REVIEW.md": AFTER})
    diff = guarded.git("diff", "main", "topic").encode()
    guarded.git("checkout", "-q", "main")
    done = sakaime("check", "--diff", "-", "--policy-from", "main", "--format", "json", cwd=guarded.path, stdin=diff)
    assert [f["kind"] for f in json.loads(done.stdout)["findings"]] == ["removed"]


def test_a_bare_diff_that_fits_no_file_is_not_judged(guarded: Repo) -> None:
    topic(guarded)
    guarded.commit(**{"REVIEW.md": AFTER})
    diff = guarded.git("diff", "main", "topic").encode()
    guarded.git("checkout", "-q", "main")
    guarded.commit(**{"REVIEW.md": "# Review\n\nAnother text.\n"})
    done = sakaime("check", "--diff", "-", "--policy-from", "main", cwd=guarded.path, stdin=diff)
    assert done.returncode == 3
    assert "REVIEW.md: the diff does not fit the file" in done.stdout


def test_with_code_that_it_covers_it_is_an_error(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    guarded.stage("config/app.yml", "debug: true\n")
    (finding,) = of(guarded)
    assert (finding["severity"], finding["escalated_from"]) == ("error", "warning")
    assert [related["path"] for related in finding["related"]] == ["config/app.yml"]


def test_code_outside_of_its_folder_is_not_covered(guarded: Repo) -> None:
    guarded.commit(**{"shop/REVIEW.md": BEFORE})
    guarded.stage("shop/REVIEW.md", AFTER)
    guarded.stage("bakery/oven.py", "heat = 1\n")
    assert [f["severity"] for f in of(guarded)] == ["warning"]
    guarded.stage("shop/till.py", "cash = 1\n")
    assert [f["severity"] for f in of(guarded)] == ["error"]


def test_the_scope_that_a_criterion_names_is_what_it_covers(repo: Repo) -> None:
    text = (
        "reviews:\n  path_instructions:\n    - path: 'src/**'\n      instructions: Check every query for injection.\n"
    )
    repo.commit(**{".coderabbit.yaml": text})
    repo.stage(".coderabbit.yaml", "reviews:\n  path_instructions: []\n")
    repo.stage("tools/a.py", "x = 1\n")
    assert [f["severity"] for f in of(repo)] == ["warning"]
    repo.stage("src/a.py", "x = 1\n")
    assert [f["severity"] for f in of(repo)] == ["error"]


def test_a_rename_carries_its_criteria_along(guarded: Repo) -> None:
    guarded.git("mv", "REVIEW.md", "CODE_REVIEW.md")
    assert lost(guarded) == []
    guarded.stage("CODE_REVIEW.md", AFTER)
    assert lost(guarded) == [("removed", "CODE_REVIEW.md", 6, "warning")]


def test_a_deleted_document_is_one_finding(guarded: Repo) -> None:
    guarded.git("rm", "-q", "REVIEW.md")
    assert lost(guarded) == [("deleted", "REVIEW.md", 1, "error")]


def test_a_new_document_takes_nothing_away(repo: Repo) -> None:
    repo.stage("REVIEW.md", BEFORE)
    assert lost(repo) == []


def test_a_whole_tree_has_no_old_side(guarded: Repo) -> None:
    assert lost(guarded, "--all") == []


def test_a_link_instead_of_a_document_that_holds_the_same(guarded: Repo) -> None:
    guarded.commit(**{"AGENTS.md": BEFORE, "CLAUDE.md": BEFORE})
    guarded.git("rm", "-q", "CLAUDE.md")
    (guarded.path / "CLAUDE.md").symlink_to("AGENTS.md")
    guarded.git("add", "CLAUDE.md")
    assert lost(guarded) == []


def test_a_pointer_to_a_document_that_did_not_change(guarded: Repo) -> None:
    guarded.commit(**{"AGENTS.md": BEFORE, "CLAUDE.md": BEFORE})
    guarded.stage("CLAUDE.md", "@AGENTS.md\n")
    assert lost(guarded) == []


HOUSE, LESS_HOUSE = (text.replace("# Review", "# House rules") for text in (BEFORE, AFTER))


def test_what_an_old_document_imports_is_read_by_reviewers_too(repo: Repo) -> None:
    repo.commit(**{"CLAUDE.md": "@conventions/house.md\n", "conventions/house.md": HOUSE})
    repo.stage("conventions/house.md", LESS_HOUSE)
    assert lost(repo) == [("removed", "conventions/house.md", 6, "warning")]


@pytest.mark.parametrize(("link", "target"), [("AGENTS.md", "conventions/house.md"), ("REVIEW.md", "a.txt")])
def test_what_a_link_in_the_base_leads_to_is_read_by_reviewers_too(repo: Repo, link: str, target: str) -> None:
    repo.commit(**{target: HOUSE})
    (repo.path / link).symlink_to(target)
    repo.git("add", link)
    repo.commit("link")
    repo.stage(target, LESS_HOUSE)
    assert lost(repo) == [("removed", target, 6, "warning")]


def test_a_configuration_that_cannot_be_read_is_not_judged(repo: Repo) -> None:
    repo.commit(**{".coderabbit.yaml": "reviews:\n  profile: assertive\n"})
    repo.stage(".coderabbit.yaml", "reviews: [\n")
    done = sakaime("check", cwd=repo.path)
    assert done.returncode == 3
    assert ".coderabbit.yaml: its criteria cannot be compared" in done.stdout


def test_a_document_in_a_foreign_encoding(repo: Repo) -> None:
    before = "# レビュー\n\n- 公開するポートを確認すること\n- 設定の既定値を確認すること\n"
    repo.stage("REVIEW.md", before.encode("shift_jis"))
    repo.commit()
    repo.stage("REVIEW.md", before.replace("- 設定の既定値を確認すること\n", "").encode("shift_jis"))
    assert lost(repo) == [("removed", "REVIEW.md", 3, "warning")]


def test_the_report_says_how_a_legitimate_change_passes(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    guarded.stage("a.py", "x = 1\n")
    done = sakaime("check", cwd=guarded.path)
    assert done.returncode == 1
    assert "a criterion is gone: “Secrets: Is a value of development left?”" in done.stdout
    assert "Put back what the review looked at" in done.stdout
    assert f'rule = "{RULE}"' in done.stdout


def test_an_allow_of_the_base_lets_this_loss_stay_and_no_other(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    (finding,) = of(guarded)
    guarded.git("reset", "-q", "--hard")
    print_ = finding["fingerprint"]
    allow = f'[[allow]]\nrule = "{RULE}"\nfingerprint = "{print_}"\nreason = "the scanner asks it"\n'
    guarded.commit(**{"sakaime.toml": allow})
    guarded.stage("REVIEW.md", AFTER)
    assert lost(guarded) == []
    guarded.stage("REVIEW.md", AFTER.replace("| Ports | Is anything open to the outside? |\n", ""))
    assert [change for change, *_ in lost(guarded)] == ["removed"]


def test_a_range_cannot_allow_its_own_loss(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    (finding,) = of(guarded)
    guarded.git("reset", "-q", "--hard")
    print_ = finding["fingerprint"]
    topic(guarded)
    allow = f'[[allow]]\nrule = "{RULE}"\nfingerprint = "{print_}"\nreason = "mine"\n'
    guarded.commit(**{"REVIEW.md": AFTER, "sakaime.toml": allow})
    assert [change for change, *_ in lost(guarded, "--range", "main...topic")] == ["removed"]


def test_an_acceptance_from_outside(guarded: Repo, tmp_path: Path) -> None:
    topic(guarded)
    guarded.commit(**{"REVIEW.md": AFTER})
    (finding,) = of(guarded, "--range", "main...topic")
    accept = tmp_path / "accept.yaml"
    accept.write_text(
        f'- fingerprint: "{finding["fingerprint"]}"\n  path: REVIEW.md\n  by: someone\n  reason: moved to the scanner\n'
    )
    assert lost(guarded, "--range", "main...topic", "--accept", str(accept)) == []


def test_paths_of_the_settings_are_criteria_documents(repo: Repo) -> None:
    repo.commit(**{"sakaime.toml": '[criteria]\npaths = ["handbook/*.md"]\n', "handbook/house.md": BEFORE})
    repo.stage("handbook/house.md", AFTER)
    assert lost(repo) == [("removed", "handbook/house.md", 6, "warning")]


def test_paths_of_the_settings_cannot_shrink_unseen(repo: Repo) -> None:
    repo.commit(**{"sakaime.toml": '[criteria]\npaths = ["handbook/*.md"]\n', "handbook/house.md": BEFORE})
    topic(repo)
    repo.commit(**{"sakaime.toml": "[criteria]\npaths = []\n", "handbook/house.md": AFTER})
    assert lost(repo, "--range", "main...topic") == [("removed", "handbook/house.md", 6, "warning")]


def test_general_documents_only_below_headings_that_speak_of_review(repo: Repo) -> None:
    text = "# shop\n\n## Features\n\n- sells bread\n- sells milk\n\n"
    text += "## Code review\n\n- Check the prices.\n- Check the rights.\n"
    repo.commit(**{"README.md": text})
    repo.stage("README.md", text.replace("- sells milk\n", "").replace("- Check the rights.\n", ""))
    assert [(change, line) for change, _, line, _ in lost(repo)] == [("removed", 9)]


def test_every_format_carries_the_loss(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    for form in ("text", "sarif", "github", "gitlab", "junit", "rdjson"):
        done = sakaime("check", "--format", form, cwd=guarded.path)
        assert "Is a value of development left?" in done.stdout, form
        assert done.returncode == 1


def test_the_deploy_kit(deploy_kit: Repo) -> None:
    assert lost(deploy_kit) == [
        ("narrowed", "README.md", 7, "error"),
        ("removed", "README.md", 12, "error"),
        ("removed", "README.md", 12, "error"),
    ]
    texts = [f["excerpt"] for f in of(deploy_kit) if f["kind"] == "removed"]
    assert [text.split(":")[0] for text in texts] == ["公開するポート", "設定の既定値"]


def test_a_softened_rule_stays_soft_when_code_changes_along(guarded: Repo) -> None:
    guarded.commit(**{"sakaime.toml": f'[rules."{RULE}"]\nseverity = "warning"\nreason = "we look at every change"\n'})
    guarded.stage("REVIEW.md", AFTER)
    guarded.stage("a.py", "x = 1\n")
    assert lost(guarded) == [("removed", "REVIEW.md", 6, "warning")]


def test_a_rule_that_is_off_tells_nothing(guarded: Repo) -> None:
    guarded.commit(**{"REVIEW.md": HOUSE})
    guarded.commit(**{"sakaime.toml": f'[rules."{RULE}"]\nenabled = false\nreason = "no criteria here"\n'})
    guarded.stage("REVIEW.md", LESS_HOUSE)
    assert lost(guarded) == []


def test_a_range_cannot_switch_the_rule_off(guarded: Repo) -> None:
    topic(guarded)
    off = f'[rules."{RULE}"]\nenabled = false\nreason = "mine"\n'
    guarded.commit(**{"sakaime.toml": off, "REVIEW.md": AFTER})
    assert [change for change, *_ in lost(guarded, "--range", "main...topic")] == ["removed"]


def test_columns_that_change_places_hide_nothing(guarded: Repo) -> None:
    swapped = "# Review\n\n| What to look at | Viewpoint |\n|---|---|\n| Is anything open to the outside? | Ports |\n"
    swapped += "| Is a value of development left? | Secrets |\n| Are they no wider than needed? | Rights |\n"
    guarded.stage("REVIEW.md", swapped)
    assert lost(guarded) == []
    firm = BEFORE.replace("Are they no wider than needed?", "They must be no wider than needed.")
    guarded.commit(**{"REVIEW.md": firm})
    guarded.stage(
        "REVIEW.md", swapped.replace("Are they no wider than needed?", "They should be no wider than needed.")
    )
    assert lost(guarded) == [("weakened", "REVIEW.md", 7, "warning")]


def test_an_item_in_another_language_is_another_item(repo: Repo) -> None:
    text = "# 観点\n\n- 問い合わせに上限があること\n- 移行に上限があること\n- 鍵を外へ出していないこと\n"
    repo.commit(**{"REVIEW.md": text})
    repo.stage(
        "REVIEW.md", text.replace("移行に上限があること", "Licences of new libraries are listed by the legal team.")
    )
    assert [change for change, *_ in lost(repo)] == ["removed"]


JUNK = AFTER.encode() + b"\0" + b"\xff\xfe\x80" * 20


def test_bytes_that_make_a_document_binary_are_no_pass(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", JUNK)
    done = sakaime("check", cwd=guarded.path)
    assert done.returncode == 3
    assert "REVIEW.md: binary, so that its criteria cannot be compared" in done.stdout


def test_a_bare_diff_that_calls_a_document_binary_is_no_pass(guarded: Repo) -> None:
    diff = b"diff --git a/REVIEW.md b/REVIEW.md\nindex 1..2 100644\nBinary files a/REVIEW.md and b/REVIEW.md differ\n"
    done = sakaime("check", "--diff", "-", "--policy-from", "HEAD", cwd=guarded.path, stdin=diff)
    assert done.returncode == 3


def test_a_picture_among_the_documents_is_skipped(repo: Repo) -> None:
    repo.stage("docs/review/a.png", b"\x89PNG\0\1")
    repo.commit()
    repo.stage("docs/review/a.png", b"\x89PNG\0\2")
    assert judged(repo.path) == (0, [])


def test_a_submodule_in_place_of_the_document(guarded: Repo) -> None:
    head = guarded.git("rev-parse", "HEAD").strip()
    guarded.git("rm", "-q", "--cached", "REVIEW.md")
    (guarded.path / "REVIEW.md").unlink()
    guarded.git("update-index", "--add", "--cacheinfo", f"160000,{head},REVIEW.md")
    assert lost(guarded) == [("deleted", "REVIEW.md", 1, "error")]


def test_the_owners_in_force_are_compared(repo: Repo) -> None:
    repo.commit(CODEOWNERS="* @org/sec\n/src/auth/ @org/sec\n")
    repo.stage(".github/CODEOWNERS", "/docs/ @me\n")
    assert {change for change, *_ in lost(repo)} >= {"removed"}
    repo.git("reset", "-q", "--hard")
    repo.stage("docs/CODEOWNERS", "/docs/ @me\n")  # the one at the root goes before
    assert lost(repo) == []


def test_a_general_document_that_goes(repo: Repo) -> None:
    repo.commit(**{"CONTRIBUTING.md": "# shop\n\n## Code review\n\n- Check the rights.\n- Check the prices.\n"})
    repo.git("rm", "-q", "CONTRIBUTING.md")
    assert lost(repo) == [("deleted", "CONTRIBUTING.md", 1, "error")]


def test_a_bare_diff_that_calls_a_document_new(guarded: Repo) -> None:
    lines = AFTER.splitlines()
    diff = "diff --git a/REVIEW.md b/REVIEW.md\nnew file mode 100644\n--- /dev/null\n+++ b/REVIEW.md\n"
    diff += f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    done = sakaime("check", "--diff", "-", "--policy-from", "HEAD", cwd=guarded.path, stdin=diff.encode())
    assert done.returncode in (1, 3)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no full device here")
def test_a_report_that_cannot_be_written_is_no_pass(guarded: Repo) -> None:
    guarded.stage("REVIEW.md", AFTER)
    for command in ("check", "criteria"):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "sakaime", command], cwd=guarded.path, stdout=full, stderr=subprocess.PIPE
            )
        assert done.returncode == 3
        assert b"Traceback" not in done.stderr


class TestListing:
    """`sakaime criteria`."""

    def test_what_the_index_asks_for(self, guarded: Repo) -> None:
        done = sakaime("criteria", cwd=guarded.path)
        assert done.returncode == 0
        assert done.stdout.startswith("REVIEW.md\n")
        assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("  ")] == ["5", "6", "7"]
        assert done.stdout.endswith("3 criteria in 1 document\n")

    def test_an_id_stays_while_its_words_do(self, guarded: Repo) -> None:
        def ids(ref: str) -> dict[str, str]:
            listed = json.loads(sakaime("criteria", ref, "--format", "json", cwd=guarded.path).stdout)
            return {item["text"]: item["id"] for item in listed["items"]}

        guarded.commit(**{"REVIEW.md": "# Review\n\nRead first.\n\n" + AFTER.split("\n", 2)[2]})
        before, after = ids("HEAD~1"), ids("HEAD")
        assert before.items() > {text: id_ for text, id_ in after.items() if text in before}.items()
        assert len(after.keys() & before.keys()) == 2

    def test_two_commits(self, guarded: Repo) -> None:
        guarded.commit(**{"REVIEW.md": AFTER})
        done = sakaime("criteria", "HEAD~1", "HEAD", cwd=guarded.path)
        assert done.stdout.splitlines()[0] == "REVIEW.md: criteria 3 -> 2"
        assert "gone: Secrets: Is a value of development left?" in done.stdout

    def test_formats(self, guarded: Repo) -> None:
        guarded.commit(**{"REVIEW.md": AFTER})
        data = json.loads(sakaime("criteria", "HEAD~1", "HEAD", "--format", "json", cwd=guarded.path).stdout)
        assert [(c["change"], c["path"], c["line"]) for c in data["changes"]] == [("removed", "REVIEW.md", 6)]
        assert data["documents"] == [{"path": "REVIEW.md", "before": 3, "after": 2}]
        table = sakaime("criteria", "HEAD~1", "HEAD", "--format", "markdown", cwd=guarded.path).stdout
        assert table.splitlines()[2].startswith("| gone | REVIEW.md:6 | 3 → 2 |")

    def test_nothing_lost(self, guarded: Repo) -> None:
        guarded.commit(**{"a.py": "x = 1\n"})
        assert sakaime("criteria", "HEAD~1", "HEAD", cwd=guarded.path).stdout == "no criterion was lost\n"

    def test_a_name_of_no_commit(self, guarded: Repo) -> None:
        done = sakaime("criteria", "nowhere", cwd=guarded.path)
        assert done.returncode in (2, 3)
        assert "nowhere" in done.stderr

    def test_what_cannot_be_read(self, repo: Repo) -> None:
        repo.commit(**{".coderabbit.yaml": "reviews: [\n"})
        done = sakaime("criteria", cwd=repo.path)
        assert done.returncode == 3
        assert ".coderabbit.yaml" in done.stderr
