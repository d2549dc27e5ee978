"""The types of columns in requests whose columns are known: what `logit` fits the weights of names to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from scrapewright.query.column_types import KINDS, features
from scrapewright.query.notes import read_note, signs_of_type
from scrapewright.query.read import read_request
from tests.requests.lists import Case, plain
from tests.requests.logit import Weighed


def weighed(cases: Iterable[Case]) -> Iterator[Weighed]:
    """The choice of each column's type by its name and by what is read beside it; where that says the type, by the
    name alone."""
    for case in cases:
        notes = {plain(column.name): column.note for column in read_request(case.text).columns}
        for column in case.reading.get("columns", ()):
            if column.get("type"):
                note = notes.get(plain(column["name"]), "")
                said = "" if read_note(note).type else signs_of_type(note)
                found = dict.fromkeys(features(column["name"], said))
                rows = [{f"{kind} {name}": 1.0 for name in found} for kind in KINDS]
                yield Weighed(rows, np.array([kind == column["type"] for kind in KINDS], float))
