"""Reading a pack: its files, checked as a whole, with the place of everything for messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

import sakaime
from sakaime.model import Record, UserError
from sakaime.policy.globs import compile_globs
from sakaime.policy.match import matches_path
from sakaime.policy.memory import remembered
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.pattern import PatternError, compile_pattern
from sakaime.policy.schema import CriteriaRule, InstructionRule, Pack, RiskRule, SecretRule
from sakaime.policy.slots import UnknownWordsError, expand, phrase
from sakaime.policy.yamltext import Document, Path, parse_kept

SHIPPED = "shipped"  # the source of the packs that come with the program
_MAPPINGS = ("words", "weights", "topics", "keys", "zones", "published")  # sections that are no lists
SECTIONS = (
    "words",
    "weights",
    "instructions",
    "hidden",
    "criteria",
    "risks",
    "topics",
    "ladders",
    "secrets",
    "keys",
    "zones",
    "published",
    "mentions",
    "samples",
    "locked",
)  # what further files of a pack may hold


class PackTree(Record):
    """The files of one pack: (path inside the pack, bytes), with where they came from.

    `digest` is the hex sha256 of the pack's manifest; `where` is put before file names in messages; `main`
    is pack.yaml, parsed.
    """

    files: tuple[tuple[str, bytes], ...]
    digest: str
    source: str
    where: str
    main: Document


class LoadedPack(Record):
    """A pack that is valid by itself, and the places of its parts."""

    model: Pack
    tree: PackTree
    places: dict[Path, tuple[str, int, int]]

    def error(self, path: Path, message: str, way_out: str | None = None, wrong: str | None = None) -> UserError:
        """A mistake at a path of the pack's data; `wrong` is the text there that is, where it is one."""
        file, line, column = _nearest(self.places, path, self.tree.where)
        return UserError(message, path=file, line=line, column=column, way_out=way_out, wrong=wrong)


def _nearest(places: dict[Path, tuple[str, int, int]], path: Path, file: str) -> tuple[str, int, int]:
    """The place of the value at a path, or of the nearest thing around it that exists."""
    return next((places[path[:n]] for n in range(len(path), -1, -1) if path[:n] in places), (file, 1, 1))


def read_pack(tree: PackTree) -> LoadedPack:
    """A pack from its files. Raises `UserError` (carrying all mistakes) when anything is wrong in one."""
    further = [
        parse_kept(data, f"{tree.where}/{name}")
        for name, data in tree.files
        if name.endswith((".yaml", ".yml")) and name != "pack.yaml"
    ]
    main = tree.main
    data, places = _merged(main, further)

    try:
        model = Pack.model_validate(data)
    except ValidationError as error:
        raise first_with_others(mistakes(error, lambda path: _nearest(places, path, main.path), Pack)) from None
    pack = LoadedPack(model, tree, places)
    _check_version(pack)
    content = [part for name, data in tree.files for part in (name.encode(), data)]
    if not remembered("sound", content, lambda: not _own_mistakes(pack)):
        raise first_with_others(_own_mistakes(pack))
    return pack


def _merged(main: Document, others: list[Document]) -> tuple[Any, dict[Path, tuple[str, int, int]]]:
    """The data of all files as one, with file, line and column of every path (of a key, where there is one)."""
    places = {path: (main.path, *mark) for path, mark in {**main.marks, **main.keys}.items()}
    if not isinstance(main.data, dict):
        raise UserError("must be a mapping of keys to values", path=main.path, line=1, column=1)
    data = dict(main.data)
    for document in others:
        if not isinstance(document.data, dict):
            raise UserError("must be a mapping of keys to values", path=document.path, line=1, column=1)
        for key, value in document.data.items():
            line, column = document.keys[(key,)]
            if key not in SECTIONS or not isinstance(value, dict if key in _MAPPINGS else list):
                raise UserError(
                    f"{key!r} cannot stand here",
                    path=document.path,
                    line=line,
                    column=column,
                    way_out=f"Further files of a pack hold {', '.join(SECTIONS)}; the rest goes into pack.yaml.",
                    wrong=key,
                )
            target: Any = data.get(key) or type(value)()
            offset = 0 if isinstance(value, dict) else len(target)
            if isinstance(value, dict):
                if twice := sorted(set(target) & set(value)):
                    line, column = document.keys[(key, twice[0])]
                    raise UserError(f"{key} {twice[0]!r} stand twice", path=document.path, line=line, column=column)
                data[key] = {**target, **value}
            else:
                data[key] = [*target, *value]
            for path, mark in {**document.marks, **document.keys}.items():
                if len(path) > 1 and path[0] == key:
                    second = path[1] + offset if isinstance(path[1], int) else path[1]
                    places[(key, second, *path[2:])] = (document.path, *mark)
            places.setdefault((key,), (document.path, line, column))
    return data, places


