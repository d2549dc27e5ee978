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
        there = ", ".join(["the standard library", *libraries])
        return f"the sandbox has {there}; nothing else that is installed here, and no file beside the program"
    if kind == "FileNotFoundError" and re.search(r": '[^']+'$", message):
        return "the program starts in an empty folder; this machine's files and commands are not in the sandbox"
    if kind == "EOFError" and message == "EOF when reading a line":
        return "the program has no standard input; give it what it asks for as an argument, or write it in"
    return ""
