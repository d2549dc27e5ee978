"""What every step from a text of the page to a value is."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

import msgspec


class _Kind(msgspec.StructMeta, ABCMeta):
    """Steps are structs, and those that lack a part can't be made."""


class Op(msgspec.Struct, frozen=True, tag=True, tag_field="op", metaclass=_Kind):
    """One step. `imports` are import lines, `constants` names of shared constants that the code uses."""

    @abstractmethod
    def apply(self, value: Any) -> Any:
        """What the step makes of a value."""

    @abstractmethod
    def statements(self, value: str) -> tuple[list[str], str]:
        """The same for the value of an expression: lines to put before, and the expression of the outcome."""

    @property
    def imports(self) -> tuple[str, ...]:
        return ()

    @property
    def constants(self) -> dict[str, str]:
        return {}


class Inline(Op, frozen=True):
    """A step that one expression can do."""

    @abstractmethod
    def code(self, value: str) -> str:
        """The expression that does the same to the value of an expression."""

    def statements(self, value: str) -> tuple[list[str], str]:
        return [], self.code(value)
