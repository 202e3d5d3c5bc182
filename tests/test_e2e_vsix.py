"""What is in the package of the extension."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator

import pytest
from editor_fixtures import EXTENSION, ROOT, vsix

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def package() -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(vsix()) as opened:
        yield opened


def test_the_package_holds_what_it_needs_and_nothing_else(package: zipfile.ZipFile) -> None:
    assert sorted(package.namelist()) == [
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/changelog.md",
        "extension/dist/extension.js",
        "extension/dist/pack.schema.json",
        "extension/dist/vscode-policy.png",
        "extension/dist/vscode.png",
        "extension/images/icon.png",
        "extension/package.json",
        "extension/readme.md",
        "extension/walkthrough/install.md",
    ]


def test_what_is_copied_into_the_package_is_the_same_there(package: zipfile.ZipFile) -> None:
    for name, source in {
        "dist/pack.schema.json": "schemas/pack.schema.json",
        "LICENSE.txt": "LICENSE",
    }.items():
        assert package.read(f"extension/{name}") == (ROOT / source).read_bytes()


def test_the_manifest_names_only_files_that_are_there(package: zipfile.ZipFile) -> None:
    text = package.read("extension/package.json").decode()
    named = re.findall(r'"(?:\./)?((?:dist|images|walkthrough)/[^"]+)"', text)
    assert len(named) == 6
    assert {f"extension/{name}" for name in named} <= set(package.namelist())


def test_a_workspace_cannot_name_a_program(package: zipfile.ZipFile) -> None:
    manifest = json.loads(package.read("extension/package.json"))
    settings = manifest["contributes"]["configuration"]["properties"]
    assert settings["sakaime.path"]["scope"] == "machine"
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert set(settings) - set(trust["restrictedConfigurations"]) == {"sakaime.trace.server"}


def test_the_page_of_the_extension_stands_on_its_own(package: zipfile.ZipFile) -> None:
    page = package.read("extension/readme.md").decode()
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) >= 4
    assert all(link.startswith("https://") for link in links)


def test_commands_and_settings_are_all_told(package: zipfile.ZipFile) -> None:
    manifest = json.loads(package.read("extension/package.json"))
    page = (EXTENSION / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in manifest["contributes"]["configuration"]["properties"])
    registered = set(re.findall(r'"sakaime\.(\w+)"', (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")))
    assert {f"sakaime.{name}" for name in registered} >= {c["command"] for c in manifest["contributes"]["commands"]}
