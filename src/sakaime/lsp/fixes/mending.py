"""The edits that put back what a criteria document asked for.

Lines are compared as the judgement compares them. Where the lines that changed are about one loss alone, they become
what they were; where others changed beside them, only the lines of what was lost are put back, or its words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sakaime.checks.criteria.comparing.loss import NARROWED
from sakaime.checks.criteria.item import KEY, OWNER, PROSE, PROSE_FILES
from sakaime.lsp.fixes.sides import Side, depth_of, is_blank
from sakaime.lsp.known import Edit
from sakaime.material.align import changed
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.checks.criteria.comparing.loss import Loss
    from sakaime.checks.criteria.item import Item

_WITH_COMMAS = (".json", ".jsonc", ".json5", "rc")
_CLOSERS = frozenset(")}]")


class Run(Record):
    """Lines that changed: from a1 up to a2 of the old side they became those from b1 up to b2 of the new one."""

    a1: int
    a2: int
    b1: int
    b2: int


class Mending:
    """The two sides of a document, and the lines that changed between them."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        data = [[line.rstrip("\n").encode("utf-8", "surrogatepass") for line in side.lines] for side in (old, new)]
        self.runs = [Run(*found) for found in changed(*data)]
        self.ends = [run.a2 for run in self.runs], [run.b2 for run in self.runs]

    def edits(self, loss: Loss) -> list[Edit]:
        """What brings back one loss. Where no line of it changed, what changed beside it did it: that becomes what it
        was."""
        return self.own(loss) or self.undone(self.beside(loss))

    def own(self, loss: Loss) -> list[Edit]:
        """The lines and words of one loss as they were."""
        was = [loss.was] if loss.was is not None else []
        if loss.item is loss.was:
            gone = self.old.together([loss.item, *loss.others])
            return self.put_back(gone, loss)
        of_old = self.old.together(was)
        of_new = {self.new.number[id(item)] for item in (loss.item, *loss.others) if id(item) in self.new.number}
        if loss.change == NARROWED and loss.was is None:
            return self.take_out(of_new)
        runs = self.touching(of_old, of_new)
        if loss.was is None or _is_another(loss) or not self.is_plain(loss, runs):
            return self.undone(self.with_moved(runs))
        now = of_new | self.new.around(of_new)
        now |= {
            at for run in runs for at in self.new.within(run.b1, run.b2) if self.new.items[at].text in loss.was.text
        }
        if all(self.only(run, of_old | self.old.around(of_old), now) for run in runs):
            return self.undone(runs)
        return [Edit(loss.item.start, loss.item.end, self.old.text[loss.was.start : loss.was.end])]

    def put_back(self, gone: set[int], loss: Loss) -> list[Edit]:
        """Old items come back: with their lines, where no other item stands on these."""
        around = self.old.around(gone)
        if self.front_matter(gone):
            return self.undone(self.touching(gone, ()))
        edits: list[Edit] = []
        for run in self.touching(gone, ()):
            if self.only(run, around, ()):
                edits += self.undone([run])
            elif self.alone(run, gone) and (run.b1 == run.b2 or not self.new.document.path.endswith(_WITH_COMMAS)):
                edits.append(self.inserted(run, gone, around, loss))
            else:
                edits += self.pieces(run, gone)
        return edits

    def take_out(self, added: set[int]) -> list[Edit]:
        """New items go: with their lines, where no other item stands on these."""
        around = self.new.around(added)
        edits: list[Edit] = []
        for run in self.touching((), added):
            lines = [line for line in range(run.b1, run.b2) if not added.isdisjoint(self.new.on.get(line, ()))]
            if self.only(run, self.old.within(run.a1, run.a2), around) or self.new.document.path.endswith(_WITH_COMMAS):
                edits += self.undone([run])
            elif all(added.issuperset(self.new.on[line]) for line in lines):
                edits += [Edit(self.new.starts[line], self.new.starts[line + 1], "") for line in lines]
            else:
                edits += [Edit(start, end, "") for start, end in self.sentences(added, run)]
        return edits

    def sentences(self, added: set[int], run: Run) -> Iterable[tuple[int, int]]:
        """The words of new items in a run, with the blanks on one side of them."""
        for at in sorted(added):
            item = self.new.items[at]
            if item.start < self.new.starts[run.b1] or item.end > self.new.starts[run.b2]:
                continue
            start, end = item.start, item.end
            while end < len(self.new.text) and self.new.text[end] in " \t":
                end += 1
            while self.new.text[end : end + 1] in ("", "\n") and start and self.new.text[start - 1] in " \t":
                start -= 1
            yield start, end

    def touching(self, of_old: Iterable[int], of_new: Iterable[int]) -> list[Run]:
        """The runs that lines of some old or new items are in."""
        found: set[int] = set()
        for numbers, side in ((of_old, 0), (of_new, 1)):
            lines = self.new if side else self.old
            ends = self.ends[side]
            for at in numbers:
                span = lines.of(lines.items[at])
                if not span:
                    continue
                number = bisect_right(ends, span[0])
                while number < len(self.runs):
                    run = self.runs[number]
                    if (run.b1 if side else run.a1) > span[-1]:
                        break
                    found.add(number)
                    number += 1
        return [self.runs[number] for number in sorted(found)]

    def beside(self, loss: Loss) -> list[Run]:
        """The runs next to where something stood or stands, or to what it stood below; else the nearest one."""
        lines: set[int] = set()
        if loss.was is not None:
            lines = self.old.up_from(loss.was)
            for at in self.old.around([self.old.number[id(loss.was)]] if id(loss.was) in self.old.number else []):
                lines.update(self.old.of(self.old.items[at])[:1])
        here = self.new.line(loss.start)
        found = [
            run
            for run in self.runs
            if run.b1 - 1 <= here <= run.b2 or any(run.a1 - 1 <= line <= run.a2 for line in lines)
        ]
        if not found and self.runs:
            found = [min(self.runs, key=lambda run: max(run.b1 - here, here - run.b2))]
        return self.with_moved(found)

    def front_matter(self, gone: set[int]) -> bool:
        """Whether old items are keys at the top of a text, which are none without the lines around them."""
        return self.old.document.path.endswith(PROSE_FILES) and any(self.old.items[at].kind == KEY for at in gone)

    def with_moved(self, runs: list[Run]) -> list[Run]:
        """Runs, and those that hold on the other side a line that one of them holds, so that it was moved."""
        held = set(map(id, runs))
        brought = {line for run in runs for line in self.new.lines[run.b1 : run.b2] if line.strip()}
        taken = {line for run in runs for line in self.old.lines[run.a1 : run.a2] if line.strip()}
        return [
            run
            for run in self.runs
            if id(run) in held
            or not brought.isdisjoint(self.old.lines[run.a1 : run.a2])
            or not taken.isdisjoint(self.new.lines[run.b1 : run.b2])
        ]

    def only(self, run: Run, of_old: Iterable[int], of_new: Iterable[int]) -> bool:
        """Whether no line of a run holds an item that is none of these."""
        known = frozenset(of_old), frozenset(of_new)
        return all(known[0].issuperset(self.old.on.get(line, ())) for line in range(run.a1, run.a2)) and all(
            known[1].issuperset(self.new.on.get(line, ())) for line in range(run.b1, run.b2)
        )

    def alone(self, run: Run, gone: set[int]) -> bool:
        """Whether the lines of some old items in a run hold no others."""
        return all(
            gone.issuperset(on)
            for line in range(run.a1, run.a2)
            if (on := self.old.on.get(line, ())) and not gone.isdisjoint(on)
        )

    def is_plain(self, loss: Loss, runs: list[Run]) -> bool:
        """Whether the words of an item are all that there is of it, on both sides, and they changed."""
        was = loss.was
        if was is None or not runs or was.kind != loss.item.kind:
            return False
        before, now = self.old.text[was.start : was.end], self.new.text[loss.item.start : loss.item.end]
        if before == now:
            return False
        return loss.item.kind != KEY or not (_goes_on(self.old, was) or _goes_on(self.new, loss.item))

    def undone(self, runs: Iterable[Run]) -> list[Edit]:
        """The lines of runs as they were."""
        edits = []
        for run in runs:
            text = "".join(self.old.lines[run.a1 : run.a2])
            edits.append(self.put(run.b1, run.b2, text))
        return edits

    def put(self, first: int, last: int, text: str) -> Edit:
        """Some lines in the place of new ones, whatever line ends are missing at the end of either side."""
        start, end = self.new.starts[first], self.new.starts[last]
        if text and not text.endswith("\n") and last < len(self.new.lines):
            text += "\n"
        if start == len(self.new.text) and start and not self.new.text.endswith("\n") and text:
            return Edit(start, end, "\n" + text.removesuffix("\n"))
        if not text and end == len(self.new.text) and start and not self.new.text.endswith("\n"):
            return Edit(start - 1, end, "")
        return Edit(start, end, text)

    def inserted(self, run: Run, gone: set[int], around: set[int], loss: Loss) -> Edit:
        """The lines of old items, with what belongs to them, before the line that took their place."""
        heads = self.old.table_heads(gone)
        kept = [line for line, owners in self.owners(run).items() if line in heads or not around.isdisjoint(owners)]
        text = "".join(line if line.endswith("\n") else f"{line}\n" for line in map(self.old.lines.__getitem__, kept))
        at = min(max(self.new.line(loss.start), run.b1), run.b2)
        if run.b2 == len(self.new.lines) and kept and kept[-1] == run.a2 - 1:
            at = run.b2
        if kept and self.new.document.path.endswith(PROSE_FILES):  # what stood apart from its neighbours does so again
            if is_blank(self.old.lines, kept[0] - 1) and not is_blank(self.new.lines, at - 1):
                text = "\n" + text
            next_ = {self.new.items[number].kind for number in self.new.on.get(at, ())}
            apart = is_blank(self.old.lines, kept[-1] + 1) or next_ == {PROSE}
            if apart and not is_blank(self.new.lines, at) and not is_blank(self.old.lines, kept[-1]):
                text += "\n"
        return self.put(at, at, text)

    def owners(self, run: Run) -> dict[int, list[int]]:
        """The old lines of a run with the items that each belongs to: what holds none belongs to the item that comes
        next, blanks, what goes on and what closes to the one before."""
        found: dict[int, list[int]] = {}
        before: list[int] = []
        indent, waiting = 0, []  # type: int, list[int]
        for line in range(run.a1, run.a2):
            text = self.old.lines[line]
            depth = depth_of(text)
            if on := self.old.on.get(line):
                found.update(dict.fromkeys(waiting, on))
                found[line] = before = on
                indent, waiting = depth, []
            elif before and not waiting and (not text.strip() or depth > indent or text.strip()[0] in _CLOSERS):
                found[line] = before
            else:
                waiting.append(line)
        found.update(dict.fromkeys(waiting, before))
        return dict(sorted(found.items()))

    def pieces(self, run: Run, gone: set[int]) -> list[Edit]:
        """Of a run, old items come back and what stands beside them is left alone."""
        one, other = self.old.pieces(run.a1, run.a2), self.new.pieces(run.b1, run.b2)
        data = [
            [side.text[a:b].encode("utf-8", "surrogatepass") for a, b in cuts]
            for side, cuts in ((self.old, one), (self.new, other))
        ]
        spans = _joined((self.old.items[at].start, self.old.items[at].end) for at in gone)
        edits = []
        for a1, a2, b1, b2 in changed(*data):
            start, end = _hull(one, a1, a2, self.old.starts[run.a2])
            first, last = _hull(other, b1, b2, self.new.starts[run.b2])
            if not _meets(spans, start, end):
                continue
            text = self.old.text[start:end]
            if self.new.text[first:last].strip():  # another item took the place
                blank = " " if not text[-1:].isspace() and self.old.text[end : end + 1] in (" ", "\n") else ""
                last, text = first, text + blank
            edits.append(Edit(first, last, text))
        return edits


def _goes_on(side: Side, item: Item) -> bool:
    """Whether a key has more lines than the one that its item is."""
    last = side.line(item.end - 1)
    rest = side.text[item.end : side.starts[last + 1]].strip()
    below = side.lines[last + 1] if last + 1 < len(side.lines) else ""
    deeper = depth_of(below) > depth_of(side.lines[last])
    return bool(below.strip()) and deeper and not rest.startswith(",") and last + 1 not in side.on


def _is_another(loss: Loss) -> bool:
    """Whether the new item is not what the old one became, but what overrides it."""
    return loss.was is not None and loss.item.kind == OWNER and loss.item.key != loss.was.key


def _hull(cuts: Sequence[tuple[int, int]], first: int, last: int, end: int) -> tuple[int, int]:
    """The range of some pieces, that of none where the next one begins."""
    start = cuts[first][0] if first < len(cuts) else end
    return start, cuts[last - 1][1] if last > first else start


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, those that touch made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out


def _meets(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a range of a text has something of others, which are in order and apart."""
    at = bisect_left(spans, (end, 0)) - 1
    return at >= 0 and spans[at][1] > start
