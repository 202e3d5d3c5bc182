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
    Branches: TypeAlias = tuple[Branch, ...]
    Group: TypeAlias = tuple[bool, str, str, Branches]

# Rules share lists of words, of which the same is left for a text: that, by the identity of the list, for the last
# text. The lists stand there so that no other one can come to have the identity of one that is gone.
_last: tuple[str, dict[int, tuple[Branches, str | None]]] = ("", {})


def whole(tree: Tree) -> str:
    """The source of a pattern, with all of its branches."""
    return "".join(
        part if isinstance(part, str) else f"{part[1]}{'|'.join(whole(branch) for _, branch in part[3])}{part[2]}"
        for part in tree
    )


def trimmed(tree: Tree, bones: str) -> str | None:
    """The source of a pattern that finds the same in a text of that skeleton; None where it finds nothing."""
    out = []
    for part in tree:
        if isinstance(part, str):
            out.append(part)
            continue
        optional, head, tail, branches = part
        kept = _kept(branches, bones)
        if kept is not None:
            out.append(f"{head}{kept}{tail}")
        elif not optional:
            return None
    return "".join(out)


def _kept(branches: Branches, bones: str) -> str | None:
    """The branches that could match in a text of that skeleton, as source; None where none could."""
    global _last
    if _last[0] != bones:
        _last = bones, {}
    known = _last[1]
    if id(branches) not in known:
        kept = [
            source
            for literals, branch in branches
            if (not literals or any(literal in bones for literal in literals))
            and (source := trimmed(branch, bones)) is not None
        ]
        known[id(branches)] = branches, "|".join(kept) if kept else None
    return known[id(branches)][1]
