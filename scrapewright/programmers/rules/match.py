"""How well a view of a slot serves a field: by name, by type, by example, by where the request says it is.

In: fields and views. Out: every match of one with the other that can be, the best first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.ops import Lookup, Search, Trim
from scrapewright.programmers.rules.pairs import Pair, alike, is_code, pair
from scrapewright.programmers.rules.view import BARE_SUM, FRACTION, LINKED, PRICED, YEAR, View, says_nothing
from scrapewright.query.fields import Said
from scrapewright.query.lexicon import concepts, singular, tokens
from scrapewright.query.numerals import numerals
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set
from scrapewright.survey.values import is_date


class Match(msgspec.Struct, frozen=True):
    """A view that can serve a field, with the steps that make it the field's type."""

    field: Field
    view: View
    made: Fit
    score: float
    """0.0 where nothing but its likelihood among the record's places speaks for it."""
    name: float
    """How alike the names are, 0.0 to 1.0."""


PINNED = 6.0
"""The score of a match that a person decided on: more than any other has."""


def matched(field: Field, view: View, score: float = 0.0, name: float = 0.0) -> Match | None:
    """The match by itself, whatever else could serve the field; None where the view can't be made the field's type."""
    made = pair(field, view).fitting
    return Match(field, view, made, score, name) if made is not None else None


def pinned(field: Field, view: View) -> Match | None:
    """The match of a field with the view that a person decided on; None where it can't be made the field's type."""
    return matched(field, view, PINNED, 1.0)


SMALLER, MIXED = 0.2, 2.0
"""How much less a box is liked for a number than an element in it that has one, too; where it has several numbers."""


def weighed(fields: Sequence[Field], found: Sequence[View]) -> list[Match]:
    """Every match of a field with a view that can serve it, best first."""
    mixed = composites(found)
    place = {id(view): at for at, view in enumerate(found)}
    options: list[Match] = []
    for field in fields:
        named = _is_name_of_one(field)
        scored = [match for view in found if (match := score(field, view)) is not None]
        leaves = [match for match in scored if named and _is_leaf(match, mixed)]
        for match in scored:
            view = match.view
            less = 0.7 if id(view) in mixed and field.type == "text" and match.name < 0.9 else 0.0
            if id(view) in mixed and field.type == "text" and not view.slot.selector and match.name >= 0.6:
                less = 2.5  # the record's own name is none of its values'
            if any(leaf.name > match.name - 0.26 and _gives_way(match, leaf) for leaf in leaves):
                less = 1.2
            of_number = field.type in ("int", "float") and not view.ops
            if of_number and any(view.is_around(other.view) for other in scored if not other.view.ops):
                less += MIXED if any(len(list(numerals(text))) > 1 for text in view.counts) else SMALLER
            options.append(replace(match, score=match.score - (less + 0.001 * place[id(view)])))
    options.sort(key=lambda match: -match.score)
    return options


_ONE_THING = frozenset(("title", "author", "brand", "company", "category", "version", "status", "code"))
_SPREAD = frozenset(("text", "description", "address", "location"))


def _is_name_of_one(field: Field) -> bool:
    """Whether the field holds a name, and no text that goes on through several elements."""
    wants = field.said.concepts
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
    if box.headline or "[itemprop=" in box.slot.selector:
        linked = leaf.view.headline and leaf.view.distinct >= 0.8 * box.distinct
        return linked and sum(map(len, leaf.view.texts)) >= 0.4 * sum(map(len, box.texts)) and _holds(box, leaf.view)
    return _holds(box, leaf.view)


def _holds(box: View, leaf: View) -> bool:
    """Whether a place's text is the other's and more: a box around the value, with its label or with other values."""
    if box.value or box.slot.attr != "text" or box.slot.many or len(box.values) != len(leaf.values):
        return False
    pairs = [(a, b) for a, b in zip(box.values, leaf.values, strict=True) if a and b]
    more = sum(len(b) < len(a) for a, b in pairs)
    return len(pairs) >= 0.6 * len(box.texts) and 2 * more >= len(pairs) > 0 and all(b in a for a, b in pairs)


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


def floor(field: Field) -> float:
    """Below this a column is better left out than filled with something else."""
    return {"text": 1.5, "list": 2.0, "url": 1.8, "date": 1.8, "datetime": 1.8}.get(field.type, 1.6)


def score(field: Field, view: View) -> Match | None:
    """The match of a field and a view, or None where the view's values can't be made the field's type."""
    if field not in view.scores:
        view.scores[field] = _scored(field, view)
    found: Match | None = view.scores[field]
    return found


