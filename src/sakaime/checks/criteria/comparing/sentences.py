"""Sentences without a word of duty that went out of a paragraph about reviews: "Migrations come with a rollback."

Most sentences describe or explain, and which of them are criteria no word tells. What tells is the edit: one was cut
out of a paragraph that otherwise stands, nothing came in its stead, and it speaks of the code rather than of the
document, the team or the reader.
"""

from __future__ import annotations

import re

from sakaime.checks.criteria.comparing.lost import is_general
from sakaime.checks.criteria.comparing.nesting import nesting
from sakaime.checks.criteria.item import PROSE
from sakaime.checks.criteria.meaning.grade import REQUIRES
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.item import Document, Item

_REVIEWS = late(
    r"review|checklist|criteria|レビュー|査読|審査|観点|検査|点検|品質|评审|評審|审查|審查|检查|檢查|要点|质量|質量|검토|리뷰|심사|점검|품질|quality|prüf|durchsicht|begutacht|qualität",
    re.IGNORECASE,
)
# What a sentence begins with that speaks of something else than the code, or only gives a reason or an example.
_ASIDE = late(
    r"(?:this|these|that|those|it|its|they|we|our|us|you|your|i|my|here|there|thanks?|thank|welcome|see|read|note|"
    r"please|for|because|since|so|thus|hence|therefore|otherwise|however|but|and|or|if|when|while|in|as|why|how|what|who|"
    r"reviews?|a review|code reviews?|the (?:team|document|guide|page|file|section|goal|aim|purpose|idea|point|rest|"
    r"list|following|above|review|process|project|repository|author|authors|reason)|most|many|some|often|usually|sometimes|"
    r"der (?:zweck|leser)|das|dies\w*|wir|sie|es|unsere?|hier|siehe|denn|weil|damit|wenn)\b|"
    r"この|その|これ|それ|ここ|本|当|以下|上記|次の|詳|例えば|たとえば|なお|つまり|また|私|我々|弊|ただし|そのため|なぜ|"
    r"这|該|该|本|我们|我們|以下|上述|例如|因此|因为|感谢|感謝|详|詳|此外|另外|"
    r"이 |그 |본 |우리|저희|다음|아래|예를|따라서|그래서|감사",
    re.IGNORECASE,
)
_TELLS = late(
    r"(?:です|でした|ました|ましょう|ています|でしょう|だった|ためである|입니다|합니다|습니다)[。.]?\Z"
    r"|\b(?:was|were|had|has been|have been|used to|war|waren|wurde|wurden|hatte)\b|[?？!！]\Z"
    r"|\b(?:document|guide|page|repository|team|maintainers?|https?)\b",
    re.IGNORECASE,
)
# A condition in front: what follows it is what is asked for.
_CONDITION = late(r"(?:if|when|whenever|while|where|once|before|after|wenn|falls|sobald|bevor)\b[^,]{1,120}, *", re.I)
_LEAST_WORDS, _LEAST_LETTERS, _MOST_WORDS = 3, 8, 30


def cut_out(old: Document, new: Document, pairing: Pairing, asks: Sequence[int], judges: Judges) -> list[int]:
    """The gone sentences that no word makes a criterion and that were one all the same."""
    gone = [at for at in pairing.gone if not asks[at] and old.items[at].kind == PROSE and not old.items[at].sample]
    if not gone:
        return []
    fresh = {new.items[at].headings[-1:] for at in pairing.fresh if new.items[at].kind == PROSE}
    shape = nesting(old.items)
    partners = dict(pairing.pairs)
    found = []
    for at in gone:
        item = old.items[at]
        if (
            not _asserts(item.text)
            or not _of_reviews(old, item)
            or item.headings[-1:] in fresh
            or not any(
                beside in partners and _adjoin(old, *sorted((at, beside)))
                for beside in (at - 1, at + 1)
                if 0 <= beside < len(old.items) and shape.section[beside] == shape.section[at]
            )
        ):
            continue
        graded = judges.grade(item)
        if graded.polarity == REQUIRES and not graded.own.limits and not graded.exceptions:
            found.append(at)
    return found


def _of_reviews(document: Document, item: Item) -> bool:
    name = document.path.rpartition("/")[2]
    return not is_general(name) or _REVIEWS.search(name) is not None or any(map(_REVIEWS.search, item.headings))


def _adjoin(document: Document, first: int, second: int) -> bool:
    """Whether two sentences stand in the same paragraph."""
    one, other = document.items[first], document.items[second]
    between = document.text[one.end : other.start]
    return one.kind == other.kind == PROSE and len(between) < 40 and between.count("\n") < 2


def _asserts(text: str) -> bool:
    words = text.split()
    if text.isascii() or len(words) > 3:
        enough = _LEAST_WORDS < len(words) <= _MOST_WORDS
    else:
        enough = len(text) >= _LEAST_LETTERS
    if not enough or text.rstrip()[-1:] in (":", "："):
        return False
    asked = text[found.end() :] if (found := _CONDITION.match(text)) else text
    return not _ASIDE.match(asked) and not _TELLS.search(text)
