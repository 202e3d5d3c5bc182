"""What a pack may say: the model that reading, the JSON schema and the docs come from."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal, TypeAlias

from packaging.version import InvalidVersion
from packaging.version import Version as Parsed
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints


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
LinePlace = Literal["code", "string", "comment"]
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
Topic = Annotated[str, StringConstraints(min_length=2, max_length=100)]
# One pattern may stand without a list around it.
Patterns = Annotated[
    list[Pattern],
    BeforeValidator(
        lambda value: [value] if isinstance(value, str) else value, json_schema_input_type=Pattern | list[Pattern]
    ),
]


def _table(lines: str) -> str:
    for number, line in enumerate(lines.splitlines(), 1):
        try:
            int(line.partition(" ")[0])
        except ValueError:
            raise ValueError(f"line {number}: {line[:40]!r} does not begin with a weight, a whole number") from None
    return lines


def _letters(letters: str) -> str:
    for first, last in re.findall(r"(.)-(.)", letters, re.S):
        if first > last:
            raise ValueError(f"{first}-{last} runs backwards")
    return letters


Letters = Annotated[str, StringConstraints(max_length=400), AfterValidator(_letters)]
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


class Losses(Strict):
    """How bad it is what a criterion can lose."""

    removed: Severity = Field("warning", description="A criterion is gone.")
    weakened: Severity = Field("warning", description="A criterion asks for less.")
    narrowed: Severity = Field("warning", description="Less is looked at, or less is reported.")
    deleted: Severity = Field("error", description="The whole document is gone.")
    moved: Severity = Field("info", description="A criterion went to another place where reviewers look.")


class Edit(Strict):
    """A document before and after a change."""

    path: str = Field(description="The file name that the document is judged as.")
    before: str = Field(description="The whole document before the change.")
    after: str = Field(description="The whole document after it.")


class Edits(Strict):
    """What the rule must report, and what it must not. `sakaime pack test` runs them; the docs print them."""

    bad: list[Edit] = Field([], description="Changes that the rule reports.")
    good: list[Edit] = Field([], description="Changes that look alike and are fine.")


class CriteriaRule(Strict):
    """Documents that say what a review looks at: what they lose is reported."""

    id: Name = Field(description="Unique in the pack; the full id is pack/id.")
    paths: list[Glob] = Field(min_length=1, description="The documents; gitignore patterns.")
    sections: list[Pattern] = Field(
        [],
        description="Of general documents: RE2 patterns of the headings below which criteria stand (none: anywhere).",
    )
    severity: Losses = Field(default_factory=Losses, description="How bad a finding is, by what was lost.")
    enforce_from: Annotated[date, Field(strict=False)] | None = Field(
        None, description="Before this day (YYYY-MM-DD) a finding is at most a warning."
    )
    title: str = Field(description="Whose documents these are, in a few words.")
    reader: str = Field("", description="Who reads them, for the message of a finding.")
    reads: Literal["base", "head", ""] = Field(
        "", description="From which side of a pull request its reader takes them: a loss in the head acts at once."
    )
    why: str = Field("", description="Why a loss is a risk; shown by `sakaime explain` and in the editor.")
    examples: Edits = Field(default_factory=Edits, description="Changes that are reported, and such that are not.")
    references: list[str] = Field([], description="Links to read more.")


class Lines(Strict):
    """What the rule must report, and what it must not. `sakaime pack test` runs them; the docs print them."""

    bad: list[Example] = Field(min_length=2, description="Files in which the rule reports a line; at least two.")
    good: list[Example] = Field(min_length=2, description="Files that look alike and are fine; at least two.")


class RiskRule(Strict):
    """Added lines that a review must look at. On its own such a line is an information."""

    id: Name = Field(description="Unique in the pack; the full id is pack/id.")
    severity: Severity = Field("info", description="How bad a finding is.")
    enforce_from: Annotated[date, Field(strict=False)] | None = Field(
        None, description="Before this day (YYYY-MM-DD) a finding is at most a warning."
    )
    title: str = Field(description="What such a line does, in a few words.")
    message: str = Field(description="What a finding says; {match} stands for the matched text.")
    why: str = Field("", description="Why a review must look at it; shown by `sakaime explain` and in the editor.")
    paths: Paths = Field(default_factory=Paths, description="The files that the rule looks at.")
    line: Patterns = Field([], description="RE2 patterns that must all match in one line of code.")
    any: Patterns = Field([], description="RE2 patterns of which at least one must match in it, too.")
    none: Patterns = Field([], description="RE2 patterns of which none may match in it, at or near the match.")
    places: list[LinePlace] = Field(
        ["code", "string"],
        min_length=1,
        description="What of a line counts: code, the string literals of a program, comments.",
    )
    topics: list[Topic] = Field(
        min_length=1,
        description="Words by which criteria name such lines, in every language; `*` at the end stands for the rest.",
    )
    examples: Lines = Field(description="At least two bad and two good examples.")
    references: list[str] = Field([], description="Links to read more.")


Phrases = list[Annotated[str, StringConstraints(min_length=1, max_length=400)]]


class Ladder(Strict):
    """By which words of a language an item asks for more or for less.

    A phrase is matched case-insensitively, a blank as one blank, the longest of those that begin at one place. A letter
    of an alphabet at its ends matches at a word border only; `*` at the end stands for the rest of a word. `re:` begins
    a pattern in RE2 syntax.
    """

    language: Name = Field(description="The language.")
    letters: Letters = Field("", description="Characters that show the language, as of a class without its brackets.")
    script: Letters = Field("", description="Characters that it shares with other languages.")
    absolute: Phrases = Field([], description='Asked most firmly: "must", "never".')
    duty: Phrases = Field([], description='Asked as a duty: "shall", "do not".')
    recommended: Phrases = Field([], description='Recommended: "should", "avoid".')
    optional: Phrases = Field([], description='Left to whoever reads it: "may", "consider".')
    soften: Phrases = Field([], description='What is asked beside them is at most recommended: "in general".')
    hedge: Phrases = Field([], description='What is asked beside them is optional: "where possible".')
    hedge_first: Phrases = Field([], description='The same where it leads a clause: "try to".')
    may: Phrases = Field([], description='Those of `optional` that give a leave: "may"; with "only", a duty.')
    every: Phrases = Field([], description='Of all: "every", "all".')
    some: Phrases = Field([], description='Of a part: "main", "relevant".')
    only: Phrases = Field([], description='A limit where it governs a verb of reviewing: "only".')
    nothing_but: Phrases = Field([], description="Strict wherever it stands.")
    limit: Phrases = Field([], description="A limit wherever it stands.")
    except_: Phrases = Field([], alias="except", description='Takes something out: "unless", "except".')
    discretion: Phrases = Field([], description='Takes something out: "as needed".')
    other_than: Phrases = Field([], description="Takes something out, unless it is said of a person or bans the rest.")
    beside: Phrases = Field([], description="Of those: adds something where a word of `also` follows.")
    also: Phrases = Field([], description='"Also", "too".')
    catch_all: Phrases = Field([], description='What a review may find beyond what is named: "anything else".')
    qualifier: Phrases = Field([], description='Narrows a noun down: "public", "changed".')
    article: Phrases = Field([], description='What may stand between "all" and its noun.')
    relative: Phrases = Field([], description="What may stand between a noun and a qualifier behind it.")
    no_exception: Phrases = Field([], description="There is no way out.")
    insist: Phrases = Field([], description='Insists on it: "never skip".')
    neutral: Phrases = Field([], description="Contains another phrase and means none.")
    report: Phrases = Field([], description="Verbs of reporting.")
    report_first: Phrases = Field([], description="Verbs that programs do, too: they count where they lead a clause.")
    report_beside: Phrases = Field([], description="The same where the sentence speaks of findings or reviewers.")
    review: Phrases = Field([], description="Verbs of looking.")
    finding: Phrases = Field([], description="What a review reports.")
    remark: Phrases = Field([], description="The same in words that products use, too.")
    reviewer: Phrases = Field([], description="Who reviews.")
    leave_out: Phrases = Field([], description='Leaves something out of a review: "do not report".')
    leave_out_first: Phrases = Field([], description='The same where it leads a clause: "ignore".')
    leave_out_beside: Phrases = Field([], description="The same where the sentence speaks of findings or reviewers.")
    leave_out_titled: Phrases = Field([], description="The same below a title that speaks of reviewers.")
    permit: Phrases = Field([], description="Lets something pass.")
    approve: Phrases = Field([], description="Lets a change pass without the review.")
    gate: Phrases = Field([], description='Lets a change pass, which the review is for: "merge".')
    case: Phrases = Field([], description='Ties such a verb to a case: "on", "while".')
    refuse: Phrases = Field([], description='Holds a change back: "request changes".')
    refuse_first: Phrases = Field([], description="The same where it leads a clause.")
    certain: Phrases = Field([], description="Beside a verb of reporting, asks to be sure: `obvious`.")
    within: Phrases = Field([], description="What a place begins with, or ends with without blanks: `in`.")
    condition: Phrases = Field([], description="The same of a case: `if`.")
    joins: Phrases = Field([], description="Puts one thing beside another: `and`.")
    bypass: Phrases = Field([], description="What a change lacks that may pass all the same: `without`.")
    defines: Phrases = Field([], description="Says what a word stands for: `refers to`.")
    excluding_title: Phrases = Field([], description="Titles of columns that tell exceptions.")
    none_of: Phrases = Field([], description='Where one leads, a word of `may` gives leave to nobody: "no".')
    here: Phrases = Field([], description="Only what stands beside it is meant: `this check`.")
    waive: Phrases = Field([], description="Those of `permit` that take a duty away: `need not`.")
    single: Phrases = Field([], description="An article that stands for one.")
    remind: Phrases = Field([], description='Only says something: "leave a comment".')
    remind_first: Phrases = Field([], description="The same where it leads a clause.")
    negation_before: Phrases = Field([], description="Turns round what follows it.")
    negation_after: Phrases = Field([], description="Turns round what it follows.")
    clause: Phrases = Field([], description='Begins a clause: "that", "whether".')
    lead: Phrases = Field([], description="What may stand before an imperative.")
    person: Phrases = Field([], description="Somebody.")
    keep: Phrases = Field([], description='Keeps a number as it is: "stays" above 80 %.')
    at_least: Phrases = Field([], description="The larger the number, the more is asked.")
    at_most: Phrases = Field([], description="The smaller the number, the more is asked.")
    above: Phrases = Field([], description='What triggers something: "longer than" 40 lines.')
    below: Phrases = Field([], description='What triggers something: "shorter than".')
    more_is_stricter: Phrases = Field([], description='Nouns: the more of them, the more is asked: "approvals".')
    less_is_stricter: Phrases = Field([], description='Nouns: the fewer of them, the more is asked: "timeout".')
    confidence: Phrases = Field([], description="What findings are scored by: the larger the number, the fewer.")
    counters: Phrases = Field([], description="What follows a number word in languages that count so.")
    severity_titles: Phrases = Field([], description='What stands beside a severity: "counts as".')
    callout: Phrases = Field([], description='No severity before a colon: "Important:".')
    severities: list[Phrases] = Field(
        [], max_length=6, description="The highest first: blocks, major, medium, minor, trivial, off."
    )
    labels: dict[Literal["absolute", "duty", "recommended", "optional", "leave_out", "permit"], Phrases] = Field(
        {}, description="Words that say so only as a title: in a heading, a column, before a colon."
    )
    number_words: dict[str, int] = Field({}, description='Words of numbers: "two" to 2.')
    units: dict[str, dict[str, int]] = Field(
        {}, description='What is measured, to its units and their sizes: "time" to "hours" to 3600000.', strict=False
    )
    variants: str = Field("", description="Pairs of letters: a phrase with the first is also read with the second.")


Worth = Literal["error", "warning", "info", "off"]


class Worths(Strict):
    """How bad a value is, by where it stands. What is left out has the default of its class."""

    production: Worth | None = Field(None, description="In what is marked as production.")
    elsewhere: Worth | None = Field(None, description="In what is neither production nor exempt.")
    fallback: Worth | None = Field(None, description="Where a reference falls back to it, exempt places aside.")
    exempt: Worth | None = Field(None, description="In manuals, tests, examples, templates, development files.")


class SecretRule(Strict):
    """A shape of values that stand where a secret is expected."""

    id: Name = Field(description="Unique in the pack; the full id is pack/id.")
    class_: Literal["placeholder", "default", "reference", "live"] = Field(
        alias="class", description="What such a value is; a reference is silent."
    )
    value: Pattern | None = Field(None, description="RE2 pattern of the value, without what it is wrapped in.")
    test: Literal["published", "random", "echo", "user"] | None = Field(
        None,
        description="In place of a pattern: published is an exact value of `published`, random what chance made, echo "
        "the words of its own key, user the user name beside it.",
    )
    full: bool = Field(False, description="The pattern must match the whole value, which may then be shown.")
    random: bool = Field(False, description="The shape holds for values with a random-looking part too.")
    any_key: bool = Field(False, description="The shape holds whatever the key is.")
    holds: list[Annotated[str, StringConstraints(min_length=3, max_length=40)]] = Field(
        [],
        description="Of live values: public texts of which each match holds one, mostly its beginning. Around them the "
        "pattern is looked for anywhere in a file.",
    )
    structure: Literal["jwt", "github"] | None = Field(
        None, description="What is checked besides: jwt needs a header that decodes, github tells a right checksum."
    )
    severity: Worths = Field(default_factory=Worths, description="How bad a finding is, by where it stands.")
    enforce_from: Annotated[date, Field(strict=False)] | None = Field(
        None, description="Before this day (YYYY-MM-DD) a finding is at most a warning."
    )
    title: str = Field(description="What the rule finds, in a few words.")
    message: str = Field(
        "",
        description="What a finding says; {match} stands for the value or what can be told of it, {key} for its key.",
    )
    why: str = Field("", description="Why it is a risk; shown by `sakaime explain` and in the editor.")
    paths: Paths = Field(default_factory=Paths, description="The files that the rule looks at.")
    examples: Examples = Field(
        description="At least two bad and two good examples; @@base62 36@@ stands for so many random characters."
    )
    references: list[str] = Field([], description="Links to read more.")


AnyRule: TypeAlias = InstructionRule | HiddenRule | CriteriaRule | RiskRule | SecretRule


class Keys(Strict):
    """Names under which a secret is expected, and those that only sound so.

    Patterns see a name in lower case with one `_` between its words: `sessionSecret` as `session_secret`.
    """

    secret: list[Pattern] = Field([], description="RE2 patterns of the names.")
    not_secret: list[Pattern] = Field([], description="RE2 patterns of names that hold no secret all the same.")
    carriers: list[Pattern] = Field(
        [], description="RE2 patterns of whole names that say nothing: the name around them counts."
    )
    password: list[Pattern] = Field(
        [], description="Of `secret`: names of what people choose, which need not look random."
    )


class Production(Strict):
    """What is marked as production."""

    segments: list[str] = Field([], description="Words of a path, or the name of a key around the value.")
    paths: list[Glob] = Field([], description="gitignore patterns.")
    content: list[Pattern] = Field([], description="RE2 patterns of the file itself.")


class Exempt(Strict):
    """Where placeholders and defaults belong."""

    segments: list[str] = Field([], description="Names of keys around the value.")
    paths: list[Glob] = Field([], description="gitignore patterns.")


class Throwaway(Strict):
    """Files of CI, whose services live as long as a job."""

    paths: list[Glob] = Field([], description="gitignore patterns.")
    segments: list[str] = Field([], description="Names of keys around the services of a job.")


class Zones(Strict):
    """Where a value stands: exempt goes before production."""

    production: Production = Field(default_factory=Production, description="Where nothing but a secret will do.")
    exempt: Exempt = Field(default_factory=Exempt, description="Where placeholders and defaults belong.")
    ci: Throwaway = Field(default_factory=Throwaway, description="Files of CI: services of a job are exempt.")


class PublishedValue(Strict):
    """A value that a product came with, known by its hash."""

    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="Of the salt and the value, in hex."
    )
    product: str = Field(description="Whose default it is.")
    where: str = Field("", description="The file and the key it stands at.")
    cve: str = Field("", description="What came of it.")
    class_: Literal["default", "placeholder"] = Field(
        "default", alias="class", description="A placeholder of a manual is no default."
    )
    any_key: bool = Field(False, description="The value is unlike any other: it tells whatever the key is.")


class Published(Strict):
    """Values that products came with."""

    salt: str = Field("", description="What is put before a value to be hashed.")
    values: list[PublishedValue] = Field([], description="The values.")


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
    criteria: list[CriteriaRule] = Field([], description="Documents that say what a review looks at.")
    risks: list[RiskRule] = Field([], description="Lines that a review must look at.")
    topics: dict[Literal["secrets"], list[Topic]] = Field(
        {}, description="By family, the words by which criteria name what no rule of `risks` finds."
    )
    ladders: list[Ladder] = Field([], description="By which words criteria ask for more or for less, per language.")
    secrets: list[SecretRule] = Field([], description="Shapes of values that stand where a secret is expected.")
    keys: Keys = Field(default_factory=Keys, description="Names under which a secret is expected.")
    zones: Zones = Field(default_factory=Zones, description="What is production, and where placeholders belong.")
    published: Published = Field(default_factory=Published, description="Values that products came with.")
    mentions: list[Pattern] = Field(
        [], description="RE2 patterns that say, beside a quotation, that it is told of and not meant."
    )
    samples: list[Glob] = Field(
        [], description="Files that hold such texts as data: packs of rules, samples of a scanner."
    )
    review: Review | None = Field(None, description="How the input of a review is put together.")
    locked: list[Name] = Field([], description="Rules that a repository cannot disable or soften.")

    @property
    def rules(self) -> list[tuple[tuple[str, int], AnyRule]]:
        """All rules, each with its place in the data of the pack."""
        return [
            *((("instructions", number), rule) for number, rule in enumerate(self.instructions)),
            *((("hidden", number), rule) for number, rule in enumerate(self.hidden)),
            *((("criteria", number), rule) for number, rule in enumerate(self.criteria)),
            *((("risks", number), rule) for number, rule in enumerate(self.risks)),
            *((("secrets", number), rule) for number, rule in enumerate(self.secrets)),
        ]
