"""The fence around the material: two lines that provably occur nowhere in what they enclose."""

from __future__ import annotations

import codecs
import secrets
import unicodedata

from sakaime.model import CannotJudge, Record, UserError
from sakaime.text.chars import INVISIBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CANDIDATES = ("---", "```", "~~~", "===", "<<<MATERIAL")
NONCE = "{nonce}"
_TRIES = 8
_WINDOW = 1 << 20


class Fence(Record):
    """The opening and closing line, the random part in both, and how often it occurs in the texts: never."""

    open: str
    close: str
    nonce: str
    count: int


def count(material: bytes, delimiter: str) -> int:
    """How often a delimiter occurs in some bytes, occurrences not overlapping."""
    return material.count(delimiter.encode())


def delimiters(diff: bytes, added: bytes) -> dict[str, dict[str, int]]:
    """How often each usual delimiter occurs in the whole diff and in its added lines alone."""
    return {mark: {"diff": count(diff, mark), "added": count(added, mark)} for mark in CANDIDATES}


def random_nonce() -> str:
    """128 random bits as hexadecimal digits."""
    return secrets.token_hex(16)


def draw(marks: tuple[str, str], texts: Iterable[bytes], new_nonce: Callable[[], str] = random_nonce) -> Fence:
    """A fence whose random part occurs in none of the texts.

    `marks` are the opening and the closing line with `{nonce}` in each; `texts` is everything that the
    fence encloses or stands beside, complete and not changed afterwards. The random part is looked for in the
    bytes and in what a reader may take them for: other case, compatibility forms (NFKC), invisible
    marks between the letters. As both lines contain it, a text without it contains neither. Raises
    `UserError` when a mark has no `{nonce}`, `CannotJudge` when no draw is free.
    """
    for mark in marks:
        if NONCE not in mark or "\n" in mark:
            raise UserError(
                f"the fence mark {mark!r} is not one line with {NONCE} in it",
                way_out='Write it like this: review: {fence: ["<<<MATERIAL {nonce}", "MATERIAL {nonce}>>>"]}',
            )
    frozen = tuple(texts)
    for _ in range(_TRIES):
        nonce = new_nonce()
        found = sum(occurrences(text, nonce) for text in frozen)
        if not found:
            return Fence(marks[0].replace(NONCE, nonce), marks[1].replace(NONCE, nonce), nonce, found)
    raise CannotJudge(f"{_TRIES} random fences in a row occur in the material")


def occurrences(data: bytes, word: str) -> int:
    """How often a word occurs in some bytes as they are, and again as a reader may take them.

    What is no UTF-8 is taken as U+FFFD. Memory stays within a few windows, time is linear.
    """
    folded = fold(word)
    found = count(data, word)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    carried = ""
    for at in range(0, len(data), _WINDOW):
        text = carried + fold(decoder.decode(data[at : at + _WINDOW]))
        found += text.count(folded)
        carried = text[len(text) - len(folded) + 1 :]
    return found + (carried + fold(decoder.decode(b"", True))).count(folded)


class _Folded(dict[int, str]):
    """One character in its compatibility form and without case; nothing for an invisible one.

    Character by character, marks are not composed with the letter before them. So more is found than in
    the NFKC form of the whole text, and a long run of marks costs no more than linear time.
    """

    def __missing__(self, code: int) -> str:
        character = chr(code)
        text = "" if character in INVISIBLE else unicodedata.normalize("NFKC", character).casefold()
        self[code] = text
        return text


_FOLDED = _Folded()


def fold(text: str) -> str:
    """A text without case, compatibility forms and invisible marks."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)
