"""The one function that every face calls."""

from __future__ import annotations

import time

from sakaime.checks import instructions
from sakaime.checks import policy as policy_check
from sakaime.material.change import Material
from sakaime.material.texts import Binary, Texts
from sakaime.model import Judgement, Scope, Skipped
from sakaime.policy.policy import Policy
from sakaime.text.paths import printable
from sakaime.text.source import Undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.model import Finding


def judge(policy: Policy, material: Material) -> Judgement:
    """Judges the added lines of a material. Opens no socket and writes nothing.

    A file that is no text is listed in `scope.skipped` when it is binary, in `scope.unjudged` when it
    should be text and cannot be read as such. Raises `CannotJudge` when an object is missing.
    """
    texts = Texts(material)
    skipped: list[Skipped] = list(material.skipped)
    unjudged: list[Skipped] = []
    found: list[Finding] = list(policy_check.check(policy))
    for change in material.changes:
        try:
            found += instructions.check(policy, material, change, texts)
        except Binary:
            skipped.append(Skipped(printable(change.path), "binary"))
        except Undecodable as error:
            passes = _may_pass(policy, change.path)
            where = skipped if passes else unjudged
            where.append(Skipped(printable(change.path), f"{error} ({passes})" if passes else str(error)))
    scope = Scope(
        mode=material.mode,
        base=material.base,
        head=material.head,
        files=len(material.changes),
        added_lines=sum(change.added_lines for change in material.changes),
        rules=len(policy.rules),
        skipped=tuple(skipped),
        unjudged=tuple(unjudged),
    )
    look = found or (material.complete and policy.baseline.entries)
    return Judgement(policy.id, scope, _settled(policy, material, found) if look else ())


def _may_pass(policy: Policy, path: str) -> str:
    """Why a file that cannot be judged may pass; empty where nothing in the settings says so."""
    if not policy.unjudged:
        return ""
    from sakaime.policy.match import matches_path

    return next((entry.reason for entry in policy.unjudged if matches_path(entry.globs, path)), "")


def _settled(policy: Policy, material: Material, found: list[Finding]) -> tuple[Finding, ...]:
    from sakaime.judge.baseline import mark_known
    from sakaime.judge.correlate import correlate
    from sakaime.judge.fingerprint import with_fingerprints
    from sakaime.judge.suppress import suppress

    today = time.strftime("%Y-%m-%d")
    dates = {rule.id: rule.enforce_from for rule in policy.every_rule() if rule.enforce_from > today}
    soft = [f.replace(severity="warning") if f.severity == "error" and f.rule in dates else f for f in found]
    # Exceptions come first: one rule's exception is none for another rule that says the same of a place.
    left = correlate(suppress(policy, with_fingerprints(soft)))
    return tuple(mark_known(policy.baseline, material, left))
