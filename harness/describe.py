"""Values as short text, without ever running the program's code.

A program under observation may hold anything: objects whose `__repr__` raises, exits or never ends, lists that lie about
their length, classes that lie about their name. So a value is rendered only where its type is, exactly, one that the
interpreter owns (the rule of hunter's `safe_repr`: subclasses are not trusted); for anything else its class is named,
read through `type`'s own descriptors, which no metaclass can bend. No `repr`, `str`, `len` or attribute of the unknown.
A few library types that scrapers handle all the time (elements, frames, arrays, responses) are known by identity and
read field by field from where they keep them (`describe_known`).

Two forms: `describe` for a text now, and `snapshot`, quicker, for values that may never be looked at: a copy that keeps
nothing of the program alive, turned into text by `shown`.
"""

from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic
from typing import Any

LIMIT = 200
"""Characters of a string that are kept."""
ITEMS = 6
"""Items of a container that are looked at by `snapshot`."""
BIG = 1 << 600
"""Integers beyond it are not turned into digits."""
CUT = "…"

Known = Callable[[Any, "Describer"], "str | None"]

_ATOMS = frozenset({int, float, bool, complex, type(None), type(Ellipsis), type(NotImplemented)})
_LISTS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    deque: ("deque([", "])"),
}
_DICTS: dict[type, tuple[str, str]] = {
    dict: ("{", "}"),
    OrderedDict: ("OrderedDict({", "})"),
    Counter: ("Counter({", "})"),
    types.MappingProxyType: ("mappingproxy({", "})"),
}
_qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_function_name = types.FunctionType.__dict__["__qualname__"].__get__
_builtin_name = types.BuiltinFunctionType.__dict__["__qualname__"].__get__
_module_dict = types.ModuleType.__dict__["__dict__"].__get__
_plain: Callable[[str], str] = str.__str__
_GETSET = types.GetSetDescriptorType
_HIDDEN_MODULES = frozenset({"builtins", "__main__"})

_type, _len, _repr, _isinstance, _list, _dict_items, _BaseException = (
    type,
    len,
    repr,
    isinstance,
    list,
    dict.items,
    BaseException,
)


def type_name(kind: type) -> str:
    """`module.Qualname` of a class; the bare name for the interpreter's and the program's own."""
    name = _qualname(kind)
    name = _plain(name) if _isinstance(name, str) else "?"
    try:
        module = _module(kind)
    except _BaseException:
        module = ""
    if _type(module) is not str or not module or module in _HIDDEN_MODULES:
        return name[:LIMIT]
    return f"{module}.{name}"[:LIMIT]


def instance_dict(value: object) -> dict[str, object]:
    """An instance's own attributes (a copy), read through the interpreter's descriptor; empty where it has none."""
    for base in _mro(_type(value)):
        for key, entry in _namespace(base).items():
            if _type(key) is str and key == "__dict__":
                if _type(entry) is not _GETSET:
                    return {}
                found = entry.__get__(value)
                if _type(found) is not dict:
                    return {}
                return {name: item for name, item in found.items() if _type(name) is str}
    return {}


