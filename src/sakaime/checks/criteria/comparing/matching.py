"""The steps by which the items of two sides are paired, and what is known on the way."""

from __future__ import annotations

from sakaime.checks.criteria.comparing.likeness import candidates, likeness, share, shared
from sakaime.checks.criteria.comparing.nesting import Nesting, nesting
from sakaime.checks.criteria.comparing.tokens import counts, features, plain, translated, wording, words
from sakaime.checks.criteria.comparing.translation import aligned
from sakaime.checks.criteria.item import HEADING, KEY, OWNER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from sakaime.checks.criteria.comparing.tokens import Features
    from sakaime.checks.criteria.item import Item

_NEAR, _FAR = 0.39, 0.55  # the least likeness of two items below the same heading, and of others
_HEADINGS = 0.5
_PART = 0.7  # the share of a part that stands in the whole
_GAINED = 0.25  # how much more of a lost item a text must hold than it did before, to have taken it in
_WHOLE, _OWN = 0.9, 0.7  # what is held of a text that differs little from the one that took it in
_AROUND = 8


def named(item: Item) -> bool:
    """Whether something names an item whatever its words are."""
    return bool(item.key) and not counts(item.key)


def configures(item: Item) -> bool:
    """Whether an item is a setting or an owner line."""
    return item.kind in (KEY, OWNER)


