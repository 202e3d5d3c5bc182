"""What has a name in a pack that is being written: its rules, words and tables, and the words of the packs it uses."""

from __future__ import annotations

from sakaime.lsp.authors import around
from sakaime.lsp.authors.outline import Entry, Outline, outline, pieces
from sakaime.model import Record
from sakaime.policy.pack import LoadedPack
from sakaime.policy.policy import Policy

# The sections whose patterns are filled with words, and the keys of their rules that hold such patterns.
_FILLED = {"instructions": ("all", "any", "none"), "risks": ("line", "any", "none")}


class Words(Record):
    """A list of words: the pack that has it (empty: the one that is written), and its phrases."""

    pack: str
    phrases: tuple[str, ...]


class Names:
    """The names in the text of a pack, which may not parse."""

    def __init__(self, text: str, policy: Policy, root: str | None) -> None:
        self.text = text
        self.outline: Outline = outline(text)
        self.packs: tuple[LoadedPack, ...] = around.packs(root, policy)

    def below(self, number: int | None) -> list[int]:
        """The entries right inside of one."""
        return [] if number is None else [at for at, entry in enumerate(self.outline.entries) if entry.parent == number]

    def listed(self, number: int | None) -> tuple[str, ...]:
        """The texts of a list, or the one text that stands in its place."""
        if number is None:
            return ()
        inside = self.below(number) or [number]
        return tuple(text for at in inside if (text := self.value(self.outline.entries[at])))

    def value(self, entry: Entry) -> str:
        """What a scalar stands for."""
        return "".join(char for char, _, _ in pieces(self.text, entry.value)) if entry.value[0] >= 0 else ""

    def uses(self) -> tuple[str, ...]:
        """The packs whose words it uses."""
        return self.listed(self.outline.find(("uses",)))

    def words(self) -> dict[str, Words]:
        """The words that its patterns can name."""
        used = set(self.uses())
        found = {
            name: Words(pack.model.pack, tuple(phrases))
            for pack in self.packs
            if pack.model.pack in used
            for name, phrases in pack.model.words.items()
        }
        for number in self.below(self.outline.find(("words",))):
            name = self.outline.entries[number].name
            if isinstance(name, str) and not self.outline.entries[number].bare:
                found[name] = Words("", self.listed(number))
        return found

    def tables(self) -> tuple[str, ...]:
        """Its tables of weights."""
        every = (self.outline.entries[number].name for number in self.below(self.outline.find(("weights",))))
        return tuple(name for name in every if isinstance(name, str))

    def rules(self) -> tuple[str, ...]:
        """The ids of its rules."""
        entries = self.outline.entries
        found = []
        for entry in entries:
            if entry.name == "id" and entry.parent >= 0 and isinstance(entries[entry.parent].name, int):
                section = entries[entry.parent].parent
                if section >= 0 and entries[section].parent == -1 and (name := self.value(entry)):
                    found.append(name)
        return tuple(found)


def takes_words(path: tuple[str | int, ...]) -> bool:
    """Whether `{name}` stands for words in the patterns at a path."""
    if path[:1] == ("mentions",):
        return True
    return len(path) > 2 and path[2] in _FILLED.get(str(path[0]), ())
