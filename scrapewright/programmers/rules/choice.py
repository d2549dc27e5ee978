"""How likely each place of a record is what a column means.

In: a column and the places that can be converted to its type. Out: a probability for each; what is missing to 1.0 is
that of none being it. A conditional logit (McFadden, 1974) over the features of each place, none of which knows a site;
the weights are fitted on saved pages (`make calibrate-choice`) and shipped in choice.json.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.match import BARE_SUM, FRACTION, LINKED, PRICED, YEAR, says_nothing
from scrapewright.programmers.rules.ops import Part, Trim
from scrapewright.programmers.rules.pairs import Pair, alike, is_code, pair
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import tokens
from scrapewright.query.reading import Field

WEIGHTS = Path(__file__).with_name("choice.json")
_BARE = re.compile(r"\W*\d[\d.,' ]*\W*")
_FIGURES = ("int", "float")
_DATES = ("date", "datetime")
Texts = tuple[str | None, ...]
_LOOKED_AT = 20
"""Different texts of a place whose look is weighed."""
_ITS_NAME = 0.85
"""Likeness from which on a text is what the column is called, not a value."""
_COMPARED = 4
"""Records whose texts are compared to know which places hold others."""


class Context(NamedTuple):
    """What the other columns say: the texts of the place that the rules guess, and those that other columns have."""

    guess: Texts | None = None
    taken: frozenset[Texts] = frozenset()


class Among(NamedTuple):
    """A place's position among all of a record's: from 0.0 (first) to 1.0, and how many places it holds, is held in,
    and is said again by."""

    at: float
    holds: int
    held: int
    again: int


class Weights(msgspec.Struct, frozen=True):
    """The weight of each feature, and the utility of there being no place."""

    weights: dict[str, float]
    none: float


@cache
def weights(path: Path = WEIGHTS) -> Weights:
    return msgspec.json.decode(path.read_bytes(), type=Weights)


def likelihoods(field: Field, places: Sequence[tuple[View, Fit]], context: Context) -> list[float]:
    """The probability of each place to be the one that is meant."""
    if not places:
        return []
    known, none = weights().weights, weights().none
    worth = [sum(known[name] * value for name, value in row.items()) for row in table(field, places, context)]
    top = max((*worth, none))
    powers = [math.exp(one - top) for one in worth]
    whole = sum(powers) + math.exp(none - top)
    return [power / whole for power in powers]


def table(field: Field, places: Sequence[tuple[View, Fit]], context: Context) -> list[dict[str, float]]:
    """The features of each place, those that the other places and columns tell among them."""
    views = [view for view, _ in places]
    own = [features(field, view, made.share) for view, made in places]
    called = {view.values for view, row in zip(views, own, strict=True) if row["same name"]}
    rows = []
    for view, row, there in zip(views, own, among(views), strict=True):
        guess = view.values == context.guess
        rows.append(row | {
            "place on the page": there.at,
            "holds others": math.log1p(there.holds) / 3,
            "held in others": math.log1p(there.held) / 3,
            "said again": math.log1p(there.again) / 3,
            "the guess": float(guess),
            "another column's": float(view.values in context.taken),
            "alone called so": float(bool(row["same name"]) and len(called) == 1),
            "the guess of a list": float(guess and len(view.values) > 1),
        })  # fmt: skip
    return rows


def among(views: Sequence[View]) -> list[Among]:
    """How the places of a record relate to one another, by the texts of the first records."""
    said = [tuple(" ".join((text or "").split()).casefold() for text in view.values[:_COMPARED]) for view in views]
    whole = Counter(mine for mine, view in zip(said, views, strict=True) if not view.ops and any(mine))
    last = max(1, len(views) - 1)
    known: dict[tuple[str, ...], tuple[int, int, int]] = {}
    out = []
    for at, (mine, view) in enumerate(zip(said, views, strict=True)):
        if mine not in known:
            holds, held = sum(_holds(mine, other) for other in whole), sum(_holds(other, mine) for other in whole)
            known[mine] = holds, held, whole[mine] - (not view.ops and any(mine))
        out.append(Among(at / last, *known[mine]))
    return out


def _holds(box: tuple[str, ...], inner: tuple[str, ...]) -> bool:
    some = False
    for one, other in zip(box, inner, strict=False):  # of very many pairs nearly all are told by the first texts
        if other:
            if len(other) >= len(one) or other not in one:
                return False
            some = True
    return some


def features(field: Field, view: View, converted: float) -> dict[str, float]:
    """What speaks for a place or against it by itself; most are from 0.0 to 1.0. `converted`: the share of its texts
    that can be made the field's type."""
    key = ("features", field, converted)
    if key not in view.scores:
        view.scores[key] = _features(pair(field, view), converted)
    found: dict[str, float] = view.scores[key]
    return found


