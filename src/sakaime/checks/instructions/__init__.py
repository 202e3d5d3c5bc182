"""Text that addresses the reviewer: approvals claimed, parts excluded, findings capped."""

from __future__ import annotations

from sakaime.checks.instructions.place import Here
from sakaime.material.change import LINK, SUBMODULE, Change, Material
from sakaime.material.texts import Text, Texts
from sakaime.model import Finding
from sakaime.policy.policy import Policy
from sakaime.text.suspect import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sakaime.policy.rule import Rule

# So many characters nearly always hold the words of some rule: to ask each block for them costs less. With shorter
# ones one is mostly done before what makes blocks is loaded.
_MUCH = 2000
_REMEMBERED = 200  # findings in single blocks, near which neighbours are looked at
# Files whose comment sign is a word (REM): it stands between words that a view joins, which no gate knows.
_LETTER_SIGNS = (".bat", ".cmd")
_SEPARATORS = str.maketrans("-_.+~,", "      ")
_FEWEST_BLANKS, _FEWEST = 2, 6  # in a name that says something: blanks, or characters of a script without them
# Signs that begin a line of comment in nearly every language.
_SIGNS = ("#", "//", "--", "*", "/*", ";", "%")


def check(policy: Policy, material: Material, change: Change, texts: Texts) -> Iterator[Finding]:
    """Findings in the added lines of one change.

    Raises `Binary` or `Undecodable` where its new side is no text.
    """
    if change.new is None or change.new.mode == SUBMODULE or not change.added:
        return
    text = texts.new(change)
    gated = not change.path.lower().endswith(_LETTER_SIGNS)
    wanted = tuple(
        stretch
        for stretch in _around_added(text, policy.gate.reach)
        if not gated or _could_match(policy, change.path, text.source.text[slice(*stretch)])
    )
    here = Here(policy, change.path, text)
    if suspect(b"".join(hunk.new for hunk in change.hunks if hunk.added)):
        from sakaime.checks.instructions.uncovered import in_disguise

        yield from in_disguise(here, material.mode == "message")
    if wanted:
        yield from _in_blocks(here, material.mode == "message", change.new.mode == LINK, gated, wanted)


def in_name(policy: Policy, path: str) -> Iterator[Finding]:
    """Findings in the parts of a new path, each read as words."""
    for part in path.split("/"):
        words = _words(part)
        if words and policy.gate.possible(words, path):
            from sakaime.checks.instructions.names import judged

            yield from judged(policy, path, words)


def _words(part: str) -> str:
    """A part of a path as words, without its ending; empty where it has too few to say anything."""
    stem = part[: part.rfind(".")] if part.rfind(".") > 0 else part
    pairs = zip(f" {stem}", stem, strict=False)
    apart = "".join(f" {char}" if char.isupper() and before.islower() else char for before, char in pairs)
    words = apart.translate(_SEPARATORS)
    return words if words.count(" ") >= _FEWEST_BLANKS or (not words.isascii() and len(words) >= _FEWEST) else ""


def _could_match(policy: Policy, path: str, text: str) -> bool:
    """Whether blocks of a text are worth asking for."""
    return len(text) > _MUCH or bool(policy.gate.possible(text, path)) or _scattered(policy, text, path)


def _in_blocks(
    here: Here, message: bool, link: bool, gated: bool, wanted: tuple[tuple[int, int], ...]
) -> Iterator[Finding]:
    """Findings in the blocks of a file that touch some ranges."""
    from sakaime.text.block import Block
    from sakaime.text.joins import Join, joins
    from sakaime.text.segments import blocks

    text = here.text
    every = range(len(here.policy.rules))
    alone: list[tuple[str, int, int]] = []
    found = blocks("" if link else here.path, text.source, message, wanted)
    for block in found if link else joins(text.source, found):
        parts = block.pieces if isinstance(block, Block) else [p for one in block.blocks for p in one.pieces]
        if not text.touches(parts[0][0], parts[-1][1]):
            continue
        words = "\n".join(text.source.text[first:last] for first, last in parts)
        rules = _looking(here, here.policy.gate.possible(words, here.path) if gated else every)
        if not rules:
            continue
        # RE2 costs more than all else does for a harmless change.
        from sakaime.checks.instructions.units import check_block, check_join

        if isinstance(block, Join):
            yield from check_join(rules, here, block, alone)
            continue
        for place, finding in check_block(rules, here, block):
            alone = [*alone[-_REMEMBERED:], (finding.rule, *place)]
            yield finding


def _looking(here: Here, numbers: Sequence[int]) -> list[Rule]:
    """The rules of some ascending numbers that look at the file."""
    if not numbers:
        return []
    from sakaime.policy.match import looks_at

    return [rule for rule in map(here.policy.rule, numbers) if looks_at(rule, here.path)]


def _scattered(policy: Policy, text: str, path: str) -> bool:
    """Whether a rule could match over comments with code between them, as far as the comments tell."""
    kept, groups, inside = [], 0, False
    for line in text.split("\n"):
        if line.lstrip().startswith(_SIGNS):
            groups += not inside
            inside = True
            kept.append(line)
        elif line and not line.isspace():
            inside = False
    across = frozenset(policy.across)
    return groups > 1 and bool(across) and not across.isdisjoint(policy.gate.possible("\n".join(kept), path))


def _around_added(text: Text, reach: int) -> Iterator[tuple[int, int]]:
    """The added lines with those around them that a match can reach: ranges of the source, ascending and apart.

    Every line holds at least one character of a view, or a view of it is empty.
    """
    source = text.source
    begin = finish = -1
    for first, last in text.added:
        start = source.bounds(max(0, source.index_of(first) - reach))[0]
        end = source.bounds(min(len(source.starts) - 1, source.index_of(last) + reach))[1]
        if begin >= 0 and start > finish:
            yield begin, finish
            begin = start
        begin = start if begin < 0 else begin
        finish = end
    if begin >= 0:
        yield begin, finish
