"""What is told of a rule, and of the policy in force, as Markdown."""

from __future__ import annotations

from sakaime.lsp.markdown import code, fenced, prose
from sakaime.model import SakaimeError, UserError
from sakaime.packs.explained import explained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.policy.policy import Policy

_DIGEST = 12  # characters of a digest that are shown


def explained_markdown(policy: Policy, rule_id: str) -> str:
    """A rule in force as a page; of an id that no rule has, that there is none."""
    try:
        told = explained(policy, rule_id)
    except UserError as error:
        return "\n\n".join(prose(text) for text in (error.message, error.way_out) if text)
    rule = told.rule
    parts = [f"# {code(rule.id)}", prose(rule.title)]
    rows = [f"- {prose(name)}: {code(value)}" for name, value in (*told.facts, *told.worths) if value]
    parts.append("\n".join(rows))
    if rule.why:
        parts += ["## Why", prose(rule.why)]
    for title, examples in (("Reported", told.bad), ("Fine", told.good)):
        parts += [f"## {title}", *map(fenced, examples)] if examples else []
    if told.references:
        parts += ["## More", listed(f"<{link}>" if _is_link(link) else prose(link) for link in told.references)]
    parts += ["## Decided by", listed(f"{prose(who)}: {prose(what)}" for who, what in told.layers)]
    return "\n\n".join(parts) + "\n"


def policy_markdown(policy: Policy, mistakes: Sequence[SakaimeError] = (), base: str = "HEAD") -> str:
    """The policy in force as a page: what it is made of, what softens it, what is locked. `mistakes` are those for
    which newer settings or packs were not taken; `base` is what documents are compared with."""
    parts = ["# The policy in force", f"Digest {code(policy.id.digest[:_DIGEST])}, compared with {code(base)}."]
    if mistakes:
        parts.append("## Mistakes")
        parts.append("The last policy without a mistake decides.")
        parts.append(listed(_mistake(error) for one in mistakes for error in (one, *one.others)))
    parts.append("## Packs")
    parts.append(
        listed(
            f"{code(pack.name)} {code(pack.version)} from {code(pack.source)}, {code(pack.digest[:_DIGEST])}"
            for pack in policy.id.packs
        )
    )
    parts.append("## Rules")
    counted = {
        "instructions": len(policy.rules),
        "hidden": len(policy.hidden),
        "criteria": len(policy.criteria),
        "secrets": len(policy.secrets),
        "risks": len(policy.risks),
    }
    parts.append(listed([*(f"{name}: {count}" for name, count in counted.items()), f"all: {sum(counted.values())}"]))
    softened = [one.message for one in policy.notes] + [
        f"{rule} is less severe than its pack says" for rule in sorted(policy.softened)
    ]
    parts += _section("Softened", map(prose, softened))
    parts += _section("Locked", (f"{code(rule)} by {prose(who)}" for rule, who in sorted(policy.locked.items())))
    parts += _section("Allowed", (f"{code(one.rule)} {prose(one.reason)}" for one in policy.allows))
    return "\n\n".join(parts) + "\n"


def _section(title: str, entries: Iterable[str]) -> list[str]:
    text = listed(entries)
    return [f"## {title}", text] if text else []


def listed(entries: Iterable[str]) -> str:
    """Some Markdown of one line each as a list."""
    return "\n".join(f"- {' '.join(entry.split())}" for entry in entries)


def _mistake(error: SakaimeError) -> str:
    place = f"{code(error.place)}: " if error.place else ""
    return place + prose(f"{error.message} {error.way_out or ''}")


def _is_link(text: str) -> bool:
    return text.startswith("https://") and text.isascii() and not any(char in text for char in "<> `\\\n")
