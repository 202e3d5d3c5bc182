"""The quick fix of notes, under the name that it had."""

from sakaime.lsp.fixes.notes import removal

__all__ = ["removal"]
