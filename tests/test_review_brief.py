from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from review_fixtures import commit_all, deploy_kit, odd_changes, repository, run, staged_diff

import sakaime
from sakaime.judge import judge
from sakaime.material import git, sources
from sakaime.model import CannotJudge, UserError
from sakaime.packs.inforce import policy_in_force
from sakaime.policy.policy import Policy
from sakaime.review.answer import SCHEMA
from sakaime.review.brief import Brief, assemble, printed, quoted, write

EXPECTED = yaml.safe_load((Path(sakaime.__file__).parent / "demo" / "deploy-kit" / "expected.yml").read_text("utf-8"))


def brief(folder: Path, *args: str, data: bytes = b"", code: int = 0) -> tuple[bytes, str]:
    """(standard output, standard error) of the command, which must end with that code."""
    done = subprocess.run(
        [sys.executable, "-m", "sakaime", "brief", *args], cwd=folder, input=data, capture_output=True
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def manifest_of(out: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / "manifest.json").read_bytes())
    return data


def joined(out: Path) -> bytes:
    """The chunks that the manifest names, in its order, each checked against its sum."""
    parts = []
    for chunk in manifest_of(out)["chunks"]:
        part = (out / chunk["file"]).read_bytes()
        assert (len(part), hashlib.sha256(part).hexdigest()) == (chunk["bytes"], chunk["sha256"])
        parts.append(part)
    assert len(parts) == len(list((out / "material").iterdir()))
    return b"".join(parts)


def in_memory(folder: Path, *, limit: int = 24000, language: str = "en") -> Brief:
    top = str(folder)
    objects = git.Objects(top)
    material = sources.staged(top, objects)
    policy: Policy = policy_in_force(top, lambda _name: None)
    policy = policy.replace(review=policy.review.replace(chunk_bytes=limit))
    judgement = judge(policy, material)
    objects.close()
    assert material.patch is not None
    return assemble(policy, judgement, material.patch(), language)


def test_deploy_kit_has_every_figure_of_its_case(tmp_path: Path) -> None:
    folder, out = deploy_kit(tmp_path / "kit"), tmp_path / "out"
    told, _ = brief(folder, "--out", str(out))
    manifest, diff = manifest_of(out), staged_diff(folder)
    assert joined(out) == diff
    assert manifest["material"] == {"sha256": hashlib.sha256(diff).hexdigest(), "bytes": len(diff)}
    assert [(i["path"], i["line"]) for i in manifest["instructions"]] == [
        (i["path"], i["line"]) for i in EXPECTED["instructions"]
    ]
    assert [i["id"] for i in manifest["instructions"]] == ["I1", "I2", "I3", "I4", "I5"]
    fence = manifest["fence"]
    assert fence["count"] == 0 and fence["nonce"] in fence["open"] and fence["nonce"] in fence["close"]
    assert not any(mark.encode() in diff for mark in (fence["open"], fence["close"], fence["nonce"]))
    assert f"{EXPECTED['files']} files, {EXPECTED['added_lines']} added lines" in told.decode()
    assert (manifest["criteria"], manifest["expected_ids"]) == ([], [])
    assert json.loads((out / manifest["schema"]).read_bytes()) == SCHEMA


def test_deploy_kit_has_the_delimiter_table_of_its_case(tmp_path: Path) -> None:
    folder = deploy_kit(tmp_path / "kit")
    told, _ = brief(folder, "--count-delimiters", "--format", "json")
    assert json.loads(told) == {"delimiters": EXPECTED["delimiters"]}
    assert b"---                   9            0\n" in brief(folder, "--count-delimiters")[0]


def test_a_range_and_a_diff_are_briefed_alike(tmp_path: Path) -> None:
    folder = deploy_kit(tmp_path / "kit")
    diff = staged_diff(folder)
    run(folder, "checkout", "-q", "-b", "topic")
    commit_all(folder)
    brief(folder, "--range", "main...topic", "--out", str(tmp_path / "range"))
    brief(folder, "--diff", "-", "--policy-from", "main", "--out", str(tmp_path / "diff"), data=diff)
    ranged, handed = manifest_of(tmp_path / "range"), manifest_of(tmp_path / "diff")
    assert joined(tmp_path / "range") == joined(tmp_path / "diff") == diff
    assert ranged["base"] == run(folder, "rev-parse", "main").decode().strip()
    assert ranged["head"] == run(folder, "rev-parse", "topic").decode().strip()
    assert ranged["instructions"] == handed["instructions"] != []


