"""The places that could serve a column, with how likely each is, and what a weak model that copies values says of them.

In: a candidate (records, and the place chosen for each column) and what a person decided. Out: for a column its offers,
the likeliest first, and for all columns together how likely the choice is right. The model is shown one or two records,
and copies for each column the value that it takes for the column's. Where that is what the rules' place gives, and no
other place gives it, the place is decided; where it is another place's, a person is to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.decisions import read_example, same_text
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import Place, converted, option_id
from scrapewright.programmers.rules.ops import Trim
from scrapewright.programmers.rules.pairs import Context, likelihoods, pair
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import LINKS, View
from scrapewright.query.reading import Field, FieldType, Reading
from scrapewright.session.questions import SURE, Copied, Decision
from scrapewright.survey.model import Survey

EMPTY: tuple[Any, ...] = (None, "", [])
"""What a column holds where a record has no value."""


CALLED = 0.85
"""Likeness of names from which on a place is called as the column is, where nobody is there to be asked."""
SHARED = 0.8
"""A heading above several records is a column of each at most as likely as this, unless it is called so: the fit saw
few of them."""
TAKEN = 0.95
"""How much less likely a place is one column's where it is another's for certain."""
LIKELIER = 2.0
"""How much likelier another place is than the guess where it is taken in its stead."""
ROUNDS = 4
RECORDS = 3
"""Records that must be alike for what they call a place to be their name for it."""


class Offer(msgspec.Struct, frozen=True):
    """A view that can be offered for a column, with the values that the column would hold."""

    view: View
    made: Fit
    place: Place
    values: tuple[Any, ...]
    field: Field
    """The column, as the type that the values have."""
    likelihood: float = 0.0
    kind: FieldType | None = None
    """That type, where it is not the column's first guess."""

    @property
    def id(self) -> str:
        """What the offer is chosen by."""
        return option_id(self.view, self.place, self.kind)


def context_of(field: Field, chosen: Candidate) -> Context:
    """What the other columns of a candidate say of a column."""
    guesses = chosen.matches if chosen.guesses is None else chosen.guesses
    match = guesses.get(field.name)
    others = (other.view.values for name, other in guesses.items() if name != field.name)
    led = match is not None and match.score > 0
    return Context(match.view.values if match is not None and led else None, frozenset(others))


def column_offers(field: Field, match: Match | None, chosen: Candidate, alike: Sequence[Candidate]) -> list[Offer]:
    """The views that a person can choose from: the best guess, then the others, the likeliest first.

    Views that give the same values are one offer (of a list a whole place rather than a part of one), as likely as all
    of them; one that has some of the values of another, and no others, is none.
    """
    offers: dict[tuple[Any, ...], Offer] = {}
    context = context_of(field, chosen)
    variants = field.variants
    own = _variant_of(match, variants) if match is not None else None
    for variant, share_of_type in variants:
        kind = variant.type if variant.type != field.type else None
        found = _places(variant, match if variant is own else None, chosen, alike)
        likely = likelihoods(variant, [(view, made) for view, made, _ in found], context)
        for (view, made, place), share in zip(found, likely, strict=True):
            typed = pair(variant, view).typed
            values = tuple(converted(typed, view, made, place))
            if any(value not in EMPTY for value in values):
                shown, weight = _as_shown(values), share_of_type * share
                known = offers.get(shown) or Offer(view, made, place, values, typed, kind=kind)
                of_guess = match is not None and known.view is match.view
                if chosen.group.count > 1 and known.view.ops and not (view.ops or of_guess):
                    known = Offer(view, made, place, values, typed, known.likelihood, kind)
                offers[shown] = replace(known, likelihood=known.likelihood + weight)
    guess = offers.get(_as_shown(_known(match, chosen).values if match is not None else ()))
    ordered = sorted(offers.values(), key=lambda offer: (offer is not guess, -offer.likelihood))
    return [one for one in ordered if one is guess or not any(_is_part(one, other) for other in ordered)]


