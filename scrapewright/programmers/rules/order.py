"""Fields that nothing names, told by their turn: what is left of a record's texts between those that others have.

People list fields in the page's order. Where the texts of a record that no field has are as many, between two that
fields have, as the fields between those two that have none, each gets its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.lexicon import concepts, tokens
from scrapewright.programmers.rules.looks import look
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import FAILURES, run
from scrapewright.programmers.rules.parts import bare, families, unled
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field
from scrapewright.survey.values import is_date

SURE = 0.5
"""From this likeness of names on a match is not in doubt."""
FILLED = 0.7
"""A text that fewer of the records have is passed over."""
MOST = 24
"""Of more texts in a record the order of the request tells nothing."""


def in_order(fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View]) -> dict[str, Match]:
    """The matches, with those of text fields that had none and can be told by their turn.

    Texts are taken apart where that makes them as many as are needed, in one way and no other.
    """
    kept = {name: match for name, match in matches.items() if not _has_anothers(match, matches)}
    if any(name not in kept for name in matches):
        told = in_order(fields, kept, offered)
        return told if len(told) >= len(matches) else matches
    texts = [field for field in fields if not _elsewhere(field, matches.get(field.name))]
    missing = [field for field in texts if field.name not in matches and not field.optional]
    if not missing or any(field.type != "text" for field in missing) or not offered or offered[0].rough:
        return matches
    atoms = _atoms(offered)
    if len(missing) > 2 and len(missing) == len(texts):
        return matches  # nothing shows that the request goes by the page's order
    if not 0 < len(atoms) <= MOST:
        return matches
    doubtful = [field for field in texts if _in_doubt(matches.get(field.name))]
    for without in (missing, *([[*missing, *doubtful]] if doubtful else [])):
        held = {name: match for name, match in matches.items() if name not in {field.name for field in without}}
        found = _told(texts, held, atoms)
        if found is not None:
            return matches | found
    last = _last_one(missing, matches, atoms)
    return matches | {last.field.name: last} if last is not None else matches


def _last_one(missing: Sequence[Field], matches: dict[str, Match], atoms: Sequence[View]) -> Match | None:
    """The one field without a place has the one text that no field has, wherever it stands."""
    places = {_holder(match, atoms) for match in matches.values()}
    free = [atom for at, atom in enumerate(atoms) if at not in places and not _is_known(atom, missing)]
    if len(missing) != 1 or len(free) != 1 or look(missing[0], free[0]) < 0:
        return None
    return Match(field=missing[0], view=unled(free[0]), made=Fit((), 1.0), score=1.5, name=0.0)


def _elsewhere(field: Field, match: Match | None) -> bool:
    """A field whose value is no text of the record: a link, a heading above it, a page behind it, a column that rows
    are only sorted by; and one that may be missing and is."""
    if match is None:
        return field.type == "url" or field.optional
    slot = match.view.slot
    return match.view.detail or slot.many or slot.selector.startswith("^ ") or slot.attr not in _TEXTS


_TEXTS = ("text", "head", "tail")


def _has_anothers(match: Match, matches: dict[str, Match]) -> bool:
    """A match in doubt with the values of another that is less so: both can't have them."""
    return _in_doubt(match) and any(
        other.view.values == match.view.values and other.name > match.name for other in matches.values()
    )


def _in_doubt(match: Match | None) -> bool:
    return match is not None and match.field.type == "text" and match.name < SURE


def _told(fields: Sequence[Field], held: dict[str, Match], atoms: Sequence[View]) -> dict[str, Match] | None:
    """The matches of the fields that have none, where they can be told in one way with the fewest texts taken apart."""
    ways = [[(atom,), *(family.pieces for family in families([atom]))] for atom in atoms]
    apart = [at for at, choices in enumerate(ways) if len(choices) > 1]
    for number in range(min(2, len(apart)) + 1):
        found: list[dict[str, Match]] = []
        for chosen in combinations(apart, number):
            for split in product(*(range(1, len(ways[at])) for at in chosen)):
                taken = dict(zip(chosen, split, strict=True))
                pieces = [piece for at, choices in enumerate(ways) for piece in choices[taken.get(at, 0)]]
                told = _placed(fields, held, pieces)
                if told is not None and not any(_same(told, other) for other in found):
                    found.append(told)
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _same(one: dict[str, Match], other: dict[str, Match]) -> bool:
    return all(match.view.values == other[name].view.values for name, match in one.items())


