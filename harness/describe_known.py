"""Library types that scrapers handle all the time, distinguished by identity and read field by field.

Nothing of the library is called: its methods and properties can be replaced by the program. Fields are read from the
instance's dict or through descriptors of C types, and are trusted no further than their exact type goes. A library that
keeps its fields elsewhere in another version is described by its class alone.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from datetime import timezone
from itertools import islice
from types import GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType
from typing import Any

from harness.fields import instance_dict, type_name

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

_modules = sys.modules
_C_FIELDS = (GetSetDescriptorType, MemberDescriptorType)
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_plain: Any = str.__str__
_pairs: Any = dict.items
_TEXT = 120
_COLUMNS = 12
_Describer = Any


def known(value: Any, kind: type, describer: _Describer, depth: int) -> str:
    """The text of a value whose exact type is known here, else the empty string. `kind` has no metaclass."""
    name = type_name(kind)
    found = _DESCRIBERS.get(name)
    if found is None:
        return ""
    if not is_known(kind, name):
        return ""
    try:
        return found(value, describer, depth)
    except BaseException:
        return ""


def is_known(kind: type, name: str) -> bool:
    """Whether the loaded library of that name has this very class under that name."""
    module, _, attribute = name.rpartition(".")
    holder = _modules.get(module)
    return type(holder) is _Module and _module_dict(holder).get(attribute) is kind


_Module = type(sys)
_module_dict = vars(_Module)["__dict__"].__get__


def _field(value: object, name: str) -> Any:
    """An attribute kept in the instance's dict or in a slot of a C type; None where there is neither."""
    own = instance_dict(value)
    if name in own:
        return own[name]
    entry = class_entry(value, name)
    return entry.__get__(value) if type(entry) in _C_FIELDS else None


def class_entry(value: object, name: str) -> Any:
    """What the first class in the value's order that has the name has under it: a descriptor, unbound."""
    for base in _mro(type(value)):
        for key, entry in _namespace(base).items():
            if type(key) is str and key == name:
                return entry
    return None


def text_of(value: object) -> str:
    """A str or an instance of a subclass as a plain str; empty for anything else."""
    return _plain(value) if issubclass(type(value), str) else ""


def _cut(text: str, most: int = _TEXT) -> str:
    return repr(text) if len(text) <= most else f"{text[:most]!r}…"


# --- Beautiful Soup


def _tag(value: Any, describer: _Describer, depth: int) -> str:
    fields = instance_dict(value)
    attributes = fields.get("attrs")
    parts = [text_of(fields.get("name")) or "?"]
    if issubclass(type(attributes), dict):
        pairs: Any = _pairs(attributes)
        for key, item in islice(pairs, 8):
            if issubclass(type(item), list):
                item = " ".join(text_of(x) for x in islice(list.__iter__(item), 20))
            parts.append(f"{text_of(key)}={_cut(text_of(item), 80)}")
    text = _tag_text(fields)
    return f"<Tag {' '.join(parts)}>" + (f" {_cut(text)}" if text else "")


def _tag_text(fields: dict[str, Any]) -> str:
    """The text inside an element as far as it is needed, whitespace folded. Breadth and depth are bounded."""
    found: list[str] = []
    size = 0
    todo: list[Any] = [fields]
    for _ in range(100):
        if not todo or size > _TEXT:
            break
        item = todo.pop()
        if type(item) is dict:
            contents = item.get("contents")
            if type(contents) is list:
                todo += contents[:50][::-1]
        elif issubclass(type(item), str):
            if type_name(type(item)) in _UNREAD:
                continue
            piece = " ".join(text_of(item)[: 4 * _TEXT].split())
            if piece:
                found.append(piece)
                size += len(piece)
        else:
            todo.append(instance_dict(item))
    return " ".join(found)


def _string(value: Any, describer: _Describer, depth: int) -> str:
    return f"<{type_name(type(value)).rpartition('.')[2]} {describer.string(str.__str__(value))}>"


def _soup(value: Any, describer: _Describer, depth: int) -> str:
    return f"<BeautifulSoup> {_cut(_tag_text(instance_dict(value)))}"


def _results(value: Any, describer: _Describer, depth: int) -> str:
    size = list.__len__(value)
    if depth <= 0 or not size:
        return f"<ResultSet of {size}>"
    parts = [describer.inner(item, depth - 1) for item in islice(list.__iter__(value), 3)]
    return f"<ResultSet of {size}: {', '.join(parts)}{', …' if size > 3 else ''}>"


_UNREAD = frozenset(f"bs4.element.{name}" for name in ("Comment", "Doctype", "Declaration", "ProcessingInstruction"))


def _element(value: Any, describer: _Describer, depth: int) -> str:
    tag, text = _field(value, "tag"), _field(value, "text")
    words = " ".join(text.split()) if type(text) is str else ""
    return f"<Element {tag}>{' ' if words else ''}{_cut(words) if words else ''}" if type(tag) is str else ""


# --- pandas, numpy


def _array(value: Any, describer: _Describer, depth: int) -> str:
    return f"<ndarray shape={_field(value, 'shape')!r}, dtype={_dtype(value)}{_array_items(value, describer)}>"


def _dtype(value: Any) -> str:
    kind = _field(_field(value, "dtype"), "str")
    return kind if type(kind) is str else "?"


def _array_items(value: Any, describer: _Describer) -> str:
    items = _items(value, 8)
    if not items:
        return ""
    size = _field(value, "size")
    more = ", …" if type(size) is int and size > len(items) else ""
    return f": {', '.join(describer.inner(item, 0) for item in items)}{more}"


