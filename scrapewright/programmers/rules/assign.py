"""Gives each field the place that serves it best, and no place to two fields.

In: the fields, the places of a group's records, and what a person decided of them. Out: a match for each field that has
a place.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import itemgetter

from msgspec.structs import replace

from scrapewright.programmers.rules.choice import Context, likelihoods
from scrapewright.programmers.rules.decisions import PINNED, Decided, NotFound, place_of, settled
from scrapewright.programmers.rules.match import Match, floor, weighed
from scrapewright.programmers.rules.offers import Place, option_id
from scrapewright.programmers.rules.pairs import pair
from scrapewright.programmers.rules.reconcile import composed, reconciled
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field, Reading
from scrapewright.session.questions import NONE

BARRED = 1e6
"""The cost of a place that can't serve a column: more than any other costs together."""
FOUND = 1.0
"""What it is worth by itself that a column has a place."""
LIKELY = 0.25
"""Share of all places' likelihood from which on one is taken for a column that nothing leads to."""
FULL = 0.9
"""Share of the records that have a text for it to be one of those that are left."""
SAME = 0.8
"""Share of the records from which on places that say the same there are one."""


def placed(query: Reading, fields: Sequence[Field], place: Place, decided: Decided) -> tuple[dict[str, Match], int]:
    """The best place for each field, and how many decisions mean nothing here. What nothing was decided about is
    matched with the rest of the places."""
    pinned: dict[str, Match] = {}
    empty: set[str] = set()
    lost = 0
    guesses: dict[str, Match] | None = None  # as things are decided so far
    known = {field.name: field for field in fields}
    for (kind, column), decision in decided.items():
        field = known.get(column) if kind == "column" else None
        if field is None:
            continue
        if decision.option == NONE:
            empty.add(field.name)
            guesses = None
            continue
        match = None
        with suppress(NotFound):
            match = place_of(decision, field, place)
        if match is None and decision.option:
            # What was offered as the best guess can be made of several places, and is then none of those listed.
            guesses = guesses or _guessed(query, fields, place, pinned, empty)
            guess = guesses.get(field.name)
            if guess is not None and option_id(guess.view, place) == decision.option:
                match = replace(guess, field=field, score=PINNED, name=1.0)
        if match is None:
            lost += 1
        else:
            pinned[field.name] = match
            guesses = None
    found = guesses or _guessed(query, fields, place, pinned, empty)
    return {name: settled(match) for name, match in found.items()}, lost


def _guessed(
    query: Reading, fields: Sequence[Field], place: Place, pinned: Mapping[str, Match], empty: set[str]
) -> dict[str, Match]:
    """The matches of the fields, those decided on among them."""
    asked = [field for field in fields if field.name not in empty]
    own = [field for field in asked if not query.fields or field in query.fields]
    known = {field.name for field in own}
    named = [*_with_subject(own, query), *(field for field in asked if field.name not in known)]
    both = list(place.offered)
    said = " ".join((query.text, *query.urls))
    matches = composed(own, assign(named, both, pinned), both, said)
    matches = _in_order(own, matches, place)
    return reconciled(own, _likeliest(own, matches, place), both) | dict(pinned)


def _in_order(fields: Sequence[Field], matches: Mapping[str, Match], place: Place) -> dict[str, Match]:
    """The matches, with what is left of the records in the request's order where that is as many texts as columns have
    no place yet: people ask in the order of the page."""
    without = [field for field in fields if field.name not in matches]
    held = [match.view for match in matches.values()]
    free: list[View] = []
    for view in place.offered:
        slot = view.slot
        whole = slot.attr in ("text", "tail") and not (view.ops or slot.many or slot.own or view.detail or view.rough)
        label = len(view.counts) == 1 and len(view.values) > 2
        if not whole or label or not slot.selector or slot.above or view.coverage < FULL:
            continue
        known = any(_is_same(view, one) or view.is_around(one) for one in (*held, *free))
        if not known and not any(one.is_around(view) for one in held):
            free = [one for one in free if not one.is_around(view)] + [view]
    made = [pair(field, view).fitting for field, view in zip(without, free, strict=False)]
    if len(free) != len(without) or None in made:
        return dict(matches)
    found = zip(without, free, made, strict=True)
    return dict(matches) | {f.name: Match(field=f, view=v, made=m, score=0.0, name=0.0) for f, v, m in found if m}


def _likeliest(fields: Sequence[Field], matches: Mapping[str, Match], place: Place) -> dict[str, Match]:
    """The matches, with the likeliest place for each field that nothing leads to, by name or by kind."""
    found = dict(matches)
    for field in fields:
        if field.name in found or field.optional or any(view.rough for view in place.offered):
            continue
        fits = [(view, pair(field, view).fitting) for view in place.offered if view.texts]
        places = [(view, made) for view, made in fits if made is not None]
        places = [one for one in places if not any(_is_of(one[0], other.view) for other in found.values())]
        taken = frozenset(match.view.values for match in found.values())
        shares: dict[tuple[str | None, ...], float] = defaultdict(float)  # places of the same values are one
        for (view, _), share in zip(places, likelihoods(field, places, Context(None, taken)), strict=True):
            shares[view.values] += share
        values, share = max(shares.items(), key=itemgetter(1), default=((), 0.0))
        if share > LIKELY * sum(shares.values()):
            view, made = next(place for place in places if place[0].values == values)
            found[field.name] = Match(field=field, view=view, made=made, score=0.0, name=0.0)
    return found


def _is_of(one: View, other: View) -> bool:
    """Whether a place says what the other one does, or is a part of the other, which is taken whole."""
    return _is_same(one, other) or (bool(one.ops) and not other.ops and one.slot == other.slot)


def _is_same(one: View, other: View) -> bool:
    """Whether two places say the same in nearly all records."""
    pairs = [(a, b) for a, b in zip(one.values, other.values, strict=False) if a or b]
    return bool(pairs) and sum(a == b for a, b in pairs) >= SAME * len(pairs)


def _with_subject(fields: Sequence[Field], query: Reading) -> tuple[Field, ...]:
    """What the records are called may head the column of their titles: "Vacancy", "Recipe"."""
    nouns = tuple(word for word in query.subject_words if len(word) > 3)
    titles = [field for field in fields if field.type == "text" and field.said.is_title]
    return tuple(replace(field, words=(*field.words, *nouns)) if field in titles else field for field in fields)


def assign(
    fields: Sequence[Field], found: Sequence[View], pinned: Mapping[str, Match] | None = None
) -> dict[str, Match]:
    """The matches whose scores together are the highest, each place for one field; none below its field's floor.

    `pinned` are matches that a person decided on: they stay as they are, and their places are taken.
    """
    taken = dict(pinned or {})
    used = {_key(match.view) for match in taken.values()}
    options = weighed([field for field in fields if field.name not in taken], found)
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


Key = tuple[str, bool, str]


def _key(view: View) -> Key:
    return view.slot.id, view.detail, repr(view.ops)
