"""Names for the generated program's functions and constants."""

from __future__ import annotations

import builtins
import keyword
import re

from scrapewright.query.lexicon import fold

_TAKEN = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)


def identifier(text: str, default: str) -> str:
    """A plain ASCII name in snake case, or the default where the text gives none."""
    name = re.sub(r"[^a-z0-9]+", "_", fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text))).strip("_")
    if not name or name[0].isdigit() or len(name) > 32 or name in _TAKEN:
        return default
    return name


class Names:
    """Hands each name out once."""

    def __init__(self, taken: set[str] | None = None) -> None:
        self._used = set(taken or ())

    def new(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._used:
            name = f"{wanted}_{number}"
            number += 1
        self._used.add(name)
        return name
