"""What a file lets agents do or keeps them from, as facts of its two sides that can be compared."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Path = tuple["str | int", ...]

# What it means that a fact comes to stand in a file (the first three), or that it goes from it.
GRANTS, WEAKENS, TELLS, GUARDS = "grants", "weakens", "tells", "guards"
_NEW = {GRANTS: "warning", WEAKENS: "error", TELLS: "info"}


class Tree(Record):
    """The data of one side of a file. `lines` gives the line of a key, or of a value in a list, by path."""

    data: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of what stands at a path, or of the nearest thing around it that exists."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return 1


class Fact(Record):
    """One thing that a file says. Two facts of equal `rule`, `effect` and `key` are the same.

    `said` tells what it does, as a sentence; `at` is where it stands. A guard of which another one of the same
    `slot` takes the place was replaced, not lost.
    """

    rule: str
    effect: str
    key: tuple[str, ...]
    said: str
    at: Path
    slot: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes it the same on both sides."""
        return self.rule, self.effect, self.key


class Told(Record):
    """What the comparison of two sides has to say, at a path of the new one. `what` is new there, if anything is."""

    rule: str
    severity: str
    message: str
    at: Path
    what: str = ""


def compare(
    old: list[Fact], new: list[Fact], covers: Callable[[Fact, Fact], bool] = lambda _new, _old: False
) -> Iterator[Told]:
    """What comes and what goes. `covers` says whether a guard of the new side holds what an old one held."""
    before, after = {fact.identity for fact in old}, {fact.identity for fact in new}
    seen = set()
    fresh = [fact for fact in new if fact.identity not in before]
    for fact in fresh:
        if fact.effect in _NEW and fact.identity not in seen:
            seen.add(fact.identity)
            yield Told(fact.rule, _NEW[fact.effect], fact.said, fact.at, fact.key[-1])
    guards = [fact for fact in new if fact.effect == GUARDS]
    places = [fact.slot for fact in fresh if fact.effect == GUARDS and fact.slot]
    for fact in old:
        if fact.effect != GUARDS or fact.identity in after or fact.identity in seen:
            continue
        seen.add(fact.identity)
        if any(covers(guard, fact) for guard in guards):
            continue
        if fact.slot in places:
            places.remove(fact.slot)
            yield Told(fact.rule, "warning", f"another one takes its place: {fact.said}", fact.at)
        else:
            yield Told(fact.rule, "error", f"no longer: {fact.said}", fact.at)
