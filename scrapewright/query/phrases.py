"""Whether a phrase of a request that nothing has read says which rows are wanted, in which order, or nothing of them.
In: the phrase; out: how likely it says nothing.

Talk ("thanks, my aunt is planning a trip") is told from conditions by its words: a logit whose weights are fitted on
phrases of which that is known (`make calibrate-requests`).
"""

from __future__ import annotations

import math

from scrapewright.query.lexicon import ALL_SMALL
from scrapewright.query.logit import features_of, score, weights
from scrapewright.query.tokens import Tokens, stems

_WORDS_AT_MOST = 8


def says_nothing(text: str) -> float:
    """How likely a phrase changes neither the rows nor their order."""
    return 1 / (1 + math.exp(-score(weights("phrases"), features(Tokens(text)))))


def is_known(text: str) -> bool:
    """Whether most words of a phrase are small or have a weight: of others nobody can tell what they name."""
    known = weights("phrases")
    words = [(token.text.lower(), *stems(token)) for token in Tokens(text).all if token.kind == "W"]
    return 2 * sum(any(one in known or one in ALL_SMALL for one in word) for word in words) > len(words)


def features(tokens: Tokens) -> set[str]:
    """What a phrase looks like: its words, those at its ends, pairs of neighbours, how long it is."""
    words = [list(stems(token)) for token in tokens.all]
    return {"phrase", f"{min(len(words), _WORDS_AT_MOST)} words", *features_of(words)}
