"""What identifies a pack: its manifest, and the one digest over it, whatever way the pack travelled."""

from __future__ import annotations

import hashlib
import json
import unicodedata

from sakaime.model import UserError
from sakaime.policy.pack import PackTree
from sakaime.policy.yamltext import parse_kept
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAIN = "pack.yaml"
MOST_FILES, MOST_BYTES = 1000, 32 << 20
_LONGEST_NAME = 200


def pack_tree(files: dict[str, bytes], source: str, where: str) -> PackTree:
    """The files of a pack, identified.

    `files` maps paths inside the pack to bytes and must hold pack.yaml (a pack of one file is passed
    under that name). `source` says where they came from, `where` stands before names in messages. The
    digest is the sha256 of the manifest {pack, version, needs, files: path to sha256} as JSON with
    sorted keys, no blanks, UTF-8. If pack.yaml lists its `files`, every listed file must be there and
    unchanged, and no other. Raises `UserError`.
    """
    check_names(files, where)
    if MAIN not in files:
        raise UserError("has no pack.yaml", path=where, way_out="A pack is a YAML file, or a folder with pack.yaml.")
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        raise UserError(f"is larger than a pack may be ({MOST_FILES} files, {MOST_BYTES >> 20} MiB)", path=where)
    main = parse_kept(files[MAIN], where if len(files) == 1 else f"{where}/{MAIN}")
    head = main.data if isinstance(main.data, dict) else {}
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    listed = head.get("files")
    if isinstance(listed, dict) and listed:
        _as_listed(listed, {path: digest for path, digest in hashes.items() if path != MAIN}, where)
    manifest = {
        "pack": head.get("pack"),
        "version": head.get("version"),
        "needs": head.get("needs"),
        "files": hashes,
    }
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return PackTree(tuple(sorted(files.items())), digest, source, where, main)


def check_names(names: Iterable[str], where: str) -> None:
    """Refuses names that a pack cannot keep on every file system. Raises `UserError`.

    A name is a relative path with `/` between its parts; one that climbs out of the pack, that another
    system reads as something else, or that equals another one but for case, is refused.
    """
    seen: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        if (
            any(part in ("", ".", "..") or part[-1] in ". " for part in parts)
            or any(char in '\\:*?"<>|' or not char.isprintable() for char in name)
            or len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME
        ):
            raise UserError(f"{printable(name)!r} cannot be the name of a file in a pack", path=where)
        same = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if same != name:
            raise UserError(f"{same!r} and {name!r} are one file on some systems", path=where, way_out="Rename one.")


def _as_listed(listed: dict[str, object], found: dict[str, str], where: str) -> None:
    for path in sorted(listed.keys() | found.keys()):
        if path not in found:
            problem = "is listed in pack.yaml and missing"
        elif path not in listed:
            problem = "is not listed in pack.yaml"
        elif listed[path] != found[path]:
            problem = "is not the file that pack.yaml lists (another sha256)"
        else:
            continue
        raise UserError(f"{path} {problem}", path=f"{where}/{MAIN}", way_out="Take the pack from its source again.")
