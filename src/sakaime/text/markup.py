"""What a page made of Markdown, HTML, reStructuredText or AsciiDoc does not show to who looks at it.

Comments are dropped; alternative texts and titles appear only in place of an image or under the pointer;
an element can be hidden by its style. All of it is in the source, where a program reads it.
"""

from __future__ import annotations

import re

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HTML = frozenset("html htm xhtml".split())
MARKDOWN = frozenset("md markdown mdx mkd mdown qmd rmd livemd".split())
RST, ASCIIDOC = frozenset({"rst"}), frozenset({"adoc", "asciidoc", "asc"})


class Unseen(Record):
    """A range of a source that a page does not show: what it is called, its whole extent, and the words in it."""

    name: str
    start: int
    end: int
    inner: tuple[int, int]


_COMMENT = r"<!--(?P<comment>(?s:.*?))(?:-->|\Z)"
_ATTRIBUTE = r"(?<=[\s\"'])(?:alt|title|aria-label|data-[\w-]+)\s*=\s*(?:\"(?P<a1>[^\"<>]*)\"|'(?P<a2>[^'<>]*)')"
_IMAGE = r"!\[(?P<alt>[^\]\n]*)\](?=[(\[])"
_TITLE = r"(?<=\])\([^()\s]*[ \t]+(?:\"(?P<t1>[^\"\n]*)\"|'(?P<t2>[^'\n]*)')[ \t]*\)"
# A reference that nothing refers to is the way to write a comment in plain Markdown.
_REFERENCE = (
    r"(?m:^ {0,3}\[[^\]\n]+\]:[ \t]*\S+[ \t]+(?:\"(?P<r1>[^\"\n]*)\"|'(?P<r2>[^'\n]*)'|\((?P<r3>[^()\n]*)\))[ \t]*$)"
)
_STYLE = (
    r"<(?P<tag>[A-Za-z][\w-]*)\b[^<>]*?(?:\sstyle\s*=\s*[\"'][^\"'<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d]))|\shidden(?=[\s>=]))[^<>]*>"
)
_MARKDOWN = "|".join((_COMMENT, _ATTRIBUTE, _IMAGE, _TITLE, _REFERENCE, _STYLE))
_HTML = "|".join((_COMMENT, _ATTRIBUTE, _STYLE))
_RST = r"(?m:^[ \t]*\.\.[ \t]+(?![\w+.:-]+::|_|\[|\|)(?P<comment>.*(?:\n[ \t]+\S.*)*))"
_ASCIIDOC = r"(?m:^////[ \t]*\n(?P<c1>(?s:.*?))(?:^////[ \t]*$|\Z)|^//(?!/)(?P<c2>.*)$)"
_NAMES = {"comment": "a comment", "c1": "a comment", "c2": "a comment", "alt": "an alternative text"}
_LONGEST = 5000  # characters of an element that its style hides


def unseen(kind: str, text: str) -> Iterator[Unseen]:
    """What the page of a source of that kind (a file's ending) does not show, ascending. Linear in the text."""
    if kind in MARKDOWN or kind == "message":
        pattern = _MARKDOWN
    elif kind in HTML:
        pattern = _HTML
    elif kind in RST:
        pattern = _RST
    elif kind in ASCIIDOC:
        pattern = _ASCIIDOC
    else:
        return
    for found in re.finditer(pattern, text):
        group = found.lastgroup or ""
        if group == "tag":
            closing = text.find(f"</{found['tag']}", found.end(), found.end() + _LONGEST)
            last = closing if closing >= 0 else min(len(text), found.end() + _LONGEST)
            name, inner = "an element that its style hides", (found.end(), last)
            yield Unseen(name, found.end(), found.end(), inner)
        else:
            name = _NAMES.get(group) or ("an attribute" if group in ("a1", "a2") else "a title")
            yield Unseen(name, *found.span(), found.span(group))
