"""Which documents reviewers read: by their names, and because one that they read links to them, points to them or
imports them."""

from __future__ import annotations

import posixpath
import re

from sakaime.checks.criteria.documents.mentions import mentions, paths_of
from sakaime.checks.criteria.item import PROSE_FILES
from sakaime.policy.match import looks_at
from sakaime.policy.policy import Policy
from sakaime.policy.rule import Rule
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Readers = Callable[[str], "Rule | None"]

_MOST_POINTED = 400  # characters of a text that only points to another one, or is the target of a link
# As Claude Code and Gemini CLI import: anywhere but in code, from one document to the next.
_IMPORT = late(r"(?<![\w`@/.])@([\w./-]{1,200}\.[A-Za-z]{1,5})\b")
_CODE = late(r"^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]+`", re.M | re.S)
_DEEPEST, _MOST = 5, 50
_OVERVIEW = late(r"(?i)(?:readme|changelog|license|history)\b")  # imported to know, not to follow


def readers(policy: Policy, read: Callable[[str], bytes | None]) -> Readers:
    """A function from a path to the rule that looks at the document there: by its name (a rule about whole documents
    before one about some sections), or by what leads to it from its folder or one above. `read` gives the bytes of a
    file of the side that decides (None: no such file)."""
    known: dict[str, dict[str, Rule]] = {}

    def reader(path: str) -> Rule | None:
        fitting = [rule for rule in policy.criteria if looks_at(rule, path)]
        rule = min(fitting, key=lambda rule: (bool(rule.sections), not rule.reader), default=None)
        if (rule is not None and not rule.sections) or not path.lower().endswith(PROSE_FILES):
            return rule
        for folder in _above(path):
            if folder not in known:
                known[folder] = _led_to(policy, read, folder)
            if path in known[folder]:
                return known[folder][path]
        return rule

    return reader


def _led_to(policy: Policy, read: Callable[[str], bytes | None], folder: str) -> dict[str, Rule]:
    """The documents to which those lead that reviewers read in a folder, with the rules of these. Those are looked for
    by the names that a rule gives in full: each costs a question to git."""
    out: dict[str, Rule] = {}
    waiting = [
        (path, rule, 0)
        for rule in policy.criteria
        if not rule.sections
        for name in rule.named
        if name.lower().endswith((*PROSE_FILES, "rules")) and looks_at(rule, path := posixpath.join(folder, name))
    ]
    seen: set[str] = set()
    while waiting and len(seen) < _MOST:
        path, rule, depth = waiting.pop()
        data = None if path in seen else read(path)
        if data is None:
            continue
        seen.add(path)
        for target in _targets(path, data.decode("utf-8", "replace")):
            out.setdefault(target, rule)
            if depth < _DEEPEST:
                waiting.append((target, rule, depth + 1))
    return out


def _targets(path: str, text: str) -> Iterator[str]:
    names = mentions(text) if len(text) <= _MOST_POINTED else _IMPORT.findall(_CODE.sub("", text))
    for name in names:
        if not _OVERVIEW.match(posixpath.basename(name)) and name.lower().endswith(PROSE_FILES):
            yield from paths_of(name, path)


def _above(path: str) -> Iterator[str]:
    while path:
        path = posixpath.dirname(path)
        yield path
