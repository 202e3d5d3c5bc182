"""Whether a text names a topic, by words."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.text.chars import normalised


def names(topics: tuple[str, ...], text: str) -> bool:
    """Whether one of some words stands in a text.

    Case counts nothing, a blank is any run of blanks. A word of the Latin alphabet stands at word borders, an `s` at
    its end counts nothing; `*` at the end stands for the rest of a word. What is written without blanks stands
    anywhere.
    """
    return bool(topics) and _pattern(topics).search(normalised(text).casefold()) is not None


@lru_cache(maxsize=1024)
def _pattern(topics: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_word, topics)))


def _word(topic: str) -> str:
    words = normalised(topic.removesuffix("*")).casefold().split()
    body = r"\s+".join(map(re.escape, words))
    if not words or not words[0][:1].isascii():
        return body or r"(?!)"
    return rf"(?<![a-z0-9_]){body}" + ("" if topic.endswith("*") else r"s?(?![a-z0-9_])")
