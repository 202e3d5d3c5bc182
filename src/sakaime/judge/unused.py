"""Exceptions that except nothing. Told only where whole files are judged: a change says little of the rest."""

from __future__ import annotations

from sakaime.judge.comments import Exceptions, covers
from sakaime.judge.suppress import matches
from sakaime.model import Finding, Position, Span
from sakaime.policy.policy import WATCHED
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sakaime.material.change import Material
    from sakaime.policy.policy import Policy


def unused(
    policy: Policy, material: Material, excepted: Iterable[Exceptions], found: Sequence[Finding]
) -> Iterator[Finding]:
    """An info for each comment, and each entry of the settings, that no finding needs.

    An entry for any file, or for a file that was not looked at, is told of only in a run over the whole tree.
    """
    for one in excepted:
        here = [finding for finding in found if finding.path == one.path]
        for comment in one.valid:
            if not any(covers(comment, finding) for finding in here):
                text = f"nothing here needs the exception to {comment.rule}"
                yield _told(text, one.path, comment.span)
    looked_at = {printable(change.path) for change in material.changes}
    for allow in policy.allows:
        # What only a change can need, whole files do not tell of.
        if allow.frees or allow.rule in WATCHED or not (material.complete or allow.path in looked_at):
            continue
        if not any(matches(allow, finding) for finding in found):
            start = Position(allow.number, allow.column)
            what = allow.fingerprint or repr(allow.line)
            text = f"nothing needs the exception to {allow.rule} ({what}) in {allow.path or 'any file'}"
            yield _told(text, allow.file, Span(start, Position(allow.number, allow.column + 1)))


def _told(text: str, path: str, span: Span) -> Finding:
    return Finding("policy/unused", "policy", "unused", "info", text, path, span, "")
