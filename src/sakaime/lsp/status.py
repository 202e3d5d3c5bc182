"""One line about what decides here, for a client that shows it."""

from __future__ import annotations

from sakaime.lsp.home import Bases, Home, Rulings
from sakaime.lsp.markdown import code, prose
from sakaime.material import git
from sakaime.model import CannotJudge, Record, SakaimeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OK, WARNING, ERROR = "ok", "warning", "error"
_LEVELS = (OK, WARNING, ERROR)


class Status(Record):
    """`text` is one line, `level` one of ok, warning, error, `detail` Markdown."""

    text: str
    level: str
    detail: str


def status(bases: Bases, rulings: Rulings, folders: Iterable[str | None]) -> Status:
    """What decides in the folders of a workspace; where they differ, the worst one gives the line."""
    every = [_of(bases, rulings, root) for root in roots(folders)]
    worst = max(every, key=lambda one: _LEVELS.index(one.level))
    return worst.replace(detail="\n\n".join(one.detail for one in every))


def roots(folders: Iterable[str | None]) -> list[str | None]:
    """The repositories of some folders, each once; one None where there is none."""
    roots: list[str | None] = []
    for folder in folders:
        try:
            root = git.root(folder) if folder else None
        except SakaimeError:
            root = None
        if root not in roots:
            roots.append(root)
    return roots or [None]


def _of(bases: Bases, rulings: Rulings, root: str | None) -> Status:
    name = root or "no repository"
    try:
        ruling = rulings.of(Home(root, ""))
    except SakaimeError as error:
        return Status("no policy", ERROR, f"{code(name)}: {prose(error.message)}")
    policy = ruling.policy
    base = bases.name(root)
    count = len(policy.ids)
    text = f"policy {policy.id.digest[:4]}, {count} rules, base {base}"
    lines = [f"{code(name)}: policy {code(policy.id.digest)}, {count} rules, judged against {code(base)}"]
    level = OK
    if policy.softened:
        lines.append(f"The settings soften {len(policy.softened)} of them.")
    if root is not None:
        try:
            bases.commit(root)
        except CannotJudge as error:
            level, text = WARNING, f"{text} (not found)"
            lines.append(f"{prose(error.message)}: every line is judged as new.")
    if ruling.mistake is not None:
        level, text = ERROR, f"{text}, with a mistake in {ruling.mistake.path or 'the settings'}"
        decides = "The rules that come with sakaime decide" if ruling.shipped else "The last good policy decides"
        lines.append(f"{decides}: {prose(str(ruling.mistake))}")
    return Status(text, level, "\n\n".join(lines))
