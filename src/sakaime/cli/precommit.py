"""The hooks in a .pre-commit-config.yaml that somebody else wrote.

ruamel.yaml reads it and says where things stand; the new lines are put in between the others, which stay
byte for byte. What comes out is read again and compared with what was wanted.
"""

from __future__ import annotations

import copy
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, SequenceNode

from sakaime.model import UserError
from sakaime.policy.yamltext import Document, parse

CONFIG = ".pre-commit-config.yaml"
SOURCE = "https://github.com/sakaime/sakaime"
STAGES = {
    "sakaime": ("pre-commit", "pre-push"),
    "sakaime-message": ("commit-msg",),
    "sakaime-packs": ("pre-commit",),
    "sakaime-sync": ("post-checkout", "post-merge"),
}
_ORDER = ("pre-commit", "commit-msg", "pre-push", "post-checkout", "post-merge")
_TYPES = "default_install_hook_types"


def with_hooks(data: bytes | None, wanted: tuple[str, ...], version: str) -> bytes:
    """The file with hooks of these ids, and with the types that they need to be installed.

    `data` is the file as it is (None: there is none). What is there already stays as it is, to the byte.
    Raises `UserError` with a place where the file is broken, or where nothing can be put in between.
    """
    types = tuple(stage for stage in _ORDER if any(stage in STAGES[hook] for hook in wanted))
    if data is None or _bare(data):
        head = f"{_TYPES}: [{', '.join(types)}]\nrepos:\n"
        kept = data if not data or data.endswith(b"\n") else data + b"\n"
        return (kept or b"") + (head + "\n".join(_entry(wanted, version, 2, 4, 6, 8)) + "\n").encode()
    document = parse(data, CONFIG)
    config = _checked(document)
    new = copy.deepcopy(config)
    edits = _Edits(data)
    _add_hooks(document, config, new, edits, wanted, version, types)
    _add_types(document, config, new, edits, types)
    if not edits.wanted:
        return data
    out = edits.done()
    try:
        same = parse(out, CONFIG).data == new
    except UserError:
        same = False
    if not same:
        raise _by_hand(document, ("repos",), wanted, version, types)
    return out


