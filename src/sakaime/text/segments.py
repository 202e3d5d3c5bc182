"""Cutting a file into blocks of comment, prose and string text.

A block is what a reader takes as one piece of text: a comment over several lines, a paragraph, a list
item, a table row, a string. Code between them is left out. Scanning is linear in the size of the file.
"""

from __future__ import annotations

from sakaime.text.block import Block
from sakaime.text.markup import ASCIIDOC, MARKDOWN, RST
from sakaime.text.source import Source
from sakaime.text.syntax import JSON, YAML, Syntax, ending, syntax_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Settings of editors and compilers have comments in files that are called .json.
_JSON_SYNTAX = Syntax(("//",), (("/*", "*/"),), ('"',))
PAGES = MARKDOWN | RST | ASCIIDOC


def blocks(
    path: str, source: Source, message: bool = False, wanted: tuple[tuple[int, int], ...] | None = None
) -> Iterator[Block]:
    """The blocks of a file in order. `message` treats it as a commit message or the like.

    `wanted` are ascending ranges of the text; blocks that touch none of them may be left out (None: all
    are wanted).
    """
    kind = ending(path)
    if message or kind in PAGES:
        from sakaime.text.pages import page

        yield from page(source, "message" if message else kind)
    elif kind in YAML:
        from sakaime.text.yamlblocks import yaml

        yield from yaml(source)
    elif kind in JSON:
        from sakaime.text.code import code

        yield from code(source, _JSON_SYNTAX, wanted=wanted)
    elif (syntax := syntax_of(path)) is not None:
        from sakaime.text.code import code

        yield from code(source, syntax, kind, wanted)
    else:
        from sakaime.text.pages import paragraphs

        yield from paragraphs(source)
