"""Where a rule is explained."""

from __future__ import annotations

import sakaime
from sakaime.model import PolicyId

HOME = "https://github.com/sakaime/sakaime"


def page(policy: PolicyId, rule: str) -> str | None:
    """The address of the page of a rule; None for rules of packs that do not come with sakaime."""
    pack = rule.partition("/")[0]
    if not any(p.name == pack and p.source == "shipped" for p in policy.packs):
        return None
    return f"{HOME}/blob/v{sakaime.__version__}/docs/rules/{rule}.md"
