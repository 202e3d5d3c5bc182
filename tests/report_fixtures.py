"""Reading the reports back: what each format says stands where."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import xmlschema

SCHEMAS = Path(__file__).parent / "schemas"
MACHINE = ("json", "sarif", "github", "gitlab", "junit", "rdjson")


class Place(NamedTuple):
    """A finding as a report tells it: columns in the unit of the report, None where it says none."""

    path: str
    rule: str
    start: tuple[int, int | None]
    end: tuple[int, int | None] | None


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def validate(form: str, text: str) -> None:
    """Fails where a report breaks the schema of its format."""
    if form == "sarif":
        jsonschema.Draft4Validator(
            schema("sarif-2.1.0-rtm.5.json"), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
        ).validate(json.loads(text))
    elif form in ("rdjson", "gitlab"):
        name = {"rdjson": "rdjson.schema.json", "gitlab": "gitlab-code-quality.schema.json"}[form]
        jsonschema.Draft202012Validator(schema(name)).validate(json.loads(text))
    elif form == "junit":
        xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(ElementTree.fromstring(text))


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """The workflow commands of a log, read as GitHub's runner does: (name, properties, message)."""
    found = []
    for line in text.split("\n"):
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line.lstrip())
        if match:
            pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
            found.append((match[1], {key: _unescaped(value) for key, value in pairs.items()}, _unescaped(match[3])))
    return found


def _unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def _json(text: str) -> list[Place]:
    return [
        Place(
            f["path"],
            f["rule"],
            (f["start"]["line"], f["start"]["column"]),
            (f["end"]["line"], f["end"]["column"]),
        )
        for f in json.loads(text)["findings"]
        if f["suppressed"] is None
    ]


def _sarif(text: str) -> list[Place]:
    (run,) = json.loads(text)["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    out = []
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        where, region = location["physicalLocation"]["artifactLocation"], location["physicalLocation"]["region"]
        if not result["suppressions"]:
            out.append(
                Place(
                    unquote(where["uri"]),
                    result["ruleId"],
                    (region["startLine"], region["startColumn"]),
                    (region["endLine"], region["endColumn"]),
                )
            )
    return out


def _github(text: str) -> list[Place]:
    out = []
    for _, told, _ in commands(text):
        if "line" in told:
            start, end = told.get("col"), told.get("endColumn")
            out.append(
                Place(
                    told["file"],
                    told["title"],
                    (int(told["line"]), int(start) if start else None),
                    (int(told["endLine"]), int(end) if end else None),
                )
            )
    return out


def _gitlab(text: str) -> list[Place]:
    out = []
    for entry in json.loads(text):
        if "positions" in entry["location"]:
            at = entry["location"]["positions"]
            out.append(
                Place(
                    entry["location"]["path"],
                    entry["check_name"],
                    (at["begin"]["line"], at["begin"]["column"]),
                    (at["end"]["line"], at["end"]["column"]),
                )
            )
    return out


def _junit(text: str) -> list[Place]:
    out = []
    for case in ElementTree.fromstring(text).iter("testcase"):
        match = re.fullmatch(r"(\S+) at (\d+):(\d+)", case.get("name", ""))
        if match and case.find("skipped") is None:
            out.append(Place(case.get("classname", ""), match[1], (int(match[2]), int(match[3])), None))
    return out


def _rdjson(text: str) -> list[Place]:
    out = []
    for entry in json.loads(text)["diagnostics"]:
        if entry["code"]["value"] != "not-judged":
            start, end = entry["location"]["range"]["start"], entry["location"]["range"]["end"]
            out.append(
                Place(
                    entry["location"]["path"],
                    entry["code"]["value"],
                    (start["line"], start.get("column")),
                    (end["line"], end.get("column")),
                )
            )
    return out


def _text(text: str) -> list[Place]:
    found = re.findall(r"^\w+\[(\S+)\] .*\n +--> (.+):(\d+):(\d+)$", text, re.M)
    short = re.findall(r"^  (.+):(\d+):(\d+) +info\[(\S+)\]  ", text, re.M)
    every = [*found, *((rule, path, line, column) for path, line, column, rule in short)]
    return [Place(path, rule, (int(line), int(column)), None) for rule, path, line, column in every]


PLACES: dict[str, Callable[[str], list[Place]]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
    "rdjson": _rdjson,
}
