"""Gives each field the place that serves it best, and no place to two fields unless nothing else serves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from scrapewright.programmers.rules.figures import first_number
from scrapewright.programmers.rules.match import Match, headline, score
from scrapewright.programmers.rules.ops import Trim
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import concepts, tokens
from scrapewright.query.reading import Field
from scrapewright.survey.numerals import numerals


def assign(
    fields: Sequence[Field], found: Sequence[View], language: str = "", pinned: Mapping[str, Match] | None = None
) -> dict[str, Match]:
    """One match for each field that can have one: best first, each view once unless nothing else serves.

    `pinned` are matches that a person decided on: they stay as they are, and their views are taken.
    """
    pinned = dict(pinned or {})
    mixed = composites(found)
    place = {id(view): at for at, view in enumerate(found)}
    for match in pinned.values():
        place.setdefault(id(match.view), _nearest(match.view, found))
    options = weighed([field for field in fields if field.name not in pinned], found, language, fields)
    taken = _greedy(options, pinned)
    settled = {name: match for name, match in taken.items() if match.name >= 0.6}
    if len(settled) < len(taken):
        order = {field.name: at for at, field in enumerate(fields)}
        nudged = [_nudged(match, settled, order, place) for match in options if match.field.name not in settled]
        nudged.sort(key=lambda match: -match.score)
        taken = _greedy(nudged, settled)
    _fill_gaps(fields, options, taken, place, mixed)
    _fill_title(fields, options, taken)
    _fill_untyped(fields, found, taken, language)
    _fill_heading(fields, options, taken)
    for match in options:
        if match.field.name not in taken and match.score >= floor(match.field) + 0.8 and match.name > 0.3:
            same = (other for other in taken.values() if _key(other.view) == _key(match.view))
            if all(other.field.type != match.field.type for other in same):
                taken[match.field.name] = match
    return taken


def weighed(
    fields: Sequence[Field], found: Sequence[View], language: str = "", others: Sequence[Field] = ()
) -> list[Match]:
    """Every match of a field with a view that can serve it, best first. `others` are all fields of the request."""
    mixed = composites(found)
    place = {id(view): at for at, view in enumerate(found)}
    options: list[Match] = []
    borrowed: dict[int, bool] = {}
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
                if id(view) not in borrowed:
                    borrowed[id(view)] = _borrows(view, found)
                less += 2.0 if borrowed[id(view)] or _named_for_another(field, others or fields, view) else 0.0
            options.append(match.lowered(less + 0.001 * place[id(view)]))
    options.sort(key=lambda match: -match.score)
    return options


_ONE_THING = frozenset(("title", "author", "brand", "company", "category", "version", "status", "code"))
_SPREAD = frozenset(("text", "description", "address", "location"))


def _is_name_of_one(field: Field) -> bool:
    """Whether the field holds a name, and no text that goes on through several elements."""
    wants = frozenset().union(*(concepts(word) for word in tokens(field.name)))
    return field.type == "text" and (not wants or bool(wants & _ONE_THING)) and not wants & _SPREAD


def _is_leaf(match: Match, mixed: set[int]) -> bool:
    view = match.view
    plain = not (view.ops or view.slot.own or view.slot.many) and view.slot.attr == "text" and id(view) not in mixed
    plain = plain and not view.slot.selector.startswith("^ ")  # a heading is above the record, not in it
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


def _greedy(options: Sequence[Match], start: dict[str, Match]) -> dict[str, Match]:
    taken = dict(start)
    used = {_key(match.view) for match in taken.values()}
    for match in options:
        if match.field.name in taken or _key(match.view) in used or match.score < floor(match.field):
            continue
        if _is_rest(match, taken):
            continue
        taken[match.field.name] = match
        used.add(_key(match.view))
    return taken


def _is_rest(match: Match, taken: dict[str, Match]) -> bool:
    """Whether it is all of a text of which another field has a part, and nothing but that speaks for it."""
    if match.view.ops or match.field.type != "text" or match.name >= 0.6:
        return False
    same = (other for other in taken.values() if other.view.slot.id == match.view.slot.id)
    return any(other.view.ops and other.view.detail == match.view.detail for other in same)


def _key(view: View) -> tuple[str, bool, str]:
    return view.slot.id, view.detail, repr(view.ops)


def _nearest(view: View, found: Sequence[View]) -> int:
    """The position among `found` of a view that is none of them: with the other views of its slot, else at the end."""
    same = (at for at, other in enumerate(found) if other.slot.selector == view.slot.selector)
    return next(same, len(found))


def _nudged(match: Match, settled: dict[str, Match], order: dict[str, int], place: dict[int, int]) -> Match:
    """Requests tend to list fields in the page's order: a place out of that order counts a little less."""
    mine, at = order[match.field.name], place[id(match.view)]
    wrong = 0
    for name, other in settled.items():
        if other.view.detail == match.view.detail and other.view.slot.id != match.view.slot.id:
            wrong += (order[name] < mine) != (place[id(other.view)] < at)
    return match.lowered(0.35 * min(wrong, 2))


