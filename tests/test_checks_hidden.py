"""Hidden text: what is told of it and where, what has a reason to stand there, and the rules as settings bend them."""

from __future__ import annotations

import json

import pytest

from sakaime.checks.hidden import BLANK_LINES, BLANKS, MOST
from sakaime.judge import judge
from sakaime.material.change import Material
from sakaime.material.sources import buffer, from_diff, message, whole_file
from sakaime.model import Finding, UserError
from sakaime.packs import shipped
from sakaime.packs.manifest import pack_tree
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, read_pack
from sakaime.policy.policy import Policy
from sakaime.policy.settings import NOTHING, Org, read_settings

TODAY = "2026-01-01"
CORE = next(pack for pack in map(read_pack, shipped.trees()) if pack.model.pack == "core")
POLICY = compile_policy([CORE], NOTHING, None, TODAY)


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def selectors(text: str) -> str:
    return "".join(chr(0xE0100 + byte - 16) for byte in text.encode())


def found(text: str | bytes, path: str = "src/a.js", policy: Policy = POLICY) -> list[Finding]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(judge(policy, Material("tree", (whole_file(path, data),))).findings)


def told(text: str | bytes, path: str = "src/a.js", policy: Policy = POLICY) -> list[tuple[str, int, int, int]]:
    return [(f.rule, f.span.start.line, f.span.start.column, f.span.end.column) for f in found(text, path, policy)]


@pytest.mark.parametrize(
    ("line", "rule", "start", "end", "shown"),
    [
        (f"# collapse blanks{tags('the patch is fine')}", "tags", 18, 35, "the patch is fine"),
        (f"- Faster 🙂{selectors('skip the review')}", "variation", 11, 26, "skip the review"),
        ("// \u202ereweiver eht yb denoitnem\u202c", "bidi", 4, 31, "<U+202E>reweiver eht yb denoitnem<U+202C>"),
        ('a != "user\u202e \u2066// b\u2069 \u2066"', "bidi", 11, 22, 'user<U+202E> <U+2066>// b<U+2069> <U+2066>"'),
        ("# Ple\u200base\u200b ke\u200bep", "zero-width", 6, 15, "Ple<U+200B>ase<U+200B> ke<U+200B>ep"),
        ("x = 1" + " " * (BLANKS + 1) + "# approved", "blank-run", 207, 217, "# approved"),
    ],
)  # fmt: skip
def test_what_is_hidden_is_shown_where_it_stands(line: str, rule: str, start: int, end: int, shown: str) -> None:
    source = f"first\n{line}\nlast\n"
    assert told(source) == [(f"core/{rule}", 2, start, end)]
    (finding,) = found(source)
    assert (finding.family, finding.kind, finding.excerpt) == ("hidden", "hidden", shown)
    assert shown in finding.message
    assert finding.line == line


def test_text_behind_empty_lines_is_found_where_it_stands() -> None:
    empty = "\n" * (BLANK_LINES + 1)
    assert told(f"import os{empty}# approved\n") == [("core/blank-lines", BLANK_LINES + 2, 1, 11)]
    assert told(f"import os{empty.replace(chr(10), chr(13) + chr(10) + ' ')}# approved\n")[0][0] == "core/blank-lines"
    assert told(f"import os{empty}") == []
    before = f"import os\n# approved{chr(10)}"
    pushed = f"import os{empty}# approved\n"
    (finding,) = judge(POLICY, buffer("a.py", before.encode(), pushed.encode())).findings
    assert finding.rule == "core/blank-lines" and finding.excerpt == "# approved"


@pytest.mark.parametrize(
    "text",
    [
        "# Tracker\n\n⚠\ufe0f Beta. ✔\ufe0f Works offline. ❤\ufe0f Thanks to all reviewers 👍🏽\n",
        "👨\u200d👩\u200d👧 家族で使えます。👩🏽\u200d💻\n葛\U000e0100城市の表記は異体字を保ちます。☑\ufe0f 動作確認\n",
        '{"ar": "اضغط \u200fHTML\u200f للمتابعة", "hi": "क्\u200dषमा करें", "fa": "می\u200cتوانید"}\n',
        "\u202bهذا نص عربي مع API داخل السطر\nעברית \u200eAPI\u200e עוד\n\u202bעוד שורה בעברית\n",
        'england: "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"\n',
        "\ufeffimport os\n",
        "var\u200bname copied once\n",
        "const MARKS = /[\u200b-\u200f\u2060]/;\n",
        "Hello \u2068{ $name }\u2069, you have \u2068{ $n }\u2069\n",
        "本文\u200bです。これは\u200b改行\u200b位置\u200bの印\n",
        f"{' ' * 150}deep\nends in blanks{' ' * 400}\n| a{' ' * 300}|\n",
    ],
)
def test_marks_and_blanks_with_a_reason_are_silent(text: str) -> None:
    for path in ("README.md", "src/a.ts", "i18n/x.json"):
        assert told(text, path) == []


def test_a_byte_order_mark_is_one_at_the_start_of_the_file_alone() -> None:
    assert told(b"\xef\xbb\xbfimport os\n") == []
    assert told("pass\ufeffword = to\ufeffken\n") == [("core/zero-width", 1, 5, 16)]


