"""The input of a review: declaration, material behind its fence, what was found, the form of the answer.

The folder holds `brief.md` for the reader, the material in `material/001.diff` and so on, byte for byte,
`manifest.json` for programs and `schema.json` for the answer.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import unicodedata

from sakaime.model import SEVERITIES, Record, UserError
from sakaime.report.coverage import coverage_data
from sakaime.review.answer import SCHEMA
from sakaime.review.chunks import Chunk, chunks
from sakaime.review.fence import Fence, draw
from sakaime.review.wording import wording
from sakaime.text.chars import INVISIBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sakaime.model import Finding, Judgement
    from sakaime.policy.policy import Policy

FAMILIES = ("instructions", "hidden")
_SCHEMA_FILE = "schema.json"
_NO_FENCE = Fence("", "", "", 0)


class Brief(Record):
    """A brief, complete and not yet written.

    `before` and `after` are the texts before the opening and after the closing fence line of brief.md,
    `inline` stands for `before` where the material itself follows; `manifest` is the content of
    manifest.json.
    """

    diff: bytes
    chunks: tuple[Chunk, ...]
    fence: Fence
    before: str
    inline: str
    after: str
    manifest: dict[str, Any]


def assemble(policy: Policy, judgement: Judgement, diff: bytes, language: str) -> Brief:
    """Puts the input of a review together.

    `judgement` is that of the material whose exact text `diff` is. Nothing in the material is escaped or
    altered; the fence is drawn when everything else stands. Raises `UserError` when the policy has no
    declaration in that language or a fence mark is broken, `CannotJudge` when no fence is free.
    """
    declaration = dict(policy.review.declaration).get(language)
    if declaration is None:
        known = ", ".join(name for name, _ in policy.review.declaration)
        raise UserError(
            f"the policy has no declaration in {language!r}",
            way_out=f"Choose one of: {known}." if known else "Write one: review: {declaration: {en: ...}}",
        )
    cut = chunks(diff, policy.review.chunk_bytes)
    found = _instructions(judgement)
    unscanned = [
        {"path": entry.path, "reason": entry.reason} for entry in (*judgement.scope.unjudged, *judgement.scope.skipped)
    ]
    words = wording(language)
    start = (f"# {words.title}", declaration.strip(), "## Criteria", words.criteria, f"## {words.material}")
    before = "\n\n".join((*start, words.files.format(n=len(cut)), ""))
    inline = "\n\n".join((*start, words.inline, ""))
    risks = coverage_data(judgement.coverage)["risks"]
    after = _after(language, found, risks, unscanned)
    manifest = _manifest(judgement, diff, cut, found, risks, unscanned, _NO_FENCE)
    own = (before, inline, after, quoted(manifest))
    fence = draw(policy.review.fence, (diff, *(text.encode() for text in own)))
    manifest = _manifest(judgement, diff, cut, found, risks, unscanned, fence)
    return Brief(diff, cut, fence, before, inline, after, manifest)


def _instructions(judgement: Judgement) -> list[dict[str, Any]]:
    """One entry for every line that holds an instruction: the unit a reader can point at. `shields` has the ids of the
    risks that it shields."""
    shielded: dict[tuple[str, int], list[str]] = {}
    for risk in judgement.coverage.risks:
        for shield in risk.covered_by:
            shielded.setdefault((shield.path, shield.line), []).append(risk.id)
    lines: dict[tuple[str, int], list[Finding]] = {}
    for finding in judgement.findings:
        if finding.family in FAMILIES:
            lines.setdefault((finding.path, finding.span.start.line), []).append(finding)
    return [
        {
            "id": f"I{number}",
            "path": path,
            "line": line,
            "rule": max(here, key=lambda finding: SEVERITIES.index(finding.severity)).rule,
            "excerpt": " … ".join(dict.fromkeys(finding.excerpt for finding in here)),
            "shields": shielded.get((path, line), []),
        }
        for number, ((path, line), here) in enumerate(lines.items(), 1)
    ]


def _after(
    language: str, found: list[dict[str, Any]], risks: list[dict[str, Any]], unscanned: list[dict[str, str]]
) -> str:
    words = wording(language)
    parts = [f"## {words.found}", words.some.format(n=len(found)) if found else words.none]
    if found:
        parts.append(_block("\n".join(map(quoted, found))))
        parts += [words.shields] if any(entry["shields"] for entry in found) else []
    if risks:
        lines = [{key: risk[key] for key in ("id", "path", "line", "rule")} for risk in risks]
        parts += [f"## {words.risks}", words.risky.format(n=len(risks)), _block("\n".join(map(quoted, lines)))]
    if unscanned:
        parts += [words.unscanned, _block("\n".join(map(quoted, unscanned)))]
    parts += [f"## {words.form}", words.answer, _block(quoted(SCHEMA))]
    return "\n" + "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    # Every line begins as JSON does, so that none can end the block.
    return f"```json\n{text}\n```"


def _manifest(
    judgement: Judgement,
    diff: bytes,
    cut: tuple[Chunk, ...],
    found: list[dict[str, Any]],
    risks: list[dict[str, Any]],
    unscanned: list[dict[str, str]],
    fence: Fence,
) -> dict[str, Any]:
    return {
        "version": 1,
        "policy": judgement.policy.digest,
        "base": judgement.scope.base,
        "head": judgement.scope.head,
        "material": {"sha256": hashlib.sha256(diff).hexdigest(), "bytes": len(diff)},
        "fence": {"open": fence.open, "close": fence.close, "nonce": fence.nonce, "count": fence.count},
        "chunks": [
            {
                "file": name,
                "sha256": hashlib.sha256(memoryview(diff)[chunk.start : chunk.end]).hexdigest(),
                "bytes": chunk.end - chunk.start,
                "oversized": chunk.oversized,
                "files": list(chunk.files),
            }
            for name, chunk in zip(_names(cut), cut, strict=True)
        ],
        "instructions": found,
        "risks": risks,
        "unscanned": unscanned,
        "criteria": [],
        "expected_ids": [],
        "schema": _SCHEMA_FILE,
    }


def _names(cut: tuple[Chunk, ...]) -> list[str]:
    width = max(3, len(str(len(cut))))
    return [f"material/{number:0{width}}.diff" for number in range(1, len(cut) + 1)]


def quoted(value: object, indent: int | None = None) -> str:
    """JSON in readable Unicode, in which no character is invisible or moves what stands around it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(_escaped(c) if _hides(c) else c for c in text)


