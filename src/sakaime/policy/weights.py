"""How much the words of a text speak for what a rule looks for.

A table gives words, and pairs of neighbouring ones, a weight each; the score of a sentence, or of two in a row, is the
sum of them. The weights are those of a linear model (logistic regression on naive Bayes ratios: S. Wang and C. Manning,
"Baselines and Bigrams", 2012), fitted to notes and to harmless texts (docs/weights.md). Where a script has no blanks
between its words, runs of one to three characters stand for words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby, pairwise

from sakaime.model import Record
from sakaime.text.units import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Range: TypeAlias = tuple[int, int]
    Window: TypeAlias = tuple[int, int, tuple[int, ...]]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_LONG, _SHORT = 240, 12  # characters of a sentence that is cut at a comma, and of a rest that is not cut off
_COMMAS = ",;:、"
_GRAMS = (1, 2, 3)
_EDGE = "^"


class Weights(Record):
    """A table: from which score a text is what is looked for, and below which it is none, whatever a pattern says; by
    how many of their letters words are compared; what is added to every score; the weights; and, per tactic, weights of
    another score, the highest of which tells it.

    A policy holds one object of each table: what was scored by it is remembered by that.
    """

    least: int
    doubt: int | None
    stem: int
    bias: int
    words: dict[str, int]
    tactics: tuple[tuple[str, dict[str, int]], ...] = ()

    __hash__ = object.__hash__


def features(text: str, stem: int) -> set[str]:
    """The words of a text, in lower case and cut to so many letters, and the pairs of those that stand together."""
    found: set[str] = set()
    before = _EDGE
    for match in _WORD.finditer(text.lower().replace("’", "'").replace("n't", " not")):
        word = match.group()
        if not word.isascii() and any(map(_is_unspaced, word)):
            found.update(_grams(word))
            before = ""
            continue
        word = "0" if word.isdigit() else word[:stem]
        found.add(word)
        if before:
            found.add(f"{before} {word}")
        before = word
    return found


def _is_unspaced(char: str) -> bool:
    """Whether a letter is of a script without blanks between its words, or of Korean, where they stand seldom enough.

    No regular expression: to compile one of such a range takes longer than to read a sentence so.
    """
    return "\u3005" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _grams(word: str) -> Iterator[str]:
    for unspaced, letters in groupby(word, _is_unspaced):
        if not unspaced:
            continue
        run = "".join(letters)
        for size in _GRAMS:
            for at in range(len(run) - size + 1):
                yield run[at : at + size]


def table(lines: str) -> dict[str, int]:
    """The weights of words, from lines of a number and the words that have it, with commas between.

    Raises `ValueError` for a line that has no number.
    """
    weights: dict[str, int] = {}
    for line in lines.splitlines():
        number, _, words = line.partition(" ")
        if words:
            weights.update(dict.fromkeys(words.split(", "), int(number)))
    return weights


def score(weights: Weights, text: str) -> int:
    """What the words of a text add up to."""
    return weights.bias + sum(weights.words.get(word, 0) for word in features(text, weights.stem))


def tactic(weights: Weights, text: str) -> str:
    """The tactic that the words of a text speak for most; empty where the table has none."""
    words = features(text, weights.stem)
    scores = [(sum(known.get(word, 0) for word in words), name) for name, known in weights.tactics]
    return max(scores)[1] if scores else ""


@lru_cache(maxsize=256)
def stretches(weights: Weights, text: str) -> tuple[tuple[int, int, str], ...]:
    """Where a text scores: (start, end, tactic) of sentences, or of two in a row where neither does alone; ascending
    and apart."""
    chosen: list[Range] = []
    taken: set[int] = set()
    for value, (start, end, numbers) in sorted(_scored(weights, text), key=lambda entry: (len(entry[1][2]), -entry[0])):
        if value >= weights.least and taken.isdisjoint(numbers):
            chosen.append((start, end))
            taken.update(numbers)
    return tuple((start, end, tactic(weights, text[start:end])) for start, end in sorted(chosen))


def doubtful(weights: Weights, text: str, start: int, end: int) -> bool:
    """Whether all that stands around a part of a text scores too low for it to be meant."""
    around = [value for value, (first, last, _) in _scored(weights, text) if first < end and start < last]
    return weights.doubt is not None and bool(around) and max(around) < weights.doubt


@lru_cache(maxsize=256)
def _scored(weights: Weights, text: str) -> tuple[tuple[int, Window], ...]:
    return tuple((score(weights, text[window[0] : window[1]]), window) for window in windows(text))


def windows(text: str) -> list[Window]:
    """(start, end, numbers of the sentences) of what is scored: sentences, and those two in a row."""
    pieces = list(_pieces(text))
    alone = [(start, end, (number,)) for number, (start, end) in enumerate(pieces)]
    pairs = [(first[0], second[1], (number, number + 1)) for number, (first, second) in enumerate(pairwise(pieces))]
    return [*alone, *pairs]


def _pieces(text: str) -> Iterator[Range]:
    """(start, end) of sentences, and of parts of those that are long."""
    for start, end in sentences(text):
        while end - start > _LONG:
            cut = next((at + 1 for at in range(start + _LONG // 2, end) if text[at] in _COMMAS), end)
            if end - cut < _SHORT:
                break
            yield start, cut
            start = cut
        yield start, end
