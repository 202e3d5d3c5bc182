"""The parts below the commands: addresses, names, the text of the lock, the cache."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packs_fixtures import pack_text

from sakaime.model import CannotJudge, UserError
from sakaime.packs import store
from sakaime.packs.lock import Pin, lock_text, read_lock
from sakaime.packs.manifest import check_names, pack_tree
from sakaime.packs.transports.git import address


@pytest.mark.parametrize(
    ("source", "url", "protocols"),
    [
        ("git+https://git.example.com/acme/rules.git", "https://git.example.com/acme/rules.git", "https:ssh"),
        ("git+https://git.example.com:8443/acme/rules", "https://git.example.com:8443/acme/rules", "https:ssh"),
        ("git+ssh://git@git.example.com/acme/rules.git", "ssh://git@git.example.com/acme/rules.git", "https:ssh"),
        ("git+ssh://git@git.example.com:22/rules.git", "ssh://git@git.example.com:22/rules.git", "https:ssh"),
        ("git+ssh://git@git.example.com:acme/rules.git", "git@git.example.com:acme/rules.git", "ssh"),
        ("git+file:///srv/git/rules.git", "file:///srv/git/rules.git", "file"),
    ],
)
def test_addresses(source: str, url: str, protocols: str) -> None:
    assert address(source) == (url, protocols)


@pytest.mark.parametrize(
    "source",
    [
        "git+https://", "git+https:///x", "git+https://host", "git+https://-o/x", "git+ssh://-oProxyCommand=x@h/y",
        "git+ssh://git@-h:x", "git+ssh://git@h:-x", "git+ssh://u:p@h/x", "git+https://token@h/x", "git+file://h/x",
        "git+https://a b/c", "git+https://h\n/c",
    ],
)  # fmt: skip
def test_bad_addresses(source: str) -> None:
    with pytest.raises(UserError):
        address(source)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=30))
def test_an_accepted_name_stays_inside_the_folder(name: str) -> None:
    try:
        check_names([name], "p")
    except UserError:
        return
    assert os.path.normpath(os.path.join("/a/b", name)).startswith("/a/b/")
    assert "\\" not in name and "\0" not in name and "\n" not in name


NAMES = st.from_regex(r"[a-z0-9]{1,9}([-_][a-z0-9]{1,5})?", fullmatch=True)
HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)
PLAIN = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\x7f"), max_size=20)
FILES = st.dictionaries(st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8})?\.yaml", fullmatch=True), HEX, max_size=3)
PINS = st.builds(
    lambda digest, source, ref, path, files: Pin.model_validate(
        {"version": "1.0.0", "digest": digest, "from": source, "ref": ref, "path": path, "files": files}
    ),
    *(HEX, PLAIN.filter(bool), PLAIN, PLAIN, FILES),
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(NAMES, PINS, max_size=4))
def test_a_lock_reads_back_as_it_was_written_in_any_order(pins: dict[str, Pin]) -> None:
    text = lock_text(pins)
    assert read_lock(text) == pins
    assert lock_text(dict(reversed(pins.items()))) == text
    assert text.endswith(b"\n")


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_as_a_lock_are_read_or_refused(data: bytes) -> None:
    try:
        read_lock(data)
    except UserError as error:
        assert error.path == "sakaime.lock"


def test_the_cache_gives_back_what_was_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAKAIME_CACHE", str(tmp_path / "c"))
    files = {"pack.yaml": pack_text().encode(), "a/b.yaml": b"words: {x: [y]}\n", "READ ME": b"\xff\0"}
    tree = pack_tree(files, "s", "w")
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert store.get(tree.digest, hashes, "s") is None
    store.put(tree)
    store.put(tree)
    found = store.get(tree.digest, hashes, "s")
    assert found is not None
    assert (found.files, found.digest) == (tree.files, tree.digest)
    with pytest.raises(CannotJudge, match="does not belong to the pack"):
        store.get(tree.digest, {"pack.yaml": hashes["pack.yaml"]}, "s")


def test_a_file_in_place_of_the_cache_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c").write_text("")
    monkeypatch.setenv("SAKAIME_CACHE", str(tmp_path / "c"))
    with pytest.raises(CannotJudge, match="cannot write the pack cache"):
        store.put(pack_tree({"pack.yaml": pack_text().encode()}, "s", "w"))
