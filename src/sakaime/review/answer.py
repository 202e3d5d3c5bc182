"""What a review answers: the JSON schema of its output."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "minLength": 1}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "The answer of a review",
    **_object(
        {
            "verdicts": {
                "type": "array",
                "description": "One for every id that the brief expects, and no other.",
                "items": _object(
                    {"id": _TEXT, "verdict": {"enum": ["confirmed", "rejected"]}, "reason": _TEXT},
                ),
            },
            "findings": {
                "type": "array",
                "description": "What is wrong with the change.",
                "items": _object(
                    {"path": _TEXT, "line": {"type": "integer", "minimum": 1}, "what": _TEXT, "why": _TEXT},
                ),
            },
            "instructions_in_material": {
                "type": "array",
                "description": "The ids of the instructions that stand in the material.",
                "items": {"type": "string", "pattern": "^I[1-9][0-9]*$"},
                "uniqueItems": True,
            },
        }
    ),
}
