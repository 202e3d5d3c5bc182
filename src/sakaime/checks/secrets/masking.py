"""Secrets in any text that a report shows, whichever family's finding it is: found again, and masked."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left

from sakaime.checks.secrets import opens
from sakaime.checks.secrets.classify import LIVE
from sakaime.checks.secrets.judged import classifier
from sakaime.checks.secrets.pair import Pair
from sakaime.checks.secrets.readers import lines
from sakaime.checks.secrets.telling import masked
from sakaime.checks.secrets.unwrap import candidates
from sakaime.text.chars import INVISIBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sakaime.policy.policy import Policy
    from sakaime.policy.rule import Rule

_LEAST = 6  # characters of a value that is masked wherever it stands
_PIECE = 4000
_CUT = "…"  # stands for what a report leaves out


# Names of files and branches are read as words: what stands between them is a blank there.
_SEPARATORS = str.maketrans("-_./", "    ")


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """A text as people read it, without what is not to be seen and in plain letters; where each of these stands."""
    if text.isascii():
        return text, range(len(text))
    kept = [(at, char) for at, char in enumerate(text) if char not in INVISIBLE]
    chars = ((unicodedata.normalize("NFKC", char), char) for _, char in kept)
    return "".join(one if len(one) == 1 else char for one, char in chars), [at for at, _ in kept]


class _Known:
    """Secrets that are known, for looking all of them up at once: a change may hold ten thousands."""

    def __init__(self, known: Iterable[str]) -> None:
        self._all = {text.translate(_SEPARATORS) for text in known if len(text) >= _LEAST}
        self._forward = sorted(self._all)
        self._backward = sorted(text[::-1] for text in self._all)
        lengths: dict[str, set[int]] = {}
        for text in self._all:
            lengths.setdefault(text[:_LEAST], set()).add(len(text))
        self._lengths = {head: sorted(every, reverse=True) for head, every in lengths.items()}
        self._ends = {text[-_LEAST:] for text in self._all}

    def within(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand in a text: whole, or cut off where the text is: at its ends, and at a `…`."""
        if not self._all:
            return
        windows = [text[at : at + _LEAST] for at in range(len(text) - _LEAST + 1)]
        heads = [at for at, window in enumerate(windows) if window in self._lengths]
        ends = [at + _LEAST for at, window in enumerate(windows) if window in self._ends]
        if not heads and not ends:
            return
        cuts = [at for at, char in enumerate(text) if char == _CUT]
        for at in heads:
            lengths = self._lengths[windows[at]]
            length = next((n for n in lengths if at + n <= len(text) and text[at : at + n] in self._all), 0)
            if length:
                yield at, at + length
                continue
            stop = next((cut for cut in cuts if cut > at), len(text))
            if _begins(self._forward, text[at:stop]):
                yield at, stop
        for end in ends:
            start = next((cut + 1 for cut in reversed(cuts) if cut < end), 0)
            if _begins(self._backward, text[start:end][::-1]):
                yield start, end


def _begins(ordered: list[str], part: str) -> bool:
    """Whether any of some texts, in order, begins with a part."""
    at = bisect_left(ordered, part)
    return at < len(ordered) and ordered[at].startswith(part)


class Masker:
    """Masks secrets: those that are known to be in the material, and what looks like one by itself."""

    def __init__(self, policy: Policy, known: Iterable[str] = ()) -> None:
        self._policy = policy
        self._known = _Known({text for one in known for text in (one, *one.splitlines(), one.strip())})

    def text(self, text: str) -> str:
        """The text with every secret in it masked; as long as it was."""
        plain, at = _plain(text)
        for start, end in self._known.within(plain.translate(_SEPARATORS)):
            text = masked(text, at[start], at[end - 1] + 1, "")
        plain, at = _plain(text)
        for start, end, prefix, _ in list(self.places(plain)):
            text = masked(text, at[start], at[end - 1] + 1, prefix)
        return text

    def places(self, text: str) -> Iterator[tuple[int, int, str, Rule]]:
        """Where secrets stand in a text of which nothing else is known: start, end, public prefix, rule."""
        if len(text) < 8 or not opens(self._policy, text.encode("utf-8", "surrogatepass")):
            return
        rules = classifier(self._policy)
        for token in rules.tokens.find(text):
            if not rules.excused(text[token.start : token.end]):
                yield token.start, token.end, token.prefix, token.rule
        at = 0
        for line in text.split("\n"):
            for first in range(0, max(1, len(line)), _PIECE):
                piece = line[first : first + _PIECE]
                for pair in (Pair(("text",), piece, 0, len(piece)), *lines.loose(piece), *lines.shell(piece)):
                    for one in candidates(pair.replace(code=False), piece):
                        verdict = rules.verdict(one)
                        if verdict is not None and verdict.rule.kind == LIVE:
                            yield at + first + one.start, at + first + one.end, "", verdict.rule
            at += len(line) + 1
