"""What stands above rules and settings in the editor: how examples come out, and what an entry does."""

from __future__ import annotations

from sakaime.lsp.authors import around
from sakaime.lsp.authors.complete import OWN_TABLE
from sakaime.lsp.authors.lines import of_examples
from sakaime.lsp.authors.ranges import Ranges
from sakaime.lsp.authors.settled import Settled, settle
from sakaime.lsp.authors.study import study
from sakaime.lsp.known import Told
from sakaime.model import SakaimeError
from sakaime.packs.inforce import LOCK, PYPROJECT, SETTINGS
from sakaime.policy.policy import Policy
from sakaime.policy.settings import Placed, toml_document
from sakaime.policy.yamltext import Path
from sakaime.report.width import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDE = 80
_ROOT_ONLY = "Settings are read at the root of the repository only: this file decides nothing"


def lenses(
    kind: str, root: str | None, path: str, text: str, policy: Policy, old: str | None = None, base: str = "HEAD"
) -> list[Told]:
    """One line for each rule of a pack, and for each entry of the settings. `text` of a `Told` is plain.

    `path` is relative to `root`, the repository's folder; `old` is the text on the base side, which is called `base`
    (None: there is none).
    """
    if kind == "pack":
        return list(_of_pack(root, path, text, policy))
    ranges = Ranges(text, True)
    found: list[Told] = []
    if root is not None and path in (SETTINGS, PYPROJECT, LOCK) and not _same(kind, old, text):
        found.append(Told(*ranges.top_line(), f"CI judges by what {base} holds, not by this text"))
    if kind == "lock":
        return found
    if path not in (SETTINGS, PYPROJECT) and kind == "settings":
        found.append(Told(*ranges.top_line(), _ROOT_ONLY))
    settled = settle(kind, path, text, root)
    if settled.placed is not None:
        found += _of_rules(ranges, settled, settled.placed, policy, root)
        found += _of_exceptions(ranges, settled, settled.placed)
    return sorted(found, key=lambda told: told.start)


def _same(kind: str, old: str | None, text: str) -> bool:
    """Whether two sides say the same, whatever their line ends; of pyproject.toml, in our table."""
    if old is None:
        return kind == "pyproject" and not _own(text)
    if old.replace("\r\n", "\n") == text.replace("\r\n", "\n"):
        return True
    return kind == "pyproject" and _own(old) == _own(text)


def _own(text: str) -> object:
    if OWN_TABLE[-1] not in text:
        return None
    try:
        table: object = toml_document(text.encode("utf-8", "surrogatepass"), PYPROJECT)
    except SakaimeError:
        return text
    for name in OWN_TABLE:
        table = table.get(name) if isinstance(table, dict) else None
    return table


def _of_pack(root: str | None, path: str, text: str, policy: Policy) -> Iterator[Told]:
    studied = study(path, text, policy, root)
    if studied.pack is None:
        return
    ranges = Ranges(text, False)
    outcomes = {outcome.at: outcome for outcome in studied.outcomes}
    for at, rule in studied.pack.model.rules:
        file, line, column = studied.pack.places[(*at, "id")]
        if file == studied.name:
            name = f"{studied.pack.model.pack}/{rule.id}"
            outcome = outcomes.get(at)
            said = of_examples(outcome) if outcome else "examples are run when the mistakes are out"
            yield Told(*ranges.of(SakaimeError("", line=line, column=column)), said, name)


def _at(ranges: Ranges, placed: Placed, path: Path) -> tuple[int, int]:
    line, column = placed.place(path)
    return ranges.of(SakaimeError("", line=line, column=column))


def _of_rules(ranges: Ranges, settled: Settled, placed: Placed, policy: Policy, root: str | None) -> Iterator[Told]:
    """Of each rule that the settings name, its title and what it is by this text."""
    known = around.rules(root, policy)
    now = {rule.id: rule for rule in settled.policy.every_rule()} if settled.policy is not None else {}
    for name in placed.settings.rules:
        if (held := known.get(name)) is None:
            continue
        title = fitted(held.rule.title, _WIDE)
        if settled.policy is None:
            said = title
        elif name in now:
            lock = settled.policy.locked.get(name)
            said = f"{title}: {now[name].severity}" + (f", locked by {fitted(lock, _WIDE)}" if lock else "")
        else:
            said = f"{title}: switched off"
        yield Told(*_at(ranges, placed, ("rules", name)), said, name)


def _of_exceptions(ranges: Ranges, settled: Settled, placed: Placed) -> Iterator[Told]:
    """Of each exception, whether it counts and how long."""
    if settled.policy is None:
        return
    notes = {(note.line, note.column): note for note in settled.policy.notes if note.path == placed.path}
    for number, entry in enumerate(placed.settings.allow):
        note = notes.get(placed.place(("allow", number)))
        if note is not None:
            said = "Expired: it counts no more" if note.kind == "expired" else f"Does not count: {note.message}"
        else:
            said = f"Counts until {entry.until}" if entry.until is not None else "Counts, without an end"
        yield Told(*_at(ranges, placed, ("allow", number)), said, entry.rule)
