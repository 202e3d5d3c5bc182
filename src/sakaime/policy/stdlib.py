"""RE2 patterns on the standard library's engine, where RE2 cannot be imported (there are no wheels for musl).

That engine backtracks: a pattern may take time without bounds. So a pattern is only run on a text if the steps that
it can take there, at worst, are counted beforehand and are few (`steps`); else `NotRunError` is raised, and what was
to be judged is not. It is run over code points, with the meaning that RE2 gives to it: `\\b`, `\\w`, `\\d` and `\\s`
are ASCII, `$` is the end of the text.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from itertools import groupby

from sakaime.model import NotJudged, Record

try:
    from re import _constants as ops  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as ops
    import sre_parse as parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

MOST_STEPS = 20_000_000  # about a second
_ENDLESS = 1 << 60
_MOST_LISTED = 20
_MOST_REPEATED = 1000  # RE2 takes no larger count
_WORD, _DIGIT, _BLANK = "0-9A-Za-z_", "0-9", r"\t\n\f\r "
_KINDS = {"w": _WORD, "d": _DIGIT, "s": _BLANK}
_EDGE = rf"(?:(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}]))"
_INSIDE = rf"(?:(?<![{_WORD}])(?![{_WORD}])|(?<=[{_WORD}])(?=[{_WORD}]))"
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": _DIGIT,
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": _WORD,
    "xdigit": "0-9A-Fa-f",
}
# How the names of a script's letters begin: the standard library knows no scripts.
_SCRIPTS = {
    "Han": ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL"),
    "Hiragana": ("HIRAGANA LETTER", "HIRAGANA ITERATION", "HIRAGANA VOICED ITERATION", "HIRAGANA DIGRAPH"),
    "Katakana": ("KATAKANA LETTER", "KATAKANA ITERATION", "KATAKANA VOICED ITERATION", "KATAKANA DIGRAPH"),
}
_ALSO = {"Han": "々〇〡-〩〸-〻", "Hiragana": "", "Katakana": "ㇰ-ㇿ㋐-㋾㌀-㍗ｦ-ｯｱ-ﾝ"}
_TOKEN = re.compile(
    r"(?s)\\Q(?P<quoted>.*?)(?:\\E|\Z)|\\(?P<property>[pP](?:\{\^?\w+\}|[A-Z]))|\\x\{(?P<hex>[0-9a-fA-F]+)\}"
    r"|\\(?P<byte>x[0-9a-fA-F]{2}|0[0-7]{0,2}|[1-7][0-7]{2})|(?P<edge>[$^]|\\[Az])|\\(?P<escape>.)"
    r"|(?P<open>\((?:\?(?:P?<\w+>|[imsU-]*[:)])?)?)|(?P<sign>[*+?]|\{\d+(?:,\d*)?\})(?P<lazy>\??)"
    r"|(?P<class>\[\^?)|(?P<plain>.)"
)
_MEMBER = re.compile(
    r"(?s)\[:(?P<posix>\^?\w+):\]|\\(?P<property>[pP](?:\{\^?\w+\}|[A-Z]))|\\x\{(?P<hex>[0-9a-fA-F]+)\}"
    r"|\\(?P<byte>x[0-9a-fA-F]{2}|0[0-7]{0,2}|[1-7][0-7]{2})|\\(?P<escape>.)|(?P<plain>.)"
)
_SIMPLE = frozenset("afnrtv")


class RefusedError(ValueError):
    """A pattern that is none in RE2's syntax."""


class NotRunError(NotJudged):
    """A pattern that this engine cannot run, or not on so long a text."""


class Match(Record):
    """A match: where, in bytes, what it is, and its groups."""

    first: int
    last: int
    matched: str
    held: tuple[str | None, ...]

    def start(self) -> int:
        return self.first

    def end(self) -> int:
        return self.last

    def span(self) -> tuple[int, int]:
        return self.first, self.last

    def group(self) -> bytes:
        return self.matched.encode("utf-8", "surrogatepass")

    def groups(self) -> tuple[str | None, ...]:
        return self.held