def _check_version(pack: LoadedPack) -> None:
    if pack.model.needs is None:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    wanted = pack.model.needs.sakaime
    try:
        fits = SpecifierSet(wanted, prereleases=True).contains(sakaime.__version__)
    except InvalidSpecifier:
        raise pack.error(
            ("needs", "sakaime"), f"{wanted!r} is not a version specifier", "Write one like >=0.1", wanted
        ) from None
    if not fits:
        raise pack.error(
            ("needs", "sakaime"),
            f"pack {pack.model.pack} needs sakaime {wanted}, this is {sakaime.__version__}",
            "Update sakaime, or pin an older version of the pack.",
        )


def _own_mistakes(pack: LoadedPack) -> list[UserError]:
    errors: list[UserError] = []
    for name, entries in pack.model.words.items():
        for number, entry in enumerate(entries):
            try:
                compile_pattern(phrase(entry))
            except PatternError as error:
                errors.append(pack.error(("words", name, number), f"RE2 refuses {entry!r}: {error}", RE2_SYNTAX))
    seen: dict[str, Path] = {}
    for at, rule in pack.model.rules:
        if rule.id in seen:
            line = pack.places[(*seen[rule.id], "id")][1]
            errors.append(
                pack.error(
                    (*at, "id"),
                    f"the id {rule.id!r} stands twice (first in line {line})",
                    "Rename one of the two.",
                    rule.id,
                )
            )
        seen.setdefault(rule.id, at)
        if isinstance(rule, InstructionRule) and rule.weights not in (None, *pack.model.weights):
            known = ", ".join(sorted(pack.model.weights)) or "none"
            errors.append(
                pack.error(
                    (*at, "weights"), f"there is no table {rule.weights!r} (known here: {known})", _TABLES, rule.weights
                )
            )
        if isinstance(rule, InstructionRule) and not rule.all and not rule.any:
            errors.append(pack.error(at, f"rule {rule.id!r} has no pattern", "Give it `all` or `any`."))
        if isinstance(rule, RiskRule) and not rule.line and not rule.any:
            errors.append(pack.error(at, f"rule {rule.id!r} has no pattern", "Give it `line` or `any`."))
        if isinstance(rule, RiskRule) and _in_every_line(rule):
            errors.append(pack.error(at, f"rule {rule.id!r} matches every line", _EMPTY))
        if isinstance(rule, CriteriaRule):
            errors += _bad_globs(pack, (*at, "paths"), rule.paths)
            errors += _bad_patterns(pack, (*at, "sections"), rule.sections)
        else:
            for key in ("include", "exclude"):
                errors += _bad_globs(pack, (*at, "paths", key), getattr(rule.paths, key))
        if isinstance(rule, SecretRule):
            errors += _bad_secret(pack, at, rule)
    errors += _bad_zones(pack)
    errors += _bad_globs(pack, ("samples",), pack.model.samples)
    for number, ladder in enumerate(pack.model.ladders):
        for key, phrases in ladder.model_dump(by_alias=True).items():
            if isinstance(phrases, list) and phrases and isinstance(phrases[0], str):
                patterns = [entry[3:] if entry.startswith("re:") else "" for entry in phrases]
                errors += _bad_patterns(pack, ("ladders", number, key), patterns)
    for number, name in enumerate(pack.model.locked):
        if name not in seen:
            near = get_close_matches(name, seen, 1)
            way_out = f"Did you mean {near[0]!r}?" if near else "Only rules of the pack itself can be locked."
            errors.append(pack.error(("locked", number), f"there is no rule {name!r} to lock in this pack", way_out))
    return errors


def _in_every_line(rule: RiskRule) -> bool:
    """Whether a rule about lines matches the empty one; False where its patterns need words, or are broken."""
    try:
        every = [compile_pattern(pattern).search(b"") is not None for pattern in rule.line]
        some = [compile_pattern(pattern).search(b"") is not None for pattern in rule.any]
    except PatternError:
        return False
    return bool(every or some) and all(every) and (not some or any(some))


def _bad_globs(pack: LoadedPack, at: Path, globs: list[str]) -> Iterator[UserError]:
    for index, glob in enumerate(globs):
        try:
            compile_globs([glob])
        except ValueError as error:
            yield pack.error((*at, index), f"bad glob: {error}", "Globs are gitignore patterns.")


def _bad_patterns(pack: LoadedPack, at: Path, patterns: list[str]) -> Iterator[UserError]:
    for index, pattern in enumerate(patterns):
        try:
            compile_pattern(pattern)
        except PatternError as error:
            yield pack.error((*at, index), f"RE2 refuses {pattern!r}: {error}", RE2_SYNTAX)


def _whose(pack: LoadedPack, at: Path) -> str:
    """The rule that a path of the pack's data is in, for a message; empty where it is in none."""
    rule = next((rule for place, rule in pack.model.rules if place == at[:2]), None)
    return f"rule {rule.id!r}, " if rule is not None else ""


