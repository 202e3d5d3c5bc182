"""A note that is found in the open is found in every disguise, and a mark with a reason changes nothing."""

from __future__ import annotations

import base64
import codecs
import random
import re
import textwrap
import urllib.parse
from collections.abc import Callable
from functools import lru_cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judging_fixtures import found, shipped_examples, shipped_policy, touches

from sakaime.judge import judge
from sakaime.material.change import Material
from sakaime.material.sources import whole_file
from sakaime.text.confusables import CYRILLIC_LIKE, LATIN_LIKE

OPEN = [("a.md", "{}\n"), ("a.py", "# {}\n"), ("a.py", 'x = "{}"\n')]
EXAMPLES = ("en", "ja", "zh", "ko")


def plain(text: str) -> str:
    """An example as one line, without the signs of comments and mark-up around it."""
    return " ".join(text.strip("#/-*<>!;%\"' \n").split())


def caught(path: str, text: str) -> bool:
    return any(finding.severity != "info" for finding in found(shipped_policy(), path, text))


@lru_cache
def notes(pack: str) -> tuple[str, ...]:
    """Bad examples that are found as prose, as a comment and as a string alike: some rules look at one of them only."""
    lines = [plain(text) for text in shipped_examples(pack) if "\n" not in text.strip()]
    # What a quote, a bracket or a backslash inside of it ends is a matter of the carrier.
    lines = [line for line in lines if not set(line) & set("\"'\\[]<>&`|*_{}()") and len(line.encode()) >= 24]
    return tuple(line for line in lines if all(caught(path, text.replace("{}", line)) for path, text in OPEN))


@pytest.mark.parametrize("pack", EXAMPLES)
def test_most_bad_examples_are_found_wherever_they_stand(pack: str) -> None:
    assert len(notes(pack)) > 10


Way = Callable[[str, random.Random], str]


def between_letters(mark: str) -> Way:
    def way(note: str, _: random.Random) -> str:
        # Before a blank or a full stop it is a slip, and parts no word.
        return "".join(c + mark * (c + after).isalpha() for c, after in zip(note, note[1:] + " ", strict=True))

    return way


HOMOGLYPHS: dict[str, str] = {}
for _like, _letter in sorted(LATIN_LIKE.items()):
    if "\u0400" <= _like <= "\u04ff" and _like.islower() == _letter.islower():
        HOMOGLYPHS.setdefault(_letter, _like)


def homoglyphs(note: str, _: random.Random) -> str:
    # A word that is foreign as a whole may be one of its language; mixed ones are not.
    return re.sub("[A-Za-z]+", lambda word: word[0][:1] + "".join(HOMOGLYPHS.get(c, c) for c in word[0][1:]), note)


LATIN_TWINS = {ord(letter): latin for latin, letter in CYRILLIC_LIKE.items()}


def latin_in_cyrillic(note: str, _: random.Random) -> str:
    return re.sub("[а-яА-Я]{2,}", lambda word: word[0][:1] + word[0][1:].translate(LATIN_TWINS), note)


def selectors(note: str, _: random.Random) -> str:
    return "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in note.encode())


def wrapped(note: str, _: random.Random) -> str:
    return "\n".join(textwrap.wrap(base64.b64encode(note.encode()).decode(), 60))


def escaped(note: str, choice: random.Random) -> str:
    forms = [
        lambda c: "".join(f"\\x{byte:02x}" for byte in c.encode()),
        lambda c: "".join(f"\\u{unit:04x}" for unit in memoryview(c.encode("utf-16-le")).cast("H")),
        lambda c: f"\\U{ord(c):08x}",
    ]
    form = choice.choice(forms)
    return "".join(map(form, note))


def entities(note: str, choice: random.Random) -> str:
    form = choice.choice(["&#{};", "&#x{:x};"])
    return "".join(form.format(ord(c)) for c in note)


def split(glue: str) -> Way:
    """In two to four literals; cut inside of words, too: of letters at both sides, a compiler makes one word."""

    def way(note: str, choice: random.Random) -> str:
        # A literal of blanks alone has no text to join, and so parts its neighbours.
        places = [at for at in range(2, len(note) - 2) if note[at - 1 : at + 1].strip() == note[at - 1 : at + 1]]
        places += [at for at in range(2, len(note) - 2) if note[at] == " "]
        cuts = sorted(choice.sample(places, choice.randint(1, 3)))
        pieces = [note[first:last] for first, last in zip([0, *cuts], [*cuts, len(note)], strict=True)]
        return glue.join(f'"{piece}"' for piece in pieces)

    return way


