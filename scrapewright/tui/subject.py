"""What the screen is about: a session, its blobs, and which attempt is being looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from scrapewright.loop.briefing import read_code, read_result
from scrapewright.session.journal import Blobs
from scrapewright.session.result import RunResult
from scrapewright.session.state import AttemptState, Session

KEPT = 8

T = TypeVar("T")


@dataclass
class Subject:
    """`chosen` 0 follows the attempt in hand. Blobs that were read are kept, a few of them."""

    session: Session
    blobs: Blobs
    chosen: int = 0
    _results: OrderedDict[str, RunResult | None] = field(default_factory=OrderedDict)
    _codes: OrderedDict[str, str] = field(default_factory=OrderedDict)

    @property
    def attempt(self) -> AttemptState | None:
        """The attempt being looked at."""
        return self.session.attempts.get(self.chosen or self.session.current)

    @property
    def live(self) -> bool:
        """Looking at the attempt in hand, so that what is going on now belongs on the screen."""
        return not self.session.over and self.chosen in {0, self.session.current}

    def result(self) -> RunResult | None:
        attempt = self.attempt
        if attempt is None or not attempt.result:
            return None
        return _kept(self._results, attempt.result, lambda: read_result(attempt, self.blobs), None)

    def code(self, attempt: AttemptState | None = None) -> str:
        chosen = attempt or self.attempt
        if chosen is None or not chosen.code:
            return ""
        return _kept(self._codes, chosen.code, lambda: read_code(chosen, self.blobs), "")

    def file(self, sha256: str) -> bytes:
        """An artifact's content; empty where it is gone."""
        try:
            return self.blobs.get(sha256)
        except (KeyError, ValueError):
            return b""


def _kept(cache: OrderedDict[str, T], key: str, make: Callable[[], T], missing: T) -> T:
    if key not in cache:
        try:
            cache[key] = make()
        except (KeyError, ValueError):  # the blob is gone or damaged: the rest can still be looked at
            return missing
        while len(cache) > KEPT:
            cache.popitem(last=False)
    return cache[key]
