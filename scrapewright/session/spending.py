"""What models took of a session's budget: by attempt, by role and by model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Literal

import msgspec

Role = Literal["programmer", "reviewer", "reader", "mapper"]
Kept = Literal["", "cache", "cassette"]
"""Where a reply was kept that no model was asked for now; empty where one was."""


class Spent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply, or several together. `cost` is in dollars, 0.0 where a price is not known; what was kept took
    nothing. `model` is the provider's name of it."""

    attempt: int
    role: Role
    model: str
    replies: int = 1
    tokens: int = 0
    cost: float = 0.0
    kept: Kept = ""


def together(spent: Iterable[Spent], by: Callable[[Spent], Hashable]) -> list[Spent]:
    """Those of the same key as one, in the order of the first of each."""
    found: dict[Hashable, Spent] = {}
    for one in spent:
        known = found.get(key := by(one))
        found[key] = (
            one
            if known is None
            else msgspec.structs.replace(
                known, replies=known.replies + one.replies, tokens=known.tokens + one.tokens, cost=known.cost + one.cost
            )
        )
    return list(found.values())


def summed(spent: Iterable[Spent]) -> tuple[Spent, ...]:
    """One entry for each attempt, role and model, kept replies apart."""
    return tuple(together(spent, lambda one: (one.attempt, one.role, one.model, one.kept)))


def in_dollars(cost: float) -> str:
    """Cents where there are some, else as much as tells it from nothing."""
    if cost < 0.0001:
        return "under $0.0001"
    return f"${cost:.2f}" if cost >= 0.01 else f"${cost:.4f}"


def in_words(tokens: int, cost: float, kept: Kept = "") -> str:
    """What replies took; empty where that is not known."""
    if kept:
        return f"from the {kept}"
    said = [f"{tokens} tokens"] if tokens else []
    return ", ".join([*said, in_dollars(cost)] if cost else said)


def by_role(spent: Iterable[Spent]) -> list[str]:
    """A line for each role and model that is known: "programmer gpt-5: 2 replies, 1200 tokens, $0.02"."""
    lines = []
    for one in together((one for one in spent if one.model), lambda one: (one.role, one.model, one.kept)):
        replies = f"{one.replies} {'reply' if one.replies == 1 else 'replies'}"
        took = in_words(one.tokens, one.cost, one.kept)
        lines.append(f"{one.role} {one.model}: {replies}{f', {took}' if took else ''}")
    return lines
