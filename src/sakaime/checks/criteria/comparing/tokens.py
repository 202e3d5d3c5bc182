"""What the text of an item consists of, for comparing it with others: its plain form, its words, its n-grams."""

from __future__ import annotations

from functools import lru_cache

from sakaime.model import Record
from sakaime.text.late import late
from sakaime.text.skeleton import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from sakaime.checks.criteria.item import Item

_LEAST = 0.15  # what a word weighs that any two sentences share
_SPECIAL = 2.0  # what a name of code weighs: two items about the same one are rarely about different things
_NUMBER = 0.3
_MOST_COMMON = 2.0  # what the weight of a word is divided by if it is everywhere in a document
_LONGEST_WORD = 200
_LETTER = late("[A-Za-z]")
_WORD = late(r"[^\W_]+")
_NAME = late(r"[A-Za-z_][A-Za-z0-9_./:-]*")
# Words of grammar, and those that say how firmly or of how much something is asked: what is left is the subject.
_STOPS = frozenset(
    "a an the of to in on at by for from with as is are be been being was were do does did done has have had it its "
    "this that these those they them their there and or but if then than so such not no nor never always must shall "
    "should will would may might can could cannot only all any each every some most more less please also just when "
    "where which who whose what how before after into over under via per use used using make made sure ensure check "
    "checks verify new you your we our i need needs required s t re don doesn isn aren won "
    "der die das den dem des ein eine einer eines einem einen und oder nicht kein keine ist sind wird werden muss "
    "müssen soll sollen sollte sollten kann können darf dürfen nur alle jede jeder jedes mit von zu zum zur im in am "
    "auf für bei nach vor aus es sich auch als wenn dass "
    "le la les un une des du de et ou ne pas est sont doit doivent dans par pour sur avec que qui "
    "el los las una y o no es son debe deben en por para con que se su del al "
    "o os as um uma e não é são deve devem em por para com que".split()
)
_TONGUE, _LEAST_SHOWN = 20_000, 2
# Words of grammar that only one of these languages has.
_GRAMMAR_WORDS = {
    "en": frozenset("the of and to for is are be by with that this from it has have not must should at or".split()),
    "de": frozenset(
        "der die das den dem ein eine einen einer und oder nicht ist sind wird werden für mit von zu auf bei im "
        "kein keine muss müssen soll sollen jede jeder jedes höchstens".split()
    ),
    "fr": frozenset("le les des du un une et est sont dans pour par avec pas doit chaque aux".split()),
    "es": frozenset("el los las una y es son para con debe cada del por".split()),
    "pt": frozenset("os uma e é são para com deve cada do da não em".split()),
}
_GRAMMAR = frozenset("的了在中里上下是有和与或及并且不要得能可须应该必确保请对于从到被把将为以其之也都每各所")
_ENDINGS = ("ically", "ations", "ation", "ings", "ing", "ers", "ied", "ies", "ed", "es", "ly", "er", "s", "e")


class Features(Record):
    """What a text consists of: the weight of each word (of each pair of characters where words are not set apart), and
    of each piece of three characters of its words; and the sums of both. `length` is that of its plain form, `ascii`
    whether all its words are."""

    words: Mapping[str, float]
    grams: Mapping[str, float]
    words_weight: float
    grams_weight: float
    length: int
    ascii: bool


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """A text by which equal wordings are equal: letters and digits only, one case, no blanks; the text itself
    where it has neither."""
    return skeleton(text) or "".join(text.split())


@lru_cache(maxsize=4096)
def words(text: str) -> Mapping[str, float]:
    """The words of a text with the weight of each; of scripts without blanks between words, its pairs of characters."""
    found: dict[str, float] = {}
    for match in _WORD.finditer(_spaced(text)):
        run = match.group()
        if run.isascii():
            _add_word(found, run)
            continue
        for dense, piece in _by_script(run):
            if dense:
                _add_pairs(found, piece)
            else:
                _add_word(found, piece)
    if text.islower() and not any(sign in text for sign in "_./:"):
        return found
    for match in _NAME.finditer(text):
        name = match.group().strip("._/:-")
        if any(sign in name for sign in "_./:") or (name[1:] != name[1:].lower() and name != name.upper()):
            found[f"`{name.lower()[:_LONGEST_WORD]}"] = _SPECIAL
    return found


def features(text: str, known: Mapping[str, int], said: Mapping[str, float] | None = None) -> Features:
    """The features of a text. `known` says in how many items a word stands: one that is everywhere tells little.
    `said` are the words of the text, if they are known already."""
    weights = dict(words(text) if said is None else said)
    for word in weights:
        often = known.get(word, 1)
        if often > 2:
            weights[word] /= min(0.6 + 0.2 * often.bit_length(), _MOST_COMMON)
    grams: dict[str, float] = {}
    for word, weight in weights.items():
        if word.isascii() and word[0] != "`" and len(word) > 2:
            edged = f"^{word[:_LONGEST_WORD]}$"
            for at in range(len(edged) - 2):
                gram = edged[at : at + 3]
                grams[gram] = max(grams.get(gram, 0.0), weight)
        else:
            grams[word] = weight
    return Features(
        weights, grams, sum(weights.values()), sum(grams.values()), len(plain(text)), "".join(weights).isascii()
    )


