"""What a call names: the options that say what is judged, the same for every command."""

from __future__ import annotations

from sakaime.model import Record, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MESSAGES = ("commit-message", "pr-title", "pr-body", "branch")


class Selection(Record):
    """What the call names. Everything empty: what the hook's environment names, else what is staged."""

    paths: tuple[str, ...] = ()
    range: str | None = None
    diff: str | None = None
    message: str | None = None
    message_kind: str = "commit-message"
    everything: bool = False
    policy_from: str | None = None
    org: str | None = None
    baseline: str | None = None
    accept: str | None = None


def add_arguments(parser: ArgumentParser, *, with_paths: bool = True) -> None:
    """The options that every command with a material takes."""
    if with_paths:
        parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders, judged whole")
        parser.add_argument("--all", action="store_true", dest="everything", help="the whole tree")
        parser.add_argument("--message", metavar="FILE", help="a message or name in a file")
        parser.add_argument("--as", choices=MESSAGES, default=MESSAGES[0], dest="message_kind", help="what it is")
    parser.add_argument("--range", metavar="BASE...HEAD", help="the commits of HEAD since BASE")
    parser.add_argument("--diff", metavar="FILE", help="a diff; - reads standard input")
    parser.add_argument("--policy-from", metavar="REF", help="take settings, packs and lock from this commit")
    parser.add_argument("--org", metavar="FILE", help="the organisation's floor")
    parser.add_argument("--accept", metavar="FILE", help="findings that somebody accepts, from outside of the change")


def selection(options: Namespace) -> Selection:
    """The selection that parsed options name. Raises `UserError` when they name two things at once."""
    values = vars(options)
    chosen = Selection(
        tuple(values.get("paths") or ()),
        options.range,
        options.diff,
        values.get("message"),
        values.get("message_kind", MESSAGES[0]),
        values.get("everything", False),
        options.policy_from,
        options.org,
        values.get("baseline"),
        options.accept,
    )
    named = {
        "PATH": chosen.paths,
        "--range": chosen.range,
        "--diff": chosen.diff,
        "--message": chosen.message,
        "--all": chosen.everything,
    }
    given = [name for name, value in named.items() if value]
    if len(given) > 1:
        raise UserError(f"{' and '.join(given)} cannot go together", way_out="Name one thing to judge.")
    return chosen
