"""Choices by fitted weights: conditional logits (McFadden 1974) over what the alternatives look like.

The weights are fitted on requests with known readings (`make calibrate-requests`) and shipped as data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec


@cache
def weights(name: str) -> dict[str, float]:
    """The fitted weight of each feature, from the file of that name."""
    return msgspec.json.decode(files(__package__).joinpath(f"{name}.json").read_bytes(), type=dict[str, float])


def score(known: Mapping[str, float], features: Iterable[str]) -> float:
    """How much speaks for an alternative with these features."""
    return sum(known.get(name, 0.0) for name in features)


def shares(scores: Sequence[float]) -> list[float]:
    """How likely each of the alternatives with these scores is."""
    top = max(scores)
    odds = [math.exp(one - top) for one in scores]
    whole = sum(odds)
    return [one / whole for one in odds]
