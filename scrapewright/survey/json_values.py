"""Reads values out of JSON, the way a program does."""

from __future__ import annotations

import json
import re
from typing import Any

from scrapewright.survey.model import Group


def is_json(group: Group) -> bool:
    """Whether the group's records are JSON values; else they are tags."""
    return bool(group.source) or group.kind == "json"


def dig(value: Any, path: str) -> Any:
    """A value in JSON by a dotted path; numbers index lists, "*" goes through one. None where there is nothing."""
    if not path:
        return value
    key, _, rest = path.partition(".")
    if key == "*":
        inner = [dig(item, rest) for item in value] if isinstance(value, list) else []
        return [item for item in inner if item is not None]
    if isinstance(value, dict):
        return dig(value.get(key), rest)
    if isinstance(value, list) and re.fullmatch(r"-?\d+", key):
        return dig(value[int(key)], rest) if -len(value) <= int(key) < len(value) else None
    return None


def loaded(text: str | None) -> Any:
    """The value of a script's JSON, None where it is none: pages write line breaks into their strings."""
    try:
        return json.loads((text or "null").strip(), strict=False)
    except (ValueError, RecursionError):
        return None


def json_text(value: Any) -> str | None:
    """A JSON value as the text that fits are made for."""
    if value is None or value == "" or value == []:
        return None
    if isinstance(value, list):
        return "; ".join(str(item) for item in value)
    if isinstance(value, dict):
        return None
    return " ".join(str(value).split())


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def typed_items(value: Any, kind: str) -> list[Any]:
    """The objects of a JSON-LD type, wherever they are."""
    if isinstance(value, list):
        return [found for item in value for found in typed_items(item, kind)]
    if not isinstance(value, dict):
        return []
    own = value.get("@type")
    if own == kind or (isinstance(own, list) and kind in own):
        return [value]
    return [found for item in value.values() for found in typed_items(item, kind)]
