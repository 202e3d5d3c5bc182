"""What something in a pack, in settings or in a lock means."""

from __future__ import annotations

import json

from sakaime.lsp.authors import around, shapes
from sakaime.lsp.authors.complete import in_own_table
from sakaime.lsp.authors.cursor import Cursor, cursor
from sakaime.lsp.authors.names import Names, takes_words
from sakaime.lsp.authors.outline import Range, pieces
from sakaime.lsp.authors.settled import settle
from sakaime.lsp.known import Told
from sakaime.lsp.markdown import code, prose
from sakaime.packs.inforce import PYPROJECT, SETTINGS
from sakaime.policy.pack import SECTIONS
from sakaime.policy.policy import Policy
from sakaime.policy.slots import SLOT
from sakaime.policy.yamltext import Path

_PHRASES = 20


def hover(kind: str, text: str, offset: int, policy: Policy, root: str | None = None) -> Told | None:
    """What to tell of what stands at an offset (code points), as Markdown; None where there is nothing to tell."""
    here = cursor(text, offset, kind != "pack")
    if here is None or here.start == here.end:
        return None
    if kind == "pyproject" and (here := in_own_table(here)) is None:
        return None
    where = (here.start, here.end)
    if kind != "lock" and (name := _rule_at(kind, here, text, policy, root)):
        told = rule_told(name, _by_text(kind, text, policy, root), root)
        if told is not None or kind != "pack":  # a rule that is being written is in force nowhere yet
            return Told(*where, told, name) if told is not None else None
    if kind == "pack" and here.value and takes_words(here.path) and shapes.is_pattern("pack", here.path):
        return _word(text, offset, where, policy, root)
    if kind == "pack" and here.value and here.path[:1] == ("uses",):
        return _pack(here, text, policy, root)
    path = (*here.path, here.text) if here.key and not here.value else here.path
    if here.value and not shapes.values(kind, path):
        return None
    key = shapes.key(kind, path) or shapes.key(kind, _named_part(path))
    return Told(*where, _key(key, shapes.values(kind, path))) if key is not None else None


def _named_part(path: Path) -> Path:
    """A path without the numbers at its end."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def _by_text(kind: str, text: str, policy: Policy, root: str | None) -> Policy:
    """The policy that settings make as they are written now; of anything else, the one in force."""
    if kind not in ("settings", "pyproject"):
        return policy
    return settle(kind, SETTINGS if kind == "settings" else PYPROJECT, text, root).policy or policy


def _rule_at(kind: str, here: Cursor, text: str, policy: Policy, root: str | None) -> str:
    """The full id of the rule that is named there, if one is."""
    if kind == "pack":
        own_id = len(here.path) == 3 and here.path[0] in SECTIONS and here.path[-1] == "id"
        if (here.path[:1] == ("locked",) or own_id) and here.value:
            names = Names(text, policy, root)
            own = names.outline.find(("pack",))
            return f"{names.value(names.outline.entries[own])}/{here.text}" if own is not None else ""
        return ""
    if here.key and here.path == ("rules",):
        return here.text
    return here.text if here.value and here.path[:1] == ("allow",) and here.path[-1] == "rule" else ""


def rule_told(name: str, policy: Policy, root: str | None) -> str | None:
    """A rule in force as Markdown: what it finds, how bad it is, why, and who decides; None of one that is in no
    pack."""
    held = around.rules(root, policy).get(name)
    if held is None:
        return None
    lines = [f"**{prose(name)}**: {prose(held.rule.title)}"]
    rule = next((rule for rule in policy.every_rule() if rule.id == name), None)
    lines.append(f"Severity: {rule.severity}" if rule is not None else "Switched off, or not in force here.")
    if held.rule.why:
        lines.append(prose(held.rule.why))
    if rule is not None:
        lines.append("Decided by\n" + "\n".join(f"- {prose(who)}: {prose(what)}" for who, what in rule.layers))
    return "\n\n".join(lines)


def _word(text: str, offset: int, where: Range, policy: Policy, root: str | None) -> Told | None:
    """The words that a name in braces stands for."""
    every = list(pieces(text, where))
    # One character each: what stands for none (a line end in quotes) is no part of a name.
    for slot in SLOT.finditer("".join(char or "\0" for char, _, _ in every)):
        if slot["name"] is None:
            continue
        start, end = every[slot.start()][1], every[slot.end() - 1][2]
        if start <= offset <= end:
            words = Names(text, policy, root).words().get(slot["name"])
            if words is None:
                return None
            more = len(words.phrases) - _PHRASES
            lines = [f"- {code(phrase)}" for phrase in words.phrases[:_PHRASES]]
            lines += [f"- and {more} more"] if more > 0 else []
            head = f"**{prose(slot.group())}**" + (f" of pack {prose(words.pack)}" if words.pack else "")
            return Told(start, end, "\n\n".join([head, "\n".join(lines)]))
    return None


def _pack(here: Cursor, text: str, policy: Policy, root: str | None) -> Told | None:
    for pack in Names(text, policy, root).packs:
        if pack.model.pack == here.text:
            words = ", ".join(map(code, pack.model.words)) or "none"
            lines = [f"**{prose(pack.model.pack)}** {prose(pack.model.version)}", prose(pack.model.title)]
            return Told(here.start, here.end, "\n\n".join(line for line in [*lines, f"Words: {words}"] if line))
    return None


def _key(key: shapes.Key, values: list[str]) -> str:
    lines = [f"**{prose(key.name)}**" + (f" ({key.holds})" if key.holds else ""), prose(key.description)]
    if values:
        lines.append("One of " + ", ".join(map(code, values)))
    if key.needed:
        lines.append("Needed.")
    elif isinstance(key.default, (str, int)) and key.default != "":
        lines.append(f"Default: {code(json.dumps(key.default, ensure_ascii=False))}")
    return "\n\n".join(line for line in lines if line)