class Pattern:
    """A compiled pattern, to be asked as RE2's are: for UTF-8 bytes, with places in bytes.

    Raises `RefusedError` for what is no pattern; `NotRunError` comes when it is run.
    """

    def __init__(self, source: str) -> None:
        self.why_not = ""
        try:
            self.source = translated(source)
            self.compiled = re.compile(self.source)
            self.tree = parser.parse(self.source)
        except NotRunError as error:
            self.why_not = str(error)
        except (re.error, OverflowError, RecursionError) as error:
            raise RefusedError(str(error)) from None

    def finditer(self, data: bytes) -> Iterator[Match]:
        """The matches from left to right, apart from each other."""
        text = self._readable(data)
        done = at = offset = 0
        while at <= len(text) and (match := self.compiled.search(text, at)):
            start, end = match.span()
            first = offset + _size(text[done:start])
            done, offset = end, first + _size(match.group())
            yield Match(first, offset, match.group(), match.groups())
            at = end + (start == end)

    def search(self, data: bytes) -> Match | None:
        """The first match."""
        return next(self.finditer(data), None)

    def _readable(self, data: bytes) -> str:
        if self.why_not:
            raise NotRunError(self.why_not)
        text = data.decode("utf-8", "surrogatepass")
        if steps(self.tree, text) > MOST_STEPS:
            raise NotRunError("on a text of that length it could take too long")
        return text


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def translated(source: str) -> str:
    """RE2's syntax as the standard library's.

    Raises `RefusedError` for what RE2 refuses and this module can tell, `NotRunError` for what has no counterpart.
    """
    out: list[str] = []
    at, repeatable = 0, False
    flags = re.match(r"\(\?([imsU]+)\)", source)
    lines = bool(flags and "m" in flags[1])
    while at < len(source):
        token = _TOKEN.match(source, at)
        assert token is not None  # the last branch takes any character
        at = token.end()
        if token["sign"]:
            if not repeatable:
                raise RefusedError(f"bad repetition operator: {token.group()}")
            if any(int(count) > _MOST_REPEATED for count in re.findall(r"\d+", token["sign"])):
                raise RefusedError(f"bad repetition count: {token['sign']}")
            out.append(token.group())
            repeatable = False
            continue
        repeatable = True
        if token["class"]:
            members, at = _members(source, at)
            out.append(f"{token['class']}{members}]")
        elif token["open"]:
            out.append(_opening(token["open"], first=not out))
            lines = _lines(token["open"], lines, first=len(out) == 1)
            repeatable = False
        elif token["edge"]:
            edge = r"\Z" if token["edge"] == r"\z" or (token["edge"] == "$" and not lines) else token["edge"]
            # The standard library repeats no edge by itself.
            out.append(f"(?:{edge})" if source.startswith(("*", "+", "?", "{"), at) else edge)
        else:
            out.append(_atom(token))
            repeatable = token.group() != "|"
    return "".join(out)


def _opening(head: str, first: bool) -> str:
    """The beginning of a group."""
    if head == "(?":
        raise RefusedError("invalid perl operator: (?")
    if "U" in head:
        raise NotRunError("it swaps greedy and lazy repetitions")
    if head.endswith(")") and not first:
        raise NotRunError("it sets flags in the middle")
    return "(" if head.endswith(">") else head


def _lines(head: str, lines: bool, first: bool) -> bool:
    if not first and "m" in head.partition("P")[0] and head.endswith(":"):
        raise NotRunError("it changes what a line is in the middle")
    return lines


def _atom(token: re.Match[str]) -> str:
    """One character, or a kind of characters."""
    if token["quoted"] is not None:
        return re.escape(token["quoted"])
    if token["property"]:
        return f"[{_property(token['property'])}]"
    char = _character(token)
    if char is not None:
        return re.escape(char)
    if (kind := token["escape"]) is None:
        return rf"\{token['plain']}" if token["plain"] in "{}" else token["plain"]
    if kind in "bB":
        return _EDGE if kind == "b" else _INSIDE
    if kind.lower() in _KINDS:
        return f"[{'^' if kind.isupper() else ''}{_KINDS[kind.lower()]}]"
    if kind == "C":
        raise NotRunError("it looks at single bytes")
    if kind.isascii() and kind.isalnum():
        raise RefusedError(f"invalid escape sequence: \\{kind}")
    return re.escape(kind)


def _character(token: re.Match[str]) -> str | None:
    """The one character that is written with digits, or as a letter for a control character."""
    if token["hex"]:
        code = int(token["hex"], 16)
        if code > sys.maxunicode:
            raise RefusedError(f"invalid escape sequence: {token.group()}")
        return chr(code)
    if token["byte"]:
        return chr(int(token["byte"][1:], 16) if token["byte"][0] == "x" else int(token["byte"], 8))
    if token["escape"] and token["escape"] in _SIMPLE:
        return {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}[token["escape"]]
    return None


