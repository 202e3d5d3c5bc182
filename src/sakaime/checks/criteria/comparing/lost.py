"""Which items that are gone were criteria, and which of them went together."""

from __future__ import annotations

import re

from sakaime.checks.criteria.comparing.retired import is_retired
from sakaime.checks.criteria.comparing.tokens import plain
from sakaime.checks.criteria.item import BULLET, HEADING, KEY, OWNER, PROSE, ROW, TASK
from sakaime.checks.criteria.meaning.grade import ABSOLUTE, RECOMMENDED, REQUIRES
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from sakaime.checks.criteria.comparing.judges import Judges
    from sakaime.checks.criteria.comparing.match import Pairing
    from sakaime.checks.criteria.comparing.nesting import Nesting
    from sakaime.checks.criteria.item import Document, Item
    from sakaime.checks.criteria.meaning.grade import Grade

_ALL = 2
_STATED = (ABSOLUTE, RECOMMENDED)  # what no sentence is graded without a word for it
_SETTINGS = (".yaml", ".yml", ".toml", ".json", ".jsonc")
_EXAMPLE = late(
    r"\b(?:example|sample|e\.g|output|looks? like|format|beispiel|muster|ausgabe)|"
    r"例(?!外)|見本|サンプル|出力|书式|書式|样例|示范|格式|输出|輸出|예시|출력",
    re.IGNORECASE,
)
# What an agent is told stands in fences too, and "example" beside it makes it none.
_PROMPT = late(
    r"\bprompts?\b|\binstructions\b|プロンプト|指示文|指示书|指示書|提示词|提示詞|프롬프트|지시문|\banweisung",
    re.IGNORECASE,
)
_GENERAL = late(
    r"readme|contributing|agents?\b|claude|gemini|copilot|skill|\.cursorrules|llms|notes?\b|changelog|history|faq",
    re.IGNORECASE,
)
# The titles of what a project consists of and how it is run.
_FACTS = late(
    r"\W*(?:\d+\.? )?(?:[\w./-]{1,20} ){0,3}"
    r"(?:overview|architecture|structure|layout|directories|directory structure|folders|files|services|components|"
    r"modules|packages|stack|tech stack|commands?|scripts|setup|installation|prerequisites|configuration files|"
    r"environment(?: configuration| variables| setup)?|deployment|data flow|report data flow|links|resources|glossary|"
    r"プロジェクト概要|概要|構成|ディレクトリ構成|技術スタック|コマンド|セットアップ|用語|"
    r"项目(?:概述|结构|简介)|概述|目录结构|架构|技术栈|常用命令|命令|术语|"
    r"개요|구조|기술 스택|명령어|aufbau|überblick|befehle|verzeichnisse)\W*\Z",
    re.IGNORECASE,
)
_FORBIDS = late(
    r"\b(?:do not|don'?t|never|no|not|must|only|avoid|cannot|may|nicht|kein\w*|nur|muss)\b|"
    r"ない|禁止|必|のみ|不|勿|마|금지|만 ",
    re.IGNORECASE,
)
_TONE = late(r"tone(?:[-_ ]?instructions?)?\Z", re.IGNORECASE)  # how a review speaks
# The box of a form that says that nothing was done, or not yet.
_WAY_OUT = late(
    r"(?:to ?do|tbd|tba|wip|n/?a|none|other|others|unknown|unsure|later)\b(?=\W*(?:\(|\Z))"
    r"|(?:i )?(?:don.?t know|do not know|am not sure)|(?:i'?m )?not (?:sure|yet|applicable|relevant)"
    r"|(?:is )?(?:not|un)[ -]?(?:required|needed|necessary)\b"
    r"|no (?:tests?|docs?|documentation|changes?)\b.{0,30}(?:needed|required|necessary)"
    r"|(?:該当|対象)(?:なし|外)|不要|不明|未定|わからない|後で|その他\Z|未対応|"
    r"不需要|无需|無需|不适用|不適用|不确定|不確定|待定|其他\Z|해당 ?없음|불필요|필요 ?없|모르|미정|기타\Z|"
    r"entfällt|nicht (?:nötig|erforderlich|notwendig|zutreffend)|unklar|weiß nicht|sonstiges\Z",
    re.IGNORECASE,
)
_LABEL, _LABEL_WORDS = 30, 3
_LEADS_IN = late(r"following|below|以下|次の|下記|如下|下列|다음|아래|folgend", re.IGNORECASE)


