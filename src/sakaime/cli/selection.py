"""What is judged, and by which policy: the same choice for every command."""

from __future__ import annotations

import os
import sys

from sakaime.material import git, sources
from sakaime.material.change import Material
from sakaime.model import Record, UserError
from sakaime.packs.inforce import BASELINE, org_file, policy_in_force
from sakaime.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

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


class Selected(Record):
    """The answer: the root of the repository, the material, and the policy that decides about it.

    `said` tells in words what was chosen and why, where that was not named by the call.
    """

    top: str
    material: Material
    policy: Policy
    said: str = ""


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


def select(chosen: Selection) -> Selected:
    """Reads the material and the policy in force for it.

    Raises `UserError` and `CannotJudge` as the rooms below do.
    """
    cwd = os.getcwd()
    if chosen.diff is not None or chosen.message is not None:
        return _handed_in(chosen, cwd)
    top = git.root(cwd)
    objects = git.Objects(top)
    try:
        return _from_repository(chosen, cwd, top, objects)
    finally:
        if chosen.paths or chosen.everything:
            objects.close()


def _from_repository(chosen: Selection, cwd: str, top: str, objects: git.Objects) -> Selected:
    spec, said = chosen.range, ""
    if spec is None and not chosen.paths and not chosen.everything:
        spec, said = _range_of_hook()
        if spec is None and (pushed := _first_push()) is not None:
            material = sources.recorded(top, objects, sources.commit_of(top, pushed))
            said = f"Judged by pre-commit's first push of {pushed}: the whole tree of that commit."
            read = _at(top, objects, chosen.policy_from or pushed)
            return Selected(top, material, _policy(top, read, chosen), said)
    if spec is not None:
        material = sources.between(top, objects, spec)
        trusted = chosen.policy_from or material.base or "HEAD"
        return Selected(top, material, _policy(top, _at(top, objects, trusted), chosen), said)
    if chosen.paths:
        material = sources.files(top, list(chosen.paths), cwd)
    elif chosen.everything:
        material = sources.files(top, ["."], top).replace(complete=True)
    else:
        merged = sources.merging(top)
        material = sources.staged(top, objects, merged)
        if merged:
            said = "A merge: the lines that no parent holds were judged."
        elif not material.changes and _whole_tree_asked():
            material = sources.files(top, ["."], top).replace(complete=True)
            said = "Nothing is staged; pre-commit asked for all files, so the whole tree was judged."
        elif not material.changes:
            material = material.replace(mode="none")
    if chosen.policy_from is not None:
        read = _at(top, objects, chosen.policy_from)
    else:
        read = _staged_or_disk(top, objects) if material.mode in ("staged", "none") else _disk(top)
    return Selected(top, material, _policy(top, read, chosen), said)


def recorded(org: str | None) -> tuple[str, Material, Policy]:
    """The root of the repository here, the whole tree of its index, and the policy that decides locally.

    The baseline of the repository is not looked at. Raises `UserError` and `CannotJudge`.
    """
    top = git.root(os.getcwd())
    objects = git.Objects(top)
    try:
        settings = _staged_or_disk(top, objects)
        policy = policy_in_force(top, lambda name: None if name == BASELINE else settings(name), org_file(org))
        return top, sources.recorded(top, objects), policy
    finally:
        objects.close()


def _handed_in(chosen: Selection, cwd: str) -> Selected:
    """A diff or a message: BASE is --policy-from, else HEAD; outside a repository the shipped policy alone."""
    if chosen.diff is not None:
        material = sources.from_diff(_bytes(chosen.diff))
    else:
        material = sources.message(chosen.message_kind, _bytes(chosen.message or ""))
    try:
        top = git.root(cwd)
    except UserError:
        return Selected(cwd, material, _policy(cwd, lambda _name: None, chosen), "")
    objects = git.Objects(top)
    if chosen.policy_from is None and git.ask(top, "rev-parse", "--verify", "--quiet", "HEAD") is None:
        read = _staged_or_disk(top, objects)
    else:
        read = _at(top, objects, chosen.policy_from or "HEAD")
    return Selected(top, material, _policy(top, read, chosen), "")


def _bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=name) from None


def _policy(top: str, read: Callable[[str], bytes | None], chosen: Selection) -> Policy:
    org = org_file(chosen.org)
    if chosen.baseline is None:
        return policy_in_force(top, read, org)
    named = _inside(top, chosen.baseline)
    if named is None:  # handed in from outside of what is judged
        named, read = chosen.baseline, _besides(chosen.baseline, _bytes(chosen.baseline), read)
    elif read(named) is None:
        raise UserError(
            "there is no such baseline on the side that decides",
            path=named,
            way_out="Write it with `sakaime baseline write`; in a range, the base must hold it.",
        )
    return policy_in_force(top, read, org, named)


def _inside(top: str, name: str) -> str | None:
    """A file of the repository by its path from the root; None for one outside of it."""
    full = os.path.abspath(name)
    real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    for path, root in ((full, top), (real, os.path.realpath(top)), (os.path.realpath(full), os.path.realpath(top))):
        relative = os.path.relpath(path, root)
        if relative != os.pardir and not relative.startswith(os.pardir + os.sep):
            return relative.replace(os.sep, "/")
    return None


def _besides(name: str, data: bytes, read: Callable[[str], bytes | None]) -> Callable[[str], bytes | None]:
    return lambda wanted: data if wanted == name else read(wanted)


def _range_of_hook() -> tuple[str | None, str]:
    """What pre-commit hands over on a push, and for --from-ref and --to-ref."""
    start, end = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if not start or not end:
        return None, ""
    return f"{start}...{end}", f"Judged by pre-commit's range {start}...{end}."


def _first_push() -> str | None:
    """The branch of a push that brings even the root commit: pre-commit names no range then, but the branch."""
    return os.environ.get("PRE_COMMIT_LOCAL_BRANCH") if os.environ.get("PRE_COMMIT_REMOTE_NAME") else None


def _whole_tree_asked() -> bool:
    # Under `git commit`, git sets GIT_INDEX_FILE; `pre-commit run --all-files` does not.
    return os.environ.get("PRE_COMMIT") == "1" and "GIT_INDEX_FILE" not in os.environ


def _at(top: str, objects: git.Objects, revision: str) -> Callable[[str], bytes | None]:
    commit = sources.commit_of(top, revision)
    return lambda name: objects.get(f"{commit}:{name}")


def _disk(top: str) -> Callable[[str], bytes | None]:
    def read(name: str) -> bytes | None:
        try:
            with open(os.path.join(top, name), "rb") as file:
                return file.read()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", path=name) from None

    return read


def _staged_or_disk(top: str, objects: git.Objects) -> Callable[[str], bytes | None]:
    disk = _disk(top)

    def read(name: str) -> bytes | None:
        staged = objects.get(f":{name}")
        return staged if staged is not None else disk(name)

    return read
