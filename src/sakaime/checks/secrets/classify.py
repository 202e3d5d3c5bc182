"""What a value is: a reference, a default, a placeholder, live; or nothing that a rule knows."""

from __future__ import annotations

from sakaime.checks.secrets.naming import Naming, normal
from sakaime.checks.secrets.randomness import like_password, looks_random, random_part
from sakaime.checks.secrets.tokens import Tokens
from sakaime.model import Record
from sakaime.model.digest import sha256
from sakaime.policy.match import search
from sakaime.policy.pattern import compile_pattern
from sakaime.policy.values import Values
from sakaime.text.late import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sakaime.checks.secrets.unwrap import Candidate
    from sakaime.policy.pattern import Pattern
    from sakaime.policy.policy import Policy
    from sakaime.policy.rule import Rule

REFERENCE, DEFAULT, PLACEHOLDER, LIVE = "reference", "default", "placeholder", "live"
_PUBLISHED, _RANDOM, _ECHO, _USER = "published", "random", "echo", "user"
_LEAST_ANYWHERE = 12  # characters of a published value that tells by itself
_MOST = 1000  # characters of a value that shapes are tried on
_LIVE = 8000


class Verdict(Record):
    """What a value is: by which rule, and what may be told of it. `shown` is the value, where it may be."""

    rule: Rule
    shown: str = ""
    product: str = ""
    prefix: str = ""
    checked: str = ""


