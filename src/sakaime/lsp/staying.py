"""Letting a finding stay: where the exception is written."""

from __future__ import annotations

from sakaime.lsp.answers import Answer
from sakaime.lsp.edits import can_create, text_of
from sakaime.lsp.fixes.allowing import allow
from sakaime.lsp.known import Fix, Placed
from sakaime.lsp.server import Server
from sakaime.packs.inforce import PYPROJECT, SETTINGS
from sakaime.text.source import Undecodable


def allowing(server: Server, answer: Answer, placed: Placed, reason: str, until: str | None) -> Fix | None:
    """The fix that lets a finding stay, in the file or in the settings of its repository; None where nobody may, or
    where there is no place for it. Without a reason it asks for one, and that it lacks one is found."""
    known = answer.known
    settings, into = None, SETTINGS
    if known.root is not None:
        try:
            settings = text_of(server, known.root, SETTINGS)
            if settings is None and "[tool.sakaime" in (other := text_of(server, known.root, PYPROJECT) or ""):
                settings, into = other, PYPROJECT
        except (OSError, Undecodable):
            return None
    fix = allow(known, placed, reason, until, settings, into)
    if fix is None or fix.path is None:
        return fix
    return None if known.root is None or (settings is None and not can_create(server)) else fix
