"""What is asked for by name: a rule or the policy to read, an exception, everything anew."""

from __future__ import annotations

from datetime import date
from typing import Any

from lsprotocol import types

from sakaime.lsp.edits import Changes, changed, edit_of
from sakaime.lsp.features import judged
from sakaime.lsp.home import Home, Ruling
from sakaime.lsp.server import Server
from sakaime.lsp.status import roots
from sakaime.lsp.staying import allowing
from sakaime.lsp.telling import explained_markdown, policy_markdown
from sakaime.lsp.uris import path_of
from sakaime.model import SakaimeError


def add(server: Server) -> None:
    """Answers our own client's questions, and offers commands to any other."""
    server.feature("sakaime/explain")(_explain)
    server.feature("sakaime/showPolicy")(_show_policy)
    server.feature("sakaime/allow")(_allow)


def offer(server: Server) -> None:
    """Offers commands, to a client that has none of its own: before its greeting is answered."""
    server.command("sakaime.explain")(_explain_command)
    server.command("sakaime.showPolicy")(_policy_command)
    server.command("sakaime.restart")(_restart_command)


def _asked(params: Any, name: str) -> str:
    """A text that a question holds; empty where it holds none."""
    value = params.get(name) if isinstance(params, dict) else getattr(params, name, None)
    return value if isinstance(value, str) else ""


def _home(server: Server, uri: str) -> Home:
    """The repository of a document, or of the first folder of the workspace."""
    if uri:
        return server.deciding(server.document(uri)).home
    return Home(roots(path_of(folder.uri) for folder in server.workspace.folders.values())[0], "")


def _ruling(server: Server, uri: str) -> tuple[Ruling, str]:
    home = _home(server, uri)
    return server.rulings.of(home), server.bases.name(home.root)


def _explain(server: Server, params: Any) -> dict[str, Any]:
    ruling, _ = _ruling(server, _asked(params, "uri"))
    if rule := _asked(params, "rule"):
        return {"markdown": explained_markdown(ruling.policy, rule)}
    rules = ruling.policy.every_rule()
    return {"rules": [{"id": rule.id, "title": rule.title, "severity": rule.severity} for rule in rules]}


def _show_policy(server: Server, params: Any) -> dict[str, str]:
    ruling, base = _ruling(server, _asked(params, "uri"))
    mistakes = [ruling.mistake] if ruling.mistake is not None else []
    return {"markdown": policy_markdown(ruling.policy, mistakes, base)}


async def _allow(server: Server, params: Any) -> dict[str, Any]:
    uri, fingerprint, rule, reason, until = (
        _asked(params, name) for name in ("uri", "fingerprint", "rule", "reason", "until")
    )
    if not any(char.isprintable() and not char.isspace() for char in reason):
        return {"error": "An exception needs a reason."}
    if until and not _is_day(until):
        return {"error": f"{until!r} is no day: write it YYYY-MM-DD."}
    if until and until < date.today().isoformat():
        return {"error": f"{until} is past."}
    answer = await judged(server, uri)
    for placed in answer.known.judged.findings if answer is not None else ():
        if answer is not None and (placed.finding.fingerprint, placed.finding.rule) == (fingerprint, rule):
            fix = allowing(server, answer, placed, reason, until or None)
            if fix is None:
                missing = "; where its place is sakaime.toml, make an empty one first"
                return {"error": f"{rule} is locked, or there is no place here for an exception{missing}."}
            own = Changes(uri, answer.version, answer.lines, fix.edits)
            edit = edit_of(server, own if fix.path is None else changed(server, answer, fix))
            return {"edit": edit} if edit is not None else {"error": "Make an empty sakaime.toml first."}
    return {"error": f"{rule} is no longer found there."}


def _is_day(text: str) -> bool:
    """Whether it is a day as settings and comments write it: Python takes other forms of ISO 8601 as well."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _told(server: Server, text: str) -> str:
    server.show(types.MessageType.Info, text)
    return text


def _explain_command(server: Server, rule: str = "") -> str:
    """Shows a rule, and gives its page as Markdown."""
    if not rule:
        return _told(server, "Which rule? Name one by its id, such as en/cap.")
    try:
        return _told(server, str(_explain(server, {"rule": rule})["markdown"]))
    except SakaimeError as error:
        return _told(server, str(error))


def _policy_command(server: Server) -> str:
    """Shows what decides, and gives it as Markdown."""
    try:
        return _told(server, _show_policy(server, {})["markdown"])
    except SakaimeError as error:
        return _told(server, str(error))


def _restart_command(server: Server) -> None:
    """Reads and judges everything anew."""
    server.settled.clear()
    server.latest.clear()
    server.on_disk.clear()
    server.said.clear()
    server.bases.close()
    server.look_again()
