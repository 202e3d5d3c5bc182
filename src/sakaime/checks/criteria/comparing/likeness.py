"""How much two texts say the same, and which of many may do so.

Dice's coefficient (Dice 1945, Sorensen 1948) over weighted words and over weighted character n-grams, and the share of
the shorter text that stands in the longer one. Candidates come from an inverted index that is asked for the rarest
words of a text only, so that comparing all items of two large documents stays near linear.
"""

from __future__ import annotations

from heapq import nlargest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sakaime.checks.criteria.comparing.tokens import Features

_FEW = 40  # items a side that are all compared with each other
_PROBES = 8
_MOST_HITS = 128  # a word that stands in more items than this says little about which one is meant
_CANDIDATES = 10
_SHORT = 12  # characters that a text has at least if standing in a longer one is no chance
_ONE_WORD = 0.7  # what a likeness is worth that rests on a single word
_SUBJECT = 0.75  # weight that two texts must share: more than numbers, negations and words of grammar have


def shared(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The weight of what two sets of features have in common."""
    if len(other) < len(one):
        one, other = other, one
    return sum(min(weight, other[name]) for name, weight in one.items() if name in other)


def share(part: Mapping[str, float], whole: Mapping[str, float], weight: float) -> float:
    """Which share of a text's features (of that weight) stands in another text."""
    return shared(part, whole) / weight if weight else 0.0


def likeness(one: Features, other: Features) -> float:
    """0 for texts that have nothing in common, 1 for texts of the same words."""
    common = shared(one.words, other.words)
    grams = shared(one.grams, other.grams)
    if common < _SUBJECT and grams < 4 * _SUBJECT:
        return 0.0
    score = max(
        _dice(common, one.words_weight, other.words_weight), 0.95 * _dice(grams, one.grams_weight, other.grams_weight)
    )
    if common < 2 * _SUBJECT and one.ascii and other.ascii:
        score *= _ONE_WORD
    short, long = (one, other) if one.length <= other.length else (other, one)
    if short.length >= _least_length(short) and short.words_weight >= 2 * _SUBJECT:
        score = max(score, 0.9 * share(short.words, long.words, short.words_weight))
    return score


def _least_length(text: Features) -> int:
    return _SHORT if text.ascii else 6


def _dice(common: float, one: float, other: float) -> float:
    return 2 * common / (one + other) if one + other else 0.0


def candidates(
    old: Sequence[int], new: Sequence[int], old_of: Mapping[int, Features], new_of: Mapping[int, Features]
) -> Iterable[tuple[int, int]]:
    """Pairs that may be alike, of the items of both sides: all of them where they are few."""
    if len(old) <= _FEW and len(new) <= _FEW:
        for one in old:
            for other in new:
                yield one, other
        return
    index: dict[str, list[int]] = {}
    for other in new:
        for word, weight in new_of[other].words.items():
            if weight >= 0.3:
                index.setdefault(word, []).append(other)
    for one in old:
        probes = nlargest(
            _PROBES,
            ((-len(index[word]), weight, word) for word, weight in old_of[one].words.items() if word in index),
        )
        hits: dict[int, float] = {}
        for often, weight, word in probes:
            if -often <= _MOST_HITS or not hits:
                for other in index[word][:_MOST_HITS]:
                    hits[other] = hits.get(other, 0.0) + weight / -often
        for other in nlargest(_CANDIDATES, hits, key=lambda at: hits[at]):
            yield one, other
