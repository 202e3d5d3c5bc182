"""Secrets in whole trees, beside other scanners: `python benchmarks/leaks.py DIR... [--gitleaks gitleaks.toml]`.

Every DIR is a repository, whose tracked files are judged by `sakaime check --all`. Printed is what each scanner
reports: ours by class, where live secrets are what the others look for; `detect-secrets scan`; and, with the settings
file of gitleaks, its rules with its allowlists, entropies and stop words, run by RE2, whose syntax they are written in.
Nothing is sent anywhere, and no value is printed. Exit code 1 where ours reports more live secrets than gitleaks' rules
do in all repositories together; 3 where a file could not be judged.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peers
import re2
import tomlkit
from measure import environment, machine, table

CLASSES = ("live", "default", "placeholder", "fallback")


@dataclass(frozen=True)
class Allowlist:
    """What gitleaks lets pass."""

    paths: list[Any]
    regexes: list[Any]
    stopwords: list[bytes]
    target: str
    every: bool

    def allows(self, path: bytes, secret: bytes, match: bytes, line: bytes) -> bool:
        """Whether a match passes."""
        text = {"match": match, "line": line}.get(self.target, secret)
        kinds = [
            any(one.search(path) for one in self.paths) if self.paths else None,
            any(one.search(text) for one in self.regexes) if self.regexes else None,
            any(word in secret.lower() for word in self.stopwords) if self.stopwords else None,
        ]
        told = [kind for kind in kinds if kind is not None]
        return bool(told) and (all(told) if self.every else any(told))


@dataclass(frozen=True)
class Peer:
    """A rule of gitleaks."""

    id: str
    regex: Any
    group: int
    entropy: float
    keywords: list[bytes]
    path: Any
    allowlists: list[Allowlist]


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = 256 << 20
    return re2.compile(pattern.encode(), options)


def _allowlists(entry: dict[str, Any]) -> list[Allowlist]:
    found = [entry["allowlist"]] if "allowlist" in entry else entry.get("allowlists", [])
    return [
        Allowlist(
            [_compiled(one) for one in each.get("paths", [])],
            [_compiled(one) for one in each.get("regexes", [])],
            [word.lower().encode() for word in each.get("stopwords", [])],
            each.get("regexTarget", "secret"),
            each.get("condition", "OR").upper() == "AND",
        )
        for each in found
    ]


def read_rules(path: str) -> tuple[list[Peer], list[Allowlist]]:
    """The rules in a settings file of gitleaks that have a pattern, and what passes for all of them."""
    settings = tomlkit.parse(Path(path).read_text(encoding="utf-8")).unwrap()
    rules = [
        Peer(
            rule["id"],
            _compiled(rule["regex"]),
            rule.get("secretGroup", 0),
            rule.get("entropy", 0),
            [word.lower().encode() for word in rule.get("keywords", [])],
            _compiled(rule["path"]) if "path" in rule else None,
            _allowlists(rule),
        )
        for rule in settings["rules"]
        if "regex" in rule
    ]
    return rules, _allowlists(settings)


def entropy(secret: bytes) -> float:
    """Shannon's, in bits per byte."""
    counts = Counter(secret).values()
    return -sum(count / len(secret) * math.log2(count / len(secret)) for count in counts)


def tracked(folder: str) -> Iterator[tuple[bytes, bytes]]:
    """Path and bytes of every tracked file that is text."""
    listed = subprocess.check_output(["git", "-C", folder, "ls-files", "-z"])
    for name in listed.split(b"\0")[:-1]:
        path = os.path.join(os.fsencode(folder), name)
        if os.path.isfile(path) and not os.path.islink(path):
            data = Path(os.fsdecode(path)).read_bytes()
            if b"\0" not in data[:8000]:
                yield name, data


def by_rules(folder: str, rules: list[Peer], every: list[Allowlist]) -> int:
    """How many lines of a repository rules of gitleaks report."""
    found: set[tuple[bytes, int]] = set()
    for path, data in tracked(folder):
        if any(one.search(path) for listed in every for one in listed.paths):
            continue
        low = data.lower()
        for rule in rules:
            if rule.keywords and not any(word in low for word in rule.keywords):
                continue
            if rule.path is not None and not rule.path.search(path):
                continue
            for match in rule.regex.finditer(data):
                groups = [group for group in match.groups() if group]
                secret = match.group(rule.group) if rule.group else groups[0] if groups else match.group()
                if rule.entropy and entropy(secret) <= rule.entropy:
                    continue
                start, end = data.rfind(b"\n", 0, match.start()) + 1, data.find(b"\n", match.end())
                line = data[start : end if end >= 0 else None]
                if not any(one.allows(path, secret, match.group(), line) for one in (*every, *rule.allowlists)):
                    found.add((path, start))
    return len(found)


def ours(folder: str) -> tuple[Counter[str], int]:
    """Our findings by class, and how many files were not judged."""
    words = [*peers.sakaime("check", "--all", "--format", "json", "--fail-on", "never").words]
    done = subprocess.run(words, cwd=folder, env=environment(), capture_output=True, check=False)
    answer = json.loads(done.stdout)
    kinds = Counter(finding["kind"] for finding in answer["findings"] if finding["family"] == "secrets")
    return kinds, len(answer["scope"].get("unjudged", []))


def theirs(folder: str) -> int | None:
    """What `detect-secrets scan` reports; None where it is not installed."""
    command = peers.secrets_scan()
    if command is None:
        return None
    done = subprocess.run([*command.words], cwd=folder, env=environment(), capture_output=True, check=True)
    return sum(map(len, json.loads(done.stdout)["results"].values()))


def main() -> int:
    """Counts and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--gitleaks", metavar="FILE", help="the settings file of gitleaks, with its default rules")
    options = parser.parse_args()
    rules, every = read_rules(options.gitleaks) if options.gitleaks else ([], [])
    rows, live, peer, left = [], 0, 0, 0
    for folder in options.folders:
        kinds, unjudged = ours(folder)
        known = by_rules(folder, rules, every) if rules else None
        live, peer, left = live + kinds["live"], peer + (known or 0), left + unjudged
        scanned = theirs(folder)
        rows.append([
            os.path.basename(os.path.abspath(folder)),
            str(sum(1 for _ in tracked(folder))),
            *(str(kinds[kind]) for kind in CLASSES),
            str(unjudged) if unjudged else "",
            str(known) if known is not None else "",
            str(scanned) if scanned is not None else peers.ABSENT,
        ])  # fmt: skip
    print(f"{machine(1)}\n")
    print(table(["repository", "files", *CLASSES, "not judged", "gitleaks' rules", "detect-secrets"], rows))
    return 1 if rules and live > peer else 3 if left else 0


if __name__ == "__main__":
    sys.exit(main())
