"""Programs, JSON, HCL: whatever writes strings in quotes and nests in brackets.

A small lexer per family of languages (comments, strings, names, signs) and one reader for all of them. It looks at each
string literal from behind: what was assigned, which key stands before the colon, which call it is an argument of. A
text that is broken anywhere is read all the same: nothing but the nesting of keys depends on what came long before.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.checks.secrets.pair import Pair, named
from sakaime.checks.secrets.readers.escapes import unescaped
from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Token = tuple[str, int, int]  # what it is, start, end; of a string, those of its quotes

_DEPTH = 200
_BACK = 40  # tokens that are looked at before a string
_LONG = 20_000  # characters of a literal that are still taken for a value

# Calls whose later argument counts where the first is not set.
_FALLBACK_CALLS = frozenset(
    "get getenv get_env env fetch getordefault get_or_default getproperty getenvordefault default str string config "
    "unwrap_or unwrap_or_else or orelse or_else environ_get setdefault getstring getvalue get_string envordefault "
    "envor getenvor lookupenv env_or_default valueor withdefault getconfig param secret parameter getval".split()
)
_ELSE_CALLS = frozenset("unwrap_or unwrap_or_else orelse or_else or orelseget default withdefault value_or".split())
# Those that make a name and a value of two arguments.
_PAIR_CALLS = frozenset(
    "define set put setenv putenv setproperty set_env add append header addheader setheader set_header withheader "
    "setitem setdefault environ insert setattribute setting with_env withenv env".split()
)
_OR = frozenset(("||", "??", "?:", "or", "||=", "??="))
_SETS = frozenset(("=", ":=", "?=", "+=", "||=", "??="))
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")

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


_QUOTES = re.compile(r"[A-Za-z@$]{0,2}(\"\"\"|'''|[\"'`])")


def inner(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the content of a string literal stands."""
    found = _QUOTES.match(text, start, end)
    if found is None:
        return start, end
    return found.end(), max(found.end(), end - len(found[1]))


def _read(text: str, tokens: list[Token], program: bool) -> Iterator[Pair]:
    stack: list[tuple[str, ...] | None] = []  # per open bracket the names that it adds; None: it is a subscript
    counts: list[int] = []
    for at, (kind, start, end) in enumerate(tokens):
        sign = text[start:end] if kind == "op" else ""
        if sign in _OPEN and sign:
            if len(stack) < _DEPTH:
                stack.append(None if _is_subscript(text, tokens, at) else _of_bracket(text, tokens, at))
                counts.append(0)
        elif sign in _CLOSE and sign:
            if stack:
                stack.pop()
                counts.pop()
        elif sign == "," and counts:
            counts[-1] += 1
        elif kind == "str" and end - start <= _LONG:
            first, last = inner(text, start, end)
            if first == last or _is_key(text, tokens, at):
                continue
            keys, fallback = _keys(text, tokens, at)
            if stack and stack[-1] is None:
                continue
            around = tuple(name for names in stack for name in names or ())
            if not keys and counts and around:
                keys = (str(counts[-1]),)
            if keys or not program:
                yield Pair((*around, *keys), unescaped(text[first:last]), first, last, fallback, code=program)


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


def _said(text: str, token: Token) -> str:
    kind, start, end = token
    if kind == "str":
        first, last = inner(text, start, end)
        return text[first:last]
    return text[start:end].strip("$@:!?")


def _is_subscript(text: str, tokens: list[Token], at: int) -> bool:
    """Whether a bracket picks something out of what stands before it: `x["name"]`."""
    if at == 0 or text[tokens[at][1]] != "[":
        return False
    kind, start, end = tokens[at - 1]
    return start < end == tokens[at][1] and (kind == "id" or text[start:end] in ("]", ")"))


