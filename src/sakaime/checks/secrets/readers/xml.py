"""XML of settings: elements, attributes, and the ways in which both make a key and a value."""

from __future__ import annotations

from sakaime.checks.secrets.pair import Pair
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = late(
    r"<(?P<close>/?)(?P<name>[A-Za-z_][\w.:\-]{0,100})(?P<rest>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>"
    r"(?P<text>[^<]*(?:<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>)?)"
)
_ATTRIBUTE = late(r"(?P<name>[A-Za-z_][\w.:\-]{0,100})\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_NAMED_AFTER = late(r"</[\w.:\-]{1,100}>\s*<(?:[\w.:\-]{0,90})(?i:name|key)>\s*(?P<name>[^<\s]{1,120})\s*</")
_NAMES = ("name", "key", "id", "property", "param")
_VALUES = ("value", "val", "connectionstring", "default")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_DEPTH = 100


def pairs(text: str) -> Iterator[Pair]:
    """The values of a text under the names of elements and attributes."""
    bare = _without_comments(text)
    stack: list[tuple[str, str]] = []  # the element, and the name that an attribute gives it
    told = ""  # what an element such as <param-name> said: the name of the value after it
    for found in _TAG.finditer(bare):
        name = found["name"]
        if found["close"]:
            while stack and stack.pop()[0] != name:
                pass
            continue
        attributes = [
            (one["name"], "double" if one["double"] is not None else "single", one)
            for one in _ATTRIBUTE.finditer(bare, found.start("rest"), found.end("rest"))
        ]
        called = next((one[group] for key, group, one in attributes if key.lower() in _NAMES and one[group]), "")
        around = tuple(given or element for element, given in stack)
        for key, group, one in attributes:
            keys = (*around, called or name) if called and key.lower() in _VALUES else (*around, name, key)
            if one[group]:
                yield Pair(keys, _plain(one[group]), *one.span(group))
        if found["rest"].rstrip().endswith("/"):
            continue
        if len(stack) < _DEPTH:
            stack.append((name, called))
        if found["text"].strip():
            start, end = found.span("text")
            raw = bare[start:end]
            if "<![CDATA[" in raw:
                start += raw.index("<![CDATA[") + 9
                end = start + bare[start:end].index("]]>")
            while start < end and bare[start].isspace():
                start += 1
            while end > start and bare[end - 1].isspace():
                end -= 1
            if end > start and name.lower().endswith(("name", "key")) and end - start < 120:
                told = bare[start:end]
            elif end > start and told and name.lower().endswith("value"):
                yield Pair((*around, told), _plain(bare[start:end]), start, end)
                told = ""
                continue
            elif end > start and not told and name.lower().endswith("value") and not called:
                later = _NAMED_AFTER.match(bare, found.end())
                if later is not None:  # the name comes after it
                    yield Pair((*around, later["name"]), _plain(bare[start:end]), start, end)
                    continue
            if end > start:
                yield Pair((*around, called or name), _plain(bare[start:end]), start, end)


def _plain(raw: str) -> str:
    if "&" in raw:
        for entity, char in _ENTITIES.items():
            raw = raw.replace(entity, char)
    return raw


def _without_comments(text: str) -> str:
    """The text with blanks in the place of comments."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start)
        if end < 0:
            break
        parts += [text[at:start], " " * (end + 3 - start)]
        at = end + 3
    return "".join([*parts, text[at:]])
