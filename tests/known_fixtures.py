"""Documents as the language server knows them, judged in this process under the shipped policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from sakaime.lsp.diagnose import judge_text
from sakaime.lsp.known import Edit, Known, Placed
from sakaime.model import Finding
from sakaime.packs.inforce import policy_in_force
from sakaime.policy.policy import Policy


@lru_cache(maxsize=8)
def policy(settings: str = "") -> Policy:
    """The shipped policy with the settings of a repository."""
    return policy_in_force("", lambda name: settings.encode() if name == "sakaime.toml" and settings else None, None)


def known(
    path: str,
    old: str | None,
    text: str,
    *,
    message: bool = False,
    under: Policy | None = None,
    base: str = "HEAD",
) -> Known:
    """A document that was `old` and is `text`."""
    decides = under or policy()
    judged = judge_text(decides, path, None if old is None else old.encode(), text, message)
    return Known(path, text, old, message, decides, judged, base=base)


def marked(path: str, text: str, old: str | None = None) -> tuple[Known, int, int]:
    """A document with the range that «» stand around, without them."""
    start, end = text.index("«"), text.index("»") - 1
    return known(path, old, text.replace("«", "").replace("»", "")), start, end


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made, as a client makes them: all at once, none over another."""
    out, at = [], 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        assert at <= edit.start <= edit.end <= len(text)
        out += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*out, text[at:]))


def new(of: Known, family: str = "") -> list[Placed]:
    """The findings that a document has now and had not before, of a family or of all."""
    found = [placed for placed in of.judged.findings if not placed.finding.inherited]
    return [placed for placed in found if not family or placed.finding.family == family]


def counted(of: Known, family: str = "") -> Counter[tuple[str, str]]:
    """Those findings by what they are known by, wherever they stand."""
    return Counter(_identity(placed.finding) for placed in new(of, family))


def _identity(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.key or finding.excerpt
