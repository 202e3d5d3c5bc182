"""What the client wants: the options of its start, and its settings of the section `sakaime`."""

from __future__ import annotations

from sakaime.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECTION = "sakaime"


class Options(Record):
    """`trusted`: settings and packs of the repository may decide. `commands`: the server offers its commands to the
    client, which has none of its own. `base` is what a change is judged against, `on_save` says that documents are
    judged when they are saved only, and `workspace` that changed files are judged though they are not open."""

    trusted: bool = True
    commands: bool = True
    base: str = "HEAD"
    on_save: bool = False
    workspace: bool = True


def options_of(given: Any, before: Options = Options()) -> Options:  # noqa: B008  (a frozen value)
    """The options that a client gives, of whatever shape; what it does not say, or not properly, stays as it was."""
    if not isinstance(given, dict):
        return before
    base = given.get("base")
    changes: dict[str, Any] = {
        name: given[name] for name in ("trusted", "commands", "workspace") if isinstance(given.get(name), bool)
    }
    if isinstance(base, str) and base.strip() and base.strip().isprintable():
        changes["base"] = base.strip()
    if given.get("run") in ("onType", "onSave"):
        changes["on_save"] = given["run"] == "onSave"
    return before.replace(**changes)
