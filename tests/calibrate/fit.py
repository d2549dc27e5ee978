"""The fit of the verdict's weights, from a table of what was found of rows that are known to be right or wrong.

A logistic regression with a prior: each weight stays near what its severity would give it unless the rows say
otherwise, and none is negative. Rows that came by themselves weigh as they come; of a model's, those that were spoilt
weigh together a third of what the right ones do, each kind alike: programs are right more often than not. What
no evidence on a page can show (`INVISIBLE`) is measured and not fitted: it would only make every right row less sure.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrapewright.critics.probability import TRUSTED, Calibration, probability

TABLE = Path(__file__).with_name("table.jsonl")
PRIOR = {
    "error": 5.0,
    "half-read error": 1.5,
    "warning": 0.1,
    "half-read warning": 0.05,
    "names": 2.0,
    "rules warning": 0.5,
}
PRIORS = {
    "rules": 0.0,
    "rules unread": 1.5,
    "rules undecided": 1.0,
    "half-read": 0.3,
    "no columns": 1.0,
    "unplaced": 0.1,
    "nowhere": 1.0,
}
OTHER = 0.5
STRENGTH = 0.0002
"""How much the prior weighs beside the rows."""
INVISIBLE = ("swap", "daymonth")
SPOILT = 0.3
"""How much a model's spoilt rows weigh together beside its right ones."""
MOST_OF_A_WARNING = 0.05
"""A warning says that something may be: a few of them do not take right rows out of trust."""
LEAST = 0.5
"""Part of its prior that a weight keeps whatever the rows say: few of them are wrong in some ways."""
SWEEPS = 60


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One judged table of rows. `site` is a number; `plant` how its rows were spoilt; `reading` whose it was."""

    site: int
    author: str
    reading: str
    right: bool
    features: dict[str, float]
    plant: str = ""
    leaves: bool = False
    """The request leaves rows out."""


def load(path: Path = TABLE) -> list[Row]:
    return [msgspec.json.decode(line, type=Row) for line in path.read_bytes().splitlines()]


def prior(name: str) -> float:
    """The weight that a feature has before any row is seen."""
    return PRIORS.get(name, PRIOR.get(name.rpartition(" ")[0], OTHER))


def weights(rows: Sequence[Row]) -> NDArray[np.float64]:
    """How much each row counts in the fit; the mean is 1.0."""
    kinds: dict[tuple[bool, bool, str], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if row.plant not in INVISIBLE:
            kinds[row.author == "rules", row.right, row.plant].append(number)
    own = SPOILT * len(kinds[False, True, ""])
    planted = sum(bool(plant) for _, _, plant in kinds)
    found = np.zeros(len(rows))
    for (_, _, plant), numbers in kinds.items():
        found[numbers] = own / planted / len(numbers) if plant else 1.0
    scaled: NDArray[np.float64] = found * (len(rows) / found.sum())
    return scaled


def fit(rows: Sequence[Row], strength: float = STRENGTH) -> Calibration:
    """The most likely weights, by coordinate-wise Newton steps."""
    names = sorted({name for row in rows for name in row.features})
    values = np.array([[row.features.get(name, 0.0) for name in names] for row in rows])
    right = np.array([row.right for row in rows], float)
    share = weights(rows) / len(rows)
    start = np.array([prior(name) for name in names])
    most = np.array(
        [
            MOST_OF_A_WARNING if name.startswith(("warning", "half-read warning", "unplaced")) else np.inf
            for name in names
        ]
    )
    found, sure = start.copy(), 2.0
    odds = sure - values @ found
    for _ in range(SWEEPS):
        likely = 1 / (1 + np.exp(-odds))
        curve = share * likely * (1 - likely)
        step = float((share * (right - likely)).sum() / (curve.sum() + 1e-9))
        sure, odds = sure + step, odds + step
        for n in range(len(names)):
            likely = 1 / (1 + np.exp(-odds))
            slope = float(-(share * (right - likely)) @ values[:, n]) - strength * (found[n] - start[n])
            bend = float((share * likely * (1 - likely)) @ values[:, n] ** 2) + strength
            new = min(max(LEAST * start[n], found[n] + slope / bend), most[n])
            odds += values[:, n] * (found[n] - new)
            found[n] = new
    fitted = {name: round(float(weight), 3) for name, weight in zip(names, found, strict=True) if weight > 0}
    return Calibration(round(sure, 3), fitted, PRIOR)


def held_out(rows: Sequence[Row], folds: int = 8, seed: int = 1) -> list[float]:
    """The probability of each row's table, under weights fitted without its site."""
    sites = sorted({row.site for row in rows})
    random.Random(seed).shuffle(sites)
    found = [0.0] * len(rows)
    for fold in range(folds):
        out = set(sites[fold::folds])
        fitted = fit([row for row in rows if row.site not in out])
        for number, row in enumerate(rows):
            if row.site in out:
                found[number] = probability(row.features, fitted)
    return found


def summary(rows: Sequence[Row], likely: Iterable[float]) -> list[str]:
    """How many of each kind are trusted, a line each."""
    there: Counter[tuple[str, ...]] = Counter()
    trusted: Counter[tuple[str, ...]] = Counter()
    for row, probable in zip(rows, likely, strict=True):
        what = row.plant or ("right" if row.right else "wrong")
        out = " where rows are left out" if row.plant and row.leaves else ""
        key = (row.author, row.reading, what + out)
        there[key] += 1
        trusted[key] += probable >= TRUSTED
    return [f"{key[0]:6} {key[1]:8} {key[2]:32} {trusted[key]:4} of {there[key]} trusted" for key in sorted(there)]
