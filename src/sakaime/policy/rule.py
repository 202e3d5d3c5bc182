"""A rule as the checks use it: expanded, with its layers merged. Plain values only, so that it can be cached."""

from __future__ import annotations

from sakaime.model import Finding, Record, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.policy.trim import Tree

_EXCERPT = 200


class Rule(Record):
    """A rule in force, of family instructions, hidden, criteria, risks or secrets.

    `id` is the full id; patterns are RE2 with words filled in, in a form that can be cut down to a text
    (`sakaime.policy.trim`); `include` and `exclude` are RE2 patterns of paths in order, each with whether it selects (a
    `!` glob does not), None meaning every file; `named` are strings of which one is in the path of every file that it
    looks at (none: any path). `layers` tells which part of the policy said what. A rule of family hidden has a `form`
    and no patterns. `weights` names the table of the policy by which its sentences must score, too, `doubts` the one by
    which its findings are doubted (`sakaime.policy.weights`). `Rule(*rule.values())` is the same rule: that is how it
    is cached.

    A rule of family risks looks at single lines (`all` and `any` must meet in one), of which some `places` count: code,
    the string literals of a program, comments. `topics` are the words by which criteria name such a line.

    A rule of family criteria looks at documents, of general ones (`sections`: RE2 patterns) below some headings only.
    `losses` tells how bad each change is, at most as bad as `severity`; `reader` who reads the documents, and `reads`
    from which side of a pull request ("base", "head", or unknown).

    A rule of family secrets has a pattern of values (`value`) or a `test`; see `sakaime.policy.schema.SecretRule`.
    `worths` is how bad such a value is in production, elsewhere, as a fallback and in exempt places ("off": silent).
    """

    id: str
    family: str
    kind: str
    severity: str
    enforce_from: str
    title: str
    message: str
    why: str
    unit: str = ""
    all: tuple[Tree, ...] = ()
    any: tuple[Tree, ...] = ()
    none: tuple[Tree, ...] = ()
    within: int = 0
    places: tuple[str, ...] = ()
    include: tuple[tuple[bool, str], ...] | None = None
    exclude: tuple[tuple[bool, str], ...] = ()
    covers: str = ""
    across: bool = False
    named: tuple[str, ...] = ()
    layers: tuple[tuple[str, str], ...] = ()
    form: str = ""
    weights: str = ""
    doubts: str = ""
    sections: tuple[str, ...] = ()
    losses: tuple[tuple[str, str], ...] = ()
    reader: str = ""
    reads: str = ""
    topics: tuple[str, ...] = ()
    value: str = ""
    test: str = ""
    full: bool = False
    random: bool = False
    any_key: bool = False
    holds: tuple[str, ...] = ()
    structure: str = ""
    worths: tuple[tuple[str, str], ...] = ()

    @property
    def lock(self) -> str:
        """Who locks the rule; empty where nobody does."""
        return next((who for who, what in self.layers if what == "locked"), "")


def reported(rule: Rule, path: str, span: Span, matched: str, line: tuple[int, str]) -> Finding:
    """What a rule reports of a place; `path` in the form of a finding, `line` as `Source.line_around` gives it."""
    excerpt = matched if len(matched) <= _EXCERPT else matched[: _EXCERPT - 1] + "…"
    return Finding(
        rule=rule.id,
        family=rule.family,
        kind=rule.kind,
        severity=rule.severity,
        message=rule.message.replace("{match}", excerpt),
        path=path,
        span=span,
        excerpt=excerpt,
        line=line[1],
        line_column=line[0],
        why=rule.why,
    )