def _features(both: Pair, converted: float) -> dict[str, float]:
    field, view, asked = both.field, both.view, both.field.said
    slot, texts, kind, likeness = view.slot, view.texts, field.type, both.likeness
    cut = bool(view.ops) and not view.bare
    said = view.own if view.ops and view.own else view.leading
    mean = math.log1p(sum(map(len, texts)) / len(texts)) / 6
    listed, several = kind == "list", slot.many
    link = slot.attr in ("href", "src", "data-src") or slot.type == "url"
    means, title = asked.concepts, "title" in asked.concepts
    heading = view.headline and slot.attr == "text"
    priced = view.share(PRICED.search) if kind in _FIGURES else 0.0
    pictured = slot.attr in ("src", "data-src") or any("image" in name for name in said)
    items = 1 + sum(text.count("; ") for text in texts) / len(texts)  # `many` joins them so
    return {
        "same name": float(asked.words in said),
        "own name": float(view.leading[:1] == [asked.words]),
        "likeness": likeness,
        "likeness above 0.8": max(0.0, likeness - 0.8) * 5,
        "likeness of its words": max((alike((word,), name) for word in asked.beside for name in said), default=0.0),
        "likeness of its note": max((alike(name, asked.noted) for name in said), default=0.0),
        "labelled otherwise": float(bool(slot.header or slot.label) and likeness < 0.4),
        "example": both.example,
        "said place": both.said,
        "converted": converted,
        "coverage": view.coverage,
        "distinct": view.distinct,
        "constant": float(len(view.counts) == 1 and len(texts) > 2),
        "part": float(cut),
        "trimmed": float(cut and all(isinstance(op, Trim) for op in view.ops)),
        "cost": view.cost,
        "figure for a text": float(kind == "text" and slot.type in (*_FIGURES, *_DATES)),
        "length of a text": mean if kind == "text" else 0.0,
        "length of a text, squared": mean**2 if kind == "text" else 0.0,
        "text is short": float(kind == "text" and mean < math.log1p(3) / 6),
        "bare number": view.share(_BARE.fullmatch) if kind in _FIGURES else 0.0,
        "number in a text": mean if kind in _FIGURES else 0.0,
        "currency for a price": priced if "price" in means else 0.0,
        "currency for another figure": priced if "price" not in means else 0.0,
        "link for a url": float(link and kind == "url"),
        "image for an image": float("image" in means and pictured),
        "date by type": float(slot.type in _DATES or slot.attr == "datetime") if kind in _DATES else 0.0,
        "several for a list": float(several and listed),
        "items of a list": math.log1p(items) / 4 if listed and several else 0.0,
        "length of an item": max(0.0, mean - math.log1p(items) / 6) if listed and several else 0.0,
        "one for a list": float(listed and not several),
        "several for one": float(several and not listed),
        "address for a text": float(link and kind == "text"),
        "headline for a title": float(heading and title),
        "first headline for a title": float(title and slot.selector.split(".")[0] in ("h1", "h2")),
        "headline for another": float(heading and not title),
        "own text": float(slot.own),
        "beside an element": float(slot.attr in ("head", "tail") or slot.above or slot.steps > 0),
        "attribute": float(slot.attr in ("title", "alt", "aria-label", "datetime", "content", "value")),
        "hidden attribute": float(slot.attr in ("class", "id") or slot.attr.startswith("data-")),
        "in data": float(view.value),
        "in meta tags": float(slot.selector.startswith("meta[")),
        "in the page's frame": float(slot.framed),
        "linked page": float(view.detail),
        "depth": float(view.depth),
    } | _looks(both)


def _looks(both: Pair) -> dict[str, float]:
    """Whether the texts look like values of a column of this name and type."""
    view, slot, kind = both.view, both.view.slot, both.field.type
    wanted, means = both.field.said.words, both.field.said.concepts
    text, label = kind in ("text", "list"), tokens(slot.label)
    last = view.ops[-1] if view.ops else None
    colon = last if isinstance(last, Part) and last.separator.strip() == ":" else None
    few = list(view.counts)[:_LOOKED_AT]

    def share(holds: Callable[[str], object]) -> float:
        return sum(map(bool, map(holds, few))) / max(1, len(few))

    coded = view.share(is_code) if kind == "text" else 0.0
    return {
        "says the column's name": share(lambda one: alike(wanted, tokens(one)) >= _ITS_NAME) if text else 0.0,
        "says its label": share(lambda one: tokens(one) == label) if text and label else 0.0,
        "before a colon": float(colon is not None and not colon.after),
        "key of a vocabulary": float(view.is_vocabulary_key),
        "behind a colon": float(colon is not None and colon.after),
        "data of scripts": float(view.scripted),
        "shown nowhere": view.unseen if text else 0.0,
        "without letters": share(lambda one: not any(map(str.isalpha, one))) if text else 0.0,
        "address in a text": share(LINKED.match) if text else 0.0,
        "looks as it is called": both.look,
        "numbers the records": float(kind in ("int", "float", "text") and both.numbers_records),
        "no year for a year": 1.0 - share(YEAR.search) if kind in _FIGURES and "year" in wanted else 0.0,
        "code for a code": coded if "code" in means else 0.0,
        "code for another text": coded if "code" not in means else 0.0,
        "sum for a text": share(BARE_SUM.fullmatch) if text and "price" not in means else 0.0,
        "marks alone": share(says_nothing) if text else 0.0,
        "fraction for a whole number": share(FRACTION.search) if kind == "int" else 0.0,
    }
