"""Choices by fitted weights: conditional logits (McFadden 1974) over what the alternatives look like.

The weights are fitted on requests with known readings (`make calibrate-requests`) and shipped as data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

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


def features_of(words: Sequence[Sequence[str]], label: str = "") -> Iterator[str]:
    """What a row of words looks like, each in the forms that it counts as: the words, those at the ends by their
    places, pairs of neighbours."""
    said, at = (f"{label}: ", f"{label} ") if label else ("", "")
    yield from (f"{said}{word}" for forms in words for word in forms)
    for place in (0, 1, -2, -1):
        if -len(words) <= place < len(words):
            yield from (f"{at}{place}: {word}" for word in words[place])
    for before, behind in pairwise(words):
        yield from (f"{said}{one} {other}" for one in before for other in behind)
