"""What is judged: the same choice for every command. Which policy decides, `sakaime.cli.deciding` says."""

from __future__ import annotations

import os

from sakaime.cli.chosen import Selection
from sakaime.cli.deciding import deciding, in_head, on_disk, recorded_at, staged_or_disk, with_changes
from sakaime.material import git, sources
from sakaime.material.change import Material
from sakaime.model import CannotJudge, Record, UserError
from sakaime.packs.inforce import BASELINE, org_file, policy_in_force
from sakaime.policy.policy import Policy


class Selected(Record):
    """The answer: the root of the repository, the material, and the policy that decides about it.

    `said` tells in words what was chosen and why, where that was not named by the call.
    """

    top: str
    material: Material
    policy: Policy
    said: str = ""


def select(chosen: Selection, *, verbatim: bool = False) -> Selected:
    """Reads the material and the policy in force for it.

    `verbatim` keeps the exact text of a diff that is handed in, for `Material.patch`. Raises `UserError`
    and `CannotJudge` as the rooms below do.
    """
    cwd = os.getcwd()
    if chosen.diff is not None or chosen.message is not None:
        return _handed_in(chosen, cwd, verbatim=verbatim)
    spec, said = chosen.range, ""
    if spec is None and not chosen.paths and not chosen.everything:
        spec, said = _range_of_hook()
    top = git.root(cwd) if spec is None else git.root_or_bare(cwd)
    objects = git.Objects(top)
    named = spec is not None or chosen.paths or chosen.everything
    if not named and (pushed := _first_push()) is not None:
        material = sources.recorded(top, objects, sources.commit_of(top, pushed))
        said = f"Judged by pre-commit's first push of {pushed}: the whole tree of that commit."
        read = recorded_at(top, objects, chosen.policy_from or pushed)
        return Selected(top, material, deciding(top, read, chosen, material, objects), said)
    if spec is not None:
        return _of_range(chosen, top, objects, spec).replace(said=said)
    try:
        return _of_work_tree(chosen, cwd, top, objects)
    finally:
        if chosen.paths or chosen.everything:
            objects.close()  # it starts anew where something is asked


def _of_range(chosen: Selection, top: str, objects: git.Objects, spec: str) -> Selected:
    """BASE decides, or the commit of --policy-from; what the range itself does to the settings is told."""
    material = sources.between(top, objects, spec)
    decided = recorded_at(top, objects, chosen.policy_from or material.base or "HEAD")
    material = material.replace(decided=decided)
    policy = deciding(top, decided, chosen, material, objects)
    start, head = material.start, material.head
    policy = with_changes(
        top,
        policy,
        material,
        lambda name: objects.get(f"{start}:{name}"),
        lambda name: objects.get(f"{head}:{name}"),
        chosen,
    )
    return Selected(top, material, policy)


def _of_work_tree(chosen: Selection, cwd: str, top: str, objects: git.Objects) -> Selected:
    said = ""
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
        decided = recorded_at(top, objects, chosen.policy_from)
    else:
        decided = in_head(objects)
    material = material.replace(decided=decided)
    local = material.mode in ("staged", "none")
    from_disk: list[str] = []
    if chosen.policy_from is not None:
        read = decided
    else:
        read = staged_or_disk(top, objects, from_disk) if local else on_disk(top)
    policy = deciding(top, read, chosen, material, objects)
    if material.mode == "staged":
        policy = with_changes(
            top, policy, material, in_head(objects), staged_or_disk(top, objects), chosen, tuple(from_disk)
        )
    return Selected(top, material, policy, said)


def recorded(org: str | None) -> tuple[str, Material, Policy]:
    """The root of the repository here, the whole tree of its index, and the policy that decides locally.

    The baseline of the repository is not looked at. Raises `UserError` and `CannotJudge`.
    """
    top = git.root(os.getcwd())
    objects = git.Objects(top)
    try:
        settings = staged_or_disk(top, objects)
        policy = policy_in_force(top, lambda name: None if name == BASELINE else settings(name), org_file(org))
        return top, sources.recorded(top, objects), policy
    finally:
        objects.close()


def _handed_in(chosen: Selection, cwd: str, *, verbatim: bool) -> Selected:
    """A diff or a message: BASE is --policy-from, else HEAD; outside a repository the shipped policy alone."""
    from sakaime.cli.outside import handed_in

    if chosen.diff is not None:
        material = sources.from_diff(handed_in(chosen.diff), verbatim=verbatim)
    else:
        material = sources.message(chosen.message_kind, handed_in(chosen.message or ""))
    try:
        top = git.root_or_bare(cwd)
    except UserError:
        return Selected(cwd, material, deciding(cwd, lambda _name: None, chosen, material, None), "")
    objects = git.Objects(top)
    if chosen.policy_from is None and git.ask(top, "rev-parse", "--verify", "--quiet", "HEAD") is None:
        decided = staged_or_disk(top, objects)
    else:
        decided = recorded_at(top, objects, chosen.policy_from or "HEAD")
        material = material.replace(decided=decided)
    policy = deciding(top, decided, chosen, material, objects)
    if material.mode == "diff":
        from sakaime.packs.changed import not_compared

        policy = policy.replace(notes=(*policy.notes, *not_compared(policy, material.changes)))
    return Selected(top, material, policy, "")


def _range_of_hook() -> tuple[str | None, str]:
    """What pre-commit hands over on a push, and for --from-ref and --to-ref.

    Raises `CannotJudge` where that names no base: a new branch, of which nothing tells where it begins.
    """
    start, end = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if not start and (not end or _first_push() is not None):  # prek leaves FROM empty there, and names TO
        return None, ""
    if end and not end.strip("0"):
        return "HEAD...HEAD", "The push deletes a branch: there is nothing to judge."
    if not start or not start.strip("0") or not end:
        raise CannotJudge(
            f"PRE_COMMIT_FROM_REF ({start or 'empty'}) and PRE_COMMIT_TO_REF ({end or 'empty'}) name no range",
            way_out=f"Name the base: sakaime check --range origin/main...{end or 'HEAD'}",
        )
    return f"{start}...{end}", f"Judged by pre-commit's range {start}...{end}."


def _first_push() -> str | None:
    """The branch of a push that brings even the root commit: pre-commit names no range then, but the branch."""
    return os.environ.get("PRE_COMMIT_LOCAL_BRANCH") if os.environ.get("PRE_COMMIT_REMOTE_NAME") else None


def _whole_tree_asked() -> bool:
    # Under `git commit`, git sets GIT_INDEX_FILE; `pre-commit run --all-files` does not.
    return os.environ.get("PRE_COMMIT") == "1" and "GIT_INDEX_FILE" not in os.environ
