"""Programs, JSON, HCL: whatever writes strings in quotes and nests in brackets.

A small lexer per family of languages (comments, strings, names, signs) and one reader for all of them. It looks at each
string literal from behind: what was assigned, which key stands before the colon, which call it is an argument of. A
text that is broken anywhere is read all the same: nothing but the nesting of keys depends on what came long before.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.checks.secrets.pair import Pair, named
from sakaime.checks.secrets.readers.around import CLOSE, OPEN, SETS, inner, left_of, previous, word
from sakaime.checks.secrets.readers.calls import names_of
from sakaime.checks.secrets.readers.escapes import unescaped
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Token = tuple[str, int, int]  # what it is, start, end; of a string, those of its quotes

_DEPTH = 200
_LONG = 20_000  # characters of a literal that are still taken for a value


_NAME = r"(?P<id>[$@]{0,2}[A-Za-z_\u0080-\U0010ffff][\w$]*)"
_OPS = r"(?P<op>\|\|=?|\?\?=?|\?:|=>|->|::|:=|\?=|[=!<>]==?|\+=|[^\w\s])"
_NUMBER = r"(?P<num>\d[\w.]*)"
_TRIPLE = r'(?P<triple>[bBrRuUfF]{0,2}(?:"""|\'\'\'))'
_PLAIN_STRING = r'(?P<str>[bBrRuUfFLn@$]{0,2}"(?:[^"\\\n]|\\.)*"|[bBrRuUfF]{0,2}\'(?:[^\'\\\n]|\\.)*\')'
_DOUBLE_ONLY = r'(?P<str>"(?:[^"\\\n]|\\.)*")'
_TICK = r"(?P<tick>`)"
_HASH = r"(?P<line>#[^\n]*)"
_SLASHES = r"(?P<line>(?<!:)//[^\n]*)|(?P<open>/\*)"
_BOTH = r"(?P<line>#[^\n]*|(?<!:)//[^\n]*)|(?P<open>/\*)"
_BLANK = r"(?P<blank>[ \t\r\f\v]+|\\\r?\n)|(?P<nl>\n)"


def _lexer(*parts: str) -> str:
    return "|".join((_BLANK, *parts, _NUMBER, _NAME, _OPS))


_compiled = lru_cache(re.compile)  # few languages stand in one change


class Language(Record):
    """How a family of languages is cut into tokens, and whether it is a program: settings say more by their names."""

    lexer: str
    program: bool = True


PYTHON = Language(_lexer(_HASH, _TRIPLE, _PLAIN_STRING))
RUBY = Language(_lexer(_HASH, _PLAIN_STRING))
SCRIPT = Language(_lexer(_SLASHES, _PLAIN_STRING, _TICK))
PHP = Language(_lexer(_BOTH, _PLAIN_STRING))
POWERSHELL = Language(
    "|".join((_BLANK, _HASH, r"(?P<id>\$[A-Za-z]+:\w+|\$?[A-Za-z_]\w*)", _PLAIN_STRING, _NUMBER, _OPS))
)
COMPILED = Language(_lexer(_SLASHES, _TRIPLE, _PLAIN_STRING, _TICK))
HCL = Language(_lexer(_BOTH, _DOUBLE_ONLY), program=False)
JSON = Language(_lexer(_SLASHES, _PLAIN_STRING), program=False)
FLOW = Language(_lexer(_HASH, _PLAIN_STRING), program=False)


def pairs(text: str, language: Language) -> Iterator[Pair]:
    """The string values of a text under their names."""
    return named(_read(text, list(_tokens(text, language)), language.program))


def _tokens(text: str, language: Language) -> Iterator[Token]:
    at, end = 0, len(text)
    closed = {"*/": True, "`": True, '"""': True, "'''": True}  # whether one more of them can be there
    match = _compiled(language.lexer).match
    while at < end:
        found = match(text, at)
        if found is None:
            at += 1
            continue
        kind, stop = found.lastgroup, found.end()
        if kind in ("open", "tick", "triple"):
            mark = {"open": "*/", "tick": "`"}.get(kind, text[stop - 3 : stop])
            close = text.find(mark, stop) if closed[mark] else -1
            if close < 0:
                closed[mark] = False
                at = stop
                continue
            if kind != "open":
                yield "str", at, close + len(mark)
            at = close + len(mark)
            continue
        if kind not in ("blank", "line", None):
            yield str(kind), at, stop
        at = stop


