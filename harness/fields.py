"""The name of a class and the attributes of an instance, read without running anybody's code.

`type(x).__name__`, `x.__dict__`, `isinstance` and even a look-up in a set of classes may all run a metaclass's or a
property's code. The interpreter's own descriptors may not.
"""

from __future__ import annotations

import builtins
import types

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

_qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_flags = type.__dict__["__flags__"].__get__
_item_size = type.__dict__["__itemsize__"].__get__
_plain = str.__str__
_GETSET = types.GetSetDescriptorType
_UNSAID = frozenset({"builtins", "__main__", ""})
_MOST = 200
_MANAGED_DICT = 1 << 4
"""`Py_TPFLAGS_MANAGED_DICT`: the interpreter keeps the attributes of instances itself and makes a dict on demand."""


def type_name(kind: type) -> str:
    """`module.Qualname` of a class; the bare name for the interpreter's and the program's own."""
    name = _plain(_qualname(kind))[:_MOST]
    try:
        module = _module(kind)
    except BaseException:
        return name
    return name if type(module) is not str or module in _UNSAID else f"{module}.{name}"[:_MOST]


def instance_dict(value: object) -> dict[str, object]:
    """A copy of an instance's own attributes with plain names; empty where it keeps none in a dict that may be read.

    To read `__dict__` is to create it. A class written in C can tell (`functools.partial` does not unfold a partial
    with one), so only those of classes made by a class statement are read, and of exceptions.
    """
    for base in _mro(type(value)):
        # Iterated, not looked up: a key may be a subclass of str with a comparison of its own.
        for key, entry in _namespace(base).items():
            if type(key) is str and key == "__dict__":
                found = entry.__get__(value) if type(entry) is _GETSET and _may_create(base) else None
                if type(found) is not dict:
                    return {}
                return {name: item for name, item in found.items() if type(name) is str}
    return {}


def _may_create(declaring: type) -> bool:
    """Whether nobody can tell that the dict of an instance of the class which declares `__dict__` was created."""
    # Before 3.12 a class statement with a base of variable size (int, tuple) keeps the dict by itself.
    return declaring is BaseException or bool(_flags(declaring) & _MANAGED_DICT) or _item_size(declaring) > 0


def is_plain(kind: type) -> bool:
    """Whether a class has no metaclass, so that it can be hashed and compared without running code."""
    return type(kind) is type
