"""Packs from other people: patterns made to hang a judge, very many rules, and bytes at random."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo, sakaime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packs_fixtures import Box, extends

from sakaime.judge import judge
from sakaime.material.sources import buffer
from sakaime.model import UserError
from sakaime.packs.manifest import pack_tree
from sakaime.policy import cache, yamltext
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING

RULE = """\
  - id: {id}
    tactic: waive
    title: asks to wave a change through
    message: "“{{match}}” asks to wave the change through"
    all: ['{pattern}']
    examples: {{bad: [a, b], good: [c, d]}}
"""


def text_of(*patterns: str, name: str = "acme") -> str:
    head = f"sakaime: 1\npack: {name}\nversion: 1.0.0\ninstructions:\n"
    return head + "".join(RULE.format(id=f"r{n}", pattern=pattern) for n, pattern in enumerate(patterns))


def policy_of(*texts: str | bytes) -> Policy:
    """The policy of a pack of some files."""
    data = [text.encode() if isinstance(text, str) else text for text in texts]
    files = {"pack.yaml" if n == 0 else f"{n}.yaml": part for n, part in enumerate(data)}
    return compile_policy([read_pack(pack_tree(files, "test", "acme"))], NOTHING, None, "2026-01-01")


# Each of these takes a backtracking engine longer than the universe has, or all of its memory.
EXPLODING = [
    "(a+)+$",
    "(a|a)*c",
    "(a*)*b",
    "(?:a?){500}a{500}",
    "(.*)*(.*)*(.*)*x",
    "([a-z]+)*[0-9]+!",
    "(?:(?:(?:a{1,10}){1,10}){1,9})+c",
    r"(?i)(\pL+\s?)+;",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(x+x+)+y",
]
HOSTILE = ["a" * 50_000 + "!", "a" * 50_000, "aa " * 20_000, "x" * 50_000, "あ" * 20_000, "a\n# " * 5000]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_an_exploding_pattern_does_not_explode(hostile: str) -> None:
    judgement = judge(policy_of(text_of(*EXPLODING)), buffer("a.py", None, f"# {hostile}\n# ;\n\n# aaa\n".encode()))
    assert judgement.scope.unjudged == ()
    assert "acme/r0" in {f.rule for f in judgement.findings if f.span.start.line == judgement.scope.added_lines}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(x{1,1000}){1,1000}", "invalid repetition size"),
        ("((a{100}){100}){100}", "invalid repetition size"),
        ("x{1001}", "invalid repetition size"),
        (r"\pL{1000}\PN{1000}\pL{1000}\PS{1000}\PM{1000}\pL{1000}", "pattern too large"),
    ],
)
def test_a_pattern_that_is_too_big_is_a_mistake_with_its_place(tmp_path: Path, pattern: str, words: str) -> None:
    box = Box(tmp_path)
    repo = box.repository("repo", {"packs/acme.yaml": text_of("fine", pattern)})
    done = box.run(repo, "pack", "check", "packs/acme.yaml")
    assert done.returncode == 1
    assert "packs/acme.yaml:15:11: rule 'r1', pattern " in done.stdout
    assert words in done.stdout
    (repo / "sakaime.toml").write_text(extends("./packs/acme.yaml", "acme"))
    done = box.run(repo, "pack", "sync")
    assert (done.returncode, done.stdout) == (2, "")
    assert "packs/acme.yaml:15:11: rule 'r1', pattern " in done.stderr
    assert words in done.stderr


def test_a_locked_pack_with_such_a_pattern_judges_nothing(tmp_path: Path) -> None:
    """Whoever forges the lock as well gets no half policy."""
    import hashlib

    box = Box(tmp_path)
    repo = box.repository(
        "repo", {"packs/acme.yaml": text_of("fine"), "sakaime.toml": extends("./packs/acme.yaml", "acme")}
    )
    assert box.run(repo, "pack", "sync").returncode == 0
    bad = text_of("(x{1,1000}){1,1000}").encode()
    (repo / "packs/acme.yaml").write_bytes(bad)
    lock = (repo / "sakaime.lock").read_text()
    before = text_of("fine").encode()
    lock = lock.replace(hashlib.sha256(before).hexdigest(), hashlib.sha256(bad).hexdigest())
    old, new = (pack_tree({"pack.yaml": data}, "", "").digest for data in (before, bad))
    lock = lock.replace(old, new)
    (repo / "sakaime.lock").write_text(lock)
    (repo / "a.py").write_text("# fine\n")
    box.git(repo, "add", "-A")
    done = box.run(repo, "check")
    assert (done.returncode, done.stdout) == (2, "")
    assert "packs/acme.yaml:9:11: rule 'r0', pattern '(x{1,1000}){1,1000}'" in done.stderr


def test_ten_thousand_rules_load_and_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAKAIME_CACHE", str(tmp_path))
    form = "  - {{id: r{n}, tactic: cap, title: t, message: m, all: ['(?i)stamp{n}\\b'], examples: {examples}}}\n"
    made = (form.format(n=n, examples="*same" if n else "&same {bad: [a, b], good: [c, d]}") for n in range(10_000))
    policy = policy_of("sakaime: 1\npack: acme\nversion: 1.0.0\ninstructions:\n" + "".join(made))
    assert len(policy.rules) == 10_000
    cache.store("key", policy)
    loaded = cache.load("key")
    assert loaded is not None
    lines = [f"# Stamp{n} this\n" for n in (0, 4711, 9999, 10_000)]
    for text in ("".join(lines), "x = 1\n" * 20_000 + "".join(lines)):
        for one in (policy, loaded):
            found = judge(one, buffer("a.py", None, text.encode())).findings
            assert [f.rule for f in found] == ["acme/r0", "acme/r4711", "acme/r9999"]


def test_what_is_written_out_is_no_flood_and_what_aliases_repeat_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamltext, "_UNFOLDED", 1000)
    assert len(yamltext.parse(b"[" + b"a, " * 1500 + b"a]", "p").data) == 1501
    assert len(yamltext.parse(b"a: &a [x, x]\nb: [" + b"*a, " * 300 + b"]", "p").data["b"]) == 300
    with pytest.raises(UserError, match="unfolds to more than 1000 values"):
        yamltext.parse(b"a: &a [x, x]\nb: [" + b"*a, " * 400 + b"]", "p")


FRAGMENTS = [
    "a",
    "b+",
    "(a|b)*",
    "[^a]",
    "\\\\b",
    "\\\\pL+",
    "承認",
    "(?i)Note",
    ".*",
    "^",
    "$",
    "x{2,3}",
    "\\\\s",
    "{few}",
    "é",
    "\\\\C",
    "(",
    ")",
]
BYTES = [
    b"a",
    b"b ",
    b"note",
    "承認".encode(),
    b"x",
    b"\n",
    b"\r\n",
    b"# ",
    b"/* ",
    b"*/",
    b'"',
    b"\0",
    b"\xff",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"- ",
]
BYTES += [
    b"sakaime: allow p/r0 -- why",
    b"sakaime: allow",
    b"```\n",
    b"\xed\xa0\x80",
    "\u202e\u200b\u0301".encode(),
    b"e\xcc\x81",
    b"\x85",
    b"\xe2\x80\xa8",
]
patterns = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join)
sides = st.none() | st.lists(st.sampled_from(BYTES) | st.binary(max_size=8), max_size=25).map(b"".join)
rules = st.fixed_dictionaries(
    {
        "all": st.lists(patterns, max_size=2),
        "any": st.lists(patterns, max_size=2),
        "none": st.lists(patterns, max_size=1),
        "unit": st.sampled_from(["line", "sentence", "paragraph"]),
        "within": st.sampled_from([1, 5, 80, 10_000]),
        "places": st.lists(st.sampled_from(["comment", "prose", "string", "message"]), min_size=1, unique=True),
        "severity": st.sampled_from(["error", "warning", "info"]),
    }
)
FIXED = {"tactic": "cap", "title": "t", "message": "{match}", "examples": {"bad": ["a", "b"], "good": ["c", "d"]}}
PATHS = ["a.py", "b.md", "c.yaml", "d.json", "e.html", "f", "g.c", "h\udcff.py", "i\n.md", "j.bat", ".gitattributes"]
PATHS += [".pre-commit-config.yaml", "sakaime-baseline.json", "sakaime.toml", "k.tex", "l.sql"]


def random_pack(made: list[dict[str, object]]) -> str:
    instructions = [{"id": f"r{n}", **FIXED, **rule} for n, rule in enumerate(made)]
    pack = {"sakaime": 1, "pack": "p", "version": "1.0.0", "words": {"few": ["at most", "re:a+"]}}
    return json.dumps({**pack, "instructions": instructions}, ensure_ascii=False)


@settings(max_examples=250, deadline=None)
@given(
    st.lists(rules, min_size=1, max_size=3), sides, sides.filter(lambda side: side is not None), st.sampled_from(PATHS)
)
def test_any_pack_on_any_bytes_gives_findings_that_lie_in_the_text_or_a_mistake(
    made: list[dict[str, object]], old: bytes | None, new: bytes, path: str
) -> None:
    from sakaime.report import FORMATS, Context, renderer

    try:
        policy = policy_of(random_pack(made))
    except UserError as error:
        assert error.path == "acme"
        return
    judgement = judge(policy, buffer(path, old, new))
    lines = new.count(b"\n") + 1
    for finding in judgement.findings:
        assert 1 <= finding.span.start.line <= finding.span.end.line <= lines
        assert finding.span.start.column >= 1
    for form in FORMATS:
        assert renderer(form)(judgement, Context(policy)) or form == "github"


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=80) | st.lists(rules, min_size=1, max_size=3).map(random_pack).map(str.encode), sides, sides)
def test_any_pack_through_the_command(
    tmp_path_factory: pytest.TempPathFactory, pack: bytes, old: bytes | None, new: bytes | None
) -> None:
    repo = Repo(tmp_path_factory.mktemp("hostile"))
    repo.write("p.yaml", pack)
    for name, side in (("a.py", old), ("b.md", old)):
        if side is not None:
            repo.write(name, side)
    repo.write("sakaime.toml", extends("./p.yaml", "p"))
    synced = sakaime("pack", "sync", cwd=repo.path)
    assert synced.returncode in (0, 2), synced.stderr
    repo.git("-c", "core.autocrlf=false", "add", "-A")
    repo.commit()
    for name in ("a.py", "b.md"):
        repo.write(name, new or b"")
    repo.git("-c", "core.autocrlf=false", "add", "-A")
    done = sakaime("check", "--format", "json", cwd=repo.path)
    assert done.returncode in ((0, 1, 3) if synced.returncode == 0 else (3,)), done.stderr
    assert bool(done.stdout) == (synced.returncode == 0)
    assert sakaime("pack", "test", "p.yaml", cwd=repo.path).returncode in (0, 1, 2)
