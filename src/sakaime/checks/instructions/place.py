"""Where rules are matched."""

from __future__ import annotations

from sakaime.material.texts import Text
from sakaime.model import Record
from sakaime.policy.policy import Policy


class Here(Record):
    """Where rules are matched: under which policy, in which file, in which text."""

    policy: Policy
    path: str
    text: Text
