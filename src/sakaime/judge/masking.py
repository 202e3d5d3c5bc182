"""No report holds a secret: every text of every finding is masked here, before anything is made of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.checks.secrets.masking import Masker
    from sakaime.material.change import Material
    from sakaime.model import Finding
    from sakaime.policy.policy import Policy


def without_secrets(policy: Policy, findings: Iterable[Finding], known: Sequence[str]) -> list[Finding]:
    """The findings with every secret masked in what they show, and in what their fingerprints are made of.

    `known` are the secrets that were found in the material.
    """
    every = list(findings)
    if not every or not policy.secrets.packs:
        return every
    from sakaime.checks import secrets

    # Most findings show lines without anything that could be one; then nothing is loaded.
    if not known and not any(secrets.opens(policy, _bytes(text)) for finding in every for text in _texts(finding)):
        return every
    from sakaime.checks.secrets.masking import Masker

    masker = Masker(policy, known)
    return [_masked(finding, masker) for finding in every]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _texts(finding: Finding) -> tuple[str, ...]:
    return finding.line, finding.excerpt, finding.message, finding.key, *(one.message for one in finding.related)


def _masked(finding: Finding, masker: Masker) -> Finding:
    own = finding.family == "secrets"  # it shows nothing of the value but what may be told; its names may be secrets
    return finding.replace(
        line=masker.text(finding.line),
        excerpt=finding.excerpt if own else masker.text(finding.excerpt),
        message=masker.text(finding.message),
        key=masker.text(finding.key),
        related=tuple(one.replace(message=masker.text(one.message)) for one in finding.related),
    )


def live_places(policy: Policy, material: Material) -> list[tuple[str, int]]:
    """Path and line of every secret in a change, what it takes away and what stands around it included."""
    from sakaime.checks import secrets

    places: dict[tuple[str, int], None] = {}
    masker = None
    for change in material.changes:
        for hunk in change.hunks:
            for start, data in ((hunk.old_start, hunk.old), (hunk.new_start, hunk.new)):
                if not secrets.opens(policy, data):
                    continue
                from sakaime.checks.secrets.judged import classifier
                from sakaime.checks.secrets.masking import Masker
                from sakaime.checks.secrets.zones import Zones

                masker = masker or Masker(policy)
                zones = Zones(classifier(policy).values, change.path)
                text = data.decode("utf-8", "replace")
                for at, _, _, rule in masker.places(text):
                    if not zones.exempt or dict(rule.worths).get("exempt", "off") != "off":
                        places[change.path, start + text.count("\n", 0, at)] = None
    return list(places)
