"""Gives each field the place that serves it best, and no place to two fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scrapewright.programmers.rules.match import Match, headline, score
from scrapewright.programmers.rules.said import meanings
from scrapewright.programmers.rules.view import View
from scrapewright.query.numerals import numerals
from scrapewright.query.reading import Field

BARRED = 1e6
"""The cost of a place that can't serve a column: more than any other costs together."""
FOUND = 1.0
"""What it is worth by itself that a column has a place."""
SMALLER, MIXED = 0.2, 2.0
"""How much less a box is liked for a number than an element in it that has one, too; where it has several numbers."""


def assign(
    fields: Sequence[Field], found: Sequence[View], language: str = "", pinned: Mapping[str, Match] | None = None
) -> dict[str, Match]:
    """The matches whose scores together are the highest, each place for one field; none below its field's floor.

    `pinned` are matches that a person decided on: they stay as they are, and their places are taken.
    """
    taken = dict(pinned or {})
    used = {_key(match.view) for match in taken.values()}
    options = weighed([field for field in fields if field.name not in taken], found, language)
    options = [one for one in options if _key(one.view) not in used and one.score >= floor(one.field)]
    names = list(dict.fromkeys(one.field.name for one in options))
    places = list(dict.fromkeys(_key(one.view) for one in options))
    best: dict[tuple[str, Key], Match] = {}
    for one in options:  # the best first
        best.setdefault((one.field.name, _key(one.view)), one)
    costs = [[_cost(best.get((name, place))) for place in places] + [0.0] * len(names) for name in names]
    for name, at in zip(names, cheapest(costs), strict=True):
        if at < len(places) and (chosen := best.get((name, places[at]))) is not None:
            taken[name] = chosen
    return taken


def _cost(match: Match | None) -> float:
    """What a place costs beside leaving the column out, which costs nothing."""
    return BARRED if match is None else -(match.score - floor(match.field)) - FOUND


def cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column for each row, no two the same, that costs least in all: the Hungarian method (Kuhn, 1955) by shortest
    augmenting paths (Jonker and Volgenant, 1987). There must be as many columns as rows at least."""
    wide = len(costs[0]) if costs else 0
    of_rows, of_columns = [0.0] * len(costs), [0.0] * wide
    owner = [-1] * wide
    for row in range(len(costs)):
        least, before, seen = [math.inf] * wide, [-1] * wide, [False] * wide
        now, last = row, -1
        while True:
            for at in range(wide):
                if not seen[at]:
                    cost = costs[now][at] - of_rows[now] - of_columns[at]
                    if cost < least[at]:
                        least[at], before[at] = cost, last
            nearest = min((at for at in range(wide) if not seen[at]), key=least.__getitem__)
            step = least[nearest]
            of_rows[row] += step
            for at in range(wide):
                if seen[at]:
                    of_rows[owner[at]] += step
                    of_columns[at] -= step
                else:
                    least[at] -= step
            seen[nearest], last = True, nearest
            if owner[nearest] < 0:
                break
            now = owner[nearest]
        while last >= 0:
            owner[last] = owner[before[last]] if before[last] >= 0 else row
            last = before[last]
    found = {row: at for at, row in enumerate(owner) if row >= 0}
    return [found[row] for row in range(len(costs))]


def weighed(fields: Sequence[Field], found: Sequence[View], language: str = "") -> list[Match]:
    """Every match of a field with a view that can serve it, best first."""
    mixed = composites(found)
    place = {id(view): at for at, view in enumerate(found)}
    options: list[Match] = []
    for field in fields:
        scored = [match for view in found if (match := score(field, view, language)) is not None]
        leaves = [match for match in scored if _is_leaf(match, mixed)] if _is_name_of_one(field) else []
        for match in scored:
            view = match.view
            less = 0.7 if id(view) in mixed and field.type == "text" and match.name < 0.9 else 0.0
            if id(view) in mixed and field.type == "text" and not view.slot.selector and match.name >= 0.6:
                less = 2.5  # the record's own name is none of its values'
            if any(leaf.name > match.name - 0.26 and _gives_way(match, leaf) for leaf in leaves):
                less = 1.2
            if field.type in ("int", "float") and not view.ops:
                smaller = any(view.is_around(other.view) for other in scored if not other.view.ops)
                less += (MIXED if any(map(_has_several, view.counts)) else SMALLER) * smaller
            options.append(match.lowered(less + 0.001 * place[id(view)]))
    options.sort(key=lambda match: -match.score)
    return options


_ONE_THING = frozenset(("title", "author", "brand", "company", "category", "version", "status", "code"))
_SPREAD = frozenset(("text", "description", "address", "location"))


def _is_name_of_one(field: Field) -> bool:
    """Whether the field holds a name, and no text that goes on through several elements."""
    wants = meanings(field)
    return field.type == "text" and (not wants or bool(wants & _ONE_THING)) and not wants & _SPREAD


def _is_leaf(match: Match, mixed: set[int]) -> bool:
    view = match.view
    plain = not (view.ops or view.slot.own or view.slot.many) and view.slot.attr == "text" and id(view) not in mixed
    plain = plain and not view.slot.above  # a heading is above the record, not in it
    return plain and match.name >= 0.6


def _gives_way(match: Match, leaf: Match) -> bool:
    """Whether a box around a value gives way to the value's own element. A heading is a title with all that it says,
    but for a link in it."""
    box = match.view
    if headline(box.slot.selector) or "[itemprop=" in box.slot.selector:
        linked = headline(leaf.view.slot.selector) and leaf.view.distinct >= 0.8 * box.distinct
        return linked and sum(map(len, leaf.view.texts)) >= 0.4 * sum(map(len, box.texts)) and _holds(box, leaf.view)
    return _holds(box, leaf.view)


def _holds(box: View, leaf: View) -> bool:
    """Whether a place's text is the other's and more: a box around the value, with its label or with other values."""
    if box.value or box.slot.attr != "text" or box.slot.many or len(box.values) != len(leaf.values):
        return False
    pairs = [(a, b) for a, b in zip(box.values, leaf.values, strict=True) if a and b]
    more = sum(len(b) < len(a) for a, b in pairs)
    return len(pairs) >= 0.6 * len(box.texts) and 2 * more >= len(pairs) > 0 and all(b in a for a, b in pairs)


Key = tuple[str, bool, str]


def _key(view: View) -> Key:
    return view.slot.id, view.detail, repr(view.ops)


_TEXTS = ("text", "tail")


def composites(found: Sequence[View]) -> set[int]:
    """The ids of views whose texts hold those of two or more other places: boxes around the values, not values."""
    whole = [view for view in found if not view.ops and view.slot.attr in _TEXTS and not view.slot.many and view.texts]
    whole = [view for view in whole if not view.value]
    mixed = set()
    for box in whole:
        most = [other for other in whole if len(other.texts) >= 0.6 * len(box.texts)]
        if len({other.values for other in most if box.is_around(other)}) > 1:
            mixed.add(id(box))
    return mixed


def _has_several(text: str) -> bool:
    return len(list(numerals(text))) > 1


def floor(field: Field) -> float:
    """Below this a column is better left out than filled with something else."""
    return {"text": 1.5, "list": 2.0, "url": 1.8, "date": 1.8, "datetime": 1.8}.get(field.type, 1.6)
