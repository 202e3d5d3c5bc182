"""What a repository and an organisation set: models, and reading them with places for messages."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import tomlkit
from pydantic import Field, StringConstraints, ValidationError
from tomlkit.exceptions import ParseError, TOMLKitError

from sakaime.model import Record, UserError
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.schema import Glob, Name, Paths, Severity, Strict, Version
from sakaime.policy.tomlplaces import toml_places, toml_twice
from sakaime.policy.yamltext import Path, parse

LIMIT = 1 << 20
RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]+/[a-z0-9_-]+$")]


Plain = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=1000)]


class Extend(Strict):
    """A pack to add, and where it is to be had."""

    pack: Name = Field(description="The name of the pack.")
    source: Plain = Field(alias="from", min_length=1, description="A folder or file, or a git URL: git+https://...")
    ref: Plain = Field("", description="Of a git source: the tag, branch or commit.")
    path: Plain = Field("", description="Of a git source: the folder or file inside it.")
    version: str = Field("", description="A version specifier that the pack must meet, such as >=2,<3")


class RuleSetting(Strict):
    """What the repository changes about a rule."""

    severity: Severity | None = Field(None, description="Another severity.")
    enabled: bool = Field(True, description="false switches the rule off.")
    paths: Paths | None = Field(None, description="Other files to look at.")
    reason: str = Field("", description="Why; needed for anything that softens the rule.")
    until: date | None = Field(None, description="The last day of a softening.")


class AllowEntry(Strict):
    """An exception: findings of one rule that may stay."""

    rule: RuleId = Field(description="The full id of the rule.")
    path: str = Field("", description="The file; empty: any.")
    fingerprint: str = Field("", description="The fingerprint of the finding, as JSON output gives it.")
    line: str = Field("", description="Or the text of the line, without blanks around it.")
    reason: str = Field(min_length=1, description="Why it may stay.")
    until: date | None = Field(None, description="The last day on which it may.")


class UnjudgedEntry(Strict):
    """Files that are no readable text and may pass all the same; they are listed as skipped."""

    path: Glob = Field(description="A gitignore pattern of the files.")
    reason: str = Field(min_length=1, description="Why they may pass without being judged.")
    until: date | None = Field(None, description="The last day on which they may.")


class Criteria(Strict):
    """Further documents that say what a review looks at."""

    paths: list[Glob] = Field([], description="The documents; gitignore patterns.")


class Settings(Strict):
    """sakaime.toml, or [tool.sakaime] of pyproject.toml."""

    extends: list[Extend] = Field([], description="Packs in force besides the shipped ones.")
    rules: dict[RuleId, RuleSetting] = Field({}, description="Changes to single rules, by full id.")
    criteria: Criteria = Field(
        default_factory=Criteria, description="Further documents that say what a review looks at."
    )
    unjudged: list[UnjudgedEntry] = Field([], description="Files that cannot be judged and may pass, with a reason.")
    allow: list[AllowEntry] = Field([], description="Single findings that may stay, each with a reason.")


class Required(Strict):
    """A pack that every repository must have in force."""

    pack: Name = Field(description="The name of the pack.")
    at_least: Version | None = Field(None, description="The oldest version allowed.")


Day = Annotated[date, Field(strict=False)]  # YAML knows no days, only texts
Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class OrgException(Strict):
    """One finding that the organisation lets pass, of a locked rule too."""

    rule: RuleId = Field(description="The full id of the rule.")
    fingerprint: Fingerprint = Field(description="The fingerprint of the finding, as JSON output gives it.")
    path: str = Field("", description="The file; empty: any.")
    reason: str = Field(min_length=1, description="Why it may pass.")
    until: Day | None = Field(None, description="The last day on which it may.")


class Org(Strict):
    """The organisation's floor: what no repository can lower."""

    sakaime: Literal[1] = Field(description="The version of this format.")
    org: Name = Field(description="The name of the organisation.")
    require: list[Required] = Field([], description="Packs that must be in force.")
    severity: dict[RuleId, Severity] = Field({}, description="The least severity of single rules.")
    locked: list[RuleId] = Field([], description="Rules that no repository may disable, soften or narrow.")
    exceptions: list[OrgException] = Field([], description="Single findings that may pass, of locked rules too.")


