"""What is known of a document in the middle of typing: what was found before, moved along, and the lines around the
edit judged by themselves. The judgement of the whole document, after a pause, settles it.
"""

from __future__ import annotations

from sakaime.judge import judge
from sakaime.lsp.diagnose import placed
from sakaime.lsp.known import Judged, Placed
from sakaime.lsp.normal import Normal
from sakaime.material.sources import buffer
from sakaime.model import Record
from sakaime.policy.policy import Policy, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar

    from sakaime.lsp.authors import Mistake

    At = TypeVar("At", Placed, Mistake)

_REACH = 12  # lines before and after an edit that are judged with it, up to a blank one
_MOST = 8_000  # code points that are judged between two keystrokes
_BY_LINES = ("instructions", "hidden", "secrets")


class Region(Record):
    """The lines that differ: from `start` on, up to `before` in the earlier text and up to `now` in the present one."""

    start: int
    before: int
    now: int


def region(earlier: Sequence[str], lines: Sequence[str]) -> Region:
    """What lies between the first and the last line that differ."""
    start, most = 0, min(len(earlier), len(lines))
    while start < most and earlier[start] == lines[start]:
        start += 1
    end = 0
    while end < most - start and earlier[-1 - end] == lines[-1 - end]:
        end += 1
    return Region(start, len(earlier) - end, len(lines) - end)


def _offsets(changed: Region, earlier: Sequence[str], lines: Sequence[str]) -> tuple[int, int, int]:
    """Where a region begins and ends in the earlier text, and by how much what follows moved, in code points."""
    first = sum(map(len, lines[: changed.start]))
    gone = sum(map(len, earlier[changed.start : changed.before]))
    return first, first + gone, sum(map(len, lines[changed.start : changed.now])) - gone


def moved_along(
    policy: Policy,
    path: str,
    judged: Judged,
    earlier: Sequence[str],
    lines: Sequence[str],
    known_lines: frozenset[str] | None,
    judges: bool = True,
) -> Judged:
    """What is known of a text of which an earlier one was judged, both as lines with their ends.

    `known_lines` are those of the old side, without their ends (None: there is none). What was found in the lines
    that are as they were stays; of the others it is found anew where lines tell by themselves, unless not `judges`.
    """
    changed = region(earlier, lines)
    first, last, shift = _offsets(changed, earlier, lines)
    low, high = _around(lines, changed)
    window = first - sum(map(len, lines[low : changed.start]))
    text = "".join(lines[low:high])
    judges = judges and len(text) <= _MOST
    again: list[Placed] = []
    others: list[Placed] = []
    for one in judged.findings:
        anew = judges and one.finding.family in _BY_LINES and not one.finding.inherited
        (again if anew else others).append(one)
    kept = [*carried(again, window, window + len(text) - shift, shift), *carried(others, first, last, shift)]
    if judges and text.strip():
        kept += _alone(policy, path, text, window, known_lines)
    return Judged(tuple(sorted(kept, key=lambda p: (p.start, p.end))), judged.unjudged)


def carried(placed: Iterable[At], first: int, last: int, shift: int) -> Iterator[At]:
    """What ends before `first`, and, moved by `shift`, what begins behind `last`."""
    for one in placed:
        if one.end <= first:
            yield one
        elif one.start >= last:
            yield one.replace(start=one.start + shift, end=one.end + shift)


def moved_mistakes(mistakes: Iterable[Mistake], earlier: Sequence[str], lines: Sequence[str]) -> tuple[Mistake, ...]:
    """The mistakes of an earlier text in lines that are as they were."""
    first, last, shift = _offsets(region(earlier, lines), earlier, lines)
    return tuple(carried(mistakes, first, last, shift))


def _around(lines: Sequence[str], changed: Region) -> tuple[int, int]:
    low, high = changed.start, changed.now
    while low > max(0, changed.start - _REACH) and lines[low - 1].strip():
        low -= 1
    while high < min(len(lines), changed.now + _REACH) and lines[high].strip():
        high += 1
    return low, high


def _alone(policy: Policy, path: str, text: str, at: int, known_lines: frozenset[str] | None) -> list[Placed]:
    here = Normal(text)
    new = here.text
    old = None
    if known_lines is not None:
        old = "\n".join(line for line in new.split("\n") if line in known_lines).encode()
    judgement = judge(_of_lines(policy), buffer(path, old, new.encode()))
    found = placed((f for f in judgement.findings if f.family in _BY_LINES), here)
    return [Placed(one.finding, at + one.start, at + one.end) for one in found]


_last: list[tuple[Policy, Policy]] = []


def _of_lines(policy: Policy) -> Policy:
    """The policy without what no single lines tell of: criteria, and what is said of the policy itself."""
    if not _last or _last[0][0] is not policy:
        _last[:] = [(policy, policy.replace(criteria=Rules(()), named=(), notes=()))]
    return _last[0][1]