@pytest.mark.parametrize(("language", "word"), [("en", "is the material under review"), ("ja", "資料")])
def test_the_text_for_the_reader_declares_lists_and_fences(tmp_path: Path, language: str, word: str) -> None:
    folder, out = deploy_kit(tmp_path / "kit"), tmp_path / "out"
    brief(folder, "--out", str(out), "--language", language)
    text, manifest = (out / "brief.md").read_text("utf-8"), manifest_of(out)
    fence = manifest["fence"]
    names = "".join(f"{chunk['file']}\n" for chunk in manifest["chunks"])
    assert f"\n{fence['open']}\n{names}{fence['close']}\n" in text
    assert text.count(fence["nonce"]) == 2
    assert word in text.partition("\n## ")[0]
    for entry in manifest["instructions"]:
        assert f"{json.dumps(entry, ensure_ascii=False)}\n" in text
    assert json.dumps(SCHEMA) in text


def test_an_unknown_language_is_a_mistake_that_names_the_known_ones(tmp_path: Path) -> None:
    folder = deploy_kit(tmp_path / "kit")
    _, error = brief(folder, "--out", str(tmp_path / "out"), "--language", "xx", code=2)
    assert "en, ja" in error and not (tmp_path / "out").exists()


def test_the_whole_input_is_printed_with_the_material_in_its_fence(tmp_path: Path) -> None:
    folder = odd_changes(tmp_path / "r")
    told, _ = brief(folder, "--print", code=3)
    first = told.index(b"<<<MATERIAL ")
    opening, rest = told[first:].split(b"\n", 1)
    nonce = opening.split()[1]
    material, after = rest.split(b"MATERIAL " + nonce + b">>>\n")
    assert material == staged_diff(folder)
    assert nonce not in told[:first] and nonce not in after
    assert b"\n## Answer\n" in after


def test_a_material_without_a_last_line_end_keeps_the_closing_line_apart(tmp_path: Path) -> None:
    diff = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"
    told, _ = brief(tmp_path, "--print", "--diff", "-", data=diff)
    assert diff + b"\nMATERIAL " in told
    brief(tmp_path, "--out", "out", "--diff", "-", data=diff)
    assert joined(tmp_path / "out") == diff


def test_every_odd_change_reaches_the_folder_byte_for_byte(tmp_path: Path) -> None:
    folder, out = odd_changes(tmp_path / "r"), tmp_path / "out"
    told, _ = brief(folder, "--out", str(out), code=3)
    assert joined(out) == staged_diff(folder)
    assert "not judged: broken.txt" in told.decode()
    entries = {entry["path"]: entry["reason"] for entry in manifest_of(out)["unscanned"]}
    assert "UTF-8" in entries["broken.txt"] and "binary" in entries
    assert '{"path": "broken.txt"' in (out / "brief.md").read_text("utf-8")


def test_small_chunks_are_numbered_in_order(tmp_path: Path) -> None:
    folder = odd_changes(tmp_path / "r")
    made = in_memory(folder, limit=256)
    write(made, str(tmp_path / "out"))
    assert joined(tmp_path / "out") == staged_diff(folder)
    files = [chunk["file"] for chunk in made.manifest["chunks"]]
    assert len(files) > 50 and files == sorted(files)
    assert {c["oversized"] for c in made.manifest["chunks"]} == {True, False}
    assert b"".join(map(bytes, printed(made))).count(made.fence.nonce.encode()) == 2


def test_no_configuration_of_the_user_changes_the_material(tmp_path: Path) -> None:
    folder = odd_changes(tmp_path / "r")
    plain = in_memory(folder).diff
    for name, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "color.ui": "always",
        "diff.context": "0",
        "diff.renames": "false",
        "diff.algorithm": "patience",
        "diff.external": "false",
        "core.quotePath": "false",
        "core.abbrev": "5",
    }.items():
        run(folder, "config", name, value)
    (folder / ".git" / "info" / "attributes").write_text("* -diff\n")
    assert in_memory(folder).diff == plain


def test_what_is_staged_meanwhile_is_not_briefed_unjudged(tmp_path: Path) -> None:
    folder = deploy_kit(tmp_path / "kit")
    objects = git.Objects(str(folder))
    material = sources.staged(str(folder), objects)
    (folder / "more.txt").write_text("more\n")
    run(folder, "add", "more.txt")
    assert material.patch is not None
    with pytest.raises(CannotJudge, match="changed while"):
        material.patch()
    objects.close()


