"""The skeleton of a text, which a gate searches: what no mark, line break or case can hide."""

from __future__ import annotations

from itertools import accumulate

_BLANK_ASCII = {c: " " for c in range(128) if not chr(c).isalnum()}
_DROP_ASCII = {c: None for c in range(128) if not chr(c).isalnum()}


def skeleton(text: str) -> str:
    """Only the letters and digits of a text, taken apart (NFKD), case-folded, look-alikes as the Latin letter.

    What stands in a joined or normalised view of a text also stands in its skeleton, whatever line
    breaks, comment signs, quotes or invisible marks lie between. So a pattern whose literals are not
    in the skeleton cannot match in any view. Characters are taken apart and not composed, because then
    each one adds its own part whatever stands beside it: `skeleton(a + b) == skeleton(a) + skeleton(b)`.
    """
    if text.isascii():
        return text.lower().translate(_DROP_ASCII)
    return text.translate(_PARTS)


def solid(text: str) -> str:
    """A text in one case, without blanks and `|`: what stands in lines that are read as they are.

    It tells more than a skeleton does, and nothing is hidden from it only where patterns see no view of the text.
    """
    return "".join(text.casefold().replace("|", "").split())


def word_edges(text: str) -> bytearray:
    """For each offset in the skeleton of a text, 1 where a word begins or ends, or may do so in some view of the text.

    Whatever a skeleton leaves out separates words, and so does every letter beyond ASCII, as for RE2's `\\b`;
    a view reads the `\\n` of a string literal as a blank, so the letter after its n can be the first of a word.
    """
    for escape in ("\\n", "\\r", "\\t"):
        text = text.replace(escape, f"{escape} ")
    spaced = text.lower().translate(_BLANK_ASCII) if text.isascii() else text.translate(_APART)
    words = spaced.split()
    edges = bytearray(sum(map(len, words)) + 1)
    for at in accumulate(map(len, words), initial=0):
        edges[at] = 1
    return edges


_MOST_KEPT = 100_000  # more than any text has that was written by people


class _Parts(dict[int, str]):
    """The part that each character adds to a skeleton, made when it is first seen."""

    def __missing__(self, code: int) -> str:
        # The table of invisible characters takes longer to make than a harmless change to judge.
        import unicodedata

        from sakaime.text.chars import INVISIBLE

        char = chr(code)
        part = "" if char in INVISIBLE else unicodedata.normalize("NFKD", char).casefold()
        # RE2 folds a mark, U+0345, to iota; a view may leave marks out, so neither counts.
        part = "".join(filter(str.isalnum, part)).replace("\N{GREEK SMALL LETTER IOTA}", "")
        if part > "\x7f" and not "\u2e80" <= part[0] < "\ua4d0":  # kana and Chinese characters look like nothing else
            from sakaime.text.confusables import FOLDED

            part = "".join(FOLDED.get(letter, letter) for letter in part)
        if len(self) < _MOST_KEPT:
            self[code] = part
        return part


_PARTS = _Parts()


class _Apart(dict[int, str]):
    """The part of each character, with blanks around all but the letters and digits of ASCII."""

    def __missing__(self, code: int) -> str:
        part = _PARTS[code]
        return part if code < 128 and part else f" {part} "


_APART = _Apart()
