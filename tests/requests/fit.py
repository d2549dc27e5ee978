"""Fits the weights by which the list of columns is chosen in a request: python -m tests.requests.fit [--write].

In: the requests of `requests.jsonl` and, where they lie beside the checkout, those of the saved-site corpus. Out:
`scrapewright/query/list_choice.json`, and how many lists come first on requests that the weights have not seen.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scrapewright.query import list_choice
from scrapewright.query.column_lists import Listed, lists
from scrapewright.query.lexicon import fold
from scrapewright.query.read import SURE
from scrapewright.query.tokens import Tokens

OWN = Path(__file__).with_name("requests.jsonl")
UNSEEN = Path(__file__).with_name("unseen.jsonl")
"""Requests that no weight is fitted to; only from where on a list is taken unasked was chosen with them."""
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
RIDGE = 0.5
"""Of three that were tried (0.3, 0.5, 1) the one by which the held-out requests are likeliest."""
PARTS = 6
SEEN_AT_LEAST = 3
"""Requests in which a feature occurs: of a rarer one nothing can be learnt."""


class Case(NamedTuple):
    text: str
    names: tuple[str, ...]


def cases_of(path: Path) -> list[Case]:
    """The requests of a file, with the names of their columns."""
    data = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Case(one["query"], tuple(column["name"] for column in one["columns"])) for one in data]


def cases() -> list[Case]:
    """All requests to fit to: the project's own and those of the corpus."""
    found = cases_of(OWN)
    readings = CORPUS / "readings.jsonl"
    for line in readings.read_text(encoding="utf-8").splitlines() if readings.exists() else ():
        data = json.loads(line)
        task = json.loads((CORPUS / "tasks" / f"{data['task']}.json").read_text(encoding="utf-8"))
        text = task["query"].replace("{BASE}", "http://127.0.0.1:9")
        found.append(Case(text, tuple(column["name"] for column in data["columns"])))
    return found


def plain(name: str) -> str:
    """A name as it is compared: case, accents and the marks between its words do not count."""
    return re.sub(r"[\W_]+", "_", fold(name)).strip("_")


class Weighed(NamedTuple):
    """The features of a request's lists, by name, and which of them are right."""

    features: list[dict[str, float]]
    right: np.ndarray


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


def fitted(data: list[Weighed]) -> dict[str, float]:
    """The weights under which the right lists are likeliest, by Newton's method with a ridge."""
    useful = [one for one in data if one.right.any()]
    counts: dict[str, int] = {}
    for one in useful:
        for name in {name for features in one.features for name in features}:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= SEEN_AT_LEAST)
    index = {name: at for at, name in enumerate(names)}
    matrices = [_matrix(one.features, index) for one in useful]
    weights = np.zeros(len(names))
    for _ in range(30):
        slope, centred, spread = -RIDGE * weights, list[np.ndarray](), list[np.ndarray]()
        for matrix, one in zip(matrices, useful, strict=True):
            scores = matrix @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            right = shares * one.right
            right /= max(right.sum(), 1e-300)
            slope += matrix.T @ (right - shares)
            likely = shares > 1e-4  # of hundreds of lists a few decide
            centred.append(matrix[likely] - shares @ matrix)
            spread.append(shares[likely])
        rows = np.concatenate(centred)
        bend = RIDGE * np.eye(len(names)) + rows.T @ (rows * np.concatenate(spread)[:, None])
        step = np.linalg.solve(bend, slope)
        weights += step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-2:
            break
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 5e-4}


def _matrix(rows: list[dict[str, float]], index: dict[str, int]) -> np.ndarray:
    matrix = np.zeros((len(rows), len(index)))
    for row, features in enumerate(rows):
        for name, value in features.items():
            if name in index:
                matrix[row, index[name]] = value
    return matrix


def first(weights: dict[str, float], data: list[Weighed]) -> tuple[int, list[tuple[float, bool]]]:
    """How many requests have the right list first (or none, where there is none), and of each whose first is a list how
    likely that is and whether it is right."""
    count, found = 0, []
    for one in data:
        scores = np.array([sum(weights.get(name, 0.0) * v for name, v in row.items()) for row in one.features])
        shares = np.exp(scores - scores.max())
        best = int(scores.argmax())
        count += bool(one.right[best])
        if best < len(scores) - 1:  # the last one is that there is no list
            found.append((float(shares[best] / shares.sum()), bool(one.right[best])))
    return count, found


def main() -> None:
    every = [weighed(case) for case in cases()]
    print(
        f"of {len(every)} requests {sum(one[0].right.any() for one in every)} have their list among those read, or none"
    )
    total, judged = 0, list[tuple[float, bool]]()
    lost = 0
    for part in range(PARTS):
        weights = fitted([one for at, pair in enumerate(every) if at % PARTS != part for one in pair])
        held = every[part::PARTS]
        count, found = first(weights, [pair[0] for pair in held])
        total, judged = total + count, judged + found
        without = [pair[1] for pair in held if len(pair) > 1]
        lost += len(without) - first(weights, without)[0]
    sure = [right for likelihood, right in judged if likelihood >= SURE]
    print(f"held out: right first {total} of {len(every)}, {sum(sure)} of {len(sure)} that are likelier than {SURE}")
    print(f"of those without their list {lost} seem to have another")
    if "--write" in sys.argv:
        path = Path(list_choice.__file__).with_name("list_choice.json")
        path.write_text(
            json.dumps(fitted([one for pair in every for one in pair]), indent=0, ensure_ascii=False, sort_keys=True)
            + "\n",
            encoding="utf-8",
        )
        print(path)


if __name__ == "__main__":
    main()
