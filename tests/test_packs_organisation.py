"""An organisation's pack from its repository to the finding: locked, cached, enforced."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from packs_fixtures import Box, extends, pack_text

from sakaime.packs import shipped

NOTE = "# please rubberstamp this change\n"
DISABLE = '[rules."acme-review/stamp"]\nenabled = false\nreason = "too noisy"\n'
WITH_SHIPPED = sorted(["acme-review", *(path.stem for path in Path(shipped.folder()).glob("*.yaml"))])
ORG = "sakaime: 1\norg: acme\n{}\n"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def repo(box: Box) -> Path:
    """A repository that extends acme-review from git, synced, its source gone."""
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    where = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", ref="v1.0.0")})
    done = box.run(where, "pack", "sync")
    assert done.returncode == 0, done.stderr
    box.commit(where, {})
    shutil.rmtree(bare)
    shutil.rmtree(tree)
    return where


def stage(box: Box, where: Path, **files: str) -> None:
    for name, text in files.items():
        (where / name.replace("__", ".")).write_text(text)
    box.git(where, "add", "-A")


def test_from_sync_to_finding(box: Box, repo: Path) -> None:
    stage(box, repo, a__py=NOTE)
    cold = box.process(repo, "check")
    assert cold.returncode == 1, cold.stderr
    assert "acme-review/stamp" in cold.stdout
    warm = box.process(repo, "check")
    assert (warm.returncode, warm.stdout) == (1, cold.stdout)

    (cached,) = box.cached_packs()
    file = cached / "pack.yaml"
    good = file.read_bytes()
    file.write_bytes(good.replace(b"rubberstamp", b"rubberstomp"))
    refused = box.process(repo, "check")
    assert refused.returncode == 3
    assert f"{file}: the cached pack is refused: pack.yaml is not the file that sakaime.lock pins" in refused.stderr
    assert "Run: sakaime pack sync" in refused.stderr

    file.write_bytes(good)
    assert box.process(repo, "check").stdout == cold.stdout

    stage(box, repo, a__py="", sakaime__toml=(repo / "sakaime.toml").read_text() + DISABLE)
    disabled = box.process(repo, "check")
    assert disabled.returncode == 1
    assert "acme-review/stamp is locked by pack acme-review; sakaime.toml cannot disable it" in disabled.stdout
    stage(box, repo, a__py=NOTE)
    told = json.loads(box.process(repo, "check", "--format", "json").stdout)
    assert sorted(f["rule"] for f in told["findings"]) == ["acme-review/stamp", "policy/locked"]
    assert [p["name"] for p in told["policy"]["packs"]] == WITH_SHIPPED


@pytest.mark.parametrize("by", ["--org", "SAKAIME_ORG"])
def test_an_organisation_file_locks_a_rule_that_its_pack_leaves_free(box: Box, repo: Path, by: str) -> None:
    org = box.folder / "org.yaml"
    org.write_text(ORG.format("locked: [acme-review/wave]\nseverity: {acme-review/wave: error}"))
    free = DISABLE.replace("stamp", "wave")
    stage(box, repo, a__py="# wavethrough\n", sakaime__toml=(repo / "sakaime.toml").read_text() + free)
    assert box.run(repo, "check").returncode == 0
    done = box.run(repo, "check", "--org", str(org)) if by == "--org" else box.run(repo, "check", SAKAIME_ORG=str(org))
    assert done.returncode == 1
    assert "acme-review/wave is locked by organisation acme; sakaime.toml cannot disable it" in done.stdout
    assert "wavethrough" in done.stdout


def test_an_organisation_file_asks_for_a_version(box: Box, repo: Path) -> None:
    org = box.folder / "org.yaml"
    org.write_text(ORG.format("require: [{pack: acme-review, at_least: 1.2.0}]"))
    done = box.run(repo, "check", "--all", "--org", str(org))
    assert done.returncode == 1
    assert "organisation acme requires pack acme-review 1.2.0 or later; 1.0.0 is in force" in done.stdout


# A further file takes no part in what was compiled from the pinned ones, so only a cold run sees it.
@pytest.mark.parametrize(
    ("harm", "warm"),
    [(harm, warm) for harm in ("change", "remove", "link") for warm in (True, False)] + [("extra", False)],
)
def test_a_cached_file_that_is_not_as_pinned_is_refused(box: Box, repo: Path, harm: str, warm: bool) -> None:
    if warm:
        assert box.run(repo, "check").returncode == 0
    (cached,) = box.cached_packs()
    file = cached / "pack.yaml"
    if harm == "change":
        file.write_bytes(file.read_bytes() + b" ")
    elif harm == "extra":
        (cached / "more.yaml").write_text("locked: []\n")
    else:
        file.unlink()
        if harm == "link":
            (repo / ".git" / "copy").write_text(pack_text(locked=()))
            file.symlink_to(repo / ".git" / "copy")
    done = box.run(repo, "check")
    assert done.returncode == 3
    assert ("more.yaml" if harm == "extra" else "pack.yaml") in done.stderr
    assert "sakaime pack sync" in done.stderr


def test_an_empty_cache_says_the_command(box: Box, repo: Path) -> None:
    shutil.rmtree(box.cache)
    done = box.run(repo, "check")
    assert done.returncode == 3
    assert "sakaime.toml:1:1: pack acme-review 1.0.0 is not in the pack cache" in done.stderr
    assert "Run: sakaime pack sync" in done.stderr
    assert box.run(repo, "pack", "sync").returncode == 3  # the source is gone


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("v1.0.0", "v2.0.0", 3, "sakaime.lock is stale: it pins pack acme-review from"),
        ("ref =", 'path = "x"\nref =', 3, "sakaime.lock is stale"),
        ("rules.git", "others.git", 3, "sakaime.lock is stale"),
        ("acme-review", "acme-other", 3, "pack acme-other is not locked"),
        ("ref =", 'version = ">=2"\nref =', 2, "pack acme-review is 1.0.0, and >=2 is asked for"),
    ],
)
def test_a_lock_that_does_not_fit_the_settings_is_refused(
    box: Box, repo: Path, old: str, new: str, code: int, words: str
) -> None:
    text = (repo / "sakaime.toml").read_text()
    stage(box, repo, sakaime__toml=text.replace(old, new, 1))
    done = box.run(repo, "check")
    assert done.returncode == code, done.stdout
    assert words in done.stderr
    assert "sakaime pack sync" in done.stderr
    assert "sakaime.toml:" in done.stderr


def test_without_a_lock_nothing_is_judged(box: Box, repo: Path) -> None:
    (repo / "sakaime.lock").unlink()
    stage(box, repo)
    done = box.run(repo, "check")
    assert done.returncode == 3
    assert "pack acme-review is not locked: there is no sakaime.lock" in done.stderr


def test_a_forged_digest_in_the_lock_is_refused(box: Box, repo: Path) -> None:
    (cached,) = box.cached_packs()
    weaker = pack_text(locked=())
    other = box.cache / "packs" / ("0" * 64)
    other.mkdir()
    (other / "pack.yaml").write_text(weaker)
    lock = (repo / "sakaime.lock").read_text().replace(cached.name, "0" * 64)
    stage(box, repo, sakaime__lock=lock)
    assert "is not the file that sakaime.lock pins" in box.run(repo, "check").stderr
    import hashlib

    old = hashlib.sha256(pack_text().encode()).hexdigest()
    stage(box, repo, sakaime__lock=lock.replace(old, hashlib.sha256(weaker.encode()).hexdigest()))
    done = box.run(repo, "check")
    assert done.returncode == 3
    assert "do not give the digest" in done.stderr


def test_a_pack_inside_the_repository_needs_no_cache(box: Box) -> None:
    files = {"policies/acme/pack.yaml": pack_text(), "policies/acme/words.yaml": "words:\n  x: [y]\n"}
    repo = box.repository("app", {**files, "sakaime.toml": extends("policies/acme")})
    assert box.run(repo, "pack", "sync").returncode == 0
    base = box.commit(repo, {})
    shutil.rmtree(box.cache)
    stage(box, repo, a__py=NOTE)
    assert "acme-review/stamp" in box.run(repo, "check").stdout

    # A change that also weakens the pack and locks it anew is judged by the pack of BASE.
    (repo / "policies/acme/pack.yaml").write_text(pack_text(rules=(("wave", "wavethrough"),), locked=()))
    assert box.run(repo, "pack", "sync").returncode == 0
    box.commit(repo, {})
    shutil.rmtree(box.cache)
    done = box.run(repo, "check", "--range", f"{base}...HEAD")
    assert done.returncode == 1, done.stderr
    assert "acme-review/stamp" in done.stdout


def test_an_edited_pack_inside_the_repository_is_told_before_it_is_committed(box: Box) -> None:
    repo = box.repository("app", {"acme.yaml": pack_text(), "sakaime.toml": extends("./acme.yaml")})
    assert box.run(repo, "pack", "sync").returncode == 0
    box.commit(repo, {})
    assert box.run(repo, "check").returncode == 0
    stage(box, repo, acme__yaml=pack_text(version="1.0.1"))
    done = box.run(repo, "check")
    assert done.returncode == 3
    assert "sakaime.lock is stale: acme.yaml is not what it pins of pack acme-review" in done.stderr
    assert "updated 1.0.0 -> 1.0.1" in box.run(repo, "pack", "sync").stdout
    stage(box, repo)
    assert box.run(repo, "check").returncode == 0
