"""A list of defects that somebody made by hand: risks to look for, under names of their own."""

from __future__ import annotations

from difflib import get_close_matches

from pydantic import Field, RootModel, ValidationError

from sakaime.cli.outside import handed_in
from sakaime.model import Defect, UserError
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.schema import Strict
from sakaime.policy.yamltext import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class Entry(Strict):
    """One defect."""

    id: str = Field(min_length=1, max_length=200, description="What the defect is called in the answer.")
    path: str = Field(min_length=1, description="The file, from the root of the repository.")
    line: int = Field(ge=1, description="The line in the new side of the file.")
    what: str = Field("", description="What is wrong there; its words say which topic it is of.")


class Entries(RootModel[list[Entry]]):
    """The list."""


def defects(file: str, paths: Mapping[str, int | None]) -> list[Defect]:
    """The defects of a YAML or JSON file; `paths` are the files of the change, each with the number of its lines, where
    that is known.

    Raises `UserError` where the file is no such list, an id stands twice, or a path or line is none of the change's.
    """
    document = parse(handed_in(file), file)
    try:
        entries = Entries.model_validate(document.data).root
    except ValidationError as error:
        raise first_with_others(mistakes(error, lambda path: (file, *document.place(path)), Entries)) from None
    seen: set[str] = set()
    errors = []
    for number, entry in enumerate(entries):
        for key, wrong, way_out in (
            ("id", f"the id {entry.id!r} stands twice" if entry.id in seen else "", "Rename one of the two."),
            ("line", _beyond(entry, paths.get(entry.path)), "Lines are counted in the new side of the file."),
            ("path", "" if entry.path in paths else f"the change has no file {entry.path!r}", _near(entry.path, paths)),
        ):
            if wrong:
                line, column = document.place((number, key))
                errors.append(UserError(wrong, path=file, line=line, column=column, way_out=way_out))
        seen.add(entry.id)
    if errors:
        raise first_with_others(errors)
    return [Defect(entry.id, entry.path, entry.line, entry.what) for entry in entries]


def _beyond(entry: Entry, lines: int | None) -> str:
    if lines is None or entry.line <= lines:
        return ""
    return f"{entry.path!r} has no line {entry.line}, it ends with line {lines}"


def _near(path: str, paths: Collection[str]) -> str:
    near = get_close_matches(path, paths, 1)
    return f"Did you mean {near[0]!r}?" if near else "Paths are written from the root of the repository."
