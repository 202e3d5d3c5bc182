"""What a finding is, without where it stands: so that it stays the same when lines move."""

from __future__ import annotations

import unicodedata

from sakaime.model import Finding
from sakaime.model.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def normal(line: str) -> str:
    """A line without what is no content: NFKC, with single blanks between its words."""
    return " ".join(unicodedata.normalize("NFKC", line).split())


def content_of(finding: Finding) -> str:
    """What stands where a finding is, as its fingerprint takes it."""
    return normal(finding.key or finding.line or finding.excerpt or finding.message)


def with_fingerprints(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each with a hash over rule, line content and ordinal among equals of its file."""
    seen: dict[tuple[str, str, str], int] = {}
    out = []
    for finding in sorted(findings, key=lambda f: (f.path, f.span.start.line, f.span.start.column)):
        content = content_of(finding)
        key = (finding.path, finding.rule, content)
        seen[key] = ordinal = seen.get(key, -1) + 1
        text = "\0".join((finding.rule, content, str(ordinal)))
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        out.append(finding.replace(fingerprint=digest[:32]))
    return out
