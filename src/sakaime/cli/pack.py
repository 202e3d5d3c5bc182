"""`sakaime pack`: rule packs, checked, tested and brought here."""

from __future__ import annotations

import os

from sakaime.model import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sakaime.packs.selftest import Failure
    from sakaime.packs.sync import Synced
    from sakaime.policy.pack import LoadedPack
    from sakaime.policy.policy import Policy

HELP = "Check and test rule packs, and bring the packs that the settings extend here."


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the subcommands."""
    commands = parser.add_subparsers(dest="pack_command", metavar="COMMAND", required=True)
    check = commands.add_parser("check", help="whether packs are in order", allow_abbrev=False)
    check.add_argument("paths", nargs="+", metavar="PATH", help="a pack: a YAML file, or a folder with pack.yaml")
    test = commands.add_parser("test", help="run the examples of every rule", allow_abbrev=False)
    test.add_argument("paths", nargs="*", metavar="PATH", help="packs to test (default: the shipped ones)")
    sync = commands.add_parser("sync", help="fetch the packs of `extends` and write sakaime.lock", allow_abbrev=False)
    how = sync.add_mutually_exclusive_group()
    how.add_argument("--update", action="store_true", help="take what every `ref` means now, not the locked commit")
    how.add_argument(
        "--policy-from",
        metavar="REF",
        help="only bring here what sakaime.lock of that commit pins; write no lock",
    )


def run(options: Namespace) -> int:
    """Exit code: 0 in order or done, 1 not in order, 2 a broken call or settings, 3 not to be had."""
    if options.pack_command == "check":
        return _check(options.paths)
    if options.pack_command == "test":
        return _test(options.paths)
    return _sync(options.update, options.policy_from)


def _load(paths: list[str]) -> tuple[list[LoadedPack], list[UserError]]:
    from sakaime.packs.manifest import MAIN, pack_tree
    from sakaime.packs.transports import folder
    from sakaime.policy.pack import read_pack

    packs: list[LoadedPack] = []
    errors: list[UserError] = []
    for path in paths:
        if not os.path.lexists(path):
            raise UserError(f"{path}: there is no such file or folder")
        # Of a pack of several files, hooks and shells name pack.yaml; the pack is its folder.
        name = os.path.dirname(path) or "." if os.path.basename(path) == MAIN else path.rstrip("/") or path
        try:
            packs.append(read_pack(pack_tree(folder.read(name, name), name, name)))
        except UserError as error:
            errors.append(error)
    return packs, errors


def _together(packs: list[LoadedPack]) -> list[LoadedPack]:
    """Given packs with the shipped ones; a given pack stands in for a shipped one of its name."""
    from sakaime.packs import shipped
    from sakaime.policy.pack import read_pack

    given = {pack.model.pack for pack in packs}
    return [*(pack for tree in shipped.trees() if (pack := read_pack(tree)).model.pack not in given), *packs]


def _check(paths: list[str]) -> int:
    packs, errors = _load(paths)
    if not errors:
        _compiled(_together(packs), errors)
    if errors:
        return _not_in_order(errors)
    for pack in packs:
        print(f"{_named(pack)}: in order ({_rules(pack)}), digest {pack.tree.digest}")
    return 0


def _test(paths: list[str]) -> int:
    from sakaime.packs.selftest import examples_of, failures

    packs, errors = _load(paths)
    every = _together(packs)
    policy = _compiled(every, errors) if not errors else None
    if policy is None:
        return _not_in_order(errors)
    code = 0
    for pack in packs or every:
        failed = list(failures(pack, policy))
        for failure in failed:
            print(_failure(failure))
        every_example = examples_of(pack)
        good = every_example - len(failed)
        print(f"{_named(pack)}: {_rules(pack)}, {good} of {every_example} examples come out as they say")
        code = 1 if failed or _silences(pack, policy) else code
    return code


def _silences(pack: LoadedPack, policy: Policy) -> bool:
    """Whether the shapes of a pack take too many random secrets for something harmless; says which do."""
    from collections import Counter

    from sakaime.packs.silencing import COUNT, MOST, silenced

    found = silenced(pack, policy)
    if len(found) <= MOST:
        return False
    print(f"{_named(pack)}: {len(found)} of {COUNT} random secrets are taken for something harmless, {MOST} may be:")
    for rule, count in Counter(one.rule for one in found).most_common():
        print(f"    {rule}: {count}, such as {next(one.value for one in found if one.rule == rule)}")
    return True


def _compiled(packs: list[LoadedPack], errors: list[UserError]) -> Policy | None:
    """The policy of these packs alone; None, with the mistakes in `errors`, where they do not fit."""
    import time

    from sakaime.policy.compile import compile_policy
    from sakaime.policy.settings import NOTHING

    try:
        return compile_policy(packs, NOTHING, None, time.strftime("%Y-%m-%d"))
    except UserError as error:
        errors.append(error)
        return None


def _not_in_order(errors: list[UserError]) -> int:
    for one in [each for error in errors for each in (error, *error.others)]:
        print(f"{one.path}:{one.line or 1}:{one.column or 1}: {one.message}")
        if one.way_out:
            print(f"  {one.way_out}")
    return 1


def _failure(failure: Failure) -> str:
    from sakaime.report.width import revealed

    must = "the rule does not report it" if failure.kind == "bad" else "the rule reports it"
    lines = [f"{failure.rule}: {failure.kind} example {failure.number}, judged as {failure.sample.place}: {must}"]
    lines += [f"    | {line}" for line in revealed(failure.sample.text).split("\n")]
    for finding in failure.findings:
        start = finding.span.start
        lines.append(f"    {start.line}:{start.column} {finding.rule}: {finding.excerpt}")
    if not failure.findings:
        lines.append("    no rule in force reports anything here")
    return "\n".join(lines)


def _named(pack: LoadedPack) -> str:
    return f"{pack.model.pack} {pack.model.version}"


def _rules(pack: LoadedPack) -> str:
    count = len(pack.model.rules)
    locked = f", {len(pack.model.locked)} locked" if pack.model.locked else ""
    return f"{count} rule{'' if count == 1 else 's'}{locked}"


def _sync(update: bool, policy_from: str | None) -> int:
    from sakaime.cli.files import write_whole
    from sakaime.material import git
    from sakaime.packs.inforce import LOCK, PYPROJECT, SETTINGS
    from sakaime.packs.sync import fill, sync
    from sakaime.policy.settings import read_settings

    top = git.root(os.getcwd())
    if policy_from is None:
        settings, lock = read_settings(_on_disk(top, SETTINGS), _on_disk(top, PYPROJECT)), _on_disk(top, LOCK)
        done, text = sync(top, settings, lock, update)
        if text != lock and done:
            write_whole(os.path.join(top, LOCK), text)
    else:
        from sakaime.material.sources import commit_of

        commit = commit_of(top, policy_from)
        objects = git.Objects(top)

        def read(name: str) -> bytes | None:
            return objects.get(f"{commit}:{name}")

        try:
            done = fill(top, read_settings(read(SETTINGS), read(PYPROJECT)), read(LOCK), read)
        finally:
            objects.close()
    for one in done:
        print(_told(one))
    if not done:
        print("no pack is extended")
    return 0


def _on_disk(top: str, name: str) -> bytes | None:
    try:
        with open(os.path.join(top, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=name) from None


def _told(one: Synced) -> str:
    pin, was = one.pin, one.was
    at = f" (commit {pin.commit[:12]})" if pin.commit else ""
    if one.what != "updated" or was is None:
        return f"{one.name} {pin.version}: {one.what}{at}"
    if (was.version, was.digest) == (pin.version, pin.digest):
        return f"{one.name} {pin.version}: same content from another place{at}"
    if was.version == pin.version:
        change = f"changed under the same version, digest {was.digest[:12]} -> {pin.digest[:12]}"
        return f"{one.name} {pin.version}: {change}{at}"
    return f"{one.name}: updated {was.version} -> {pin.version}{at}"