class Placed(Record):
    """Settings with the file they stand in and the place of every key."""

    path: str
    settings: Settings
    places: dict[Path, tuple[int, int]]

    def place(self, path: Path) -> tuple[int, int]:
        """(line, column) of the key at a path, or of the nearest key around it."""
        return nearest(self.places, path)


def nearest(places: dict[Path, tuple[int, int]], path: Path) -> tuple[int, int]:
    """The place of a path, or of the nearest one around it."""
    return next((places[path[:n]] for n in range(len(path), -1, -1) if path[:n] in places), (1, 1))


NOTHING = Placed("sakaime.toml", Settings(), {})


def read_settings(own: bytes | None, pyproject: bytes | None) -> Placed:
    """The settings of a repository from the bytes of sakaime.toml and pyproject.toml (None: no such file).

    Raises `UserError` for a mistake in them, and where both files hold settings.
    """
    from_pyproject = None
    if pyproject is not None and b"sakaime" in pyproject:
        document = toml_document(pyproject, "pyproject.toml")
        table = document.get("tool", {})
        if isinstance(table, dict) and "sakaime" in table:
            from_pyproject = _validated(table["sakaime"], pyproject, "pyproject.toml", ("tool", "sakaime"))
    if own is None:
        return from_pyproject or NOTHING
    if from_pyproject is not None:
        line, column = from_pyproject.place(())
        raise UserError(
            "settings stand both here and in sakaime.toml",
            path="pyproject.toml",
            line=line,
            column=column,
            way_out="Keep one of the two.",
        )
    return _validated(toml_document(own, "sakaime.toml"), own, "sakaime.toml", ())


def read_org(data: bytes, path: str) -> Org:
    """The organisation's file. Raises `UserError` for a mistake in it."""
    document = parse(data, path)
    try:
        return Org.model_validate(document.data)
    except ValidationError as error:
        places = {**document.marks, **document.keys}
        raise first_with_others(mistakes(error, lambda p: (path, *nearest(places, p)), Org)) from None


def toml_document(data: bytes, path: str) -> dict[str, Any]:
    """A TOML text as plain data. Raises `UserError` with the place of the mistake."""
    if len(data) > LIMIT:
        raise UserError(f"is larger than {LIMIT >> 20} MiB", path=path)
    try:
        return tomlkit.parse(data.decode("utf-8-sig")).unwrap()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        said = f"is not UTF-8 at byte {error.start}"
        raise UserError(said, path=path, line=line, column=column, way_out="Save it as UTF-8.") from None
    except ParseError as error:
        text = str(error).rsplit(" at line ", 1)[0]
        if "\\x00" in text and b"\0" not in data:  # that is how tomlkit names the end
            last = data.decode("utf-8-sig").rstrip()
            line, column = last.count("\n") + 1, len(last) - last.rfind("\n")
            raise UserError(
                "is not valid TOML: it ends in the middle of something", path=path, line=line, column=column
            ) from None
        raise UserError(f"is not valid TOML: {text}", path=path, line=error.line, column=error.col + 1) from None
    except (TOMLKitError, ValueError, RecursionError) as error:
        # Of a key that stands twice inside of a table, tomlkit does not say where.
        line, column = toml_twice(data.decode("utf-8-sig")) or (1, 1)
        raise UserError(f"is not valid TOML: {error}", path=path, line=line, column=column) from None


def _validated(table: Any, data: bytes, path: str, prefix: Path) -> Placed:
    every = toml_places(data.decode("utf-8-sig"))
    places = {key[len(prefix) :]: mark for key, mark in every.items() if key[: len(prefix)] == prefix}
    try:
        settings = Settings.model_validate(table)
    except ValidationError as error:
        raise first_with_others(mistakes(error, lambda p: (path, *nearest(places, p)), Settings)) from None
    return Placed(path, settings, places)