class Matching:
    """The state of one matching: who is whose, and the features of texts, made when they are first asked for."""

    def __init__(self, old: Sequence[Item], new: Sequence[Item]) -> None:
        self.items = (old, new)
        self.new_of: dict[int, int] = {}
        self.old_of: dict[int, int] = {}
        self.exact: set[int] = set()  # of the new ones, those that say no more than before
        self.splits: dict[int, tuple[int, ...]] = {}
        self.merges: dict[int, tuple[int, ...]] = {}
        self.shapes: tuple[Nesting, Nesting] = (nesting(old), nesting(new))
        self._features: tuple[dict[int, Features], dict[int, Features]] = ({}, {})
        self._known: dict[str, int] | None = None
        self._words: list[list[Mapping[str, float]]] = []  # of both sides

    def pair(self, one: int, other: int) -> None:
        self.new_of[one] = other
        self.old_of[other] = one

    def gone(self) -> list[int]:
        merged = {at for group in self.merges.values() for at in group}
        return [at for at in range(len(self.items[0])) if at not in self.new_of and at not in merged]

    def fresh(self) -> list[int]:
        parts = {at for group in self.splits.values() for at in group}
        return [at for at in range(len(self.items[1])) if at not in self.old_of and at not in parts]

    def open(self) -> tuple[list[int], list[int]] | None:
        """What has no counterpart yet, of both sides; None where no old item is left."""
        gone, fresh = self.gone(), self.fresh()
        return (gone, fresh) if gone else None

    def by_name(self, name: Callable[[Item], Hashable], lone: bool, exact: bool) -> None:
        """Pairs what has the same name, in the order of the text; `lone`: only where one of each side is left by that
        name; `exact`: who has the same name says the same."""
        waiting: dict[Hashable, list[int]] = {}
        for at in range(len(self.items[1]) - 1, -1, -1):
            if at not in self.old_of and (called := name(self.items[1][at])) is not None:
                waiting.setdefault(called, []).append(at)
        if not waiting:
            return
        seeking: dict[Hashable, list[int]] = {}
        for at, item in enumerate(self.items[0]):
            if at not in self.new_of and (called := name(item)) in waiting:
                seeking.setdefault(called, []).append(at)
        for called, ones in seeking.items():
            others = waiting[called]
            if lone and (len(ones) > 1 or len(others) > 1):
                continue
            for one in ones[: len(others)]:
                other = others.pop()
                self.pair(one, other)
                if exact:
                    self.exact.add(other)

    def by_content(self) -> None:
        """Pairs headings and parents that most items below them have in common."""
        before, after = self.shapes
        for old_above, new_above in ((before.section, after.section), (before.parent, after.parent)):
            votes: dict[tuple[int, int], int] = {}
            of_old: dict[int, int] = {}
            of_new: dict[int, int] = {}
            for one, other in self.new_of.items():
                above, over = old_above[one], new_above[other]
                of_old[above] = of_old.get(above, 0) + 1
                of_new[over] = of_new.get(over, 0) + 1
                votes[above, over] = votes.get((above, over), 0) + 1
            for (above, over), count in sorted(votes.items(), key=lambda vote: -vote[1]):
                if min(above, over) < 0 or above in self.new_of or over in self.old_of:
                    continue
                if 2 * count > max(of_old[above], of_new[over]):
                    self.pair(above, over)

    def features(self, side: int, at: int) -> Features:
        found = self._features[side].get(at)
        if found is None:
            often = self._often()
            found = self._features[side][at] = features(wording(self.items[side][at]), often, self._words[side][at])
        return found

    def _often(self) -> dict[str, int]:
        if self._known is None:
            self._known = {}
            for items in self.items:
                often: dict[str, int] = {}
                self._words.append([words(wording(item)) for item in items])
                for said in self._words[-1]:
                    for word in said:
                        often[word] = often.get(word, 0) + 1
                for word, count in often.items():
                    self._known[word] = max(count, self._known.get(word, 0))
        return self._known

    def near(self, one: int, other: int) -> bool:
        """Whether two items stand below the same heading or item."""
        (old, new), (before, after) = self.items, self.shapes
        above, over = before.parent[one], after.parent[other]
        if above >= 0 and self.new_of.get(above, -1) == over:
            return True
        above, over = before.section[one], after.section[other]
        if above < 0 or over < 0:
            return above == over and old[one].headings[-1:] == new[other].headings[-1:]
        return self.new_of.get(above, -2) == over

    def by_likeness(self) -> None:
        for headings in (True, False):
            left = self.open()
            if left is None:
                return
            gone, fresh = (
                [at for at in part if self._comparable(side, at) and (items[at].kind == HEADING) == headings]
                for side, (part, items) in enumerate(zip(left, self.items, strict=True))
            )
            scored = []
            olds = {at: self.features(0, at) for at in gone}
            news = {at: self.features(1, at) for at in fresh}
            for one, other in candidates(gone, fresh, olds, news):
                score = self._score(olds[one], news[other], one, other)
                near = not headings and self.near(one, other)
                if score >= (_HEADINGS if headings else _NEAR if near else _FAR):
                    scored.append((score + 0.1 * near, -abs(one - other), one, other))
            scored.sort(reverse=True)
            for _, _, one, other in scored:
                if one not in self.new_of and other not in self.old_of:
                    self.pair(one, other)

    def _comparable(self, side: int, at: int) -> bool:
        item = self.items[side][at]
        return not configures(item) or (item.kind == KEY and isinstance(item.value, str) and " " in item.text.strip())

    def _score(self, mine: Features, other_words: Features, one: int, other: int) -> float:
        score = likeness(mine, other_words)
        old, new = self.items[0][one], self.items[1][other]
        if old.kind == KEY or new.kind == KEY:
            return score if old.key == new.key and old.negative == new.negative else 0.0
        for side, at, rest in ((0, one, other_words), (1, other, mine)):
            below = self.shapes[side].children.get(at, ())
            if below and score < 1:
                whole = " ".join(wording(self.items[side][part]) for part in (at, *below[:_AROUND]))
                score = max(score, 0.95 * likeness(features(whole, self._often()), rest))
        if named(old) and plain(old.key) == plain(new.key):
            score += 0.2
        return score

    def split(self) -> None:
        """Finds the new items that hold a part of an old one beside the one that it is paired with."""
        left = set(self.fresh())
        if not left:
            return
        for one, other in sorted(self.new_of.items()):
            if other in self.exact or not self._comparable(0, one):
                continue
            mine, counterpart = self.features(0, one), self.features(1, other)
            around = range(max(0, other - _AROUND), min(len(self.items[1]), other + _AROUND + 1))
            parts = [
                at
                for at in around
                if at in left
                and self._comparable(1, at)
                and (theirs := self.features(1, at)).words_weight > 0.5
                and share(theirs.words, mine.words, theirs.words_weight) >= _PART
                and share(theirs.words, counterpart.words, theirs.words_weight) < _PART
            ]
            if parts:
                self.splits[one] = tuple(parts)
                left.difference_update(parts)

    def merge(self) -> None:
        """Finds the new items that took in an old one besides the one they are paired with."""
        left = self.open()
        if left is None:
            return
        gone = [at for at in left[0] if self._comparable(0, at) and self.items[0][at].kind != HEADING]
        grown = [at for at in sorted(self.old_of) if at not in self.exact and self._comparable(1, at)]
        olds = {at: self.features(0, at) for at in gone}
        news = {at: self.features(1, at) for at in grown}
        taken: dict[int, list[int]] = {}
        best: dict[int, tuple[float, int]] = {}
        for one, other in candidates(gone, grown, olds, news):
            mine = olds[one]
            held = share(mine.words, news[other].words, mine.words_weight)
            before = share(mine.words, self.features(0, self.old_of[other]).words, mine.words_weight)
            own = shared(mine.words, self.features(0, self.old_of[other]).words)
            only = mine.words_weight - own >= _OWN and held >= _WHOLE  # all that sets it apart came in
            if held >= _PART and (held - before >= _GAINED or only) and held > best.get(one, (0.0, 0))[0]:
                best[one] = (held, other)
        for one, (_, other) in best.items():
            taken.setdefault(other, []).append(one)
        for other, ones in taken.items():
            self.merges[other] = (self.old_of[other], *ones)

    def translate(self) -> None:
        """Pairs what is left by its order where the text is in another language now."""
        left = self.open()
        if left is None or not left[1]:
            return
        gone, fresh = left
        old, new = self.items
        if not translated(" ".join(old[at].text for at in gone), " ".join(new[at].text for at in fresh)):
            return
        # One item in another language amid others that stay is another item.
        parts = {self.shapes[0].section[at] for at in gone}
        if 2 * len(gone) <= sum(section in parts for section in self.shapes[0].section):
            return
        same = [(old[at].kind, len(old[at].headings)) for at in gone] == [
            (new[at].kind, len(new[at].headings)) for at in fresh
        ]
        known = [(old[one], new[other]) for one, other in self.new_of.items() if old[one].cells]
        places = (
            [(at, at) for at in range(len(gone))]
            if same
            else aligned([old[at] for at in gone], [new[at] for at in fresh], known)
        )
        for one, other in places:
            self.pair(gone[one], fresh[other])
