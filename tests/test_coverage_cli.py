"""`sakaime coverage`, and the same in the JSON report and in the brief."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from conftest import DEPLOY_KIT, Repo, sakaime

EXPECTED = yaml.safe_load((DEPLOY_KIT / "expected.yml").read_text(encoding="utf-8"))
CAP = "# at most three remarks, please\n"
IMAGE = "FROM node:22\n"
SHIELD = {
    "type": "object",
    "required": ["path", "line", "rule", "covers"],
    "properties": {
        "path": {"type": "string"},
        "line": {"type": "integer", "minimum": 1},
        "rule": {"type": "string", "pattern": "^[a-z0-9-]+/[a-z0-9-]+$"},
        "covers": {"enum": ["near", "file", "change", "unnamed"]},
    },
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["risks", "hunks"],
    "additionalProperties": False,
    "properties": {
        "risks": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "path", "line", "rule", "covered_by"],
                "additionalProperties": False,
                "properties": {
                    "id": {"type": "string", "minLength": 1},
                    "path": {"type": "string"},
                    "line": {"type": "integer", "minimum": 1},
                    "rule": {"type": "string"},
                    "covered_by": {"type": "array", "items": SHIELD},
                },
            },
        },
        "hunks": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["path", "line", "end", "covered_by"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string"},
                    "line": {"type": "integer", "minimum": 1},
                    "end": {"type": "integer", "minimum": 1},
                    "covered_by": {"type": "array", "minItems": 1, "items": SHIELD},
                },
            },
        },
    },
}


def answer(repo: Repo, *args: str) -> dict[str, Any]:
    done = sakaime("coverage", "--format", "json", *args, cwd=repo.path)
    assert (done.returncode, done.stderr) == (0, "")
    data: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    return data


def covering(data: dict[str, Any]) -> dict[str, list[str]]:
    return {risk["id"]: [f"{s['path']}:{s['line']}" for s in risk["covered_by"]] for risk in data["risks"]}


def test_the_defects_of_deploy_kit_named_by_hand(deploy_kit: Repo, tmp_path: Path) -> None:
    for name, text in (
        ("defects.yml", yaml.safe_dump(EXPECTED["defects"], allow_unicode=True)),
        ("defects.json", json.dumps(EXPECTED["defects"])),
    ):
        (tmp_path / name).write_text(text)
        data = answer(deploy_kit, "--defects", str(tmp_path / name))
        assert covering(data) == EXPECTED["coverage"]
        assert [risk["id"] for risk in data["risks"]] == ["D1", "D2", "D3", "D4"]


def test_deploy_kit_without_a_list_in_every_place_that_tells_of_it(deploy_kit: Repo, tmp_path: Path) -> None:
    data = answer(deploy_kit)
    places = {f"{risk['path']}:{risk['line']}": risk for risk in data["risks"]}
    for defect in EXPECTED["defects"]:
        place = f"{defect['path']}:{defect['line']}"
        if place in places:
            by = [f"{shield['path']}:{shield['line']}" for shield in places[place]["covered_by"]]
            assert by == EXPECTED["coverage"][defect["id"]]
    wanted = {f"{d['path']}:{d['line']}" for d in EXPECTED["defects"]}
    assert {".github/workflows/ci.yml:5", "Dockerfile:2", "compose.yml:8"} <= set(places)
    assert set(places) <= wanted | {"compose.yml:3", "README.md:12"}
    report = json.loads(sakaime("check", "--format", "json", cwd=deploy_kit.path).stdout)
    assert report["coverage"] == data
    sakaime("brief", "--out", str(tmp_path / "brief"), cwd=deploy_kit.path)
    manifest = json.loads((tmp_path / "brief/manifest.json").read_text())
    assert manifest["risks"] == data["risks"]
    ids = {place: risk["id"] for place, risk in places.items()}
    shields = {f"{entry['path']}:{entry['line']}": entry["shields"] for entry in manifest["instructions"]}
    assert shields["Dockerfile:1"] == [ids["Dockerfile:2"]]
    assert shields["tests/fixtures/review-cases.yml:6"] == [risk["id"] for risk in data["risks"]]
    text = (tmp_path / "brief/brief.md").read_text()
    assert f'"shields": ["{ids["Dockerfile:2"]}"]' in text
    assert f'{{"id": "{ids["Dockerfile:2"]}", "path": "Dockerfile", "line": 2, "rule": "core/unpinned-image"}}' in text


def test_an_id_stays_while_its_line_does(repo: Repo) -> None:
    repo.stage("Dockerfile", IMAGE)
    (first,) = answer(repo)["risks"]
    repo.stage("Dockerfile", f"ARG A=1\nARG B=1\n{IMAGE}USER root\n")
    moved = {risk["line"]: risk["id"] for risk in answer(repo)["risks"]}
    assert moved[3] == first["id"]
    repo.stage("other/Dockerfile", f"{IMAGE}{IMAGE}")
    assert len({risk["id"] for risk in answer(repo)["risks"]}) == 4


def test_the_same_material_as_check(repo: Repo) -> None:
    repo.stage("Dockerfile", CAP + IMAGE)
    head = repo.commit()
    for args in (("--range", f"{head}~1...{head}"), ("Dockerfile",), ("--all",)):
        (risk,) = answer(repo, *args)["risks"]
        assert (risk["path"], risk["line"], [s["covers"] for s in risk["covered_by"]]) == ("Dockerfile", 2, ["change"])
    diff = repo.git("diff", f"{head}~1", head)
    (repo.path.parent / "a.diff").write_text(diff)
    assert len(answer(repo, "--diff", "../a.diff")["risks"]) == 1


def test_nothing_to_tell_is_told(repo: Repo) -> None:
    done = sakaime("coverage", cwd=repo.path)
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "no risks")
    assert "nothing staged, nothing judged" in done.stdout


def test_the_text_is_a_table_and_says_what_was_looked_at(repo: Repo) -> None:
    repo.stage("画像/Dockerfile", CAP + IMAGE)
    repo.stage("a.py", "get(url, verify=False)\n")
    lines = sakaime("coverage", cwd=repo.path).stdout.split("\n")
    assert lines[:5] == [
        "a.py:1               core/tls-verification-off  get(url, verify=False)",
        "  画像/Dockerfile:1  en/cap                     speaks of the whole change",
        "",
        "画像/Dockerfile:2    core/unpinned-image        FROM node:22",
        "  画像/Dockerfile:1  en/cap                     speaks of the whole change",
    ]
    assert lines[6] == "2 risks, 2 shielded by 1 line; 2 hunks shielded"
    assert lines[7].startswith("2 files, 3 added lines, ")


def test_an_unshielded_risk_and_hostile_text(repo: Repo) -> None:
    repo.stage("a.py", "get('\x1b[31m" + "x" * 300 + "', verify=False)\n")
    done = sakaime("coverage", cwd=repo.path)
    assert "  nothing shields it" in done.stdout
    assert "<U+001B>" in done.stdout
    assert max(map(len, done.stdout.split("\n"))) < 140
    assert "1 risk, 0 shielded" in done.stdout


def test_what_could_not_be_judged_is_3(repo: Repo) -> None:
    repo.stage("Dockerfile", IMAGE)
    repo.stage("a.py", b"x = '\xff\xfe\x81'\n# \xe9\xff\x00\x81\n")
    done = sakaime("coverage", cwd=repo.path)
    if "not judged" in done.stdout:
        assert done.returncode == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "defects.yml:1:1: is empty"),
        ("a: 1\n", "must be a list"),
        ("- {id: D1, path: a.py, line: 0, what: x}\n", "defects.yml:1:"),
        ("- {id: D1, path: a.py, line: one, what: x}\n", "'line' must be a whole number"),
        ("- {path: a.py, line: 1}\n", "defects.yml:1:3: the key 'id' is missing"),
        ("- {id: D1, path: a.py, line: 1, wht: x}\n", "Did you mean 'what'?"),
        ("- {id: D1, path: a.py, line: 1}\n- {id: D1, path: a.py, line: 2}\n", "2:8: the id 'D1' stands twice"),
        ("- {id: D1, path: b.py, line: 1}\n", "1:18: the change has no file 'b.py'"),
        ("- [\n", "is not valid YAML"),
    ],
)
def test_a_mistake_in_the_list_is_told_with_its_place(repo: Repo, text: str, says: str) -> None:
    repo.stage("a.py", "x = 1\ny = 2\n")
    (repo.path / "defects.yml").write_text(text)
    done = sakaime("coverage", "--defects", "defects.yml", cwd=repo.path)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_a_list_that_is_not_there(repo: Repo) -> None:
    done = sakaime("coverage", "--defects", "nowhere.yml", cwd=repo.path)
    assert done.returncode == 2
    assert "nowhere.yml" in done.stderr


def test_a_wrong_call(repo: Repo) -> None:
    assert sakaime("coverage", "--format", "sarif", cwd=repo.path).returncode == 2
    assert sakaime("coverage", "--all", "--range", "a...b", cwd=repo.path).returncode == 2


def test_a_pack_brings_rules_of_its_own(repo: Repo) -> None:
    pack = (
        "sakaime: 1\npack: acme\nversion: 1.0.0\nrisks:\n"
        "  - id: flag\n    title: a flag\n    message: '“{match}” is a flag'\n    line: 'FLAG_\\w+ = on'\n"
        "    topics: [flag*]\n    paths: {include: ['*.cfg']}\n    examples:\n"
        "      bad: [{path: a.cfg, text: FLAG_A = on}, {path: b.cfg, text: FLAG_B = on}]\n"
        "      good: [{path: a.cfg, text: FLAG_A = off}, {path: a.txt, text: FLAG_A = on}]\n"
    )
    repo.write("acme.yaml", pack)
    done = sakaime("pack", "test", "acme.yaml", cwd=repo.path)
    assert (done.returncode, done.stdout) == (0, "acme 1.0.0: 1 rule, 4 of 4 examples come out as they say\n")
    for wrong, says in (
        (pack.replace("FLAG_\\w+", "(?=F)"), "acme.yaml:8:5: rule 'flag', pattern"),
        (pack.replace("    line: 'FLAG_\\w+ = on'\n", ""), "rule 'flag' has no pattern\n  Give it `line` or `any`."),
        (pack.replace("[flag*]", "[]"), "'topics' needs at least 1 entries"),
        (pack.replace("'*.cfg'", "'[z-a]'"), "bad glob"),
        (pack.replace("good: [{path: a.cfg, text: FLAG_A = off}, ", "good: ["), "'good' needs at least 2 entries"),
    ):
        repo.write("acme.yaml", wrong)
        done = sakaime("pack", "check", "acme.yaml", cwd=repo.path)
        assert done.returncode in (1, 2)
        assert says in done.stdout + done.stderr, done.stdout + done.stderr


def test_explain_tells_of_a_risk(repo: Repo) -> None:
    told = sakaime("explain", "core/published-port", cwd=repo.path).stdout
    assert told.startswith("core/published-port  a port that is published on every interface\n\nkind      risk\n")
    assert "\ntopics    port, ports, publish*" in told
    assert "- (compose.yml) services:" in told


def test_a_defect_behind_the_end_of_its_file_is_a_mistake(repo: Repo) -> None:
    repo.stage("Dockerfile", IMAGE + "RUN x\n")
    repo.write("d.yml", f"- {{id: A, path: Dockerfile, line: 2}}\n- {{id: B, path: Dockerfile, line: {10**20}}}\n")
    done = sakaime("coverage", "--defects", "d.yml", cwd=repo.path)
    assert done.returncode == 2
    assert f"d.yml:2:35: 'Dockerfile' has no line {10**20}, it ends with line 2" in done.stderr
    repo.write("d.yml", "- {id: A, path: Dockerfile, line: 2}\n")
    assert sakaime("coverage", "--defects", "d.yml", cwd=repo.path).returncode == 0