def _of_bracket(text: str, tokens: list[Token], at: int) -> tuple[str, ...]:
    """The names that an opening bracket puts around what is in it: of the key before it, of a block."""
    before = _before(tokens, at)
    if before < 0:
        return ()
    kind, start, end = tokens[before]
    sign = text[start:end]
    if sign in (":", "=>") or sign in _SETS:
        return _left(text, tokens, before)
    if text[tokens[at][1]] != "{" or kind not in ("str", "id"):
        return ()
    names: list[str] = []
    while before >= 0 and tokens[before][0] in ("str", "id") and len(names) < 4:
        names.insert(0, _said(text, tokens[before]))
        before -= 1
    return tuple(names[-2:]) if len(names) > 1 or kind == "id" else ()


def _before(tokens: list[Token], at: int) -> int:
    at -= 1
    while at >= 0 and tokens[at][0] == "nl":
        at -= 1
    return at


def _left(text: str, tokens: list[Token], sign: int) -> tuple[str, ...]:
    """The names on the left of an assignment, a colon or an arrow, outermost first."""
    at = _before(tokens, _untyped(text, tokens, sign))
    names: list[str] = []
    typed = False
    while at >= 0 and len(names) < 6:
        kind, start, end = tokens[at]
        said = text[start:end]
        if kind in ("id", "str"):
            names.insert(0, _said(text, tokens[at]))
            at -= 1
            if at < 0 or tokens[at][0] == "nl":
                break
            joint = text[tokens[at][1] : tokens[at][2]]
            if joint in (".", "->", "::", "?."):
                at -= 1
                continue
            if joint == "[" and kind == "str":
                at -= 1
                continue
            if joint == ":" and not typed and text[tokens[sign][1] : tokens[sign][2]] in _SETS:
                names, typed = [], True  # it was the type
                at -= 1
                continue
            break
        if said == "]":
            at -= 1
            continue
        if said in (">", ")", "?", "*", "&", "<", ","):
            at -= 1
            if said == ",":
                break
            continue
        break
    return tuple(names)


_OF_TYPES = frozenset("& < > [ ] | . ' ? , * -> ::".split())


def _untyped(text: str, tokens: list[Token], sign: int) -> int:
    """Of `name: &'a Type<b> = ...` the colon, else the sign itself."""
    if text[tokens[sign][1] : tokens[sign][2]] not in _SETS:
        return sign
    for back in range(sign - 1, max(0, sign - 14), -1):
        kind, start, end = tokens[back]
        said = text[start:end]
        if said == ":" and tokens[back - 1][0] == "id" and back < sign - 1:
            return back
        if kind not in ("id", "num") and said not in _OF_TYPES:
            return sign
    return sign


def _keys(text: str, tokens: list[Token], at: int) -> tuple[tuple[str, ...], bool]:
    """The names that a string stands under, as what is before it says, and whether it is a fallback."""
    before = _before(tokens, at)
    if before < 0:
        return (), False
    kind, start, end = tokens[before]
    sign = text[start:end]
    if sign in _OR:
        return _of_or(text, tokens, before), True
    if sign == ":" and before < at - 1 and text.startswith(('"""', "'''"), tokens[at][1]):
        return (), False  # what describes a function
    if sign in _SETS or sign in (":", "=>"):
        left = _left(text, tokens, before)
        if sign == ":" and (condition := _ternary(text, tokens, before)) is not None:
            return condition, True
        call = _call(text, tokens, before)
        if call is not None and left[-1:] and left[-1].lower() in ("default", "def", "fallback", "default_value"):
            names = _of_call(text, tokens, call, before)
            return (names or left), True
        return left, False
    if sign == "{":
        return _of_block(text, tokens, before), True
    if sign in (",", "(") or kind == "id":
        if kind == "id" and sign not in ("return", "new"):
            return (), False
        call = _call(text, tokens, at)
        if call is None:
            return (), False
        name = _called(text, tokens, call)
        first = sign == "("
        strings = [_said(text, token) for token in tokens[call:before] if token[0] == "str"]
        if not first and strings and (name in _FALLBACK_CALLS or name.startswith(("getenv", "env", "get_env"))):
            return (*_target(text, tokens, call), strings[0]), True
        if first and name in _ELSE_CALLS:
            names = _of_call(text, tokens, call, call)
            if names:
                return (*_target(text, tokens, call), *names), True
        if not first and strings and name in _PAIR_CALLS:
            return (strings[0],), False
        if first and name and not text[tokens[call - 1][1]].isupper():  # that is how classes are called
            return (name.removeprefix("set").removeprefix("with").strip("_"),) if name != "set" else (), False
    return (), False