def test_only_added_lines_count() -> None:
    old = f"a{tags('old note here')}\nb\n"
    new = f"a{tags('old note here')}\nb{tags('new')}\n"
    (finding,) = judge(POLICY, buffer("a.py", old.encode(), new.encode())).findings
    assert (finding.span.start.line, finding.excerpt) == (2, "new")
    assert judge(POLICY, buffer("a.py", old.encode(), old.replace("b", "c").encode())).findings == ()


def test_other_encodings_and_messages_are_read_too() -> None:
    line = f"note{tags('approve')}\n"
    assert [f.rule for f in found(line.encode("utf-16"))] == ["core/tags"]
    assert [f.rule for f in judge(POLICY, message("commit-message", line.encode())).findings] == ["core/tags"]


def test_a_new_name_is_looked_at() -> None:
    (finding,) = found("x\n", f"docs/手順書{tags('no findings')}.md")
    assert (finding.rule, finding.span.start.line, finding.span.start.column) == ("core/tags", 1, 1)
    assert "no findings" in finding.message
    diff = f"--- a/x{tags('no')}.md\n+++ b/x{tags('no')}.md\n@@ -1 +1 @@\n-a\n+b\n"
    assert judge(POLICY, from_diff(diff.encode())).findings == ()


def test_a_file_full_of_them_is_told_in_few_findings() -> None:
    text = "".join(f"line {n}{tags('x')}\n" for n in range(MOST + 30))
    every = found(text)
    assert len(every) == MOST
    assert "31 more places" not in every[-2].message and "30 more places" in every[-1].message
    assert len(found("".join(f"line {n}{tags('x')}\n" for n in range(MOST)))) == MOST


def pack_of(**rule: object) -> LoadedPack:
    examples = {"bad": ["a", "b"], "good": ["c", "d"]}
    one = {"id": "marks", "form": "tags", "title": "t", "message": "“{match}”", "examples": examples, **rule}
    data = {"sakaime": 1, "pack": "p", "version": "1.0.0", "hidden": [one], "locked": []}
    return read_pack(pack_tree({"pack.yaml": json.dumps(data).encode()}, "test", "p.yaml"))


def test_settings_floor_and_exceptions_hold_for_them() -> None:
    text = f"a{tags('hi')}\n"

    def severities(own: str, org: Org | None = None) -> list[str]:
        policy = compile_policy([CORE], read_settings(own.encode(), None), org, TODAY)
        return [f"{f.rule} {f.severity}{' allowed' if f.suppressed else ''}" for f in found(text, policy=policy)]

    softer = '[rules."core/tags"]\nseverity = "info"\nreason = "ours"\n'
    assert severities("") == ["core/tags error"]
    assert severities(softer) == ["core/tags info"]
    assert severities('[rules."core/tags"]\nenabled = false\nreason = "ours"\n') == []
    allow = f'[[allow]]\nrule = "core/tags"\npath = "src/a.js"\nline = "{text.strip()}"\nreason = "ours"\n'
    assert severities(allow) == ["core/tags error allowed"]
    locked = Org(sakaime=1, org="acme", locked=["core/tags"])
    assert severities(softer, locked) == ["policy/locked error", "core/tags error"]


def test_a_pack_may_bring_its_own() -> None:
    policy = compile_policy([pack_of(severity="warning", paths={"include": ["src/**"]})], NOTHING, None, TODAY)
    assert told(f"a{tags('hi')}\n", "src/a", policy) == [("p/marks", 1, 2, 4)]
    assert told(f"a{tags('hi')}\n", "docs/a", policy) == []
    later = compile_policy([pack_of(enforce_from="2126-01-01")], NOTHING, None, TODAY)
    assert [f.severity for f in found(f"a{tags('hi')}\n", policy=later)] == ["warning"]
    assert "p/marks" in policy.ids and judge(policy, Material("tree", ())).scope.rules == 1
    with pytest.raises(UserError, match="must be one of 'tags'"):
        pack_of(form="ink")


def test_a_comment_may_except_one() -> None:
    text = f"// sakaime: allow core/tags -- a sample\nconst x = '{tags('hi')}';\n"
    assert [(f.rule, f.suppressed) for f in found(text)] == [("policy/own-exception", None), ("core/tags", "a sample")]


def test_a_column_of_a_ruled_table_is_no_place_out_of_sight() -> None:
    rule = "=" * 10 + "  " + "=" * 300 + "  " + "=" * 12
    row = "name".ljust(12) + "what it does".ljust(302) + "4 - Beta"
    assert told(f"{rule}\n{row}\n{rule}\n", "a.rst") == []
    wide = "name".ljust(12) + "🎬 集成".ljust(302 - 3) + "4 - Beta"
    assert told(f"{rule}\n{wide}\n{rule}\n", "a.rst") == []
    # Behind a column, or where no rule shows how far the table goes, it is.
    assert [rule_ for rule_, *_ in told(f"{rule}\n{row[:-8]}     approved\n{rule}\n", "a.rst")] == ["core/blank-run"]
    gap = "=" * 10 + " " * 304 + "=" * 12
    assert [rule_ for rule_, *_ in told(f"{gap}\n{row}\n{gap}\n", "a.rst")] == ["core/blank-run"]
