"""Values as they come from a file or a variable, converted and checked."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from scrapewright.errors import UsageError

AT_MOST = 10**15
"""Of any number: events are JSON, which has no infinity, and whole numbers of 64 bits."""


class SettingsError(UsageError):
    """A file or a variable that can't be used. The message names it and says what is valid."""


class Secret:
    """A secret that is not printed by accident."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "set" if self._value else "not set"


def check_known(key: str, known: Collection[str], where: str) -> None:
    """Raises SettingsError with the nearest known key."""
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
    raise SettingsError(f"{where}: unknown key {key!r}{hint}")


def check_choice(value: str, choices: Collection[str], where: str) -> str:
    """The value, if it is one of the choices. Raises SettingsError."""
    if value not in choices:
        raise SettingsError(f"{where}: {value!r} is none of {', '.join(choices)}")
    return value


def in_bounds(value: Any, least: float, where: str) -> Any:
    """The value, if it is no number or one that can be. Raises SettingsError."""
    if isinstance(value, (int, float)):
        if not value >= least:
            raise SettingsError(f"{where}: {value} is too small; the least is {least}")
        if value > AT_MOST:
            raise SettingsError(f"{where}: {value} is too large")
    return value


def as_kind(kind: type, value: Any, where: str) -> Any:
    """The value as that type, which is read from a text where it is not one itself. Raises SettingsError."""
    if kind is bool and isinstance(value, str):
        if value.lower() in {"1", "true", "yes", "on"}:
            return True
        if value.lower() in {"0", "false", "no", "off"}:
            return False
        raise SettingsError(f"{where}: {value!r} is neither true nor false")
    if kind is tuple:
        names = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
            raise SettingsError(f'{where} must be a list of names, such as ["small", "strong"]')
        return tuple(names)
    try:
        return msgspec.convert(value, kind, strict=not (isinstance(value, str) and kind is not str))
    except msgspec.ValidationError:
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
        raise SettingsError(f"{where}: {value!r} is not {words.get(kind, kind.__name__)}") from None


def as_table(value: Any, where: str, example: str) -> Mapping[str, Any]:
    """Raises SettingsError where the value is no table."""
    if not isinstance(value, dict):
        raise SettingsError(f"{where} must be a table, {example}")
    return value
