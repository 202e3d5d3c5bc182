"""How many secrets the shapes of a pack take for something harmless: counted on random ones, and limited.

A shape that says "this is a placeholder" or "this is a reference" keeps a value from being told of as a secret. So it
is a control like any other, and its mistakes are counted before it ships.
"""

from __future__ import annotations

from random import Random

from sakaime.checks.secrets.randomness import random_part
from sakaime.model import Record
from sakaime.policy.pattern import compile_pattern
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sakaime.policy.pack import LoadedPack
    from sakaime.policy.rule import Rule

COUNT = 100_000
MOST = COUNT // 10_000  # 0.01 %
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_BASE62 = _LOWER + _LOWER.upper() + _DIGITS
# What services, frameworks and people's password managers draw: (alphabet, length).
_DRAWN = (
    ("0123456789abcdef", 32),
    ("0123456789ABCDEF", 32),
    ("0123456789abcdef", 40),
    ("0123456789abcdef", 64),
    (_BASE62, 20),
    (_BASE62, 32),
    (_BASE62 + "+/", 40),
    (_BASE62 + "-_", 43),
    (_LOWER + "234567", 26),
    (_LOWER + _DIGITS, 24),
    (_BASE62 + "!@#$%^&*()-_=+", 16),
    (_BASE62 + "!#%^*_+=.", 20),
)


class Silenced(Record):
    """A random secret that a shape takes for something harmless."""

    rule: str
    value: str


def secrets(count: int = COUNT) -> Iterator[str]:
    """Random secrets of thirteen alphabets, always the same ones."""
    random = Random(20261201)
    kinds = len(_DRAWN) + 1
    for number in range(count):
        if number % kinds == len(_DRAWN):
            hexed = "".join(random.choices("0123456789abcdef", k=32))
            yield f"{hexed[:8]}-{hexed[8:12]}-4{hexed[13:16]}-a{hexed[17:20]}-{hexed[20:]}"
            continue
        alphabet, length = _DRAWN[number % kinds]
        yield "".join(random.choices(alphabet, k=length))


def silenced(pack: LoadedPack, policy: Policy) -> list[Silenced]:
    """The random secrets that the shapes of a pack silence; `policy` must hold the pack."""
    rules = [
        rule for rule in policy.secrets if rule.value and not rule.holds and rule.id.startswith(f"{pack.model.pack}/")
    ]
    if not rules:
        return []
    hits = _matcher(rules)
    out = []
    for value in secrets():
        for number in hits(value.encode()):
            if rules[number].random or not random_part(value):
                out.append(Silenced(rules[number].id, value))
                break
    return out


def _matcher(rules: Sequence[Rule]) -> Callable[[bytes], Sequence[int]]:
    """What gives the numbers of the rules whose shape holds for a value: all shapes at once, where RE2 is there."""
    try:
        import re2
    except ImportError:
        compiled = [compile_pattern(rule.value) for rule in rules]
        return lambda data: [n for n, pattern in enumerate(compiled) if pattern.search(data) is not None]
    options = re2.Options()
    options.max_mem = 256 << 20
    options.log_errors = False
    together = re2.Set.SearchSet(options)
    for rule in rules:
        together.Add(rule.value.encode())
    together.Compile()
    return lambda data: together.Match(data) or ()
