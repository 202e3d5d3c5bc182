"""The lines of a paragraph: what CommonMark takes for running text and its author did not."""

from __future__ import annotations

import re

from sakaime.checks.criteria.documents.plain import BLANKS, plain, wide
from sakaime.checks.criteria.documents.tables import has_pipe, is_delimiter, is_row
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.checks.criteria.documents.lines import Lines

    Line = tuple[str, int, int]  # text without blanks around it, its offset in the source, the number of its line

TEXT, ITEM, PIPES, ROWS = "text", "item", "pipes", "rows"

_SIGNS = "・•●○◦▪▫■□◆◇►▶‣⁃※"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_MARKER = late(
    rf"(?P<sign>[{_SIGNS}])(?!\Z)\s*|(?P<circled>[{_CIRCLED}])[.:：、]?\s*|(?P<number>\d{{1,3}})[.)、．）]\s+"
    r"|[(（](?P<enclosed>\d{1,2}|[A-Za-z]|i{1,3}|iv|vi{0,3}|ix)[)）]\s*|(?P<letter>[A-Za-z]|i{2,3}|iv|vi{1,3}|ix)[.)]\s+"
)
_DEFINITION = late(r"\[[^\[\]]{1,200}\]:\s*(\S+)(?:\s+[\"'(].*)?")
_ALERT = late(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][-+]?\s*", re.IGNORECASE)
_TITLE = late(r"(\*\*|__)(?![\s*_])([^*\n]{1,100}?)\1\s*[:：]?")
_TITLE_WORDS, _TITLE_WIDE = 8, 24

_STRUCTURE = late(r"\s*(?:[-*+•・]\s+\S|\d{1,3}[.)]\s+\S|\|.*\||>\s)")
_CODE = late(r"\s*(?:[$%>]\s|>>>|\.\./|[│├└┌]|(?:import|from|def|class|function|const|let|var) |return\b|//|/\*|@\w)")
_NO_PROSE = late(r"[`{}<>;=|\\]")


def groups(lines: Sequence[Line], goes_on: bool) -> Iterator[tuple[str, list[Line]]]:
    """The lines of a paragraph by what they are: `TEXT`; `ITEM`, from whose first line the marker is taken; `PIPES`,
    whose first line has the titles and whose second is the delimiter; `ROWS`, which have neither.

    `goes_on` says that a table stands directly before.
    """
    kind, number, kinds = TEXT, 0, _markers(lines)
    group: list[Line] = []
    while number < len(lines):
        text, start, at = lines[number]
        below = lines[number + 1][0] if number + 1 < len(lines) else ""
        found: list[Line] = []
        if is_delimiter(below) and has_pipe(text) and not is_delimiter(text):
            named, found, columns = PIPES, [lines[number], lines[number + 1]], True
        elif is_row(text) or (goes_on and not group and has_pipe(text)):
            named, found, columns = ROWS, [lines[number]], goes_on or not text.startswith("|")
        if found:
            if group:
                yield kind, group
            number += len(found)
            while number < len(lines) and (has_pipe(lines[number][0]) if columns else is_row(lines[number][0])):
                if not is_delimiter(lines[number][0]):
                    if is_delimiter(lines[number + 1][0] if number + 1 < len(lines) else "") and named == PIPES:
                        break  # the titles of another table
                    found.append(lines[number])
                number += 1
            yield named, found
            kind, group, goes_on = TEXT, [], False
            continue
        if number in kinds:
            if group:
                yield kind, group
            kind, group = ITEM, [(text[kinds[number] :], start + kinds[number], at)]
        elif not (kind == TEXT and not group and _defines(text)):
            alert = _ALERT.match(text) if not group else None
            if not alert or alert.end() < len(text):
                skipped = alert.end() if alert else 0
                group.append((text[skipped:], start + skipped, at))
        number += 1
    if group:
        yield kind, group


def _markers(lines: Sequence[Line]) -> dict[int, int]:
    """By number, the lines that begin an item, and how long the marker is.

    A line of running text can begin with "3." as well: a marker leads the paragraph, is a first one, or follows one.
    """
    out: dict[int, int] = {}
    reached: dict[str, int] = {}
    for number, (text, _, _) in enumerate(lines):
        found = _MARKER.match(text)
        if not found or found.end() == len(text):
            continue
        kind = found.lastgroup or ""
        value = found[kind]
        ordinal = int(value) if value.isdecimal() else _CIRCLED.find(value) + 1 or ord(value[0]) - ord("a") + 1
        leads = not number or lines[number - 1][0].endswith((":", "："))
        if leads or kind == "sign" or ordinal == 1 or value in "aAiI" or kind in reached:
            out[number] = found.end()
            reached[kind] = ordinal
    return out


def _defines(text: str) -> bool:
    """Whether a line gives the target of a link, and not a rule behind its id."""
    found = _DEFINITION.fullmatch(text)
    return found is not None and any(sign in found[1] for sign in "/.#")


def is_title(lines: Sequence[Line]) -> bool:
    """Whether a paragraph is one line in bold letters, short and no sentence, which titles what follows."""
    found = _TITLE.fullmatch(lines[0][0]) if len(lines) == 1 else None
    if not found or found[2].rstrip()[-1:] in ".。!！?？":
        return False
    return len(found[2].split()) <= _TITLE_WORDS and sum(map(wide, found[2])) <= _TITLE_WIDE


def speaks(text: str) -> bool:
    """Whether a text is long enough to say something."""
    return len(text.split()) > 2 or sum(map(wide, text)) > 5 or sum("\uac00" <= char <= "\ud7af" for char in text) > 5


def prose_like(lines: Sequence[str]) -> bool:
    """Whether a fence of no language holds words for a reader rather than a program, commands or a tree of files."""
    shown = [line for line in lines if line.strip()]
    code = sum(_CODE.match(line) is not None or line.rstrip().endswith((";", "{", "}", "\\")) for line in shown)
    return code * 3 <= len(shown) and any(_STRUCTURE.match(line) or _is_sentence(line.strip()) for line in shown)


def _is_sentence(line: str) -> bool:
    if sum(map(wide, line[:200])) > 5:
        return True
    return len(line.split()) > 2 and line[0].isalpha() and line[-1] in ".:!?" and not _NO_PROSE.search(line)


def own_lines(lines: Lines, content: str, first: int, last: int) -> list[Line]:
    """The lines of a block's content, each where it stands; lines without a word are left out."""
    shown = [text for line in content.split("\n") if (text := line.strip(BLANKS))]
    stand = [number for number in range(first, last) if lines.texts[number].strip(BLANKS + ">")]
    out: list[Line] = []
    for text, number in zip(shown, stand, strict=False):
        at = lines.texts[number].rfind(text)
        if at >= 0:
            out.append((text, lines.offset(number, at), number))
    if len(shown) > len(out):  # lines of odd blanks: they are read as they stand
        texts = [(lines.texts[number].strip(BLANKS + ">"), number) for number in stand]
        out = [(text, lines.offset(n, lines.texts[n].index(text)), n) for text, n in texts if text]
    return out


def text_of(own: Sequence[Line]) -> str:
    """What the lines say."""
    return plain([(text, start) for text, start, _ in own]).text


def end_of(own: Sequence[Line]) -> int:
    """The offset in the source at which the lines end."""
    return own[-1][1] + len(own[-1][0])


def is_prose(markup: str, own: Sequence[Line]) -> bool:
    """Whether what its markup makes a heading is a paragraph above a rule."""
    if markup[0] == "#":
        return False
    text = own[0][0]
    return len(own) > 1 or is_row(text) or (len(text) > 60 and text.endswith((".", "。", ":", "：")))
