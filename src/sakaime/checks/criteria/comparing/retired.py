"""Criteria that are still written down, below a title or beside a word that says that they hold no longer."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.checks.criteria.comparing.loss import REMOVED, WEAKENED, Loss, identity
from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.item import Document, Item

_LONGEST = 60
_STATE = (
    r"archived?|archives|deprecated|obsolete|outdated|retired|superseded|abolished|withdrawn|historical|history|defunct|"
    r"no longer (?:in force|in use|valid|used|applied|applies|enforced|required|needed|checked|looked at|reviewed)|"
    r"not (?:in force|checked(?: any ?more)?|reviewed|enforced|looked at)|rejected(?: proposals?)?|out of date|"
    r"what we (?:no longer|do not|don't) (?:look at|check|review|report)|"
    r"廃止(?:済み?|された|した)?|アーカイブ|失効(?:済み?|した)?|無効|過去|"
    r"已?(?:废弃|廢棄|归档|歸檔|存档|作废|作廢|失效|停用|废止|廢止)|历史|歷史|"
    r"폐지(?:된|됨)?|폐기(?:된|됨)?|보관(?:된|됨)?|사용 중단|"
    r"abgeschafft|veraltete?|archiviert|archiv|außer kraft|überholt|aufgehoben|historisch"
)
_PAST = r"old|former|past|previous|legacy|旧|以前の|老|旧的|이전|과거|alte|ehemalige|frühere"
_WHAT = (
    r"(?:(?:review )?(?:rules?|criteria|checks?|items?|points|guidelines?|sections?|entries|viewpoints|list)|"
    r"の?(?:ルール|規則|観点|基準|項目|もの|確認項目)|的?(?:规则|規則|要点|条目|标准|检查项|内容)|규칙|항목|기준|"
    r"regeln?|punkte|kriterien)"
)
# The title as a whole, or what stands in brackets or before a colon in it: "Deprecated endpoints" is a topic.
_TITLE = late(
    rf"(?:(?:{_STATE})\s?{_WHAT}?|(?:{_PAST})\s?{_WHAT})\Z|(?:{_PAST})\Z|(?:{_STATE})\s*[:：—–-].*"
    rf"|.*[(（\[【](?:{_STATE})[^()（）\[\]【】]{{0,20}}[)）\]】]",
    re.IGNORECASE,
)
# Folders, and names without their ending.
_SHELF = late(
    r"_?(?:archived?|archives|attic|deprecated|obsolete|graveyard|trash|retired|unused|outdated|backup|"
    r"meetings?|(?:meeting[-_ ]?)?minutes|meeting[-_ ]?notes|retros?|retrospectives?|standups?|"
    r"議事録|会議|アーカイブ|廃止|会议记录|會議記錄|会议纪要|归档|歸檔|废弃|회의록|보관|폐기|protokolle?|archiv|veraltet)"
    r"(?:[-_]\d[\d-]*)?",
    re.IGNORECASE,
)
_CELL = late(rf"[(（\[【]?(?:{_STATE})[)）\]】]?", re.IGNORECASE)


def is_shelved(path: str) -> bool:
    """Whether a document lies where what holds no longer is kept, or is the record of a meeting."""
    return any(map(_SHELF.fullmatch, re.split(r"[/.]", path)))


def is_retired(item: Item) -> bool:
    """Whether a title above an item, or a cell of it, says that it holds no longer."""
    return any(map(_retires, (*item.headings[-4:], *item.above[-2:]))) or _says_so(item)


@lru_cache(4096)
def _retires(title: str) -> bool:
    return len(title) <= _LONGEST and _TITLE.match(title.strip(" :：。.")) is not None


def _says_so(item: Item) -> bool:
    return any(len(cell) <= _LONGEST and _CELL.fullmatch(cell.strip()) for _, cell in item.cells[1:])


def retired(
    old: Document, new: Document, pairing: Pairing, asks: Sequence[int], place: Callable[[int], tuple[int, int]]
) -> Iterator[Loss]:
    """The criteria that hold no longer: one loss for all below a title that has changed, at the place where each stood
    for those that went below another one, at the item that says so itself."""
    shapes = nesting(old.items), nesting(new.items)
    partners = dict(pairing.pairs)
    by_title: dict[int, list[int]] = {}
    for one, other in pairing.pairs:
        item, now = old.items[one], new.items[other]
        if not asks[one] or not is_retired(now):
            continue
        title = shapes[1].section[other]
        if _says_so(now):
            why = "is said to hold no longer"
            yield Loss(WEAKENED, new.path, now, item, now.start, now.end, why, (), identity(item))
        elif title >= 0 and partners.get(shapes[0].section[one], -1) == title:
            by_title.setdefault(title, []).append(other)
        else:
            why = f"stands below “{next(filter(_retires, reversed((*now.headings, *now.above))))}” now"
            yield Loss(REMOVED, new.path, item, item, *place(one), why, (), identity(item))
    for title, ones in by_title.items():
        item = new.items[title]
        others = tuple(new.items[one] for one in ones)
        yield Loss(WEAKENED, new.path, item, None, item.start, item.end, "holds no longer", others, identity(item))
