"""The blocks of YAML: comments, plain and quoted scalars, block scalars."""

from __future__ import annotations

import re

from sakaime.text.block import DIRECTIVE, OWN, Block, strip
from sakaime.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A quote opens a YAML string only where a scalar can begin; a `#` opens a comment only after a blank.
_YAML_TOKEN = re.compile(
    r"""(?:(?<=[\s\[{,(:])|(?<![\s\S]))(?P<q>"[^\\"\n]*(?:\\.[^\\"\n]*)*"|'[^'\n]*(?:''[^'\n]*)*')"""
    r"""|(?:(?<=\s)|(?<![\s\S]))(?P<c>\#[^\n]*)""",
)
_YAML_KEY = re.compile(
    r"(?P<lead>[ \t]*(?:(?P<dash>[-?:])(?:[ \t]+|$))*)"
    r"(?P<key>(?:(?:\"[^\"\n]*\"|'[^'\n]*')[ \t]*|[^\s#:'\"\[{][^:#\n]*(?::(?=\S)[^:#\n]*)*):(?=[ \t]|$))?[ \t]*"
)
_YAML_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?\Z")


def yaml(source: Source) -> Iterator[Block]:
    """The comments and the values, line by line."""
    text = source.text
    comment: list[tuple[int, int]] = []
    value: list[tuple[int, int]] = []
    scalar_indent = -1  # of the key or dash that opened a block scalar

    for index in range(len(source.starts)):
        start, end = source.bounds(index)
        line = text[start:end]
        indent = len(line) - len(line.lstrip(" "))
        gap = index > 0 and source.number(index) != source.number(index - 1) + 1
        inside = scalar_indent >= 0 and not gap and (indent > scalar_indent or not line.strip())
        if not inside:
            scalar_indent = -1
        sign = None
        if not inside:
            sign = next((t for t in _YAML_TOKEN.finditer(line) if t.lastgroup == "c"), None)
        code_end = start + sign.start() if sign else end
        begin, finish = strip(text, start, code_end)

        alone = sign is not None and begin >= finish
        if comment and (not alone or gap):
            yield Block("comment", tuple(comment))
            comment = []
        if sign is not None:
            first, last = strip(text, start + sign.start(), end)
            while first < last and text[first] == "#":
                first += 1
            first, last = strip(text, first, last)
            bullet = OWN.match(text, first)
            if comment and (first >= last or (bullet and bullet.end() <= last)):
                yield Block("comment", tuple(comment))
                comment = []
            if text.startswith(DIRECTIVE, first):
                yield from (Block("comment", pieces) for pieces in (tuple(comment), ((first, last),)) if pieces)
                comment = []
            elif first < last:
                comment.append((first, last))

        key = None if inside else _YAML_KEY.match(line, 0, code_end - start)
        starts_item = key is not None and bool(key.group().strip())
        if value and (gap or starts_item or begin >= finish):
            yield Block("string", tuple(value))
            value = []
        if begin < finish:
            if key is not None and starts_item:
                if _YAML_BLOCK.match(text[start + key.end() : code_end].strip()):
                    scalar_indent = key.end("lead") if key["key"] else key.start("dash")
                    continue
                begin, finish = strip(text, start + key.end(), code_end)
            if begin < finish:
                value.append((begin, finish))
    if comment:
        yield Block("comment", tuple(comment))
    if value:
        yield Block("string", tuple(value))
