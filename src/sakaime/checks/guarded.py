"""Changes to files that decide what others get to see: git's attributes, the hooks, the baseline.

In a range or a diff, what weakens a protection is an error; locally it is told, because CI judges by BASE.
"""

from __future__ import annotations

from typing import Any

from sakaime.material.change import LINK, Blob, Change, Material
from sakaime.model import Finding, Position, Span, UserError
from sakaime.model.digest import sha256
from sakaime.text.paths import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ATTRIBUTES, _HOOKS, _BASELINE = ".gitattributes", ".pre-commit-config.yaml", "sakaime-baseline.json"
_MODES = ("staged", "buffer", "range", "diff")
_LINE = 2000

# Attributes with which a file is not shown as text, is folded away in a review, or is not exported.
_HIDING = frozenset({
    "-diff", "binary", "linguist-generated", "linguist-vendored", "linguist-documentation", "gitlab-generated",
    "export-ignore",
})  # fmt: skip
_NO_TEXT = frozenset(
    "png jpg jpeg gif webp ico bmp tif tiff pdf zip gz tgz bz2 xz zst 7z jar war woff woff2 ttf otf eot mp3 mp4 mov "
    "avi webm ogg wav flac so dylib dll exe bin class pyc wasm psd ai xlsx docx pptx sqlite db npy npz onnx pt".split()
)


def check(material: Material, change: Change) -> Iterator[Finding]:
    """What a change to one of the files does, at its place."""
    if material.mode not in _MODES:
        return
    name = change.path.rsplit("/", 1)[-1]
    gate = material.mode in ("range", "diff")
    if change.new is not None and name == _ATTRIBUTES:
        yield from _attributes(material, change, gate)
    if _HOOKS in (change.path, change.old_path):
        yield from _hooks(material, change, gate)
    if _BASELINE in (change.path, change.old_path):
        yield from _baseline(material, change, gate)


def _finding(
    change: Change, kind: str, severity: str, message: str, number: int = 1, line: str = "", local: bool = False
) -> Finding:
    if local:
        severity, message = "info", f"{message}; CI judges by BASE"
    span = Span(Position(number, 1), Position(number, max(2, len(line) + 1)))
    path = printable(change.path)
    return Finding(f"policy/{kind}", "policy", kind, severity, message, path, span, line[:200], line=line[:_LINE])


def _side(material: Material, blob: Blob | None) -> str | None:
    """A side as text; None where it does not exist or only its hunks are known."""
    data = material.bytes_of(blob)
    return None if data is None else data.decode("utf-8", "replace")


def _added(material: Material, change: Change) -> list[tuple[int, str]]:
    """(number, text) of the added lines; of a file that came to a new place, every line."""
    whole = _side(material, change.new) if change.status in "RA" else None
    if whole is not None:
        return list(enumerate(whole.split("\n"), 1))
    out = []
    for hunk in change.hunks:
        lines = hunk.new.decode("utf-8", "replace").split("\n")
        for first, last in hunk.added:
            out += [(n, lines[n - hunk.new_start]) for n in range(first, last + 1)]
    return out


def _attributes(material: Material, change: Change, gate: bool) -> Iterator[Finding]:
    if change.new is not None and change.new.mode == LINK:
        text = "git reads no attributes from a symlink, other programs may"
        yield _finding(change, "attributes", "warning" if gate else "info", text)
        return
    added = _added(material, change)
    removed = {
        line.strip()
        for hunk in (change.hunks if change.status not in "RA" else ())
        for first, last in hunk.removed
        for line in hunk.old.decode("utf-8", "replace").split("\n")[first - hunk.old_start : last - hunk.old_start + 1]
    }
    whole = _side(material, change.new)
    macros = _macros(whole.split("\n") if whole is not None else [line for _, line in added])
    told = False
    for number, line in added:
        words = line.strip().split()
        if not words or words[0].startswith("#") or line.strip() in removed:
            continue
        hiding = [word for word in words[1:] if word.split("=")[0] in _HIDING | macros and not _off(word)]
        if hiding and not words[0].startswith("[attr]") and words[0].rsplit(".", 1)[-1].lower() not in _NO_TEXT:
            told = True
            text = f"{words[0]} is hidden from whoever reads diffs or exports ({', '.join(hiding)})"
            yield _finding(change, "attributes", "error", text, number, line.rstrip("\r"), local=not gate)
    if not told:
        text = "git's attributes change; no text is hidden by it"
        yield _finding(change, "attributes", "info", text, added[0][0] if added else 1)


