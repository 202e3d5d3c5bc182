"""The values of one file, judged: zone, name and class of each give its finding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sakaime.checks.secrets.classify import DEFAULT, LIVE, Classifier, Verdict
from sakaime.checks.secrets.keyed import digest
from sakaime.checks.secrets.naming import normal
from sakaime.checks.secrets.readers import Read, read
from sakaime.checks.secrets.telling import finding, severity_of
from sakaime.checks.secrets.unwrap import Candidate, candidates
from sakaime.checks.secrets.zones import EXEMPT, Zones
from sakaime.model import Finding, Record
from sakaime.policy.match import looks_at
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.checks.secrets.pair import Pair
    from sakaime.material.change import Change, Material
    from sakaime.material.texts import Text
    from sakaime.policy.policy import Policy

_WHOLE = 500_000  # characters of a file that is read as a whole
_AROUND, _BEHIND = 20_000, 1000  # of a larger one, so many before what was added, and behind it
FALLBACK = "fallback"


class Found(Record):
    """Findings, and the texts that no report may hold."""

    findings: tuple[Finding, ...] = ()
    hidden: tuple[str, ...] = ()


_last: list[tuple[object, Classifier]] = []


def classifier(policy: Policy) -> Classifier:
    """The rules of a policy, compiled; those of the last policy are kept."""
    if not _last or _last[0][0] is not policy.secrets:
        _last[:] = [(policy.secrets, Classifier(policy))]
    return _last[0][1]


class _Seen(Record):
    """A value that is something: its verdict, names, place and zone."""

    verdict: Verdict
    keys: tuple[str, ...]
    start: int
    end: int
    kind: str
    severity: str


def judged(policy: Policy, material: Material, change: Change, text: Text) -> Found:
    """The findings in the added lines of a file."""
    rules = classifier(policy)
    path = change.path
    source = text.source
    ranges = _added(text)
    if not ranges:
        return Found()
    whole = source.text
    zones = Zones(rules.values, path)
    seen: list[_Seen] = []
    hidden: dict[str, None] = {}
    names: list[tuple[int, int, tuple[str, ...]]] = []
    found = [token for first, last in ranges for token in rules.tokens.find(whole, first, last)]
    places = sorted(token.start for token in found)
    for one, document in _values(path, whole, ranges, material.mode == "message"):
        if one.also and not rules.naming.expects(one.keys) and rules.naming.expects(one.also):
            one = one.replace(keys=one.also)
        if bisect_left(places, one.start) < bisect_left(places, one.end):  # a token is in it
            names.append((one.start, one.end, one.keys))
        verdict = rules.verdict(one)
        if verdict is None:
            continue
        if not verdict.shown:
            hidden[whole[one.start : one.end] if one.end - one.start < 8000 else one.value] = None
            hidden[one.value] = None
        if not text.touches(one.start, one.end):
            continue
        kind = FALLBACK if one.fallback and verdict.rule.kind != LIVE else verdict.rule.kind
        zone = zones.of(one.keys, whole, document, verdict.rule.kind == DEFAULT)
        severity = severity_of(verdict.rule, zone, kind)
        if severity and looks_at(verdict.rule, path):
            seen.append(_Seen(verdict, one.keys, one.start, one.end, kind, severity))
    names.sort()
    seen.sort(key=_place)
    tokens: list[_Seen] = []
    inside = _Around(seen)
    for token in found:
        value = whole[token.start : token.end]
        if rules.excused(value):
            continue
        hidden[value] = None
        zone = EXEMPT if zones.exempt else "elsewhere"
        severity = severity_of(token.rule, zone, LIVE)
        if not severity or not looks_at(token.rule, path):
            continue
        around = inside.of(token.start, token.end)
        tokens.append(
            _Seen(
                Verdict(token.rule, prefix=token.prefix, checked=token.checked),
                around.keys if around is not None else _name(names, token.start),
                token.start,
                token.end,
                LIVE,
                severity,
            )
        )
    out: list[Finding] = []
    lasts = [last for _, last in ranges]
    for spot in _told(tokens, seen):
        start = max(spot.start, ranges[bisect_right(lasts, spot.start)][0])
        value = whole[spot.start : spot.end]
        column, line = source.line_around(start)
        told = finding(
            spot.verdict,
            spot.kind,
            spot.severity,
            printable(path),
            spot.keys,
            value,
            source.span(start, max(start + 1, spot.end)),
            (column, line),
        )
        out.append(told.replace(digest=digest(value)) if spot.kind == LIVE else told)
    secret = tuple(sorted((text for text in hidden if len(text) > 3), key=len, reverse=True))
    return Found(tuple(out), secret)


def _place(spot: _Seen) -> tuple[int, int]:
    return spot.start, -spot.end


def _told(tokens: list[_Seen], values: list[_Seen]) -> list[_Seen]:
    """What is told of, in order, no two of one place: a token before the value that it is in, what is live before what
    is not, and else the first and widest. Nothing that stands apart from these is left out, however much there is."""
    live = _apart([], sorted(tokens, key=_place))
    live = _apart(live, [spot for spot in values if spot.kind == LIVE])
    return _apart(live, [spot for spot in values if spot.kind != LIVE])


def _apart(taken: list[_Seen], more: list[_Seen]) -> list[_Seen]:
    """Some spots, in order and no two at one place, and of others, in order, those that touch none before them."""
    starts, kept, last = [spot.start for spot in taken], [], 0
    for spot in more:
        before = bisect_left(starts, spot.end) - 1  # the last one that begins before the end of this one
        if spot.start >= last and (before < 0 or taken[before].end <= spot.start):
            kept.append(spot)
            last = spot.end
    return sorted([*taken, *kept], key=_place)


class _Around:
    """Which of some values, in order, a place is in."""

    def __init__(self, seen: list[_Seen]) -> None:
        self._starts = [spot.start for spot in seen]
        self._widest: list[_Seen] = []  # of all up to each, the one that ends last
        for spot in seen:
            before = self._widest[-1] if self._widest else spot
            self._widest.append(spot if spot.end >= before.end else before)

    def of(self, start: int, end: int) -> _Seen | None:
        at = bisect_right(self._starts, start) - 1
        return self._widest[at] if at >= 0 and self._widest[at].end >= end else None


def _values(
    path: str, whole: str, ranges: Sequence[tuple[int, int]], message: bool
) -> Iterator[tuple[Candidate, tuple[int, int]]]:
    """The values of a file with the bounds of the document that each stands in; ((0, 0): it is the whole file)."""
    if message:
        return
    if len(whole) <= _WHOLE:
        yield from _of(read(path, whole), whole, 0)
        return
    for start, end in _stretches(whole, ranges):
        stretch = whole[start:end]
        yield from _of(read(path, stretch), stretch, start)


def _stretches(whole: str, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Parts of a large text that hold all added ranges, with some of what is before and behind each: what stands in two
    of them is told once."""
    near: list[tuple[int, int]] = []
    for first, last in ranges:
        if near and first - near[-1][1] <= _AROUND:
            near[-1] = near[-1][0], last
        else:
            near.append((first, last))
    for first, last in near:
        at = first
        while at < last:
            stop = min(last, at + _WHOLE)
            yield whole.rfind("\n", 0, max(0, at - _AROUND)) + 1, stop + _BEHIND
            at = stop


