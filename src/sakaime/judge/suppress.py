"""Findings that the policy allows, with their reason. They stay in the judgement and count no more."""

from __future__ import annotations

from sakaime.model import Finding
from sakaime.policy.policy import Allow, Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def suppress(policy: Policy, findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those that an allow entry of the settings names marked with its reason."""
    return [_suppressed(policy.allows, finding) for finding in findings]


def _suppressed(allows: tuple[Allow, ...], finding: Finding) -> Finding:
    for allow in allows:
        if allow.rule != finding.rule or not finding.fingerprint:
            continue
        if allow.path and allow.path != finding.path:
            continue
        if finding.fingerprint == allow.fingerprint or (allow.line and allow.line == finding.line.strip()):
            return finding.replace(suppressed=allow.reason)
    return finding
