"""Whether chance made a value, or a person: length, kinds of characters, Shannon's measure, words in it."""

from __future__ import annotations

import re
from math import log2

from sakaime.text.late import late

_HEX = late(r"[0-9a-f]{20,512}$|[0-9A-F]{20,512}$")
_FEW_HEX = late(r"[0-9a-fA-F]+$")
_TOKEN = late(r"[A-Za-z0-9+/_.~=-]{16,2000}$")
_UUID = late(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_SIGNS = frozenset("!@#$%^&*()_+-=[]{}|;:,.<>?/~`\\'\"")
_RUN = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDY = 4.0  # letters of a run, on average, from which on a value is made of words
_VOWELS = 0.3  # of the letters of words; of drawn ones a fifth are
_LEAST = 3.0  # bits a character


def entropy(value: str) -> float:
    """Shannon's measure of the characters of a value, in bits for each."""
    counts: dict[str, int] = {}
    for char in value:
        counts[char] = counts.get(char, 0) + 1
    return -sum(n / len(value) * log2(n / len(value)) for n in counts.values()) if value else 0.0


def kinds(value: str) -> int:
    """How many of lower case, upper case, digits and signs are in a value."""
    return sum(
        (
            any(c.islower() for c in value),
            any(c.isupper() for c in value),
            any(c.isdigit() for c in value),
            any(c in _SIGNS for c in value),
        )
    )


def looks_random(value: str) -> bool:
    """Whether a token looks as if a program had drawn it: hex, base64, base62, a UUID."""
    if not value.isascii() or len(value) < 16:
        return False
    if _HEX.match(value):
        digits = sum(map(str.isdigit, value))
        return 0 < digits < len(value) and len(set(value)) >= 8 and entropy(value) > _LEAST
    if _UUID.match(value):
        return len(set(value)) > 6
    if not _TOKEN.match(value) or (len(value) < 20 and _FEW_HEX.match(value)):
        return False
    if value.count(".") > 2 or value.count("/") > max(2, len(value) // 12) or value.count("-") > len(value) // 6:
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits < 1 or (len(value) < 24 and digits < 2) or letters < 4 or entropy(value) < 3.3:
        return False
    cases = any(map(str.isupper, value)) and any(map(str.islower, value))
    return (cases or digits >= len(value) // 5) and not wordy(value)


def wordy(value: str) -> bool:
    """Whether the letters of a value come in words rather than one by one."""
    runs = _RUN.findall(value)
    letters = sum(map(len, runs))
    if not runs or letters / len(runs) < _WORDY:
        return False
    return sum(c in "aeiouAEIOU" for c in value) >= _VOWELS * letters


def like_password(value: str) -> bool:
    """Whether a value looks like a password that nobody would write for anything else: mixed, and without words."""
    if not 8 <= len(value) <= 128 or any(c.isspace() for c in value) or not value.isascii():
        return False
    if looks_random(value):
        return True
    mixed = kinds(value)
    if mixed < 3 or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    return entropy(value) >= (2.6 if mixed == 4 else 2.9) and (mixed == 4 or not wordy(value))


def random_part(value: str) -> bool:
    """Whether a part of a value looks random, as in `dev-0f9c...`: then no shape may take it for a placeholder."""
    if len(value) < 16:
        return False
    if looks_random(value) and not re.search(r"(?i)[a-z]{6}", value):
        return True
    return any(len(part) >= 16 and looks_random(part) for part in re.split(r"[-_.:/@\s]+", value))
