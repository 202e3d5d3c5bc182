"""The findings that a repository had when the gate came: known, told, and counted no more."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from sakaime.model import UserError
from sakaime.policy.mistakes import first_with_others, mistakes
from sakaime.policy.policy import Baseline, Note, Policy
from sakaime.policy.schema import Strict
from sakaime.policy.settings import RuleId, nearest
from sakaime.policy.yamltext import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.policy.yamltext import Path

LIMIT = 4 << 20
_AGAIN = "Write it again: sakaime baseline write"


class KnownFinding(Strict):
    """One finding that may stay where it is."""

    rule: RuleId = Field(description="The full id of the rule.")
    path: str = Field(description="The file, as reports print it. A hint: the finding may have moved since.")
    fingerprint: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] = Field(
        description="Of the rule, the content of the line and its number among equals; no line number."
    )
    digest: Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{64})?$")] = Field(
        "",
        description="Of a secret: HMAC-SHA256 of its value with the organisation's key, so that a changed one shows.",
    )


class BaselineFile(Strict):
    """sakaime-baseline.json, as `sakaime baseline write` makes it."""

    sakaime: Literal[1] = Field(description="The version of this format.")
    findings: list[KnownFinding] = Field(description="Each entry stands for one finding.")


def read_baseline(data: bytes, path: str) -> Baseline:
    """A baseline from the bytes of its file. Raises `UserError` with file and line for a mistake in it."""
    if len(data) > LIMIT:
        raise UserError(f"is larger than {LIMIT >> 20} MiB", path=path, way_out="Mend some of the findings first.")
    try:
        text = data.decode("utf-8-sig")
        table = json.loads(text, object_pairs_hook=_without_doubles)
    except UnicodeDecodeError as error:
        raise UserError(f"is not UTF-8 at byte {error.start}", path=path, way_out=_AGAIN) from None
    except json.JSONDecodeError as error:
        raise UserError(
            f"is not valid JSON: {error.msg}", path=path, line=error.lineno, column=error.colno, way_out=_AGAIN
        ) from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"is not valid JSON: {error}".split("\n")[0], path=path, way_out=_AGAIN) from None
    try:
        model = BaselineFile.model_validate(table)
    except ValidationError as error:
        places = _places(data, path)
        raise first_with_others(mistakes(error, lambda p: (path, *nearest(places, p)), BaselineFile)) from None
    lines = _lines(text)
    entries = (
        (e.rule, e.path, e.fingerprint, lines[e.fingerprint].pop(0) if lines.get(e.fingerprint) else 1, e.digest)
        for e in model.findings
    )
    return Baseline(path, tuple(entries))


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands twice")
    return table


def _places(data: bytes, path: str) -> dict[Path, tuple[int, int]]:
    """Where the keys and values are: JSON is YAML, and that reader keeps places."""
    try:
        document = parse(data, path)
    except UserError:
        return {}
    return {**document.marks, **document.keys}


def _lines(text: str) -> dict[str, list[int]]:
    """The numbers of the lines in which a fingerprint stands, one after the other."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        _, key, rest = line.partition('"fingerprint": "')
        if key:
            found.setdefault(rest[:32], []).append(number)
    return found


def written(entries: Iterable[tuple[str, str, str, str]]) -> bytes:
    """The file that holds these (rule, path, fingerprint, digest): in order of their paths, one on a line."""
    lines = [
        json.dumps(
            {"rule": rule, "path": path, "fingerprint": fingerprint, **({"digest": digest} if digest else {})},
            ensure_ascii=False,
        )
        for path, rule, fingerprint, digest in sorted(
            (path, rule, mark, digest) for rule, path, mark, digest in entries
        )
    ]
    body = "".join(f"\n{line}," for line in lines).removesuffix(",")
    return f'{{"sakaime": 1, "findings": [{body}\n]}}\n'.encode("utf-8", "backslashreplace")


def in_force(policy: Policy, baseline: Baseline) -> Policy:
    """The policy with a baseline. Entries for rules that are locked stay without effect and are noted."""
    locks = {rule.id: who for rule in policy.every_rule() if (who := rule.lock)}
    kept, notes = [], []
    for entry in baseline.entries:
        rule, _, _, line, _ = entry
        if rule in locks:
            text = f"{rule} is locked by {locks[rule]}; {baseline.path} cannot make its findings known"
            notes.append(Note("policy/locked", "locked", "error", text, baseline.path, line, 1))
        else:
            kept.append(entry)
    content = json.dumps([policy.id.digest, sorted((*entry[:3], entry[4]) for entry in baseline.entries)])
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return policy.replace(
        id=policy.id.replace(digest=digest) if baseline.entries else policy.id,
        notes=(*policy.notes, *notes),
        baseline=baseline.replace(entries=tuple(kept)),
    )
