"""Where a document belongs and what decides about it: its repository, its old side, its policy."""

from __future__ import annotations

import os
import stat
import time

from sakaime.material import git
from sakaime.model import CannotJudge, Record, SakaimeError, UserError
from sakaime.packs.changed import notes
from sakaime.packs.inforce import BASELINE, LOCK, PYPROJECT, SETTINGS, org_file, policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sakaime.policy.policy import Policy

SETTINGS_FILES = (SETTINGS, PYPROJECT, LOCK, BASELINE)
_MOST = (4 << 20) + 1  # above what the readers of these files accept, so that they say so


class Home(Record):
    """The root of the repository (None: there is none), and the path inside it with slashes."""

    root: str | None
    path: str


# Names that tell the kind of an unsaved text, by the editor's language id.
_UNSAVED = {
    "markdown": "md", "yaml": "yml", "dockercompose": "yml", "python": "py", "javascript": "js",
    "javascriptreact": "jsx", "typescript": "ts", "typescriptreact": "tsx", "shellscript": "sh", "rust": "rs",
    "ruby": "rb", "csharp": "cs", "perl": "pl", "powershell": "ps1", "makefile": "mk",
}  # fmt: skip
_MESSAGES = ("git-commit", "gitcommit", "git-tag", "gittag")


def is_message(language: str | None) -> bool:
    """Whether an editor's language id means the message of a commit."""
    return language in _MESSAGES


def home_of(file: str | None, name: str, language: str | None) -> Home:
    """Where a document belongs. `file` is its path on disk, None if it has none; `name` what it is called."""
    if file is None:
        base = name.replace("\\", "/").rsplit("/", 1)[-1]
        if "." in base or not language:
            return Home(None, base or "untitled")
        return Home(None, f"{base or 'untitled'}.{_UNSAVED.get(language, language)}")
    folder, base = os.path.split(os.path.abspath(file))
    try:
        top = git.root(folder)
    except SakaimeError:
        return Home(None, base)
    # The folder's links are followed, as git does; the file's own are not: a link is judged as its text.
    path = os.path.relpath(os.path.join(os.path.realpath(folder), base), top)
    if path.startswith(os.pardir):
        return Home(None, base)
    return Home(top, path.replace(os.sep, "/"))


class Bases:
    """The old sides of documents: one git process per repository, started when needed."""

    def __init__(self) -> None:
        self._objects: dict[str, git.Objects] = {}

    def old(self, home: Home) -> bytes | None:
        """The file in HEAD; None where it has none. Raises `CannotJudge` when git does not answer."""
        if home.root is None:
            return None
        objects = self._objects.setdefault(home.root, git.Objects(home.root))
        try:
            return objects.get(f"HEAD:{home.path}")
        except CannotJudge:
            self._objects.pop(home.root).close()  # the next question starts it anew
            raise

    def close(self) -> None:
        """Ends the processes."""
        while self._objects:
            self._objects.popitem()[1].close()


class Ruling(Record):
    """The policy that decides, and the mistake, if any, for which a newer one was not taken."""

    policy: Policy
    mistake: SakaimeError | None


class Rulings:
    """The policy of each repository, read again when one of its files changed.

    While a file holds a mistake, the last policy without one decides; before there was one, the shipped
    rules do. Where `trusted` is false, nothing of a repository is read.
    """

    def __init__(self, trusted: bool) -> None:
        self._trusted = trusted
        self._kept: dict[str, tuple[object, Ruling]] = {}

    def of(self, home: Home) -> Ruling:
        """What decides in a repository. Raises `SakaimeError` when not even the shipped rules can."""
        root = home.root if self._trusted else None
        top = root or ""
        org = org_file(None)
        state = (
            time.strftime("%Y-%m-%d"),
            org,
            _state(org),
            [_state(os.path.join(top, n)) for n in SETTINGS_FILES],
        )
        last = self._kept.get(top)
        if last is not None and last[0] == state:
            return last[1]
        try:
            ruling = Ruling(_against_head(root, policy_in_force(top, _reader(root), org), org), None)
        except SakaimeError as error:
            policy = last[1].policy if last is not None else policy_in_force(top, _nothing, org)
            ruling = Ruling(policy, error)
        self._kept[top] = (state, ruling)
        return ruling

    def forget(self) -> None:
        """Reads every policy again when it is asked for next. The last good ones stay known."""
        self._kept = {top: (None, ruling) for top, (_, ruling) in self._kept.items()}


def _against_head(root: str | None, policy: Policy, org: str | None) -> Policy:
    """The policy, with what it softens against HEAD. Where git does not answer, nothing is compared."""
    if root is None:
        return policy
    objects = git.Objects(root)
    try:
        said = notes(
            SETTINGS_FILES, policy, lambda name: objects.get(f"HEAD:{name}"), _reader(root), org, root, local=True
        )
    except CannotJudge:
        return policy
    finally:
        objects.close()
    return policy.replace(notes=(*policy.notes, *said))


def _state(path: str | None) -> object:
    try:
        seen = os.stat(path or "")
        return seen.st_mtime_ns, seen.st_size, seen.st_ino
    except OSError:
        return None


def _nothing(name: str) -> bytes | None:  # noqa: ARG001
    return None


def _reader(root: str | None) -> Callable[[str], bytes | None]:
    if root is None:
        return _nothing

    def read(name: str) -> bytes | None:
        path = os.path.join(root, name)
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would never end
                return None
            with open(path, "rb") as file:
                return file.read(_MOST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", path=name) from None

    return read