def _hides(character: str) -> bool:
    if character.isprintable() or character == "\n":
        return character in INVISIBLE
    return unicodedata.category(character) != "Zs"


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def printed(brief: Brief) -> Iterator[bytes | memoryview]:
    """The whole input as one text, in parts: brief, opening line, material, closing line, the rest.

    Where the material has no line end of its own, one stands before the closing line.
    """
    yield f"{brief.inline}{brief.fence.open}\n".encode()
    for chunk in brief.chunks:
        yield memoryview(brief.diff)[chunk.start : chunk.end]
    if brief.diff and not brief.diff.endswith(b"\n"):
        yield b"\n"
    yield f"{brief.fence.close}\n{brief.after}".encode()


def write(brief: Brief, folder: str) -> None:
    """Writes a brief into a folder that is not there yet or empty.

    It appears whole or not at all. Raises `UserError` when the folder is something else or cannot be
    written.
    """
    target = os.path.abspath(folder)
    _must_be_free(target, folder)
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        os.mkdir(temporary)
        try:
            _fill(brief, temporary)
            if os.path.isdir(target):
                shutil.copymode(target, temporary)
                os.rmdir(target)
            os.rename(temporary, target)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as error:
        raise UserError(f"the brief cannot be written: {error.strerror}", path=folder) from None


def _must_be_free(target: str, folder: str) -> None:
    if os.path.islink(target):
        raise UserError("is a symbolic link", path=folder, way_out="Name the folder itself.")
    if not os.path.lexists(target):
        return
    if not os.path.isdir(target):
        raise UserError("is a file", path=folder, way_out="Name a folder that does not exist yet.")
    if os.listdir(target):
        raise UserError(
            "is not empty, and a brief shares its folder with nothing",
            path=folder,
            way_out="Name a folder that does not exist yet, or remove this one.",
        )


def _fill(brief: Brief, folder: str) -> None:
    os.mkdir(os.path.join(folder, "material"))
    names = _names(brief.chunks)
    for name, chunk in zip(names, brief.chunks, strict=True):
        _put(folder, name, memoryview(brief.diff)[chunk.start : chunk.end])
    listed = "".join(f"{name}\n" for name in names)
    text = f"{brief.before}{brief.fence.open}\n{listed}{brief.fence.close}\n{brief.after}"
    _put(folder, "brief.md", text.encode())
    _put(folder, "manifest.json", f"{quoted(brief.manifest, 2)}\n".encode())
    _put(folder, _SCHEMA_FILE, f"{quoted(SCHEMA, 2)}\n".encode())


def _put(folder: str, name: str, data: bytes | memoryview) -> None:
    with open(os.path.join(folder, name), "xb") as file:
        file.write(data)
