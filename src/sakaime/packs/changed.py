"""What a change does to the policy itself: settings, lock and packs of the repository, before and after."""

from __future__ import annotations

from sakaime.model import SakaimeError
from sakaime.packs.inforce import BASELINE, LOCK, PYPROJECT, SETTINGS, policy_in_force, touched
from sakaime.policy.policy import Note
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.material.change import Change
    from sakaime.policy.policy import Policy
    from sakaime.policy.soften import Softening

    Read = Callable[[str], bytes | None]

CI = "CI judges by BASE"


def not_compared(policy: Policy, changes: tuple[Change, ...]) -> tuple[Note, ...]:
    """A bare diff to such files: what it does cannot be told from its hunks."""
    text = "the diff edits what sakaime goes by; whether that softens it cannot be told from a diff"
    names = [
        name
        for name in touched(policy, changes)
        if name != PYPROJECT or any(b"sakaime" in h.old + h.new for c in changes if c.path == name for h in c.hunks)
    ]
    return tuple(Note("policy/settings", "settings", "warning", text, printable(name), 1, 1) for name in names)


def notes(
    names: tuple[str, ...], deciding: Policy, before: Read, after: Read, org: str | None, top: str, *, local: bool
) -> tuple[Note, ...]:
    """What is to be said of a change to the files of those names.

    `before` and `after` give the bytes of a file on the two sides of the change. In a range, softenings are
    errors unless the policy that decides has them already; with `local` they are told, and CI judges them.
    """
    names = tuple(name for name in names if before(name) != after(name))
    own = [name for name in names if not _elsewhere(name) and name != BASELINE]
    out = [
        Note("policy/settings", "settings", "info", "settings are read at the root only", printable(name), 1, 1)
        for name in names
        if _elsewhere(name)
    ]
    if BASELINE in names:
        text = f"{BASELINE} is not as in HEAD; {CI}"
        out.append(Note("policy/baseline", "baseline", "info", text, BASELINE, 1, 1))
    if own == [PYPROJECT] and not any(b"sakaime" in (side(PYPROJECT) or b"") for side in (before, after)):
        own = []
    if not own:
        return tuple(out)
    at = printable(own[0])
    try:
        old = policy_in_force(top, before, org)
    except SakaimeError as error:
        text = f"what was in force before cannot be read, so nothing is compared: {error.message}"
        return (*out, Note("policy/settings", "settings", "info" if local else "warning", text, at, 1, 1))
    try:
        new = policy_in_force(top, after, org)
    except SakaimeError as error:
        text = f"with this change, the policy cannot be read: {error.message}"
        where = (error.path or at, error.line or 1, error.column or 1)
        return (*out, Note("policy/settings", "settings", "info" if local else "error", text, *where))
    from sakaime.policy.soften import softenings

    found = softenings(old, new)
    if not local:
        still = {softening.message for softening in softenings(deciding, new)}
        found = [softening for softening in found if softening.message in still]
        out += [note for note in new.notes if note not in old.notes and note not in deciding.notes]
    places = _Places(after)
    for softening in found:
        text = f"{softening.message}; {CI}" if local else softening.message
        severity = "info" if local else "error" if softening.certain else "warning"
        out.append(Note("policy/softened", "softened", severity, text, *places.of(softening)))
    said = {note.path for note in (*out, *new.notes)}
    main = [name for name in own if name in (SETTINGS, PYPROJECT, LOCK)]
    for name in main or own[:1]:
        if printable(name) not in said:
            text = f"{printable(name)} changes; it softens nothing that is in force"
            out.append(Note("policy/settings", "settings", "info", text, printable(name), 1, 1))
    return tuple(out)


def _elsewhere(name: str) -> bool:
    return name.endswith("/" + SETTINGS)


class _Places:
    """Where in the files of the new side the cause of a softening stands."""

    def __init__(self, after: Read) -> None:
        from sakaime.policy.settings import read_settings

        self._settings = read_settings(after(SETTINGS), after(PYPROJECT))
        self._lock = (after(LOCK) or b"").decode("utf-8", "replace").split("\n")

    def of(self, softening: Softening) -> tuple[str, int, int]:
        """(path, line, column)."""
        if softening.place is not None:
            return softening.place
        if softening.about in self._settings.settings.rules:
            return (self._settings.path, *self._settings.place(("rules", softening.about)))
        if softening.about == "unjudged":
            return (self._settings.path, *self._settings.place(("unjudged",)))
        for number, line in enumerate(self._lock, 1):
            if softening.pack and line.startswith(f"[packs.{softening.pack}"):
                return LOCK, number, 1
        return (self._settings.path, *self._settings.place(("extends",)))
