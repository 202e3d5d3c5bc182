"""What stands around a token: what it says, what is on the left of a sign, where a call begins and what it is for."""

from __future__ import annotations

from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    Token = tuple[str, int, int]  # what it is, start, end; of a string, those of its quotes

SETS = frozenset(("=", ":=", "?=", "+=", "||=", "??="))
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
BACK = 40  # tokens that are looked at before a string
_JOINTS = frozenset((".", "->", "::", "?."))
_GENERIC = 16  # tokens of the types in `get<string>(...)`
_OPENS = {")": "(", "]": "[", "}": "{", ">": "<"}

_QUOTES = late(r"[A-Za-z@$]{0,2}(\"\"\"|'''|[\"'`])")


def inner(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the content of a string literal stands."""
    found = _QUOTES.match(text, start, end)
    if found is None:
        return start, end
    return found.end(), max(found.end(), end - len(found[1]))


def word(text: str, token: Token) -> str:
    """What a token says: a name without the signs of its language, the content of a string."""
    kind, start, end = token
    if kind == "str":
        first, last = inner(text, start, end)
        return text[first:last]
    return text[start:end].strip("$@:!?")


def sign_at(text: str, tokens: list[Token], at: int) -> str:
    """The text of a token; empty before the first one."""
    return text[tokens[at][1] : tokens[at][2]] if 0 <= at < len(tokens) else ""


def previous(tokens: list[Token], at: int) -> int:
    """The place of the token before one, over the ends of lines; -1 before the first."""
    at -= 1
    while at >= 0 and tokens[at][0] == "nl":
        at -= 1
    return at


def left_of(text: str, tokens: list[Token], sign: int) -> tuple[str, ...]:
    """The names on the left of an assignment, a colon or an arrow, outermost first."""
    at = previous(tokens, _untyped(text, tokens, sign))
    names: list[str] = []
    typed = False
    while at >= 0 and len(names) < 6:
        kind, start, end = tokens[at]
        said = text[start:end]
        if kind in ("id", "str"):
            names.insert(0, word(text, tokens[at]))
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
            if joint == ":" and not typed and text[tokens[sign][1] : tokens[sign][2]] in SETS:
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
    if text[tokens[sign][1] : tokens[sign][2]] not in SETS:
        return sign
    for back in range(sign - 1, max(0, sign - 14), -1):
        kind, start, end = tokens[back]
        said = text[start:end]
        if said == ":" and tokens[back - 1][0] == "id" and back < sign - 1:
            return back
        if kind not in ("id", "num") and said not in _OF_TYPES:
            return sign
    return sign


def opening(text: str, tokens: list[Token], close: int) -> int:
    """The bracket that another one closes; -1 where it is too far away."""
    shut = sign_at(text, tokens, close)
    opens, depth = _OPENS[shut], 0
    for back in range(close, max(-1, close - (_GENERIC if shut == ">" else BACK * 2)), -1):
        sign = sign_at(text, tokens, back) if tokens[back][0] == "op" else ""
        if sign == shut:
            depth += 1
        elif sign == opens:
            depth -= 1
            if depth == 0:
                return back
        elif shut == ">" and sign and sign not in ",.[]|?&:":
            return -1
    return -1


def called(text: str, tokens: list[Token], bracket: int) -> str:
    """The name that stands before the bracket of a call; empty where that is no call."""
    at = _callee(text, tokens, bracket)
    return word(text, tokens[at]) if at >= 0 else ""


def _callee(text: str, tokens: list[Token], bracket: int) -> int:
    at = bracket - 1
    if sign_at(text, tokens, at) == ">":
        at = opening(text, tokens, at) - 1
        if sign_at(text, tokens, at) == "::":
            at -= 1
    if sign_at(text, tokens, at) == "!":
        at -= 1
    return at if at >= 0 and tokens[at][0] == "id" else -1


def beginning(text: str, tokens: list[Token], bracket: int) -> int:
    """Where the expression begins that ends in a call: of `new A().b<c>(` the `new`, of `[]byte(` the `[`."""
    at = start = bracket
    name = _callee(text, tokens, bracket)
    if name < 0:
        return bracket
    at = name
    while at >= 0 and bracket - at < 2 * BACK:
        if sign_at(text, tokens, at) in (")", "]"):
            opens = opening(text, tokens, at)
            if opens < 0:
                return start
            start, at = opens, opens - 1
            if at >= 0 and (tokens[at][0] == "id" or sign_at(text, tokens, at) in (")", "]")):
                continue
        elif tokens[at][0] in ("id", "str"):
            start, at = at, at - 1
        else:
            break
        joint = previous(tokens, at + 1)
        if sign_at(text, tokens, joint) not in _JOINTS:
            break
        at = joint - 1
        while at >= 0 and (tokens[at][0] == "nl" or sign_at(text, tokens, at) in ("?", "!")):
            at -= 1
    if sign_at(text, tokens, start - 1) == "]" and sign_at(text, tokens, start - 2) == "[":
        start -= 2
    while sign_at(text, tokens, start - 1) in ("new", "await", "try", "&", "*"):
        start -= 1
    return start


def call_of(text: str, tokens: list[Token], at: int) -> int | None:
    """The bracket of the call whose argument a token is."""
    depth = 0
    for back in range(at - 1, max(-1, at - BACK), -1):
        sign = sign_at(text, tokens, back) if tokens[back][0] == "op" else ""
        if sign in CLOSE and sign:
            depth += 1
        elif sign in OPEN and sign:
            if depth == 0:
                return back if sign == "(" else None
            depth -= 1
        elif sign == ";" and depth == 0:
            return None
    return None


def target(text: str, tokens: list[Token], bracket: int) -> tuple[str, ...]:
    """The names that the answer of a call is assigned to."""
    first = at = beginning(text, tokens, bracket) - 1
    while at >= 0 and first - at < BACK:
        kind, start, end = tokens[at]
        said = text[start:end]
        if said in SETS or said in (":", "=>"):
            return left_of(text, tokens, at)
        if (kind == "nl" and at != first) or said in (",", ";", "{") or said in CLOSE:
            return ()
        at -= 1
    return ()
