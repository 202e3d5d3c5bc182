"""Configuration that says what a review looks at: YAML, TOML and JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.documents.trees import Tree
    from sakaime.checks.criteria.item import Item


def items(text: str, path: str) -> tuple[Item, ...]:
    """What a configuration says, read by the ending of its path.

    Raises `ValueError`, one line that says what and where, for a text that cannot be read and for another ending.
    """
    from sakaime.checks.criteria.documents import leaves

    mark = text[:1] == "\ufeff"
    body = text[1:] if mark else text
    found = leaves.items(body, _tree(body, path.lower()))
    return tuple(item.replace(start=item.start + 1, end=item.end + 1) for item in found) if mark else found


def reads(path: str) -> bool:
    """Whether a file is configuration, by the ending of its name."""
    name = path.rsplit("/", 1)[-1].lower()
    return name.endswith((".yaml", ".yml", ".toml", ".json", ".jsonc", ".json5", "rc"))


def _tree(text: str, path: str) -> Tree:
    from sakaime.checks.criteria.documents import trees

    if path.endswith((".yaml", ".yml")):
        return trees.yaml_tree(text)
    if path.endswith(".toml"):
        return trees.toml_tree(text)
    if path.endswith((".json", ".jsonc", ".json5")):
        return trees.json_tree(text)
    if path.rsplit("/", 1)[-1].endswith("rc"):  # `.eslintrc` is read as either
        try:
            return trees.json_tree(text)
        except ValueError:
            return trees.yaml_tree(text)
    raise ValueError("is neither YAML nor TOML nor JSON, by its name")
