"""Labelled cases: every one is judged as its label says."""

from __future__ import annotations

from pathlib import Path

import pytest
from secrets_fixtures import CASES, case, secrets_in

CLASSES = {"P": "placeholder", "D": "default", "RD": "fallback", "L": "live"}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.yml")), ids=lambda p: p.stem)
def test_a_case_is_judged_as_labelled(path: Path) -> None:
    data, text = case(path)
    old = None
    if data["added"] != "all":
        lines = text.split("\n")
        old = "\n".join(line for number, line in enumerate(lines, 1) if number not in data["added"])
    found = [
        (f.span.start.line, f.kind, f.severity) for f in secrets_in(data["path"], text, old) if f.severity != "info"
    ]
    wanted = data["expect"]
    assert len(found) == len(wanted), found
    for (line, kind, severity), one in zip(found, wanted, strict=True):
        assert one["line"] <= line <= one.get("line_to", one["line"])
        assert (kind, severity) == (CLASSES[one["class"]], one["severity"])
