"""Frozen data types that cost no start-up time.

`dataclasses` and `typing` together cost more than two interpreter starts, which is most of what a
commit hook may take. A `Record` subclass declares annotated fields like a frozen dataclass; type
checkers see it as one (`dataclass_transform`, PEP 681).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Record:
    """A value: fields in declaration order, compared by content, never changed after it is made."""

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *cls.__annotations__)

    if not TYPE_CHECKING:

        def __init__(self, *values, **named):
            cls = type(self)
            state = dict(zip(cls._fields, values))  # noqa: B905  (zip's strict is checked below)
            if len(values) > len(cls._fields) or state.keys() & named.keys() or named.keys() - set(cls._fields):
                raise TypeError(f"{cls.__name__}{cls._fields} does not take {values!r} {named!r}")
            state.update(named)
            for field in cls._fields:
                if field not in state:
                    try:
                        state[field] = getattr(cls, field)
                    except AttributeError:
                        raise TypeError(f"{cls.__name__} needs {field}") from None
            self.__dict__.update({field: state[field] for field in cls._fields})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{f}={self.__dict__[f]!r}' for f in self._fields)})"

    def values(self) -> tuple[Any, ...]:
        """The values in order of the fields."""
        return tuple(self.__dict__[field] for field in self._fields)

    def replace(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        return type(self)(**{**{f: self.__dict__[f] for f in self._fields}, **changes})
