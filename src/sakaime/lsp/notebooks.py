"""Notebooks on disk: JSON that holds the texts of its cells (nbformat 4)."""

from __future__ import annotations

import json


def ended(text: str) -> str:
    """The text of a cell with its last line ended, as it rarely is there: else it would be another line than in git."""
    return text if text.endswith("\n") or not text else f"{text}\n"


def cells(data: bytes) -> bytes | None:
    """The texts of all cells, one below the other, with an empty line between: what a cell has now stood in one of them
    before, or it is new.

    None where it is no notebook.
    """
    try:
        found = json.loads(data)["cells"]
        texts = ["".join(cell["source"]) for cell in found]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return "\n".join(map(ended, texts)).encode("utf-8", "replace")
