"""Values as short text, without ever running the program's code.

A program under observation may hold anything: objects whose `__repr__` raises, exits or never ends, lists that lie
about their length, classes that lie about their name. So a value is rendered only where its type is, exactly, one that
the interpreter owns (the rule of hunter's `safe_repr`: subclasses are not trusted); of anything else the class is named
and the instance's own attributes are listed (`fields`). No `repr`, `str`, `len` or attribute of the unknown. A few
library types that scrapers handle all the time (elements, frames, arrays, responses) are known by identity and read
from where they keep their parts (`describe_known`).

`describe` makes a text at once; `snapshot` has the quicker form for values that may never be looked at.
"""

from __future__ import annotations

import builtins
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from itertools import islice
from time import monotonic
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from harness.describe_known import known
from harness.fields import instance_dict, is_plain, type_name

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

LIMIT = 200
"""Characters of a string that are kept."""
BIG = 1 << 600
"""Integers beyond it are not turned into digits."""
CUT = "…"

# The types that the interpreter owns, and how their texts begin and end.
ATOMS: frozenset[type] = frozenset({int, float, bool, complex, type(None), type(Ellipsis), type(NotImplemented)})
LISTS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    deque: ("deque([", "])"),
}
DICTS: dict[type, tuple[str, str]] = {
    dict: ("{", "}"),
    OrderedDict: ("OrderedDict({", "})"),
    Counter: ("Counter({", "})"),
    defaultdict: ("defaultdict({", "})"),
}
EMPTY_SET = {"{": "set()", "frozenset({": "frozenset()"}
_pairs = dict.items
_function_name = FunctionType.__dict__["__qualname__"].__get__
_builtin_name = BuiltinFunctionType.__dict__["__qualname__"].__get__
_module_dict = vars(ModuleType)["__dict__"].__get__
_plain = str.__str__


class Describer:
    """Describes values under one time budget (seconds): past it only classes are named."""

    def __init__(self, limit: int = LIMIT, items: int = 10, depth: int = 3, seconds: float = 0.5) -> None:
        self.limit = limit
        self.items = items
        self.depth = depth
        self.deadline = monotonic() + seconds

    def describe(self, value: object) -> str:
        """The value as text, at most four times `limit`. Raises nothing."""
        try:
            text = self.inner(value, self.depth)
        except BaseException:
            # Another thread may change a container while it is read. Its class can always be named.
            return f"<{type_name(type(value))}>"
        most = 4 * self.limit
        return text if len(text) <= most else text[:most] + CUT

    def inner(self, value: Any, depth: int) -> str:
        """A value inside another, `depth` levels from where only classes and sizes are given."""
        kind = type(value)
        if is_plain(kind):
            if kind is str:
                return self.string(value)
            if kind in ATOMS:
                return repr(value) if kind is not int or -BIG < value < BIG else f"int of {value.bit_length()} bits"
            if kind in LISTS:
                return self._sequence(value, *LISTS[kind], len(value), depth)
            if kind in DICTS:
                return self._mapping(_pairs(value), *DICTS[kind], len(value), depth)
            if text := self._plain_object(value, kind):
                return text
        if monotonic() > self.deadline:
            return f"<{type_name(kind)}>"
        if is_plain(kind) and (text := known(value, kind, self, depth)):
            return text
        return self.instance(value, depth)

    def string(self, value: str) -> str:
        if len(value) <= self.limit:
            return repr(value)
        return f"{value[: self.limit]!r}{CUT} ({len(value)} characters)"

    def instance(self, value: object, depth: int) -> str:
        """An object by its class and its own attributes."""
        name = type_name(type(value))
        found = instance_dict(value) if depth > 1 else {}
        if not found:
            return f"<{name}>"
        parts = [f"{key}={self.inner(item, depth - 2)}" for key, item in islice(found.items(), self.items)]
        if len(found) > len(parts):
            parts.append(f"{CUT} +{len(found) - len(parts)}")
        return f"<{name} {', '.join(parts)}>"

    def _plain_object(self, value: Any, kind: type) -> str:
        if kind is bytes or kind is bytearray:
            if len(value) <= self.limit:
                return repr(value)
            return f"{value[: self.limit]!r}{CUT} ({len(value)} bytes)"
        if kind is range:
            return repr(value)
        if kind is ModuleType:
            name = _module_dict(value).get("__name__")
            return f"<module {name[: self.limit]}>" if type(name) is str else "<module>"
        if kind is FunctionType:
            return f"<function {_plain(_function_name(value))[: self.limit]}>"
        if kind is BuiltinFunctionType:
            return f"<function {_plain(_builtin_name(value))[: self.limit]}>"
        if kind is type:
            return f"<class {type_name(value)}>"
        if kind is MappingProxyType:
            return "<mappingproxy>"
        return ""

    def _sequence(self, value: Iterable[object], start: str, end: str, size: int, depth: int) -> str:
        if not size and "{" in start:
            return EMPTY_SET[start]
        if size and (depth <= 0 or monotonic() > self.deadline):
            return f"{start}{CUT} +{size}{end}"
        parts = [self.inner(item, depth - 1) for item in islice(value, self.items)]
        if size > len(parts):
            parts.append(f"{CUT} +{size - len(parts)}")
        elif size == 1 and start == "(":
            end = ",)"
        return start + ", ".join(parts) + end

    def _mapping(self, pairs: Iterable[tuple[Any, Any]], start: str, end: str, size: int, depth: int) -> str:
        if size and (depth <= 0 or monotonic() > self.deadline):
            return f"{start}{CUT} +{size}{end}"
        shown = islice(pairs, self.items)
        parts = [f"{self.inner(key, depth - 1)}: {self.inner(item, depth - 1)}" for key, item in shown]
        if size > len(parts):
            parts.append(f"{CUT} +{size - len(parts)}")
        return start + ", ".join(parts) + end


def describe(value: object, limit: int = LIMIT) -> str:
    """A value as short text. See `Describer`."""
    return Describer(limit).describe(value)
