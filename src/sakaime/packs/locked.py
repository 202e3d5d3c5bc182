"""The packs that settings add, as the lock pins them. Opens no socket."""

from __future__ import annotations

import hashlib
import os

from sakaime.model import CannotJudge
from sakaime.packs import store
from sakaime.packs.extends import check_version, entries, inside, label
from sakaime.packs.lock import LOCK, Pin, read_lock
from sakaime.packs.manifest import MAIN, pack_tree
from sakaime.packs.transports import scheme
from sakaime.policy.pack import PackTree
from sakaime.policy.settings import Extend, Placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], bytes | None]

SYNC = "Run `sakaime pack sync` and commit sakaime.lock."
_FILL = (
    "Run: sakaime pack sync\n"
    "  Where the policy comes from another commit (check --range): sakaime pack sync --policy-from COMMIT"
)


def locked_trees(
    top: str, settings: Placed, lock: bytes | None, read: Read
) -> tuple[list[PackTree], tuple[tuple[str, str], ...]]:
    """Every extended pack as pinned, and the files on disk that it stands for: (path, hex sha256).

    `read` gives the bytes of a file of the repository from the side that is trusted: a pack in a folder
    of the repository is taken from there, any other one from the cache. Raises `CannotJudge` where a
    pack is not locked, not at hand, or not what the lock pins; `UserError` for a mistake in the settings
    or in the lock.
    """
    trees: list[PackTree] = []
    files: list[tuple[str, str]] = []
    extended = entries(settings)
    pins = read_lock(lock) if lock is not None and extended else {}
    for number, extend in enumerate(extended):
        try:
            pin = _pin_of(extend, pins, lock is not None)
            check_version(settings, number, pin.version)
            tree, places = from_repository(top, extend, pin, read) or _from_store(extend, pin)
        except CannotJudge as error:
            if error.path is None:
                error.path, (error.line, error.column) = settings.path, settings.place(("extends", number))
            raise
        trees.append(tree)
        files += [(places[name], hashlib.sha256(data).hexdigest()) for name, data in tree.files]
    return trees, tuple(files)


def _pin_of(extend: Extend, pins: dict[str, Pin], there_is_a_lock: bool) -> Pin:
    pin = pins.get(extend.pack)
    if pin is None:
        why = "" if there_is_a_lock else f": there is no {LOCK}"
        raise CannotJudge(f"pack {extend.pack} is not locked{why}", way_out=SYNC)
    if not pin.made_from(extend):
        made = label(extend.model_copy(update={"source": pin.source, "ref": pin.ref, "path": pin.path}))
        text = f"{LOCK} is stale: it pins pack {extend.pack} from {made}, the settings say {label(extend)}"
        raise CannotJudge(text, way_out=SYNC)
    return pin


def from_repository(top: str, extend: Extend, pin: Pin, read: Read) -> tuple[PackTree, dict[str, str]] | None:
    """A pack in a folder of the repository, with the place on disk of every file; None if it is not there."""
    below = None if scheme(extend.source) else inside(top, extend.source)
    if below is None:
        return None
    if pin.files.keys() == {MAIN} and below.endswith((".yaml", ".yml")):
        places = {MAIN: below}
    else:
        places = {name: os.path.normpath(f"{below}/{name}").replace(os.sep, "/") for name in pin.files}
    found = {name: data for name, place in places.items() if (data := read(place)) is not None}
    if not found:
        return None
    for name, digest in pin.files.items():
        if name not in found or hashlib.sha256(found[name]).hexdigest() != digest:
            raise CannotJudge(
                f"{LOCK} is stale: {places[name]} is not what it pins of pack {extend.pack}", way_out=SYNC
            )
    tree = pack_tree(found, label(extend), below)
    if tree.digest != pin.digest:
        raise CannotJudge(
            f"{LOCK} contradicts itself: the digest of pack {extend.pack} is not that of its files",
            way_out=SYNC,
        )
    return tree, {name: os.path.join(top, *place.split("/")) for name, place in places.items()}


def _from_store(extend: Extend, pin: Pin) -> tuple[PackTree, dict[str, str]]:
    tree = store.get(pin.digest, pin.files, label(extend))
    if tree is None:
        text = f"pack {extend.pack} {pin.version} is not in the pack cache of this machine"
        raise CannotJudge(text, way_out=_FILL)
    folder = store.folder_of(pin.digest)
    return tree, {name: os.path.join(folder, *name.split("/")) for name, _ in tree.files}
