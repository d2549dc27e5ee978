"""Searching what is shown: what a widget offers for it, and the matches found."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate, islice
from typing import NamedTuple, Protocol, runtime_checkable

MATCHES_KEPT = 10_000


@runtime_checkable
class Searchable(Protocol):
    """What the search line works on."""

    def search(self, text: str) -> int:
        """Marks what matches and returns how many do; an empty text ends the search."""
        ...

    def go_to_match(self, step: int) -> tuple[int, int]:
        """To the next (1) or the last (-1) match: its number from 1, and how many there are."""
        ...


class Texts(Protocol):
    """Rows that can be searched."""

    @property
    def row_count(self) -> int: ...

    def line_text(self, row: int) -> str: ...


class Match(NamedTuple):
    """Characters `start` to `end` of a row."""

    row: int
    start: int
    end: int


class Joined:
    """Many rows as one text, which is searched much quicker than each of them. A row may be drawn with more behind it.
    Made in a thread where there are very many."""

    def __init__(self, rows: Iterable[str]) -> None:
        kept = list(rows)
        self.text = "\n".join(kept)
        self._starts = list(accumulate((len(row) + 1 for row in kept), initial=0))

    def find(self, wanted: re.Pattern[str], most: int) -> list[Match]:
        """The first matches, in the order of the rows."""
        found = []
        for match in islice(wanted.finditer(self.text), most):
            row = bisect_right(self._starts, match.start()) - 1
            found.append(Match(row, match.start() - self._starts[row], match.end() - self._starts[row]))
        return found


def pattern(text: str) -> re.Pattern[str] | None:
    """The text as it is, not as an expression; case counts where it has a capital (smart case, as in vim and less)."""
    if not text:
        return None
    return re.compile(re.escape(text), 0 if any(c.isupper() for c in text) else re.IGNORECASE)


class Matches:
    """In the order of the rows. `current` is the one gone to last."""

    def __init__(self) -> None:
        self._pattern: re.Pattern[str] | None = None
        self._found: list[Match] = []
        self._at = -1

    def __len__(self) -> int:
        return len(self._found)

    @property
    def current(self) -> Match | None:
        return self._found[self._at] if 0 <= self._at < len(self._found) else None

    @property
    def place(self) -> tuple[int, int]:
        """The current match's number from 1 (0 if none), and how many there are."""
        return max(0, self._at + 1), len(self._found)

    def look_for(self, wanted: re.Pattern[str] | None, texts: Texts, joined: Joined | None = None) -> None:
        self._pattern = wanted
        self._found, self._at = [], -1
        self.scan(texts, 0, joined)

    def scan(self, texts: Texts, first: int, joined: Joined | None = None) -> None:
        """Looks again through the rows from `first` on; matches before them stay. Where the rows are `joined`, through
        all of them."""
        if self._pattern is None:
            return
        current = self.current
        if joined is not None:
            self._found = joined.find(self._pattern, MATCHES_KEPT)
            return
        del self._found[bisect_left(self._found, Match(first, 0, 0)) :]
        for row in range(first, texts.row_count):
            if len(self._found) >= MATCHES_KEPT:
                break
            self._found += [Match(row, *m.span()) for m in self._pattern.finditer(texts.line_text(row))]
        if current is not None:
            self._at = min(bisect_left(self._found, current), len(self._found) - 1)

    def drop(self, count: int) -> None:
        """The first `count` rows are gone."""
        gone = bisect_left(self._found, Match(count, 0, 0))
        self._found = [Match(row - count, start, end) for row, start, end in self._found[gone:]]
        self._at = max(-1, self._at - gone)

    def in_row(self, row: int) -> list[Match]:
        first = bisect_left(self._found, Match(row, 0, 0))
        return self._found[first : bisect_left(self._found, Match(row + 1, 0, 0))]

    def step(self, step: int, row: int) -> Match | None:
        """The next or last match, round and round; at first the one at or after `row`."""
        if not self._found:
            return None
        current = self.current
        if current is not None and current.row == row:
            self._at = (self._at + step) % len(self._found)
        elif step >= 0:
            self._at = bisect_left(self._found, Match(row, 0, 0)) % len(self._found)
        else:
            self._at = (bisect_right(self._found, Match(row, 0, 0)) - 1) % len(self._found)
        return self.current
