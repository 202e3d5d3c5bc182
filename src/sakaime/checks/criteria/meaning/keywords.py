"""The words of keys and values that say which way they point: data of `directions`."""

from __future__ import annotations

# Words of a key. What leaves out, before the others; after one of `GUARDS` it is what is kept from ("fail on skip").
LEAVES_OUT = frozenset(
    """disable disables disabled disabling exclude excludes excluded excluding exclusion exclusions ignore ignores
    ignored ignoring ignorelist skip skips skipped skipping allow allows allowed allowlist allowlisted whitelist
    whitelisted suppress suppressed suppression suppressions except exception exceptions exempt exempts exempted
    exemption exemptions omit omits omitted bypass bypasses waive waived waiver waivers permit permits permitted mute
    muted blacklist blocklist denylist optional informational advisory permissive lenient relaxed quiet silent soft
    only unlinted unreviewed""".split()
)
# Lists of what is not wanted: an entry of them asks for more.
KEPT_OUT = frozenset("blacklist blocklist denylist".split())
GUARDS = frozenset(
    """fail fails failing require requires required warn warns disallow disallows disallowed forbid forbids forbidden
    deny denies denied block blocks blocking report reports reported detect detects check checks enforce enforces
    enforced no not never without strict""".split()
)
ASKS = frozenset(
    """enable enables enabled include includes included including drafts draft verify validate
    validates lint audit scan""".split()
)
LISTS = frozenset("only optional informational advisory permissive lenient relaxed quiet silent soft".split())
CONTAINER_ASKS = frozenset(
    "enable enabled include includes included require required select selected extend_select".split()
)
# Names under which rules stand by their ids, which may hold any word.
OF_NAMES = frozenset("rules checks tools plugins settings overrides linters_settings areas labels severities".split())

WHOLE = {
    "request_changes_workflow": 1,
    "review": 1,
    "reviews": 1,
    "comment": 1,
    "comments": 1,
    "auto_approve": -1,
    "enable_auto_approval": -1,
    "auto_approval": -1,
    "auto_merge": -1,
    "fail_on": -1,
    "fail_on_severity": -1,
    "fail_level": -1,
    "severity_cutoff": -1,
    "audit_level": -1,
    "report_level": -1,
    "min_severity": -1,
    "minimum_severity": -1,
    "min_level": -1,
    "continue_on_error": -1,
    "warn_only": -1,
    "exit_zero": -1,
    "dry_run": -1,
    "no_verify": -1,
    "no_fail": -1,
    "no_check": -1,
    "no_lint": -1,
    "fail_under": 1,
    "profile": 1,
    "type_checking_mode": 1,
    "new_from_rev": 0,
    "new": -1,
}
LOGS = frozenset("log logs logging logger verbosity verbose output console format color colour".split())

# Numbers. Of what may be said, a smaller cap is less; of what is let pass, a larger one is.
OUTPUT = frozenset(
    "comment comments finding findings issue issues suggestion suggestions file files token tokens diff".split()
)
LESS = frozenset(
    """max maximum limit complexity timeout timeouts retry retries tolerance tolerated warnings errors failures
    violations budget ttl stale age expiry""".split()
)
MORE = frozenset(
    "min minimum coverage approval approvals approver approvers approving strictness agents passes reviewers".split()
)
# Of these the share that is covered, where they end a key ("extra_lines_before" does not).
COVERED = frozenset("statements branches functions lines target".split())
CONFIDENT = frozenset("confidence score severity severities importance".split())
# The least size of what is looked at: a larger one looks at less.
SIZES = frozenset("tokens lines size length words".split())

LEVELS = {
    **dict.fromkeys("off none disabled ignore ignored never silent skip".split(), 0.0),
    **dict.fromkeys("hint nit nitpick trivial style suggestion convention p4".split(), 0.25),
    **dict.fromkeys("info information informational note notice minor low p3 refactor".split(), 0.5),
    **dict.fromkeys("warn warning warnings medium moderate on p2 recommended enabled".split(), 1.0),
    **dict.fromkeys("error errors high major deny required p1 serious".split(), 2.0),
    **dict.fromkeys("critical blocker blocking block fatal forbid severe p0 highest".split(), 3.0),
}
LADDERS = {
    "profile": {"chill": 1.0, "assertive": 2.0},
    "strictness": {"off": 0.0, "lenient": 0.5, "relaxed": 0.5, "low": 0.5, "loose": 0.5, "basic": 0.75, "normal": 1.0,
                   "medium": 1.0, "standard": 1.0, "high": 2.0, "strict": 2.0, "strictest": 3.0},
    "default": {"none": 0.0, "fast": 0.5, "standard": 1.0, "all": 3.0},
    "type_checking_mode": {"off": 0.0, "basic": 1.0, "standard": 2.0, "strict": 3.0},
}  # fmt: skip
# Words that are a level whatever their key; the others only where a key says that it names one.
OF_RULES = frozenset("off warn warning error info deny forbid block blocker blocking fatal".split())
NAMES_LEVEL = frozenset("severity severities level levels priority strictness threshold cutoff importance".split())
