"""`sakaime pack sync`: what it fetches, what it writes, what it refuses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packs_fixtures import Box, extends, pack_text


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def lock_of(where: Path) -> str:
    return (where / "sakaime.lock").read_text("utf-8")


def test_a_tag_of_a_git_repository_is_locked_and_cached(box: Box) -> None:
    tree, bare = box.bare(
        "rules", {"acme/pack.yaml": pack_text(), "acme/more/a.yaml": "words:\n  x: [y]\n", "README": "r"}
    )
    commit = box.git(tree, "rev-parse", "v1.0.0")
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", ref="v1.0.0", path="acme")})
    done = box.run(repo, "pack", "sync")
    assert (done.returncode, done.stdout) == (0, f"acme-review 1.0.0: added (commit {commit[:12]})\n"), done.stderr
    lock = lock_of(repo)
    (cached,) = box.cached_packs()
    assert f'digest = "{cached.name}"' in lock
    assert f'commit = "{commit}"' in lock
    assert f'from = "git+file://{bare}"' in lock
    assert [p.relative_to(cached).as_posix() for p in sorted(cached.rglob("*.yaml"))] == ["more/a.yaml", "pack.yaml"]
    if os.name == "posix":
        assert cached.stat().st_mode & 0o077 == 0
        assert (cached / "pack.yaml").stat().st_mode & 0o077 == 0


def test_the_same_digest_comes_by_every_way(box: Box) -> None:
    _, bare = box.bare("rules", {"acme/pack.yaml": pack_text(), "one.yml": pack_text()})
    sources = {
        "folder": ("policies/acme", {"policies/acme/pack.yaml": pack_text()}, {}),
        "file": ("policies/acme.yaml", {"policies/acme.yaml": pack_text()}, {}),
        "beside": ("../outside", {}, {}),
        "git": (f"git+file://{bare}", {}, {"path": "acme"}),
        "gitfile": (f"git+file://{bare}", {}, {"path": "one.yml", "ref": "main"}),
    }
    (box.folder / "outside").mkdir()
    (box.folder / "outside" / "pack.yaml").write_text(pack_text())
    (box.folder / "outside" / ".git").mkdir()
    (box.folder / "outside" / ".git" / "hidden.yaml").write_text("is: not in the pack")
    for name, (source, files, more) in sources.items():
        repo = box.repository(name, {**files, "sakaime.toml": extends(source, **more)})
        done = box.run(repo, "pack", "sync")
        assert done.returncode == 0, (name, done.stderr)
    assert len(box.cached_packs()) == 1


def test_syncing_twice_gives_the_same_bytes(box: Box) -> None:
    _, bare = box.bare("rules", {"pack.yaml": pack_text()})
    two = extends("p/zeta.yaml", "zeta") + extends(f"git+file://{bare}") + extends("p/alpha.yaml", "alpha")
    files = {f"p/{n}.yaml": pack_text(n, rules=(("one", n),), locked=()) for n in ("zeta", "alpha")}
    repo = box.repository("app", {**files, "sakaime.toml": two})
    assert box.run(repo, "pack", "sync").returncode == 0
    first = (repo / "sakaime.lock").read_bytes()
    shutil.rmtree(box.cache)
    done = box.run(repo, "pack", "sync")
    assert [line.split(": ")[1].split(" (")[0] for line in done.stdout.splitlines()] == ["unchanged"] * 3
    assert (repo / "sakaime.lock").read_bytes() == first
    names = [line for line in lock_of(repo).splitlines() if line.startswith("[packs.") and ".files" not in line]
    assert names == ["[packs.acme-review]", "[packs.alpha]", "[packs.zeta]"]
    assert first.endswith(b"\n") and not first.endswith(b"\n\n")


def test_the_lock_holds_a_branch_where_it_is_until_an_update(box: Box) -> None:
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", ref="main")})
    assert box.run(repo, "pack", "sync").returncode == 0
    first = lock_of(repo)
    box.commit(tree, {"pack.yaml": pack_text(version="1.1.0")})
    box.git(tree, "push", "-q", "origin", "main")
    shutil.rmtree(box.cache)
    assert "unchanged" in box.run(repo, "pack", "sync").stdout
    assert lock_of(repo) == first
    assert "acme-review: updated 1.0.0 -> 1.1.0" in box.run(repo, "pack", "sync", "--update").stdout
    box.commit(tree, {"pack.yaml": pack_text(version="1.1.0", locked=())})
    box.git(tree, "push", "-q", "origin", "main")
    assert "acme-review 1.1.0: changed under the same version" in box.run(repo, "pack", "sync", "--update").stdout


def test_a_new_ref_in_the_settings_updates(box: Box) -> None:
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    old = box.git(tree, "rev-parse", "HEAD")
    box.commit(tree, {"pack.yaml": pack_text(version="2.0.0")})
    box.git(tree, "push", "-q", "origin", "main")
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", ref=old[:10])})
    done = box.run(repo, "pack", "sync")
    assert "acme-review 1.0.0: added" in done.stdout, done.stderr
    (repo / "sakaime.toml").write_text(extends(f"git+file://{bare}", ref="main"))
    assert "updated 1.0.0 -> 2.0.0" in box.run(repo, "pack", "sync").stdout


def test_what_is_no_longer_extended_leaves_the_lock(box: Box) -> None:
    repo = box.repository("app", {"p.yaml": pack_text(), "sakaime.toml": extends("p.yaml")})
    assert box.run(repo, "pack", "sync").returncode == 0
    (repo / "sakaime.toml").write_text("")
    assert box.run(repo, "pack", "sync").stdout == "acme-review 1.0.0: removed\n"
    assert "acme-review" not in lock_of(repo)
    assert box.run(repo, "pack", "sync").stdout == "no pack is extended\n"


def test_nothing_is_written_when_one_pack_fails(box: Box) -> None:
    both = extends("good.yaml") + extends("bad.yaml", "bad")
    repo = box.repository("app", {"good.yaml": pack_text(), "bad.yaml": "sakaime: 1\n", "sakaime.toml": both})
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2
    assert "bad.yaml:1:1: the key 'pack' is missing" in done.stderr
    assert not (repo / "sakaime.lock").exists()
    assert box.cached_packs() == []


@pytest.mark.parametrize(
    ("entry", "code", "words"),
    [
        (extends("p.yaml", "other"), 2, "sakaime.toml:2:1: p.yaml is pack 'acme-review', not 'other'"),
        (extends("p.yaml", version=">=2"), 2, "sakaime.toml:4:1: pack acme-review is 1.0.0, and >=2 is asked for"),
        (extends("p.yaml", version="^2"), 2, "sakaime.toml:4:1: '^2' is not a version specifier"),
        (extends("p.yaml") * 2, 2, "sakaime.toml:5:1: pack acme-review is named twice"),
        (extends("p.yaml", ref="v1"), 2, "sakaime.toml:3:1: pack acme-review: `ref` and `path` are for git sources"),
        (extends("nowhere"), 2, "sakaime.toml:3:1: pack acme-review: nowhere does not exist"),
        (extends("README"), 2, "README is neither a folder nor a YAML file"),
        (extends("link"), 2, "link is reached through a symlink"),
        (extends("git+http://a/b"), 2, "'git+http' is no way to get a pack"),
        (extends("ext::sh -c touch% x"), 2, "does not exist"),
        (extends("git+https://me:word@host/x.git"), 2, "must not hold credentials"),
        (extends("git+https://-oProxyCommand=x/y"), 2, "no URL of a git repository"),
        (extends("git+ssh://-oProxyCommand=x/y"), 2, "no URL of a git repository"),
        (extends("git+ssh://git@-oProxyCommand=x:y"), 2, "no URL of a git repository"),
        (extends("git+file://../x"), 2, "no URL of a git repository"),
        (extends("git+file:///nowhere/at/all.git"), 3, "sakaime.toml:3:1: pack acme-review: git fetch failed"),
        (extends("git+file:///x", ref="--upload-pack=touch x"), 2, "not the name of a tag, branch or commit"),
        (extends("git+file:///x", ref="+main:main"), 2, "not the name of a tag, branch or commit"),
        (extends("git+file:///x", path="../etc"), 2, "not a path inside the repository"),
        (extends("git+file:///x", reff="v1"), 2, "sakaime.toml:4:1: unknown key 'reff'\n  Did you mean 'ref'?"),
    ],
)
def test_a_bad_entry_is_told_with_its_place(box: Box, entry: str, code: int, words: str) -> None:
    repo = box.repository(
        "app", {"p.yaml": pack_text(), "README": "r", "real/pack.yaml": pack_text(), "sakaime.toml": entry}
    )
    (repo / "link").symlink_to("real")
    done = box.run(repo, "pack", "sync")
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(os.listdir(repo)) == [".git", "README", "link", "p.yaml", "real", "sakaime.toml"]


@pytest.mark.parametrize(
    ("files", "more", "words"),
    [
        ({"a.txt": "x"}, {}, "has no pack.yaml"),
        ({"a/pack.yaml": pack_text()}, {"path": "b"}, "b does not exist in commit"),
        ({"a/pack.yaml": pack_text()}, {"path": "a/pack.yaml/x"}, "a/pack.yaml is neither a folder nor a YAML file"),
        ({"a.txt": "x"}, {"path": "a.txt"}, "a.txt is neither a folder nor a YAML file"),
    ],
)
def test_a_git_tree_without_the_pack_is_refused(
    box: Box, files: dict[str, str], more: dict[str, str], words: str
) -> None:
    _, bare = box.bare("rules", files)
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", **more)})
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2
    assert words in done.stderr


def hostile(box: Box, entries: list[tuple[str, str, str]]) -> str:
    """A bare repository whose tree holds these (mode, name, text), whatever git would say to them."""
    tree, bare = box.bare("rules", {"x": "x"})
    raw = b""
    for mode, name, text in sorted(entries, key=lambda e: e[1]):
        if mode == "40000":
            oid = text
        else:
            oid = box.git(tree, "hash-object", "-w", "--stdin", data=text.encode())
        raw += mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(oid)
    oid = box.git(tree, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=raw)
    commit = box.git(tree, "commit-tree", "-m", "c", oid)
    box.git(tree, "push", "-q", "origin", f"{commit}:refs/heads/hostile")
    return f"git+file://{bare}"


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([("100644", "..", "x")], "'..' cannot be the name"),
        ([("100644", "a\\..\\b", "x")], "cannot be the name"),
        ([("100644", "a\x1b[2J", "x")], "'a\\\\x1b[2J' cannot be the name"),
        ([("100644", "C:", "x")], "cannot be the name"),
        ([("100644", "A.yaml", "x"), ("100644", "a.yaml", "x")], "'a.yaml' are one file on some systems"),
        ([("120000", "a.yaml", "/etc/passwd")], "a.yaml is a symlink"),
        ([("120000", "pack.yaml", "x")], "pack.yaml is a symlink"),
    ],
)
def test_a_hostile_git_tree_is_refused(box: Box, entries: list[tuple[str, str, str]], words: str) -> None:
    own = [] if any(name == "pack.yaml" for _, name, _ in entries) else [("100644", "pack.yaml", pack_text())]
    source = hostile(box, [*entries, *own])
    repo = box.repository("app", {"sakaime.toml": extends(source, ref="hostile")})
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "\x1b" not in done.stderr
    assert box.cached_packs() == []
    assert not (repo / "sakaime.lock").exists()


def test_a_submodule_is_no_file_of_a_pack(box: Box) -> None:
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    box.git(tree, "update-index", "--add", "--cacheinfo", f"160000,{box.git(tree, 'rev-parse', 'HEAD')},sub")
    box.git(tree, "commit", "-q", "-m", "sub")
    box.git(tree, "push", "-q", "origin", "main")
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}")})
    assert "sub is a submodule" in box.run(repo, "pack", "sync").stderr


def test_a_git_blob_of_100_mb_is_refused_by_its_size(box: Box) -> None:
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    with open(tree / "big.bin", "wb") as file:
        file.truncate(100 << 20)
    box.commit(tree, {})
    box.git(tree, "push", "-q", "origin", "main")
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}")})
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2
    assert "sakaime.toml:3:1: pack acme-review: is larger than a pack may be (1000 files, 32 MiB)" in done.stderr


def test_variables_of_a_surrounding_hook_do_not_reach_the_source(box: Box) -> None:
    _, bare = box.bare("rules", {"pack.yaml": pack_text()})
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}")})
    before = box.git(repo, "count-objects"), (repo / ".git" / "index").read_bytes()
    inner = {"GIT_DIR": str(repo / ".git"), "GIT_INDEX_FILE": str(repo / ".git" / "index"), "GIT_WORK_TREE": str(repo)}
    hook = {
        "GIT_CONFIG_PARAMETERS": "'url.file:///nowhere/.insteadOf=file:///'",
        "GIT_OBJECT_DIRECTORY": str(repo / ".git" / "objects"),
    }
    done = box.run(repo, "pack", "sync", **inner, **hook)
    assert done.returncode == 0, done.stderr
    assert (box.git(repo, "count-objects"), (repo / ".git" / "index").read_bytes()) == before
    assert not (repo / ".git" / "FETCH_HEAD").exists()


def test_configuration_cannot_turn_the_url_into_a_command(box: Box) -> None:
    _, bare = box.bare("rules", {"pack.yaml": pack_text()})
    mark = box.folder / "ran"
    (box.home / ".gitconfig").write_text(
        f'[url "ext::sh -c touch% {mark}% "]\n\tinsteadOf = file://\n[protocol "ext"]\n\tallow = always\n'
    )
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}")})
    done = box.run(repo, "pack", "sync", GIT_ALLOW_PROTOCOL="ext:file")
    assert done.returncode == 3
    assert "transport 'ext' not allowed" in done.stderr
    assert not mark.exists()


def test_two_syncs_at_once_leave_one_whole_pack(box: Box) -> None:
    files = {f"p/{n}.yaml": f"words:\n  w{n}: [x]\n" for n in range(60)}
    repo = box.repository("app", {"p/pack.yaml": pack_text(), **files, "sakaime.toml": extends("p")})
    command = [sys.executable, "-m", "sakaime", "pack", "sync"]
    running = [subprocess.Popen(command, cwd=repo, env=box.env, stderr=subprocess.PIPE) for _ in range(4)]
    assert [(child.communicate()[1], child.returncode) for child in running] == [(b"", 0)] * 4
    (cached,) = box.cached_packs()
    assert len(list(cached.rglob("*.yaml"))) == 61
    assert f'digest = "{cached.name}"' in lock_of(repo)
    assert [name for name in os.listdir(repo) if name.startswith(".sakaime")] == []


@pytest.mark.parametrize("harm", ["change", "remove", "extra", "link", "file"])
def test_sync_repairs_a_broken_cache(box: Box, harm: str) -> None:
    repo = box.repository("app", {"p.yaml": pack_text(), "sakaime.toml": extends("p.yaml")})
    assert box.run(repo, "pack", "sync").returncode == 0
    (cached,) = box.cached_packs()
    file = cached / "pack.yaml"
    if harm == "change":
        file.write_text(pack_text(locked=()))
    elif harm == "remove":
        file.unlink()
    elif harm == "extra":
        (cached / "more.yaml").write_text("locked: []")
    elif harm == "link":
        file.unlink()
        file.symlink_to(repo / "p.yaml")
    else:
        shutil.rmtree(cached)
        cached.write_text("no folder")
    assert "unchanged" in box.run(repo, "pack", "sync").stdout
    assert box.cached_packs() == [cached]
    assert {p.name: p.read_text() for p in cached.iterdir()} == {"pack.yaml": pack_text()}
    assert not file.is_symlink()


def test_a_broken_lock_is_told_with_its_place(box: Box) -> None:
    repo = box.repository("app", {"p.yaml": pack_text(), "sakaime.toml": extends("p.yaml")})
    assert box.run(repo, "pack", "sync").returncode == 0
    good = lock_of(repo)
    (repo / "sakaime.lock").write_text(good.replace("digest", "digset"))
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2
    assert "sakaime.lock:6:1: unknown key 'digset'" in done.stderr
    (repo / "sakaime.lock").write_text("<<<<<<< HEAD\n" + good)
    assert "sakaime.lock:1:" in box.run(repo, "pack", "sync").stderr
    (repo / "sakaime.lock").write_text(good.replace('"pack.yaml" =', '"../x" =').replace("\npack.yaml =", '\n"../x" ='))
    done = box.run(repo, "pack", "sync")
    assert done.returncode == 2
    assert "'../x' cannot be the name of a file in a pack" in done.stderr


def test_the_packs_of_another_commit_are_brought_without_touching_the_lock(box: Box) -> None:
    tree, bare = box.bare("rules", {"pack.yaml": pack_text()})
    box.commit(tree, {"pack.yaml": pack_text(version="2.0.0")})
    box.git(tree, "tag", "v2.0.0")
    box.git(tree, "push", "-q", "origin", "main", "v2.0.0")
    repo = box.repository("app", {"sakaime.toml": extends(f"git+file://{bare}", ref="v1.0.0")})
    assert box.run(repo, "pack", "sync").returncode == 0
    box.commit(repo, {})
    (repo / "sakaime.toml").write_text(extends(f"git+file://{bare}", ref="v2.0.0"))
    assert box.run(repo, "pack", "sync").returncode == 0
    after = lock_of(repo)
    shutil.rmtree(box.cache)
    done = box.run(repo, "pack", "sync", "--policy-from", "HEAD")
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "acme-review 1.0.0"), done.stderr
    assert lock_of(repo) == after
    assert len(box.cached_packs()) == 1


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for ssh is a shell script")
@pytest.mark.parametrize("source", ["git+ssh://git@git.example.com{}", "git+ssh://git@git.example.com:{}"])
def test_ssh_is_called_as_the_user_set_it(box: Box, source: str) -> None:
    _, bare = box.bare("rules", {"pack.yaml": pack_text()})
    ssh = box.folder / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$1" > {box.folder}/called\nfor last; do :; done\nexec sh -c "$last"\n')
    ssh.chmod(0o700)
    repo = box.repository("app", {"sakaime.toml": extends(source.format(bare))})
    done = box.run(repo, "pack", "sync", GIT_SSH_COMMAND=str(ssh), GIT_SSH_VARIANT="simple")
    assert done.returncode == 0, done.stderr
    assert (box.folder / "called").read_text() == "git@git.example.com\n"
