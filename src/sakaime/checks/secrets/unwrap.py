"""What a value is wrapped in: base64, references with a fallback, addresses with a password, connection strings."""

from __future__ import annotations

import re

from sakaime.checks.secrets.naming import normal
from sakaime.checks.secrets.pair import Pair
from sakaime.model import Record
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 4000
_LEVELS = 3  # references inside of the fallback of references


class Candidate(Record):
    """A value to be judged by itself. `user` is the user name beside it, `apart` that it was in a larger value that
    says what it is: an address, a connection string, `also` other names that it may go by."""

    keys: tuple[str, ...]
    value: str
    start: int
    end: int
    fallback: bool = False
    code: bool = False
    user: str = ""
    apart: bool = False
    also: tuple[str, ...] = ()


_ADDRESS = late(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]{1,30})://(?P<user>[^\s:/@\"'<>{}$]{0,100}|\$?\{[^{}]*\}|<[^<>]*>):"
    r"(?P<password>\$\{[^{}\s]{1,200}\}|\{\{[^{}]{1,200}\}\}|<[^<>]{1,100}>|[^\s/@\"'`<>]{1,300})@(?=[\w\[<$%{\-])"
)
_QUERY = late(r"[?&](?P<key>[A-Za-z_][\w\-.]{2,40})=(?P<value>[^&\s\"'#;<>]{3,400})")
_PART = late(
    r"(?:^|[;,])[ \t]*(?P<key>[A-Za-z][A-Za-z _\-]{1,40}?)[ \t]*=[ \t]*(?P<value>[^;,\"']{1,400}|\"[^\"]*\"|'[^']*')"
)
_WORD = late(r"(?:^|\s)(?P<key>[A-Za-z_]{3,40})=(?P<value>'[^']*'|\"[^\"]*\"|\S{1,400})")
_SHELL = late(r"\$\{(?P<name>[A-Za-z_][\w.\-]*)(?P<sign>:-|:=|-|=|:(?![?+]))(?P<value>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
# Before a colon these say where to look, and what stands behind is no fallback.
_KEEPERS = frozenset(
    "ssm env cf file sls self opt param vault aws gcp azure secretsmanager secrets secret s3 git custom "
    "strtobool output docker sys ctx base64 const date java main bundle lower upper url dns "
    "script properties kv sm sec".split()
)
_TEMPLATE = late(r"\{\{(?P<curly>[^{}]*)\}\}|<%[=-]?(?P<angle>[^%]*)%>|<\?(?:=|php)?(?P<php>[^?]*(?:\?(?!>)[^?]*)*)\?>")
_DEFAULT = late(
    r"\bdefault\b[ \t]*\(?[ \t]*(?:\"(?P<d>[^\"]*)\"|'(?P<s>[^']*)'|`(?P<t>[^`]*)`)"
    r"|(?:\|\||\?\?|\bor\b)[ \t]*(?:\"(?P<od>[^\"]*)\"|'(?P<os>[^']*)')"
    r"|\b(?:fetch|getenv|get|getOrDefault)\b[^\"']*(?:\"[^\"]*\"|'[^']*')[ \t]*,[ \t]*"
    r"(?:default[ \t]*=[ \t]*)?(?:\"(?P<fd>[^\"]*)\"|'(?P<fs>[^']*)')"
    r"|\bcoalesce\b[^\"']*[ \t]\"(?P<cd>[^\"]*)\"|\bternary\b[ \t]+\"(?P<td>[^\"]*)\""
    r"|\bfetch\b[^{}]*\)[ \t]*(?:\{|do\b)[ \t]*(?:\"(?P<bd>[^\"]*)\"|'(?P<bs>[^']*)')"
)
_LOOKED_UP = late(
    r"(?:ENV\b|[$]?env\b|fetch|getenv)[ \t]*[\[(.][ \t]*[\"']?(?P<env>\w+)"
    r"|\.(?:Values|values)\.(?P<chart>[\w.]+)|^[ \t-]*(?P<name>[A-Za-z_][\w.]*)"
)
_SCHEME = late(r"(?i)(?:bearer|basic|token|apikey|api-key|key|digest|bot)[ \t]+(?=\S{6,}$)")


# Names under which a user and a password stand in one value, and how.
_BOTH = late(
    r"(?:^|_)(?:auth|basic_?auth|http_auth|userpwd|user_?pass(?:word)?|credentials?|creds|login|login_password"
    r"|connect(?:ion)?_string|connect_identifier|dsn)$"
)
_USER_AND = late(r"(?P<user>[A-Za-z_][\w.\-@]{0,60}):(?P<password>[^\s:/{}$<>]{2,100})$")
_USER_OVER = late(
    r"(?P<user>[A-Za-z_][\w.\-]{0,60})/(?P<password>[^\s:/@{}$<>]{2,100})(?P<host>@/{0,2}[\w.\-]+[\w.:/\-]*)?$"
)


def _login(key: str, value: str) -> re.Match[str] | None:
    """The user and the password of a value such as `user:password`, `user/password@host`."""
    name = normal(key)
    if not _BOTH.search(name):
        return None
    if (found := _USER_AND.match(value)) is not None:
        return found
    found = _USER_OVER.match(value)
    # The slash of a path, of a kind, is more common than the one of a login.
    told = found is not None and (found["host"] or found["user"] == found["password"] or name.endswith("_auth"))
    return found if told else None


def candidates(pair: Pair, text: str) -> Iterator[Candidate]:
    """The values that are in a value, each to be judged by itself."""
    value, start, end = pair.value, pair.start, pair.end
    if not value or len(value) > _MOST:
        return
    exact = end - start == len(value) and text.startswith(value, start)
    if pair.coded:
        decoded = _base64(value)
        if decoded is not None:
            yield Candidate(pair.keys, decoded, start, end, pair.fallback)
        return
    yield from _unwrapped(Candidate(pair.keys, value, start, end, pair.fallback, pair.code, also=pair.also), exact, 0)


def _unwrapped(one: Candidate, exact: bool, level: int) -> Iterator[Candidate]:
    value = one.value
    bare = value.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'`":
        bare = bare[1:-1].strip()
    if not bare:
        return
    if bare != value:
        shift = value.index(bare)
        one = one.replace(value=bare, **_placed(one, exact, shift, shift + len(bare)))
        value = bare
    within = list(_within(one, exact)) if "://" in value or "=" in value else []
    if within:
        for inner in within:
            yield from _references(inner, exact, level)
        return
    if one.keys and (login := _login(one.keys[-1], value)) is not None:
        yield one.replace(
            keys=(*one.keys, "password"),
            value=login["password"],
            user=login["user"],
            apart=True,
            **_placed(one, exact, *login.span("password")),
        )
        return
    if found := _SCHEME.match(value):
        one = one.replace(value=value[found.end() :], **_placed(one, exact, found.end(), len(value)))
    yield from _references(one, exact, level)


def _references(one: Candidate, exact: bool, level: int) -> Iterator[Candidate]:
    """The fallbacks of the references in a value; the value itself where it is none."""
    value, any_found = one.value, False
    if "${" in value:
        for found in _SHELL.finditer(value):
            any_found = True
            inner = found["value"]
            if found["sign"] == ":" and found["name"].lower() in _KEEPERS:
                continue
            if not inner or (found["sign"] == ":" and inner[:1] in ("/", "-", "?", "+") and inner[:2] == "//"):
                continue
            made = one.replace(
                keys=one.keys if one.keys[-1:] == (found["name"],) else (*one.keys, found["name"]),
                value=inner,
                fallback=True,
                also=one.keys,
                **_placed(one, exact, *found.span("value")),
            )
            if level < _LEVELS:
                yield from _unwrapped(made, exact, level + 1)
        if any_found:
            return
    if "{{" in value or "<%" in value or "<?" in value:
        for found in _TEMPLATE.finditer(value):
            for said in _DEFAULT.finditer(value, found.start(), found.end()):
                group = next((name for name, held in said.groupdict().items() if held), None)
                if group is not None:
                    any_found = True
                    looked_up = _LOOKED_UP.search(found["curly"] or found["angle"] or found["php"] or "")
                    name = next(filter(None, looked_up.groups()), "") if looked_up else ""
                    yield one.replace(
                        value=said[group], fallback=True, also=(name,), **_placed(one, exact, *said.span(group))
                    )
        if any_found:
            return
    yield one


def _within(one: Candidate, exact: bool) -> Iterator[Candidate]:
    """The passwords in an address, its query, a connection string; none where the value is nothing of these."""
    value = one.value
    if "://" in value:
        for found in _ADDRESS.finditer(value):
            yield one.replace(
                keys=(*one.keys, "password"),
                value=_unquoted(found["password"]),
                user=found["user"],
                apart=True,
                **_placed(one, exact, *found.span("password")),
            )
        for found in _QUERY.finditer(value):
            yield one.replace(
                keys=(found["key"],), value=found["value"], apart=True, **_placed(one, exact, *found.span("value"))
            )
        return
    parts = list(_PART.finditer(value)) if ";" in value or "," in value else []
    if len(parts) < 2:
        parts = list(_WORD.finditer(value)) if " " in value else []
    if len(parts) < 2:
        return
    named = {found["key"].strip().lower(): found["value"] for found in parts}
    user = next((named[name] for name in ("user id", "uid", "user", "username") if name in named), "")
    for found in parts:
        first, last = found.span("value")
        held = found["value"]
        if len(held) > 1 and held[0] == held[-1] and held[0] in "\"'":
            first, last, held = first + 1, last - 1, held[1:-1]
        stripped = held.rstrip()
        yield one.replace(
            keys=(found["key"].strip(),),
            value=stripped,
            user=user,
            apart=True,
            **_placed(one, exact, first, first + len(stripped)),
        )


def _placed(one: Candidate, exact: bool, first: int, last: int) -> dict[str, int]:
    """Where a part of a value stands: exactly where the text has the value as it is, else all of it."""
    return {"start": one.start + first, "end": one.start + last} if exact else {"start": one.start, "end": one.end}


def _unquoted(value: str) -> str:
    if "%" not in value or value.startswith(("%(", "%{", "%s")):
        return value
    from urllib.parse import unquote

    return unquote(value)


_BASE64 = late(r"[A-Za-z0-9+/\s]+={0,2}\s*$")


def _base64(value: str) -> str | None:
    """What a value in base64 says, where it is a text."""
    if not _BASE64.match(value):
        return None
    import binascii

    compact = "".join(value.split())
    try:
        text = binascii.a2b_base64(compact + "=" * (-len(compact) % 4)).decode()
    except (ValueError, binascii.Error):
        return None
    return text.rstrip("\r\n") if text.isprintable() or "\n" in text else None
