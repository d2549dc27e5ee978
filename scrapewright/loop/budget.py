"""What a session may spend, and how it notices that repair no longer helps."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from typing import Literal

import msgspec

from scrapewright.loop.parsing import parse
from scrapewright.session import events as ev

What = Literal["attempts", "tokens", "money", "time"]
WARN_AT = 0.8
GAIN = 0.02
ROUNDS_WITHOUT_GAIN = 2


class Allowance(msgspec.Struct, frozen=True):
    """Upper limits; None means none. `seconds` is wall time without the time spent waiting for a person."""

    attempts: int = 4
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None


class Budget:
    """Counts what was spent against an allowance. `elapsed` gives the seconds worked so far."""

    def __init__(self, allowance: Allowance, elapsed: Callable[[], float]) -> None:
        self.allowance = allowance
        self._elapsed = elapsed
        self.attempts = 0
        self.tokens = 0
        self.money = 0.0
        self._warned: set[What] = set()

    def spend(self, *, attempts: int = 0, tokens: int = 0, money: float = 0.0) -> None:
        self.attempts += attempts
        self.tokens += tokens
        self.money += money

    def rows(self) -> list[tuple[What, float, float | None]]:
        """(what, used, limit) for each."""
        a = self.allowance
        return [
            ("attempts", self.attempts, a.attempts),
            ("tokens", self.tokens, a.tokens),
            ("money", self.money, a.money),
            ("time", self._elapsed(), a.seconds),
        ]

    def spent(self) -> tuple[What, float, float] | None:
        """The first limit that is reached, if any."""
        return next(((w, used, limit) for w, used, limit in self.rows() if limit is not None and used >= limit), None)

    @property
    def exhausted(self) -> bool:
        """Tokens, money or time are spent: no model is asked for anything any more."""
        return any(limit is not None and used >= limit for what, used, limit in self.rows() if what != "attempts")

    def warnings(self) -> list[ev.BudgetWarned]:
        """Warnings for limits that are near, each given once. A limit of one attempt is not warned of."""
        near: list[ev.BudgetWarned] = []
        for what, used, limit in self.rows():
            last_try = what == "attempts" and limit is not None and limit > 2 and used == limit - 1
            close = what != "attempts" and limit is not None and limit > 0 and WARN_AT * limit <= used < limit
            if (last_try or close) and what not in self._warned and limit is not None:
                self._warned.add(what)
                near.append(ev.BudgetWarned(what=what, used=used, limit=limit))
        return near


def fingerprint(code: str) -> str:
    """A digest of a program's syntax tree: comments, spacing and positions do not change it."""
    try:
        text = ast.dump(parse(code), annotate_fields=False)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = " ".join(code.split())
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class RepeatDetector:
    """Detects repeated programs, repeated failures, and rounds without a better score.

    After Chen et al. 2024 and others, most of what repair can gain comes in the first two rounds.
    """

    def __init__(self) -> None:
        self._programs: dict[str, int] = {}
        self._failures: set[tuple[object, ...]] = set()
        self._scores: list[float] = []

    def program(self, attempt: int, code: str) -> int:
        """The earlier attempt that held the same program, or 0. Notes this one."""
        first = self._programs.setdefault(fingerprint(code), attempt)
        return first if first != attempt else 0

    def failure(self, signature: tuple[object, ...]) -> bool:
        """Whether this failure was seen before. Notes it."""
        seen = signature in self._failures
        self._failures.add(signature)
        return seen

    def no_gain(self, score: float) -> bool:
        """Notes the score of a run that ended well enough to be judged; True after two rounds without a gain."""
        self._scores.append(score)
        if len(self._scores) <= ROUNDS_WITHOUT_GAIN:
            return False
        before = max(self._scores[:-ROUNDS_WITHOUT_GAIN])
        return max(self._scores[-ROUNDS_WITHOUT_GAIN:]) < before + GAIN
