"""Where a document belongs and what decides about it: its repository, its old side, its policy."""

from __future__ import annotations

import os
import stat
import time
from collections import OrderedDict

from sakaime.material import git
from sakaime.model import CannotJudge, Record, SakaimeError, UserError
from sakaime.packs.changed import notes
from sakaime.packs.inforce import BASELINE, LOCK, PYPROJECT, SETTINGS, org_file, policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from sakaime.policy.policy import Policy

    Asked = TypeVar("Asked")

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
_MESSAGES = ("git-commit", "gitcommit", "git-tag", "gittag", "scminput")  # the last one: the box in VS Code


_MESSAGE_FILES = ("COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG")


def is_message(language: str | None, file: str | None = None) -> bool:
    """Whether an editor's language id, or the file that git has made for it, means the message of a commit."""
    if language in _MESSAGES:
        return True
    folder, name = os.path.split(file or "")
    return name in _MESSAGE_FILES and ".git" in folder.replace("\\", "/").split("/")


def kind_of(language: str | None) -> str:
    """The ending of a file name that tells the kind of a text, by the editor's language id."""
    return _UNSAVED.get(language or "", language or "txt")


def home_of(file: str | None, name: str, language: str | None) -> Home:
    """Where a document belongs. `file` is its path on disk, None if it has none; `name` what it is called."""
    if file is None:
        base = name.replace("\\", "/").rsplit("/", 1)[-1]
        if "." in base or not language:
            return Home(None, base or "untitled")
        return Home(None, f"{base or 'untitled'}.{kind_of(language)}")
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


class Old(Record):
    """The old side of a document: the bytes (None: there is none) and something that changes whenever they do."""

    data: bytes | None
    id: str = ""


HEAD = "HEAD"
_OLD_SIDES, _REPOSITORIES = 64, 8  # that are kept at hand: those asked for last


class Bases:
    """The old sides of documents, by two git processes per repository, started when needed.

    `ref` names what the change is judged against; where that is not HEAD, it is the merge base of HEAD and that.
    """

    def __init__(self) -> None:
        self.ref = HEAD
        self._objects: OrderedDict[str, git.Objects] = OrderedDict()
        self._merged: dict[str, tuple[object, str]] = {}
        self._read: OrderedDict[tuple[str, str], Old] = OrderedDict()

    def name(self, root: str | None) -> str:
        """What the old side is called."""
        return self.ref if root is not None else HEAD

    def old(self, home: Home) -> Old:
        """The file on the old side. Raises `CannotJudge` when git does not answer, or the base is not known."""
        if home.root is None:
            return Old(None)
        root, commit = home.root, self.commit(home.root)
        oid = self._asked(root, lambda objects: objects.oid(f"{commit}:{home.path}")) or ""
        last = self._read.pop((root, home.path), None)
        if last is None or last.id != oid:
            last = Old(self._asked(root, lambda objects: objects.get(oid)) if oid else None, oid)
        self._read[root, home.path] = last
        while len(self._read) > _OLD_SIDES:
            self._read.popitem(last=False)
        return last

    def commit(self, root: str) -> str:
        """The name of the commit that the old sides are of. Raises `CannotJudge` where there is none."""
        ref = self.name(root)
        if ref == HEAD:
            return HEAD
        tips = self._asked(root, lambda o: (o.oid("HEAD^{commit}"), o.oid(f"{ref}^{{commit}}")))
        if None in tips:
            raise CannotJudge(f"there is no {ref} in this clone", way_out=f"Fetch it, or set another base than {ref}.")
        last = self._merged.get(root)
        if last is None or last[0] != (ref, tips):
            said = git.ask(root, "merge-base", *(str(tip) for tip in tips))
            if said is None:
                raise CannotJudge(f"HEAD and {ref} have no commit in common in this clone")
            last = self._merged[root] = (ref, tips), said.decode("ascii").strip()
        return last[1]

    def _asked(self, root: str, ask: Callable[[git.Objects], Asked]) -> Asked:
        """What a question to a repository gives. After one without an answer, the next one starts git anew."""
        objects = self._objects.pop(root, None) or git.Objects(root)
        self._objects[root] = objects
        try:
            return ask(objects)
        except CannotJudge:
            self._objects.pop(root).close()
            raise
        finally:
            while len(self._objects) > _REPOSITORIES:
                self._objects.popitem(last=False)[1].close()

    def close(self) -> None:
        """Ends the processes."""
        while self._objects:
            self._objects.popitem()[1].close()