def _members(source: str, at: int) -> tuple[str, int]:
    """What is in a class that begins there, and where the class ends."""
    out: list[str] = []
    first = True
    while first or not source.startswith("]", at):
        first = False
        token = _MEMBER.match(source, at)
        if token is None:
            raise RefusedError("missing ]")
        at = token.end()
        low = _member(token)
        if len(low) == 1 and source.startswith("-", at) and not source.startswith("-]", at):
            after = _MEMBER.match(source, at + 1)
            if after is None:
                raise RefusedError("missing ]")
            at = after.end()
            high = _member(after)
            if len(high) != 1 or high < low:
                raise RefusedError(f"invalid character class range: {token.group()}-{after.group()}")
            out.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            out.append(re.escape(low) if len(low) == 1 else low)
    return "".join(out), at + 1


def _member(token: re.Match[str]) -> str:
    """A member of a class: one character, or the inside of a class."""
    if token["posix"]:
        if (known := _POSIX.get(token["posix"].lstrip("^"))) is None:
            raise RefusedError(f"invalid character class range: {token.group()}")
        return _others(known) if token["posix"].startswith("^") else known
    if token["property"]:
        return _property(token["property"])
    if (char := _character(token)) is not None:
        return char
    if (kind := token["escape"]) is None:
        return token.group()
    if kind.lower() in _KINDS:
        return _others(_KINDS[kind.lower()]) if kind.isupper() else _KINDS[kind]
    if kind.isascii() and kind.isalnum():
        raise RefusedError(f"invalid escape sequence: \\{kind}")
    return kind


@lru_cache
def _others(inside: str) -> str:
    """The inside of a class for every character that another one has not."""
    chosen = re.compile(f"[{inside}]")
    return _ranges(char for char in map(chr, range(sys.maxunicode + 1)) if not chosen.match(char))


@lru_cache
def _property(name: str) -> str:
    """The inside of a class for a property such as `pL`, `p{Lu}` or `P{Han}`."""
    inverted = (name[0] == "P") != ("^" in name)
    name = name[1:].strip("{^}")
    if name in _SCRIPTS:
        begins = _SCRIPTS[name]
        inside = _ALSO[name] + _ranges(
            char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.name(char, "").startswith(begins)
        )
    elif re.fullmatch("[CLMNPSZ][a-z]?", name):
        inside = _ranges(
            char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char).startswith(name)
        )
    else:
        raise NotRunError(f"it asks for {name}, which the standard library does not know")
    if not inside:
        raise RefusedError(f"invalid character class range: {name}")
    return _others(inside) if inverted else inside


def _ranges(chars: Iterable[str]) -> str:
    """The inside of a class for some characters, ascending."""
    out = []
    for _, run in groupby(enumerate(map(ord, chars)), lambda pair: pair[1] - pair[0]):
        codes = [code for _, code in run]
        out.append(f"{re.escape(chr(codes[0]))}-{re.escape(chr(codes[-1]))}")
    return "".join(out)


def steps(tree: Any, text: str) -> int:
    """How many steps the engine takes at most to look for a parsed pattern in a text.

    For each place where a match could begin, every way through the pattern may be tried; a part is asked as often as
    there are ways through what stands before it. Where a part can only begin with certain strings, no more ways lead
    through it than the text has places of them.
    """
    anchored = bool(tree) and tree[0] == (ops.AT, ops.AT_BEGINNING)
    starts = 1 if anchored else len(text) + 1
    return min(_ENDLESS, _Text(text).sequence(tree, starts)[1])