def _of_block(text: str, tokens: list[Token], bracket: int) -> tuple[str, ...]:
    """Of `ENV.fetch("K") { "fallback" }` the name K and what the answer is assigned to; none of other blocks."""
    close = _before(tokens, bracket)
    if close < 0 or text[tokens[close][1] : tokens[close][2]] != ")":
        return ()
    call = _call(text, tokens, close)
    if call is None or _called(text, tokens, call) not in (
        "fetch",
        "getorelse",
        "getorput",
        "ifempty",
        "unwrap_or_else",
    ):
        return ()
    return _of_call(text, tokens, call, close)


def _ternary(text: str, tokens: list[Token], colon: int) -> tuple[str, ...] | None:
    """Of `a ? b : "c"` the names of what is assigned and of the condition."""
    at = colon - 1
    for back in range(at, max(-1, at - 12), -1):
        sign = text[tokens[back][1] : tokens[back][2]]
        if tokens[back][0] == "nl" or sign in ("{", ",", ";", "=", ":"):
            return None
        if sign == "?":
            return _of_or(text, tokens, back)
    return None


def _of_or(text: str, tokens: list[Token], sign: int) -> tuple[str, ...]:
    """Of `x = a || "b"` the names x and those of a."""
    names: list[str] = []
    at, depth = sign - 1, 0
    while at >= 0 and sign - at < _BACK:
        kind, start, end = tokens[at]
        said = text[start:end]
        if said in _CLOSE:
            depth += 1
        elif said in _OPEN:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (said in _SETS or said in (":", "=>")):
            return (*_left(text, tokens, at), *names)
        elif (depth == 0 and said in (",", ";")) or (kind == "nl" and depth == 0 and names):
            break
        elif kind in ("id", "str"):
            names.insert(0, _said(text, tokens[at]))
        at -= 1
    return tuple(names[-4:])


def _call(text: str, tokens: list[Token], at: int) -> int | None:
    """The bracket of the call whose argument a token is."""
    depth = 0
    for back in range(at - 1, max(-1, at - _BACK), -1):
        sign = text[tokens[back][1] : tokens[back][2]] if tokens[back][0] == "op" else ""
        if sign in _CLOSE and sign:
            depth += 1
        elif sign in _OPEN and sign:
            if depth == 0:
                return back if sign == "(" else None
            depth -= 1
        elif sign == ";" and depth == 0:
            return None
    return None


def _called(text: str, tokens: list[Token], bracket: int) -> str:
    before = bracket - 1
    if before < 0 or tokens[before][0] != "id":
        return ""
    return _said(text, tokens[before]).lower()


def _of_call(text: str, tokens: list[Token], bracket: int, until: int) -> tuple[str, ...]:
    """The names that a call tells of: its first string, or those of what it is called on."""
    inside = [_said(text, token) for token in tokens[bracket:until] if token[0] == "str"]
    if inside:
        return (*_target(text, tokens, bracket), inside[0])
    on: list[str] = []
    for back in range(bracket - 1, max(-1, bracket - _BACK), -1):
        kind, start, end = tokens[back]
        if kind == "nl" or text[start:end] in ("=", ";", "{", ":", "=>", ","):
            break
        if kind == "str":
            on.insert(0, _said(text, tokens[back]))
    return tuple(on[-1:])


def _target(text: str, tokens: list[Token], bracket: int) -> tuple[str, ...]:
    """The names that the answer of a call is assigned to."""
    at = bracket - 1
    while at >= 0 and bracket - at < _BACK:
        kind, start, end = tokens[at]
        said = text[start:end]
        if said in _SETS or said in (":", "=>"):
            return _left(text, tokens, at)
        if kind == "nl" or said in (",", ";", "{") or said in _CLOSE:
            return ()
        at -= 1
    return ()