def _of(found: Read, text: str, by: int) -> Iterator[tuple[Candidate, tuple[int, int]]]:
    starts = [start for start, _ in found.documents]
    users = _users(found.pairs)
    for pair in found.pairs:
        document = (0, 0)
        if len(starts) > 1:
            start, end = found.documents[max(0, bisect_right(starts, pair.start) - 1)]
            document = start + by, end + by
        for one in candidates(pair, text):
            if users and not one.user and one.keys and (stem := _stem(one.keys[-1], _PASSWORDS)) is not None:
                one = one.replace(user=users.get((one.keys[:-1], stem), ""))
            yield (one.replace(start=one.start + by, end=one.end + by) if by else one), document


_NAMES = ("user_name", "username", "user", "login", "uid", "usr")
_PASSWORDS = ("password", "passwd", "pass", "pwd", "pw")


def _stem(key: str, endings: tuple[str, ...]) -> str | None:
    """What a name such as `db_user` has in common with `db_password`; None where it does not end so."""
    name = normal(key)
    ending = next((one for one in endings if name == one or name.endswith(f"_{one}")), None)
    return None if ending is None else name.removesuffix(ending).rstrip("_")


def _users(pairs: Sequence[Pair]) -> dict[tuple[tuple[str, ...], str], str]:
    """The names of users beside passwords: by the names around both, and by what their own have in common."""
    found: dict[tuple[tuple[str, ...], str], str] = {}
    for pair in pairs:
        if pair.keys and len(pair.value) >= _USER and (stem := _stem(pair.keys[-1], _NAMES)) is not None:
            found.setdefault((pair.keys[:-1], stem), pair.value)
    return found


_USER = 3  # characters of a user's name that are compared


def _added(text: Text) -> list[tuple[int, int]]:
    """The ranges of the added lines, in code points."""
    source, out = text.source, []
    for first, last in text.added:
        begin, end = source.index_of(first), source.index_of(last)
        if begin < len(source.starts):
            out.append((source.bounds(begin)[0], source.bounds(min(end, len(source.starts) - 1))[1]))
    return out


def _name(names: list[tuple[int, int, tuple[str, ...]]], at: int) -> tuple[str, ...]:
    """The names around a place, as the reader of the file tells them."""
    for start, end, keys in reversed(
        names[max(0, bisect_right(names, (at + 1,)) - 3) : bisect_right(names, (at + 1,))]
    ):
        if start <= at < end:
            return keys
    return ()