def wording(item: Item) -> str:
    """The words of an item together with what names it, unless that is a mere number or a path of keys."""
    if not item.key or item.kind in ("key", "owner") or counts(item.key):
        return item.text
    return f"{item.key} {item.text}"


def counts(key: str) -> bool:
    """Whether a key only says the how-manieth an item is, so that it names another one after a removal."""
    return plain(key).isdecimal() or len(plain(key)) == 1


def script(text: str) -> str:
    """The script that most letters of a text are of: latin, dense (Chinese, Japanese), hangul, other; empty: none."""
    if text.isascii():
        return "latin" if _LETTER.search(text) else ""
    count = {"latin": 0.0, "dense": 0.0, "hangul": 0.0, "other": 0.0}
    for char in text:
        if char.isalpha():
            code = ord(char)
            if code < 0x250:
                count["latin"] += 1
            elif 0xAC00 <= code < 0xD7B0:
                count["hangul"] += 3
            elif _dense(char):
                count["dense"] += 3  # a character of these says as much as three letters
            else:
                count["other"] += 1
    most = max(count, key=lambda name: count[name])
    return most if count[most] else ""


@lru_cache(maxsize=8)
def tongue(text: str) -> str:
    """The language that a text is in as far as it shows: its script, and of Latin letters the language whose words of
    grammar it has."""
    kind = script(text)
    if kind == "dense":
        kana = sum("\u3040" <= char < "\u3100" for char in text[:_TONGUE])
        return "ja" if 10 * kana > sum(map(_dense, text[:_TONGUE])) else "zh"
    if kind != "latin":
        return kind
    said = _WORD.findall(text[:_TONGUE].lower())
    count = {name: sum(word in held for word in said) for name, held in _GRAMMAR_WORDS.items()}
    first, second = sorted(count, key=lambda name: -count[name])[:2]
    clear = count[first] >= _LEAST_SHOWN and count[first] > 2 * count[second]
    return first if clear else kind


def translated(old: str, new: str) -> bool:
    """Whether two texts show that they are in different languages."""
    one, other = tongue(old), tongue(new)
    if one == other or "" in (one, other):
        return False
    return "latin" not in (one, other) or script(old) != script(new)


class _Spaced(dict[int, str]):
    """What each character adds to the words of a text: letters and digits in one case and width, else a blank."""

    def __missing__(self, code: int) -> str:
        import unicodedata

        char = chr(code)
        form = unicodedata.normalize("NFKC" if code >= 0x2E80 else "NFKD", char).casefold()
        part = "".join(c for c in form if c.isalnum())
        if not part:
            part = "" if unicodedata.category(char) in ("Mn", "Me", "Cf") else " "
        if len(self) < 100_000:
            self[code] = part
        return part


_SPACED = _Spaced()


def _spaced(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_SPACED)


def _dense(char: str) -> bool:
    return "\u2e80" <= char < "\uac00" or char >= "\U00020000" or "\uf900" <= char < "\ufb00"


def _by_script(run: str) -> list[tuple[bool, str]]:
    """A run of letters cut where scripts with and without blanks between words meet. Korean words take endings, so they
    are compared by pairs of syllables as well."""
    pieces: list[tuple[bool, str]] = []
    begin = 0
    for at in range(1, len(run) + 1):
        if at == len(run) or _paired(run[at]) != _paired(run[begin]):
            pieces.append((_paired(run[begin]), run[begin:at]))
            begin = at
    return pieces


def _paired(char: str) -> bool:
    return _dense(char) or "\uac00" <= char < "\ud7b0"


class _Weighed(dict[str, tuple[str, float]]):
    """What each word counts as, and how much."""

    def __missing__(self, word: str) -> tuple[str, float]:
        if word in _STOPS:
            weighed = word, _LEAST
        elif word.isdecimal():
            weighed = word, _NUMBER
        else:
            weighed = _stem(word), 1.0
        if len(self) < 50_000 and len(word) < _LONGEST_WORD:
            self[word] = weighed
        return weighed


_WEIGHED = _Weighed()


def _add_word(found: dict[str, float], word: str) -> None:
    name, weight = _WEIGHED[word]
    found[name] = weight


def _add_pairs(found: dict[str, float], piece: str) -> None:
    if len(piece) == 1:
        found[piece] = _LEAST if "\u3040" <= piece < "\u30a0" else 0.5
    for at in range(len(piece) - 1):
        pair = piece[at : at + 2]
        grammar = sum("\u3040" <= char < "\u30a0" or char in _GRAMMAR for char in pair)
        found[pair] = (0.8, 0.3, _LEAST)[grammar]


def _stem(word: str) -> str:
    """A word without its ending, roughly: so that checks, checked and checking are one."""
    if word.isascii():
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[: -len(ending)]
                break
        if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls":
            word = word[:-1]
    return word
