"""Quick fixes, hovers, lenses and commands: what the client asks of a judged document, in the protocol's terms."""

from __future__ import annotations

from lsprotocol import types

from sakaime.lsp.actions import removal
from sakaime.lsp.answers import Answer
from sakaime.lsp.known import Edit, Fix, Known, Placed
from sakaime.lsp.layout import Layout
from sakaime.lsp.server import Server
from sakaime.model import SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIX_ALL = "source.fixAll.sakaime"


def add(server: Server) -> None:
    """Offers all of it to the client."""
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]
    server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)
    )(_actions)
    server.feature(types.CODE_ACTION_RESOLVE)(_resolved)


async def _known(server: Server, uri: str) -> Answer | None:
    try:
        return await server.exactly(uri)
    except (SakaimeError, Undecodable, OSError):
        return None  # the diagnostics say so


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    answer = await _known(server, params.text_document.uri)
    if answer is None:
        return []
    layout = Layout(answer.lines, server.encoding)
    wanted = params.context.only
    found: list[types.CodeAction] = []
    if _asks_for(wanted, types.CodeActionKind.QuickFix):
        for placed in answer.known.judged.findings:
            where = layout.range(placed.start, placed.end)
            if _meet(where, params.range):
                for fix in fixes(answer.known, placed):
                    shown = [
                        d for d in params.context.diagnostics if d.code == placed.finding.rule and d.range == where
                    ]
                    found.append(_action(server, params.text_document.uri, answer, layout, fix, shown))
    return found


def fixes(known: Known, placed: Placed) -> Iterator[Fix]:
    """The ways to mend a finding."""
    if placed.finding.family == "instructions":
        away = removal(known.path, known.text, placed.start, placed.end, known.message)
        yield Fix("Remove this note", (Edit(*away, ""),), (placed,))


def _asks_for(wanted: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a client wants actions of a kind; one that names `source` wants all that begin so."""
    return wanted is None or any(
        one == "" or kind == one or kind.startswith(f"{one}.") for one in map(str, (_plain(w) for w in wanted))
    )


def _plain(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch: a cursor right behind a finding is at it."""
    return one.start <= other.end and other.start <= one.end


def _action(
    server: Server, uri: str, answer: Answer, layout: Layout, fix: Fix, shown: list[types.Diagnostic]
) -> types.CodeAction:
    action = types.CodeAction(title=fix.title, kind=types.CodeActionKind.QuickFix, diagnostics=shown or None)
    if fix.preferred:
        action.is_preferred = True
    if _resolves(server):
        at = fix.findings[0]
        action.data = {"uri": uri, "rule": at.finding.rule, "start": at.start, "title": fix.title}
    else:
        action.edit = edit_of(server, uri, answer, layout, fix)
    return action


def _resolves(server: Server) -> bool:
    text_document = server.client_capabilities.text_document
    actions = text_document.code_action if text_document else None
    return bool(actions and actions.data_support and actions.resolve_support)


async def _resolved(server: Server, action: types.CodeAction) -> types.CodeAction:
    data = action.data
    if not isinstance(data, dict) or not isinstance(data.get("uri"), str):
        return action
    answer = await _known(server, data["uri"])
    if answer is None:
        return action
    for placed in answer.known.judged.findings:
        if (placed.finding.rule, placed.start) == (data.get("rule"), data.get("start")):
            for fix in fixes(answer.known, placed):
                if fix.title == data.get("title"):
                    layout = Layout(answer.lines, server.encoding)
                    action.edit = edit_of(server, data["uri"], answer, layout, fix)
                    return action
    return action


def edit_of(server: Server, uri: str, answer: Answer, layout: Layout, fix: Fix) -> types.WorkspaceEdit:
    """The edits of a fix; versioned where the client can, so that they never meet another text."""
    edits = [types.TextEdit(layout.range(one.start, one.end), one.text) for one in fix.edits]
    workspace = server.client_capabilities.workspace
    if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
        versioned = types.OptionalVersionedTextDocumentIdentifier(uri, answer.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, list(edits))])
    return types.WorkspaceEdit(changes={uri: edits})
