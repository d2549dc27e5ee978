"""Library types that scrapers handle all the time, described field by field. See `describe`."""

from __future__ import annotations

from typing import Any


def known(value: Any, describer: Any, depth: int) -> str | None:
    """The text of a value whose exact type is known here, else None."""
    return None
