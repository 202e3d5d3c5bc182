"""`sakaime pack check` and `sakaime pack test`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from packs_fixtures import Box, pack_text


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def put(box: Box, name: str, text: str | bytes) -> str:
    path = box.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


HEAD = "sakaime: 1\npack: acme\nversion: 1.0.0\n"
BOMB = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))


def test_a_pack_in_order_is_one_line(box: Box) -> None:
    put(box, "p/pack.yaml", pack_text())
    done = box.run(box.folder, "pack", "check", "p/", "p/pack.yaml")
    assert done.returncode == 1  # the same pack twice
    done = box.run(box.folder, "pack", "check", "p")
    assert done.returncode == 0
    assert done.stdout.startswith("acme-review 1.0.0: in order (2 rules, 1 locked), digest ")
    assert done.stdout.count("\n") == 1


def test_every_mistake_is_told_with_its_place(box: Box) -> None:
    text = pack_text(rules=(("a", "x("), ("b", "(?=x)"), ("c", "{nothing}")), locked=())
    put(box, "a.yaml", text)
    put(box, "b.yaml", HEAD + "titel: x\nlocked: [q]\n")
    done = box.run(box.folder, "pack", "check", "a.yaml")
    assert done.returncode == 1
    places = [line.split(": ")[0] for line in done.stdout.splitlines() if line.startswith("a.yaml:")]
    assert places == ["a.yaml:9:11", "a.yaml:18:11", "a.yaml:27:11"]
    assert "(known here: none)\n  Define them below `words`" in done.stdout
    assert done.stdout.count("Patterns are RE2 syntax") == 2
    done = box.run(box.folder, "pack", "check", "a.yaml", "b.yaml")
    assert "b.yaml:4:1: unknown key 'titel'\n  Did you mean 'title'?" in done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a0: &a0 [x, x]\n" + BOMB, "unfolds to more than 200000 values"),
        (HEAD + "pack: acme\n", "p.yaml:4:1: the key 'pack' stands twice (first in line 2)"),
        (HEAD + "instructoins: []\n", "p.yaml:4:1: unknown key 'instructoins'\n  Did you mean 'instructions'?"),
        ("sakaime: 1\npack: Acme!\nversion: 1.0.0\n", "p.yaml:2:1: 'Acme!' is no name: lower-case letters"),
        ("sakaime: 1\npack: acme\nversion: '1.0'\n", "p.yaml:3:1: '1.0' is no version: three numbers, such as 2.1.0"),
        (HEAD + "words: {w: ['re:(?<=a)b']}\n", "p.yaml:4:13: RE2 refuses"),
        (HEAD.replace("1.0.0", "1.0.0-odd"), "p.yaml:3:1: 'version': Value error, '1.0.0-odd' cannot be compared"),
        (
            HEAD + "uses: [eno]\n",
            "p.yaml:4:8: uses the words of pack 'eno', which is not in force\n  Did you mean 'en'?",
        ),
        (HEAD + "needs: {sakaime: '>=99'}\n", "p.yaml:4:9: pack acme needs sakaime >=99"),
        (HEAD + "files: {../x: y}\n", "p.yaml/pack.yaml:1:1: ../x is listed in pack.yaml and missing"),
        (b"\xff\xfe", "p.yaml:1:1: is not UTF-8 at byte 0"),
        ("[" * 2000, "p.yaml:1:"),
        ("!!python/object/apply:os.system ['touch ran']", "p.yaml:1:1: must be a mapping"),
        ("", "p.yaml:1:1: is empty"),
        ("\0", "p.yaml:1:1: is not valid YAML"),
    ],
)
def test_a_hostile_pack_is_refused_with_its_place(box: Box, text: str | bytes, words: str) -> None:
    put(box, "p.yaml", text)
    done = box.run(box.folder, "pack", "check", "p.yaml")
    assert (done.returncode, done.stderr) == (1, "")
    assert words in done.stdout
    assert not (box.folder / "ran").exists()


def test_a_file_of_100_mb_is_refused_unread(box: Box) -> None:
    put(box, "p/pack.yaml", pack_text())
    with open(box.folder / "p" / "big.bin", "wb") as file:
        file.truncate(100 << 20)
    done = box.run(box.folder, "pack", "check", "p")
    assert done.returncode == 1
    assert "p/big.bin is larger than" in done.stdout


def test_too_many_files_are_refused(box: Box) -> None:
    put(box, "p/pack.yaml", pack_text())
    for number in range(1100):
        put(box, f"p/{number}", "")
    assert "p holds more than 1000 files" in box.run(box.folder, "pack", "check", "p").stdout


@pytest.mark.skipif(os.name != "posix", reason="needs symlinks and pipes")
def test_what_is_no_regular_file_is_refused(box: Box) -> None:
    put(box, "p/pack.yaml", pack_text())
    (box.folder / "p" / "x.yaml").symlink_to("/etc/passwd")
    assert "p/x.yaml is a symlink" in box.run(box.folder, "pack", "check", "p").stdout
    (box.folder / "p" / "x.yaml").unlink()
    os.mkfifo(box.folder / "p" / "x.yaml")
    assert "p/x.yaml is not a regular file" in box.run(box.folder, "pack", "check", "p").stdout
    (box.folder / "p" / "x.yaml").unlink()
    (box.folder / "p" / "sub").symlink_to(box.folder)
    assert "p/sub is a symlink" in box.run(box.folder, "pack", "check", "p").stdout


def test_naming_pack_yaml_names_its_folder(box: Box) -> None:
    put(box, "p/pack.yaml", pack_text())
    put(box, "p/more.yaml", "words: {x: ['re:(']}\n")
    for where, name, place in (
        (box.folder, "p/pack.yaml", "p/more.yaml"),
        (box.folder / "p", "pack.yaml", "./more.yaml"),
    ):
        done = box.run(where, "pack", "check", name)
        assert done.returncode == 1
        assert done.stdout.startswith(f"{place}:1:13: RE2 refuses"), done.stdout


def test_listed_files_are_all_and_as_listed(box: Box) -> None:
    import hashlib

    digest = hashlib.sha256(b"read me").hexdigest()
    put(box, "p/pack.yaml", pack_text() + f"files: {{README: {digest}}}\n")
    put(box, "p/README", "read me")
    assert box.run(box.folder, "pack", "check", "p").returncode == 0
    put(box, "p/README", "read me!")
    assert "README is not the file that pack.yaml lists" in box.run(box.folder, "pack", "check", "p").stdout
    put(box, "p/README", "read me")
    put(box, "p/more", "")
    assert "more is not listed in pack.yaml" in box.run(box.folder, "pack", "check", "p").stdout


def test_a_path_that_is_not_there_is_a_broken_call(box: Box) -> None:
    done = box.run(box.folder, "pack", "check", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere: there is no such file or folder" in done.stderr


def test_the_shipped_packs_do_what_their_examples_say(box: Box) -> None:
    done = box.run(box.folder, "pack", "test")
    assert done.returncode == 0, done.stdout
    assert all("examples come out as they say" in line for line in done.stdout.splitlines())


def test_examples_that_come_out_wrong_are_shown(box: Box) -> None:
    text = pack_text(rules=(("stamp", "rubberstamp"),), locked=())
    text = text.replace('"rubberstamp now"', '"stamp now"').replace('"all is well"', '"first line\\nrubberstamp it"')
    put(box, "p.yaml", text)
    done = box.run(box.folder, "pack", "test", "p.yaml")
    assert done.returncode == 1
    assert done.stdout == (
        "acme-review/stamp: bad example 2, judged as example.txt: the rule does not report it\n"
        "    | stamp now\n"
        "    no rule in force reports anything here\n"
        "acme-review/stamp: good example 2, judged as example.txt: the rule reports it\n"
        "    | first line\n"
        "    | rubberstamp it\n"
        "    2:1 acme-review/stamp: rubberstamp\n"
        "acme-review 1.0.0: 1 rule, 2 of 4 examples come out as they say\n"
    )


@pytest.mark.parametrize("places", ["prose", "message", "comment", "string", "string, comment", "message, string"])
def test_an_example_goes_where_the_rule_looks(box: Box, places: str) -> None:
    text = pack_text(locked=()).replace("[comment, prose, string, message]", f"[{places}]")
    text = text.replace('"rubberstamp now"', '"# rubberstamp now"').replace('"wavethrough now"', '"# wavethrough"')
    put(box, "p.yaml", text)
    done = box.run(box.folder, "pack", "test", "p.yaml")
    assert done.returncode == 0, done.stdout


def test_an_example_with_a_path_is_judged_as_that_file(box: Box) -> None:
    text = pack_text(rules=(("stamp", "rubberstamp"),), locked=()).replace(
        "    examples:\n", "    paths: {include: ['*.md']}\n    examples:\n"
    )
    put(box, "p.yaml", text)
    assert box.run(box.folder, "pack", "test", "p.yaml").returncode == 1
    for old in ("# rubberstamp this, please", "rubberstamp now"):
        text = text.replace(f'"{old}"', f'{{path: a.md, text: "{old}"}}')
    put(box, "p.yaml", text.replace('"# nothing to see"', '{path: a.txt, text: "rubberstamp"}'))
    done = box.run(box.folder, "pack", "test", "p.yaml")
    assert done.returncode == 0, done.stdout


def test_a_rule_is_tested_alone(box: Box) -> None:
    """Another rule that says the same of the same words does not hide that this one works."""
    put(box, "p.yaml", pack_text(rules=(("a", "rubberstamp"), ("b", "rubberstamp")), locked=()))
    done = box.run(box.folder, "pack", "test", "p.yaml")
    assert done.returncode == 0, done.stdout
