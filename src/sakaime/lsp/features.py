"""Quick fixes, hovers and lenses of a judged document, in the protocol's terms."""

from __future__ import annotations

from lsprotocol import types

from sakaime.lsp import authoring
from sakaime.lsp.answers import Answer
from sakaime.lsp.edits import Changes, changed, edit_of
from sakaime.lsp.fixes import fixes
from sakaime.lsp.fixes.allowing import named
from sakaime.lsp.hover import hover
from sakaime.lsp.known import Fix, Placed, Told
from sakaime.lsp.layout import Layout
from sakaime.lsp.lens import lenses
from sakaime.lsp.server import Server
from sakaime.lsp.staying import allowing
from sakaime.model import SakaimeError
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIX_ALL = "source.fixAll.sakaime"
_QUICK = types.CodeActionKind.QuickFix.value


def add(server: Server) -> None:
    """Offers them to the client."""
    server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[_QUICK, FIX_ALL], resolve_provider=True),
    )(_actions)
    server.feature(types.CODE_ACTION_RESOLVE)(_resolved)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))(_lenses)


async def judged(server: Server, uri: str) -> Answer | None:
    """What is known of a document as it is now; None where it cannot be judged, which its diagnostics say, and where
    somebody types all the time."""
    try:
        answer = await server.exactly(uri)
        return answer if answer.revision == server.document(uri).revision else None
    except (SakaimeError, Undecodable, OSError):
        return None


class Offer:
    """One action, and what it would change, worked out when it is wanted."""

    def __init__(self, title: str, kind: str, fix: Fix, placed: Placed | None) -> None:
        self.title = title
        self.kind = kind
        self.fix = fix
        self.placed = placed

    @property
    def id(self) -> list[object]:
        """By which it is found again."""
        at = self.placed
        return [self.title, self.kind, *((at.finding.fingerprint, at.start) if at is not None else ("", 0))]


def _offers(server: Server, answer: Answer, wanted: Sequence[str] | None, near: types.Range) -> Iterator[Offer]:
    """The actions of some kinds that touch a range."""
    layout = Layout(answer.lines, server.client.encoding)
    if _asks_for(wanted, _QUICK):
        for placed in answer.known.judged.findings:
            if _meet(layout.range(placed.start, placed.end), near):
                for fix in fixes(answer.known, placed):
                    yield Offer(fix.title, _QUICK, fix, placed)
                stays = allowing(server, answer, placed, "", None) if server.options.commands else None
                if stays is not None:
                    yield Offer(stays.title, _QUICK, stays, placed)
    if wanted is not None and _asks_for(wanted, FIX_ALL):
        every = [fix for placed in answer.known.judged.findings for fix in fixes(answer.known, placed) if fix.safe]
        edits = tuple(sorted({edit for fix in every if fix.path is None for edit in fix.edits}, key=lambda e: e.start))
        if edits:
            yield Offer("Mend what is safe to mend", FIX_ALL, Fix("", edits, every[0].findings, safe=True), None)


def _asks_for(wanted: Sequence[str] | None, kind: str) -> bool:
    """Whether a client wants actions of a kind; one that names `source` wants all that begin so."""
    return wanted is None or any(one in ("", kind) or kind.startswith(f"{one}.") for one in wanted)


