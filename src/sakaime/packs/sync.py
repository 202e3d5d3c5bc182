"""Fetching the extended packs and locking them: the only place from which a socket is opened."""

from __future__ import annotations

import hashlib
import time

from sakaime.model import CannotJudge, Record, SakaimeError
from sakaime.packs import shipped, store
from sakaime.packs.extends import check_version, entries, inside, label, mistake
from sakaime.packs.lock import LOCK, Pin, lock_text, read_lock
from sakaime.packs.locked import SYNC, from_repository
from sakaime.packs.manifest import pack_tree
from sakaime.packs.transports import Fetched, fetch, scheme
from sakaime.policy.compile import compile_policy
from sakaime.policy.pack import LoadedPack, PackTree, read_pack
from sakaime.policy.settings import NOTHING, Extend, Placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.packs.locked import Read


class Synced(Record):
    """What became of one pack: `what` is added, updated, unchanged or removed; `was` its earlier pin."""

    name: str
    what: str
    pin: Pin
    was: Pin | None


class _Got(Record):
    pack: LoadedPack
    pin: Pin


def sync(top: str, settings: Placed, lock: bytes | None, update: bool = False) -> tuple[list[Synced], bytes]:
    """Brings every extended pack into the cache, and gives what happened with the new sakaime.lock.

    A pack whose entry is as locked stays at the locked commit; `update` takes what its `ref` means now. A
    folder is always taken as it is. Raises `SakaimeError`, and then nothing has been written.
    """
    pins = read_lock(lock) if lock is not None else {}
    extended = entries(settings)
    got = [_get(top, settings, number, pins.get(extend.pack), update) for number, extend in enumerate(extended)]
    _fit_together([one.pack for one in got])
    for one in got:
        store.put(one.pack.tree)
    after = {one.pack.model.pack: one.pin for one in got}
    done = [_told(name, after.get(name), pins.get(name)) for name in sorted(after.keys() | pins.keys())]
    return done, lock_text(after)


def lock_with_folders(top: str, settings: Placed, lock: bytes | None) -> bytes:
    """The lock as it would be if the packs in folders of the repository were locked now. Writes nothing.

    Raises `SakaimeError` for a mistake in the settings, the lock or a pack.
    """
    pins = dict(read_lock(lock)) if lock is not None else {}
    for number, extend in enumerate(entries(settings)):
        if not scheme(extend.source) and inside(top, extend.source) is not None:
            pins[extend.pack] = _get(top, settings, number, pins.get(extend.pack), False).pin
    return lock_text(pins)


def fill(top: str, settings: Placed, lock: bytes | None, read: Read) -> list[Synced]:
    """Brings the packs of a lock into the cache as they are pinned, and writes nothing else.

    Raises `CannotJudge` where one can no longer be had as pinned.
    """
    pins = read_lock(lock) if lock is not None else {}
    done = []
    for number, extend in enumerate(entries(settings)):
        pin = pins.get(extend.pack)
        if pin is None or not pin.made_from(extend):
            raise _placed(CannotJudge(f"pack {extend.pack} is not locked there", way_out=SYNC), settings, number)
        if from_repository(top, extend, pin, read) is None:
            got = _get(top, settings, number, pin, False)
            if got.pin.digest != pin.digest:
                text = f"{label(extend)} no longer gives pack {extend.pack} as locked"
                raise _placed(CannotJudge(text), settings, number)
            store.put(got.pack.tree)
        done.append(Synced(extend.pack, "unchanged", pin, pin))
    return done


def _get(top: str, settings: Placed, number: int, pin: Pin | None, update: bool) -> _Got:
    extend = settings.settings.extends[number]
    keep = pin if pin is not None and pin.commit and pin.made_from(extend) and not update else None
    tree = _kept(keep, extend) if keep is not None else None
    if tree is None:
        try:
            fetched = fetch(extend, top, keep.commit if keep is not None else "")
        except SakaimeError as error:
            raise _placed(error, settings, number) from None
        tree = _tree(fetched, extend)
        commit = fetched.revision
    else:
        commit = keep.commit if keep is not None else ""
    if keep is not None and tree.digest != keep.digest:
        text = f"commit {keep.commit} does not give pack {extend.pack} with the digest that {LOCK} pins"
        raise _placed(CannotJudge(text, way_out="Take it anew: sakaime pack sync --update"), settings, number)
    pack = read_pack(tree)
    if pack.model.pack != extend.pack:
        text = f"{label(extend)} is pack {pack.model.pack!r}, not {extend.pack!r}"
        raise mistake(settings, number, "pack", text, f'Write pack = "{pack.model.pack}", or mend the source.')
    check_version(settings, number, pack.model.version)
    data = {
        "version": pack.model.version,
        "digest": tree.digest,
        "from": extend.source,
        "ref": extend.ref,
        "path": extend.path,
        "commit": commit,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in tree.files},
    }
    return _Got(pack, Pin.model_validate(data))


def _kept(pin: Pin, extend: Extend) -> PackTree | None:
    try:
        return store.get(pin.digest, pin.files, label(extend))
    except CannotJudge:
        return None  # broken: it is fetched again, and replaced


def _tree(fetched: Fetched, extend: Extend) -> PackTree:
    return pack_tree(fetched.files, label(extend), label(extend))


def _placed(error: SakaimeError, settings: Placed, number: int) -> SakaimeError:
    if error.path is None:
        error.message = f"pack {settings.settings.extends[number].pack}: {error.message}"
        error.path, (error.line, error.column) = settings.path, settings.place(("extends", number, "from"))
    return error


def _fit_together(packs: list[LoadedPack]) -> None:
    compile_policy([*map(read_pack, shipped.trees()), *packs], NOTHING, None, time.strftime("%Y-%m-%d"))


def _told(name: str, pin: Pin | None, was: Pin | None) -> Synced:
    if pin is None:
        assert was is not None
        return Synced(name, "removed", was, was)
    if was is None:
        return Synced(name, "added", pin, None)
    return Synced(name, "unchanged" if pin == was else "updated", pin, was)