def _as_shown(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values so that those which look alike are equal: 14 is 14.0, but True is not 1."""
    return tuple((type(value), repr(value)) if isinstance(value, bool | list) else value for value in values)


def _variant_of(match: Match, variants: Sequence[tuple[Field, float]]) -> Field:
    """The column as the type that its best guess was read as: the first, unless only another gives that type."""
    first = variants[0][0]
    if pair(first, match.view).typed.type == match.field.type:
        return first
    return next((variant for variant, _ in variants if variant.type == match.field.type), first)


def _places(
    field: Field, match: Match | None, chosen: Candidate, alike: Sequence[Candidate]
) -> list[tuple[View, Fit, Place]]:
    """The places that can be made the field's type: the best guess, then the others."""
    found = [(match.view, match.made, chosen.place)] if match is not None else []
    for candidate in alike:
        place = candidate.place
        for view in place.every_view(field):
            if view.texts and (candidate is chosen or view.detail) and not (match is not None and view is match.view):
                made = pair(field, view).fitting
                found += [(view, made, place)] if made is not None else []
    return found


def _is_part(one: Offer, other: Offer) -> bool:
    """Whether it has fewer of the same values: what the other has, but in some records."""
    if one is other or not 1 < len(one.values) == len(other.values) or one.view.detail != other.view.detail:
        return False
    if any(a != b and a not in EMPTY for a, b in zip(one.values, other.values, strict=True)):
        return False
    longer = other.view.ops and not (one.view.ops and one.view.slot == other.view.slot)
    if longer or other.view.is_around(one.view):
        return False  # the other has it out of a longer text, and may have another one where this has none
    return one.values != other.values


def ranked_groups(
    query: Reading, survey: Survey, reader: Reader, choice: int = 0, decisions: Sequence[Decision] = ()
) -> list[Candidate]:
    """The groups as `candidates` ranks them, the first and the one of `choice` with their likeliest places."""
    found = candidates(query, survey, reader, choice, decisions)
    for at in {0, choice} & {*range(len(found))}:
        found[at] = with_likeliest(found[at], found)
    return found


def same_records(chosen: Candidate, ranked: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of the same group in which as much is as a person decided."""
    return [one for one in ranked if one.group.id == chosen.group.id and one.lost == chosen.lost]


def with_likeliest(chosen: Candidate, ranked: Sequence[Candidate]) -> Candidate:
    """The candidate with the likeliest place for each column that nobody decided, where it is likelier by far than what
    names and types lead to: on a page about one thing, whose places repeat nothing that would tell columns apart."""
    if chosen.group.count > 1 or any(view.rough for view in chosen.place.offered):
        return chosen
    alike = same_records(chosen, ranked)
    open_ = [field for field in chosen.fields if ("column", field.name) not in chosen.decided]
    offers = {field.name: column_offers(field, chosen.matches.get(field.name), chosen, alike) for field in open_}
    known = [_known(match, chosen) for name, match in chosen.matches.items() if name not in offers]
    better: dict[str, Match] = {}
    for name, found in exclusive(offers, known).items():
        top = max(found, key=lambda offer: offer.likelihood, default=None)
        if (match := chosen.matches.get(name)) is None or top is None or top.view is match.view:
            continue
        guess = next((offer.likelihood for offer in found if offer.view is match.view), 0.0)
        if top.likelihood < LIKELIER * guess or top.place is not chosen.place:
            continue
        better[name] = Match(top.field, top.view, top.made, score=0.0, name=pair(top.field, top.view).likeness)
    return replace(chosen, matches=chosen.matches | better, guesses=chosen.matches) if better else chosen


class Open(NamedTuple):
    """A column of which nobody decided the place: what can be offered for it, the best guess first, and how likely that
    is the right one."""

    field: Field
    offers: list[Offer]
    likelihood: float
    alone: float = 0.0
    """How likely the guess is where the other columns' places are left aside."""
    called: float = 0.0
    """How alike the guess's own name and the column's are, where nothing else is called so; else 0.0."""

    @property
    def outright(self) -> bool:
        """The records call the whole of a place in the column's own words, and nothing else is likelier: there is
        nothing to ask. (Of parts of a place that is called so one in five is another column.)"""
        view = self.offers[0].view
        whole = _is_whole(view) and (view.slot.attr not in LINKS or self.field.type == "url")
        return whole and self.called >= 1.0 and self.likelihood >= 0.5

    @property
    def confidence(self) -> float:
        """How sure to be of it where nobody is there to be asked."""
        return max(SURE, self.likelihood) if self.called >= CALLED else max(self.alone, self.likelihood)


def _is_whole(view: View) -> bool:
    """Whether a place is read whole, but for a mark before it. Whether a running number belongs to it is asked."""
    return all(isinstance(op, Trim) for op in view.ops) if view.bare else not view.ops


def undecided(ranked: Sequence[Candidate]) -> list[Open]:
    """The columns of the first candidate that nobody decided, or of which only the places shown so far were refused, in
    the request's order."""
    chosen = ranked[0]
    alike = same_records(chosen, ranked)
    offers: dict[str, list[Offer]] = {}
    known: list[Offer] = []
    for field in chosen.query.fields:
        match = chosen.matches.get(field.name)
        decided = chosen.decided.get(("column", field.name))
        if decided is None or decided.leaves_more:
            offers[field.name] = column_offers(field, match, chosen, alike)
        elif match is not None:
            known.append(_known(match, chosen))
    alone = offers
    offers = exclusive(offers, known)
    found = []
    for field in chosen.query.fields:
        if field.name in offers:
            match, own = chosen.matches.get(field.name), offers[field.name]
            likely = _confidence(match, own)
            found.append(Open(field, own, likely, _confidence(match, alone[field.name]), _called(field, match, own)))
    return found


def _known(match: Match, chosen: Candidate) -> Offer:
    """What a column was decided to be."""
    return Offer(match.view, match.made, chosen.place, tuple(chosen.place.values(match)), match.field)


def exclusive(offers: Mapping[str, Sequence[Offer]], known: Sequence[Offer] = ()) -> dict[str, list[Offer]]:
    """The offers of each column, likelier by as much as other columns leave them: a place serves one column as a rule.

    The marginals of an assignment, by mean field: what is likely another column's is unlikely this one's, and the more
    so the surer the other is. Two places that give the same numbers are one, too; `known` are those that other columns
    were decided to be. The first offer, the best guess, stays first.
    """
    numbers: dict[tuple[Any, ...], int] = {}

    def number(offer: Offer) -> int:
        at = numbers.setdefault(offer.view.values, len(numbers))
        figures = {value for value in offer.values if isinstance(value, int | float) and not isinstance(value, bool)}
        return numbers.setdefault(("figures", *offer.values), at) if len(figures) > 1 else at

    texts = {name: [number(offer) for offer in found] for name, found in offers.items()}
    decided = [number(offer) for offer in known]
    own = {name: [offer.likelihood for offer in found] for name, found in offers.items()}
    now = own
    for _ in range(ROUNDS):
        left = dict.fromkeys(decided, 1.0 - TAKEN)
        for name, own_texts in texts.items():
            for text, share in zip(own_texts, now[name], strict=True):
                left[text] = left.get(text, 1.0) * (1.0 - TAKEN * share)
        after: dict[str, list[float]] = {}
        for name, own_texts in texts.items():
            mine = dict.fromkeys(own_texts, 1.0)
            for text, share in zip(own_texts, now[name], strict=True):
                mine[text] *= 1.0 - TAKEN * share
            weights = [share * left[text] / mine[text] for text, share in zip(own_texts, own[name], strict=True)]
            total = sum(weights) + max(0.0, 1.0 - sum(own[name]))
            after[name] = [weight / total if total else 0.0 for weight in weights]
        now = after
    out: dict[str, list[Offer]] = {}
    for name, found in offers.items():
        new = [replace(offer, likelihood=p) for offer, p in zip(found, now[name], strict=True)]
        out[name] = new[:1] + sorted(new[1:], key=lambda offer: -offer.likelihood)
    return out


def _called(field: Field, match: Match | None, offers: Sequence[Offer]) -> float:
    """How alike the names of a list's guess and of the column are, where nothing else is called so and it is no
    box around other values; else 0.0. Of guesses called alike nine in ten are right."""
    if match is None or len(match.view.values) < RECORDS or match.view.slot.above or not offers:
        return 0.0
    same = {match.view.slot.id} if _is_whole(match.view) else set()
    found = [offer.view for offer in offers[1:] if not offer.view.ops and offer.view is not match.view]
    others = [view for view in found if view.slot.id not in same]
    alone = all(pair(field, view).likeness < match.name - 0.1 for view in others)
    box = match.name < 1.0 and any(match.view.is_around(view) for view in others)
    return match.name if alone and not box else 0.0


def _confidence(match: Match | None, offers: Sequence[Offer]) -> float:
    """How likely the best guess is right."""
    if match is None or not offers:
        return 0.0
    shared = match.view.slot.above and match.name < 1.0
    return min(SHARED if shared else 1.0, offers[0].likelihood)


# what a weak model copies out of records, and what that says of the places

SHOWN = 2
AMONG = 12
"""Records that are shown, and the first ones that they are chosen from: those with most values."""
LINES = 30
CHOICES = 9
"""Values of a column that may be copied, of each record."""
CHARACTERS = 120
"""Of a value: more is not needed to tell it from others."""
DIFFERS = 0.5
"""How likely a place is at most that the model says is another one."""


class Shown(msgspec.Struct, frozen=True):
    """One record: its number from 0, and (name, value) of each of its places."""

    number: int
    lines: tuple[tuple[str, str], ...]


class Sheet(msgspec.Struct, frozen=True):
    """What a model copies from: the records, and for each column that is not certain the values of each of them that it
    could have, in page order."""

    records: tuple[Shown, ...]
    choices: dict[str, tuple[tuple[str, ...], ...]]


def sheet(query: Reading, survey: Survey, reader: Reader, decisions: Sequence[Decision]) -> Sheet | None:
    """None where there are no records, or every column is certain or has one value that it could have."""
    ranked = ranked_groups(query, survey, reader, 0, decisions)
    if not ranked:
        return None
    place = ranked[0].place
    open_ = [one for one in undecided(ranked) if _asks(one)]
    numbers = _fullest(ranked[0])
    choices = {one.field.name: tuple(_choices(one, number, place) for number in numbers) for one in open_}
    choices = {name: texts for name, texts in choices.items() if any(len(some) > 1 for some in texts)}
    if not choices:
        return None
    return Sheet(tuple(Shown(number, tuple(_lines(place, number))) for number in numbers), choices)


def _asks(one: Open) -> bool:
    """Not of what is called as the column is, nor of what is behind a link: that is not shown."""
    return bool(one.offers) and not one.outright and not one.offers[0].view.detail


def shown(text: str) -> str:
    """A value as the model sees it."""
    return " ".join(text.split())[:CHARACTERS].strip()


def _at(view: View, number: int) -> str:
    return shown(view.values[number] or "") if number < len(view.values) else ""


def _fullest(chosen: Candidate) -> list[int]:
    count = max((len(view.values) for view in chosen.views if not view.detail), default=0)
    own = [view for view in chosen.views if not (view.ops or view.detail)]
    held = {number: len({_at(view, number) for view in own} - {""}) for number in range(min(count, AMONG))}
    return sorted(sorted(held, key=lambda number: -held[number])[:SHOWN])


def _lines(place: Place, number: int) -> list[tuple[str, str]]:
    """The record's places with their names; what holds two values of others or more is left out."""
    found: dict[str, str] = {}
    for view in place.offered:
        text = _at(view, number)
        if text and not view.ops and not view.detail:
            slot = view.slot
            names = (*view.names, slot.header, slot.label, *slot.names)
            found.setdefault(text, shown(next((name for name in names if name), "")) or "text")
    alone = [text for text in found if sum(other in text for other in found if other != text and len(other) > 2) < 2]
    return [(found[text], text) for text in alone[:LINES]]


def _choices(one: Open, number: int, place: Place) -> tuple[str, ...]:
    """The likeliest values, in the order of the page, which does not show which is likelier."""
    likely = [offer for offer in one.offers if not offer.view.detail]
    texts = list(dict.fromkeys(text for offer in likely if (text := _at(offer.view, number))))[:CHOICES]
    order = {_at(view, number): at for at, view in reversed(list(enumerate(place.offered)))}
    return tuple(sorted(texts, key=lambda text: order.get(text, len(order))))


def weighed(one: Open, copied: Sequence[Copied]) -> Open | None:
    """The column with what the model copied for it: None where the two agree, which decides it; where they differ, both
    places come first, and the guess is no longer sure. What fits no place, or several, says nothing.
    """
    same = _giving(one, copied) if _asks(one) else []
    guess = [one.offers[0]] if one.likelihood else []
    if not same:
        return one
    if guess and same[0] is guess[0]:
        return None if len(same) == 1 else one
    rest = [offer for offer in one.offers if offer not in same and offer not in guess]
    return one._replace(
        offers=[*guess, *same, *rest],
        likelihood=min(one.likelihood, DIFFERS),
        alone=min(one.alone, DIFFERS),
        called=0.0,
    )


def filled(
    query: Reading, survey: Survey, reader: Reader, decisions: Sequence[Decision], copied: Sequence[Copied]
) -> tuple[Decision, ...]:
    """The places of what was copied for columns that the rules would leave empty. They are no surer by that."""
    ranked = ranked_groups(query, survey, reader, 0, decisions)
    if not ranked or not copied:
        return ()
    found = []
    for one in undecided(ranked):
        same = _giving(one, copied)
        if same and one.field.name not in ranked[0].matches:
            found.append(Decision("column", one.field.name, option=same[0].id))
    return tuple(found)


def _giving(one: Open, copied: Sequence[Copied]) -> list[Offer]:
    """The offers that give every record what was copied for the column; none where nothing was."""
    said = [c for c in copied if c.column == one.field.name]
    return [offer for offer in one.offers if all(_gives(offer, c, one.field) for c in said)] if said else []


def _gives(offer: Offer, copied: Copied, field: Field) -> bool:
    """Whether the place gives the record what was copied, as the page has it or as the column would."""
    if copied.record >= len(offer.values):
        return False
    if same_text(_at(offer.view, copied.record), copied.text):
        return True
    value = offer.values[copied.record]
    return value not in EMPTY and value == read_example(copied.text, field, offer.view.language)
