"""What a pack may say: the model that reading, the JSON schema and the docs come from."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from packaging.version import InvalidVersion
from packaging.version import Version as Parsed
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints


def _comparable(version: str) -> str:
    try:
        Parsed(version)
    except InvalidVersion:
        raise ValueError(f"{version!r} cannot be compared with other versions") from None
    return version


Severity = Literal["error", "warning", "info"]
Tactic = Literal["claim", "waive", "exclude", "cap", "narrow", "verdict", "override", "spoof", "act", "excuse"]
Unit = Literal["line", "sentence", "paragraph"]
Place = Literal["comment", "prose", "string", "message"]
Covers = Literal["near", "file", "change", "unnamed"]
Form = Literal["tags", "variation", "bidi", "zero-width", "blank-run", "blank-lines"]
NAME = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
VERSION = r"^\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]+)?$"
Name = Annotated[str, StringConstraints(pattern=NAME, max_length=64)]
Version = Annotated[
    str,
    StringConstraints(pattern=VERSION, max_length=64),
    AfterValidator(_comparable),
]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Mark = Annotated[str, StringConstraints(pattern=r"^[^\r\n]*\{nonce\}[^\r\n]*$", max_length=200)]
Glob = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


def _table(lines: str) -> str:
    for number, line in enumerate(lines.splitlines(), 1):
        try:
            int(line.partition(" ")[0])
        except ValueError:
            raise ValueError(f"line {number}: {line[:40]!r} does not begin with a weight, a whole number") from None
    return lines


Table = Annotated[str, StringConstraints(max_length=2_000_000), AfterValidator(_table)]


class Strict(BaseModel):
    """A model that refuses unknown keys and does not turn one type into another."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Paths(Strict):
    """gitignore patterns: the files a rule looks at."""

    include: list[Glob] = Field(["**"], description="Files to look at; gitignore patterns.")
    exclude: list[Glob] = Field([], description="Of those, files to leave out.")


class Example(Strict):
    """A text in a file of a given name, for rules whose answer depends on the kind of file."""

    path: str = Field(description="The file name that the text is judged as.")
    text: str = Field(description="The whole content of the file.")


class Examples(Strict):
    """What the rule must report, and what it must not. `sakaime pack test` runs them; the docs print them."""

    bad: list[str | Example] = Field(min_length=2, description="Texts that the rule reports; at least two.")
    good: list[str | Example] = Field(min_length=2, description="Texts that look alike and are fine; at least two.")


class Weights(Strict):
    """How much the words of a text speak for what rules look for: a linear score."""

    least: int = Field(description="From this score on, a sentence is what is looked for.")
    doubt: int | None = Field(
        None, description="Below this score, what other rules of the pack find is an information: told of, not meant."
    )
    stem: int = Field(6, ge=3, le=40, description="Words are compared by so many of their first letters.")
    bias: int = Field(0, description="What is added to every score.")
    words: Table = Field(
        description="Lines of a weight and the words, or pairs of words, that have it, with commas between."
    )
    per_tactic: dict[Tactic, Table] = Field(
        {}, description="Per tactic the same for another score: the highest tells it."
    )


class InstructionRule(Strict):
    """Text that addresses the reviewer."""

    id: Name = Field(description="Unique in the pack; the full id is pack/id.")
    tactic: Tactic = Field(description="What the text tries to do to the review.")
    severity: Severity = Field("error", description="How bad a finding is.")
    enforce_from: Annotated[date, Field(strict=False)] | None = Field(
        None, description="Before this day (YYYY-MM-DD) a finding is at most a warning."
    )
    title: str = Field(description="What the rule finds, in a few words.")
    message: str = Field(description="What a finding says; {match} stands for the matched text.")
    why: str = Field("", description="Why the text is a risk; shown by `sakaime explain` and in the editor.")
    unit: Unit = Field("sentence", description="The piece of text inside which the patterns must meet.")
    all: list[Pattern] = Field([], description="RE2 patterns that must all match inside the unit.")
    any: list[Pattern] = Field([], description="RE2 patterns of which at least one must match, too.")
    within: int = Field(120, ge=1, le=2000, description="The matches must fit in a window of so many characters.")
    none: list[Pattern] = Field(
        [], description="RE2 patterns of which none may match in the window, or near it in the unit."
    )
    weights: Name | None = Field(
        None, description="A table of `weights` by which sentences must score, and be of the rule's tactic, as well."
    )
    places: list[Place] = Field(
        ["comment", "prose", "string", "message"],
        min_length=1,
        description="Where in a file the text may stand.",
    )
    across: bool = Field(
        False, description="Also look over neighbouring list items, table rows and comments, as if they were one text."
    )
    paths: Paths = Field(default_factory=Paths, description="The files that the rule looks at.")
    covers: Covers = Field("near", description="What the text shields if a reviewer obeys it.")
    examples: Examples = Field(description="At least two bad and two good examples.")
    references: list[str] = Field([], description="Links to read more.")


