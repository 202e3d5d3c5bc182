"""What rules find in a text once its disguise is taken off."""

from __future__ import annotations

from sakaime.checks.instructions.disguise import disguised
from sakaime.checks.instructions.place import Here
from sakaime.checks.instructions.units import check_unit
from sakaime.model import Finding
from sakaime.policy.match import looks_at
from sakaime.text.disguise import disguises, raw_view, suspects
from sakaime.text.segments import blocks
from sakaime.text.units import block_view, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def in_disguise(here: Here, message: bool) -> Iterator[Finding]:
    """What rules find in a text once its disguise is taken off."""
    policy, text = here.policy, here.text
    source = text.source
    ranges = [found for found in suspects(source.text) if text.touches(*found)]
    if not ranges:
        return
    views = [raw_view(source.text, *found) for found in ranges]
    for block in blocks(here.path, source, message, tuple(ranges)):
        start, end = block.pieces[0][0], block.pieces[-1][1]
        if any(first < end and start < last for first, last in ranges):
            views.append(block_view(source.text, block))
    for view in views:
        for name, shown in disguises(view):
            for rule in map(policy.rule, policy.gate.possible(shown.text, here.path)):
                if not looks_at(rule, here.path):
                    continue
                units = list(sentences(shown.text)) if rule.unit == "sentence" else [(0, len(shown.text))]
                for start, end in units:
                    for _, finding in check_unit(rule, here, shown, start, end, None):
                        yield disguised(finding, "hidden", f"in disguise: {name}")
