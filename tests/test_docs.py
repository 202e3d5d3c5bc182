"""What is written down agrees with the program."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from conftest import ROOT
from ruamel.yaml import YAML


def generated() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    files: dict[str, str] = module.everything()
    return files


def test_schemas_and_rule_pages_are_up_to_date() -> None:
    wanted = generated()
    there = {
        p.relative_to(ROOT).as_posix() for folder in ("schemas", "docs/rules") for p in (ROOT / folder).rglob("*.*")
    }
    assert there == set(wanted), "run `make generate`"
    assert [path for path, text in wanted.items() if (ROOT / path).read_text(encoding="utf-8") != text] == []


@pytest.mark.parametrize("pack", sorted((ROOT / "rules").glob("*.yaml")), ids=lambda p: p.name)
def test_the_shipped_packs_meet_the_schema_that_editors_use(pack: Path) -> None:
    schema = json.loads((ROOT / "schemas/pack.schema.json").read_text(encoding="utf-8"))
    # As packs are read: in YAML 1.2, where a list of words may be called `no`.
    jsonschema.validate(YAML(typ="safe", pure=True).load(pack.read_text(encoding="utf-8")), schema)


def test_every_link_inside_the_docs_leads_somewhere() -> None:
    import re

    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []


def test_the_hook_manifest_is_what_pre_commit_expects() -> None:
    hooks = {h["id"]: h for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    assert set(hooks) == {"sakaime", "sakaime-message", "sakaime-packs", "sakaime-sync"}
    assert hooks["sakaime"]["entry"] == "sakaime check"
    assert hooks["sakaime"]["pass_filenames"] is False
    assert hooks["sakaime"]["always_run"] is True