def _bad_secret(pack: LoadedPack, at: Path, rule: SecretRule) -> Iterator[UserError]:
    """What is wrong with a rule about values."""
    if (rule.value is None) == (rule.test is None):
        yield pack.error(at, f"rule {rule.id!r} needs a `value` or a `test`", "Give it one of the two.")
    if rule.value is not None:
        try:
            compile_pattern(rule.value)
        except PatternError as error:
            yield pack.error((*at, "value"), f"RE2 refuses {rule.value!r}: {error}", RE2_SYNTAX)
            return
        if not rule.full and compile_pattern(rule.value).search(b"") is not None:
            yield pack.error((*at, "value"), f"{rule.value!r} matches everything, the empty text included", _EMPTY)
        if not rule.full and (short := glued(rule.value)):
            said = f"the short word {short!r} is looked for inside of longer ones"
            yield pack.error((*at, "value"), said, "Put \\b or a separator around it, or ask for the `full` value.")
    live = rule.class_ == "live" and rule.value is not None
    if live and not rule.holds:
        yield pack.error(at, f"rule {rule.id!r} has no `holds`", "Say which public texts such values hold.")
    if rule.class_ != "reference" and not rule.message:
        yield pack.error(at, f"rule {rule.id!r} has no message", "Give it one; {key} and {match} are filled in.")


_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]|[^\\\[()|]+", re.S)
_SHORT = 5


def glued(pattern: str) -> str:
    """A short word that is a whole alternative of a pattern, so that nothing bounds it; empty where there is none.

    Short words without a border silence random values: of the shapes that were measured for this, those with
    `add|set|put` took 0.03 to 0.09 % of hex and UUID secrets for placeholders.
    """
    depth, alternatives = 0, [""]
    for part in _PART.findall(re.sub(r"^\(\?[imsU]+\)", "", pattern)):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "|" and not depth:
            alternatives.append("")
        else:
            alternatives[-1] += part
    return next((word for word in alternatives if word.isascii() and word.isalpha() and len(word) <= _SHORT), "")


# Names under which nobody keeps anything but a secret, and a file that no pack can know of.
_SURELY = "password passwd db_password secret client_secret token access_token api_key private_key passphrase".split()
_ANY_FILE = "qzx7/kwv3.jqy"


def _bad_zones(pack: LoadedPack) -> Iterator[UserError]:
    for key, patterns in pack.model.keys.model_dump().items():
        bad = list(_bad_patterns(pack, ("keys", key), patterns))
        yield from bad or _matching_nothing(pack, ("keys", key), patterns)
        for index, pattern in enumerate(patterns if key == "not_secret" and not bad else ()):
            compiled = compile_pattern(pattern)
            if compiled.search(b"") is None and (
                name := next((name for name in _SURELY if compiled.search(name.encode()) is not None), "")
            ):
                said = f"{pattern!r} takes a value under {name!r} for no secret"
                yield pack.error(("keys", "not_secret", index), said, "Ask for more of the name, such as its end.")
    content = pack.model.zones.production.content
    at = ("zones", "production", "content")
    yield from list(_bad_patterns(pack, at, content)) or _matching_nothing(pack, at, content)
    for name in ("production", "exempt", "ci"):
        globs = getattr(pack.model.zones, name).paths
        bad = list(_bad_globs(pack, ("zones", name, "paths"), globs))
        yield from bad
        if not bad and name != "production" and matches_path(compile_globs(globs), _ANY_FILE):
            said = f"the {name} files are all files"
            yield pack.error(("zones", name, "paths"), said, "Name the folders or endings that are meant.")


def _matching_nothing(pack: LoadedPack, at: Path, patterns: list[str]) -> Iterator[UserError]:
    """Mistakes for patterns that match the empty text, and so everything."""
    for index, pattern in enumerate(patterns):
        if compile_pattern(pattern).search(b"") is not None:
            yield pack.error((*at, index), f"{pattern!r} matches everything, the empty text included", _EMPTY)


_EMPTY = "Ask for at least one character."


_TABLES = "Define it below `weights`."
_WORDS = "Define them below `words`, or name the pack that has them below `uses`."
RE2_SYNTAX = "Patterns are RE2 syntax: no look-around, no back-references (docs/writing-rules.md)."


def expanded(pack: LoadedPack, at: Path, patterns: list[str], words: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Patterns of a pack, which stand at a path of its data, with words filled in, each accepted by RE2.

    Raises `UserError` at the pattern that is wrong.
    """
    out = []
    for index, pattern in enumerate(patterns):
        try:
            filled = expand(pattern, words)
            compile_pattern(filled)
        except PatternError as error:
            unknown = error.slot if isinstance(error, UnknownWordsError) else None
            way_out = RE2_SYNTAX if unknown is None else _WORDS
            whose = _whose(pack, at)
            raise pack.error((*at, index), f"{whose}pattern {pattern!r}: {error}", way_out, unknown) from None
        out.append(filled)
    return tuple(out)
