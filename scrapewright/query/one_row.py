"""Whether a request asks for one row about the page or for a list. In: its words, its address and what was read of it;
out: how likely one row is meant.

A logit whose weights are fitted on requests with known readings (`make calibrate-requests`): "the recipe at" and an
address that ends with a number speak for one row, nouns in the plural, an order, a limit and a condition against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapewright.query.lexicon import GRAMMAR, STEM, fold, named_concepts
from scrapewright.query.logit import score, shares, weights
from scrapewright.query.tokens import Tokens

if TYPE_CHECKING:
    from scrapewright.query.reading import Reading

SURE_OF_ONE_ROW = 0.9
"""How likely one row must be to count as said."""
POSSIBLE = 0.05
"""How likely it must be to be considered at all."""
_PLURAL = re.compile(r"\w{2,}[^\Wsu]s")
_OF_LISTS = ("order", "filters", "limit", "section", "follow", "distinct")
_READ_AT_MOST = 2000
"""Characters of the request that are looked at."""


def likelihood(reading: Reading) -> float:
    """How likely the request asks for one row, as far as its words tell."""
    return shares([0.0, score(weights("one_row"), features(reading))])[1]


def features(reading: Reading) -> set[str]:
    """What a request looks like."""
    found = {f"said {part}" for part in _OF_LISTS if getattr(reading, part)}
    if reading.pages != "unsaid":
        found.add("said pages")
    if reading.urls:
        found.update(_of_address(reading.urls[0]))
    found.add(f"columns {min(len(reading.columns), 9)}")
    for column in reading.columns:
        found.update(f"column {concept}" for concept in named_concepts(column.name))
        if column.type == "list":
            found.add("a list")
    found.update(_of_words(reading))
    return found


def _of_words(reading: Reading) -> Iterator[str]:
    """The words beside those of the columns."""
    of_columns = " ".join(f"{column.name} {column.note}" for column in reading.columns)
    inside = set(re.findall(r"\w+", fold(of_columns)))
    for token in Tokens(reading.text[:_READ_AT_MOST]).all:
        low = fold(token.text)
        if token.kind != "W" or low in inside:
            continue
        yield token.word if token.word in GRAMMAR else low[:STEM]
        if _PLURAL.fullmatch(low):
            yield f"{low[:STEM]} in the plural"
            yield f"a plural in {reading.language}"


def _of_address(url: str) -> Iterator[str]:
    """What the path and its last part look like."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step]
    last = re.sub(r"\.\w{2,5}$", "", steps[-1]) if steps else ""
    digits = max(map(len, re.findall(r"\d+", last)), default=0)
    yield f"address of {min(len(steps), 5)} steps"
    yield f"address with {min(digits, 4)} digits, alone: {last.isdigit()}"
    yield f"address with {min(len(re.findall('[-_]', last)), 3)} hyphens"
    yield f"address with {min(parts.query.count('='), 2)} parameters"
    if parts.path.endswith("/"):
        yield "address of a folder"
    if last.endswith("s"):
        yield "address with a plural"
