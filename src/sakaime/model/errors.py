"""Failures that reach a user as one message, never as a traceback."""

from __future__ import annotations


class SakaimeError(Exception):
    """Something a user can act on.

    `path`, `line` and `column` (from 1) say where, `way_out` what to do about it; `others` are further
    mistakes found in the same go. `wrong` is the text at that place that is wrong, where it is one: a key, a value.
    """

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        way_out: str | None = None,
        others: tuple[SakaimeError, ...] = (),
        wrong: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.way_out = way_out
        self.others = others
        self.wrong = wrong

    @property
    def place(self) -> str:
        """`path:line:column`, as far as it is known; empty when the path is not."""
        parts = [self.path] + [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join(p for p in parts if p) if self.path else ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.path else self.message
        if self.way_out:
            text += f"\n  {self.way_out}"
        return "\n".join([text, *map(str, self.others)])


class UserError(SakaimeError):
    """The call, the settings or a pack are broken: exit 2."""

    exit_code = 2


class NotJudged(Exception):
    """One file cannot be judged, for the reason given; others can."""


class CannotJudge(SakaimeError):
    """What was asked cannot be judged here (no base, no pack, no text): exit 3, never a pass."""

    exit_code = 3
