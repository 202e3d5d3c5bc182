"""A criterion: one item of a document that tells a reviewer what to look at."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = bool | int | float | str | None

PROSE_FILES = (".md", ".mdx", ".mdc", ".rst", ".txt", ".adoc")  # how the names of documents of prose end
OWNERS_FILE = "CODEOWNERS"
ROW, BULLET, TASK, HEADING, PROSE, KEY, OWNER = "row", "bullet", "task", "heading", "prose", "key", "owner"
KINDS = (ROW, BULLET, TASK, HEADING, PROSE, KEY, OWNER)


class Item(Record):
    """One thing that a document says.

    `kind` is one of `KINDS`. `key` is what names it whatever its words are: an explicit id, the first cell of a row, a
    path of keys (`reviews.auto_review.enabled`; of a list entry the path of the list), the pattern of an owner line;
    empty where nothing does. `text` is what it says, without markup, blanks single (the cells of a row after the first,
    the value of a key, the owners of a line, with ", " between). `start` and `end` are its place in the text of the
    document, in code points, without the blanks and line ends around it.

    `headings` are those that it stands below, outermost first; `above` what else colours it, outermost first: the
    sentence that leads in a list or table ("Do not report:"), the items that it is nested in. `parent` is the number
    of the item that it is nested in, in the document's tuple (-1: none). `cells` are, of a row, (title of the column,
    text), the first cell included.

    Of configuration, `value` is the scalar as it was parsed, and `negative` says that its container names what is left
    out (`disable`, `ignore`, `exclude`, `!pattern`). `scope` is the globs that the item is about, where the document
    says so (`applyTo`, `path_instructions[].path`, the pattern of an owner line). `sample` says that it stands in a
    fence or a quotation, which may be an example. `ordered` says that its place among its siblings has meaning.
    """

    kind: str
    text: str
    start: int
    end: int
    key: str = ""
    headings: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    parent: int = -1
    cells: tuple[tuple[str, str], ...] = ()
    value: Value = None
    negative: bool = False
    entry: bool = False
    scope: tuple[str, ...] = ()
    sample: bool = False
    ordered: bool = False

    @property
    def said(self) -> tuple[object, ...]:
        """All of it but where it stands."""
        return (
            self.kind, self.text, self.key, self.headings, self.above, self.cells, self.value, self.negative,
            self.entry, self.scope, self.sample, self.ordered,
        )  # fmt: skip


class Document(Record):
    """One side of a criteria document: its path (`printable`), its text, and what it says, in the order of the text,
    a parent before its children."""

    path: str
    text: str
    items: tuple[Item, ...]
