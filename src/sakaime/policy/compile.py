"""Packs, the organisation's floor and the repository's settings, merged and compiled into a policy.

The merge is monotone: what the floor or a pack locks, a repository cannot disable, soften or narrow;
an attempt stays without effect and is reported.
"""

from __future__ import annotations

import hashlib
import json
from difflib import get_close_matches
from itertools import groupby
from typing import Any

from packaging.version import Version

from sakaime.model import SEVERITIES, PackId, PolicyId, UserError
from sakaime.policy.gate import Gate, gate_of
from sakaime.policy.globs import compile_globs, literal_of_glob
from sakaime.policy.memory import remembered
from sakaime.policy.mistakes import first_with_others
from sakaime.policy.needs import Condition
from sakaime.policy.pack import SHIPPED, LoadedPack, expanded
from sakaime.policy.packrule import Words, conditions, rule_of, trees
from sakaime.policy.policy import (
    LOCKED,
    WATCHED,
    Allow,
    Late,
    Mentions,
    Note,
    Policy,
    Review,
    Tables,
    Unjudged,
    rules_of,
)
from sakaime.policy.riskrules import risk_rules
from sakaime.policy.rule import Rule
from sakaime.policy.schema import CriteriaRule
from sakaime.policy.secretrules import hints_of, secret_rules, values_of
from sakaime.policy.settings import Org, Placed, RuleSetting
from sakaime.policy.trim import whole
from sakaime.policy.weights import table
from sakaime.policy.yamltext import Path
from sakaime.text.skeleton import skeleton

Needed = tuple[Condition, ...]
OWN_CRITERIA = "settings/criteria"  # the rule about the documents that a repository names itself
_PATTERNS = ("all", "any", "none")
FALLBACK_REVIEW = Review(("<<<MATERIAL {nonce}", "MATERIAL {nonce}>>>"), 24000, ())


def compile_policy(packs: list[LoadedPack], settings: Placed, org: Org | None, today: str) -> Policy:
    """The policy in force.

    `packs` in the order in which their `review` sections outrank each other, the last one winning;
    `today` is a day as YYYY-MM-DD, after which softenings with an earlier `until` count no more.
    Raises `UserError` for mistakes that show only when packs and settings come together.
    """
    by_name: dict[str, LoadedPack] = {}
    for pack in packs:
        if pack.model.pack in by_name:
            raise pack.error(("pack",), f"the pack {pack.model.pack!r} is in force twice", "Rename one of the two.")
        by_name[pack.model.pack] = pack
    words = {name: _words(pack, by_name) for name, pack in by_name.items()}
    patterned = [found for name, pack in by_name.items() for found in _rules(pack, words[name])]
    patterned += [found for name, pack in by_name.items() for found in risk_rules(pack, words[name])]
    gates = {rule.id: needed for rule, needed in patterned}
    rules = [rule for rule, _ in patterned]
    rules += [rule for pack in by_name.values() for rule in (*_hidden(pack), *_criteria(pack))]
    rules += [rule for pack in by_name.values() for rule in secret_rules(pack, org)]
    rules += _own_criteria(settings)
    mentions = tuple(_mentions(pack, words[name]) for name, pack in by_name.items() if _tells_of(pack))
    locked = {f"{pack.model.pack}/{name}": f"pack {pack.model.pack}" for pack in packs for name in pack.model.locked}
    if org is not None:
        locked |= dict.fromkeys(org.locked, f"organisation {org.org}")
    floors = dict(org.severity) if org is not None else {}
    notes = _missing_packs(by_name, org, settings)
    notes += _unknown_to_floor(rules, by_name, org, settings)
    _known_ids(rules, settings)
    merged = []
    softened = set()
    for rule in rules:
        floor = floors.get(rule.id)
        if floor is not None:  # a floor holds from the day it is set
            rule = rule.replace(enforce_from="")
        if floor is not None and SEVERITIES.index(floor) > SEVERITIES.index(rule.severity):
            rule = _layer(rule.replace(severity=floor), f"organisation {org.org if org else ''}", f"severity {floor}")
        if rule.id in locked:
            rule = _layer(rule, locked[rule.id], LOCKED)
        kept = rule
        if (setting := settings.settings.rules.get(rule.id)) is not None:
            kept_or_none, more = _set(rule, setting, settings, locked.get(rule.id), floor, org, today)
            notes += more
            if kept_or_none is None:
                continue
            kept = kept_or_none
            if SEVERITIES.index(kept.severity) < SEVERITIES.index(rule.severity):
                softened.add(rule.id)
        merged.append(kept)
    merged.sort(key=lambda rule: rule.id)
    allows = (*_org_exceptions(org, today, notes), *_allows(settings, locked, today, notes))
    unjudged = _unjudged(settings, today, notes)
    compiled = _compiled(merged, gates, packs, notes, allows, unjudged, mentions)
    return compiled.replace(
        softened=frozenset(softened),
        secret_data=Late(values_of(packs, org).values()),
        hints=hints_of(compiled.secrets, packs if compiled.secrets else []),
    )