def _bare(data: bytes) -> bool:
    """Whether there is nothing but comments."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return not any(line.strip() and not line.lstrip().startswith(b"#") for line in lines)


def _checked(document: Document) -> dict[str, Any]:
    """The configuration, of the shape that pre-commit needs as far as we touch it."""

    def must(good: bool, path: tuple[str | int, ...], what: str) -> None:
        if not good:
            line, column = document.place(path)
            raise UserError(f"{what}; nothing was changed", path=CONFIG, line=line, column=column)

    config = document.data
    must(isinstance(config, dict), (), "is no configuration of pre-commit: a mapping with `repos` is wanted")
    must(isinstance(config.get("repos") or [], list), ("repos",), "`repos` must be a list")
    must(isinstance(config.get(_TYPES) or [], list), (_TYPES,), f"`{_TYPES}` must be a list")
    for number, entry in enumerate(config.get("repos") or []):
        where = ("repos", number)
        must(isinstance(entry, dict), where, "an entry of `repos` must be a mapping")
        hooks = entry.get("hooks") or []
        must(isinstance(hooks, list), (*where, "hooks"), "`hooks` must be a list")
        for at, hook in enumerate(hooks):
            must(isinstance(hook, dict), (*where, "hooks", at), "a hook must be a mapping with an `id`")
    checked: dict[str, Any] = config
    return checked


def _entry(wanted: tuple[str, ...], version: str, dash: int, column: int, inner: int, innermost: int) -> list[str]:
    """The lines of our entry: its dash and keys, the dashes of its hooks and their keys, at these columns from 0."""
    keys = [f"repo: {SOURCE}", f"rev: v{version}", "hooks:"]
    lines = [f"{' ' * column}{key}" for key in keys]
    lines[0] = f"{' ' * dash}-{' ' * (column - dash - 1)}{keys[0]}"
    return [*lines, *_hooks(wanted, inner, innermost)]


def _hooks(wanted: tuple[str, ...], dash: int, column: int) -> list[str]:
    return [f"{' ' * dash}-{' ' * (column - dash - 1)}id: {hook}" for hook in wanted]


def _by_hand(
    document: Document, path: tuple[str | int, ...], wanted: tuple[str, ...], version: str, types: tuple[str, ...]
) -> UserError:
    line, column = document.place(path)
    lines = [f"{_TYPES}: [{', '.join(types)}]", "repos:", *_entry(wanted, version, 2, 4, 6, 8)]
    return UserError(
        "is written in a way that hooks cannot be put into without changing the rest; nothing was changed",
        path=CONFIG,
        line=line,
        column=column,
        way_out="Add by hand:\n" + "\n".join(f"    {line}" for line in lines),
    )


class _Edits:
    """A text, its nodes, and what is to be put in: whole lines after a line, or characters at a place."""

    def __init__(self, data: bytes) -> None:
        self.mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        text = data.removeprefix(self.mark).decode()
        self.end = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.split("\n")
        if self.lines[-1]:
            self.lines.append("")
        self.top: MappingNode = YAML(typ="rt", pure=True).compose(text)
        self.wanted: list[tuple[int, int, str]] = []
        self.closed = data.endswith(b"\n")

    def node(self, *path: str | int) -> Node:
        """The node at a path that exists."""
        node: Node = self.top
        for part in path:
            if isinstance(part, int):
                node = node.value[part]
            else:
                node = next(value for key, value in node.value if key.value == part)
        return node

    def key_line(self, name: str) -> int:
        """The line (from 0) of a key at the top."""
        line: int = next(key.start_mark.line for key, _ in self.top.value if key.value == name)
        return line

    def after(self, node: Node, deeper: int, lines: list[str]) -> None:
        """Puts lines below a node and below the comments that follow it further right than column `deeper`."""
        at = _last_line(node, self.lines)
        ahead = at + 1
        while ahead < len(self.lines):
            bare = self.lines[ahead].lstrip(" ")
            if bare.startswith("#") and len(self.lines[ahead]) - len(bare) > deeper:
                at = ahead
            elif bare.strip():
                break
            ahead += 1
        self.put(at + 1, lines)

    def put(self, line: int, lines: list[str]) -> None:
        """Puts lines before the line of a number from 0."""
        self.wanted.append((line, -1, "".join(f"{text}{self.end}" for text in lines)))

    def into(self, node: Node, text: str) -> None:
        """Puts text before the closing bracket of a flow collection."""
        mark = node.end_mark
        self.wanted.append((mark.line, mark.column - 1, text))

    def done(self) -> bytes:
        """The text with everything put in."""
        lines = [f"{line}\n" for line in self.lines[:-1]]
        if not self.closed and lines:
            lines[-1] = lines[-1].rstrip("\n") + self.end
        for line, column, text in sorted(self.wanted, key=lambda edit: edit[:2], reverse=True):
            if column < 0:
                lines.insert(line, text)
            else:
                lines[line] = lines[line][:column] + text + lines[line][column:]
        return self.mark + "".join(lines).encode()


def _last_line(node: Node, lines: list[str]) -> int:
    """The last line (from 0) that holds something of a node."""
    if isinstance(node, CollectionNode) and not _flows(node) and node.value:
        last = node.value[-1]
        if not isinstance(last, tuple):
            return _last_line(last, lines)
        key, value = last
        return max(_last_line(key, lines), _last_line(value, lines))
    at: int = node.end_mark.line
    if node.end_mark.column == 0 and at > node.start_mark.line:  # a block scalar ends where the next thing begins
        at -= 1
        while at > node.start_mark.line and not lines[at].strip():
            at -= 1
    return at


def _add_hooks(
    document: Document,
    config: dict[str, Any],
    new: dict[str, Any],
    edits: _Edits,
    wanted: tuple[str, ...],
    version: str,
    types: tuple[str, ...],
) -> None:
    repos = config.get("repos") or []
    there = {hook.get("id") for entry in repos for hook in entry.get("hooks") or []}
    missing = tuple(hook for hook in wanted if hook not in there)
    if not missing:
        return
    ours = next((n for n, entry in enumerate(repos) if _is_ours(entry)), None)
    if ours is not None and repos[ours].get("hooks"):
        node = edits.node("repos", ours, "hooks")
        new["repos"][ours]["hooks"] += [{"id": hook} for hook in missing]
        if _flows(node):
            edits.into(node, "".join(f", {{id: {hook}}}" for hook in missing))
        else:
            dash, column = node.start_mark.column, node.value[0].start_mark.column
            edits.after(node, dash, _hooks(missing, dash, column))
        return
    entry = {"repo": SOURCE, "rev": f"v{version}", "hooks": [{"id": hook} for hook in missing]}
    new["repos"] = [*repos, entry]
    if "repos" not in config:
        edits.put(len(edits.lines) - 1, ["repos:", *_entry(missing, version, 2, 4, 6, 8)])
        return
    node = edits.node("repos")
    if repos:
        if not isinstance(node, SequenceNode) or _flows(node):
            raise _by_hand(document, ("repos",), wanted, version, types)
        dash, column = node.start_mark.column, node.value[0].start_mark.column
        edits.after(node, dash, _entry(missing, version, dash, column, *_inner(edits, repos, dash, column)))
        return
    line = edits.key_line("repos")
    if isinstance(node, SequenceNode):  # `repos: []`
        start, end = node.start_mark, node.end_mark
        if start.line != line or end.line != line:
            raise _by_hand(document, ("repos",), wanted, version, types)
        edits.lines[line] = edits.lines[line][: start.column].rstrip() + edits.lines[line][end.column :]
    edits.put(line + 1, _entry(missing, version, 2, 4, 6, 8))


def _inner(edits: _Edits, repos: list[Any], dash: int, column: int) -> tuple[int, int]:
    """The columns of the dashes and keys of hooks, as the other entries have them."""
    for number in range(len(repos) - 1, -1, -1):
        if repos[number].get("hooks"):
            hooks = edits.node("repos", number, "hooks")
            if not _flows(hooks):
                own = edits.node("repos", number).start_mark.column
                first = hooks.start_mark.column - own + column
                return first, first + hooks.value[0].start_mark.column - hooks.start_mark.column
    return column + dash, column + dash + (column - dash)


def _flows(node: Node) -> bool:
    """Whether a collection is written in brackets."""
    return isinstance(node, CollectionNode) and bool(node.flow_style)


def _is_ours(entry: dict[str, Any]) -> bool:
    source = str(entry.get("repo"))
    if source in ("local", "meta", "builtin"):
        return False
    ids = {hook.get("id") for hook in entry.get("hooks") or []}
    return not ids.isdisjoint(STAGES) or source.removesuffix("/").removesuffix(".git").endswith("/sakaime/sakaime")


def _add_types(
    document: Document, config: dict[str, Any], new: dict[str, Any], edits: _Edits, types: tuple[str, ...]
) -> None:
    there = config.get(_TYPES) or []
    # Without the key, pre-commit installs pre-commit alone.
    missing = [kind for kind in types if kind not in there]
    if not missing:
        return
    new[_TYPES] = [*there, *missing]
    if _TYPES not in config:
        line = edits.key_line("repos") if "repos" in config else len(edits.lines) - 1
        edits.put(_above_comment(edits.lines, line), [f"{_TYPES}: [{', '.join(missing)}]"])
        return
    node = edits.node(_TYPES)
    if not isinstance(node, SequenceNode):
        line, column = document.place((_TYPES,))
        raise UserError(f"`{_TYPES}` must be a list; nothing was changed", path=CONFIG, line=line, column=column)
    if _flows(node):
        edits.into(node, (", " if there else "") + ", ".join(missing))
    else:
        dash, column = node.start_mark.column, node.value[0].start_mark.column
        lines = [f"{' ' * dash}-{' ' * (column - dash - 1)}{kind}" for kind in missing]
        edits.after(node, dash, lines)


def _above_comment(lines: list[str], line: int) -> int:
    """Above the comment of a line; but not above one that begins the file, which is about all of it."""
    at = line
    while at > 0 and lines[at - 1].startswith("#"):
        at -= 1
    return at if at > 0 else line
