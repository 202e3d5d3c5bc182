"""From the place of a mistake, which is a line and a column, to the range of what is wrong there."""

from __future__ import annotations

import re

from sakaime.lsp.authors.cursor import word_range
from sakaime.lsp.authors.flaw import flaw
from sakaime.lsp.authors.outline import Entry, Outline, Range, outline, pieces
from sakaime.model import SakaimeError
from sakaime.policy.pack import RE2_SYNTAX

_YAML_END, _TOML_END = re.compile(r"\r\n|[\r\n]"), re.compile(r"\n")
_BOM = "\ufeff"
_WORD = re.compile(r"\S+")
_HEADER = re.compile(r"\[\[?[^\n\r#]*?\]\]?(?=[ \t]*(?:[\r\n#]|\Z))")
_TOKEN = r"""(?:"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[A-Za-z0-9_-]+)"""
_PAIR = re.compile(
    rf"(?P<key>{_TOKEN}(?:[ \t]*\.[ \t]*{_TOKEN})*)[ \t]*=[ \t]*(?P<value>{_TOKEN}|\[[^\[\]\r\n]*\]|[^\s,\]}}]*)"
)
_ONE = re.compile(_TOKEN)


class Ranges:
    """The ranges of the mistakes in one text."""

    def __init__(self, text: str, toml: bool) -> None:
        self.text = text
        self.toml = toml
        self.starts = [0, *(end.end() for end in (_TOML_END if toml else _YAML_END).finditer(text))]
        self._outline: Outline | None = None
        self._begun: dict[int, Entry] = {}

    def offset(self, line: int | None, column: int | None) -> int:
        """The offset of a place; inside the text, whatever the place is."""
        number = max(0, min((line or 1) - 1, len(self.starts) - 1))
        at = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        left = (column or 1) - 1
        while at < end and (left > 0 or self.text[at] == _BOM):
            # A byte order mark takes no column: neither reader counts the first one, YAML none at all.
            left -= self.text[at] != _BOM or (self.toml and at > 0)
            at += 1
        return at

    def of(self, error: SakaimeError) -> Range:
        """What is wrong, as far as it can be told; never empty unless the text is."""
        at = self.offset(error.line, error.column)
        found = self.in_toml(at, error.wrong) if self.toml else self.in_yaml(at, error)
        if found[0] < found[1]:
            return found
        word = _WORD.match(self.text, at)
        if word is not None:
            return word.span()
        return max(0, at - 1), max(at, min(1, len(self.text)))

    def top_line(self) -> Range:
        """The first line that says something: where to tell of a text as a whole."""
        word = _WORD.search(self.text)
        if word is None:
            return 0, min(1, len(self.text))
        end = _YAML_END.search(self.text, word.start())
        return word.start(), end.start() if end else len(self.text)

    def entry(self, at: int) -> Entry | None:
        """The YAML entry that begins at an offset."""
        if self._outline is None:
            self._outline = outline(self.text)
            for one in self._outline.entries:
                # The item of a list begins where its first key does; the key is what is meant.
                self._begun[one.key[0] if one.key[0] >= 0 else one.value[0]] = one
        return self._begun.get(at)

    def in_yaml(self, at: int, error: SakaimeError) -> Range:
        entry = self.entry(at)
        if entry is None:
            return at, at
        if entry.key[0] == at and error.wrong == entry.name:
            return entry.key
        if entry.block:
            return self.first_line(entry.value)
        if error.wrong == "":  # all that stands there
            return entry.value
        if entry.value[0] < 0 or entry.value[0] >= entry.value[1]:
            return entry.key if entry.key[0] == at else (at, at)
        if error.way_out == RE2_SYNTAX and (narrow := self.flawed(entry.value)) is not None:
            return narrow
        if error.wrong:
            return word_range(self.text, entry.value, error.wrong) or entry.value
        return (at, entry.value[1]) if "\n" not in self.text[at : entry.value[1]] else entry.key

    def flawed(self, where: Range) -> Range | None:
        """The part of a pattern that is refused, in the scalar at a range."""
        every = list(pieces(self.text, where))
        # One character each, or the places do not fit.
        found = flaw("".join(char or "\0" for char, _, _ in every))
        return found and (every[found[0]][1], every[found[1] - 1][2])

    def first_line(self, where: Range) -> Range:
        """The first line of a block scalar that says something."""
        first = _YAML_END.search(self.text, *where)
        word = _WORD.search(self.text, first.end() if first else where[0], where[1])
        if word is None:
            return where
        end = _YAML_END.search(self.text, word.start(), where[1])
        return word.start(), end.start() if end else where[1]

    def in_toml(self, at: int, wrong: str | None) -> Range:
        if header := _HEADER.match(self.text, at):
            found = header.group().find(wrong) if wrong else -1
            return (at + found, at + found + len(wrong or "")) if found >= 0 else header.span()
        if pair := _PAIR.match(self.text, at):
            if wrong is None:
                return pair.span()
            return pair.span("key") if wrong == pair["key"].strip("\"'") else pair.span("value")
        one = _ONE.match(self.text, at)
        return one.span() if one else (at, at)
