"""Whether values are written as a column's type asks, and the type that they are of where a guess was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scrapewright.critics.dates import read_as, read_iso
from scrapewright.critics.normal_forms import is_plain_number
from scrapewright.critics.rows import is_empty
from scrapewright.query.reading import Field, FieldType

_BOOLS = frozenset({"true", "false", "0", "1", "yes", "no", "y", "n"})
JOINED = "; "
"""What is between the items of a list in a CSV."""
_KINDS: tuple[FieldType, ...] = ("int", "float", "date", "datetime", "bool")
"""The types that values show by themselves, the narrower ones first."""


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
    """The field with the type that all of a column's values are of, where the request left that open and they are not
    of the one that was guessed. Texts of several parts are lists, where that may be meant: a CSV has them so."""
    filled = [value for value in values if not is_empty(value)]
    if not field.kinds or not filled:
        return field
    kinds = {kind for kind, _ in field.kinds}
    if "list" in kinds and any(isinstance(value, list) or JOINED in str(value) for value in filled):
        return msgspec.structs.replace(field, type="list", kinds=())
    if field.type == "list" or not all(fits(value, field) for value in filled):
        each = (msgspec.structs.replace(field, type=kind, kinds=()) for kind in _KINDS)
        text = msgspec.structs.replace(field, type="text", kinds=())
        return next((one for one in each if all(fits(value, one) for value in filled)), text)
    return field