def _scored(field: Field, view: View) -> Match | None:
    texts, said, both = view.texts, field.said, pair(field, view)
    if not texts or (view.place[:1] == ("example",) and view.place[1] != field.name):
        return None
    marks_say = field.type == "bool" or ("currency" in view.names and not _CURRENCY.isdisjoint(said.words))
    if view.share(says_nothing) > 0.5 and not marks_say:
        return None
    if (view.coded and not said.takes_codes) or (view.cut and not _takes_rest(both)):
        return None
    if view.slot.attr == "href" and field.type in ("int", "float") and not (said.takes_codes or "year" in said.words):
        return None  # an address has numbers of its own
    wants = said.concepts
    if field.type == "url" and "url" in wants and "image" not in wants and view.share(_PICTURE) > 0.8:
        return None  # what a record looks like is not where it is
    made = both.made
    if made is None:
        return None
    looked_up = field.type != "bool" and any(isinstance(op, Lookup) for op in made.ops)
    if looked_up and view.slot.attr != "class" and "rating" not in wants:
        return None
    name = both.likeness
    value = _type_score(both) + both.look
    if field.type == "bool" and name < 0.3:
        return None  # a yes or no to another question
    if len(view.values) == 1 and name < 0.3 and value < 1.2 and field.type in ("text", "int", "float", "list"):
        return None  # nothing but its place on the page speaks for the one value
    total = 3.0 * name + value + 0.6 * view.coverage + 0.8 * made.share + 2.0 * both.example
    if not view.slot.selector and any(isinstance(op, Search) for op in view.ops):
        total -= 0.3  # rather out of a smaller place than out of the record
    total += both.said - view.cost - 0.25 * view.depth
    if field.type in ("text", "url") and wants & {"title", "url"} and view.coverage > 0.9:
        total += 0.5 * view.distinct
    if field.type == "text" and not field.optional and view.coverage < 0.3:
        total -= 1.0  # it may be missing in a record or two, not in most
    if field.type == "text" and (name < 0.3 or "title" in wants) and len(texts) > 2 and len(view.counts) == 1:
        total -= 2.4  # "Agenda", "Read more": what all records say names none of them, and is a label
    repeats = wants & {"brand", "category", "stock", "status", "region"}
    if field.type == "text" and view.distinct < 0.15 and len(texts) > 4 and not repeats:
        total -= 0.5
    return Match(field=field, view=view, made=made, score=total, name=name)


def _takes_rest(both: Pair) -> bool:
    """Words that all texts share belong to them ("Item A"), unless the request says that they are to be left off.

    The field's own name is a label where figures are all that follows it ("Lot 12").
    """
    view, said = both.view, both.field.said
    if both.place > 0 or (both.field.type == "text" and view.cut and view.cost < 0):
        return True
    called = tuple(map(singular, view.cut)) == tuple(map(singular, said.words))
    called = called or ("phone" in said.concepts and all("phone" in concepts(word) for word in view.cut))
    return called and view.place == () and all(re.fullmatch(r"[\W\d]*\d[\W\d]*", text) for text in view.texts)


