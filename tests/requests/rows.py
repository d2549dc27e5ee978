"""Requests of which it is known whether they ask for one row: what `logit` fits the weights of `one_row` to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from scrapewright.query import one_row
from scrapewright.query.read import read_request
from tests.requests.lists import Case
from tests.requests.logit import Weighed

OWN = Path(__file__).with_name("one_row.jsonl")


def weighed(cases: Iterable[Case]) -> list[Weighed]:
    """The choice between a list and one row, of each request that says which."""
    return [_weighed(case.text, one=case.reading["single"]) for case in cases if "single" in case.reading]


def own() -> Iterator[Weighed]:
    """The same of the requests that were written for it."""
    for line in OWN.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        yield _weighed(data["query"], one=data["single"])


def _weighed(text: str, *, one: bool) -> Weighed:
    seen = one_row.features(read_request(text))
    return Weighed([{}, dict.fromkeys(seen, 1.0)], np.array([not one, one], float))
