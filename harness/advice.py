"""What a sandbox lacks that programs written elsewhere count on, said where a program failed of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

LIBRARIES = ("requests", "bs4", "lxml", "numpy", "pandas")
"""What programs may expect to find, by the names they import."""


def advice(kind: str, message: str, libraries: Sequence[str]) -> str:
    """A sentence on an exception (its class and message) that the sandbox is the likely cause of; "" for any other.

    `libraries` are those of LIBRARIES that are there.
    """
    if kind == "ModuleNotFoundError":
        beside = f" and {', '.join(libraries)}" if libraries else ""
        return (
            f"a sandbox holds the standard library{beside}, and of the files beside a program none: what it imports "
            "from them must stand in it"
        )
    if kind == "FileNotFoundError" and re.search(r": '[^']+'$", message):
        return "a program starts in an empty folder: no file, and no command, of this machine is in the sandbox"
    if kind == "EOFError" and message == "EOF when reading a line":
        return "a program has no standard input here: what it would ask for must stand in it"
    return ""