class _Text:
    """A text, and what takes how many steps in it."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self.folded = _folded(text)
        self.known: dict[str, int] = {}

    def places(self, parts: Any) -> int | None:
        """At how many places of the text some parts in a row could begin; None: at any."""
        begins = _beginnings(parts)
        return None if begins is None else sum(map(self._count, begins))

    def _count(self, literal: str) -> int:
        if literal not in self.known:
            # Those that overlap are places as well.
            self.known[literal] = len(re.findall(f"(?={re.escape(literal)})", self.folded))
        return self.known[literal]

    def sequence(self, parts: Any, places: int = 1) -> tuple[int, int]:
        """The ways through some parts in a row, that may begin at so many places, and the steps of trying them all."""
        ways, spread, taken = 1, places, 1
        for at, (op, argument) in enumerate(parts):
            tried = ways * spread
            few = self.places(parts[at:])
            asked = ways * (spread if few is None else min(spread, few))
            through, cost, apart = self.part(op, argument)
            taken = min(_ENDLESS, taken + tried * _branching(op, argument) + asked * cost)
            # Every way through a run of single characters ends at a place of its own.
            ways, spread = (asked, through) if apart else (min(_ENDLESS, asked * through), 1)
        return min(_ENDLESS, ways * spread), taken

    def part(self, op: Any, argument: Any) -> tuple[int, int, bool]:
        """The ways through a part, its steps, and whether each of the ways ends at a place of its own."""
        if op is ops.SUBPATTERN:
            return (*self.sequence(argument[-1]), False)
        if op is ops.BRANCH:
            return (*self.branches(argument[1]), False)
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            single = argument[2].getwidth() == (1, 1)
            return (*self.repeated(*argument), single)
        if op in (ops.ASSERT, ops.ASSERT_NOT):
            return 1, self.sequence(argument[1])[1], False
        return 1, 1, False

    def branches(self, branches: Any) -> tuple[int, int]:
        """Of branches only those match at one place of which one's beginning begins with the other's."""
        ways: dict[str, int] = {}
        taken = 0
        for branch in branches:
            through, cost = self.sequence(branch)
            begin = _beginning(branch)
            ways[begin] = ways.get(begin, 0) + through
            taken += cost
        most = max(sum(ways.get(begin[:size], 0) for size in range(len(begin) + 1)) for begin in ways)
        return min(_ENDLESS, most), min(_ENDLESS, taken)

    def repeated(self, least: int, most: Any, parts: Any) -> tuple[int, int]:
        most = min(int(most), self.length)
        through, cost = self.sequence(parts)
        if most <= 1:
            return through + (least == 0), cost
        if not parts.getwidth()[0]:
            return _ENDLESS, _ENDLESS  # engines differ in what they make of repetitions of nothing
        ways, here, taken = 0, 1, 0
        for count in range(most + 1):
            ways += here if count >= least else 0
            taken += here * cost
            here *= through
            if through == 1 and count >= least:
                return ways + most - count, taken + (most - count) * cost
            if taken > _ENDLESS or ways > _ENDLESS:
                return _ENDLESS, _ENDLESS
        return max(1, ways), taken


def _folded(text: str) -> str:
    """A text as patterns without case see it, as far as ASCII goes: `s` and `k` have a third form each."""
    return text.lower().replace("\u017f", "s")


def _branching(op: Any, argument: Any) -> int:
    """The steps after which a part has failed at a place where none of its beginnings stands."""
    if op is ops.BRANCH:
        return sum(1 + (_branching(*branch[0]) if branch else 0) for branch in argument[1])
    if op is ops.SUBPATTERN and argument[-1]:
        return 1 + _branching(*argument[-1][0])
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT) and argument[2]:
        return 1 + _branching(*argument[2][0])
    return 1


def _beginning(parts: Any) -> str:
    """The characters with which every match begins, where they are certain, folded."""
    out = ""
    for op, argument in parts:
        if op is not ops.LITERAL:
            break
        char = chr(argument)
        # What folds to more than itself could equal something else in a pattern without case.
        if not char.isascii() and char.lower() != char.upper():
            break
        out += char.lower()
    return out


def _beginnings(parts: Any) -> list[str] | None:
    """Strings of which one stands where some parts in a row match, folded; None where nothing is known."""
    if begin := _beginning(parts):
        return [begin]
    for at, (op, argument) in enumerate(parts):
        if op is ops.AT or op in (ops.ASSERT, ops.ASSERT_NOT):
            continue
        if op is ops.SUBPATTERN:
            if argument[-1].getwidth() == (0, 0):
                continue
            return _beginnings(argument[-1]) if argument[-1].getwidth()[0] else None
        if op is ops.BRANCH:
            every = [_beginnings(branch) if branch.getwidth()[0] else None for branch in argument[1]]
            if all(branch.getwidth() == (0, 0) for branch in argument[1]):
                continue
            return None if None in every else [begin for some in every for begin in some or ()]
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            return _beginnings(argument[2]) if argument[0] and argument[2].getwidth()[0] else None
        return [begin] if (begin := _beginning(parts[at:])) else _few(op, argument)
    return None


def _few(op: Any, argument: Any) -> list[str] | None:
    """The characters of a class of few, folded."""
    if op is not ops.IN or len(argument) > _MOST_LISTED or any(kind is not ops.LITERAL for kind, _ in argument):
        return None
    every = [_beginning([member]) for member in argument]
    return every if all(every) else None
