"""Regular expressions that are compiled when they are first asked for.

Requests are read in twenty languages with some two hundred patterns, a few of them alternations of many kilobytes.
Compiling all of them takes a quarter of a second, which a start that reads no request should not pay.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """As re.Pattern of texts, compiled at the first use.

    `needs`: what any match contains a match of. Where a text holds none, the pattern is not looked for in it, and not
    compiled: a cheap expression spares a large one.
    """

    __slots__ = ("_compiled", "flags", "needs", "pattern")

    def __init__(self, pattern: str, flags: int = 0, *, needs: tuple[Pattern, ...] = ()) -> None:
        self.pattern = pattern
        self.flags = flags
        self.needs = needs
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """Raises re.error where the pattern is none."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled

    def may_match(self, text: str) -> bool:
        return all(part.search(text) is not None for part in self.needs)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.search(text, start, end) if self.may_match(text) else None

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, start, end) if self.may_match(text) else None

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, start, end) if self.may_match(text) else None

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start, end) if self.may_match(text) else iter(())

    def findall(self, text: str, start: int = 0, end: int = sys.maxsize) -> list[Any]:
        return self.compiled.findall(text, start, end) if self.may_match(text) else []

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled.sub(new, text, count) if self.may_match(text) else text

    def split(self, text: str, most: int = 0) -> list[str | Any]:
        return self.compiled.split(text, most) if self.may_match(text) else [text]
