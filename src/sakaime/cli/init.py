"""`sakaime init`: what a repository needs to be judged, in one go."""

from __future__ import annotations

import json
import os
import shlex
import stat

import sakaime
from sakaime.model import Record, UserError
from sakaime.packs.inforce import BASELINE, PYPROJECT, SETTINGS
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

HELP = "Set a repository up: settings, hooks, a baseline of what is there already, and the workflow for CI."

WORKFLOW = ".github/workflows/sakaime.yml"
_EDITOR, _EXTENSION = ".vscode/extensions.json", "sakaime.sakaime"
_MOST = 4 << 20


class Planned(Record):
    """A file and what is to stand in it; None: it is left as it is, for the reason in `said`."""

    path: str
    old: bytes | None
    new: bytes | None
    said: str = ""
    executable: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is something to write."""
        return self.new is not None and self.new != self.old


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and write nothing")
    parser.add_argument("--git-hook", action="store_true", help="plain git hooks instead of .pre-commit-config.yaml")
    parser.add_argument("--ci", choices=("github",), help=f"write {WORKFLOW} even where there is no .github")
    parser.add_argument("--editor", action="store_true", help=f"recommend the extension in {_EDITOR}")
    parser.add_argument("--org", metavar="FILE", help="the organisation's floor")


def run(options: Namespace) -> int:
    """Exit code: 0 done, 1 a hook of somebody else stands in the way, 2 a broken file, 3 files cannot be judged.

    Everything is worked out before the first file is written.
    """
    from sakaime.cli import baseline
    from sakaime.cli.selection import recorded

    top, material, policy = recorded(options.org)
    plan = [_settings(top)]
    plan += _git_hooks(top) if options.git_hook else [_hooks(top)]
    old = _there(top, BASELINE)
    collected = None
    if old is not None:
        plan.append(Planned(BASELINE, old, None, "is there already"))
    else:
        collected = baseline.collect(policy, material)
        plan.append(
            Planned(BASELINE, None, collected.data)
            if collected.known
            else Planned(BASELINE, None, None, "is not needed, for nothing was found")
        )
    plan.append(_workflow(top, options.ci))
    if options.editor:
        plan.append(_recommendation(top))
    told = baseline.told(collected) if collected is not None else []
    if options.dry_run:
        print("".join(_difference(one) for one in plan), end="")
    else:
        _write(top, plan)
    print("\n".join([*_lines(plan, options.dry_run), *(f"For the baseline: {line}" for line in told)]))
    if any(one.said.startswith("is not ours") for one in plan):
        return 1
    return 3 if collected is not None and collected.judgement.scope.unjudged else 0


def _there(top: str, name: str) -> bytes | None:
    """A file on disk; None where there is none. Raises `UserError` for anything that is no plain file."""
    path = os.path.join(top, name)
    folder = os.path.realpath(os.path.dirname(path))
    if not (folder + os.sep).startswith(os.path.realpath(top) + os.sep):
        raise UserError("lies outside of the repository, behind a link", path=name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise UserError("is not a plain file, so it is not written", path=name)
        with open(path, "rb") as file:
            data = file.read(_MOST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=name) from None
    if len(data) > _MOST:
        raise UserError(f"is larger than {_MOST >> 20} MiB", path=name)
    return data


def starter(name: str) -> bytes:
    """A file that comes with the program, for this version."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter", name), "rb") as file:
        return file.read().replace(b"@@VERSION@@", sakaime.__version__.encode())


def _settings(top: str) -> Planned:
    from sakaime.policy.settings import NOTHING, read_settings

    own, pyproject = _there(top, SETTINGS), _there(top, PYPROJECT)
    if own is not None:
        return Planned(SETTINGS, own, None, "is there already")
    if read_settings(None, pyproject) is not NOTHING:
        return Planned(SETTINGS, None, None, f"is not needed, for the settings stand in {PYPROJECT}")
    return Planned(SETTINGS, None, starter("sakaime.toml"))


