"""Values that stand behind another label than those of the other rows: the second line of each record, whatever it
is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.document import Model
from scrapewright.critics.evidence import Place
from scrapewright.session.verdict import Finding

_NAMING = re.compile(r"(?=.*[^\W\d])\D+")
_LONGEST = 30
"""Letters of a label: what is longer says something itself."""


def unlabelled(bench: Bench, column: str, rows: Iterable[int]) -> set[int]:
    """Those of the rows whose records lack the label that the column's values stand behind in all the others."""
    evidence = bench.evidence
    places = {row: found[0] for row in evidence.rows if (found := evidence.places[row])}
    led = [
        _label(place, evidence.needles[row][column].flat)
        for row, place in places.items()
        if not evidence.needles[row][column].empty
    ]
    if len(led) < 2 or len(set(led)) != 1 or not led[0]:
        return set()
    return {row for row in rows if row in places and led[0] not in _pieces(places[row])}


def labels(bench: Bench) -> list[Finding]:
    """A column whose values stand behind one label ("Value") in most rows and behind another ("Closing") in some.

    The other one must be a label in rows of the first kind as well, and in half of all rows, so that values that
    happen to stand before others are none.
    """
    evidence = bench.evidence
    places = {row: found[0] for row in evidence.rows if (found := evidence.places[row])}
    said = {row: set(_pieces(place)) for row, place in places.items()}
    findings: list[Finding] = []
    for column in evidence.judged:
        led = {
            row: label
            for row, place in places.items()
            if not evidence.needles[row][column].empty and (label := _label(place, evidence.needles[row][column].flat))
        }
        tally = Counter(led.values())
        if len(tally) < 2:
            continue
        home, count = tally.most_common(1)[0]
        others = {
            label
            for label in tally
            if label != home
            and 2 * sum(label in texts for texts in said.values()) >= len(said)
            and any(label in said[row] for row, own in led.items() if own == home)
        }
        wrong = [row for row, label in led.items() if label in others and home not in said[row]]
        if wrong and count >= 2 and count >= len(wrong):
            label = next(piece for piece in _spoken(places[wrong[0]]) if _plain(piece) == led[wrong[0]])
            sample = shown(bench.value(wrong[0], column))
            message = f"{column} is what the record calls {shown(label)!r} in {listed(wrong)}: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), got=sample))
    return findings


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" :：").lower()


def _spoken(place: Place) -> list[str]:
    model = place.model
    return [model.pieces[x] for x in range(model.x0[place.node], model.x1[place.node])]


def _pieces(place: Place) -> list[str]:
    return [_plain(piece) for piece in _spoken(place)]


def _label(place: Place, flat: str) -> str:
    """The label before a value that is all of a text: in an element of its own, beside the value or in its box."""
    model = place.model
    for x in range(model.x0[place.node] + 1, model.x1[place.node]):
        if model.flats[x] != flat:
            continue
        label = _plain(model.pieces[x - 1])
        apart = model.piece_node[x - 1] != model.piece_node[x] and _near(model, model.piece_node[x - 1], x)
        if apart and 1 < len(label) <= _LONGEST and _NAMING.fullmatch(label):
            return label
    return ""


def _near(model: Model, node: int, x: int) -> bool:
    """Whether an element holds nothing but the piece before `x`, and its box holds the piece at `x` too."""
    alone = model.x1[node] - model.x0[node] == 1
    above = model.parent[node]
    return alone and above >= 0 and model.x0[above] <= x < model.x1[above]