_CURRENCY = word_set("currency wahrung devise moneda valuta moeda waluta mena")
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|ico)(?:[?#]|$)", re.I).search
_OF_FEED = re.compile(r"rel=\"(replies|edit|self|hub|service|related|license)\"")
"""Links of a feed's entry that do not lead to what it is of."""
_LETTER = re.compile(r"\W*\w\W*")
_YEARLY = re.compile(r"\b(?:19|20)\d\d\b")
_SUMS = frozenset(("price", "oldprice", "salary", "total", "discount"))
_MEASURED = re.compile(r"\d\s?(?:m²|m2|km|kg|kw)(?!\w)", re.I)


def _type_score(both: Pair) -> float:
    """Whether the values look like the thing: a price has a currency, a link is in href."""
    field, view, said = both.field, both.view, both.field.said
    slot, texts = view.slot, view.texts
    wants, kind = said.concepts, field.type
    if view.is_vocabulary_key:
        return -2.0
    if kind == "url":
        if slot.many:
            return -1.2
        if "image" in wants:
            return 1.0 if slot.attr in ("src", "data-src") or "image" in view.names else -0.5
        if _OF_FEED.search(slot.selector) and said.all.isdisjoint(_OF_FEED.findall(slot.selector)):
            return -0.6
        good = slot.attr == "href" or slot.type == "url"
        return (0.8 if good else -0.3) + 0.8 * _in_address(said, texts)
    if kind in ("int", "float"):
        if slot.attr in ("href", "src", "id", "class") and not view.slot.vocabulary:
            return -0.6
        total = 0.0
        priced = view.share(PRICED.search)
        if "price" in wants:
            total += 1.2 * priced if priced else (0.2 if slot.type in ("float", "int") else -0.3)
            total -= 0.0 if priced else 1.5 * view.share(_MEASURED.search)
        elif priced:
            total -= 0.8
        if view.ops:
            total -= min(0.2, 0.002 * max(map(len, map(str, slot.samples)), default=0))  # the smallest box will do
        bare = sum(len(text) <= 24 for text in texts) / len(texts)
        total += 0.5 * bare - 0.4 * (1 - bare)
        if "year" in said.words and not any(len(text) == 4 or YEAR.search(text) for text in texts):
            total -= 1.5
        if kind == "int" and any(map(FRACTION.search, texts[:20])):
            total -= 0.6
        if slot.type in ("date", "datetime"):
            total -= 0.6
        former = "price" in wants and any(map(_FORMER.intersection, map(tokens, slot.names)))
        if former and not _FORMER & said.all:
            total -= 0.8
        if both.numbers_records:
            total -= 2.0
        return total
    if kind in ("date", "datetime"):
        short = sum(len(text) <= 40 for text in texts) / len(texts)
        total = 0.9 + 0.3 * short + (0.2 if slot.attr == "datetime" else 0.0)
        return total - (0.6 if slot.attr in ("href", "src", "id") else 0.0)
    if kind == "list":
        return 1.0 if slot.many else 0.0
    if kind == "bool":
        return 0.6
    if slot.many and kind == "text":
        last = said.words[-1] if said.words else ""
        return (0.3 if not wants and singular(last) != last else -0.4) if slot.attr == "text" else -2.5
    if slot.attr in ("href", "src", "id", "class"):
        return -1.2 if slot.attr != "class" and not view.ops else -0.6
    if slot.above and view.share(_LETTER.fullmatch) > 0.6:
        return -3.0  # the letters of a directory
    if slot.above and wants & {"title"} and not said.notes_heading:
        return -0.8 - 1.5 * view.share(is_date) - (1.0 if view.ops else 0.0)
    linked = view.share(LINKED.match)
    if slot.type == "url" or linked > 0.6:
        return -0.8
    if "version" in said.words:
        return 0.7 * view.share(_VERSIONED.fullmatch)
    if wants & {"code"}:
        return 0.6 * view.share(is_code)
    total = -0.1 if slot.attr in ("head", "tail") else 0.0
    if slot.attr.startswith("data-") and alike(said.words, tokens(slot.attr)[1:]) < 0.6:
        total -= 0.4  # it bears the name of its element, whose text is what is shown
    if not wants & _SUMS:
        total -= 1.5 * view.share(BARE_SUM.fullmatch)
    mean = sum(map(len, texts)) / len(texts)
    called = view.cost < 0  # what follows a label, a dash or "by"
    plain = called or all(isinstance(op, Trim) and op.prefix.endswith(":") for op in view.ops)
    if wants & {"title", "author", "brand", "category"} and plain:
        total += 0.3 if slot.type == "text" and 2 <= mean <= 140 else -0.2
    shaped = any(isinstance(op, Search) for op in view.ops) and "example" not in view.place and not called
    if wants and not wants & {"code", "rank", "version", "size"} and shaped:
        total -= 0.7
    if shaped and view.names == ("year",) and "year" not in said.words:
        total -= 1.0
    if wants & {"title"} and not view.ops and view.headline:
        total += 0.3
    if wants & {"title"} and view.coverage < 0.6 and not field.optional:
        total -= 1.2  # what a record is called is seldom left out
    if wants & {"text", "description"}:
        total += min(mean, 200) / 400
    if wants & {"title", "author", "brand", "category", "company"}:
        total -= 1.5 * view.share(is_date)
    if wants & {"author"}:
        total -= 0.8 * view.share(_YEARLY.search)
    if wants & {"title"} and not wants & {"code"}:
        total -= 0.6 * view.share(is_code)
    if slot.type in ("int", "float", "date", "datetime") and wants & {"title", "author", "text", "brand", "category"}:
        total -= 0.6
    return total


_FORMER = word_set("old was before strike struck regular original list previous crossed rrp msrp uvp former del")


def _in_address(said: Said, texts: list[str]) -> float:
    """The share of the links whose addresses say what they are asked for."""
    return sum(not said.in_address.isdisjoint(_WORDS.split(text.lower())) for text in texts) / len(texts)


_WORDS = re.compile(r"[\W_]+")
_VERSIONED = re.compile(r"\D{0,24}\b[vV]?\d+(?:[._]\w+)+(?:[-+~]?\w+)*")
