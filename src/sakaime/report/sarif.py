"""A judgement as SARIF 2.1.0, for code scanning and for viewers."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import sakaime
from sakaime.model import Finding, Judgement, Skipped, Span
from sakaime.report.json import scope_data
from sakaime.report.pages import HOME, page
from sakaime.report.text import scope_line
from sakaime.report.width import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sakaime.policy.rule import Rule
    from sakaime.report import Context

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
# What code scanning calls the severity of a rule.
_PROBLEM = {"error": "error", "warning": "warning", "info": "recommendation"}


def render(judgement: Judgement, context: Context) -> str:
    """One SARIF log with one run.

    Columns count code points and the run says so. What is allowed stays in it, with its `suppressions`;
    what could not be judged makes the run an unsuccessful one.
    """
    rules = _rules(judgement, context)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "sakaime",
                "version": sakaime.__version__,
                "semanticVersion": sakaime.__version__,
                "informationUri": HOME,
                "rules": rules,
            }
        },
        "invocations": [_invocation(judgement)],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": _results(judgement.findings, index),
        "properties": {
            "summary": scope_line(judgement).rstrip("\n"),
            **({"selected": context.said} if context.said else {}),
            "policy": judgement.policy.digest,
            "packs": [{"name": p.name, "version": p.version, "digest": p.digest} for p in judgement.policy.packs],
            "scope": scope_data(judgement.scope),
        },
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rules(judgement: Judgement, context: Context) -> list[dict[str, Any]]:
    """Every rule in force, and what else the findings are reported under."""
    described = [_rule(judgement, rule) for rule in context.policy.every_rule()] if context.policy else []
    known = {rule["id"] for rule in described}
    for finding in judgement.findings:
        if finding.rule not in known:
            known.add(finding.rule)
            described.append(_bare_rule(finding))
    return described


def _rule(judgement: Judgement, rule: Rule) -> dict[str, Any]:
    address = page(judgement.policy, rule.id)
    more = [f"Its examples: sakaime explain {rule.id}"]
    paragraphs = [visible(text) for text in (rule.title, rule.why, *more) if text]
    return {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": visible(rule.title)},
        "fullDescription": {"text": visible(rule.why or rule.title)},
        "help": {
            "text": "\n\n".join(paragraphs),
            "markdown": "\n\n".join(
                [
                    f"**{_markdown(rule.title)}**",
                    *([_markdown(rule.why)] if rule.why else []),
                    f"Its examples: `sakaime explain {rule.id}`",
                    *([f"[The page of the rule]({address})"] if address else []),
                ]
            ),
        },
        **({"helpUri": address} if address else {}),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": _tags(rule),
            "problem.severity": _PROBLEM[rule.severity],
            "message": visible(rule.message),
        },
    }


def _bare_rule(finding: Finding) -> dict[str, Any]:
    text = f"What the {finding.family} says: {finding.kind}"
    return {
        "id": finding.rule,
        "name": finding.rule,
        "shortDescription": {"text": text},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": _tags(finding), "problem.severity": _PROBLEM[finding.severity]},
    }


def _tags(of: Rule | Finding) -> list[str]:
    return list(dict.fromkeys((of.family, of.kind)))  # a set, 3.8.1


def _markdown(text: str) -> str:
    """A text of a pack inside Markdown: nothing in it is a link, a mark or an element."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>&#|~!" else char for char in visible(text))


def _plain(text: str) -> str:
    """A message: brackets are escaped where SARIF would read a link (3.11.6), which the material could have made."""
    shown = visible(text)
    return shown.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]") if "](" in shown else shown


def _invocation(judgement: Judgement) -> dict[str, Any]:
    scope = judgement.scope
    told = [_notification("error", "not judged", file) for file in scope.unjudged]
    told += [_notification("note", "skipped", file) for file in scope.skipped]
    return {"executionSuccessful": not scope.unjudged, "toolExecutionNotifications": told}


def _notification(level: str, title: str, file: Skipped) -> dict[str, Any]:
    return {
        "level": level,
        "message": {"text": _plain(f"{title}: {file.path}: {file.reason}")},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(file.path)}}],
    }


def _results(findings: Iterable[Finding], index: dict[str, int]) -> list[dict[str, Any]]:
    seen: set[tuple[str, str, int]] = set()
    out = []
    for finding in findings:
        key = (finding.path, finding.rule, finding.span.start.line)
        fingerprints = {"sakaime/v1": finding.fingerprint}
        if key in seen:
            # Code scanning takes two results of one rule on one line for one, unless this tells them apart;
            # the first is left to the hash that the upload makes.
            fingerprints["primaryLocationLineHash"] = finding.fingerprint
        seen.add(key)
        out.append(
            {
                "ruleId": finding.rule,
                "ruleIndex": index[finding.rule],
                "level": _LEVELS[finding.severity],
                "message": {"text": _plain(finding.message)},
                "locations": [_location(finding.path, finding.span)],
                **({"relatedLocations": _related(finding)} if finding.related else {}),
                "partialFingerprints": fingerprints,
                "suppressions": _suppressions(finding),
                "properties": {
                    "family": finding.family,
                    "kind": finding.kind,
                    **({"why": visible(finding.why)} if finding.why else {}),
                },
            }
        )
    return out


def _suppressions(finding: Finding) -> list[dict[str, str]]:
    if finding.suppressed is None:
        return []
    return [{"kind": "external", "status": "accepted", "justification": visible(finding.suppressed)}]


def _related(finding: Finding) -> list[dict[str, Any]]:
    return [
        {"id": number, **_location(related.path, related.span), "message": {"text": _plain(related.message)}}
        for number, related in enumerate(finding.related, 1)
    ]


def _location(path: str, span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(path),
            "region": {
                "startLine": span.start.line,
                "startColumn": span.start.column,
                "endLine": span.end.line,
                "endColumn": span.end.column,
            },
        }
    }


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path, errors="backslashreplace"), "uriBaseId": _ROOT}
