"""False alarms on real history: `python benchmarks/history.py [NAME=]DIR... [--out FILE] [--verdicts FILE]`.

The last commits of each repository (first parents, no merges) are judged one by one, as
`sakaime check --range PARENT...COMMIT` would, and their messages as `--message` would, by the shipped packs
alone: what the repository itself sets does not count. Every DIR is a clone or a bare repository whose history
reaches back far enough; NAME is what it is called in the figures (default: as its origin says, else its folder).

What is found of the families instructions and hidden, at warning or above, is printed per rule and per
1,000 commits. `--out` writes it as JSON lines for a reader who says of each whether it is true:

    {"repository": "...", "head": "...", "commits": 500, ...}            what was judged, one line a repository
    {"key": "...", "repository": "...", "commit": "...", "path": "...", "line": 3, "rule": "...", ...}

The reader's file, `--verdicts`, has one line for each of these keys:

    {"key": "...", "verdict": false, "why": "tells users of the option, not the reviewer"}

With it the precision of every rule and the false findings per 1,000 commits are printed, and `--out` carries
the verdicts. What no reader has seen counts as false. Exit code 1 where a rule is right less often than
PRECISION, or more than LIMIT findings in 1,000 commits are false; 3 where a commit could not be judged.

`--from FILE...` takes what earlier runs wrote instead of repositories. `--shard 2/5` judges the second of five
parts of the commits, for machines that share the work; `--from` puts the parts together.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sakaime.judge import judge
from sakaime.material import git, sources
from sakaime.material.change import Material
from sakaime.model import CannotJudge, Finding, UserError, at_least
from sakaime.packs.inforce import policy_in_force
from sakaime.policy.policy import Policy

LIMIT = 3.0  # false findings in 1,000 commits
PRECISION = 0.5  # of every rule that is on by default
FAMILIES = ("instructions", "hidden")
AT_ONCE = 25  # commits handed to a process


@dataclass(frozen=True)
class Hit:
    """A finding in a commit. `key` stays the same as long as the same rule reports the same line of it."""

    key: str
    repository: str
    commit: str
    path: str
    line: int
    end_line: int
    rule: str
    family: str
    kind: str
    severity: str
    excerpt: str
    source: str


@dataclass
class Judged:
    """What was judged of a repository, and what could not be."""

    repository: str
    head: str
    commits: int = 0
    files: int = 0
    added_lines: int = 0
    policy: str = ""
    unjudged: list[str] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)

    def add(self, other: Judged) -> None:
        """Counts what another part of the same history adds."""
        self.commits += other.commits
        self.files += other.files
        self.added_lines += other.added_lines
        self.policy = self.policy or other.policy
        self.unjudged += other.unjudged
        self.not_judged += other.not_judged


@dataclass(frozen=True)
class Part:
    """Some commits of a repository: (id, id of the parent or nothing, message)."""

    repository: str
    top: str
    commits: tuple[tuple[str, str, bytes], ...]


@dataclass(frozen=True)
class Verdict:
    """What a reader says of a finding."""

    true: bool
    why: str


def repository(named: str) -> tuple[str, str]:
    """(name, folder that git takes) of an argument. Raises `UserError` where there is no repository."""
    name, given, folder = named.partition("=")
    folder = folder if given else named
    if not os.path.isdir(folder) or git.ask(folder, "rev-parse", "--git-dir") is None:
        raise UserError(f"{folder}: there is no git repository")
    if not given:
        origin = os.fsdecode(git.ask(folder, "config", "--get", "remote.origin.url") or b"").strip()
        parts = origin.removesuffix("/").removesuffix(".git").replace(":", "/").split("/")
        name = "/".join(parts[-2:]) if origin else os.path.basename(os.path.abspath(folder)).removesuffix(".git")
    return name, os.path.abspath(folder)


def history(top: str, commits: int) -> tuple[tuple[str, str, bytes], ...]:
    """The last commits that are no merges along the first parents: (id, id of the parent or nothing, message).

    Raises `CannotJudge` where the clone is cut off before that many.
    """
    form = "--format=%H%x00%P%x00%B"
    options = ("-z", "--first-parent", "--no-merges", "--encoding=UTF-8", "--no-show-signature", f"-{commits}", form)
    fields = git.run(top, "log", *options, "HEAD").split(b"\0")[:-1]
    found = tuple(
        (commit.decode(), parent.decode(), message)
        for commit, parent, message in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    )
    if len(found) < commits and git.run(top, "rev-parse", "--is-shallow-repository") == b"true\n":
        raise CannotJudge(
            f"{top}: the clone is cut off after {len(found)} commits", way_out="Run: git fetch --unshallow"
        )
    return found


@cache
def shipped_policy() -> Policy:
    """The shipped packs without any settings."""
    return policy_in_force(os.curdir, lambda _name: None)


def replay(part: Part) -> tuple[Judged, list[Hit]]:
    """Judges commits as a range each, and their messages."""
    policy = shipped_policy()
    judged = Judged(part.repository, "", policy=policy.id.digest)
    hits: list[Hit] = []
    objects = git.Objects(part.top)
    try:
        for commit, parent, message in part.commits:
            try:
                found = judge(policy, _material(part.top, objects, commit, parent))
            except CannotJudge as error:
                judged.not_judged.append(f"{part.repository} {commit[:12]}: {error}")
                continue
            said = judge(policy, sources.message("commit-message", message))
            judged.commits += 1
            judged.files += found.scope.files
            judged.added_lines += found.scope.added_lines
            judged.unjudged += (
                f"{part.repository} {commit[:12]} {one.path}: {one.reason}"
                for one in (*found.scope.unjudged, *said.scope.unjudged)
            )
            in_message = [one.replace(path="commit message") for one in said.findings]
            hits += _hits(part.repository, commit, chain(found.findings, in_message))
    finally:
        objects.close()
    return judged, hits


def _material(top: str, objects: git.Objects, commit: str, parent: str) -> Material:
    if parent:
        return sources.between(top, objects, f"{parent}...{commit}")
    return sources.recorded(top, objects, commit).replace(mode="range", complete=False)  # the first commit of all


def _hits(name: str, commit: str, findings: Iterable[Finding]) -> Iterator[Hit]:
    seen: Counter[str] = Counter()
    for one in findings:
        if one.family not in FAMILIES or not at_least(one.severity, "warning") or one.suppressed is not None:
            continue
        key = f"{commit[:12]} {one.path}:{one.span.start.line} {one.rule}"
        seen[key] += 1
        if seen[key] > 1:
            key += f" ({seen[key]})"
        yield Hit(
            key, name, commit, one.path, one.span.start.line, one.span.end.line,
            one.rule, one.family, one.kind, one.severity, one.excerpt, one.line,
        )  # fmt: skip


def judge_all(named: list[str], commits: int, shard: tuple[int, int], jobs: int) -> tuple[list[Judged], list[Hit]]:
    """Replays the repositories in `jobs` processes; on a terminal a bar tells how far it is."""
    every: dict[str, Judged] = {}
    parts: list[Part] = []
    for name, top in map(repository, named):
        if name in every:
            raise UserError(f"two repositories are called {name}", way_out="Name them: NAME=DIR")
        found = history(top, commits)
        every[name] = Judged(name, found[0][0] if found else "")
        found = found[shard[0] - 1 :: shard[1]]
        parts += (Part(name, top, found[at : at + AT_ONCE]) for at in range(0, len(found), AT_ONCE))
    hits: list[Hit] = []
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("commits", total=sum(len(part.commits) for part in parts))

        def take(answers: Iterable[tuple[Judged, list[Hit]]]) -> None:
            for part, (judged, found) in zip(parts, answers, strict=True):
                every[part.repository].add(judged)
                hits.extend(found)
                progress.update(task, description=part.repository, advance=len(part.commits))

        if jobs == 1:
            take(map(replay, parts))
        else:
            shipped_policy()  # compiled once, before all ask for it
            with ProcessPoolExecutor(jobs) as pool:
                take(pool.map(replay, parts))
    return list(every.values()), hits


def read_lists(paths: list[str]) -> tuple[list[Judged], list[Hit]]:
    """What earlier runs wrote; parts of one history are put together. Raises `UserError` for another file."""
    every: dict[str, Judged] = {}
    hits: list[Hit] = []
    for path in paths:
        for number, entry in _lines(path):
            try:
                if "key" in entry:
                    entry = {k: v for k, v in entry.items() if k not in ("verdict", "why")}
                    hits.append(Hit(**entry))
                    continue
                judged = Judged(**entry)
            except TypeError:
                raise UserError("is no line of a list that this program wrote", path=path, line=number) from None
            if judged.repository not in every:
                every[judged.repository] = judged
            elif every[judged.repository].head == judged.head:
                every[judged.repository].add(judged)
            else:
                raise UserError(f"{judged.repository} is another history here", path=path, line=number)
    return list(every.values()), hits


def read_verdicts(path: str) -> dict[str, Verdict]:
    """A reader's verdicts by key. Raises `UserError` where a line is none, or a finding has two."""
    found: dict[str, Verdict] = {}
    for number, entry in _lines(path):
        key, verdict, why = entry.get("key"), entry.get("verdict"), entry.get("why", "")
        if not isinstance(key, str) or not isinstance(verdict, bool) or not isinstance(why, str):
            raise UserError("is no verdict: key, verdict (true or false) and why are wanted", path=path, line=number)
        if key in found and found[key].true != verdict:
            raise UserError(f"says the opposite of an earlier line about {key}", path=path, line=number)
        found[key] = Verdict(verdict, why)
    return found


