"""Items as they are found: below which titles, in which item, coloured by which words."""

from __future__ import annotations

from sakaime.checks.criteria.documents.tables import counts
from sakaime.checks.criteria.item import ROW, Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADINGS = 16  # open at once
_COLUMNS = 64  # of a row that has fewer cells
_TAG = 0  # the level of a tag: no heading inside of it ends one outside
_NAMELESS = frozenset({"", "details"})


class Frame:
    """A block that holds others: the item it belongs to, what colours the items in it, and what stood last in it."""

    __slots__ = ("above", "columns", "headings", "lead", "leads", "own", "parent")

    def __init__(self, parent: int, above: tuple[str, ...], own: bool = False) -> None:
        self.parent = parent
        self.above = above
        self.own = own  # its first paragraph is the text of an item
        self.lead = ""  # the paragraph before
        self.leads = ""  # what stands behind that paragraph, a list or a table
        self.columns: tuple[str, ...] | None = None  # of the table that stood last
        self.headings: list[tuple[int, str]] = []  # those outside

    def led(self, what: str) -> tuple[str, ...]:
        """What colours the items of a list or a table that follows: the same paragraph leads in several lists."""
        if self.leads not in ("", what):
            self.lead = ""
        self.leads = what
        return (*self.above, self.lead) if self.lead else self.above

    def follows(self, lead: str = "") -> None:
        """Something else than a list or a table follows: a paragraph that may lead one in, or not."""
        self.own, self.columns, self.lead, self.leads = False, None, lead, ""


class Outline:
    """The items so far, and the titles that are open: of headings by level, and of tags."""

    def __init__(self, scope: tuple[str, ...], items: Sequence[Item]) -> None:
        self.scope = scope
        self.items = list(items)
        self.titles: tuple[str, ...] = ()
        self.sample = 0  # fences around
        self._open: list[tuple[int, str]] = []

    def mark(self) -> list[tuple[int, str]]:
        """The titles that are open, to come back to."""
        return list(self._open)

    def back(self, mark: list[tuple[int, str]]) -> None:
        """Closes what was opened since."""
        self._open = mark
        self._titled()

    def enter(self, tag: str = "") -> None:
        """What follows stands in a tag, or in a text of its own."""
        if len(self._open) < _HEADINGS:
            self._open.append((_TAG, tag))
        self._titled()

    def leave(self, tag: str) -> None:
        """A tag ends, with all that stood in it."""
        if (_TAG, tag) in self._open:
            while self._open.pop() != (_TAG, tag):
                pass
            self._titled()

    def heading(self, level: int, title: str, kind: str, start: int, end: int, frame: Frame, key: str) -> None:
        """What follows stands below a title, and no longer below those of the same level or a deeper one."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._titled()
        self.put(kind, title, start, end, frame, frame.above, key)
        if title and len(self._open) < _HEADINGS:
            self._open.append((level, title))
            self._titled()

    def _titled(self) -> None:
        self.titles = tuple(title for level, title in self._open if level or title not in _NAMELESS)

    def put(
        self,
        kind: str,
        text: str,
        start: int,
        end: int,
        frame: Frame,
        above: tuple[str, ...],
        key: str = "",
        cells: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Adds an item. Gives its number, or that of the item around it if it says nothing."""
        if start >= end or not (text or key):
            return frame.parent
        self.items.append(
            Item(
                kind,
                text,
                start,
                end,
                key=key,
                headings=self.titles,
                above=above,
                parent=frame.parent,
                cells=cells,
                scope=self.scope,
                sample=self.sample > 0,
            )
        )
        return len(self.items) - 1

    def row(
        self, shown: list[str], columns: tuple[str, ...], start: int, end: int, frame: Frame, name: str = ""
    ) -> None:
        """Adds a row of a table. Its first cell names it, unless it is the only one or counts the rows."""
        shown = shown + [""] * (min(len(columns), _COLUMNS) - len(shown))
        cells = tuple((columns[at] if at < len(columns) else "", cell) for at, cell in enumerate(shown))
        rest = ", ".join(cell for cell in shown[1:] if cell)
        key = shown[0]
        if len(shown) == 1 or (counts(cells[0][0]) and key.rstrip(".)").isdecimal()):
            key, rest = "", rest or key
        self.put(ROW, rest, start, end, frame, frame.led(ROW), name or key, cells)
