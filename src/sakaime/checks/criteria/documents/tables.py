"""Rows of tables: pipes, as they stand in a paragraph of lines, and HTML."""

from __future__ import annotations

import re

from sakaime.checks.criteria.documents.plain import BLANKS, FILLER, code_spans
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Cell = tuple[str, int]  # (text, its offset)

_DELIMITER = late(r"[-–—=:+| \t]+")
_SIGN = late(r"(?<!\\)(?:\\\\)*\|")
_COUNTING = frozenset("# no no. nr nr. num number s.no 番号 番 項番 序号 编号 順 번호 순번".split())
_HTML = late(r"(?i)<(/?)(tr|td|th|thead|tbody|tfoot|caption)\b[^<>]*>")


def is_delimiter(line: str) -> bool:
    """Whether a line stands below the titles of a table, whatever number of columns it gives."""
    return "|" in line and any(dash in line for dash in "-–—=") and _DELIMITER.fullmatch(line) is not None


def has_pipe(line: str) -> bool:
    """Whether a line holds a pipe that no backslash takes the meaning of."""
    return "|" in line and _SIGN.search(line) is not None


def is_row(line: str) -> bool:
    """Whether a line reads as a row with pipes outside, so that it needs no delimiter to be known as one."""
    return line.startswith("|") and len(line) > 2 and line.rstrip(BLANKS).endswith("|") and not is_delimiter(line)


def cells(line: str, start: int, columns: int = 0) -> list[Cell]:
    """The cells of a line that begins at `start`, without the blanks around them.

    A table has `columns` columns (0: unknown). Pipes in code spans part no cells if the number of cells is then right:
    GitHub parts them there, and loses the last cell, which its author did not mean.
    """
    kept = _split(line, start, code_spans(line))
    if columns and len(kept) != columns:
        naive = _split(line, start, {})
        if len(naive) == columns:
            kept = naive
    while len(kept) > max(columns, 1) and not kept[-1][0]:
        kept.pop()
    return kept


def _split(line: str, start: int, spans: dict[int, int]) -> list[Cell]:
    out: list[Cell] = []
    begin = at = 0
    if line.startswith("|"):
        begin = at = 1
    last = len(line.rstrip(BLANKS))
    for found in re.finditer(r"\\.|`+|\|", line[:last]):
        if found.start() < at:
            continue
        if found[0][0] == "`":
            at = spans.get(found.start(), found.end())
        elif found[0] == "|":
            out.append(_cell(line, begin, found.start(), start))
            begin = found.end()
    if begin < last or not out:
        out.append(_cell(line, begin, last, start))
    return out


def _cell(line: str, begin: int, end: int, start: int) -> Cell:
    text = line[begin:end]
    left = text.lstrip(BLANKS)
    return left.rstrip(BLANKS), start + begin + len(text) - len(left)


def counts(title: str) -> bool:
    """Whether a column of this title numbers the rows, which names none of them."""
    return title.lower() in _COUNTING


def html_rows(markup: str) -> Iterator[tuple[bool, list[tuple[int, int]]]]:
    """Of the markup of an HTML table, its rows: whether one holds titles, and where the insides of its cells are."""
    row: list[tuple[int, int]] = []
    titles, begin, head = True, -1, False
    for found in _HTML.finditer(markup):
        closes, name = found[1], found[2].lower()
        if begin >= 0:
            row.append((begin, found.start()))
            begin = -1
        if name in ("td", "th") and not closes:
            begin = found.end()
            titles = titles and (name == "th" or head)
        elif name not in ("td", "th"):
            if row:
                yield titles, row
            row, titles = [], True
            head = (not closes) if name == "thead" else head and name == "tr"
    if begin >= 0:
        row.append((begin, len(markup)))
    if row:
        yield titles, row


def html_cells(markup: str, spans: Sequence[tuple[int, int]]) -> list[Cell]:
    """The cells that lie at these places."""
    return [(markup[first:last].replace(FILLER, " "), first) for first, last in spans]