def _fill_gaps(
    fields: Sequence[Field], options: Sequence[Match], taken: dict[str, Match], place: dict[int, int], mixed: set[int]
) -> None:
    """Fields without a place, between two that have one, get what is between those two, if there is just enough.

    Before the first and behind the last one too, where it is all of the record that is left.
    """
    used = {match.view.slot.id for match in taken.values() if not match.view.ops}
    parted = {match.view.slot.id for match in taken.values() if match.view.ops}
    at = 0
    while at < len(fields):
        run = at
        while run < len(fields) and fields[run].name not in taken:
            run += 1
        gap = fields[at:run]
        left = _place_of(fields[:at][-1:], taken, place)
        right = _place_of(fields[run : run + 1], taken, place)
        at = run + 1
        edge = left is None or right is None
        left, right = -1 if left is None else left, len(place) if right is None else right
        if not gap or left >= right or (edge and any(_looks_of_its_own(field) for field in gap)):
            continue
        free: dict[str, View] = {}
        for match in options:
            view = match.view
            bare = not view.ops or (view.cost < 0 and not view.names)  # less the dash or "by" before it
            if not bare or view.slot.many or view.slot.id in used or id(view) in mixed or view.slot.attr not in _TEXTS:
                continue
            if not view.ops and (view.slot.id in parted or view.share(_PUNCTUATED.match) > 0.5):
                continue
            if view.coverage < 0.7 or not view.slot.selector or view.slot.own:
                continue
            if edge and (view.detail or len(view.values) < 2):
                continue
            if len(set(view.values)) == 1 and (edge or len(view.values) > 2):
                continue  # a label
            if any(match.view.values == view.values for match in taken.values()):
                continue  # what another field has already, read at another place
            if (edge or left < place[id(view)] < right) and (view.slot.id not in free or view.ops):
                free[view.slot.id] = view
        apart = [view for view in free.values() if not view.slot.own and not left < place[id(view)] < right]
        if len(free) != len(gap) or apart:
            continue
        for field, view in zip(gap, sorted(free.values(), key=lambda view: place[id(view)]), strict=True):
            fitting = [match for match in options if match.field.name == field.name and match.view is view]
            if fitting:
                taken[field.name] = fitting[0]


_TEXTS = ("text", "tail")
_PUNCTUATED = re.compile(r"[.,;:)\]|·-]\s")
"""What is left of a sentence that goes on from an element before it."""
_LOOKS = frozenset(("price", "date", "url", "image", "rating", "phone", "email", "salary", "duration", "oldprice"))


def _looks_of_its_own(field: Field) -> bool:
    """Values of its kind are recognised by their look: what is merely left over is none of them."""
    return any(concepts(word) & _LOOKS for word in tokens(field.name)) and field.type == "text"


def _place_of(fields: Sequence[Field], taken: dict[str, Match], place: dict[int, int]) -> int | None:
    """The position of the one field's value among the record's places; -1 for a heading above the record."""
    found = next((taken[field.name].view for field in fields if field.name in taken), None)
    if found is None:
        return None
    return -1 if found.slot.selector.startswith("^ ") else place[id(found)]


def _fill_title(fields: Sequence[Field], options: Sequence[Match], taken: dict[str, Match]) -> None:
    """What a record is called is seldom left out: the first text field without a place gets it, if it is still free."""
    field = next(
        (field for field in fields if field.type == "text" and field.name not in taken and not field.optional), None
    )
    if field is None:
        return
    used = {match.view.slot.id for match in taken.values() if not match.view.ops and match.field.type == "text"}
    for match in options:
        view = match.view
        if (
            match.field.name != field.name
            or view.ops
            or view.slot.id in used
            or view.slot.type != "text"
            or view.detail
            or any(other.view.values == view.values for other in taken.values())
        ):
            continue
        if view.coverage > 0.9 and view.distinct > 0.8 and view.slot.attr == "text" and headline(view.slot.selector):
            taken[field.name] = match
            return


