"""Values where secrets are expected: placeholders, defaults that products came with, and secrets themselves.

Settings and programs are read to names and values; each value is judged in its grammar, never the line. What a rule
reports depends on three things: where the value stands, under which name, and what it is.
"""

from __future__ import annotations

from sakaime.material.change import SUBMODULE, Change, Material
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.secrets.judged import Found
    from sakaime.material.texts import Texts


def concerns(policy: Policy, change: Change) -> bool:
    """Whether anything in what was added could be one of those values: looked for by literals alone."""
    if not policy.secrets.packs or change.new is None or change.new.mode == SUBMODULE:
        return False
    settings = change.path.lower().endswith(_SETTINGS) and len(change.new.data or b"") < _SMALL
    return any(
        opens(policy, hunk.new) or (settings and _leaves_it_open(hunk.new)) for hunk in change.hunks if hunk.added
    )


def _leaves_it_open(data: bytes) -> bool:
    """Whether a key of some settings leaves it to the names around it what it holds; they may be out of the hunk."""
    import re  # costs half an interpreter start, which most changes have no need of

    return re.search(_SAYS_NOTHING, data) is not None


def opens(policy: Policy, data: bytes) -> bool:
    """Whether a text could hold one of those values."""
    names, held = policy.hints
    if (b"://" in data and b"@" in data) or any(text in data for text in _UNNAMED):
        return True
    if any(text in data for text in held):
        return True
    if b"\0" in data:  # UTF-16
        return True
    if data.isascii():
        bones = data.lower().translate(None, _NOT_ALNUM)
        return any(name.encode() in bones for name in names if name.isascii())
    from sakaime.text.skeleton import skeleton

    text = skeleton(data.decode("utf-8", "replace"))
    return any(name in text for name in names)


# Before passwords that the readers know without a name.
_UNNAMED = (b" -u ", b"--user", b"IDENTIFIED ", b"identified ", b"sqlplus ", b"sqlldr ", b"expdp ", b"impdp ")
_SETTINGS = (
    ".yml",
    ".yaml",
    ".json",
    ".toml",
    ".ini",
    ".conf",
    ".cfg",
    ".xml",
    ".tf",
    ".tfvars",
    ".hcl",
    ".properties",
)
_SMALL = 300_000  # bytes of settings that are read for such a key alone
_SAYS_NOTHING = (
    rb"(?im)^[ \t\-{,\"']*(?:value|key|default|data|content|plain|plaintext|literal|raw|text|string)[\"']?[ \t]*[:=]"
)
_NOT_ALNUM = bytes(code for code in range(128) if not chr(code).isalnum())


def check(policy: Policy, material: Material, change: Change, texts: Texts) -> Found:
    """The findings in one change. Raises `Binary` or `Undecodable` where its new side is no text."""
    from sakaime.checks.secrets.judged import judged

    return judged(policy, material, change, texts.new(change))
