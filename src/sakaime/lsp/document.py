"""An open document as the protocol defines it: lines end at LF, CR LF or CR, and at nothing else.

pygls cuts lines with `str.splitlines`, so that a form feed or U+2028 before a line shifts every
position behind it, and an edit lands in the wrong text: an evasion that one could type.
"""

from __future__ import annotations

import itertools
import os
import re
import stat

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from sakaime.lsp.uris import name_of, path_of
from sakaime.text.source import LIMIT, Undecodable, byte_column, decode, utf16_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OTHER_BREAKS = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_numbers = itertools.count()


def split(text: str) -> list[str]:
    """The lines of a text with their line ends; an empty line after the last line end is not listed."""
    return _LINE.findall(text) if _OTHER_BREAKS.search(text) else text.splitlines(True)


def splice(lines: list[str], start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    """Replaces what lies between two (line, column) places, from 0 and in code points, in the list itself.

    Places behind the end of the text mean its end. One line on either side is split again with the new
    text, because a CR and a LF that come together there become one line end.
    """
    start, end = min(start, end), max(start, end)
    first = min(start[0], len(lines))
    head = lines[first][: start[1]] if first < len(lines) else ""
    tail = lines[end[0]][end[1] :] if end[0] < len(lines) else ""
    after = min(end[0] + 1, len(lines))
    low, high = max(0, first - 1), min(len(lines), after + 1)
    lines[low:high] = split("".join([*lines[low:first], head, text, tail, *lines[after:high]]))


def units(line: str, column: int, encoding: str) -> int:
    """A column in code points (from 0) as one in the client's units: utf-8, utf-16 or utf-32."""
    if encoding == types.PositionEncodingKind.Utf32 or line[:column].isascii():
        return column
    if encoding == types.PositionEncodingKind.Utf8:
        return byte_column(line, column + 1) - 1
    return utf16_column(line, column + 1) - 1


def column(line: str, units: int, encoding: str) -> int:
    """A column in the client's units as one in code points (from 0): at most the end of the line's text.

    Inside a character it is the place before it.
    """
    text = line.rstrip("\r\n")
    if encoding == types.PositionEncodingKind.Utf32 or text[:units].isascii():
        return min(units, len(text))
    seen = 0
    for number, char in enumerate(text):
        if encoding == types.PositionEncodingKind.Utf8:
            seen += 1 + (char > "\x7f") + (char > "\u07ff") + (char > "\uffff")
        else:
            seen += 1 + (char > "\uffff")
        if seen > units:
            return number
    return len(text)


class Document(TextDocument):
    """A text document kept as a list of lines, so that an edit costs what it changes.

    A document that is not open is read from disk when it is asked for; reading raises `OSError`, and
    `sakaime.text.source.Undecodable` where the bytes are no text.

    `revision` is another one after each change, and of each document that is opened: clients number their versions
    anew when they open a document again, and some do not count at all. None: it is not open.
    """

    def __init__(
        self,
        uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
        position_codec: PositionCodec | None = None,
    ) -> None:
        super().__init__(uri, None, version, language_id, position_codec=position_codec)
        self.path = path_of(uri) or name_of(uri)
        self._lines = None if source is None else split(source)
        self.revision = None if source is None else next(_numbers)

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their line ends. Not to be changed, and to be asked for again after an edit."""
        if self._lines is None:
            if not stat.S_ISREG(os.stat(self.path).st_mode):  # a pipe would never end
                raise Undecodable("it is no regular file")
            with open(self.path, "rb") as file:
                return split(decode(file.read(LIMIT + 1)))
        return self._lines

    @property
    def source(self) -> str:
        """The whole text."""
        return "".join(self.lines)

    def _apply_full_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        self._lines = split(change.text)
        self.revision = next(_numbers)

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        if self._lines is None:
            self._lines = list(self.lines)
        places = [(place.line, self._column(place)) for place in (change.range.start, change.range.end)]
        splice(self._lines, places[0], places[1], change.text)
        self.revision = next(_numbers)

    def _column(self, place: types.Position) -> int:
        assert self._lines is not None
        if place.line >= len(self._lines):
            return 0
        return column(self._lines[place.line], place.character, self._position_codec.encoding or "utf-16")


def use_in(workspace: Workspace) -> None:
    """Makes a workspace of pygls keep its documents as `Document`."""

    def create(
        doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> Document:
        return Document(doc_uri, source, version, language_id, workspace.position_codec)

    # Private, and the only way in; pyproject pins pygls below the next minor version.
    workspace._create_text_document = create  # type: ignore[method-assign]