class Ruling(Record):
    """The policy that decides, and the mistake, if any, for which a newer one was not taken.

    `shipped` says that there was no other one before: the rules that come with sakaime decide. `seen` changes whenever
    a file that the policy is made of does.
    """

    policy: Policy
    mistake: SakaimeError | None
    shipped: bool = False
    seen: str = ""


class Rulings:
    """The policy of each repository, read again when one of its files changed.

    Settings and packs count as they are on disk, packs in folders of the repository even before they are locked: so
    one can work on them. While a file holds a mistake, the last policy without one decides; before there was one, the
    shipped rules do. Where `trusted` is false, nothing of a repository is read.
    """

    def __init__(self, trusted: bool) -> None:
        self.trusted = trusted
        self._kept: dict[str, tuple[object, Ruling]] = {}
        self._times_forgotten = 0

    def of(self, home: Home) -> Ruling:
        """What decides in a repository. Raises `SakaimeError` when not even the shipped rules can."""
        root = home.root if self.trusted else None
        top = root or ""
        org = org_file(None)
        last = self._kept.get(top)
        before = self._settings(top)  # what is written while it is read counts the next time
        if last is not None and last[0] == (before, _files(top, last[1])):
            return last[1]
        try:
            read = _with_folders_as_they_are(root, _reader(root))
            ruling = Ruling(_against_head(root, policy_in_force(top, read, org), read, org), None)
        except SakaimeError as error:
            shipped = last is None or last[1].shipped
            policy = policy_in_force(top, _nothing, org) if last is None else last[1].policy
            ruling = Ruling(policy, error, shipped)
        files = _files(top, ruling)
        ruling = ruling.replace(seen=repr((before[1:], files)))
        self._kept[top] = ((before, files), ruling)
        return ruling

    def moved(self) -> bool:
        """Whether a file of some policy is not as it was."""
        return any(
            state != (self._settings(top), _files(top, ruling)) for top, (state, ruling) in list(self._kept.items())
        )

    def forget(self) -> None:
        """Reads every policy again when it is asked for next. The last good ones stay known."""
        self._times_forgotten += 1

    def _settings(self, top: str) -> tuple[object, ...]:
        """What changes when a policy has to be read again, and is known before it is read."""
        org = org_file(None)
        paths = [org or "", *(os.path.join(top, name) for name in SETTINGS_FILES)]
        return self._times_forgotten, time.strftime("%Y-%m-%d"), org, [_stat(path) for path in paths]


def _files(top: str, ruling: Ruling) -> object:
    """The same, known afterwards: the files of its packs, apart from new ones in a pack's folder."""
    named = [os.path.join(top, ruling.mistake.path)] if ruling.mistake is not None and ruling.mistake.path else []
    return [_stat(path) for path in (*named, *(file for file, _ in ruling.policy.files))]


def _with_folders_as_they_are(root: str | None, read: Callable[[str], bytes | None]) -> Callable[[str], bytes | None]:
    """A reader that gives the lock with the packs in folders of the repository as they are now."""
    if root is None:
        return read
    own, pyproject, lock = read(SETTINGS), read(PYPROJECT), read(LOCK)
    if b"extends" not in (own or b"") + (pyproject or b""):
        return read
    from sakaime.packs.sync import lock_with_folders  # readers of packs, which most repositories never need
    from sakaime.policy.settings import read_settings

    relocked = lock_with_folders(root, read_settings(own, pyproject), lock)
    return lambda name: relocked if name == LOCK else read(name)


def _against_head(root: str | None, policy: Policy, read: Callable[[str], bytes | None], org: str | None) -> Policy:
    """The policy, with what it softens against HEAD. Where git does not answer, nothing is compared."""
    if root is None:
        return policy
    objects = git.Objects(root)
    try:
        said = notes(SETTINGS_FILES, policy, lambda name: objects.get(f"HEAD:{name}"), read, org, root, local=True)
    except CannotJudge:
        return policy
    finally:
        objects.close()
    return policy.replace(notes=(*policy.notes, *said))


def _stat(path: str) -> object:
    try:
        seen = os.stat(path)
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
