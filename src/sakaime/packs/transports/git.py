"""Packs from a git repository: fetched into a bare one of our own, read as objects, never checked out."""

from __future__ import annotations

import re
import tempfile

from sakaime.material import git
from sakaime.model import CannotJudge, Record, UserError
from sakaime.packs.manifest import MAIN, MOST_BYTES, MOST_FILES
from sakaime.packs.transports import Fetched
from sakaime.policy.settings import Extend
from sakaime.text.paths import printable

# A server's name that begins with a dash would be an option of ssh.
_REMOTE = re.compile(r"(?P<scheme>https|ssh)://(?:(?P<user>[^/@\s]*)@)?(?P<host>[^-/@\s][^/@\s]*)(?P<path>/.+)?\Z")
_SCP = re.compile(r"ssh://(?P<user>[^-/@:\s][^/@:\s]*)@(?P<host>[^-/@:\s][^/@:\s]*):(?P<path>(?!\d+/)[^-].*)\Z")
_FILE = re.compile(r"file:///.+\Z")
_BAD_REF = re.compile(r"^[-+^]|[\s:?*\[\\^~\x00-\x1f\x7f]|\.\.|@\{")
_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z")
_REGULAR = ("100644", "100755")


def fetch(extend: Extend, top: str, revision: str = "") -> Fetched:  # noqa: ARG001  (a URL is not relative to it)
    """The files of a folder or file of a commit, with the id of that commit."""
    url, protocols = address(extend.source)
    if _BAD_REF.search(extend.ref):
        raise UserError(f"{printable(extend.ref)!r} is not the name of a tag, branch or commit")
    parts = [part for part in extend.path.split("/") if part not in ("", ".")]
    if ".." in parts or extend.path.startswith("/"):
        raise UserError(f"{printable(extend.path)!r} is not a path inside the repository")
    with tempfile.TemporaryDirectory(prefix="sakaime-", ignore_cleanup_errors=True) as folder:
        git.apart(folder, "init", "--quiet", "--bare", "--template=")
        commit = _fetch_commit(folder, url, revision or extend.ref or "HEAD", protocols)
        return Fetched(_files(folder, commit, parts), commit)


def address(source: str) -> tuple[str, str]:
    """A `git+...` source as the URL for git and the protocols it may speak. Raises `UserError`."""
    url = source.removeprefix("git+")
    if _FILE.match(url):
        return url, "file"
    if scp := _SCP.match(url):
        return f"{scp['user']}@{scp['host']}:{scp['path']}", "ssh"
    found = _REMOTE.match(url)
    if found is None or not found["path"] or (found["user"] or "").startswith("-"):
        raise UserError("this is no URL of a git repository", way_out="Write git+https://host/organisation/rules.git")
    if ":" in (found["user"] or "") or (found["user"] and found["scheme"] == "https"):
        raise UserError(
            "a URL that everybody can read must not hold credentials",
            way_out="Remove what stands before the @; git asks its credential helper.",
        )
    return url, "https:ssh"  # a user's `insteadOf` may turn one into the other


def _fetch_commit(folder: str, url: str, wanted: str, protocols: str) -> str:
    """Fetches one commit, alone where the server lets us, and gives its id."""
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-commit-graph")
    try:
        git.apart(folder, "fetch", "--depth=1", *options, "--", url, wanted, protocols=protocols)
        found = "FETCH_HEAD"
    except CannotJudge:
        if not _COMMIT.match(wanted):
            raise
        # Some servers give a commit only below a branch or tag, and none knows a shortened id.
        every = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        git.apart(folder, "fetch", *options, "--", url, *every, protocols=protocols)
        found = wanted
    return git.apart(folder, "rev-parse", "--verify", "--quiet", f"{found}^{{commit}}").decode().strip()


class _Entry(Record):
    name: str
    mode: str
    oid: str
    size: int


def _entries(folder: str, *args: str) -> list[_Entry]:
    out = []
    for line in git.apart(folder, "ls-tree", "-z", "-l", *args).split(b"\0"):
        if line:
            head, _, name = line.partition(b"\t")
            mode, _kind, oid, size = head.decode().split()
            out.append(_Entry(name.decode("utf-8", "surrogateescape"), mode, oid, int(size) if size.isdigit() else 0))
    return out


def _files(folder: str, commit: str, parts: list[str]) -> dict[str, bytes]:
    tree = f"{commit}^{{tree}}"
    for depth, part in enumerate(parts, 1):
        shown = "/".join(parts[:depth])
        entry = next((e for e in _entries(folder, tree) if e.name == part), None)
        if entry is None:
            raise UserError(f"{printable(shown)} does not exist in commit {commit[:12]}")
        if entry.mode == "040000":
            tree = entry.oid
        elif depth == len(parts) and entry.mode in _REGULAR and part.endswith((".yaml", ".yml")):
            return _blobs(folder, [entry.replace(name=MAIN)])
        else:
            raise UserError(f"{printable(shown)} is neither a folder nor a YAML file")
    listed = _entries(folder, "-r", tree)
    return _blobs(folder, [e for e in listed if not any(map(_hidden, e.name.split("/")))])


def _hidden(part: str) -> bool:
    return part.startswith(".") and part not in (".", "..")


def _blobs(folder: str, entries: list[_Entry]) -> dict[str, bytes]:
    if odd := next((e for e in entries if e.mode not in _REGULAR), None):
        what = {"120000": "a symlink", "160000": "a submodule"}.get(odd.mode, "no regular file")
        raise UserError(f"{printable(odd.name)} is {what}", way_out="A pack is regular files.")
    if len(entries) > MOST_FILES or sum(e.size for e in entries) > MOST_BYTES:
        raise UserError(
            f"is larger than a pack may be ({MOST_FILES} files, {MOST_BYTES >> 20} MiB)",
            way_out="Give the pack a folder of its own, and name it in `path`.",
        )
    out = git.apart(folder, "cat-file", "--batch", stdin="".join(f"{e.oid}\n" for e in entries).encode())
    files: dict[str, bytes] = {}
    at = 0
    for entry in entries:
        start = out.index(b"\n", at) + 1
        files[entry.name] = out[start : start + entry.size]
        at = start + entry.size + 1
    return files