def _hooks(top: str) -> Planned:
    from sakaime.cli.precommit import CONFIG, with_hooks
    from sakaime.policy.settings import read_settings

    old = _there(top, CONFIG)
    extends = read_settings(_there(top, SETTINGS), _there(top, PYPROJECT)).settings.extends
    wanted = ("sakaime", "sakaime-message", *(("sakaime-sync",) if extends else ()))
    return Planned(CONFIG, old, with_hooks(old, wanted, sakaime.__version__))


def _git_hooks(top: str) -> Iterator[Planned]:
    from sakaime.cli.githooks import hooks

    for hook in hooks(top):
        name = os.path.relpath(hook.path, top)
        name = hook.path if name.startswith(os.pardir) else name
        if hook.instead:
            yield Planned(name, None, None, f"is not ours and stays as it is; add this line to it:\n    {hook.instead}")
        else:
            old = None  # one that cannot be run is as good as none
            if os.path.exists(hook.path):
                with open(hook.path, "rb") as file:
                    old = file.read() if os.access(hook.path, os.X_OK) else b"(not executable)"
            yield Planned(name, old, hook.text, executable=True)


def _workflow(top: str, ci: str | None) -> Planned:
    old = _there(top, WORKFLOW)
    if old is not None:
        return Planned(WORKFLOW, old, None, "is there already")
    if ci != "github" and not os.path.isdir(os.path.join(top, ".github")):
        return Planned(WORKFLOW, None, None, "is left out, for there is no .github (--ci github writes it)")
    return Planned(WORKFLOW, None, starter("github.yml"))


def _recommendation(top: str) -> Planned:
    old = _there(top, _EDITOR)
    if old is None:
        return Planned(_EDITOR, None, (json.dumps({"recommendations": [_EXTENSION]}, indent=2) + "\n").encode())
    if f'"{_EXTENSION}"'.encode() in old:
        return Planned(_EDITOR, old, None, "names the extension already")
    by_hand = Planned(_EDITOR, old, None, f'stays as it is; add "{_EXTENSION}" to its "recommendations"')
    try:
        table = json.loads(old)
        listed = table.get("recommendations", [])
        kept = (json.dumps(table, indent=2, ensure_ascii=False) + "\n").encode() == old
    except (ValueError, AttributeError, RecursionError):  # comments are allowed there
        return by_hand
    if not kept or not isinstance(listed, list):
        return by_hand
    table["recommendations"] = [*listed, _EXTENSION]
    return Planned(_EDITOR, old, (json.dumps(table, indent=2, ensure_ascii=False) + "\n").encode())


def _difference(one: Planned) -> str:
    from difflib import unified_diff

    if one.new is None or not one.changes:
        return ""
    old = (one.old or b"").decode("utf-8", "replace").splitlines(keepends=True)
    new = one.new.decode("utf-8", "replace").splitlines(keepends=True)
    name = visible(one.path.replace(os.sep, "/"))
    lines = unified_diff(old, new, f"a/{name}" if one.old is not None else "/dev/null", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _write(top: str, plan: list[Planned]) -> None:
    from sakaime.cli.files import write_whole

    for one in plan:
        if one.new is None or not one.changes:
            continue
        path = os.path.join(top, one.path)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise UserError(f"its folder cannot be made: {error.strerror}", path=one.path) from None
        write_whole(path, one.new, one.executable)


def _lines(plan: list[Planned], dry: bool) -> list[str]:
    """What was done with every file, and what is left to do."""
    lines = []
    for one in plan:
        said = one.said or "is as it should be"
        if one.changes:
            said = ("would be " if dry else "was ") + ("written" if one.old is None else "changed")
        lines.append(f"{visible(one.path)} {said}")
    changed = [one.path for one in plan if one.changes]
    if not changed:
        lines.append("Nothing to change.")
    elif not dry:
        plain = [path for path in changed if not path.startswith(".git" + os.sep) and not os.path.isabs(path)]
        to_add = [shlex.quote(path) for path in plain]
        lines += ["", "Next:"] if to_add else []
        if to_add:
            lines.append(f"  git add {' '.join(to_add)}")
        if ".pre-commit-config.yaml" in changed:
            lines.append("  pre-commit install        (or: prek install)")
    return lines
