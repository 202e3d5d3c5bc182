"""Patterns cut down to one text: without the alternatives of which no literal stands in it.

What a pattern finds in the text stays the same, but a list of hundreds of phrases shrinks to the few that could be
there. To compile the whole pattern takes a hundred times as long as to look for it in a paragraph.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # Source text, and between it groups: whether one may be left out, its head and tail, and its branches, each
    # with literals of which one must be in the skeleton of a text for it to match there (none: it may always).
    Tree: TypeAlias = tuple["str | Group", ...]
    Branch: TypeAlias = tuple[tuple[str, ...], Tree]
    Group: TypeAlias = tuple[bool, str, str, tuple[Branch, ...]]


def trimmed(tree: Tree, bones: str) -> str | None:
    """The source of a pattern that finds the same in a text of that skeleton; None where it finds nothing."""
    out = []
    for part in tree:
        if isinstance(part, str):
            out.append(part)
            continue
        optional, head, tail, branches = part
        kept = [
            source
            for literals, branch in branches
            if (not literals or any(literal in bones for literal in literals))
            and (source := trimmed(branch, bones)) is not None
        ]
        if kept:
            out.append(f"{head}{'|'.join(kept)}{tail}")
        elif not optional:
            return None
    return "".join(out)
