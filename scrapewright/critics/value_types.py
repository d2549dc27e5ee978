"""Whether values are written as a column's type asks, and the type that they are of where nothing says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from scrapewright.critics.dates import read_as, read_iso
from scrapewright.critics.normal_forms import is_plain_number
from scrapewright.critics.rows import is_empty
from scrapewright.query.reading import Field, FieldType

_CODED = re.compile(r"\s*0\d")
_BOOLS = frozenset({"true", "false", "0", "1", "yes", "no", "y", "n"})
JOINED = "; "
"""What is between the items of a list in a CSV."""
_KINDS: tuple[FieldType, ...] = ("int", "float", "date", "datetime")
"""The types that values show by themselves, the narrower ones first. (A yes or no may be a text.)"""


def fits(value: Any, field: Field) -> bool:
    """Whether a value is empty or written as the field's type asks."""
    if is_empty(value):
        return True
    text = str(value).strip()
    if field.type == "bool":
        return isinstance(value, bool) or text.lower() in _BOOLS
    if field.type in ("date", "datetime"):
        return (read_as(text, field.date_format) if field.date_format else read_iso(text)) is not None
    return field.type not in ("int", "float") or is_plain_number(value, whole=field.type == "int")


def settled(field: Field, values: Sequence[Any]) -> Field:
    """The field with the type that all of a column's values are of, where the request left that open: one of those that
    it may be, whole numbers or others for a number. Texts of several parts are lists, where that may be meant: a CSV
    has them so. Where the values are of none of them, the field as it is."""
    filled = [value for value in values if not is_empty(value)]
    if not field.kinds or not filled:
        return field
    kinds = {kind for kind, _ in field.kinds}
    kinds |= {"int", "float"} if kinds & {"int", "float"} else set()
    joined = sum(isinstance(value, list) or JOINED in str(value) for value in filled)
    if "list" in kinds and 2 * joined >= len(filled):
        return msgspec.structs.replace(field, type="list", kinds=())
    shown = _KINDS if field.type in ("text", "list") else (field.type, *_KINDS)
    each = (msgspec.structs.replace(field, type=kind, kinds=()) for kind in shown if kind in kinds)
    text = msgspec.structs.replace(field, type="text", kinds=()) if "text" in kinds else field
    return next((one for one in each if all(_keeps(value, one) for value in filled)), text)


def _keeps(value: Any, field: Field) -> bool:
    """Whether a value is of the field's type, and would not lose its first figures as a number ("007")."""
    coded = field.type in ("int", "float") and isinstance(value, str) and _CODED.match(value) is not None
    return not coded and fits(value, field)