def _fill_untyped(fields: Sequence[Field], found: Sequence[View], taken: dict[str, Match], language: str) -> None:
    """What a name alone takes for a date or a number is text where the place of that name says something else:
    a production date "350-300 BC (circa)"."""
    for field in fields:
        if field.name in taken or field.typed or field.type not in ("date", "datetime", "int", "float"):
            continue
        text = msgspec.structs.replace(field, type="text")
        whole = [view for view in found if all(isinstance(op, Trim) for op in view.ops)]
        scored = [match for view in whole if (match := score(text, view, language)) is not None]
        best = max(scored, key=lambda match: match.score, default=None)
        if best is not None and best.name >= 0.9 and best.view.slot.attr in _TEXTS and best.view.coverage > 0.5:
            taken[field.name] = best


def _fill_heading(fields: Sequence[Field], options: Sequence[Match], taken: dict[str, Match]) -> None:
    """The one text field without a place gets the heading that the records are under, where there are several."""
    without = [field for field in fields if field.name not in taken]
    if len(without) != 1 or without[0].type != "text" or without[0].optional:
        return
    if any(concepts(word) & _OWN for word in tokens(without[0].name)):
        return
    used = {match.view.slot.id for match in taken.values()}
    for match in options:
        slot = match.view.slot
        if match.field.name != without[0].name or match.view.ops or match.view.detail or slot.id in used:
            continue
        if slot.selector.startswith("^ ") and slot.coverage >= 0.9:
            taken[match.field.name] = match
            return


_OWN = frozenset(("title", "description", "text", "author", "price", "url", "image", "email", "phone", "rating"))
"""What each record has for itself, and shares with none under the same heading."""


def composites(found: Sequence[View]) -> set[int]:
    """The ids of views whose texts hold those of two or more other places: boxes around the values, not values."""
    whole = [view for view in found if not view.ops and view.slot.attr in _TEXTS and not view.slot.many and view.texts]
    whole = [view for view in whole if not view.value]
    mixed = set()
    for box in whole:
        inner: set[tuple[str | None, ...]] = set()
        for other in whole:
            if other is box or other.values == box.values or len(other.values) != len(box.values):
                continue
            pairs = [(a, b) for a, b in zip(box.values, other.values, strict=True) if a and b]
            if len(pairs) >= 0.6 * len(box.texts) and all(len(b) < len(a) and b in a for a, b in pairs):
                inner.add(other.values)
        if len(inner) >= 2:
            mixed.add(id(box))
    return mixed


def _borrows(box: View, found: Sequence[View]) -> bool:
    """Whether the first number of a box is that of a smaller place inside it, which serves as well by itself.

    "Model 300 49 EUR" around "Model 300" has no number of its own to give first.
    """
    if box.slot.attr != "text" or box.slot.many or box.rough:
        return False
    inner = [
        view
        for view in found
        if view is not box and not view.ops and view.slot.attr == "text" and len(view.values) == len(box.values)
    ]
    seen = covered = 0
    for at, text in enumerate(box.values[:_SAMPLE]):
        number = first_number(text) if text else None
        if text is None or number is None or len(list(numerals(text))) < 2:
            continue
        seen += 1
        for view in inner:
            part = view.values[at]
            start = text.find(part) if part and len(part) < len(text) else -1
            if part and 0 <= start <= number.start and number.end <= start + len(part):
                covered += 1
                break
    return covered > 0.5 * seen


def _named_for_another(field: Field, fields: Sequence[Field], view: View) -> bool:
    """Whether the first number of the texts follows the name of another field: "Model 300 490 g" begins with a model.

    Blanks group figures too, so that the number may be read as 300490.
    """
    own = set(tokens(field.name))
    names = {word for other in fields if other is not field for word in tokens(other.name)} - own
    texts = view.texts[:_SAMPLE]
    hits = 0
    for text in texts if names else ():
        number = first_number(text)
        before = tokens(text[: number.start]) if number is not None else ()
        hits += bool(before) and before[-1] in names
    return hits > 0.5 * len(texts)


_SAMPLE = 40
"""Records that are looked at."""


def floor(field: Field) -> float:
    """Below this a column is better left out than filled with something else."""
    return {"text": 1.5, "list": 2.0, "url": 1.8, "date": 1.8, "datetime": 1.8}.get(field.type, 1.6)