def test_nothing_staged_is_said_plainly(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r")
    commit_all(folder)
    told, _ = brief(folder, "--out", str(tmp_path / "out"))
    assert b"nothing to review" in told
    assert manifest_of(tmp_path / "out")["chunks"] == []


def test_a_folder_with_anything_in_it_is_left_alone(tmp_path: Path) -> None:
    folder, out = deploy_kit(tmp_path / "kit"), tmp_path / "out"
    out.mkdir()
    (out / "mine").write_text("mine")
    _, error = brief(folder, "--out", str(out), code=2)
    assert "is not empty" in error
    assert [entry.name for entry in out.iterdir()] == ["mine"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["kit", "out"]


def test_an_empty_folder_is_filled_and_keeps_its_permissions(tmp_path: Path) -> None:
    folder, out = deploy_kit(tmp_path / "kit"), tmp_path / "out"
    out.mkdir(mode=0o700)
    brief(folder, "--out", str(out))
    assert sorted(entry.name for entry in out.iterdir()) == [
        "brief.md",
        "manifest.json",
        "material",
        "schema.json",
    ]
    assert os.stat(out).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["link", "dangling", "file", "missing parent"])
def test_a_place_that_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    made = in_memory(deploy_kit(tmp_path / "kit"))
    inner = tmp_path / "inner"
    inner.mkdir()
    out = tmp_path / "out"
    if kind == "link":
        out.symlink_to(inner)
    elif kind == "dangling":
        out.symlink_to(tmp_path / "nowhere")
    elif kind == "file":
        out.write_text("")
    else:
        out = tmp_path / "no" / "out"
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UserError):
        write(made, str(out))
    assert sorted(tmp_path.iterdir()) == before
    assert list(inner.iterdir()) == []


def test_a_call_that_names_no_place_or_no_diff_is_a_mistake(tmp_path: Path) -> None:
    folder = deploy_kit(tmp_path / "kit")
    assert "--out DIR" in brief(folder, code=2)[1]
    assert "standard output" in brief(folder, "--print", "--format", "json", code=2)[1]


def test_a_conflict_is_not_briefed(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r")
    (folder / "f").write_text("a\n")
    commit_all(folder)
    run(folder, "branch", "topic")
    (folder / "f").write_text("b\n")
    commit_all(folder)
    run(folder, "checkout", "-q", "topic")
    (folder / "f").write_text("c\n")
    commit_all(folder)
    with pytest.raises(subprocess.CalledProcessError):
        run(folder, "merge", "main")
    assert "sakaime: f: the file is unmerged" in brief(folder, "--out", "out", code=3)[1]


@pytest.mark.parametrize(
    "data",
    [
        b"<html>502 Bad Gateway</html>\n",
        b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n",
        b"diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n- x\n -y\n++z\n",
    ],
)
def test_what_cannot_be_read_as_a_diff_gives_no_brief(tmp_path: Path, data: bytes) -> None:
    _, error = brief(tmp_path, "--diff", "-", "--out", "out", data=data, code=3)
    assert error.startswith("sakaime: ") and "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_the_schema_takes_the_answer_of_the_design_and_nothing_beside_it() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    answer: dict[str, Any] = {
        "verdicts": [{"id": "R1", "verdict": "confirmed", "reason": "seen"}],
        "findings": [{"path": "a", "line": 1, "what": "x", "why": "y"}],
        "instructions_in_material": ["I1"],
    }
    jsonschema.validate(answer, SCHEMA)
    broken: list[Any] = [
        [answer],
        {**answer, "summary": "fine"},
        {key: value for key, value in answer.items() if key != "findings"},
        {**answer, "verdicts": [{"verdict": "confirmed", "reason": "seen"}]},
        {**answer, "verdicts": [{"id": "R1", "verdict": "looks good", "reason": "seen"}]},
        {**answer, "findings": [{"path": "a", "line": 0, "what": "x", "why": "y"}]},
        {**answer, "instructions_in_material": ["I1", "I1"]},
        {**answer, "instructions_in_material": 5},
    ]
    for wrong in broken:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


def test_a_quotation_hides_nothing_and_says_the_same() -> None:
    value = {"path": "a\u202eb\u200b\u2028\x7f\x1b[31m\n", "excerpt": '境目\u3000\U000e0041😀`"\\'}
    text = quoted(value)
    assert json.loads(text) == value
    assert text.isascii() is False and "境目\u3000" in text and "😀" in text
    assert "\n" not in text
    for hidden in "\u202e\u200b\u2028\x7f\x1b\U000e0041":
        assert hidden not in text
