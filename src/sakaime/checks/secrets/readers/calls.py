"""The names that a string of a program stands under: what it is assigned to, the call that it is an argument of, what
it stands in for."""

from __future__ import annotations

from sakaime.checks.secrets.readers.around import (
    BACK,
    CLOSE,
    OPEN,
    SETS,
    beginning,
    call_of,
    called,
    left_of,
    opening,
    previous,
    sign_at,
    target,
    word,
)
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.secrets.readers.around import Token

    Names = tuple[tuple[str, ...], bool, tuple[str, ...]]  # the names, whether it is a fallback, other names

# Calls whose later argument counts where the first is not set.
_FALLBACK_CALLS = frozenset(
    "get getenv get_env env fetch getordefault get_or_default getproperty getenvordefault default str string config "
    "unwrap_or unwrap_or_else or orelse or_else environ_get setdefault getstring getvalue get_string envordefault "
    "envor getenvor lookupenv env_or_default valueor withdefault getconfig param secret parameter getval getorelse "
    "requirenonnullelse lookup getsetting getoption setting option env_var_or_default get_or_else".split()
)
_FALLBACK_NAME = late(
    r"get_?env|env(?:_?|$)(?:get|str|var|or)|^env|_env$|or_?default|with_?default|or_?else|default_?to"
)
# Those that give the first of their arguments that is something.
_CHOICES = frozenset(
    "coalesce or try requirenonnullelse firstnonempty firstnonblank nonempty ifnull isnull nvl defaultifblank "
    "defaultifempty defaultifnull defaultstring defaultto default firstnonnull first_non_empty".split()
)
_ELSE_CALLS = frozenset(
    "unwrap_or unwrap_or_else orelse or_else or orelseget default withdefault value_or getorelse getorput ifempty "
    "get_or_else get_or_insert get_or_insert_with orelse_get default_value defaultvalue".split()
)
_BLOCKS = frozenset("fetch getorelse getorput ifempty unwrap_or_else orelseget ifblank".split())
# Those that make a name and a value of two arguments.
_PAIR_CALLS = frozenset(
    "define set put setenv putenv setproperty set_env add append header addheader setheader set_header withheader "
    "setitem setdefault environ insert setattribute setting with_env withenv env".split()
)
# Those that hand on what they are given, in another type.
_WRAPS = frozenset(
    "byte bytes bytearray uint8array rune string str char from of encode getbytes tobytes tobytearray "
    "unsafeplaintext unsafe_plain_text plaintext b64encode base64encode base64 encodetostring trim strip data "
    "secretstr secretbytes secretstring securestring secret secretvalue secretkeyspec secretkey symmetricsecuritykey "
    "signingcredentials hmacshakeyfor some just optional ofnullable pointer ptr to_string tostring into box arc rc "
    "field frozen sensitive nonsensitive protectedstring passwordcredential password_field stringvalue".split()
)
_MODULES = frozenset("base64 pointer ptr aws proto encoding to util utils lib secrets pulumi cdk buffer types".split())
# Types of which `new` is nothing but the value.
_NEW_OF = late(r"(?i)secret|string|password|sensitive|redacted|protected|zeroizing")
# Those that look something up by the name that they are given, or ask, or tell.
_NO_VALUE = late(
    r"^(?:must|try|do|async)?_?(?:get|fetch|read|load|look_?up|find|resolve|retrieve|require|access|query|need|has|is|"
    r"check|validate|verify|delete|remove|generate|prompt|ask|input|enter|describe|list|export|import|open|parse|"
    r"decrypt|unseal|reveal|expect|assert|test|mock|log|print|show|hide|compare|equals|match|contains|bind|inject)"
)
_DEFAULTS = frozenset("default def fallback default_value defaultvalue default_factory envdefault env_default".split())
_SAYS_NOTHING = frozenset(
    "clone presence trim strip as_deref as_ref to_string tostring to_s get getstring getvalue null none undefined nil "
    "ok isset empty env environ environment process os system ifpresent string str value optional ofnullable".split()
)
_OR = frozenset(("||", "??", "?:", "or", "||=", "??="))
_LOOKED_UP = late(r"[\w.\-:/]{2,100}$")
_ENV_NAME = late(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_STATEMENT = late(r"(?:error|exception|log|warn|info|debug|print|assert|expect|replace|equal|compare|raise|fail)")
_NONE: Names = ((), False, ())


def names_of(text: str, tokens: list[Token], at: int) -> Names:
    """The names that a string stands under, as what is before it says, and whether it is a fallback."""
    first, kinds = _unwrapped(text, tokens, at)
    names, fallback, also = _names(text, tokens, at, previous(tokens, first))
    return names, fallback, also or kinds


def _names(text: str, tokens: list[Token], at: int, before: int) -> Names:
    if before < 0:
        return _NONE
    kind, _, _ = tokens[before]
    sign = sign_at(text, tokens, before)
    if sign == "else" and kind == "id":
        return _instead(text, tokens, before)
    closure = _before_closure(text, tokens, before)
    if closure != before:
        before, sign, kind = closure, sign_at(text, tokens, closure), tokens[closure][0]
    elif sign in _OR or (sign == "/" and sign_at(text, tokens, before - 1) == "/"):
        return _instead(text, tokens, before - (sign == "/"))
    if sign == ":" and before < at - 1 and text.startswith(('"""', "'''"), tokens[at][1]):
        return _NONE  # what describes a function
    if sign in SETS or sign in (":", "=>"):
        return _assigned(text, tokens, before)
    if sign == "{" or (sign == "do" and kind == "id"):
        if sign_at(text, tokens, previous(tokens, before)) == "else":
            return _instead(text, tokens, previous(tokens, before))
        return _of_block(text, tokens, before)
    if sign in (",", "("):
        return _argument(text, tokens, before)
    if kind == "id" and sign in ("return", "new"):
        return _argument(text, tokens, before + 1)
    return _NONE


def _unwrapped(text: str, tokens: list[Token], at: int) -> tuple[int, tuple[str, ...]]:
    """Where an expression begins that is a string, or a call that does nothing but give it another type; and the
    name of a type that may tell what it is: `SecretKeySpec`."""
    kinds: tuple[str, ...] = ()
    for _ in range(3):
        before = previous(tokens, at)
        if sign_at(text, tokens, before) != "(":
            break
        name = called(text, tokens, before)
        first = beginning(text, tokens, before)
        if name.lower() not in _WRAPS:
            on = [word(text, token) for token in tokens[first : before - 1] if token[0] == "id"]
            if name not in ("new", "New") or not on or not _NEW_OF.search(on[-1]):
                break
        elif _is_changed(text, tokens, before):
            break
        elif name[:1].isupper():
            kinds = (name,)
        at = first
    return at, kinds


def _is_changed(text: str, tokens: list[Token], bracket: int) -> bool:
    """Whether a call is made on a variable: the string tells how to change it, as in `password.encode("latin1")`."""
    if sign_at(text, tokens, bracket - 2) != "." or bracket < 3 or tokens[bracket - 3][0] != "id":
        return False
    on = word(text, tokens[bracket - 3])
    return on[:1].islower() and on.lower() not in _MODULES


def _before_closure(text: str, tokens: list[Token], at: int) -> int:
    """The token before `|_|`, `() ->`, `() =>`, `lambda:`, `||`; the one that was given where none of them stands."""
    sign = sign_at(text, tokens, at)
    if sign == "{" and sign_at(text, tokens, at - 1) in ("|", "||"):
        at, sign = at - 1, sign_at(text, tokens, at - 1)
    if sign == "||" and sign_at(text, tokens, at - 1) == "(":
        return at - 1
    if sign == "|":
        opens = next((n for n in range(at - 1, max(-1, at - 8), -1) if sign_at(text, tokens, n) == "|"), 0)
        return opens - 1 if opens > 0 else at
    if sign in ("->", "=>") and sign_at(text, tokens, at - 1) == ")":
        opens = opening(text, tokens, at - 1)
        return opens - 1 if opens > 0 else at
    if sign == "->" and at > 1 and tokens[at - 1][0] == "id" and sign_at(text, tokens, at - 2) in ("{", "("):
        return at - 2
    if sign == ":":
        named = next((n for n in range(at - 1, max(-1, at - 4), -1) if sign_at(text, tokens, n) == "lambda"), 0)
        return named - 1 if named > 0 else at
    return at


def _assigned(text: str, tokens: list[Token], sign: int) -> Names:
    """The names of what is given by an assignment, a colon, an arrow: of a key, a condition, a named argument."""
    names = left_of(text, tokens, sign)
    if sign_at(text, tokens, sign) == ":" and (condition := _ternary(text, tokens, sign)) is not None:
        return condition
    call = call_of(text, tokens, sign)
    if call is not None and names[-1:] and names[-1].lower() in _DEFAULTS:
        inside = [word(text, token) for token in tokens[call:sign] if token[0] == "str"]
        on = target(text, tokens, call)
        found = (*on, inside[0]) if inside else on or _on(text, tokens, call)
        return found or names, True, on
    return names, False, ()


def _argument(text: str, tokens: list[Token], before: int) -> Names:
    """The names of an argument of a call: the string before it is the key, or what the call is called on."""
    call = call_of(text, tokens, before + 1)
    if call is None:
        return _NONE
    exact = called(text, tokens, call)
    name = exact.lower()
    strings = [word(text, token) for token in tokens[call:before] if token[0] == "str"]
    if sign_at(text, tokens, before) != "(":
        on = target(text, tokens, call)
        if strings and (name in _FALLBACK_CALLS or _FALLBACK_NAME.search(name)):
            return (*on, strings[0]), True, on
        if not strings and name in _CHOICES and (ids := _telling(text, tokens, call, before)):
            return (*on, *ids), True, on
        if strings and name in _PAIR_CALLS:
            return (strings[0],), False, ()
        if (
            len(strings) == 1
            and tokens[before - 1][0] == "str"
            and name
            and _ENV_NAME.match(strings[0])
            and not _STATEMENT.search(name)
            and sign_at(text, tokens, beginning(text, tokens, call)) != "new"
        ):
            return (*on, strings[0]), True, on  # a helper of whatever name
        return _NONE
    if name in _ELSE_CALLS:
        on = target(text, tokens, call)
        looked_up = _on(text, tokens, call) or _telling(text, tokens, beginning(text, tokens, call), call - 1)
        if looked_up or on:
            return (*on, *looked_up), True, on
    if sign_at(text, tokens, call - 1).startswith("@"):  # an annotation
        return (exact,), False, ()
    if name and not exact[:1].isupper() and not _NO_VALUE.match(name):  # classes are called by a capital
        return (name.removeprefix("set").removeprefix("with").strip("_"),) if name != "set" else (), False, ()
    return _NONE


def _on(text: str, tokens: list[Token], call: int) -> tuple[str, ...]:
    """The last string in what a call is called on: of `env("K").or(` the K."""
    chain = tokens[beginning(text, tokens, call) : call]
    return tuple([word(text, token) for token in chain if token[0] == "str"][-1:])


def _telling(text: str, tokens: list[Token], first: int, last: int) -> tuple[str, ...]:
    """The names in a stretch, without those that say nothing; the last string where there is one."""
    strings, ids = [], []
    for token in tokens[first:last]:
        if token[0] == "str" and _LOOKED_UP.match(said := word(text, token)):
            strings.append(said)
        elif token[0] == "id" and (said := word(text, token)).lower() not in _SAYS_NOTHING:
            ids.append(said)
    return tuple(strings[-1:] or ids[-3:])


def _of_block(text: str, tokens: list[Token], bracket: int) -> Names:
    """Of `ENV.fetch("K") { "fallback" }` the name K and what the answer is assigned to; none of other blocks."""
    close = previous(tokens, bracket)
    if close < 0 or sign_at(text, tokens, close) != ")":
        return _NONE
    call = opening(text, tokens, close)
    if call < 0 or called(text, tokens, call).lower() not in _BLOCKS:
        return _NONE
    on = target(text, tokens, call)
    strings = [word(text, token) for token in tokens[call:close] if token[0] == "str"] or _on(text, tokens, call)
    return (*on, *strings[:1]), True, on


def _ternary(text: str, tokens: list[Token], colon: int) -> Names | None:
    """Of `a ? b : "c"` the names of what is assigned and of the condition."""
    for back in range(colon - 1, max(-1, colon - 24), -1):
        sign = sign_at(text, tokens, back)
        if tokens[back][0] == "nl" or sign in ("{", ",", ";", "=", ":"):
            return None
        if sign == "?":
            return _instead(text, tokens, back)
    return None


def _instead(text: str, tokens: list[Token], sign: int) -> Names:
    """Of `x = a || "b"` the names x and those of a."""
    at, depth = sign - 1, 0
    names: tuple[str, ...] = ()
    while at >= 0 and sign - at < BACK:
        kind = tokens[at][0]
        said = sign_at(text, tokens, at)
        if said in CLOSE:
            depth += 1
        elif said in OPEN:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (said in SETS or said in (":", "=>")):
            names = left_of(text, tokens, at)
            break
        elif depth == 0 and (said in (",", ";") or (kind == "nl" and sign - at > 1)):
            break
        at -= 1
    return (*names, *_telling(text, tokens, at + 1, sign)), True, names