def _placed(fields: Sequence[Field], held: dict[str, Match], pieces: Sequence[View]) -> dict[str, Match] | None:
    """The matches of fields by their turn among the pieces; None where the turns don't come out."""
    places: dict[str, int] = {}
    for field in fields:
        if field.name in held:
            place = _holder(held[field.name], pieces)
            if place is None:
                return None
            places[field.name] = place
    if list(places.values()) != sorted(places.values()):
        return None
    found: dict[str, Match] = {}
    for run_of, first, last in _gaps(fields, places, len(pieces)):
        free = [piece for piece in pieces[first:last] if not _is_known(piece, run_of)]
        free = [piece for piece in map(unled, free) if _is_value(piece)]
        if any(piece.ops and not bare(piece) for piece in free):
            return None  # cut in the midst of a name or a sentence
        if len(free) != len(run_of) or any(look(field, piece) < 0 for field, piece in zip(run_of, free, strict=True)):
            return None
        for field, piece in zip(run_of, free, strict=True):
            found[field.name] = Match(field=field, view=piece, made=Fit((), 1.0), score=1.5, name=0.0)
    return found


def _gaps(fields: Sequence[Field], places: dict[str, int], end: int) -> Iterator[tuple[list[Field], int, int]]:
    """The runs of fields without a place, each with where the pieces begin and end that it can have."""
    start, waiting = 0, []
    for field in fields:
        if field.name not in places:
            waiting.append(field)
            continue
        if waiting:
            yield waiting, start, places[field.name]
        start, waiting = places[field.name] + 1, []
    if waiting:
        yield waiting, start, end


def _holder(match: Match, pieces: Sequence[View]) -> int | None:
    """The number of the piece that a match's values stand in, None where no piece holds them all."""
    values = match.view.values
    for at, piece in enumerate(pieces):
        if piece.slot == match.view.slot and piece.ops == match.view.ops:
            return at
    for at, piece in enumerate(pieces):
        pairs = [(a, b) for a, b in zip(values, piece.values, strict=False) if a]
        if pairs and len(values) == len(piece.values) and all(b and a in b for a, b in pairs):
            return at
    made = [_made(match, value) for value in values]
    for at, piece in enumerate(pieces):
        if len(values) == len(piece.values) and [_made(match, value) for value in piece.values] == made:
            return at
    return None


def _made(match: Match, value: str | None) -> object:
    try:
        return run(match.made.ops, value)
    except FAILURES:
        return None


def _atoms(offered: Sequence[View]) -> list[View]:
    """The texts of a record that hold no other text of it, in the order of the page."""
    whole = [view for view in offered if _is_text(view)]
    boxes = [box for box in whole if _is_filled(box, whole)]
    leaves = [view for view in whole if not any(view is box for box in boxes)]
    atoms: list[View] = []
    for view in leaves:
        within = any(other is not view and other.is_around(view) for other in leaves)
        if not within and all(other.values != view.values for other in atoms):
            atoms.append(view)
    for view in [view for view in atoms if view.slot.own]:
        box = next((box for box in boxes if box.slot.selector == view.slot.selector and not box.slot.own), None)
        before = [other for other in atoms if box is not None and _precedes(box, other, view)]
        if before:
            atoms.remove(view)
            atoms.insert(atoms.index(before[-1]) + 1, view)
    return atoms


def _is_text(view: View) -> bool:
    slot = view.slot
    if view.ops or slot.many or slot.attr not in _TEXTS or view.detail or slot.selector.startswith("^ "):
        return False
    return view.coverage >= FILLED and len(view.counts) > 1


def _is_filled(box: View, views: Sequence[View]) -> bool:
    """Whether other texts of the record make up most of a box's text."""
    inner = {view.values: view for view in views if view is not box and box.is_around(view)}
    return sum(len(text) for view in inner.values() for text in view.texts) >= FILL * sum(map(len, box.texts))


FILL = 0.5
"""Share of a box's text from which its parts say all that it says."""


def _precedes(box: View, one: View, other: View) -> bool:
    """Whether the box that holds both has one of them before the other, in all records."""
    triples = zip(box.values, one.values, other.values, strict=True)
    known = [(a, b, c) for a, b, c in triples if a and b and c]
    return bool(known) and all(b in a and c in a and a.index(b) < a.rindex(c) for a, b, c in known)


_NUMERALS = re.compile(r"[\W_]*\d[\d\s.,:/%#-]*\D{0,3}")


def _is_known(piece: View, run_of: Sequence[Field]) -> bool:
    """Whether the texts are of a kind that a field of its own type would have: dates, figures, sums of money.

    A code, a telephone number and a time of day are such figures too.
    """
    wants = {concept for field in run_of for word in tokens(field.name) for concept in concepts(word)}
    if wants & {"code", "phone", "duration", "date", "size", "version", "points", "rank"}:
        return False
    return piece.share(_is_figure) >= 0.8


def _is_figure(text: str) -> bool:
    return bool(_NUMERALS.fullmatch(text)) or is_date(text)


def _is_value(piece: View) -> bool:
    """Whether the records have it, in more than one form, and it says something."""
    said = sum(re.search(r"[^\W_]", text) is not None for text in piece.texts)
    return said >= FILLED * len(piece.values) and len(piece.counts) > 1
