"""The merge base delimits, the tip of BASE decides; what cannot be told for certain is exit code 3."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import Repo, sakaime
from trust_fixtures import NOTE, RULE, git, in_range, judged, topic

ZEROS = "0" * 40


def branches(repo: Repo) -> None:
    """`topic` with a note, and `main` gone on."""
    topic(repo)
    repo.commit(**{"a.py": NOTE})
    repo.git("checkout", "-q", "main")
    repo.commit(**{"b.py": "x = 1\n"})
    repo.git("checkout", "-q", "topic")


@pytest.mark.parametrize(
    "spec",
    [
        "main...topic",
        "main..topic",
        "main...",
        "v1...topic",
        "annotated...topic",
        "{main}...{topic}",
        "{main}..{topic}",
        "refs/heads/main...refs/heads/topic",
        "main~0...topic^0",
    ],
)
def test_every_way_to_name_a_range(repo: Repo, spec: str) -> None:
    branches(repo)
    repo.git("tag", "v1", "main")
    repo.git("tag", "-a", "-m", "x", "annotated", "main")
    ids = {name: repo.git("rev-parse", name).strip() for name in ("main", "topic")}
    done = sakaime("check", "--range", spec.format(**ids), "--format", "json", cwd=repo.path)
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert [f["path"] for f in answer["findings"]] == ["a.py"]
    assert (answer["scope"]["base"], answer["scope"]["head"]) == (ids["main"], ids["topic"])


@pytest.mark.parametrize("spec", ["gone...topic", "main...gone", "main...-x", f"{'1' * 40}...topic"])
def test_a_side_that_is_not_here_is_never_a_pass(repo: Repo, spec: str) -> None:
    branches(repo)
    done = sakaime("check", "--range", spec, cwd=repo.path)
    assert done.returncode == 3
    assert "is not in this clone" in done.stderr
    assert "git fetch" in done.stderr


@pytest.mark.parametrize("fetched", [["topic"], ["topic", "main"]])
def test_a_shallow_clone_names_the_command_that_mends_it(repo: Repo, tmp_path: Path, fetched: list[str]) -> None:
    branches(repo)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", "-b", "topic", f"file://{repo.path}", str(clone))
    for branch in fetched[1:]:
        git(clone, "fetch", "-q", "--depth", "1", "origin", f"+refs/heads/{branch}:refs/remotes/origin/{branch}")
    refused = sakaime("check", "--range", "origin/main...HEAD", cwd=clone)
    assert refused.returncode == 3
    command = refused.stderr[refused.stderr.index("git fetch") :].split("\n")[0]
    subprocess.run(shlex.split(command), cwd=clone, check=True, capture_output=True)
    assert judged(clone, "--range", "origin/main...HEAD")[0] == 1


def test_a_merge_base_that_the_shallow_cut_may_have_moved_is_refused(repo: Repo, tmp_path: Path) -> None:
    """A common commit is at hand over one way, and a better one may lie behind the cut of another way."""
    first = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "-b", "side")
    for n in range(3):
        repo.commit(f"side {n}")
    topic(repo)
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    repo.commit(**{"a.py": NOTE})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-single-branch", f"file://{repo.path}", str(clone))
    assert judged(clone, "--range", "origin/main...origin/topic")[0] == 1
    cut = repo.git("rev-parse", "side~1").strip()
    (clone / ".git" / "shallow").write_text(f"{cut}\n")
    done = sakaime("check", "--range", f"{first}...origin/topic", cwd=clone)
    assert done.returncode == 3
    assert "git fetch --unshallow" in done.stderr
    assert judged(clone, "--range", "origin/main...origin/topic")[0] == 1, "the cut lies behind the merge base"


def test_unrelated_histories(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "topic")
    repo.commit(**{"a.py": NOTE})
    done = sakaime("check", "--range", "main...topic", cwd=repo.path)
    assert done.returncode == 3
    assert "Compare as main..topic" in done.stderr
    assert judged(repo.path, "--range", "main..topic")[0] == 1


def test_base_that_is_ahead_of_head_has_nothing_to_judge(repo: Repo) -> None:
    topic(repo)
    repo.git("checkout", "-q", "main")
    repo.commit(**{"a.py": NOTE})
    assert in_range(repo) == (0, [])


def test_replace_refs_and_grafts_bend_nothing(repo: Repo) -> None:
    branches(repo)
    clean = repo.git("rev-parse", "main").strip()
    head = repo.git("rev-parse", "topic").strip()
    repo.git("replace", head, clean)
    assert in_range(repo)[0] == 1
    repo.git("replace", "-d", head)
    blob = repo.git("rev-parse", "topic:a.py").strip()
    repo.git("replace", blob, repo.git("rev-parse", "main:b.py").strip())
    assert in_range(repo)[0] == 1
    repo.git("replace", "-d", blob)
    grafts = repo.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{clean} {head}\n")  # main seems to contain topic: nothing would be left to judge
    assert repo.git("merge-base", "main", "topic").strip() == head, "this git knows no grafts"
    assert in_range(repo)[0] == 1


def test_a_bare_repository_inside_of_another_one(repo: Repo, tmp_path: Path) -> None:
    branches(repo)
    outer = Repo(tmp_path / "outer")
    outer.commit(main="x\n")
    bare = outer.path / "mirror"
    git(tmp_path, "clone", "-q", "--bare", str(repo.path), str(bare))
    assert [f["path"] for f in judged(bare, "--range", "main...topic")[1]] == ["a.py"]
    assert judged(bare, "--range", "main...topic", "--policy-from", "topic")[0] == 1
    done = sakaime("check", cwd=bare)
    assert done.returncode == 2
    assert "is not inside a git work tree" in done.stderr


def test_a_pack_of_the_repository_decides_in_a_bare_one(repo: Repo, tmp_path: Path) -> None:
    from test_trust_attacks import with_pack

    with_pack(repo)
    repo.commit()
    topic(repo)
    repo.commit(**{"a.py": "# housestamp\n"})
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo.path), str(bare))
    for _ in range(2):
        assert [f["rule"] for f in judged(bare, "--range", "main...topic")[1]] == ["house/stamp"]


def test_a_submodule_and_a_linked_work_tree(repo: Repo, tmp_path: Path) -> None:
    branches(repo)
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "--detach", str(linked), "main")
    assert judged(linked, "--range", "main...topic")[0] == 1
    outer = Repo(tmp_path / "outer")
    outer.commit(**{"sakaime.toml": f'[rules."{RULE}"]\nenabled = false\nreason = "x"\n'})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.path), "inner")
    git(outer.path / "inner", "branch", "main", "origin/main")
    assert judged(outer.path / "inner", "--range", "main...origin/topic")[0] == 1, "the outer settings decide there"
    outer.commit()
    code, findings = judged(outer.path, "--range", "HEAD~1...HEAD")
    assert (code, findings) == (0, []), "a submodule is a name"


@pytest.mark.parametrize(
    ("start", "end"), [(ZEROS, "topic"), ("", "topic"), ("main", ""), (ZEROS, ""), ("0" * 64, "topic")]
)
def test_a_hook_that_names_no_base_is_never_a_pass(repo: Repo, start: str, end: str) -> None:
    branches(repo)
    env = {"PRE_COMMIT": "1", "PRE_COMMIT_FROM_REF": start, "PRE_COMMIT_TO_REF": end}
    done = sakaime("check", cwd=repo.path, env=env)
    assert done.returncode == 3
    assert f"sakaime check --range origin/main...{end or 'HEAD'}" in done.stderr


def test_hooks_of_a_push(repo: Repo) -> None:
    branches(repo)
    names = ("PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF")
    deleted = sakaime("check", cwd=repo.path, env=dict(zip(names, ("main", ZEROS), strict=True)))
    assert deleted.returncode == 0
    assert "The push deletes a branch: there is nothing to judge." in deleted.stdout
    assert judged(repo.path, env=dict(zip(names, ("main", "topic"), strict=True)))[0] == 1
    assert judged(repo.path, env=dict.fromkeys(names, ""))[0] == 0, "as if nothing were set: nothing is staged"
    repo.stage("c.py", NOTE)
    assert judged(repo.path, env=dict.fromkeys(names, ""))[0] == 1