def _allows(settings: Placed, locked: dict[str, str], today: str, notes: list[Note]) -> tuple[Allow, ...]:
    """The exceptions in force; those without effect go into `notes`."""
    out = []
    for number, entry in enumerate(settings.settings.allow):
        line, column = settings.place(("allow", number))
        if not entry.fingerprint and not entry.line.strip():
            raise UserError(
                "the exception names no finding",
                path=settings.path,
                line=line,
                column=column,
                way_out="Give the `fingerprint` of the finding, or the text of its `line`.",
            )
        if entry.until is not None and entry.until.isoformat() < today:
            text = f"the exception for {entry.rule} ended on {entry.until}; it counts no more"
            notes.append(Note("policy/expired", "expired", "warning", text, settings.path, line, column))
        elif entry.rule in locked:
            text = f"{entry.rule} is locked by {locked[entry.rule]}; {settings.path} cannot make an exception to it"
            notes.append(Note("policy/locked", "locked", "error", text, settings.path, line, column))
        else:
            text = entry.line.strip()
            place = (settings.path, line, column)
            out.append(Allow(entry.rule, entry.path, entry.fingerprint, text, entry.reason, *place))
    return tuple(out)


def _org_exceptions(org: Org | None, today: str, notes: list[Note]) -> tuple[Allow, ...]:
    """What the organisation itself excepts, locked rules included; what has ended goes into `notes`."""
    out = []
    for entry in org.exceptions if org is not None else []:
        if entry.until is not None and entry.until.isoformat() < today:
            who = f"organisation {org.org if org else ''}"
            text = f"the exception of {who} for {entry.rule} ended on {entry.until}; it counts no more"
            notes.append(Note("policy/expired", "expired", "warning", text, "org.yaml", 1, 1))
            continue
        reason = f"excepted by organisation {org.org if org else ''}: {entry.reason}"
        out.append(Allow(entry.rule, entry.path, entry.fingerprint, "", reason, frees=True))
    return tuple(out)


def _unjudged(settings: Placed, today: str, notes: list[Note]) -> tuple[Unjudged, ...]:
    """The files that may pass without being judged; entries that ended go into `notes`."""
    out = []
    for number, entry in enumerate(settings.settings.unjudged):
        line, column = settings.place(("unjudged", number))
        if entry.until is not None and entry.until.isoformat() < today:
            text = f"the entry for {entry.path} ended on {entry.until}; it counts no more"
            notes.append(Note("policy/expired", "expired", "warning", text, settings.path, line, column))
            continue
        try:
            out.append(Unjudged(compile_globs([entry.path]), entry.reason))
        except ValueError as error:
            raise UserError(f"bad glob: {error}", path=settings.path, line=line, column=column) from None
    return tuple(out)


def _tells_of(pack: LoadedPack) -> bool:
    return bool(pack.model.mentions or pack.model.samples)


def _mentions(pack: LoadedPack, words: Words) -> Mentions:
    """What a pack says of quotations and samples. Another pack than a shipped one says it of its own rules only:
    a repository must not soften with it what its organisation holds."""
    name = "" if pack.tree.source == SHIPPED else pack.model.pack
    return Mentions(name, expanded(pack, ("mentions",), pack.model.mentions, words), compile_globs(pack.model.samples))


def _words(pack: LoadedPack, by_name: dict[str, LoadedPack]) -> Words:
    """The lists of words that the patterns of a pack can name: its own, and those of the packs that it uses."""
    words = {name: tuple(entries) for name, entries in pack.model.words.items()}
    for number, name in enumerate(pack.model.uses):
        if name not in by_name:
            near = get_close_matches(name, by_name, 1)
            raise pack.error(
                ("uses", number),
                f"uses the words of pack {name!r}, which is not in force",
                f"Did you mean {near[0]!r}?" if near else f"Known packs: {', '.join(sorted(by_name))}.",
            )
        for word, entries in by_name[name].model.words.items():
            if word in pack.model.words:
                raise pack.error(
                    ("words", word),
                    f"words {word!r} are already defined by pack {name!r}",
                    "Choose another name.",
                )
            words[word] = tuple(entries)
    return words


