"""A small JSON encoder that goes on working when the program has broken `json`, `builtins` or `sys.modules`.

Exact built-in types alone; anything else becomes null, so no code of the program's is run. Depth and size are bounded.
"""

from __future__ import annotations

import builtins as _builtins
from _json import encode_basestring_ascii as _quote

__builtins__ = dict(vars(_builtins))  # type: ignore[assignment]  # functions made below keep this copy

MAX_DEPTH = 64
_LARGEST = 1 << 63


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate: legal in a str, not in UTF-8
        value = value.encode("utf-8", "backslashreplace").decode("utf-8")
    quoted: str = _quote(value)
    return quoted


class TooLarge(Exception):
    """The text would be longer than allowed."""


def encode(value: object, limit: int = 4 << 20) -> bytes:
    """JSON as ASCII bytes.

    Not-a-number, infinities, integers beyond 64 bits and what nests deeper than MAX_DEPTH become null; keys that are no
    str are left out. Raises TooLarge over `limit` bytes.
    """
    parts: list[str] = []
    _write(value, parts, limit, 0, 0)
    return "".join(parts).encode("ascii")


def _write(value: object, parts: list[str], limit: int, size: int, depth: int) -> int:
    kind = type(value)
    if value is None:
        text = "null"
    elif value is True:
        text = "true"
    elif value is False:
        text = "false"
    elif kind is str:
        text = _text(value)  # type: ignore[arg-type]
    elif kind is int:
        text = int.__repr__(value) if -_LARGEST <= value < _LARGEST else "null"  # type: ignore[operator]
    elif kind is float:
        finite = value == value and value not in (float("inf"), float("-inf"))
        text = float.__repr__(value) if finite else "null"
    elif depth >= MAX_DEPTH:
        text = "null"
    elif kind is dict:
        return _write_dict(value, parts, limit, size, depth)  # type: ignore[arg-type]
    elif kind is list or kind is tuple:
        return _write_list(value, parts, limit, size, depth)  # type: ignore[arg-type]
    else:
        text = "null"
    return _add(text, parts, limit, size)


def _add(text: str, parts: list[str], limit: int, size: int) -> int:
    size += len(text)
    if size > limit:
        raise TooLarge
    parts.append(text)
    return size


def _write_dict(value: dict[object, object], parts: list[str], limit: int, size: int, depth: int) -> int:
    before = "{"
    for key, item in value.items():
        if type(key) is not str:
            continue
        size = _add(before + _text(key) + ":", parts, limit, size)
        size = _write(item, parts, limit, size, depth + 1)
        before = ","
    return _add("{}" if before == "{" else "}", parts, limit, size)


def _write_list(value: list[object] | tuple[object, ...], parts: list[str], limit: int, size: int, depth: int) -> int:
    before = "["
    for item in value:
        size = _add(before, parts, limit, size)
        size = _write(item, parts, limit, size, depth + 1)
        before = ","
    return _add("[]" if before == "[" else "]", parts, limit, size)
