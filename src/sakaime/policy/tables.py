"""What a gate looks up: the literals of rules, their conditions by number, and what opens which.

A rule has patterns (all of `any` together count as one), and a pattern has a condition: which literals must be in
the skeleton of a text for the pattern to match there (`sakaime.policy.needs`).
"""

from __future__ import annotations

import marshal

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence
    from typing import TypeAlias, TypeVar

    from sakaime.policy.needs import Condition

    Key = TypeVar("Key", str, int)
    Begun: TypeAlias = dict[int, dict[str, tuple[str, ...]]]
    Beside: TypeAlias = dict[str, tuple[tuple[str, ...], ...]]
    # The conditions of a rule's patterns, how far apart they may match, and `Rule.named`.
    Gated: TypeAlias = tuple[tuple[Condition, ...], int, tuple[str, ...]]
    # A condition, with its groups of literals by number.
    Formula: TypeAlias = int | tuple[int, tuple["Formula", ...]]

ALL, ANY = 0, 1
EDGE = "|"  # in a literal: the edge of a word
_BEGIN, _BEGIN_WIDE = 4, 2  # characters by which literals are looked up
_TELLING = 0.002  # of a literal that may be expected more often, another one is asked for besides
_MOST_BESIDE = 1000


class Part(Record):
    """Some of the rules: how many; whether any text may be for them; else literals, or parts of a path, one of which
    must occur for any of them to match; and the tables, or what gives their values as bytes.

    `beside` has the literals that stand in many texts: for each the sets of literals, of one of which one more must
    occur. `wide` has `keys` and `beside` for literals beyond ASCII, which most texts have no need of."""

    count: int
    always: bool
    keys: Begun
    beside: Beside
    wide: tuple[Begun, Beside] | Callable[[], bytes]
    named: tuple[str, ...]
    tables: Tables | Callable[[], bytes]


class Tables(Record):
    """What a gate looks up. All of it is plain tuples and dictionaries, so that it can be kept between runs.

    `literals` has every literal once, a `|` before or after it where it stands at the edge of a word. `begun` gives
    the numbers of those that begin with some characters, by the number of characters; `groups` for each literal the
    groups that it is in. `rules` are, per rule, the formulas of its patterns, and `near` the sets of groups that must
    lie near each other; `within` how near, in characters of a view. `opened` gives for each group the rules that
    cannot match unless it, or another one like it, is met; `free` are the rules of which nothing is known; `named`
    are, per rule, strings of which one is in the path of every file that it looks at.
    """

    literals: tuple[str, ...]
    begun: dict[int, dict[str, tuple[int, ...]]]
    groups: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[Formula, ...], ...]
    near: tuple[tuple[tuple[int, ...], ...], ...]
    within: tuple[int, ...]
    opened: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    named: tuple[tuple[str, ...], ...]


def part_of(rules: Sequence[Gated]) -> Part:
    """Some rules, and what opens them."""
    from sakaime.policy.memory import remembered

    tables = Tables(*remembered("gate", [marshal.dumps(tuple(rules))], lambda: _tables(rules).values()))
    # A rule for files of certain names opens nothing elsewhere.
    anywhere = [number for number, named in enumerate(tables.named) if not named]
    wanted = {group for group, opened in enumerate(tables.opened) if not {*anywhere}.isdisjoint(opened)}
    keyed = [number for number, groups in enumerate(tables.groups) if not wanted.isdisjoint(groups)]
    same: dict[tuple[str, ...], tuple[str, ...]] = {}  # one object for one set: kept once

    def opening(numbers: list[int]) -> tuple[Begun, Beside]:
        keys = _begun((tables.literals[number], tables.literals[number]) for number in numbers)
        beside = {
            tables.literals[number]: tuple(same.setdefault(some, some) for some in sets)
            for number in numbers
            if (sets := _beside(tables, number, {*anywhere})) is not None
        }
        return keys, beside

    keys, beside = opening([number for number in keyed if tables.literals[number].isascii()])
    wide = opening([number for number in keyed if not tables.literals[number].isascii()])
    always = not {*anywhere}.isdisjoint(tables.free)
    named = tuple({part: None for some in tables.named for part in some})
    return Part(len(rules), always, keys, beside, wide, named, tables)


