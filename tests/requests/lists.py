"""Choices of the list of columns in requests whose columns are known: what `logit` fits the weights of lists to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from scrapewright.query import list_choice
from scrapewright.query.column_lists import Listed, lists
from scrapewright.query.lexicon import fold
from scrapewright.query.tokens import Tokens
from tests.requests.logit import Weighed

OWN = Path(__file__).with_name("requests.jsonl")
UNSEEN = Path(__file__).with_name("unseen.jsonl")
"""Requests that no weight is fitted to; only from where on a list is taken unasked was chosen with them."""
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
AT = "http://127.0.0.1:9/list"
CLAUSES = Path(__file__).with_name("clauses.jsonl")
ONE_IN = 10
"""Of so many clauses one is shown behind a plain list of its first columns: the other requests have few of these."""
IN_A_SENTENCE = 5
"""Of so many English ones of these one is "a and b of all rows from …", the others are "…: a, b"."""


class Case(NamedTuple):
    """A request with the names of its columns, and all that is known of its reading."""

    text: str
    names: tuple[str, ...]
    reading: dict[str, Any]


def cases_of(path: Path) -> list[Case]:
    """The requests of a file."""
    data = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [_case(one["query"], one) for one in data]


def cases() -> list[Case]:
    """All requests to fit to: the project's own and, where they lie beside the checkout, those of the saved sites."""
    found = [*cases_of(OWN), *_plain_lists()]
    readings = CORPUS / "readings.jsonl"
    for line in readings.read_text(encoding="utf-8").splitlines() if readings.exists() else ():
        data = json.loads(line)
        task = json.loads((CORPUS / "tasks" / f"{data['task']}.json").read_text(encoding="utf-8"))
        found.append(_case(task["query"].replace("{BASE}", "http://127.0.0.1:9"), data))
    return found


def _plain_lists() -> list[Case]:
    found = []
    for line in CLAUSES.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        chance = crc32(one["text"].encode())
        if chance % ONE_IN:
            continue
        names = tuple(one["columns"])[: 1 + chance // 10 % len(one["columns"])]
        said = f"{AT}: {', '.join(names)}"
        if one["lang"] == "en" and chance // 50 % IN_A_SENTENCE == IN_A_SENTENCE - 1:
            said = f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} of all rows from {AT}"
        found.append(Case(f"{said}. {one['text']}", names, {}))
    return found


def _case(text: str, reading: dict[str, Any]) -> Case:
    return Case(text, tuple(column["name"] for column in reading["columns"]), reading)


def plain(name: str) -> str:
    """A name as it is compared: case, accents and the marks between its words do not count."""
    return re.sub(r"[\W_]+", "_", fold(name)).strip("_")


def weighed(case: Case) -> list[Weighed]:
    """The request, and the same without its list, where there is none to be found."""
    tokens, wanted = Tokens(case.text), [plain(name) for name in case.names]
    found = list(lists(tokens))
    right = [[plain(name) for name in one.names] == wanted for one in found]
    whole = _weighed(tokens, found, right, none=not case.names)
    if not any(right):
        return [whole]
    listed = found[right.index(True)]
    last = tokens.all[listed.stop - 1]
    rest = Tokens(tokens.raw[: tokens.all[listed.start].start] + tokens.raw[last.end :])
    others = list(lists(rest))
    return [whole, _weighed(rest, others, [False] * len(others), none=True)]


def _weighed(tokens: Tokens, found: list[Listed], right: list[bool], *, none: bool) -> Weighed:
    return Weighed(
        [*(list_choice.features(tokens, one) for one in found), {list_choice.NONE: 1.0}],
        np.array([*right, none], float),
    )
