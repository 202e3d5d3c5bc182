"""What authors of packs and settings ask for while they write, in the protocol's terms."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from sakaime.lsp.answers import AUTHORED, Deciding
from sakaime.lsp.document import Document
from sakaime.lsp.known import Told
from sakaime.lsp.layout import Layout
from sakaime.lsp.server import Server
from sakaime.model import Record, SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.lsp import authors

_TRIGGERS = ['"', "{", "[", ".", " ", ":"]
_KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "rule": types.CompletionItemKind.Reference,
    "word": types.CompletionItemKind.Variable,
}


class Written(Record):
    """What is being written: its kind, and what it is judged with."""

    kind: str
    root: str | None
    by: Deciding
    text: str
    layout: Layout


def add(server: Server) -> None:
    """Offers completions to the client."""
    server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))(_completed)


def written(server: Server, uri: str) -> Written | None:
    """A pack, settings or a lock, as they stand in the editor; None for any other document, or one that cannot be
    read."""
    if not uri.lower().endswith(AUTHORED):
        return None
    from sakaime.lsp import authors

    try:
        document: Document = server.document(uri)
        lines = document.lines
        by = server.deciding(document)
    except (SakaimeError, Undecodable, OSError):
        return None
    text, root = "".join(lines), by.home.root if by.trusted else None
    kind = authors.kind(by.home.path, text, root)
    return None if kind is None else Written(kind, root, by, text, Layout(lines, server.client.encoding))


def _completed(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    here = written(server, params.text_document.uri)
    if here is None:
        return None
    from sakaime.lsp import authors

    offset, policy = here.layout.offset(params.position), here.by.ruling.policy
    found = authors.complete(here.kind, here.text, offset, policy, here.root)
    return types.CompletionList(False, [_item(one, here.layout) for one in found])


def _item(one: authors.Completion, layout: Layout) -> types.CompletionItem:
    return types.CompletionItem(
        one.label,
        kind=_KINDS.get(one.what),
        detail=one.detail or None,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, one.documentation) if one.documentation else None,
        filter_text=one.insert,
        text_edit=types.TextEdit(layout.range(one.start, one.end), one.insert),
    )


def hovered(server: Server, uri: str, position: types.Position) -> Told | None:
    """What there is to tell an author of a place."""
    here = written(server, uri)
    if here is None:
        return None
    from sakaime.lsp import authors

    offset, policy = here.layout.offset(position), here.by.ruling.policy
    return authors.hover(here.kind, here.text, offset, policy, here.root)


async def lenses(server: Server, uri: str) -> list[Told]:
    """What stands above the rules of a pack, and above settings."""
    here = written(server, uri)
    if here is None:
        return []
    from sakaime.lsp import authors

    old = here.by.old.data
    before = None if old is None else old.decode("utf-8", "replace")
    policy, home = here.by.ruling.policy, here.by.home
    return await server.worker.do(
        partial(authors.lenses, here.kind, here.root, home.path, here.text, policy, before, here.by.base)
    )