def _macros(lines: list[str]) -> set[str]:
    """Names of the macros of a file that hide something, macros of macros included."""
    defined = {
        words[0].removeprefix("[attr]"): set(words[1:])
        for words in map(str.split, lines)
        if words and words[0].startswith("[attr]")
    }
    found: set[str] = set()
    for _ in defined:
        more = {name for name, attributes in defined.items() if attributes & (_HIDING | found)} - found
        if not more:
            break
        found |= more
    return found


def _off(word: str) -> bool:
    return word.endswith(("=false", "=unset"))


def _hooks(material: Material, change: Change, gate: bool) -> Iterator[Finding]:
    if change.old is not None and change.old.data is None and not change.old.oid:  # a bare diff
        if any(b"sakaime" in hunk.old + hunk.new for hunk in change.hunks):
            text = "the diff edits the hooks of sakaime; whether that weakens them cannot be told from a diff"
            yield _finding(change, "hooks", "warning", text)
        return
    old = _side(material, change.old) if change.old_path in (None, _HOOKS) else None
    new = _side(material, change.new) if change.path == _HOOKS else None
    if "sakaime" not in (old or "") + (new or ""):
        return
    try:
        before, after = _hook_entries(old), _hook_entries(new)
    except UserError as error:
        yield _finding(change, "hooks", "warning", f"the hooks cannot be compared: {error.message}", error.line or 1)
        return
    lost = []
    for hook, keys in before.items():
        if hook not in after:
            lost.append(f"the hook {hook} is taken out")
        else:
            other = sorted(k for k in keys | after[hook] if keys.get(k) != after[hook].get(k))
            lost += [f"the hook {hook} runs otherwise: {', '.join(other)}"] if other else []
    for text in lost:
        yield _finding(change, "hooks", "error", text, local=not gate)
    if not lost and old != new:
        yield _finding(change, "hooks", "info", "the hooks change; those of sakaime run as before")


_EVERYWHERE = ("files", "exclude", "default_stages", "default_language_version", "ci")


def _hook_entries(text: str | None) -> dict[str, dict[str, Any]]:
    """By id, every hook of sakaime with what decides whether and how it runs."""
    if text is None:
        return {}
    from sakaime.policy.yamltext import parse

    data = parse(text.encode(), _HOOKS).data
    out: dict[str, dict[str, Any]] = {}
    if not isinstance(data, dict):
        return out
    around = {key: data[key] for key in _EVERYWHERE if key in data}
    repos = data.get("repos")
    for repo in repos if isinstance(repos, list) else []:
        hooks = repo.get("hooks") if isinstance(repo, dict) else None
        for hook in hooks if isinstance(hooks, list) else []:
            if isinstance(hook, dict) and str(hook.get("id", "")).startswith("sakaime"):
                own = {key: value for key, value in hook.items() if key not in ("id", "name")}
                out[str(hook["id"])] = {**around, **own, "repo": repo.get("repo")}
    return out


def _baseline(material: Material, change: Change, gate: bool) -> Iterator[Finding]:
    if change.path != _BASELINE or change.new is None:
        yield _finding(change, "baseline", "info", "the baseline is taken out; what it let pass counts again")
        return
    if change.new.data is None and not change.new.oid:  # a bare diff
        text = "the diff edits the baseline; whether more passes by it cannot be told from a diff"
        yield _finding(change, "baseline", "warning", text)
        return
    from collections import Counter

    from sakaime.policy.baseline import read_baseline

    def known(blob: Blob | None) -> Counter[tuple[str, str, str]]:
        data = material.bytes_of(blob)
        entries = read_baseline(data, _BASELINE).entries if data is not None else ()
        return Counter((rule, fingerprint, digest) for rule, _, fingerprint, _, digest in entries)

    try:
        new = known(change.new)
    except UserError as error:
        text = f"with this change, the baseline cannot be read: {error.message}"
        yield _finding(change, "baseline", "error", text, error.line or 1, local=not gate)
        return
    try:
        more = sum((new - known(change.old if change.old_path in (None, _BASELINE) else None)).values())
    except UserError:
        more = sum(new.values())  # a baseline that cannot be read lets nothing pass
    if more:
        text = f"the baseline lets {more} more finding{'s' if more > 1 else ''} pass than before"
        told = sorted(rule for rule, _, _ in new)
        print_ = sha256(repr(sorted(new.items())).encode()).hexdigest()[:16]
        text += f" ({', '.join(dict.fromkeys(told))}; {print_})"
        yield _finding(change, "baseline", "error", text, local=not gate)
    else:
        yield _finding(change, "baseline", "info", "the baseline lets no more pass than before")
