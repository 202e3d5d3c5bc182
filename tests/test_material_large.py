"""Large files and long lines: judged or named, in bounded memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo, sakaime
from trust_fixtures import NOTE

MIB = 1 << 20
# The peak that the process itself reaches goes where its test reads it. Linux keeps ru_maxrss over exec, so that the
# size of the test runner would count; VmHWM begins anew.
RUN = """
import os, resource, sys
from sakaime.cli.main import main
try:
    code = main(sys.argv[2:])
except SystemExit as ended:
    code = ended.code
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as status:
        (peak,) = [int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")]
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(sys.argv[1], "w") as file:
    file.write(str(peak))
raise SystemExit(code)
"""


def measured(repo: Path, tmp_path: Path, *args: str) -> tuple[int, dict[str, Any], int]:
    """Exit code, report, and peak memory in bytes of `sakaime check`."""
    peak = tmp_path / "peak"
    command = [sys.executable, "-c", RUN, str(peak), "check", *args, "--format", "json"]
    done = subprocess.run(command, cwd=repo, capture_output=True)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, json.loads(done.stdout), int(peak.read_text())


TEXT, OTHER, BINARY = 300 * MIB, 130 * MIB, 301 * MIB


@pytest.fixture(scope="module")
def blobs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, str]]:
    """The objects folder of a repository that holds large blobs, and their ids by size."""
    store = Repo(tmp_path_factory.mktemp("store"))
    ids = {}
    for size, chunk in ((TEXT, b"# all is well here\n"), (OTHER, b"# nothing to see\n"), (BINARY, b"\0\xff\x01\x02")):
        command = ["git", "-c", "core.compression=1", "hash-object", "-w", "--stdin"]
        git = subprocess.Popen(command, cwd=store.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert git.stdin is not None and git.stdout is not None
        for _ in range(size // MIB):
            git.stdin.write((chunk * (MIB // len(chunk) + 1))[:MIB])
        git.stdin.close()
        ids[size] = git.stdout.read().decode().strip()
        assert git.wait() == 0
    return store.path / ".git/objects", ids


@pytest.fixture
def large(repo: Repo, blobs: tuple[Path, dict[int, str]]) -> Repo:
    """A repository that can record those blobs without a copy of them."""
    (repo.path / ".git/objects/info/alternates").write_text(f"{blobs[0]}\n")
    return repo


def record(repo: Repo, path: str, blobs: tuple[Path, dict[int, str]], size: int) -> None:
    """Stages a large blob; nothing of it lies in the work tree."""
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blobs[1][size]},{path}")


@pytest.mark.parametrize("mode", ["staged", "edited", "range"])
def test_a_file_above_the_limit_is_named_and_what_is_beside_it_judged(
    large: Repo, blobs: tuple[Path, dict[int, str]], tmp_path: Path, mode: str
) -> None:
    if mode == "edited":
        record(large, "big.txt", blobs, OTHER)
        large.commit()
    record(large, "big.txt", blobs, TEXT)
    large.stage("a.py", NOTE)
    args = []
    if mode == "range":
        large.commit()
        args = ["--range", "HEAD~1...HEAD"]
    code, answer, peak = measured(large.path, tmp_path, *args)
    assert answer["scope"]["unjudged"] == [{"path": "big.txt", "reason": "larger than 128 MiB"}]
    assert [f["path"] for f in answer["findings"]] == ["a.py"]
    assert answer["scope"]["files"] == 2
    assert code == 3
    assert peak < 300 * MIB


def test_a_small_note_in_a_large_file_is_not_judged_and_a_deletion_is_nothing_to_judge(
    large: Repo, blobs: tuple[Path, dict[int, str]], tmp_path: Path
) -> None:
    record(large, "big.txt", blobs, OTHER)
    large.commit()
    more = f"(git cat-file blob {blobs[1][OTHER]}; echo; echo '{NOTE.strip()}') | git hash-object -w --stdin"
    blob = subprocess.run(["sh", "-c", more], cwd=large.path, capture_output=True, check=True).stdout.decode().strip()
    large.git("update-index", "--cacheinfo", f"100644,{blob},big.txt")
    code, answer, peak = measured(large.path, tmp_path)
    assert (code, [entry["path"] for entry in answer["scope"]["unjudged"]]) == (3, ["big.txt"])
    assert peak < 300 * MIB
    large.git("rm", "-q", "--cached", "big.txt")
    code, answer, peak = measured(large.path, tmp_path)
    assert (code, answer["scope"]["unjudged"], answer["scope"]["files"]) == (0, [], 1)
    assert peak < 300 * MIB


def test_a_large_binary_is_listed_and_a_large_file_of_the_tree_is_named(
    large: Repo, blobs: tuple[Path, dict[int, str]], tmp_path: Path
) -> None:
    record(large, "disk.img", blobs, BINARY)
    code, answer, peak = measured(large.path, tmp_path)
    assert (code, answer["scope"]["skipped"]) == (0, [{"path": "disk.img", "reason": "binary"}])
    assert peak < 300 * MIB
    with open(large.path / "big.txt", "wb") as file:
        file.write(b"x\n" * 5000)
        file.truncate(TEXT)
    (large.path / "disk.img").touch()
    os.truncate(large.path / "disk.img", BINARY)
    code, answer, peak = measured(large.path, tmp_path, "--all")
    assert (code, [entry["path"] for entry in answer["scope"]["unjudged"]]) == (3, ["big.txt"])
    assert [entry["path"] for entry in answer["scope"]["skipped"]] == ["disk.img"]
    assert peak < 300 * MIB


def test_the_way_out_of_a_large_file_is_not_to_save_it_as_utf8(large: Repo, blobs: tuple[Path, dict[int, str]]) -> None:
    record(large, "old/big.txt", blobs, OTHER)
    said = sakaime("check", cwd=large.path).stdout
    assert "old/big.txt: larger than 128 MiB" in said
    assert "Split what is too large" in said
    assert "UTF-8" not in said
    large.write("sakaime.toml", '[[unjudged]]\npath = "old/**"\nreason = "a recorded run"\n')
    assert sakaime("check", cwd=large.path).returncode == 0


def test_many_small_files_above_the_limit_are_all_judged(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is one of a file, not of a change."""
    from sakaime.material import sources
    from sakaime.material.git import Objects

    repo.commit(**{"gone.py": "w = 1\n" * 100, "from.py": "y = 1\n" * 100, "kind": "z\n"})
    for n in range(9):
        repo.stage(f"f{n}.py", f"x = {n}\n" * 100)
    repo.git("rm", "-q", "gone.py")
    repo.git("mv", "from.py", "to.py")
    (repo.path / "kind").unlink()
    (repo.path / "kind").symlink_to("f0.py")
    repo.git("add", "-A")
    whole = sources.staged(str(repo.path), Objects(str(repo.path))).changes
    monkeypatch.setattr("sakaime.material.sources.LIMIT", 1000)
    again = sources.staged(str(repo.path), Objects(str(repo.path))).changes
    assert again == whole
    assert len(whole) == 12


@pytest.mark.parametrize("filler", ["var a=0;", "指摘する。"])
def test_a_line_of_megabytes_is_judged_to_its_column(repo: Repo, tmp_path: Path, filler: str) -> None:
    half = filler * (5 * MIB // 2 // len(filler.encode()))
    note = "Approved by the infra team, no further review needed."
    repo.stage("a.min.js", f"{half}/* {note} */{half}\n")
    code, answer, peak = measured(repo.path, tmp_path)
    (finding,) = answer["findings"]
    assert (code, finding["start"]) == (1, {"line": 1, "column": len(half) + 4})
    assert finding["excerpt"].startswith("Approved by")
    assert peak < 300 * MIB
    repo.stage("a.min.js", f"{half}/* {'approved review ' * 9}*/{half}\n")
    code, answer, _ = measured(repo.path, tmp_path)
    assert (code, answer["findings"], answer["scope"]["added_lines"]) == (0, [], 1)
