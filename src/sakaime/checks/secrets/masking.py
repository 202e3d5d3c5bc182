"""Secrets in any text that a report shows, whichever family's finding it is: found again, and masked."""

from __future__ import annotations

from sakaime.checks.secrets import opens
from sakaime.checks.secrets.classify import LIVE
from sakaime.checks.secrets.judged import classifier
from sakaime.checks.secrets.pair import Pair
from sakaime.checks.secrets.readers import lines
from sakaime.checks.secrets.telling import masked
from sakaime.checks.secrets.unwrap import candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sakaime.policy.policy import Policy
    from sakaime.policy.rule import Rule

_LEAST = 6  # characters of a value that is masked wherever it stands
_PIECE = 4000


class Masker:
    """Masks secrets: those that are known to be in the material, and what looks like one by itself."""

    def __init__(self, policy: Policy, known: Iterable[str] = ()) -> None:
        self._policy = policy
        every = {text: None for one in known for text in (one, *one.splitlines(), one.strip()) if len(text) >= _LEAST}
        self._known = sorted(every, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text with every secret in it masked; as long as it was."""
        for known in self._known:
            at = text.find(known)
            while at >= 0:
                text = masked(text, at, at + len(known), "")
                at = text.find(known, at + len(known))
        for start, end, prefix, _ in list(self.places(text)):
            text = masked(text, start, end, prefix)
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