def _rules(pack: LoadedPack, words: Words) -> list[tuple[Rule, Needed]]:
    """The rules of a pack, as it has them; of each, per pattern of `all` and for all of `any` together, what a text
    must hold for it to match."""
    apart: dict[str, Any] = {"review": True, "words": True, "weights": {"__all__": {"words", "per_tactic"}}}
    inputs = [repr(pack.model.model_dump(exclude=apart)).encode(), repr(sorted(words.items())).encode()]
    kept = remembered("rules", inputs, lambda: _compiled_rules(pack, words))
    return [(Rule(*values), needed) for values, needed in kept]


def _compiled_rules(pack: LoadedPack, words: Words) -> list[tuple[tuple[Any, ...], Needed]]:
    out: list[tuple[tuple[Any, ...], Needed]] = []
    errors: list[UserError] = []
    named = {name: f"{pack.model.pack}/{name}" for name in pack.model.weights}
    doubts = next((named[name] for name, table in pack.model.weights.items() if table.doubt is not None), "")
    for number, rule in enumerate(pack.model.instructions):
        try:
            for key in _PATTERNS:
                expanded(pack, ("instructions", number, key), getattr(rule, key), words)
        except UserError as error:
            errors.append(error)
            continue
        compiled = rule_of(
            pack,
            rule,
            family="instructions",
            kind=rule.tactic,
            severity=rule.severity,
            unit=rule.unit,
            all=trees(rule.all, words),
            any=trees(rule.any, words),
            none=trees(rule.none, words),
            within=rule.within,
            places=tuple(rule.places),
            covers=rule.covers,
            across=rule.across,
            weights=named[rule.weights] if rule.weights else "",
            doubts="" if rule.weights else doubts,
        )
        out.append((compiled.values(), conditions(rule.all, rule.any, words, skeleton)))
    if errors:
        raise first_with_others(errors)
    return out


def _tables(packs: list[LoadedPack]) -> Tables:
    return Tables(
        {
            f"{pack.model.pack}/{name}": (
                weights.least,
                weights.doubt,
                weights.stem,
                weights.bias,
                table(weights.words),
                tuple((tactic, table(lines)) for tactic, lines in sorted(weights.per_tactic.items())),
            )
            for pack in packs
            for name, weights in pack.model.weights.items()
        }
    )


def _hidden(pack: LoadedPack) -> list[Rule]:
    return [
        rule_of(
            pack,
            rule,
            family="hidden",
            kind="hidden",
            severity=rule.severity,
            unit="line",
            covers="near",
            form=rule.form,
        )
        for rule in pack.model.hidden
    ]


def _criteria(pack: LoadedPack) -> list[Rule]:
    layer = f"pack {pack.model.pack} {pack.model.version}"
    return [_documents(f"{pack.model.pack}/{rule.id}", rule, layer) for rule in pack.model.criteria]


def _own_criteria(settings: Placed) -> list[Rule]:
    """The rule about the documents that a repository names itself."""
    paths = settings.settings.criteria.paths
    for number, glob in enumerate(paths):
        try:
            compile_globs([glob])
        except ValueError as error:
            line, column = settings.place(("criteria", "paths", number))
            raise UserError(f"bad glob: {error}", path=settings.path, line=line, column=column) from None
    if not paths:
        return []
    rule = CriteriaRule(id="criteria", paths=paths, title="documents that the settings name", why=_OWN_CRITERIA)
    return [_documents(OWN_CRITERIA, rule, settings.path)]


_OWN_CRITERIA = "What no criterion asks for, no reviewer looks at."


def _documents(name: str, rule: CriteriaRule, layer: str) -> Rule:
    return Rule(
        id=name,
        family="criteria",
        kind="criteria",
        severity="error",
        enforce_from=rule.enforce_from.isoformat() if rule.enforce_from else "",
        title=rule.title,
        message="",
        why=rule.why,
        include=compile_globs(rule.paths),
        named=tuple(map(literal_of_glob, rule.paths)),
        layers=((layer, "criteria"),),
        sections=tuple(rule.sections),
        losses=tuple(rule.severity.model_dump().items()),
        reader=rule.reader,
        reads=rule.reads,
    )


