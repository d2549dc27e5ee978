"""Fits the weights by which requests are read: python -m tests.requests.fit [--write].

In: the project's own requests and, where they lie beside the checkout, those of the saved-site corpus. Out: the weights
beside the modules of `scrapewright/query` that use them, and how many choices come out right on requests that the
weights have not seen. How clauses look depends on the types of columns, which are fitted first; what is left unread
depends on all, so phrases come last.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from scrapewright.query import clause_choice, column_types, fields, list_choice, logit, phrases, read
from tests.requests import clauses, lists, types
from tests.requests import phrases as unread
from tests.requests.logit import Weighed, fitted, shares

RIDGE_OF_TYPES, RIDGE_OF_LISTS, RIDGE_OF_CLAUSES, RIDGE_OF_PHRASES = 1.5, 0.5, 0.3, 1.5
"""Of several that were tried those by which the held-out requests are likeliest."""
SEEN_AT_LEAST = 3
"""Choices in which a feature occurs: of a rarer one nothing can be learnt."""
NAMED_AT_LEAST = 2
"""The same for columns, whose names are short."""
LEAST = 0.1
"""The smallest weight of a word that is kept: without it, a fifth of the file is left and nothing changes."""
PARTS = 6


def fit_types(choices: Iterable[Weighed]) -> dict[str, float]:
    """The weights of what names say of types."""
    return _kept(fitted(list(choices), ridge=RIDGE_OF_TYPES, seen=NAMED_AT_LEAST))


def fit_clauses(parts: Sequence[tuple[clauses.Part, clauses.Weighings]]) -> dict[str, float]:
    """The weights of clauses: of ways, pages and values each by themselves, then of keys."""
    found: dict[str, float] = {}
    for kind in clauses.Weighings._fields:
        found |= _fit_clauses(one for _, weighings in parts for one in getattr(weighings, kind))
    return found | _fit_clauses(one for part, _ in parts for one in clauses.key_weighings(part, found))


def _fit_clauses(choices: Iterable[Weighed]) -> dict[str, float]:
    return _kept(fitted(list(choices), ridge=RIDGE_OF_CLAUSES, seen=SEEN_AT_LEAST))


def _kept(weights: dict[str, float]) -> dict[str, float]:
    return {name: round(weight, 2) for name, weight in weights.items() if abs(weight) >= LEAST}


def fit_lists(choices: Iterable[Sequence[Weighed]]) -> dict[str, float]:
    """The weights of lists, of each request with and without its list."""
    return fitted([one for pair in choices for one in pair], ridge=RIDGE_OF_LISTS, seen=SEEN_AT_LEAST)


def fit_phrases() -> dict[str, float]:
    """The weights of what phrases say."""
    return _kept(fitted([*unread.weighed_parts(), *unread.weighed()], ridge=RIDGE_OF_PHRASES, seen=SEEN_AT_LEAST))


class Tally:
    """How often the likeliest is right, and how often where it says something and is likely."""

    def __init__(self, *, sure: float, nothing: int) -> None:
        """`sure`: how likely it must be to be taken. `nothing`: the place of the alternative that nothing is said."""
        self._sure, self._nothing = sure, nothing
        self.count = self.right = self.taken = self.taken_right = 0

    def add(self, weights: dict[str, float], one: Weighed) -> None:
        likely = shares(weights, one)
        best = int(likely.argmax())
        right = bool(one.right[best])
        says = best != np.arange(len(likely))[self._nothing] and likely[best] >= self._sure
        self.count, self.right = self.count + 1, self.right + right
        self.taken, self.taken_right = self.taken + says, self.taken_right + (says and right)

    def __str__(self) -> str:
        return f"right {self.right} of {self.count}, of what is taken {self.taken_right} of {self.taken}"


def judge_lists(every: Sequence[Sequence[Weighed]]) -> None:
    """Prints how many lists are right, held out."""
    whole, without = Tally(sure=read.SURE, nothing=-1), Tally(sure=read.SURE, nothing=-1)
    for part in range(PARTS):
        weights = fit_lists(pair for at, pair in enumerate(every) if at % PARTS != part)
        for pair in every[part::PARTS]:
            whole.add(weights, pair[0])
            for one in pair[1:]:
                without.add(weights, one)
    print(f"lists of columns: {whole}; without their list: {without}")


def judge_clauses(sample: Sequence[tuple[clauses.Part, clauses.Weighings]], weights: dict[str, float]) -> None:
    """Prints how many clauses of requests are right that no weight has seen."""
    for kind in clauses.Weighings._fields:
        tally = Tally(sure=clause_choice.SURE, nothing=0)
        for one in (one for _, weighings in sample for one in getattr(weighings, kind)):
            tally.add(weights, one)
        print(f"{kind}: {tally}")
    tally = Tally(sure=clause_choice.SURE, nothing=0)
    for one in (one for part, _ in sample for one in clauses.key_weighings(part, weights)):
        tally.add(weights, one)
    print(f"keys: {tally}")


def with_weighings(cases: Iterable[lists.Case]) -> list[tuple[clauses.Part, clauses.Weighings]]:
    """The requests of which more than the columns is known, with their choices."""
    return [(part, clauses.weighings(part)) for part in map(clauses.part_of, cases) if part is not None]


def write(module: str, weights: dict[str, float]) -> None:
    """Writes the weights beside the module that they are of."""
    path = Path(module).with_suffix(".json")
    text = json.dumps(weights, indent=0, ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")
    print(path)


def main() -> None:
    cases, unseen = lists.cases(), lists.cases_of(lists.UNSEEN)
    of_types = fit_types(types.weighed(cases))
    tally = Tally(sure=column_types.SURE, nothing=column_types.KINDS.index("text"))
    for one in types.weighed(unseen):
        tally.add(of_types, one)
    print(f"types of columns that no weight has seen: {tally}")
    if "--write" in sys.argv:
        write(column_types.__file__, of_types)
        for known in (logit.weights, column_types.types_of, fields.field_of):
            known.cache_clear()
    every = [lists.weighed(case) for case in cases]
    print(f"of {len(every)} requests {sum(one[0].right.any() for one in every)} have their list among those read")
    judge_lists(every)
    parts = [*with_weighings(cases), *((part, clauses.weighings(part)) for part in clauses.parts())]
    weights = fit_clauses(parts)
    print(f"clauses of {len(parts)} requests; of those that no weight has seen:")
    judge_clauses(with_weighings(unseen), weights)
    if "--write" in sys.argv:
        write(list_choice.__file__, fit_lists(every))
        write(clause_choice.__file__, weights)
        logit.weights.cache_clear()
    of_phrases = fit_phrases()
    tally = Tally(sure=read.TALK, nothing=1)
    for one in unread.weighed(unseen=True):
        tally.add(of_phrases, one)
    print(f"phrases that no weight has seen: {tally}")
    if "--write" in sys.argv:
        write(phrases.__file__, of_phrases)


if __name__ == "__main__":
    main()
