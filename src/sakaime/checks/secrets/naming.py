"""Whether a secret is expected under a name."""

from __future__ import annotations

import re
from functools import lru_cache

from sakaime.policy.pattern import compile_pattern
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.values import Values

_BORDER = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART = late(r"[\s\-.:/]+")
_KANA = late(r"\s+")
_MOST = 200


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """A name in lower case, one `_` between its words: `sessionSecret` and `SESSION-SECRET` as `session_secret`."""
    text = _BORDER.sub("_", name[:_MOST].strip()) if name.isascii() else name[:_MOST].strip()
    return re.sub(r"_+", "_", _APART.sub("_", text).lower()).strip("_")


class Naming:
    """What the packs say of names, compiled."""

    def __init__(self, values: Values) -> None:
        self._secret = compile_pattern(values.secret)
        self._not_secret = compile_pattern(values.not_secret)
        self._carriers = compile_pattern(values.carriers)
        self._password = compile_pattern(values.password)
        self._known: dict[str, bool | None] = {}

    def expects(self, keys: tuple[str, ...]) -> str:
        """The normal name under which a secret is expected; empty where none is.

        A name that says nothing, such as `value` or a number in a list, leaves it to the name around it.
        """
        for key in reversed(keys[-6:]):
            name = normal(key)
            if "::" in key:  # a name of a type, of a module
                return ""
            if name not in self._known:
                self._known[name] = self._asked(name)
            answer = self._known[name]
            if answer is not None:
                return name if answer else ""
        return ""

    def _asked(self, name: str) -> bool | None:
        data = name.encode("utf-8", "surrogatepass")
        if not name:
            return None
        if self._secret.search(data) is not None:
            return self._not_secret.search(data) is None
        return None if self._carriers.search(data) is not None else False

    def names(self, text: str) -> bool:
        """Whether a text is itself such a name."""
        return self._secret.search(normal(text).encode("utf-8", "surrogatepass")) is not None

    def people_choose(self, name: str) -> bool:
        """Whether it is the name of what people make up, which need not look random."""
        return self._password.search(name.encode("utf-8", "surrogatepass")) is not None