def _read(text: str, tokens: list[Token], program: bool) -> Iterator[Pair]:
    stack: list[tuple[str, ...] | None] = []  # per open bracket the names that it adds; None: it is a subscript
    counts: list[int] = []
    signs: list[str] = []
    for at, (kind, start, end) in enumerate(tokens):
        sign = text[start:end] if kind == "op" else ""
        if sign in OPEN and sign:
            if len(stack) < _DEPTH:
                names = None if _is_subscript(text, tokens, at) else _of_bracket(text, tokens, at)
                if names == () and sign == "{" and signs and signs[-1] == "[":
                    names = (str(counts[-1]),)  # each mapping of a list by itself
                stack.append(names)
                counts.append(0)
                signs.append(sign)
        elif sign in CLOSE and sign:
            if stack:
                stack.pop()
                counts.pop()
                signs.pop()
        elif sign == "," and counts:
            counts[-1] += 1
        elif kind == "str" and end - start <= _LONG:
            first, last = inner(text, start, end)
            if first == last or _is_key(text, tokens, at):
                continue
            if program and text[start] == "`" and ':"' in text[first:last]:
                yield from _of_tag(text, tokens, at, first, last)
            keys, fallback, also = names_of(text, tokens, at)
            if stack and stack[-1] is None:
                continue
            around = tuple(name for names in stack for name in names or ())
            if not keys and counts and around:
                keys = (str(counts[-1]),)
            if keys or not program:
                yield Pair(
                    (*around, *keys), unescaped(text[first:last]), first, last, fallback, code=program, also=also
                )


_TAG = late(r"(?<!\w)(?:envDefault|default|env-default):\"(?P<value>[^\"]+)\"")
_TAG_NAME = late(r"(?<!\w)(?:env|envconfig|mapstructure):\"(?P<name>[\w.\-]+)")


def _of_tag(text: str, tokens: list[Token], at: int, first: int, last: int) -> Iterator[Pair]:
    """The default in the tag of a field: ``Password string `env:"DB_PASSWORD" envDefault:"changeme"` ``."""
    field = (word(text, tokens[at - 2]),) if at > 1 and tokens[at - 2][0] == "id" else ()
    name = _TAG_NAME.search(text, first, last)
    for found in _TAG.finditer(text, first, last):
        keys = (*field, name["name"]) if name is not None else field
        yield Pair(keys, found["value"], *found.span("value"), fallback=True, code=True, also=field)


def _is_key(text: str, tokens: list[Token], at: int) -> bool:
    """Whether a string is a name itself: before a colon, an arrow, an assignment."""
    if at + 1 >= len(tokens):
        return False
    kind, start, end = tokens[at + 1]
    sign = text[start:end]
    if kind != "op" or sign not in (":", "=>", "="):
        return False
    if sign != ":" or at == 0:
        return True
    before = text[tokens[at - 1][1] : tokens[at - 1][2]]
    return before != "?" and before not in ("=", "return", "=>")  # a ? "b" : "c"


def _is_subscript(text: str, tokens: list[Token], at: int) -> bool:
    """Whether a bracket picks something out of what stands before it: `x["name"]`."""
    if at == 0 or text[tokens[at][1]] != "[":
        return False
    kind, start, end = tokens[at - 1]
    return start < end == tokens[at][1] and (kind == "id" or text[start:end] in ("]", ")"))


def _of_bracket(text: str, tokens: list[Token], at: int) -> tuple[str, ...]:
    """The names that an opening bracket puts around what is in it: of the key before it, of a block."""
    before = previous(tokens, at)
    if before < 0:
        return ()
    kind, start, end = tokens[before]
    sign = text[start:end]
    if sign in (":", "=>") or sign in SETS:
        return left_of(text, tokens, before)
    if text[tokens[at][1]] != "{" or kind not in ("str", "id"):
        return ()
    names: list[str] = []
    while before >= 0 and tokens[before][0] in ("str", "id") and len(names) < 4:
        names.insert(0, word(text, tokens[before]))
        before -= 1
    return tuple(names[-2:]) if len(names) > 1 or kind == "id" else ()
