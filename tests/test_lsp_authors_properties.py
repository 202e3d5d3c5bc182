"""Whatever is typed, into whatever text: an answer, and ranges that are in the text."""

from __future__ import annotations

import pytest
from authors_fixtures import PACK, PATHS, shipped
from conftest import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sakaime.lsp.authors import complete, diagnose, hover, kind, lenses
from sakaime.lsp.authors.outline import outline, pieces
from sakaime.policy.tomlplaces import toml_places, toml_standing

SETTINGS = """\
# what we change
[[extends]]
pack = "acme"
from = "git+https://example.com/x.git"
[rules."en/cap"]
severity = 'info'   # for now
paths = {include = ["docs/**", "*.md"], exclude = []}
reason = \"\"\"
why \\u00e9
\"\"\"
until = 2999-01-01
[criteria]
paths = [
  "REVIEW.md",
]
[[allow]]
rule = "ja/cap"
line = "x = \\"1\\""
reason = 'it is so'
"""
LOCK = f"""\
sakaime = 1
[packs.acme]
version = "1.0.0"
digest = "{"0" * 64}"
from = "acme.yaml"
[packs.acme.files]
"pack.yaml" = "{"1" * 64}"
"""
FULL = PACK + (
    "risks:\n  - {id: r, title: t, message: m, line: '\\bx\\b', topics: [ab], paths: {include: ['**']},\n"
    '     examples: {bad: [{path: a.py, text: x}, {path: b.py, text: "x\\n"}], good: [{path: a, text: |-\n'
)
SHIPPED = [(ROOT / "rules" / name).read_text("utf-8") for name in ("core.yaml", "ladders/ko.yaml")]
REAL = {
    "pack": [PACK, FULL, *SHIPPED],
    "settings": [SETTINGS],
    "pyproject": ["[tool.sakaime]\n" + SETTINGS.replace("[rules", "[tool.sakaime.rules"), "[tool.ruff]\nx = 1\n"],
    "lock": [LOCK],
}
PARTS = st.sampled_from(
    ["sakaime: 1\n", "pack: a\n", "words:\n", "instructions:\n", "  - ", "    ", "id: ", "all: ", "examples: ", "bad",
     "\n", "\r\n", "\r", "\t", ": ", ":", "- ", "#", "[", "]", "{", "}", "{few}", '"', "'", '"""', "'''", "\\", "\\x",
     "|", ">-\n", "&a ", "*a", "!", "%", "@", "?", ",", ".", "=", "[[allow]]", '[rules."en/cap"]', "rule", "severity",
     "(", "(?=", "1", "é", "日本", "\ufeff", "\u2028", "\x0c", "\0", "\ud800", "😀", "\ufdd0"]
)  # fmt: skip


def answers(which: str, text: str, offset: int) -> None:
    """Asks everything, and looks at the ranges."""
    size = len(text)
    kind(PATHS[which], text)
    for one in complete(which, text, offset, shipped()):
        assert 0 <= one.start <= offset <= one.end <= size
        assert "\n" not in text[one.start : one.end]
    told = hover(which, text, offset, shipped())
    assert told is None or 0 <= told.start <= offset <= told.end <= size
    for mistake in diagnose(which, None, PATHS[which], text, shipped()):
        assert 0 <= mistake.start <= mistake.end <= size
        assert mistake.message
        assert mistake.end > mistake.start or not size
    for lens in lenses(which, None, PATHS[which], text, shipped(), ""):
        assert 0 <= lens.start <= lens.end <= size


@pytest.mark.parametrize("which", REAL)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_beginning_of_a_real_text_can_be_written_on(which: str, data: st.DataObject) -> None:
    real = data.draw(st.sampled_from(REAL[which]))
    text = real[: data.draw(st.integers(0, len(real)))]
    answers(which, text, data.draw(st.integers(0, len(text))))


@pytest.mark.parametrize("which", REAL)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_anything_can_be_typed_into_a_real_text(which: str, data: st.DataObject) -> None:
    real = data.draw(st.sampled_from(REAL[which]))
    start = data.draw(st.integers(0, len(real)))
    end = min(len(real), start + data.draw(st.integers(0, 30)))
    typed = "".join(data.draw(st.lists(PARTS, max_size=6)))
    text = real[:start] + typed + real[end:]
    answers(which, text, data.draw(st.integers(start, start + len(typed))))


@pytest.mark.parametrize("which", REAL)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parts=st.lists(PARTS, max_size=40), data=st.data())
def test_any_text_is_answered(which: str, parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    answers(which, text, data.draw(st.integers(0, len(text))))


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(PARTS, max_size=60))
def test_an_outline_stays_inside_its_text(parts: list[str]) -> None:
    text = "".join(parts)
    every = outline(text)
    for number, entry in enumerate(every.entries):
        assert entry.parent < number
        for start, end in (entry.key, entry.value):
            assert (start, end) == (-1, -1) or 0 <= start <= end <= len(text)
        if entry.value[0] >= 0:
            written = list(pieces(text, entry.value))
            assert all(entry.value[0] <= start < end <= entry.value[1] for _, start, end in written)
        every.path(number)


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(PARTS, max_size=60))
def test_toml_that_is_none_yet_has_places_all_the_same(parts: list[str]) -> None:
    text = "".join(parts)
    toml_standing(text)
    lines = text.count("\n") + 1
    assert all(1 <= line <= lines and column >= 1 for line, column in toml_places(text).values())