def _layer(rule: Rule, who: str, what: str) -> Rule:
    return rule.replace(layers=(*rule.layers, (who, what)))


def _known_ids(rules: list[Rule], settings: Placed) -> None:
    ids = [rule.id for rule in rules]
    allows = [(n, entry.rule) for n, entry in enumerate(settings.settings.allow) if entry.rule not in WATCHED]
    places: dict[str, Path] = {rule: ("allow", n) for n, rule in allows}
    places |= {wanted: ("rules", wanted) for wanted in settings.settings.rules}
    for wanted, place in places.items():
        if wanted not in ids:
            line, column = settings.place(place)
            near = get_close_matches(wanted, ids, 1)
            raise UserError(
                f"there is no rule {wanted!r}",
                path=settings.path,
                line=line,
                column=column,
                way_out=f"Did you mean {near[0]!r}?" if near else "`sakaime rules` lists the rules in force.",
            )


def _missing_packs(by_name: dict[str, LoadedPack], org: Org | None, settings: Placed) -> list[Note]:
    notes = []
    for required in org.require if org is not None else []:
        pack = by_name.get(required.pack)
        line, column = settings.place(("extends",))
        if pack is None:
            text = f"organisation {org.org if org else ''} requires pack {required.pack}, which is not in force"
        elif required.at_least and Version(pack.model.version) < Version(required.at_least):
            text = (
                f"organisation {org.org if org else ''} requires pack {required.pack} {required.at_least} or later; "
                f"{pack.model.version} is in force"
            )
        else:
            continue
        notes.append(Note("policy/required-pack", "required", "error", text, settings.path, line, column))
    return notes


def _unknown_to_floor(
    rules: list[Rule], by_name: dict[str, LoadedPack], org: Org | None, settings: Placed
) -> list[Note]:
    """What the floor says of rules that their pack does not have: it would hold nothing, and nobody would know."""
    if org is None:
        return []
    ids = {rule.id for rule in rules}
    wanted = [name for name in {**dict.fromkeys(org.locked), **org.severity} if name not in ids]
    return [
        Note(
            "policy/unknown-rule",
            "unknown-rule",
            "error",
            f"organisation {org.org} holds {name}, a rule that pack {name.split('/')[0]} does not have",
            settings.path,
            1,
            1,
        )
        for name in wanted
        if name.split("/")[0] in by_name
    ]


def _set(
    rule: Rule,
    setting: RuleSetting,
    settings: Placed,
    lock: str | None,
    floor: str | None,
    org: Org | None,
    today: str,
) -> tuple[Rule | None, list[Note]]:
    """A rule with the repository's wishes applied as far as they may be; None where it is switched off."""
    where: Path = ("rules", rule.id)
    who = f"organisation {org.org if org else ''}"
    notes: list[Note] = []

    def note(kind: str, severity: str, text: str, key: str) -> None:
        line, column = settings.place((*where, key))
        notes.append(Note(f"policy/{kind}", kind, severity, text, settings.path, line, column))

    wished: str | None = setting.severity
    lowers = wished is not None and SEVERITIES.index(wished) < SEVERITIES.index(rule.severity)
    softens = {"enabled": not setting.enabled, "severity": lowers, "paths": setting.paths is not None}
    if any(softens.values()):
        key = next(name for name, does in softens.items() if does)
        if not setting.reason.strip():
            line, column = settings.place((*where, key))
            raise UserError(
                f"softening {rule.id} needs a reason",
                path=settings.path,
                line=line,
                column=column,
                way_out='Add reason = "why" (and until = 2027-01-31, if it is for a time).',
            )
        if setting.until is not None and setting.until.isoformat() < today:
            note(
                "expired",
                "warning",
                f"the softening of {rule.id} ended on {setting.until}; it counts no more",
                "until",
            )
            return rule, notes
        if lock is not None:
            what = {"enabled": "disable", "severity": "soften", "paths": "narrow"}[key]
            note("locked", "error", f"{rule.id} is locked by {lock}; {settings.path} cannot {what} it", key)
            softens = dict.fromkeys(softens, False)
            lowers = False
            wished = None if wished and SEVERITIES.index(wished) < SEVERITIES.index(rule.severity) else wished
    if floor is not None and (softens["enabled"] or softens["paths"]):
        for key, what in (("enabled", "disable"), ("paths", "narrow")):
            if softens[key]:
                text = f"{who} holds {rule.id} at {floor} or worse; {settings.path} cannot {what} it"
                note("floor", "error", text, key)
        softens = dict.fromkeys(softens, False)
    if softens["enabled"]:
        return None, notes
    if wished is not None:
        if floor is not None and SEVERITIES.index(wished) < SEVERITIES.index(floor):
            text = f"{who} holds {rule.id} at {floor} or worse; {settings.path} asks {wished}"
            note("floor", "error", text, "severity")
            wished = floor
        rule = _layer(rule.replace(severity=wished), settings.path, f"severity {wished}")
    if softens["paths"] and setting.paths is not None:
        try:
            include, exclude = compile_globs(setting.paths.include), compile_globs(setting.paths.exclude)
        except ValueError as error:
            line, column = settings.place((*where, "paths"))
            raise UserError(f"bad glob: {error}", path=settings.path, line=line, column=column) from None
        rule = _layer(
            rule.replace(include=include, named=(), exclude=(*rule.exclude, *exclude)), settings.path, "paths"
        )
    return rule, notes


