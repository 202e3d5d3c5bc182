"""sakaime.lock: which version of every extended pack is in force, down to the bytes of its files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import tomlkit
from pydantic import Field, StringConstraints, ValidationError

from sakaime.model import UserError
from sakaime.packs.manifest import check_names
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.schema import Name, Strict, Version
from sakaime.policy.settings import Extend, Plain, nearest, toml_document
from sakaime.policy.tomlplaces import toml_places

LOCK = "sakaime.lock"
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Commit = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})?$")]


class Pin(Strict):
    """One pack as it was when it was last synced."""

    version: Version = Field(description="The version of the pack.")
    digest: Sha256 = Field(description="The sha256 of its manifest, in hex.")
    source: Plain = Field(alias="from", description="Where it came from, as the settings name it.")
    ref: Plain = Field("", description="Of a git source: what the settings ask for.")
    path: Plain = Field("", description="Of a git source: the folder or file inside it.")
    commit: Commit = Field("", description="Of a git source: the commit that it was taken from.")
    files: dict[str, Sha256] = Field(description="Its files, path to sha256 (hex).")

    def made_from(self, extend: Extend) -> bool:
        """Whether the settings still name the source that this was made from."""
        return (self.source, self.ref, self.path) == (extend.source, extend.ref, extend.path)


class Lock(Strict):
    """The whole file."""

    sakaime: Literal[1] = Field(description="The version of this format.")
    packs: dict[Name, Pin] = Field({}, description="The packs that the settings extend, by name.")


def read_lock(data: bytes) -> dict[str, Pin]:
    """The pins by name of the pack. Raises `UserError` with the place of a mistake."""
    table = toml_document(data, LOCK)
    places = toml_places(data.decode("utf-8-sig"))
    try:
        lock = Lock.model_validate(table)
    except ValidationError as error:
        first = first_with_others(mistakes(error, lambda path: (LOCK, *nearest(places, path)), Lock))
        first.way_out = "The file is written by `sakaime pack sync`: delete it and run that again."
        raise first from None
    for name, pin in lock.packs.items():
        _check_names(pin, nearest(places, ("packs", name, "files")))
    return lock.packs


def _check_names(pin: Pin, place: tuple[int, int]) -> None:
    try:
        check_names(pin.files, LOCK)
    except UserError as error:
        error.line, error.column = place
        raise


def lock_text(pins: dict[str, Pin]) -> bytes:
    """The file that holds these pins: the same bytes for the same pins."""
    document = tomlkit.document()
    document.add(tomlkit.comment("Written by `sakaime pack sync`. Commit it with sakaime.toml."))
    document.add("sakaime", tomlkit.item(1))
    packs = tomlkit.table(is_super_table=True)
    for name in sorted(pins):
        pin = pins[name]
        values: dict[str, Any] = pin.model_dump(by_alias=True, exclude={"files"})
        table = tomlkit.table()
        for key, value in values.items():
            if value:
                table.add(key, value)
        files = tomlkit.table()
        for path in sorted(pin.files):
            files.add(path, pin.files[path])
        table.add("files", files)
        packs.add(name, table)
    if pins:
        document.add("packs", packs)
    return tomlkit.dumps(document).encode()
