"""Which policy decides about a material: settings and packs of one side, baseline, floor, what was accepted."""

from __future__ import annotations

import os

from sakaime.material import sources
from sakaime.model import UserError
from sakaime.packs.inforce import org_file, policy_in_force, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.cli.chosen import Selection
    from sakaime.material import git
    from sakaime.material.change import Material
    from sakaime.policy.policy import Policy

    Read = Callable[[str], bytes | None]


def deciding(top: str, read: Read, chosen: Selection, material: Material, objects: git.Objects | None) -> Policy:
    """The policy in force by the settings that `read` gives, with what was accepted from outside.

    Raises `UserError` and `CannotJudge` as the rooms below do.
    """
    blob = objects.get if objects is not None else None
    org = org_file(chosen.org)
    if org is not None or chosen.accept is not None:
        from sakaime.cli.outside import read_outside, refuse_inside

        if org is not None:
            refuse_inside(org, top, material, blob)
    policy = _with_baseline(top, read, chosen, org)
    if chosen.accept is None:
        return policy
    from time import strftime

    from sakaime.policy.accept import read_accepted

    data = read_outside(chosen.accept, top, material, blob)
    acceptance = read_accepted(data, chosen.accept, strftime("%Y-%m-%d"))
    return policy.replace(accepted=acceptance.accepted, notes=(*policy.notes, *acceptance.notes))


def _with_baseline(top: str, read: Read, chosen: Selection, org: str | None) -> Policy:
    if chosen.baseline is None:
        return policy_in_force(top, read, org)
    named = _inside(top, chosen.baseline)
    if named is None:  # handed in from outside of what is judged
        from sakaime.cli.outside import handed_in

        named, read = chosen.baseline, _besides(chosen.baseline, handed_in(chosen.baseline), read)
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


def _besides(name: str, data: bytes, read: Read) -> Read:
    return lambda wanted: data if wanted == name else read(wanted)


def with_changes(
    top: str,
    policy: Policy,
    material: Material,
    before: Read,
    after: Read,
    chosen: Selection,
    more: tuple[str, ...] = (),
) -> Policy:
    """The policy, with what the material does to it. Nothing is compiled unless the material touches it.

    `before` and `after` give the bytes of a file on the two sides of the change; `more` are names of files
    that are to be compared although the material does not touch them.
    """
    names = tuple(dict.fromkeys((*touched(policy, material.changes), *more)))
    if not names:
        return policy
    from sakaime.packs.changed import notes

    local = material.mode == "staged"
    said = notes(names, policy, before, after, org_file(chosen.org), top, local=local)
    return policy.replace(notes=(*policy.notes, *said))


def in_head(objects: git.Objects) -> Read:
    """What HEAD holds."""
    return lambda name: objects.get(f"HEAD:{name}")


def recorded_at(top: str, objects: git.Objects, revision: str) -> Read:
    """What the commit of a revision holds. Raises `CannotJudge` when this clone has none such."""
    commit = sources.commit_of(top, revision)
    return lambda name: objects.get(f"{commit}:{name}")


def on_disk(top: str) -> Read:
    """What lies in the work tree."""

    def read(name: str) -> bytes | None:
        try:
            with open(os.path.join(top, name), "rb") as file:
                return file.read()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", path=name) from None

    return read


def staged_or_disk(top: str, objects: git.Objects, from_disk: list[str] | None = None) -> Read:
    """What is staged, else what lies in the work tree; `from_disk` gets the names of the latter."""
    disk = on_disk(top)

    def read(name: str) -> bytes | None:
        staged = objects.get(f":{name}")
        if staged is not None:
            return staged
        data = disk(name)
        if data is not None and from_disk is not None:
            from_disk.append(name)
        return data

    return read
