"""The one function that every face calls."""

from __future__ import annotations

import time

from sakaime.checks import criteria, hidden, instructions, risks, secrets
from sakaime.checks import policy as policy_check
from sakaime.material.change import BINARY, SUBMODULE, Change, Material
from sakaime.material.texts import Binary, Texts
from sakaime.model import Coverage, Judgement, NotJudged, Scope, Skipped
from sakaime.policy.policy import Policy
from sakaime.text.paths import printable
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.judge.comments import Exceptions
    from sakaime.model import Finding

_MARK = b"sakaime: allow"
_OF_COVERAGE = ("instructions", "hidden", "criteria", "secrets", "risks")
_WIDE_MARK = b"\0".join(_MARK[at : at + 1] for at in range(len(_MARK)))  # UTF-16 of either byte order


def judge(policy: Policy, material: Material) -> Judgement:
    """Judges the added lines of a material. Opens no socket and writes nothing.

    A file that is no text is listed in `scope.skipped` when it is binary, in `scope.unjudged` when it
    should be text and cannot be read as such. Raises `CannotJudge` when an object is missing.
    """
    texts = Texts(material)
    skipped: list[Skipped] = list(material.skipped)
    unjudged: list[Skipped] = []
    today = time.strftime("%Y-%m-%d")
    found: list[Finding] = list(policy_check.check(policy))
    excepted: list[Exceptions] = []
    hidden_values: list[str] = []
    for change in material.changes:
        if policy_check.guards(change):
            from sakaime.checks import guarded

            found += guarded.check(material, change)
        if policy_check.steers(change):
            from sakaime.checks import agents

            found += agents.check(material, change)
        try:
            if change.new is not None and change.status in "AR":
                found += instructions.in_name(policy, change.path)
                found += hidden.in_name(policy, change.path)
            if change.unread:
                raise Binary if change.unread == BINARY else Undecodable(change.unread)
            here = [
                *instructions.check(policy, material, change, texts),
                *hidden.check(policy, change, texts),
                *risks.check(policy, material, change, texts),
            ]
            if secrets.concerns(policy, as_it_is := material.verbatim or change):
                values = secrets.check(policy, material, as_it_is, texts)
                here += values.findings
                hidden_values += values.hidden
            found += here
            near = here and _MARK.decode() in texts.new(change).source.text
            if (near or _brings_exceptions(change)) and material.mode != "message":
                from sakaime.judge.comments import exceptions

                excepted.append(exceptions(policy, material, change, texts.new(change), here, today))
        except Binary:
            skipped.append(Skipped(printable(change.path), BINARY))
        except NotJudged as error:
            passes = _may_pass(policy, change.path)
            where = skipped if passes else unjudged
            where.append(Skipped(printable(change.path), f"{error} ({passes})" if passes else str(error)))
    if criteria.concerns(policy, material):
        lost, unread = criteria.check(policy, material)
        found += lost
        for entry in unread:
            passes = _may_pass(policy, entry.path)
            skipped = [known for known in skipped if known.path != entry.path]  # a file without criteria could be
            where = skipped if passes else unjudged
            if all(entry.path != known.path for known in unjudged):
                where.append(entry.replace(reason=f"{entry.reason} ({passes})") if passes else entry)
    scope = Scope(
        mode=material.mode,
        base=material.base,
        head=material.head,
        files=len(material.changes),
        added_lines=sum(change.added_lines for change in material.changes),
        rules=len(policy.rules) + len(policy.hidden) + len(policy.criteria) + len(policy.risks) + len(policy.secrets),
        skipped=tuple(skipped),
        unjudged=tuple(unjudged),
    )
    settled = _settled(policy, material, found, excepted, hidden_values, today)
    if not any(finding.family in _OF_COVERAGE for finding in settled):
        return Judgement(policy.id, scope, settled)
    return Judgement(policy.id, scope, *_with_coverage(policy, material, texts, settled, today))


def _with_coverage(
    policy: Policy, material: Material, texts: Texts, settled: tuple[Finding, ...], today: str
) -> tuple[tuple[Finding, ...], Coverage]:
    """The findings, those notes raised that shield a risk, and what each one shields."""
    from sakaime.judge.places import places, shields

    if not any(map(shields, settled)):
        return settled, Coverage(tuple(place.risk for place in places(None, settled)))
    from sakaime.judge.coverage import Covering, raised

    covering = Covering(policy, material, texts, settled, places(policy, settled))
    return tuple(raised(policy, covering, settled, today)), covering.coverage()


def _may_pass(policy: Policy, path: str) -> str:
    """Why a file that cannot be judged may pass; empty where nothing in the settings says so."""
    if not policy.unjudged:
        return ""
    from sakaime.policy.match import matches_path

    return next((entry.reason for entry in policy.unjudged if matches_path(entry.globs, path)), "")


def _brings_exceptions(change: Change) -> bool:
    """Whether the literal that begins an exception is in what was added: nothing else is looked at here."""
    if change.new is None or change.new.mode == SUBMODULE:
        return False
    for hunk in change.hunks:
        if hunk.added and (_MARK in hunk.new or (b"\0" in hunk.new and _WIDE_MARK in hunk.new)):
            return True
    return False


def _settled(
    policy: Policy,
    material: Material,
    found: list[Finding],
    excepted: list[Exceptions],
    hidden_values: list[str],
    today: str,
) -> tuple[Finding, ...]:
    found += (finding for one in excepted for finding in one.findings)
    whole = material.mode == "tree"
    if not found and not (whole and (policy.allows or excepted or policy.baseline.entries)):
        return ()
    from sakaime.judge.baseline import mark_known
    from sakaime.judge.correlate import correlate
    from sakaime.judge.fingerprint import with_fingerprints
    from sakaime.judge.masking import without_secrets
    from sakaime.judge.suppress import by_acceptance, by_settings, is_locked, suppress

    dates = {rule for rule, day in policy.dates.items() if day > today}
    soft = [f.replace(severity="warning") if f.severity == "error" and f.rule in dates else f for f in found]
    settled = with_fingerprints(without_secrets(policy, soft, hidden_values))
    locked = policy.locked
    sources = [by_settings(policy, locked)]
    if excepted:
        from sakaime.judge.comments import by_comments

        sources.append(by_comments(excepted, lambda finding: is_locked(finding, locked)))
    sources.append(by_acceptance(policy, locked))
    if whole:
        from sakaime.judge.unused import unused

        settled += with_fingerprints(
            without_secrets(policy, unused(policy, material, excepted, settled), hidden_values)
        )
    # Exceptions come first: one rule's exception is none for a locked rule that says the same of a place.
    return tuple(mark_known(policy.baseline, material, correlate(suppress(settled, sources, locked))))
