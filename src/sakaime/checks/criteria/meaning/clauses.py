"""Where the phrases of an item stand: in which clause, how far from each other, negated, leading."""

from __future__ import annotations

from bisect import bisect_right

from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sakaime.checks.criteria.meaning.words import Hit

CJK = late("[\u2e80-\u9fff\uac00-\ud7ff]")
_SENTENCE = late(r"[.!?](?= |$)|[。！？；;]")
_CLAUSE = late(r"[,:、，：()（）「」【】\[\]—。！？；;]|[.!?](?= |$)| -{1,2} ")
_HAS_LETTER = late(r"\w")
# Phrases of a sentence that are looked at together, so that a sentence without end is still read in linear time.
_TOGETHER = 96
# No phrase governs another one from farther away, in characters.
FARTHEST = 240
_NEGATION_REACH, _NEGATION_AFTER, _BARE_REACH = 4, 8, 1
_LEADING = frozenset(
    "lead reviewer only negation_before every severity absolute duty recommended optional hedge soften may".split()
)
_OF_REVIEW = frozenset({"finding", "reviewer"})
_REPORT_BESIDE = frozenset({"report_first", "report_beside"})
_LEAVE_OUT_BESIDE = frozenset({"leave_out_first", "leave_out_beside", "leave_out_titled"})
_NEGATIONS = frozenset({"negation_before", "negation_after"})


class Text:
    """A text, and where its sentences and clauses begin."""

    __slots__ = ("clauses", "sentences", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences = [match.end() for match in _SENTENCE.finditer(text)]
        self.clauses = [match.end() for match in _CLAUSE.finditer(text)]

    def sentence(self, at: int) -> int:
        return bisect_right(self.sentences, at)

    def clause(self, at: int) -> int:
        return bisect_right(self.clauses, at)

    def sentence_at(self, at: int) -> int:
        """Where the sentence around a place begins."""
        number = self.sentence(at)
        return self.sentences[number - 1] if number else 0

    def clause_at(self, at: int) -> tuple[int, int]:
        """Where the clause around a place begins and ends."""
        number = self.clause(at)
        start = self.clauses[number - 1] if number else 0
        return start, self.clauses[number] if number < len(self.clauses) else len(self.text)

    def gap(self, start: int, end: int) -> int:
        """How far two places are apart, in words; where words have no blanks between, four letters count for one."""
        if end - start > FARTHEST:
            return end - start
        return size(self.text[start:end])


class Group:
    """Phrases of one sentence, and what all questions about them ask for."""

    __slots__ = ("hits", "negations", "of_review", "present", "titled", "whole")

    def __init__(self, whole: Text, hits: list[Hit], titled: bool = False) -> None:
        self.whole = whole
        self.titled = titled
        self.hits = hits
        self.present: frozenset[str] = frozenset().union(*[hit.roles for hit in hits])
        self.of_review = not self.present.isdisjoint(_OF_REVIEW)
        self.negations = (
            [] if self.present.isdisjoint(_NEGATIONS) else [hit for hit in hits if not hit.roles.isdisjoint(_NEGATIONS)]
        )

    def phrases(self, roles: frozenset[str]) -> list[str]:
        """The phrases that say one of these, as they stand."""
        if self.present.isdisjoint(roles):
            return []
        return [self.phrase(hit) for hit in self.hits if not hit.roles.isdisjoint(roles)]

    def phrase(self, hit: Hit) -> str:
        return self.whole.text[hit.start : hit.end]

    def negated(self, hit: Hit) -> bool:
        whole = self.whole
        for other in self.negations:
            if "negation_before" in other.roles and 0 <= hit.start - other.end <= FARTHEST:
                same = whole.clause(other.start) == whole.clause(hit.start)
                if same and whole.gap(other.end, hit.start) <= _NEGATION_REACH and not self._ends(other, hit):
                    return True
            if "negation_after" in other.roles and 0 <= other.start - hit.end <= _NEGATION_AFTER:
                return True
        return False

    def _ends(self, negation: Hit, hit: Hit) -> bool:
        """Whether a negation is over before a phrase: where words have no blanks between, one that asks for nothing
        ("不", and not "不要") turns round the word that it stands at."""
        bare = negation.roles.isdisjoint(("duty", "absolute")) and bool(CJK.match(self.whole.text[negation.start]))
        return bare and hit.start - negation.end > _BARE_REACH

    def leads(self, hit: Hit) -> bool:
        """Whether a verb leads its clause, with nothing but modal words, adverbs and the reviewer before it."""
        start, _ = self.whole.clause_at(hit.start)
        if hit.start - start > FARTHEST:
            return False
        words = [word for word in self.whole.text[start : hit.start].split() if _HAS_LETTER.search(word)]
        if not words:
            return True
        inside = [other for other in self.hits if start <= other.start and other.end <= hit.start]
        return len(words) <= sum(
            len(self.phrase(other).split()) for other in inside if not other.roles.isdisjoint(_LEADING)
        )

    def reports(self, hit: Hit) -> bool:
        """Whether a phrase is a verb of reporting here: some of these are verbs of programs, too."""
        roles = hit.roles
        if "report" in roles or (self.of_review and not roles.isdisjoint(_REPORT_BESIDE)):
            return True
        return "report_first" in roles and self.leads(hit)

    def leaves_out(self, hit: Hit) -> bool:
        """Whether a phrase leaves something out here, its negation aside."""
        roles = hit.roles
        if "leave_out" in roles or (self.of_review and not roles.isdisjoint(_LEAVE_OUT_BESIDE)):
            return True
        return (self.titled and "leave_out_titled" in roles) or ("leave_out_first" in roles and self.leads(hit))


def groups(whole: Text, hits: list[Hit], titled: bool) -> list[Group]:
    """The phrases by sentence; `titled` says that titles above speak of a review."""
    parts: list[list[Hit]] = []
    number = -1
    for hit in hits:
        at = whole.sentence(hit.start)
        if at != number or len(parts[-1]) >= _TOGETHER:
            parts.append([])
            number = at
        parts[-1].append(hit)
    return [Group(whole, part, titled) for part in parts]


def size(text: str) -> int:
    """How many words a text has; where words have no blanks between, four letters count for one."""
    words = len(text.split())
    return words if text.isascii() else words + len(CJK.findall(text)) // 4