def _items(value: Any, most: int) -> list[Any]:
    """The first items of a one-dimensional array as Python objects, through the array type's own C methods."""
    if type(span := _field(value, "_range")) is range:
        return list(span[:most])
    array = _bare_array(value)
    if array is None:
        return []
    item, size = class_entry(array, "item"), _field(array, "size")
    if type(item) is not MethodDescriptorType or type(size) is not int or len(_field(array, "shape")) != 1:
        return []
    return [item(array, index) for index in range(min(size, most))]


def _bare_array(value: Any) -> Any:
    """The ndarray inside an index or an extension array, else None."""
    numpy = _modules.get("numpy")
    ndarray = _module_dict(numpy).get("ndarray") if type(numpy) is _Module else None
    for _ in range(4):
        if ndarray is None or type(value) is ndarray:
            break
        inside = _field(value, "_ndarray")
        value = _field(value, "_data") if inside is None else inside
    return value if ndarray is not None and type(value) is ndarray else None


def _scalar(value: Any, describer: _Describer, depth: int) -> str:
    item = class_entry(value, "item")
    return f"{type_name(type(value))}({describer.inner(item(value), 0)})" if type(item) is MethodDescriptorType else ""


def _axes(value: Any) -> list[Any]:
    axes = _field(_field(value, "_mgr"), "axes")
    return axes if type(axes) is list else []


def _length(index: Any) -> int | None:
    fields = instance_dict(index)
    if type(span := fields.get("_range")) is range:
        return len(span)
    array = _bare_array(index)
    size = _field(array, "size") if array is not None else None
    return size if type(size) is int else None


def _frame(value: Any, describer: _Describer, depth: int) -> str:
    columns, rows = _axes(value)
    width, height = _length(columns), _length(rows)
    names = ", ".join(describer.inner(name, 0) for name in _items(columns, _COLUMNS))
    more = ", …" if width is not None and width > _COLUMNS else ""
    return f"<DataFrame {_number(height)} rows, {_number(width)} columns{': ' if names else ''}{names}{more}>"


def _series(value: Any, describer: _Describer, depth: int) -> str:
    (rows,) = _axes(value)
    name = instance_dict(value).get("_name")
    called = f" {_cut(name)}" if type(name) is str else ""
    return f"<Series{called} of {_number(_length(rows))}>"


def _index(value: Any, describer: _Describer, depth: int) -> str:
    items = ", ".join(describer.inner(item, 0) for item in _items(value, 8))
    return f"<Index of {_number(_length(value))}{': ' if items else ''}{items}>"


def _range_index(value: Any, describer: _Describer, depth: int) -> str:
    span = instance_dict(value).get("_range")
    return f"<RangeIndex {span!r}>" if type(span) is range else ""


def _number(size: int | None) -> str:
    return "?" if size is None else str(size)


# --- requests


def _response(value: Any, describer: _Describer, depth: int) -> str:
    fields = instance_dict(value)
    status, content = fields.get("status_code"), fields.get("_content")
    parts = [str(status) if type(status) is int else "?", _cut(text_of(fields.get("url")), 200)]
    if type(content) is bytes:
        parts.append(f"{len(content)} bytes")
    return f"<Response {' '.join(parts)}>"


# --- the standard library


def _plain_repr(value: Any, describer: _Describer, depth: int) -> str:
    return repr(value)


def _zoned_repr(value: Any, describer: _Describer, depth: int) -> str:
    zone = value.tzinfo
    return repr(value) if zone is None or type(zone) is timezone else ""


def _match(value: Any, describer: _Describer, depth: int) -> str:
    groups = [describer.inner(text, 0) for text in islice(value.groups(), 6)]
    extra = f", groups=({', '.join(groups)})" if groups else ""
    return f"<re.Match {value.span()!r} {_cut(text_of(value.group()))}{extra}>"


def _pattern(value: Any, describer: _Describer, depth: int) -> str:
    text = value.pattern
    return f"re.compile({_cut(text)})" if type(text) is str else ""


_DESCRIBERS: dict[str, Callable[[Any, _Describer, int], str]] = {
    "bs4.element.Tag": _tag,
    "bs4.BeautifulSoup": _soup,
    "bs4.element.ResultSet": _results,
    "bs4.element.NavigableString": _string,
    "bs4.element.Comment": _string,
    "bs4.element.CData": _string,
    "bs4.element.Script": _string,
    "bs4.element.Stylesheet": _string,
    "bs4.element.AttributeValueList": lambda value, describer, depth: describer.inner(
        list(islice(list.__iter__(value), 20)), depth
    ),
    "pandas.DataFrame": _frame,
    "pandas.core.frame.DataFrame": _frame,
    "pandas.Series": _series,
    "pandas.core.series.Series": _series,
    "pandas.Index": _index,
    "pandas.core.indexes.base.Index": _index,
    "pandas.RangeIndex": _range_index,
    "pandas.core.indexes.range.RangeIndex": _range_index,
    "numpy.ndarray": _array,
    **{f"numpy.{name}": _scalar for name in ("int64", "int32", "float64", "float32", "bool", "bool_", "str_", "uint8")},
    "lxml.etree._Element": _element,
    "lxml.html.HtmlElement": _element,
    "requests.models.Response": _response,
    "datetime.date": _plain_repr,
    "datetime.datetime": _zoned_repr,
    "datetime.time": _zoned_repr,
    "datetime.timedelta": _plain_repr,
    "datetime.timezone": _plain_repr,
    "decimal.Decimal": _plain_repr,
    "re.Match": _match,
    "re.Pattern": _pattern,
}
