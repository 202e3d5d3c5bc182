"""`sakaime baseline`: the findings that a repository has already, so that it starts green."""

from __future__ import annotations

import os

from sakaime.checks.secrets.keyed import KEY, key
from sakaime.cli.selection import recorded
from sakaime.judge import judge
from sakaime.judge.baseline import is_secret, match
from sakaime.model import Finding, Judgement, Record, UserError
from sakaime.packs.inforce import BASELINE
from sakaime.policy.baseline import read_baseline, written
from sakaime.policy.policy import Baseline
from sakaime.report.text import scope_line
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sakaime.material.change import Material
    from sakaime.policy.policy import Policy

HELP = "Keep the findings of the whole tree as known ones, or take out those that are gone."


class Collected(Record):
    """The findings of a tree that may be known; those that may not, their rules being locked; and secrets, which may
    only with the organisation's key."""

    judgement: Judgement
    known: tuple[Finding, ...]
    locked: tuple[Finding, ...]
    secrets: tuple[Finding, ...] = ()

    @property
    def data(self) -> bytes:
        """The file that knows them."""
        return written((f.rule, f.path, f.fingerprint, f.digest) for f in self.known)


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the subcommands."""
    commands = parser.add_subparsers(dest="baseline_command", metavar="COMMAND", required=True)
    for name, text in (
        ("write", "keep every finding in what git has recorded (the index) as known"),
        ("prune", "take out the entries that match no finding any more"),
    ):
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_argument("--baseline", metavar="FILE", help=f"the file (default: {BASELINE} at the root)")
        command.add_argument("--org", metavar="FILE", help="the organisation's floor")


def run(options: Namespace) -> int:
    """Exit code: 0 done, 2 a broken call or file, 3 files could not be judged."""
    top, material, policy = recorded(options.org)
    target = options.baseline or os.path.join(top, BASELINE)
    name = options.baseline or BASELINE
    policy = policy.replace(baseline=Baseline())
    return (_prune if options.baseline_command == "prune" else _write)(target, name, policy, material)


def collect(policy: Policy, material: Material) -> Collected:
    """Judges a tree with nothing known. Raises `CannotJudge` as `judge` does."""
    judgement = judge(policy.replace(baseline=Baseline()), material)
    locks = {rule.id for rule in policy.every_rule() if rule.lock}
    counted = [f for f in judgement.findings if f.family != "policy" and f.suppressed is None and not _only_told(f)]
    return Collected(
        judgement,
        tuple(f for f in counted if f.rule not in locks and not (is_secret(f) and not f.digest)),
        tuple(f for f in counted if f.rule in locks),
        tuple(f for f in counted if f.rule not in locks and is_secret(f) and not f.digest),
    )


def _only_told(finding: Finding) -> bool:
    """Whether a finding is a line for the review to look at, and no more: it stops nothing, and nothing is to be known
    of it."""
    return finding.family == "risks" and finding.severity == "info"


def told(collected: Collected) -> list[str]:
    """What the baseline cannot know, and what was looked at."""
    lines = [
        f"not known: {visible(f.path)}:{f.span.start.line} {f.rule}, which is locked; mend it" for f in collected.locked
    ]
    lines += [
        f"not known: {visible(f.path)}:{f.span.start.line} {f.rule}, a secret: take it back, or keep it by a digest "
        f"made with a key ({KEY})"
        for f in collected.secrets
    ]
    scope = collected.judgement.scope
    lines += [f"not judged: {visible(s.path)}: {s.reason}" for s in scope.unjudged]
    return [*lines, scope_line(collected.judgement).rstrip("\n")]


def _write(target: str, name: str, policy: Policy, material: Material) -> int:
    from sakaime.cli.files import write_whole

    collected = collect(policy, material)
    old = _there(target, name)
    if not collected.known and old is None:
        print("no findings, so there is nothing to know")
    elif collected.data == old:
        print(f"{name} knows {_count(len(collected.known))} already; nothing changed")
    else:
        write_whole(target, collected.data)
        print(f"{name}: {_count(len(collected.known))} known from now on")
    print("\n".join(told(collected)))
    return 3 if collected.judgement.scope.unjudged else 0


def _prune(target: str, name: str, policy: Policy, material: Material) -> int:
    from sakaime.cli.files import write_whole

    old = _there(target, name)
    if old is None:
        raise UserError("there is no such baseline", path=name, way_out="Write it with: sakaime baseline write")
    known = read_baseline(old, name)
    if any(entry[4] for entry in known.entries) and not key():  # they are not gone, only not to be compared
        raise UserError(
            "has entries of secrets, known by a digest, and there is no key to compare them with",
            path=name,
            way_out=f"Give the organisation's key in the environment variable {KEY}.",
        )
    collected = collect(policy, material)
    if collected.judgement.scope.unjudged:  # their findings are not gone, only unseen
        print("\n".join([*told(collected), f"{name}: nothing taken out while files cannot be judged"]))
        return 3
    matched = match(known, material, collected.known)
    kept = [(f, entry) for f, entry in matched.findings if entry is not None]
    for rule, path, _, line, _ in sorted(matched.stale, key=lambda entry: entry[3]):
        print(f"taken out: line {line}, {rule} in {visible(path)}")
    for finding, entry in kept:
        if finding.path != entry[1]:
            print(f"moved: {finding.rule} from {visible(entry[1])} to {visible(finding.path)}")
    data = written((f.rule, f.path, f.fingerprint, f.digest) for f, _ in kept)
    if data != old:
        write_whole(target, data)
    if not matched.stale:
        print(f"{name}: every entry still matches")
    print("\n".join([f"{name}: {_count(len(kept))} known", *told(collected)]))
    return 0


def _there(target: str, name: str) -> bytes | None:
    try:
        with open(target, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=name) from None


def _count(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"
