"""Fits conditional logits (McFadden 1974): which of the alternatives of a choice is right, by what they look like.

In: choices, each with the features of its alternatives and which of these are right. Out: the weight of each feature.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

STEPS_AT_MOST = 500
FLAT = 1e-3
"""The slope at which the weights are as good as the best."""
KEPT = 10
"""Pairs of steps and changes of the slope from which the curvature is estimated."""


class Weighed(NamedTuple):
    """The features of a choice's alternatives, by name, and which of them are right."""

    features: Sequence[dict[str, float]]
    right: np.ndarray


def fitted(data: Sequence[Weighed], *, ridge: float, seen: int) -> dict[str, float]:
    """The weights under which the right alternatives are likeliest, by L-BFGS (Liu and Nocedal 1989) with a ridge, for
    features that occur in `seen` choices at least: of a rarer one nothing can be learnt. A choice of which none is
    right says nothing."""
    useful = [one for one in data if one.right.any()]
    counts: dict[str, int] = {}
    for one in useful:
        for name in {name for features in one.features for name in features}:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= seen)
    if not names:
        return {}
    slope_at = _Slope(useful, names, ridge)
    weights = np.zeros(len(names))
    loss, slope = slope_at(weights)
    kept: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=KEPT)
    for _ in range(STEPS_AT_MOST):
        way = _downhill(slope, kept)
        length = 1.0 if kept else 1.0 / max(float(np.abs(slope).sum()), 1e-9)
        before = loss
        while True:
            loss, further = slope_at(weights + length * way)
            if loss <= before + 1e-4 * length * float(slope @ way) or length < 1e-9:
                break
            length /= 2
        step, bend = length * way, further - slope
        if step @ bend > 1e-12:
            kept.append((step, bend))
        weights, slope = weights + step, further
        if np.abs(slope).max() < FLAT or loss == before:
            break
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 5e-4}


def shares(weights: dict[str, float], one: Weighed) -> np.ndarray:
    """How likely each alternative of a choice is."""
    scores = np.array([sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in one.features])
    likely = np.exp(scores - scores.max())
    return np.asarray(likely / likely.sum())


class _Slope:
    """The loss of weights and its slope: the features as a sparse matrix, one row an alternative."""

    def __init__(self, data: Sequence[Weighed], names: Sequence[str], ridge: float) -> None:
        index = {name: at for at, name in enumerate(names)}
        rows, columns, values = list[int](), list[int](), list[float]()
        sizes = [len(one.features) for one in data]
        for row, features in enumerate(features for one in data for features in one.features):
            known = [(index[name], value) for name, value in features.items() if name in index]
            rows += [row] * len(known)
            columns += [column for column, _ in known]
            values += [value for _, value in known]
        self._rows, self._columns, self._values = np.array(rows), np.array(columns), np.array(values)
        self._right = np.concatenate([one.right for one in data])
        self._choice = np.repeat(np.arange(len(data)), sizes)
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
        self._count, self._ridge = len(names), ridge

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = np.bincount(self._rows, weights[self._columns] * self._values, len(self._right))
        likely = np.exp(scores - np.maximum.reduceat(scores, self._starts)[self._choice])
        likely /= np.add.reduceat(likely, self._starts)[self._choice]
        right = np.maximum(np.add.reduceat(likely * self._right, self._starts), 1e-300)
        excess = likely - likely * self._right / right[self._choice]
        slope = np.bincount(self._columns, excess[self._rows] * self._values, self._count)
        loss = 0.5 * self._ridge * float(weights @ weights) - float(np.log(right).sum())
        return loss, slope + self._ridge * weights


def _downhill(slope: np.ndarray, kept: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The direction of the next step: the slope, bent by what the last steps tell of the curvature."""
    way, used = -slope, list[float]()
    for step, bend in reversed(kept):
        used.append(float(step @ way) / float(step @ bend))
        way = way - used[-1] * bend
    if kept:
        step, bend = kept[-1]
        way = way * (float(step @ bend) / float(bend @ bend))
    for step, bend in kept:
        way = way + step * (used.pop() - float(bend @ way) / float(step @ bend))
    return way
