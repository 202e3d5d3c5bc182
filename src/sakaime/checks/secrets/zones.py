"""Where a value stands: production, an exempt place, or elsewhere."""

from __future__ import annotations

import re

from sakaime.checks.secrets.naming import normal
from sakaime.policy.match import matches_path, search
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.values import Values

PRODUCTION, ELSEWHERE, EXEMPT = "production", "elsewhere", "exempt"
_NOT = frozenset("non no not pre preprod un nonprod like sub re test dev staging stg stage".split())
_NOT_BESIDE = ("非", "準", "疑似", "预", "預", "类", "非")
_PARTS = late(r"[A-Za-z]+|[0-9]+|[^\W\d_A-Za-z]+")


class Zones:
    """What the packs say of places, compiled, for one file."""

    def __init__(self, values: Values, path: str) -> None:
        self._values = values
        self._words = frozenset(values.production_words)
        self._exempt_keys = frozenset(values.exempt_keys)
        self._ci_keys = frozenset(values.ci_keys)
        self.exempt = matches_path(values.exempt_paths, path)
        self.ci = not self.exempt and matches_path(values.ci_paths, path)
        self._production = not self.exempt and (
            any(self.marks(part) for part in path.split("/")) or matches_path(values.production_paths, path)
        )
        self._content = values.production_content
        self._known: dict[tuple[int, int], bool] = {}

    def marks(self, name: str) -> bool:
        """Whether a name marks production by one of its words: `app-prod.yml` does, `preprod` and `product` do not."""
        parts = _PARTS.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))
        for number, part in enumerate(parts):
            if part.lower() in self._words and (number == 0 or parts[number - 1].lower() not in _NOT):
                return True
            if not part.isascii() and any(
                word in part and not part.split(word)[0].endswith(_NOT_BESIDE) for word in self._words if word > "\x7f"
            ):
                return True
        return False

    def of(self, keys: tuple[str, ...], text: str, document: tuple[int, int], default: bool) -> str:
        """The zone of a value under some keys; `default` says that it is a known default, which services of CI jobs
        may have."""
        if self.exempt:
            return EXEMPT
        around = [normal(key) for key in keys[:-1]]
        if not self._exempt_keys.isdisjoint(around):
            return EXEMPT
        if self.ci and (not self._ci_keys.isdisjoint(around) or (default and not self._said(text, document))):
            return EXEMPT
        if self._production or any(name in self._words or name == "env_production" for name in around):
            return PRODUCTION
        if any(name > "\x7f" and self.marks(name) for name in around):
            return PRODUCTION
        return PRODUCTION if self._said(text, document) else ELSEWHERE

    def _said(self, text: str, document: tuple[int, int]) -> bool:
        """Whether the file, or the document of it, says that it is for production."""
        if document not in self._known:
            part = text[document[0] : document[1]] if document[1] else text
            data = part.encode("utf-8", "surrogatepass")
            self._known[document] = any(search(pattern, data) for pattern in self._content)
        return self._known[document]
