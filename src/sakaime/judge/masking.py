"""No report holds a secret: every text of every finding is masked here, before anything is made of it."""

from __future__ import annotations

from sakaime.text.chars import normalised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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


def masking(policy: Policy) -> Callable[[str], str]:
    """A function that masks in a text what is a secret by itself; nothing is loaded for one that could hold none."""
    from sakaime.checks import secrets

    made: list[Masker] = []

    def mask(text: str) -> str:
        if not policy.secrets.packs or not secrets.opens(policy, _bytes(text)):
            return text
        if not made:
            from sakaime.checks.secrets.masking import Masker

            made.append(Masker(policy))
        return made[0].text(text)

    return mask


def _bytes(text: str) -> bytes:
    """A text as it is looked at for what could be a secret: without what is not to be seen."""
    if not text.isascii():
        text = normalised(text)
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
    """Path and line of every secret in a change, what it takes away, what stands around it and names included."""
    from sakaime.checks import secrets

    places: dict[tuple[str, int], None] = {}
    mask = masking(policy)
    masker = None
    for change in material.changes:
        if any(mask(name) != name for name in (change.path, change.old_path) if name is not None):
            places[change.path, 1] = None
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
