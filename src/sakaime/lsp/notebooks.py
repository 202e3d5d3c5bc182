"""Notebooks on disk: JSON that holds the texts of its cells (nbformat 4)."""

from __future__ import annotations

import json


def cells(data: bytes) -> bytes | None:
    """The texts of all cells, one below the other: what a cell has now stood in one of them before, or it is new.

    None where it is no notebook.
    """
    try:
        found = json.loads(data)["cells"]
        texts = ["".join(cell["source"]) for cell in found]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return "\n".join(texts).encode("utf-8", "replace")