class Shapes:
    """Patterns of values in the order in which they outrank each other, tried together."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = sorted((rule for rule in rules if rule.value and not rule.holds), key=_order)
        self._compiled: dict[str, Pattern] = {}

    def of(self, value: str) -> list[Rule]:
        """The rules of which the shape holds for a value."""
        data = value[:_MOST].encode("utf-8", "surrogatepass")
        return [rule for rule in self.rules if self._pattern(rule).search(data) is not None]

    def first(self, value: str, rules: Iterable[Rule]) -> Rule | None:
        """Of some rules the first whose shape holds for a value."""
        data = value[:_MOST].encode("utf-8", "surrogatepass")
        return next((rule for rule in rules if self._pattern(rule).search(data) is not None), None)

    def _pattern(self, rule: Rule) -> Pattern:
        if rule.value not in self._compiled:
            self._compiled[rule.value] = compile_pattern(rule.value)
        return self._compiled[rule.value]


def _order(rule: Rule) -> tuple[int, str]:
    if rule.kind == REFERENCE:
        return 0, rule.id
    if rule.full:
        return (1 if rule.kind == DEFAULT else 2), rule.id
    return (3 if rule.kind == PLACEHOLDER else 4), rule.id


class Classifier:
    """The rules and names of a policy, compiled."""

    def __init__(self, policy: Policy, rules: Sequence[Rule] | None = None) -> None:
        every = tuple(policy.secrets) if rules is None else tuple(rules)
        self.values = Values(*policy.secret_data.values())
        self.naming = Naming(self.values)
        self.shapes = Shapes(every)
        self.tokens = Tokens(every)
        self._references = [rule for rule in self.shapes.rules if rule.kind == REFERENCE]
        self._others = [rule for rule in self.shapes.rules if rule.kind != REFERENCE]
        self._any_key = [rule for rule in self._others if rule.any_key]
        self._tests: dict[str, Rule] = {rule.test: rule for rule in every if rule.test}

    def verdict(self, one: Candidate) -> Verdict | None:
        """What a value is under its names; None where no rule says anything of it, or it is a reference."""
        value = one.value
        if len(value) > _LIVE or not value.strip():
            return None
        name = self.naming.expects(one.keys)
        if not name and not (one.apart and one.keys[-1:] == ("password",)):
            return self._whatever_the_key(value)
        if self._refers(value):
            return None
        if (found := self._published(value, bool(name))) is not None:
            return found
        token = next((token for token in self.tokens.find(value) if token.end - token.start >= 0.6 * len(value)), None)
        found = self._shape(one, value, name, only_full=token is not None)
        if found is not None:
            return found
        if token is not None:
            return None  # told of as the token that it is
        return self._random(one, value, name)

    def _refers(self, value: str) -> bool:
        rule = self.shapes.first(value, self._references)
        if rule is None or self._known(value):
            return False
        return rule.random or not random_part(value)

    def excused(self, value: str) -> bool:
        """Whether a token is none in truth: the example of a manual, or filled up."""
        if self._known(value):
            return True
        rule = self.shapes.first(value, (rule for rule in self._others if rule.full or rule.random))
        return rule is not None and rule.kind == PLACEHOLDER

    def _whatever_the_key(self, value: str) -> Verdict | None:
        found = self._published(value, False)
        if found is not None:
            return found
        if not 12 <= len(value) <= 200 or not value.isascii() or " " in value:
            return None
        rule = self.shapes.first(value, self._any_key)
        if rule is None or not any(value.startswith(held) for held, _ in self.tokens.held):
            return None
        return Verdict(rule, value if rule.full else "")

    def _known(self, value: str) -> bool:
        return any(_hash(salt, value) in self.values.published for salt in self.values.salts)

    def _published(self, value: str, named: bool) -> Verdict | None:
        rule = self._tests.get(_PUBLISHED)
        if not 4 <= len(value) <= 200 or rule is None:
            return None
        if not named and (len(value) < _LEAST_ANYWHERE or " " in value):
            return None
        for salt in self.values.salts:
            entry = self.values.published.get(_hash(salt, value))
            if entry is None:
                continue
            product, where, cve, kind, anywhere = entry
            if not named and not anywhere:
                return None
            said = f"{product} ({', '.join(filter(None, (cve, where)))})" if cve or where else product
            if kind == PLACEHOLDER:
                example = next(
                    (one for one in self._others if one.kind == PLACEHOLDER and one.random and one.any_key), rule
                )
                return Verdict(example, value, said)
            return Verdict(rule, value, said)
        return None

    def _shape(self, one: Candidate, value: str, name: str, only_full: bool) -> Verdict | None:
        rules = (rule for rule in self._others if rule.full or rule.random or not only_full)
        rule = self.shapes.first(value, rules)
        if rule is not None and not rule.random and random_part(value):
            rule = None
        if (
            rule is not None
            and one.code
            and (_says_its_key(value, name) or _is_prose(value, rule) or self._is_name(value))
        ):
            return None
        if rule is not None:
            return Verdict(rule, value if self._is_whole(rule, value) else "")
        if only_full:
            return None
        if (
            one.user
            and value == one.user
            and (rule := self._tests.get(_USER)) is not None
            and one.user[:1] not in "$<{%"
        ):
            return Verdict(rule, value)
        if (
            not one.code
            and len(value) >= 4
            and (rule := self._tests.get(_ECHO)) is not None
            and _echoes(value, one.keys)
        ):
            return Verdict(rule, value)
        return None

    def _is_whole(self, rule: Rule, value: str) -> bool:
        """Whether a shape holds for all of a value, so that nothing else can be in it."""
        if rule.random or random_part(value):
            return False
        return rule.full or search(f"^(?:{rule.value})$", value[:_MOST].encode("utf-8", "surrogatepass"))

    def _is_name(self, value: str) -> bool:
        """Whether a string of a program is the name of a secret: `"clientSecret"`, `"AWS_SECRET_ACCESS_KEY"`."""
        return (
            value.isascii() and value.isidentifier() and self.naming.names(value) and _FILLED.isdisjoint(_words(value))
        )

    def _random(self, one: Candidate, value: str, name: str) -> Verdict | None:
        rule = self._tests.get(_RANDOM)
        if rule is None or any(char.isspace() for char in value) or ("$" in value and "{" in value):
            return None
        if "(" in value and one.code:
            return None
        chosen = one.apart or self.naming.people_choose(name)
        if looks_random(value) or (chosen and (one.apart or not one.code) and like_password(value)):
            return Verdict(rule)
        if (
            chosen
            and one.code
            and len(value) >= 10
            and like_password(value)
            and looks_random(value.strip("!@#$%^&*_+=-"))
        ):
            return Verdict(rule)
        return None


# Words that nobody needs in the name of a secret.
_FILLED = frozenset(
    "my your our super very top some strong long random secure the mysecret supersecret topsecret "
    "mypassword mytoken "
    "changeme replace insert enter change put paste this here please dummy test "
    "testing dev development local staging temp fake example sample insecure default".split()
)


def _hash(salt: str, value: str) -> str:
    return str(sha256((salt + value).encode("utf-8", "surrogatepass")).hexdigest())


_NAME = late(r"[A-Za-z_\u0080-\U0010ffff][\w.\-]*$")


def _words(text: str) -> set[str]:
    return {word for word in normal(text).split("_") if word}


def _says_its_key(value: str, name: str) -> bool:
    """Whether a value of a program only says again what its name is: `PASSWORD = "password"`."""
    words = _words(value)
    return (bool(words) and words <= _words(name) | {"the"} and len(words) <= 4) or normal(value) in name


def _is_prose(value: str, rule: Rule) -> bool:
    """Whether a string of a program is text for people: a sentence, which settings have no reason to hold."""
    return value.count(" ") > 1 and not rule.full and value[:1].isupper()


def _echoes(value: str, keys: tuple[str, ...]) -> bool:
    if not _NAME.match(value):
        return False
    said, name = normal(value), normal(keys[-1]) if keys else ""
    return (
        said == name or (len(said) >= 6 and name.endswith(f"_{said}")) or (len(name) >= 6 and said.endswith(f"_{name}"))
    )
