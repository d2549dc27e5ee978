"""Copies of values for the recorder: quick to take, keeping nothing of the program alive, turned into text by `shown`.

The rules are those of `describe`; what differs is the price. A copy is taken after nearly every line, and few are ever
looked at. So a copier per type, found by one look-up, copies plain values, small containers of them and a document's
elements; whatever costs more to look at is looked at while an allowance lasts.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from time import monotonic
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, ModuleType
from typing import Any
from weakref import ref as _ref

from harness.describe import ATOMS, BIG, CUT, DICTS, EMPTY_SET, LIMIT, LISTS, Describer
from harness.describe_known import class_entry, is_known, text_of
from harness.fields import type_name

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

ITEMS = 6
"""A container with more items than that is not copied item by item."""
SHORT = 60
"""Characters of a string inside a container."""
ATTRIBUTES = 2
"""Attributes of an element."""
_PRICE = 2e-6
"""Seconds that a copy of a container or an element takes at most, roughly."""

_pairs: Any = dict.items
_plain: Any = str.__str__
_list_items: Any = list.__getitem__
_join = " ".join
_field = object.__getattribute__
_mro: Any = type.__dict__["__mro__"].__get__
_namespace: Any = type.__dict__["__dict__"].__get__
_FIRST = slice(0, 6)
_NAME, _ATTRS = sys.intern("name"), sys.intern("attrs")


class Allowance:
    """Time that may be spent on looking into values: a share of the time that passes, and a little to begin with.

    A program that computes for long without a pause sees its objects looked at in part, and by class and size else.
    What a wait brings in is bounded by what the steps that are kept can use: a thousand copies.

    A clock costs as much as a small copy. So copies are paid for at fixed prices, and the clock is read when nothing is
    left, and then at every 16th refusal only.
    """

    __slots__ = ("left", "refused", "seen", "share")

    def __init__(self, share: float = 0.01, free: float = 0.001) -> None:
        self.share = share
        self.left = free
        self.seen = monotonic()
        self.refused = 0

    def refill(self) -> bool:
        """Add what the time since the last refill is worth; whether there is anything to spend."""
        now = monotonic()
        self.left += min((now - self.seen) * self.share, _MOST)
        self.seen = now
        return self.left > 0.0


_MOST = 0.002
_LOOK_SECONDS = 0.001
"""What a look at one object may take."""
_allowance = Allowance()
_namer = Describer(80, 4, 0)


def snapshot(value: Any) -> Any:
    """A copy of a value: an atom as it is, else a tuple for `shown`. Raises nothing.

    While the allowance lasts, and for a program that waits for its pages that is always, small containers are copied
    item by item and objects looked at; else a value is its class and size.
    """
    kind = type(value)
    # Read first, since it is met most.
    if kind is str:
        return value if len(value) <= LIMIT else ("str", value[:LIMIT], len(value))
    if type(kind) is not type:
        return ("text", f"<{type_name(kind)}>")
    allowance = _allowance
    if allowance.left <= 0.0:
        # The kinds met most come first.
        if (kind is list or kind is dict) and allowance.refused & 15:
            allowance.refused += 1
            return ("many", kind, len(value))
        copier = _atom_copiers.get(kind)
        if copier is not None:
            return copier(value)
        allowance.refused += 1
        if allowance.refused & 15 or not allowance.refill():
            if kind in _SIZED:
                return ("many", kind, len(value))
            known = _names.get(id(kind))
            return known[1] if known is not None and known[0]() is kind else _named(kind)
    else:
        copier = _atom_copiers.get(kind)
        if copier is not None:
            return copier(value)
    try:
        copier = _copiers.get(kind)
        if copier is None:
            return _look(value, kind, allowance)
        allowance.left -= _PRICE
        return copier(value)
    except Exception:
        # A container that another thread changes meanwhile.
        return ("text", f"<{type_name(kind)}>")


def _named(kind: type) -> Any:
    """The copy of an object that is not looked at. Kept by the class's identity, which keeps no class alive."""
    copy = ("text", f"<{type_name(kind)}>")
    if len(_names) >= _MOST_NAMES:
        _names.clear()
    _names[id(kind)] = (_ref(kind), copy)
    return copy


def _look(value: Any, kind: type, allowance: Allowance) -> Any:
    """A copy of an object of a class that has no copier, at the price of the time it takes."""
    since = monotonic()
    copy = _other(value, kind, outside=True)
    allowance.left -= monotonic() - since
    return copy


def _item(value: Any) -> Any:
    """A copy of an item of a container."""
    kind = type(value)
    if kind is str:
        return value if len(value) <= SHORT else ("str", value[:SHORT], len(value))
    if type(kind) is type:
        copier = _item_copiers.get(kind)
        return copier(value) if copier is not None else _other(value, kind, outside=False)
    return ("text", f"<{type_name(kind)}>")


def _other(value: Any, kind: type, *, outside: bool) -> Any:
    name = type_name(kind)
    if name in _DOCUMENT and is_known(kind, name):
        entry = class_entry(value, "__dict__")
        if type(entry) is GetSetDescriptorType:
            copier = _copy_string if name != "bs4.element.Tag" else _element_copier(kind)
            _copiers[kind] = _item_copiers[kind] = copier
            return copier(value)
    return ("text", Describer(80, 4, 2, _LOOK_SECONDS).describe(value) if outside else f"<{name}>")