def _meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch: a cursor right behind a finding is at it."""
    return one.start <= other.end and other.start <= one.end


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
    uri = params.text_document.uri
    answer = await judged(server, uri)
    if answer is None:
        return []
    layout = Layout(answer.lines, server.client.encoding)
    given = params.context.only
    wanted = None if given is None else [one.value if isinstance(one, types.CodeActionKind) else one for one in given]
    found: list[types.CodeAction | types.Command] = []
    for offer in _offers(server, answer, wanted, params.range):
        action = types.CodeAction(offer.title, kind=offer.kind)
        if offer.placed is not None:
            action.diagnostics = _shown(params, layout, offer.placed) or None
        if offer.fix.preferred:
            action.is_preferred = True
        if _resolves(server):
            action.data = [uri, *offer.id]
        else:
            action.edit = edit_of(server, _changes(server, answer, uri, offer.fix))
        found.append(action)
    if _asks_for(wanted, _QUICK):
        found += _commands(server, params, layout, answer)
    return found


def _commands(
    server: Server, params: types.CodeActionParams, layout: Layout, answer: Answer
) -> Iterator[types.CodeAction]:
    """What the client does by a command: asking for the reason of an exception, and showing a rule."""
    uri = params.text_document.uri
    shown = set()
    for placed in answer.known.judged.findings:
        if not _meet(layout.range(placed.start, placed.end), params.range):
            continue
        rule, diagnostics = placed.finding.rule, _shown(params, layout, placed)
        if not server.options.commands and allowing(server, answer, placed, "", None) is not None:
            title = f"Allow {named(placed)}, with a reason ..."
            command = types.Command(title, "sakaime.allow", arguments=[uri, placed.finding.fingerprint, rule])
            yield types.CodeAction(title, kind=_QUICK, diagnostics=diagnostics or None, command=command)
        if rule not in shown and rule in answer.known.policy.ids:
            shown.add(rule)
            title = f"Open the rule {rule}"
            command = types.Command(title, "sakaime.explain", arguments=[rule])
            yield types.CodeAction(title, kind=_QUICK, diagnostics=diagnostics or None, command=command)


def _shown(params: types.CodeActionParams, layout: Layout, placed: Placed) -> list[types.Diagnostic]:
    where = layout.range(placed.start, placed.end)
    return [one for one in params.context.diagnostics if one.code == placed.finding.rule and one.range == where]


def _resolves(server: Server) -> bool:
    text_document = server.client_capabilities.text_document
    actions = text_document.code_action if text_document else None
    able = actions.resolve_support if actions else None
    return bool(actions and actions.data_support and able and "edit" in able.properties)


async def _resolved(server: Server, action: types.CodeAction) -> types.CodeAction:
    if not isinstance(action.data, list) or len(action.data) != 5 or not isinstance(action.data[0], str):
        return action
    uri, kind, start = action.data[0], str(action.data[2]), action.data[4]
    answer = await judged(server, uri)
    if answer is not None and isinstance(start, int):
        place = Layout(answer.lines, server.client.encoding).place(start)
        for offer in _offers(server, answer, [kind], types.Range(place, place)):
            if offer.id == action.data[1:]:
                action.edit = edit_of(server, _changes(server, answer, uri, offer.fix))
                break
    return action


def _changes(server: Server, answer: Answer, uri: str, fix: Fix) -> Changes:
    if fix.path is None:
        return Changes(uri, answer.version, answer.lines, fix.edits)
    return changed(server, answer, fix)


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    answer = await judged(server, params.text_document.uri)
    if answer is None:
        return None
    layout = Layout(answer.lines, server.client.encoding)
    told = hover(answer.known, layout.offset(params.position))
    if told is None:
        told = authoring.hovered(server, params.text_document.uri, params.position)
    return None if told is None else shown(told, layout)


def shown(told: Told, layout: Layout) -> types.Hover:
    """Something told, as a hover."""
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, told.text), range=layout.range(told.start, told.end)
    )


async def _lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    answer = await judged(server, params.text_document.uri)
    if answer is None:
        return []
    layout = Layout(answer.lines, server.client.encoding)
    every = [*lenses(answer.known), *await authoring.lenses(server, params.text_document.uri)]
    return [lens(told, layout) for told in every]


def lens(told: Told, layout: Layout) -> types.CodeLens:
    """Something told, as a lens; where it is about a rule, that is what it shows."""
    command = (
        types.Command(told.text, "sakaime.explain", arguments=[told.rule])
        if told.rule
        else types.Command(told.text, "")
    )
    return types.CodeLens(layout.range(told.start, told.end), command=command)
