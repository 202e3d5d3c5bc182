"""Where in the new text something stood that is gone."""

from __future__ import annotations

from bisect import bisect_right

from sakaime.checks.criteria.comparing.tokens import plain
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sakaime.checks.criteria.item import Document

_LEAST_TEXT = 4  # letters of an item by which its copy in a comment is known


class Places(Record):
    """The lines of both sides; for each old line the number of the new line that stands where it began; the pairs;
    for each old item the last paired one before it and the first after it (-1: none); where new comments begin."""

    old: Document
    new: Document
    old_starts: Sequence[int]
    new_starts: Sequence[int]
    before: Sequence[int]
    new_of: Mapping[int, int]
    previous: Sequence[int]
    following: Sequence[int]
    comments: Mapping[str, int]


def places(old: Document, new: Document, new_of: Mapping[int, int]) -> Places:
    """Reads both sides once, from top to bottom: what is paired leads from a line of one to a line of the other,
    and lines that belong to no item (blanks, heads of tables) follow what they follow in both."""
    old_starts, new_starts = _line_starts(old.text), _line_starts(new.text)
    new_lines = _stripped(new.text, new_starts)
    old_lines = _stripped(old.text, old_starts)
    in_item = bytearray(len(old_starts))
    leads: dict[int, int] = {}
    for at, item in enumerate(old.items):
        first, last = _line(old_starts, item.start), _line(old_starts, max(item.start, item.end - 1))
        if at in new_of:
            its = new.items[new_of[at]]
            leads[last] = _line(new_starts, max(its.start, its.end - 1)) + 1
        if not in_item[last] or not in_item[first]:
            in_item[first : last + 1] = b"\1" * (last + 1 - first)
    before, now = [], 0
    for line, text in enumerate(old_lines):
        before.append(now)
        if line in leads:
            now = leads[line]
        elif not in_item[line] and now < len(new_lines) and new_lines[now] == text:
            now += 1
    previous, following = [-1] * len(old.items), [-1] * len(old.items)
    last_pair = -1
    for at in range(len(old.items)):
        previous[at] = last_pair
        last_pair = at if at in new_of else last_pair
    last_pair = -1
    for at in range(len(old.items) - 1, -1, -1):
        following[at] = last_pair
        last_pair = at if at in new_of else last_pair
    comments = _comments(new.text, new_starts, new_lines)
    return Places(old, new, old_starts, new_starts, before, new_of, previous, following, comments)


def place(where: Places, gone: int) -> tuple[int, int]:
    """The line of the new text that stands where a gone item did: the comment that holds it now; the item that came
    before it, if the items around were put in another order; else what comes after that one; the last line at the end.
    """
    item = where.old.items[gone]
    form = plain(where.old.text[item.start : item.end])
    if len(form) >= _LEAST_TEXT and form in where.comments:
        return line_of(where, where.comments[form])
    previous, following = where.previous[gone], where.following[gone]
    if previous >= 0 and following >= 0 and where.new_of[following] < where.new_of[previous]:
        return line_of(where, where.new.items[where.new_of[previous]].start)
    line = where.before[_line(where.old_starts, item.start)]
    return line_of(where, where.new_starts[min(line, len(where.new_starts) - 1)])


def line_of(where: Places, at: int) -> tuple[int, int]:
    """The place of the line that an offset of the new text is on."""
    line = _line(where.new_starts, at)
    start = where.new_starts[line]
    end = where.new_starts[line + 1] if line + 1 < len(where.new_starts) else len(where.new.text)
    return start, start + len(where.new.text[start:end].rstrip())


def first_line(text: str) -> tuple[int, int]:
    """The place of the first line of a text."""
    return 0, len(text[: text.find("\n")].rstrip() if "\n" in text else text.rstrip())


def _comments(text: str, starts: Sequence[int], lines: Sequence[str]) -> dict[str, int]:
    """The lines that are comments by their plain form, and where each begins."""
    found: dict[str, int] = {}
    inside = False
    for start, end, form in zip(starts, [*starts[1:], len(text)], lines, strict=True):
        line = text[start:end]
        opens = "<!--" in line
        if form and (inside or opens or line.lstrip().startswith(("#", "//", ";"))):
            found.setdefault(form, start)
        if opens or "-->" in line:
            inside = line.rfind("<!--") > line.rfind("-->")
    return found


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while 0 <= at < len(text) - 1:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _stripped(text: str, starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], len(text)]
    return [plain(text[start:end].strip()) for start, end in zip(starts, ends, strict=True)]


def _line(starts: Sequence[int], at: int) -> int:
    return max(0, bisect_right(starts, at) - 1)
