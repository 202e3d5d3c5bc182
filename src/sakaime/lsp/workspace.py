"""Files that differ from the base and are not open: the client asks once, and is answered when something is new.

VS Code asks every two seconds for as long as answers come at once; so a question without news is held.
"""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial

from lsprotocol import types

from sakaime.lsp.answers import LARGEST, Answer, failed, settled
from sakaime.lsp.document import Document
from sakaime.lsp.home import HEAD
from sakaime.lsp.server import Server
from sakaime.lsp.uris import path_of, uri_of
from sakaime.material import git
from sakaime.model import SakaimeError
from sakaime.text.source import Undecodable

_MOST = 1000  # files that are judged though nobody has opened them
_LISTED = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=d")
_log = logging.getLogger("sakaime")


async def pulled(server: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Whatever is new since the ids that the client knows; waits until something is."""
    known = {one.uri: one.value for one in params.previous_result_ids}
    token = params.work_done_token
    while True:
        stirred = server.stirred
        news = await _news(server, known, token)
        if news:
            return types.WorkspaceDiagnosticReport(news)
        token = None
        await stirred.wait()


async def _news(
    server: Server, known: dict[str, str], token: int | str | None
) -> list[types.WorkspaceFullDocumentDiagnosticReport]:
    uris = await _changed(server) if server.options.workspace and server.options.trusted else []
    left = dict(known)
    news: list[types.WorkspaceFullDocumentDiagnosticReport] = []
    if token is not None:
        server.work_done_progress.begin(token, types.WorkDoneProgressBegin("Sakaime: changed files", percentage=0))
    try:
        for number, uri in enumerate(uris):
            await asyncio.sleep(0)  # of a thousand files, looking which of them changed takes long as well
            last = left.pop(uri, None)
            if server.is_open(uri) or server.workspace.get_notebook_document(notebook_uri=uri) is not None:
                continue
            result_id, items = await _judged(server, uri)
            if result_id != last and (items or last is not None):
                news.append(types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=result_id))
            if token is not None:
                done = types.WorkDoneProgressReport(percentage=100 * (number + 1) // len(uris))
                server.work_done_progress.report(token, done)
    finally:
        if token is not None:
            server.work_done_progress.end(token, types.WorkDoneProgressEnd())
    for uri in server.on_disk.keys() - set(uris):
        del server.on_disk[uri]
    for uri in left:  # no longer changed, or gone
        if left[uri] != _NOTHING and not server.is_open(uri):
            news.append(types.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id=_NOTHING))
    return news


_NOTHING = "nothing"


async def _judged(server: Server, uri: str) -> tuple[str, list[types.Diagnostic]]:
    path = path_of(uri) or ""
    try:
        await server.warm(uri)
        document = server.document(uri)
        by = server.deciding(document)
        seen = os.stat(path, follow_symlinks=False)
        state = (seen.st_mtime_ns, seen.st_size, seen.st_ino, by.key)
        last = server.on_disk.get(uri)
        if last is None or last[0] != state:
            client = server.client

            def judge() -> Answer:
                if seen.st_size > 4 * LARGEST:
                    raise Undecodable(f"larger than {4 * LARGEST >> 20} MiB")
                return settled(by, Document(uri).lines, client)

            answer = await server.worker.do(judge)
            last = server.on_disk[uri] = state, answer.id, answer.diagnostics
        return last[1], list(last[2])
    except FileNotFoundError:
        return _NOTHING, []
    except (SakaimeError, Undecodable, OSError) as error:
        reason = error.message if isinstance(error, SakaimeError) else str(error)
        return f"!{reason}", failed(uri, reason)


async def _changed(server: Server) -> list[str]:
    """The files of the workspace that differ from the base, regular ones, by URI: below a folder of the workspace that
    is reached through a link, where the client has them."""
    tops: dict[str, dict[str, str]] = {}
    for folder in server.workspace.folders.values():
        path = path_of(folder.uri)
        try:
            top = git.root(path) if path else None
        except SakaimeError:
            continue
        if path and top is not None:
            tops.setdefault(top, {})[os.path.realpath(path)] = path
    return await server.worker.do(partial(_present, [(top, _commit(server, top), tops[top]) for top in tops]))


def _present(tops: list[tuple[str, str | None, dict[str, str]]]) -> list[str]:
    uris: list[str] = []
    for top, commit, linked in tops:
        for name in _names(top, commit) if commit is not None else ():
            full = os.path.join(top, name)
            if not os.path.isfile(full) or os.path.islink(full):
                continue
            if len(uris) == _MOST:
                _log.warning("more than %d files differ from the base; `sakaime check` judges all of them", _MOST)
                return uris
            below = next((real for real in linked if full.startswith(os.path.join(real, ""))), "")
            uris.append(uri_of(linked.get(below, "") + full[len(below) :]))
    return uris


def _commit(server: Server, top: str) -> str | None:
    try:
        return server.bases.commit(top)
    except SakaimeError as error:
        _log.warning("%s: %s", top, error)
        return None


def _names(top: str, commit: str) -> list[str]:
    try:
        if commit == HEAD and git.ask(top, "rev-parse", "--verify", "--quiet", HEAD) is None:  # no commit yet
            listed = git.run(top, "ls-files", "-z", "--cached")
        else:
            listed = git.run(top, *_LISTED, commit, "--")
        listed += git.run(top, "ls-files", "-z", "--others", "--exclude-standard")
    except SakaimeError as error:
        _log.warning("%s: %s", top, error)
        return []
    return sorted({os.fsdecode(name) for name in listed.split(b"\0") if name})
