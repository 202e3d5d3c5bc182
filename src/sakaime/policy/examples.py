"""How the examples of a rule are to be read: as which file, with which content."""

from __future__ import annotations

import json
import re
from binascii import b2a_base64
from itertools import count

from sakaime.model import Record
from sakaime.model.digest import sha256
from sakaime.policy.schema import AnyRule, Edit, Example, InstructionRule, SecretRule


class Sample(Record):
    """A text to judge. `path` is the name of the file that it is the content of; empty: it is a message. `before` is
    what stood there before, where that counts."""

    path: str
    text: str
    before: str | None = None

    @property
    def place(self) -> str:
        """What it is judged as, in words."""
        return self.path or "a message"


_ALPHABETS = {
    "base62": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "hex": "0123456789abcdef",
    "digits": "123456789",
    "password": "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!^*_+=",
}
_SLOT = re.compile(r"@@(?:(\w+) (\d{1,3}))?@@")


def drawn(text: str, seed: str) -> str:
    """A text with random characters in the place of slots such as `@@base62 36@@`, the same ones for the same seed.

    So an example can show a token as it is, and no scanner takes the pack for a leak. `@@@@` stands for nothing: it
    parts what would be taken for one.
    """
    counted = count()

    def chars(alphabet: str, length: int) -> str:
        stream = b"".join(sha256(f"{seed}/{next(counted)}/{n}".encode()).digest() for n in range(length // 16 + 1))
        return "".join(alphabet[byte % len(alphabet)] for byte in stream[:length])

    def slot(found: re.Match[str]) -> str:
        if found[1] is None:
            return ""
        length = int(found[2])
        if found[1] == "github":  # six of them check the rest
            from sakaime.policy.checksum import github_checksum

            body = chars(_ALPHABETS["base62"], max(0, length - 6))
            return body + github_checksum(body)
        if found[1] == "jwt":
            parts = ('{"alg":"HS256","typ":"JWT"}', json.dumps({"sub": chars(_ALPHABETS["hex"], 8)}))
            head = [b2a_base64(part.encode(), newline=False).decode().rstrip("=") for part in parts]
            return ".".join((*head, chars(_ALPHABETS["base62"], length)))
        if found[1] == "password":  # one of each kind
            return "k7!W" + chars(_ALPHABETS["password"], max(0, length - 4))
        return chars(_ALPHABETS[found[1]], length) if found[1] in _ALPHABETS else found[0]

    return _SLOT.sub(slot, text)


def sample(rule: AnyRule, example: str | Example | Edit) -> Sample:
    """What an example stands for. One without a path goes where the rule looks, plain text before code."""
    if isinstance(example, Edit):
        return Sample(example.path, example.after, example.before)
    if isinstance(rule, SecretRule) and isinstance(example, Example):
        return Sample(example.path, drawn(example.text, rule.id))
    if isinstance(example, Example):
        return Sample(example.path, example.text)
    if not isinstance(rule, InstructionRule) or "prose" in rule.places:
        return Sample("example.txt", example)
    if "message" in rule.places:
        return Sample("", example)
    if "comment" in rule.places:
        return Sample("example.py", example)
    return Sample("example.json", json.dumps(example, ensure_ascii=False))