# Name, file, what is around the note there, the way, and the packs whose notes it can carry.
ROT13 = "for this and that: "
LATIN, ALL = ("en",), EXAMPLES
WAYS: list[tuple[str, str, str, Way, tuple[str, ...]]] = [
    ("zero-width", "a.py", "# {}\n", between_letters("\u200b"), ALL),
    ("word joiner", "a.md", "{}\n", between_letters("\u2060"), ALL),
    ("soft hyphen", "a.py", "# {}\n", lambda note, _: "\u00ad".join(note), LATIN),
    # Tags copy ASCII.
    ("tags", "a.py", "x = 1  # \U0001f642{}\n", lambda note, _: "".join(chr(0xE0000 + ord(c)) for c in note), LATIN),
    ("variation selectors", "a.md", "Faster \U0001f642{} start\n", selectors, ALL),
    ("reversed", "a.c", "// \u202e{}\u202c\n", lambda note, _: note[::-1], ALL),
    ("homoglyphs", "a.py", "# {}\n", homoglyphs, LATIN),
    ("homoglyphs in Cyrillic", "a.py", "# {}\n", latin_in_cyrillic, ("ru",)),
    ("base64", "a.py", 'x = "{}"\n', lambda note, _: base64.b64encode(note.encode()).decode(), ALL),
    ("base64 wrapped", "a.md", "{}\n", wrapped, ALL),
    ("hex", "a.json", '{"k": "{}"}\n', lambda note, _: note.encode().hex(), ALL),
    ("percent", "a.yaml", "k: {}\n", lambda note, _: "".join(f"%{byte:02X}" for byte in note.encode()), ALL),
    ("percent of a link", "a.md", "[a](https://example.org/?{})\n", lambda note, _: urllib.parse.quote(note), ALL[1:]),
    ("references", "a.html", "<p>\n{}\n</p>\n", entities, ALL),
    ("escapes", "a.js", 'const x = "{}"\n', escaped, ALL),
    # It turns the letters of ASCII only, and is seen by common words of English and its neighbours.
    ("rot13", "a.py", "# {}\n", lambda note, _: codecs.encode(ROT13 + note, "rot13"), LATIN),
    ("comment of a page", "a.md", "Usage\n\n<!-- {} -->\n\nMore\n", lambda note, _: note, ALL),
    ("alternative text", "a.md", "See ![{}](a.png) below\n", lambda note, _: note, ALL),
    ("title", "a.md", 'See [it](a.html "{}") below\n', lambda note, _: note, ALL),
    ("adjacent literals", "a.py", "x = (\n    {}\n)\n", split("\n    "), ALL),
    ("added literals", "a.js", "const x = {};\n", split(" +\n  "), ALL),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "around", "way", "packs"), WAYS, ids=[way[0] for way in WAYS])
def test_a_disguise_keeps_a_note_caught(name: str, path: str, around: str, way: Way, packs: tuple[str, ...]) -> None:
    every = [note for pack in packs for note in notes(pack)]
    # Some rules look for what begins a line.
    before = {"percent of a link": "", "rot13": ROT13}.get(name)
    if before is not None:
        every = [note for note in every if caught(path, around.replace("{}", before + note))]

    @settings(max_examples=60, deadline=None)
    @given(st.sampled_from(every), st.randoms(use_true_random=False))
    def check(note: str, choice: random.Random) -> None:
        covered = way(note, choice)
        text = around.replace("{}", covered)
        start = text.index(covered)
        findings = [
            finding
            for finding in found(shipped_policy(), path, text)
            if finding.severity != "info" and touches(finding, text, start, start + len(covered))
        ]
        # A cut beside what the rule needs splits nothing.
        whole = name.endswith("literals") and any(caught(path, line) for line in covered.split("\n"))
        kinds = {finding.kind for finding in findings if finding.severity == "error"}
        assert findings if whole else {"hidden", "split"} & kinds, (note, text, findings)

    check()


SIGNS = [("a.py", "# "), ("a.c", "// "), ("a.sql", "-- "), ("a.lisp", ";; "), ("a.tex", "% "), ("a.c", " * ")]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(EXAMPLES).flatmap(lambda pack: st.sampled_from(notes(pack))), st.sampled_from(SIGNS), st.data())
def test_a_note_over_the_lines_of_a_comment_is_found(note: str, sign: tuple[str, str], data: st.DataObject) -> None:
    path, lead = sign
    # Words of Latin and Korean are broken between them only; scripts without blanks anywhere.
    places = [at for at, c in enumerate(note) if c == " "] or list(range(1, len(note)))
    cut = data.draw(st.sampled_from(places))
    lines = [note[:cut].rstrip(), note[cut:].lstrip()]
    text = "".join(f"{lead}{line}\n" for line in lines if line)
    text = f"/*\n{text} */\n" if lead == " * " else text
    assert caught(path, text), text


MARKS = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family: joiners of an emoji
    "\u2764\ufe0f\u200d\U0001f525",
    "\u26a0\ufe0f",
    "1\ufe0f\u20e3",
    "\u0915\u094d\u200d\u0937",  # a half form of Devanagari
    "\u0d28\u0d4d\u200d",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian parts its prefixes so
    "\u05d0\u05d1\u05d2\u200f!",
    "\u05d0\u200f (a)",
]  # fmt: skip
LEGITIMATE = "\u200d\ufe0f\u200c\u200f"
FILLER = ["see the notes", "変更の概要", "x", "release 1.2", "これは良い", "안녕하세요"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*MARKS, *FILLER]), min_size=1, max_size=6),
    st.one_of(st.just(""), st.sampled_from(EXAMPLES).flatmap(lambda pack: st.sampled_from(notes(pack)))),
    st.sampled_from(OPEN),
)
@example(MARKS, "", OPEN[0])
def test_marks_with_a_reason_change_nothing(parts: list[str], note: str, carrier: tuple[str, str]) -> None:
    path, around = carrier
    text = around.replace("{}", f"{'. '.join(parts)}. {note}")
    bare = text.translate(dict.fromkeys(map(ord, LEGITIMATE)))
    assert told(path, text) == told(path, bare)


def told(path: str, text: str) -> list[str]:
    material = Material("tree", (whole_file(path, text.encode()),))
    return [
        f"{f.rule} {f.family} {f.kind} {f.severity} {f.excerpt}" for f in judge(shipped_policy(), material).findings
    ]