def criteria(document: Document, judges: Judges) -> bytearray:
    """For each item, 1 if it asks a reviewer for something, so that it is a loss if it goes."""
    items = document.items
    above = {text for item in items for text in item.above}
    examples = _examples(items)
    around = {item.parent for item in items}
    instructs = document.path.lower().endswith(_SETTINGS)  # sentences in settings are there for the reviewer
    general = is_general(document.path)
    titles = {plain(item.text) for item in items if item.kind == HEADING}
    return bytearray(
        not (item.sample and at in examples)
        and not (item.kind == BULLET and plain(item.text) in titles)  # an entry of a table of contents
        and not (at in around and _labels(item))
        and not (general and item.kind in (BULLET, PROSE, ROW) and _describes(item, judges))
        and not (item.kind == TASK and item.parent >= 0 and _WAY_OUT.match(item.text))
        and _asks(item, judges, instructs)
        and not is_retired(item)
        and not _leads_in(document, item, above)
        for at, item in enumerate(items)
    )


def _labels(item: Item) -> bool:
    """Whether an item that holds others is no more than their title."""
    text = item.text.rstrip(":： ")
    return (
        item.kind == BULLET and len(text) <= _LABEL and len(text.split()) <= _LABEL_WORDS and text[-1:] not in ".。!?"
    )


def is_general(path: str) -> bool:
    """Whether a document tells what a project is as well as what is asked of changes to it, by its name."""
    return _GENERAL.match(path.rpartition("/")[2]) is not None


def _describes(item: Item, judges: Judges) -> bool:
    """Whether an item stands below a title of facts and no word of it makes it more than one."""
    if not any(map(_FACTS.match, item.headings)):
        return False
    found = judges.grade(item)
    return found.modality not in _STATED and not _FORBIDS.search(item.text)


def _firm(found: Grade) -> bool:
    """Whether a sentence between lists says by its words that it is a criterion: most describe or explain."""
    return (
        found.modality in _STATED or found.quantifier == _ALL or bool(found.own.numbers) or found.severity is not None
    )


def _asks(item: Item, judges: Judges, instructs: bool) -> bool:
    if item.kind == OWNER:
        return not item.negative and bool(item.text.strip())
    if item.kind == KEY:
        return judges.asks(item) > 0
    if item.headings and _TONE.match(item.headings[-1]):
        return False
    found = judges.grade(item)
    if found.polarity != REQUIRES or found.own.limits:
        return False
    if item.kind == PROSE and not instructs and not _firm(found):
        return False
    start = item.text.casefold()
    return not any(start.startswith(phrase.casefold()) for phrase in found.exceptions if phrase)


def _leads_in(document: Document, item: Item, above: set[str]) -> bool:
    """Whether a sentence only introduces a list: what is in the list speaks for itself."""
    if item.kind != PROSE or item.text not in above:
        return False
    return document.text[max(0, item.end - 1) : item.end + 1].strip()[-1:] in (":", "：") or (
        _LEADS_IN.search(item.text) is not None
    )


def _examples(items: Sequence[Item]) -> set[int]:
    """The items in fences that something calls an example: the sentence before, a title above, one in the fence."""
    found: set[int] = set()
    before, shown = "", False
    for at, item in enumerate(items):
        if not item.sample:
            before = item.text
            titles = " ".join((*item.headings[-1:], before) if item.kind == HEADING else (before, *item.headings[-2:]))
            shown = _EXAMPLE.search(titles) is not None and not _PROMPT.search(titles)
        elif shown or (_EXAMPLE.search(title := " ".join(item.headings[-1:])) and not _PROMPT.search(title)):
            found.add(at)
    return found