class Describer:
    """Describes values under one time budget: past the deadline only classes are named."""

    def __init__(self, limit: int = LIMIT, items: int = 10, depth: int = 3, seconds: float = 0.5) -> None:
        self.limit = limit
        self.items = items
        self.depth = depth
        self.deadline = monotonic() + seconds

    def describe(self, value: object, depth: int | None = None) -> str:
        """The value as text of a few hundred characters at most. Raises nothing."""
        try:
            text = self._describe(value, self.depth if depth is None else depth)
        except _BaseException:
            # Another thread may change a container while it is read; whatever it is, a class can be named.
            return f"<{type_name(_type(value))}>"
        most = 4 * self.limit
        return text if _len(text) <= most else text[:most] + CUT

    def _describe(self, value: Any, depth: int) -> str:
        kind = _type(value)
        if kind is str:
            return self.string(value)
        if kind in _ATOMS:
            if kind is int and not -BIG < value < BIG:
                return f"int of {value.bit_length()} bits"
            return _repr(value)
        if kind is bytes or kind is bytearray:
            if _len(value) <= self.limit:
                return _repr(value)
            return f"{_repr(value[: self.limit])}{CUT} ({_len(value)} bytes)"
        if kind in _LISTS:
            return self._sequence(value, *_LISTS[kind], _len(value), depth)
        if kind in _DICTS:
            return self._mapping(value, *_DICTS[kind], _len(value), depth)
        if kind is defaultdict:
            return self._mapping(value, "defaultdict({", "})", _len(value), depth)
        if kind is range or (kind is slice and all(_type(x) in _ATOMS for x in (value.start, value.stop, value.step))):
            return _repr(value)
        if kind is types.ModuleType:
            name = _module_dict(value).get("__name__")
            return f"<module {name}>" if _type(name) is str else "<module>"
        if kind is types.FunctionType:
            return f"<function {_plain(_function_name(value))[: self.limit]}>"
        if kind is types.BuiltinFunctionType:
            return f"<function {_plain(_builtin_name(value))[: self.limit]}>"
        if kind is type:
            return f"<class {type_name(value)}>"
        if monotonic() < self.deadline:
            from harness.describe_known import known

            text = known(value, self, depth)
            if text is not None:
                return text
            if depth > 1 and (fields := instance_dict(value)):
                inside = ", ".join(f"{k}={self._describe(v, depth - 2)}" for k, v in islice(fields.items(), self.items))
                more = f", {CUT} +{_len(fields) - self.items}" if _len(fields) > self.items else ""
                return f"<{type_name(kind)} {inside}{more}>"
        return f"<{type_name(kind)}>"

    def string(self, value: str) -> str:
        if _len(value) <= self.limit:
            return _repr(value)
        return f"{_repr(value[: self.limit])}{CUT} ({_len(value)} characters)"

    def _sequence(self, value: Iterable[object], start: str, end: str, size: int, depth: int) -> str:
        if size and (depth <= 0 or monotonic() > self.deadline):
            return f"{start}{CUT} +{size}{end}"
        parts = [self._describe(item, depth - 1) for item in islice(value, self.items)]
        if size > _len(parts):
            parts.append(f"{CUT} +{size - _len(parts)}")
        elif size == 1 and start == "(":
            end = ",)"
        if not size and start == "{":
            return "set()"
        return start + ", ".join(parts) + end

    def _mapping(self, value: Any, start: str, end: str, size: int, depth: int) -> str:
        if size and (depth <= 0 or monotonic() > self.deadline):
            return f"{start}{CUT} +{size}{end}"
        pairs = value.items() if _type(value) is types.MappingProxyType else _dict_items(value)
        parts = [
            f"{self._describe(key, depth - 1)}: {self._describe(item, depth - 1)}"
            for key, item in islice(pairs, self.items)
        ]
        if size > _len(parts):
            parts.append(f"{CUT} +{size - _len(parts)}")
        return start + ", ".join(parts) + end


def describe(value: object, limit: int = LIMIT) -> str:
    """A value as short text. See `Describer`."""
    return Describer(limit).describe(value)


def snapshot(value: Any) -> Any:
    """A compact copy that keeps nothing of the program alive: an atom as it is, else a tuple for `shown`."""
    kind = _type(value)
    if kind is str:
        return value if _len(value) <= LIMIT else ("str", value[:LIMIT], _len(value))
    if kind is int:
        return value if -BIG < value < BIG else ("text", f"int of {value.bit_length()} bits")
    if kind in _ATOMS:
        return value
    try:
        if kind is list or kind is tuple:
            size = _len(value)
            if size <= ITEMS:
                return (kind, size, [_atom(item) for item in value])
            # Of a long one the last item is worth most: it is what an append has just put there.
            return ("tail", kind, size, _atom(value[-1]))
        if kind is dict:
            size = _len(value)
            if size <= ITEMS:
                return (dict, size, [(_atom(key), _atom(item)) for key, item in _list(value.items())])
            return ("many", kind, size)
        if kind in _LISTS or kind in _DICTS or kind is defaultdict:
            return ("many", kind, _len(value))
        return ("text", Describer(80, 4, 1, 0.001).describe(value))
    except _BaseException:
        return ("text", f"<{type_name(kind)}>")


def _atom(value: Any) -> Any:
    kind = _type(value)
    if kind is str:
        return value if _len(value) <= 60 else ("str", value[:60], _len(value))
    if kind is int:
        return value if -BIG < value < BIG else ("text", f"int of {value.bit_length()} bits")
    if kind in _ATOMS:
        return value
    if kind in _LISTS or kind in _DICTS:
        return ("many", kind, _len(value))
    return ("text", f"<{type_name(kind)}>")


def shown(copy: Any) -> str:
    """The text of a snapshot, in `describe`'s form."""
    if _type(copy) is not tuple:
        return _repr(copy)
    head = copy[0]
    if head == "text":
        return str(copy[1])
    if head == "str":
        return f"{copy[1]!r}{CUT} ({copy[2]} characters)"
    if head == "tail":
        start, end = _LISTS[copy[1]]
        return f"{start}{CUT} +{copy[2] - 1}, {shown(copy[3])}{end}"
    if head == "many":
        start, end = _LISTS.get(copy[1]) or _DICTS.get(copy[1]) or ("defaultdict({", "})")
        return f"{start}{CUT} +{copy[2]}{end}" if copy[2] else describe(copy[1]())
    if head is dict:
        return "{" + ", ".join(f"{shown(key)}: {shown(item)}" for key, item in copy[2]) + "}"
    start, end = _LISTS[head]
    if head is tuple and copy[1] == 1:
        end = ",)"
    return start + ", ".join(shown(item) for item in copy[2]) + end