def _lines(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    entry = json.loads(line)
                    if not isinstance(entry, dict):
                        raise UserError("is no JSON object", path=path, line=number)
                    yield number, entry
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", path=path) from None
    except ValueError as error:
        raise UserError(f"is not JSON lines: {error}", path=path) from None


def write_list(path: str, judged: list[Judged], hits: list[Hit], verdicts: dict[str, Verdict]) -> None:
    """Writes what was judged and found, with the verdicts that there are."""
    with open(path, "w", encoding="utf-8") as file:
        for one in judged:
            print(json.dumps(asdict(one), ensure_ascii=False), file=file)
        for hit in hits:
            verdict = verdicts.get(hit.key)
            more = {} if verdict is None else {"verdict": verdict.true, "why": verdict.why}
            line = json.dumps({**asdict(hit), **more}, ensure_ascii=False)
            print(line.encode("utf-8", "backslashreplace").decode(), file=file)


def _per_thousand(count: int, commits: int) -> str:
    return f"{1000 * count / commits:.2f}" if commits else "-"


def print_repositories(judged: list[Judged], hits: list[Hit]) -> None:
    """What was judged and how much was found, by repository."""
    found = Counter(hit.repository for hit in hits)
    width = max(len("all"), *(len(one.repository) for one in judged))
    print(f"{'repository':{width}} {'commits':>8} {'files':>8} {'added lines':>12} {'hits':>6} {'per 1,000':>10}")
    every = Judged("all", "")
    for one in judged:
        every.add(one)
    for one in (*judged, every):
        count = found[one.repository] if one is not every else len(hits)
        figures = f"{one.commits:8,} {one.files:8,} {one.added_lines:12,} {count:6,}"
        print(f"{one.repository:{width}} {figures} {_per_thousand(count, one.commits):>10}")


def print_rules(commits: int, hits: list[Hit], verdicts: dict[str, Verdict] | None) -> bool:
    """The hits of every rule, with verdicts their precision; gives whether all is within the limits."""
    rules = Counter(hit.rule for hit in hits)
    width = max(len("rule"), *map(len, rules)) if rules else len("rule")
    marks = "" if verdicts is None else f" {'true':>6} {'false':>6} {'unread':>7} {'precision':>10}"
    print(f"{'rule':{width}} {'hits':>6} {'per 1,000':>10}{marks}  in")
    within = True
    for rule, count in rules.most_common():
        of_rule = [hit for hit in hits if hit.rule == rule]
        where = Counter(hit.repository for hit in of_rule)
        row = f"{rule:{width}} {count:6,} {_per_thousand(count, commits):>10}"
        if verdicts is not None:
            true, false, unread = _read(of_rule, verdicts)
            precision = true / count
            within = within and precision >= PRECISION
            low = "  " if precision >= PRECISION else " !"
            row += f" {true:6,} {false:6,} {unread:7,} {100 * precision:8.0f} %{low[1:]}"
        print(f"{row}  {', '.join(f'{name} {n}' for name, n in where.most_common())}")
    return within


def _read(hits: list[Hit], verdicts: dict[str, Verdict]) -> tuple[int, int, int]:
    """How many are true, false, and without a verdict."""
    said = [verdicts[hit.key].true for hit in hits if hit.key in verdicts]
    return sum(said), len(said) - sum(said), len(hits) - len(said)


def print_verdict(commits: int, hits: list[Hit], verdicts: dict[str, Verdict]) -> bool:
    """What the verdicts come to; gives whether that is within LIMIT."""
    true, false, unread = _read(hits, verdicts)
    wrong = 1000 * (false + unread) / commits if commits else 0.0
    print(f"\n{true} true, {false} false, {unread} without a verdict, which count as false")
    print(f"{wrong:.2f} false findings in 1,000 commits, at most {LIMIT}")
    if stale := verdicts.keys() - {hit.key for hit in hits}:
        print(f"{len(stale)} verdicts are about findings that are not made (any more)")
    return wrong <= LIMIT


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 2/5")
    return int(part), int(parts)


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return int(text)


def main() -> int:
    """Judges or reads, writes and prints; the exit code says whether it is within the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="[NAME=]DIR", help="repositories to replay")
    parser.add_argument("--from", nargs="+", dest="lists", metavar="FILE", help="lists of earlier runs instead")
    parser.add_argument("--commits", type=_count, default=500, help="how many of each repository (default: 500)")
    parser.add_argument("--shard", type=_shard, default=(1, 1), metavar="K/N", help="the K-th of N parts alone")
    parser.add_argument("--jobs", type=_count, default=1, help="processes (default: 1)")
    parser.add_argument("--out", metavar="FILE", help="write what was found as JSON lines")
    parser.add_argument("--verdicts", metavar="FILE", help="a reader's verdicts as JSON lines")
    options = parser.parse_args()
    if bool(options.repositories) == bool(options.lists):
        parser.error("name repositories, or lists of earlier runs with --from")
    try:
        verdicts = read_verdicts(options.verdicts) if options.verdicts else None
        began = time.monotonic()
        if options.lists:
            judged, hits = read_lists(options.lists)
        else:
            judged, hits = judge_all(options.repositories, options.commits, options.shard, options.jobs)
        taken = time.monotonic() - began
    except (UserError, CannotJudge) as error:
        print(error, file=sys.stderr)
        return 2
    if options.out:
        write_list(options.out, judged, hits, verdicts or {})
    speed = "" if options.lists else f", {taken:.0f} s in {options.jobs} process{'es' * (options.jobs > 1)}"
    digests = " ".join(sorted({one.policy[:8] for one in judged}))
    print(
        f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {platform.machine()}{speed}",
        f"policy {digests}\n",
        sep=", ",
    )
    print_repositories(judged, hits)
    print()
    commits = sum(one.commits for one in judged)
    within = print_rules(commits, hits, verdicts)
    if verdicts is not None:
        within = print_verdict(commits, hits, verdicts) and within
    unreadable, missing = ([e for one in judged for e in getattr(one, n)] for n in ("unjudged", "not_judged"))
    for what, entries in (("files that are no readable text", unreadable), ("commits not judged", missing)):
        if entries:
            print(f"\n{what}: {len(entries)}", *entries[:20], *(["..."] if len(entries) > 20 else []), sep="\n  ")
    return 3 if missing else int(not within)


if __name__ == "__main__":
    sys.exit(main())
