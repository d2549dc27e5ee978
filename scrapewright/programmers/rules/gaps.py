"""Fields that nothing names, read out of a text that falls into as many pieces as there are fields for it."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.programmers.rules.examples import example_score
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.parts import Family, bare, families
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field

NAMED = 0.5
"""From this likeness of names on a match is not in doubt."""
CALLED = 0.9
"""Nor from this on, where it has all of a text that falls into pieces."""


def unmixed(matches: dict[str, Match]) -> dict[str, Match]:
    """The matches without those of texts that nothing names and that hold another field's values among others."""
    return {name: match for name, match in matches.items() if not _is_mixed(match, matches)}


def _is_mixed(match: Match, matches: dict[str, Match]) -> bool:
    box = match.view
    # The record as a whole is called what all of it is about: that names none of its values.
    called = match.name >= (0.3 if box.slot.selector else CALLED)
    if match.field.type != "text" or called or box.slot.attr not in ("text", "head", "tail") or box.rough:
        return False
    for other in matches.values():
        inner = other.view
        if other is match or inner.detail != box.detail or other.field.type not in ("text", "int", "float", "date"):
            continue
        pairs = [(a, b) for a, b in zip(box.values, inner.values, strict=False) if a and b]
        told = sum(len(b) >= 3 for _, b in pairs)  # a figure or two may stand in any text
        if len(pairs) > 1 and 2 * told >= len(pairs) and all(len(b) < len(a) and b in a for a, b in pairs):
            return True
    return False


def in_pieces(fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View]) -> dict[str, Match]:
    """The matches with those of fields that had none, where one text's pieces answer the fields one by one.

    The request's order is the page's: the pieces that fields have already, and those that are left, stand as the fields
    do. A text field alone can take a piece that nothing names.
    """
    missing = [field for field in fields if field.name not in matches and not field.optional]
    if any(field.type != "text" for field in missing):
        return matches
    for family in families(offered):
        # What has all of the text, or another part, without being called so, may be a piece as well.
        doubtful = [field for field in fields if _is_doubtful(field, matches.get(field.name), family)]
        without = [field for field in fields if field in missing or field in doubtful]
        found = _answers(fields, without, matches, family) if without else None
        if found is not None:
            return matches | found
    return matches


def _is_doubtful(field: Field, match: Match | None, family: Family) -> bool:
    if match is None or field.type != "text" or match.view.detail != family.pieces[0].detail:
        return False
    if example_score(field, match.view) >= 1.0:
        return False
    whole = not match.view.ops and match.view.slot.id == family.pieces[0].slot.id
    if match.name >= (CALLED if whole else NAMED):
        return False
    return bool(match.view.ops) or match.view.slot.id == family.pieces[0].slot.id


def _answers(
    fields: Sequence[Field], without: Sequence[Field], matches: dict[str, Match], family: Family
) -> dict[str, Match] | None:
    matches = {name: match for name, match in matches.items() if match.field not in without}
    holders: dict[str, int] = {}
    for field in fields:
        match = matches.get(field.name)
        number = _piece_of(match.view, family) if match is not None else -1
        if number >= 0:
            holders[field.name] = number
    free = [number for number in range(len(family.pieces)) if number not in holders.values()]
    if len(free) != len(without) or not all(bare(family.pieces[number]) for number in free):
        return None
    placed = holders | {field.name: number for field, number in zip(without, free, strict=True)}
    order = [placed[field.name] for field in fields if field.name in placed]
    if order != sorted(order):
        return None
    return {
        field.name: Match(field=field, view=family.pieces[number], made=Fit((), 1.0), score=1.5, name=0.0)
        for field, number in zip(without, free, strict=True)
    }


def _piece_of(view: View, family: Family) -> int:
    """The number of the piece that a field's values stand in, -1 where they stand in none."""
    other = view.rough and view.slot.id != family.pieces[0].slot.id  # samples of two places are of different records
    if other or len(view.values) != len(family.pieces[0].values):
        return -1
    for number, piece in enumerate(family.pieces):
        pairs = [(a, b) for a, b in zip(view.values, piece.values, strict=False) if a and b]
        if pairs and sum(a in b for a, b in pairs) >= 0.9 * len(view.texts):
            return number
    return -1