def _copy_atom(value: Any) -> Any:
    return value


def _copy_str(value: str) -> Any:
    return value if len(value) <= LIMIT else ("str", value[:LIMIT], len(value))


def _copy_int(value: int) -> Any:
    return value if -BIG < value < BIG else ("text", f"int of {value.bit_length()} bits")


def _copy_list(value: Any) -> Any:
    size = len(value)
    if size > ITEMS:
        # Of a long one the last item is worth most: it is what an append has just put there.
        item = value[-1]
        return ("last", type(value), size, item if type(item) is str and len(item) <= SHORT else _item(item))
    return ("all", type(value), [_item(item) for item in value])


def _copy_dict(value: dict[Any, Any]) -> Any:
    size = len(value)
    if size > ITEMS:
        return ("many", dict, size)
    flat = []
    for key, item in value.copy().items():
        flat.append(key if type(key) is str and len(key) <= SHORT else _item(key))
        kind = type(item)
        flat.append(item if (kind is str and len(item) <= SHORT) or item is None or kind is float else _item(item))
    return ("pairs", flat)


def _copy_size(value: Any) -> Any:
    return ("many", type(value), len(value))


def _copy_name(value: Any) -> Any:
    return ("text", _namer.describe(value))


def _copy_string(value: Any) -> Any:
    return ("string", _plain(value)[:LIMIT])


def _element_copier(kind: type) -> Callable[[Any], Any]:
    """A copier for elements, which reads their fields in place.

    To ask an instance for its dict makes one, on CPython 3.11 and later, and slows the library down ever after. A field
    can be read by name instead as long as no class in the element's order has an entry of that name (a property would
    be called): that is made sure of at each copy.
    """
    order = _mro(kind)
    spaces = [_namespace(base) for base in order if base is not object]
    unread = ("text", f"<{type_name(kind)}>")

    def copy_element(value: Any) -> Any:
        if _mro(kind) is not order:
            return unread
        for space in spaces:
            if _NAME in space or _ATTRS in space:
                return unread
        attributes: list[str] = []
        try:
            name = _field(value, _NAME)
            pairs = _pairs(_field(value, _ATTRS))
        except AttributeError:
            return ("element", "?", attributes)
        if type(name) is not str:
            name = text_of(name)
        for attribute, text in pairs:
            if type(text) is not str:
                text = _words(text)
            attributes.append(attribute if type(attribute) is str else text_of(attribute))
            attributes.append(text if len(text) <= SHORT else text[:SHORT] + CUT)
            if len(attributes) == 2 * ATTRIBUTES:
                break
        return ("element", name, attributes)

    return copy_element


def _words(value: Any) -> str:
    """The words of an attribute with several."""
    if issubclass(type(value), list):
        # Joining reads strings, subclasses of str among them, without a call of theirs, and takes nothing else.
        return _join(_list_items(value, _FIRST))
    return text_of(value)


_DOCUMENT = frozenset({"bs4.element.Tag", "bs4.element.NavigableString"})
_SIZED = frozenset((*LISTS, *DICTS))
_MOST_NAMES = 256
_names: dict[int, tuple[Callable[[], type | None], tuple[str, str]]] = {}
_atom_copiers: dict[type, Callable[[Any], Any]] = {
    **dict.fromkeys(ATOMS, _copy_atom),
    **dict.fromkeys((ModuleType, FunctionType, BuiltinFunctionType, type, bytes), _copy_name),
    str: _copy_str,
    int: _copy_int,
}
_copiers: dict[type, Callable[[Any], Any]] = {
    **dict.fromkeys((*LISTS, *DICTS), _copy_size),
    list: _copy_list,
    tuple: _copy_list,
    dict: _copy_dict,
}
_item_copiers: dict[type, Callable[[Any], Any]] = {
    **dict.fromkeys(ATOMS, _copy_atom),
    **dict.fromkeys((*LISTS, *DICTS), _copy_size),
    int: _copy_int,
}


def shown(copy: Any) -> str:
    """The text of a snapshot, in `describe`'s form."""
    if type(copy) is not tuple:
        return repr(copy)
    form = copy[0]
    if form == "text":
        return str(copy[1])
    if form == "str":
        return f"{copy[1]!r}{CUT} ({copy[2]} characters)"
    if form == "string":
        return f"<NavigableString {copy[1]!r}>"
    if form == "element":
        attributes = [f"{key}={item!r}" for key, item in zip(copy[2][::2], copy[2][1::2], strict=True)]
        return f"<Tag {' '.join([copy[1], *attributes])}>"
    if form == "pairs":
        pairs = zip(copy[1][::2], copy[1][1::2], strict=True)
        return "{" + ", ".join(f"{shown(key)}: {shown(item)}" for key, item in pairs) + "}"
    kind = copy[1]
    start, end = LISTS[kind] if kind in LISTS else DICTS[kind]
    if form == "all":
        end = ",)" if kind is tuple and len(copy[2]) == 1 else end
        return start + ", ".join(shown(item) for item in copy[2]) + end
    if form == "last":
        return f"{start}{CUT} +{copy[2] - 1}, {shown(copy[3])}{end}"
    if copy[2]:
        return f"{start}{CUT} +{copy[2]}{end}"
    return EMPTY_SET[start] if kind in (set, frozenset) else start + end
