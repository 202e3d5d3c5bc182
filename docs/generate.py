"""Writes what comes from the model and the packs: `schemas/` and `docs/rules/`. A test holds them up to date."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from sakaime.packs import shipped
from sakaime.policy.pack import read_pack
from sakaime.policy.schema import (
    AnyRule,
    CriteriaRule,
    Edit,
    Example,
    HiddenRule,
    InstructionRule,
    Pack,
    RiskRule,
    SecretRule,
)
from sakaime.policy.settings import Org, Settings
from sakaime.report.width import revealed

ROOT = Path(__file__).parent.parent
NOTE = "<!-- Written by docs/generate.py from the rule packs; change those. -->"


def schemas() -> dict[str, str]:
    """The JSON schemas, by path."""
    models = {"pack": Pack, "settings": Settings, "org": Org}
    out = {}
    for name, model in models.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(by_alias=True)}
        out[f"schemas/{name}.schema.json"] = json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
    return out


def _example(example: str | Example | Edit, hides: bool) -> str:
    if isinstance(example, Edit):
        lines = list(unified_diff(example.before.split("\n"), example.after.split("\n"), lineterm="", n=2))[2:]
        return "\n".join([f"```diff ({example.path})", *lines, "```"])
    text = example if isinstance(example, str) else example.text
    text = revealed(text) if hides else text.replace("@@@@", "")
    name = "" if isinstance(example, str) else f" ({example.path})"
    fence = "~~~~" if "```" in text else "```"
    return f"{fence}text{name}\n{text.rstrip()}\n{fence}"


def _worths(rule: SecretRule) -> str:
    from sakaime.policy.secretrules import worths

    return f"| {rule.class_} | {' | '.join(worths(rule).values())} |"


def rule_page(pack: Pack, rule: AnyRule) -> str:
    """The page of one rule."""
    if isinstance(rule, CriteriaRule):
        rows = [f"| {change} | {severity} |" for change, severity in rule.severity.model_dump().items()]
        table = "\n".join(["| what a criterion loses | severity |", "|---|---|", *rows])
    elif isinstance(rule, SecretRule):
        table = "\n".join(
            [
                "| class | production | elsewhere | as a fallback | exempt places |",
                "|---|---|---|---|---|",
                _worths(rule),
            ]
        )
    elif isinstance(rule, HiddenRule):
        table = f"| kind | severity | form |\n|---|---|---|\n| hidden | {rule.severity} | {rule.form} |"
    elif isinstance(rule, RiskRule):
        table = f"| kind | severity | places |\n|---|---|---|\n| risk | {rule.severity} | {', '.join(rule.places)} |"
    else:
        table = (
            f"| kind | severity | unit | places | covers |\n|---|---|---|---|---|\n"
            f"| {rule.tactic} | {rule.severity} | {rule.unit} | {', '.join(rule.places)} | {rule.covers} |"
        )
    parts = [
        NOTE,
        f"# {pack.pack}/{rule.id}",
        rule.title,
        table,
    ]
    if isinstance(rule, InstructionRule) and rule.weights:
        least = pack.weights[rule.weights].least
        parts.append(
            f"It [weighs the words](../../weights.md) of each sentence, and reports it from a score of {least} on."
        )
    if rule.why:
        parts += ["## Why", rule.why.strip()]
    if isinstance(rule, CriteriaRule):
        side = f", from the {rule.reads} side of a pull request" if rule.reads else ""
        parts += [f"Read by {rule.reader}{side}."] if rule.reader else []
        parts += ["## Documents", "\n".join(f"- `{glob}`" for glob in rule.paths)]
        parts += ["## Below headings", "\n".join(f"- `{p}`" for p in rule.sections)] if rule.sections else []
    if isinstance(rule, RiskRule):
        parts += [f"Criteria name it by: {', '.join(rule.topics)}."]
        if rule.paths.include != ["**"]:
            parts += ["## Files", "\n".join(f"- `{glob}`" for glob in rule.paths.include)]
    examples: list[tuple[str, Sequence[str | Example | Edit]]]
    examples = [("## Reported", rule.examples.bad), ("## Fine", rule.examples.good)]
    if isinstance(rule, SecretRule) and rule.class_ == "reference":
        examples = [("## Reported by another rule", rule.examples.bad), ("## Silent", rule.examples.good)]
    for title, few in examples:
        parts += [title, *(_example(e, isinstance(rule, HiddenRule)) for e in few)] if few else []
    if rule.references:
        parts += ["## More", "\n".join(f"- <{link}>" for link in rule.references)]
    return "\n\n".join(parts) + "\n"


def _severity(rule: AnyRule) -> str:
    if isinstance(rule, SecretRule):
        from sakaime.policy.secretrules import worths

        return worths(rule)["production"]
    return rule.severity.removed if isinstance(rule, CriteriaRule) else rule.severity


def rule_pages() -> dict[str, str]:
    """A page per rule and an index, by path."""
    out = {}
    index = [
        NOTE,
        "# Rules",
        "Every rule of the shipped packs, with its examples. `sakaime explain RULE` says the same.",
    ]
    for tree in shipped.trees():
        pack = read_pack(tree).model
        if not pack.rules:
            continue
        rows = ["| rule | kind | severity | what it finds |", "|---|---|---|---|"]
        for at, rule in sorted(pack.rules, key=lambda placed: placed[1].id):
            kind = rule.tactic if isinstance(rule, InstructionRule) else at[0]
            kind = rule.class_ if isinstance(rule, SecretRule) else kind
            severity = _severity(rule)
            path = f"{pack.pack}/{rule.id}.md"
            out[f"docs/rules/{path}"] = rule_page(pack, rule)
            rows.append(f"| [{pack.pack}/{rule.id}]({path}) | {kind} | {severity} | {rule.title} |")
        index += [f"## {pack.pack}", pack.title, "\n".join(rows)]
    out["docs/rules/index.md"] = "\n\n".join(index) + "\n"
    return out


def everything() -> dict[str, str]:
    """All generated files, by path from the root of the project."""
    return {**schemas(), **rule_pages()}


def main() -> int:
    """Writes the files that differ, and removes pages of rules that are gone."""
    wanted = everything()
    for path, text in wanted.items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    for page in (ROOT / "docs/rules").rglob("*.md"):
        if page.relative_to(ROOT).as_posix() not in wanted:
            page.unlink()
            print(f"removed {page.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