def _beside(tables: Tables, key: int, anywhere: Container[int]) -> tuple[tuple[str, ...], ...] | None:
    """Sets of literals, one for each rule that a literal opens, of which the rule needs one as well; None for a
    literal that tells enough by itself, or of which no more can be said."""
    from sakaime.policy.needs import expected

    if expected((tables.literals[key],)) < _TELLING:
        return None
    groups = {*tables.groups[key]}
    found: dict[tuple[str, ...], None] = {}
    for rule in {rule for group in groups for rule in tables.opened[group] if rule in anywhere}:
        others = [
            tuple(
                literal for literal, its in zip(tables.literals, tables.groups, strict=True) if not few.isdisjoint(its)
            )
            for heads in tables.near[rule]
            if groups.isdisjoint(few := {*heads})
        ]
        few_enough = [some for some in others if len(some) <= _MOST_BESIDE]
        if not few_enough:
            return None
        found[min(few_enough, key=expected)] = None
    return tuple(found)


def _begun(literals: Iterable[tuple[str, Key]]) -> dict[int, dict[str, tuple[Key, ...]]]:
    """Something for each literal, by the characters with which they begin, by the number of those characters: a
    negative one where a word begins there."""
    begun: dict[int, dict[str, list[Key]]] = {}
    for literal, key in literals:
        start = literal.strip(EDGE)[: _BEGIN if literal.isascii() else _BEGIN_WIDE]
        length = -len(start) if literal.startswith(EDGE) else len(start)
        begun.setdefault(length, {}).setdefault(start, []).append(key)
    return {length: {start: tuple(keys) for start, keys in table.items()} for length, table in begun.items()}


def _tables(rules: Sequence[Gated]) -> Tables:
    """What is looked up for some rules: per rule the conditions of its patterns, how far apart they may match, and
    `named`."""
    from sakaime.policy.needs import NOTHING, chance

    numbers: dict[tuple[str, ...], int] = {}

    def formula(needed: Condition) -> Formula:
        if needed and isinstance(needed[0], int):
            return (needed[0], tuple(formula(part) for part in needed[1]))
        return numbers.setdefault(needed, len(numbers))

    formulas, near, keys, free = [], [], [], []
    for number, (patterns, _, _) in enumerate(rules):
        formulas.append(tuple(formula(needed) for needed in patterns if needed != NOTHING))
        near.append(tuple(heads for one in formulas[-1] for heads in _spread(one)))
        key = min((needed for needed in patterns if needed != NOTHING), key=chance, default=None)
        keys.append(_heads(formula(key)) if key is not None else ())
        if key is None:
            free.append(number)
    literals = tuple(sorted({literal for group in numbers for literal in group}))
    by_name = {literal: number for number, literal in enumerate(literals)}
    groups: list[list[int]] = [[] for _ in literals]
    for group, number in numbers.items():
        for literal in group:
            groups[by_name[literal]].append(number)
    opened: list[list[int]] = [[] for _ in numbers]
    for rule, key_groups in enumerate(keys):
        for group_number in key_groups:
            opened[group_number].append(rule)
    return Tables(
        literals,
        _begun(by_name.items()),
        tuple(map(tuple, groups)),
        tuple(formulas),
        tuple(near),
        tuple(within for _, within, _ in rules),
        tuple(map(tuple, opened)),
        tuple(free),
        tuple(named for _, _, named in rules),
    )


def _heads(formula: Formula) -> tuple[int, ...]:
    """Groups of which at least one is met where a formula holds: of several that must be, the one that tells most."""
    if isinstance(formula, int):
        return (formula,)
    parts = formula[1][:1] if formula[0] == ALL else formula[1]
    return tuple({group: None for part in parts for group in _heads(part)})


def _spread(formula: Formula) -> list[tuple[int, ...]]:
    """Sets of groups, of each of which one lies in a match."""
    parts = formula[1] if not isinstance(formula, int) and formula[0] == ALL else (formula,)
    return [_heads(part) for part in parts]
