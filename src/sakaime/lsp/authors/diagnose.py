"""What is wrong with a pack, with settings or with a lock, at the place of it."""

from __future__ import annotations

from sakaime.judge.masking import masking
from sakaime.lsp.authors.lines import told_of
from sakaime.lsp.authors.ranges import Ranges
from sakaime.lsp.authors.settled import lock_mistakes, settle
from sakaime.lsp.authors.study import TOO_LARGE, Studied, study
from sakaime.model import Record, SakaimeError
from sakaime.packs.inforce import LOCK
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 200  # mistakes that are shown of a text


class Mistake(Record):
    """Something wrong from `start` to `end` (code points): an error is one for `pack check` and `check` too; a warning
    is an example that does not come out as it says, a mistake in another file, or a text that is too large to be read
    at every key."""

    start: int
    end: int
    message: str
    severity: str = "error"
    way_out: str | None = None


def diagnose(kind: str, root: str | None, path: str, text: str, policy: Policy) -> list[Mistake]:
    """The mistakes of a text as it is now, whatever is on disk, in order of place.

    `path` is relative to `root`, the repository's folder (None: in no repository, where a text is judged by itself);
    `policy` tells which packs are in force. Examples of a pack are run.
    """
    ranges = Ranges(text, kind != "pack")
    if kind == "pack":
        studied = study(path, text, policy, root)
        found = [*_placed(ranges, studied.mistakes, studied.name), *_examples(ranges, studied)]
    elif kind == "lock":
        found = list(_placed(ranges, lock_mistakes(path, text, root), LOCK))
    else:
        name = path.rsplit("/", 1)[-1]  # of settings that are not at the root, too
        found = list(_placed(ranges, settle(kind, path, text, root).mistakes, name, path))
    mask = masking(policy)  # a token may stand where a name should
    shown = sorted(found, key=lambda one: (one.start, one.end, one.message))[:_MOST]
    return [one.replace(message=mask(one.message)) for one in shown]


def _placed(ranges: Ranges, errors: tuple[SakaimeError, ...], *names: str) -> Iterator[Mistake]:
    """Mistakes at their ranges; of those in other files, the first one, at the beginning."""
    elsewhere = False
    for error in errors[:_MOST]:
        if error.path in names or (error.path is None and error.line is None):
            severity = "warning" if error.message == TOO_LARGE else "error"
            yield Mistake(*ranges.of(error), error.message, severity, error.way_out)
        elif not elsewhere:
            elsewhere = True
            where = f"{error.place}: " if error.path else ""
            yield Mistake(*ranges.top_line(), f"{where}{error.message}", "warning", error.way_out)


def _examples(ranges: Ranges, studied: Studied) -> Iterator[Mistake]:
    if studied.pack is None:
        return
    for outcome in studied.outcomes:
        for failed in outcome.failed:
            at = (*outcome.at, "examples", failed.kind, failed.number - 1)
            for path in ((*at, "text"), (*at, "after"), at):
                place = studied.pack.places.get(path)
                if place is not None and place[0] == studied.name:
                    error = SakaimeError(told_of(failed), line=place[1], column=place[2], wrong="")
                    yield Mistake(*ranges.of(error), f"{outcome.rule}: {error.message}", "warning")
                    break