def _deciding(rule: Rule) -> list[Any]:
    """What of a rule the policy's digest is made of."""
    return list(rule.replace(**{name: tuple(map(whole, getattr(rule, name))) for name in _PATTERNS}).values())


def _named(criteria: list[Rule]) -> tuple[str, ...]:
    """Strings of which one is in the path of every document that a rule looks at; an empty one where none is sure."""
    return tuple({part: None for rule in criteria for part in rule.named or ("",)})


def _ladders(pack: LoadedPack) -> list[dict[str, Any]]:
    return [ladder.model_dump(by_alias=True, exclude_defaults=True) for ladder in pack.model.ladders]


def _compiled(
    rules: list[Rule],
    gates: dict[str, Needed],
    packs: list[LoadedPack],
    notes: list[Note],
    allows: tuple[Allow, ...],
    unjudged: tuple[Unjudged, ...],
    mentions: tuple[Mentions, ...],
) -> Policy:
    review = FALLBACK_REVIEW
    for pack in packs:
        if (own := pack.model.review) is not None:
            review = Review(
                own.fence or review.fence,
                own.chunk_bytes,
                tuple(sorted(own.declaration.items())) or review.declaration,
            )
    ids = tuple(
        PackId(pack.model.pack, pack.model.version, pack.tree.digest, pack.tree.source)
        for pack in sorted(packs, key=lambda pack: pack.model.pack)
    )
    content = json.dumps(
        [
            [[pack.name, pack.version, pack.digest] for pack in ids],
            [_deciding(rule) for rule in rules],
            [note.values() for note in notes],
            review.values(),
            [allow.content for allow in allows],
            [entry.values() for entry in unjudged],
            [entry.values() for entry in mentions],
        ],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    matched = [rule for rule in rules if rule.family == "instructions"]
    criteria = [rule for rule in rules if rule.family == "criteria"]
    risks = [rule for rule in rules if rule.family == "risks"]
    return Policy(
        id=PolicyId(digest, ids),
        rules=rules_of(matched),
        gate=_gate(matched, gates),
        notes=tuple(notes),
        review=review,
        allows=allows,
        unjudged=unjudged,
        mentions=mentions,
        hidden=rules_of(rule for rule in rules if rule.family == "hidden"),
        criteria=rules_of(criteria),
        secrets=rules_of(rule for rule in rules if rule.family == "secrets"),
        named=_named(criteria),
        ladders=Late(tuple(ladder for pack in packs for ladder in _ladders(pack))),
        ids=frozenset(rule.id for rule in rules),
        locked={rule.id: who for rule in rules for who, what in rule.layers if what == LOCKED},
        dates={rule.id: rule.enforce_from for rule in rules if rule.enforce_from},
        across=tuple(number for number, rule in enumerate(matched) if rule.across),
        tables=_tables(packs),
        risks=rules_of(risks),
        risky=_gate(risks, gates, bare=True),
        topics=tuple((family, word) for pack in packs for family, words in pack.model.topics.items() for word in words),
    )


def _gate(rules: list[Rule], gates: dict[str, Needed], bare: bool = False) -> Gate:
    by_pack = groupby(rules, key=lambda rule: rule.id.split("/")[0])
    gated = [[(gates[rule.id], rule.within, rule.named) for rule in of_pack] for _, of_pack in by_pack]
    return gate_of(gated, bare)
