"""YAML files and the front matter of Markdown, as data with lines."""

from __future__ import annotations

from sakaime.checks.agents.facts import Tree
from sakaime.model import UserError


def parse(text: str, above: int = 0) -> Tree:
    """Reads one document that begins below `above` lines. Raises `ValueError` for anything that is not one."""
    from sakaime.policy.yamltext import parse as read

    if not text.strip():
        return Tree(None, {})
    try:
        document = read(text.encode("utf-8", "surrogatepass"), "")
    except UserError as error:
        raise ValueError(error.message) from None
    lines = {path: line + above for path, (line, _) in {**document.marks, **document.keys}.items()}
    return Tree(document.data, lines)


def front_matter(text: str) -> tuple[Tree, int]:
    """What stands between the `---` at the top, and the number of the line that closes it (0: there is none).

    Raises `ValueError` where it cannot be read.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Tree(None, {}), 0
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == "---":
            return parse("\n".join(lines[1 : number - 1]), above=1), number
    raise ValueError("the front matter does not end")