def unfolded(old: Document, new: Document, pairing: Pairing) -> set[int]:
    """The settings of a branch that only gave others their values (an anchor of YAML), which have them by themselves
    now."""
    branches: dict[str, list[int]] = {}
    for at in pairing.gone:
        if old.items[at].kind == KEY:
            branches.setdefault(old.items[at].key.partition(".")[0], []).append(at)
    if not branches or "&" not in old.text:
        return set()
    stands = {(_last(item), item.text, item.negative) for item in new.items if item.kind == KEY}
    left = {item.key.partition(".")[0] for item in new.items if item.kind == KEY}
    found: set[int] = set()
    for branch, ones in branches.items():
        if branch in left or not re.search(rf"(?m)^{re.escape(branch)}[ \t]*:[ \t]*&\w", old.text):
            continue
        found.update(at for at in ones if (_last(old.items[at]), old.items[at].text, old.items[at].negative) in stands)
    return found


def _last(item: Item) -> str:
    return "" if item.entry else item.key.rpartition(".")[2]


def groups(items: Sequence[Item], lost: bytearray, kept: bytearray, shape: Nesting, gone: set[int]) -> list[list[int]]:
    """What is reported as one: a heading or an item that went with all criteria below it, else each by itself.

    `lost` and `kept` mark the criteria that are gone and those that are not. The first of a group is what it is
    reported as; if it holds but one criterion, that is it.
    """
    lost_to, kept_to = _sums(lost), _sums(kept)
    below_lost, below_kept = _below(items, lost, shape), _below(items, kept, shape)
    found: list[list[int]] = []
    open_group: list[int] = []
    behind = 0  # the end of the section that went as a whole
    of: dict[int, list[int]] = {}
    for at, item in enumerate(items):
        if at < behind:
            if lost[at]:
                open_group.append(at)
            continue
        parent = shape.parent[at]
        if parent in of:
            of[at] = of[parent]
            if lost[at]:
                of[at].append(at)
            continue
        if at not in gone:
            continue
        end = shape.ends.get(at, at + 1)
        within = lost_to[end] - lost_to[at + 1] if end > at else 0
        if item.kind == HEADING and within and kept_to[end] == kept_to[at]:
            behind, open_group = end, [at]
            found.append(open_group)
        elif below_lost[at] and not below_kept[at]:
            of[at] = [at]
            found.append(of[at])
        elif lost[at]:
            found.append([at])
    return [group[1:] if len(group) == 2 and not lost[group[0]] else group for group in found]


def _sums(marks: bytearray) -> list[int]:
    sums = [0]
    for mark in marks:
        sums.append(sums[-1] + mark)
    return sums


def _below(items: Sequence[Item], marks: bytearray, shape: Nesting) -> list[int]:
    """How many marked items are nested in each, at any depth."""
    count = [0] * len(items)
    for at in range(len(items) - 1, -1, -1):
        if (parent := shape.parent[at]) >= 0:
            count[parent] += count[at] + marks[at]
    return count


def settings_together(items: Sequence[Item], found: list[list[int]], new: Sequence[Item]) -> list[list[int]]:
    """Puts settings together whose whole branch of keys is gone."""
    left = {prefix for item in new if item.kind == KEY for prefix in _prefixes(item.key)}
    together: dict[str, list[int]] = {}
    out: list[list[int]] = []
    for group in found:
        item = items[group[0]]
        branch = next((prefix for prefix in _prefixes(item.key) if prefix not in left), None)
        if item.kind != KEY or branch is None or not left:
            out.append(group)
        elif branch in together:
            together[branch].extend(group)
        else:
            together[branch] = group
            out.append(group)
    return out


def _prefixes(key: str) -> list[str]:
    parts = key.split(".")[:32]
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
