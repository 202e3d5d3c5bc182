"""Regular expressions that are compiled when they are first used.

Compiling one takes a quarter of a millisecond. A module that reads documents has dozens, of which a change needs few.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr


class _Late:
    """Has the methods of the pattern, each from its first use on."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._of = pattern, flags
        self._compiled: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(*self._of)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, for its methods and attributes; no pattern to hand to a function of `re`."""
    return _Late(pattern, flags)  # type: ignore[return-value]