class HiddenRule(Strict):
    """Characters and blanks with which text is kept from being seen, whatever it says."""

    id: Name = Field(description="Unique in the pack; the full id is pack/id.")
    form: Form = Field(description="What is looked for.")
    severity: Severity = Field("error", description="How bad a finding is.")
    enforce_from: Annotated[date, Field(strict=False)] | None = Field(
        None, description="Before this day (YYYY-MM-DD) a finding is at most a warning."
    )
    title: str = Field(description="What the rule finds, in a few words.")
    message: str = Field(description="What a finding says; {match} stands for what was found, made visible.")
    why: str = Field("", description="Why it is a risk; shown by `sakaime explain` and in the editor.")
    paths: Paths = Field(default_factory=Paths, description="The files that the rule looks at.")
    examples: Examples = Field(description="At least two bad and two good examples.")
    references: list[str] = Field([], description="Links to read more.")


class Review(Strict):
    """How the input of a review is put together."""

    fence: tuple[Mark, Mark] | None = Field(
        None, description="Opening and closing mark; {nonce} stands for the random part.", strict=False
    )
    chunk_bytes: int = Field(24000, ge=256, le=10_000_000, description="The most bytes of one chunk.")
    declaration: dict[str, str] = Field({}, description="The words that declare the boundary, by language.")


class Needs(Strict):
    """What a pack needs to be understood."""

    sakaime: str = Field(description="Version specifier, such as >=0.1")


class Pack(Strict):
    """A rule pack."""

    sakaime: Literal[1] = Field(description="The version of this format.")
    pack: Name = Field(description="The name of the pack.")
    version: Version = Field(description="The version of the pack, such as 2.1.0")
    needs: Needs | None = Field(None, description="What the pack needs.")
    title: str = Field("", description="What the pack is for, in a few words.")
    files: dict[str, str] = Field({}, description="Of a pack of several files: path to sha256 (hex).")
    uses: list[Name] = Field([], description="Packs whose words this pack may use.")
    words: dict[Name, list[Pattern]] = Field(
        {}, description="Named lists of phrases; a plain phrase, or re:... for an RE2 fragment."
    )
    weights: dict[Name, Weights] = Field({}, description="Tables of weights, for rules that weigh words.")
    instructions: list[InstructionRule] = Field([], description="Rules about text that addresses the reviewer.")
    hidden: list[HiddenRule] = Field([], description="Rules about how text is kept from being seen.")
    mentions: list[Pattern] = Field(
        [], description="RE2 patterns that say, beside a quotation, that it is told of and not meant."
    )
    samples: list[Glob] = Field(
        [], description="Files that hold such texts as data: packs of rules, samples of a scanner."
    )
    review: Review | None = Field(None, description="How the input of a review is put together.")
    locked: list[Name] = Field([], description="Rules that a repository cannot disable or soften.")

    @property
    def rules(self) -> list[tuple[tuple[str, int], InstructionRule | HiddenRule]]:
        """All rules, each with its place in the data of the pack."""
        return [
            *((("instructions", number), rule) for number, rule in enumerate(self.instructions)),
            *((("hidden", number), rule) for number, rule in enumerate(self.hidden)),
        ]
