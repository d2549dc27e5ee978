"""Ranks the page's groups by how well they serve the query, with the best place for each field in each of them, and
which of their records are under the heading that the request names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.assign import assign
from scrapewright.programmers.rules.choice import Context, likelihoods
from scrapewright.programmers.rules.decisions import (
    NotFound,
    about_columns,
    pin,
    place_of,
    settled,
    wanted_group,
)
from scrapewright.programmers.rules.group_choice import worth
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import Place, converted, fitted, option_id
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.reconcile import composed, reconciled
from scrapewright.programmers.rules.said import exemplified
from scrapewright.programmers.rules.sale_prices import either, of_two, with_former
from scrapewright.programmers.rules.unsaid_fields import inferred_fields, needed
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import labelled, views
from scrapewright.query.lexicon import concepts, fold, singular, tokens
from scrapewright.query.reading import Field, Reading
from scrapewright.session.questions import NONE, Decision
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group, Slot, Survey
from scrapewright.survey.rank import names_section


class Candidate(msgspec.Struct, frozen=True):
    """A group with the matches of the fields in it (and in the page behind its links)."""

    group: Group
    fields: tuple[Field, ...]
    matches: dict[str, Match]
    """The place of each column."""
    views: tuple[View, ...]
    score: float
    place: Place
    detail: Group | None = None
    hidden: tuple[Field, ...] = ()
    """Fields that rows are sorted or chosen by, and that are not asked for."""
    under: Under | None = None
    """The heading that the records wanted are under, where it is one of several."""
    lost: int = 0
    """Decisions about columns that mean nothing in this group."""
    guesses: dict[str, Match] | None = None
    """The places by their names and types alone, where `matches` has others that are likelier."""

    def values(self, match: Match) -> list[Any]:
        """What a match gives, record by record."""
        return converted(match.field, match.view, match.made, self.place)


LIKELY = 0.25
"""Share of all places' likelihood from which on one is taken for a column that nothing leads to."""
FULL = 0.9
"""Share of the records that have a text for it to be one of those that are left."""
SAME = 0.8
"""Share of the records from which on places that say the same there are one."""
_CLOSE = 1.5
"""Groups this close to the best one are read in full before one is chosen."""


def candidates(
    query: Reading, survey: Survey, reader: Reader, choice: int = 0, decisions: Sequence[Decision] = ()
) -> list[Candidate]:
    """The groups that can serve the query, best first.

    All are judged by the survey's samples; the best, as many as `choice` needs and those that come close, are read from
    the page and judged by all of their values. A group that a person decided on is the only one; where they decided on
    columns alone, the groups that have these are all there are.
    """
    behind = _behind(survey, reader)
    only = wanted_group(decisions, survey.groups)
    columns = about_columns(decisions)
    if only is not None or columns:
        found = []
        for rank, group in enumerate(survey.groups):
            if only is None or group.id == only.id:
                offered = _views(group, reader, rough=not reader.known(group))
                found += _judged(query, survey, group, rank, offered, behind, reader, columns)
        # What a person decided holds: records in which it means nothing are no other way to read the page.
        least = min((candidate.lost for candidate in found), default=0)
        kept = [candidate for candidate in found if candidate.lost == least]
        return sorted(kept, key=lambda candidate: -candidate.score)
    rough = []
    for rank, group in enumerate(survey.groups):
        rough += _judged(query, survey, group, rank, _views(group, reader, rough=True), behind, reader)
    rough.sort(key=lambda candidate: -candidate.score)
    found, done = [], set()
    for at, candidate in enumerate(rough):
        group = candidate.group
        if group.id in done or (at > choice and candidate.score < rough[0].score - _CLOSE):
            continue
        done.add(group.id)
        if reader.known(group):
            rank = next(at for at, other in enumerate(survey.groups) if other.id == group.id)
            found += _judged(query, survey, group, rank, _views(group, reader), behind, reader)
        else:
            found += [other for other in rough if other.group.id == group.id]
    found.sort(key=lambda candidate: -candidate.score)
    if not query.section:
        best = found[:1]
        found.sort(key=lambda one: not any(_is_wider(one, other) for other in best))
    return found + [candidate for candidate in rough if candidate.group.id not in done]


def _is_wider(candidate: Candidate, best: Candidate) -> bool:
    """Whether its records are the best one's and those of other boxes of the same page, and serve as well: the rows of
    the second table too, where the request speaks of neither."""
    one, other = candidate.group, best.group
    if one.form or other.form or one.count <= other.count or not other.selector.endswith(f" {one.selector}"):
        return False
    needed = [name for name, match in best.matches.items() if not match.field.optional]
    held = [candidate.matches.get(name) for name in needed]
    return candidate.score > best.score - _CLOSE and all(
        match is not None and match.view.coverage >= 0.95 and match.name >= best.matches[name].name - 0.1
        for name, match in zip(needed, held, strict=True)
    )


Behind = tuple[Group | None, list[View], Reader | None]


def _behind(survey: Survey, reader: Reader) -> list[Behind]:
    """The groups of the page behind a record's link that are about that record, each with its places and who reads it;
    and none."""
    if survey.detail is None:
        return [(None, [], None)]
    if reader.behind is None:
        inner = Reader(survey.detail, reader.pages)
        alone = (group for group in survey.detail.groups if group.kind == "page" or group.count == 1)
        reader.behind = [(group, detail_views(group, inner, reader), inner) for group in alone]
    return [(None, [], None), *reader.behind]


def _views(group: Group, reader: Reader, rough: bool = False) -> list[View]:
    """The group's views, made once for each reader."""
    key = (group.id, rough)
    if key not in reader.views:
        reader.views[key] = group_views(group, reader, rough=rough)
    return list(reader.views[key])


def _judged(
    query: Reading,
    survey: Survey,
    group: Group,
    rank: int,
    offered: list[View],
    behind: list[Behind],
    reader: Reader,
    decided: Sequence[Decision] = (),
) -> list[Candidate]:
    """The group's candidates: by itself, and with each group of the page behind its links."""
    language = survey.page.language or query.language
    if reader.day_leads and language[:2] in ("", "en"):
        language = "en-gb"  # whatever it says of itself
    leads = group.id == survey.groups[0].id and any(slot.id == survey.follow_slot for slot in group.slots)
    found = []
    for detail, more, inner in behind if leads else behind[:1]:
        both = offered + more
        fields = query.fields or inferred_fields(both)
        both = both + exemplified(fields, both)
        hidden = needed(query, fields)
        place = Place(
            group=group, reader=reader, offered=tuple(both), language=language, detail=detail, inner=inner,
            base=survey.base or survey.page.url,
            inner_base=(survey.detail.base or survey.detail.page.url) if survey.detail is not None else "",
        )  # fmt: skip
        place = reader.places.setdefault((language, *map(id, (group, detail, *both))), place)
        matches, lost = _matched(query, (*fields, *hidden), place, decided)
        if detail and not any(match.view.detail for match in matches.values()):
            continue
        under = heading_of(query, offered)
        score = worth(query, group, (*fields, *hidden), matches, rank, serves_section(query, group, under))
        found.append(Candidate(group, tuple(fields), matches, tuple(both), score, place, detail, hidden, under, lost))
    return found


def _matched(
    query: Reading, fields: Sequence[Field], place: Place, decided: Sequence[Decision]
) -> tuple[dict[str, Match], int]:
    """The best place for each field, and how many decisions mean nothing here. What nothing was decided about is
    matched with the rest of the places."""
    pinned: dict[str, Match] = {}
    empty: set[str] = set()
    lost = 0
    guesses: dict[str, Match] | None = None  # as things are decided so far
    for decision in decided:
        field = next((field for field in fields if field.name == decision.column), None)
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
                match = pin(field, guess.view, guess.made)
        if match is None:
            lost += 1
        else:
            pinned[field.name] = match
            guesses = None
    found = guesses or _guessed(query, fields, place, pinned, empty)
    return {name: settled(match, place.language) for name, match in found.items()}, lost


def _guessed(
    query: Reading, fields: Sequence[Field], place: Place, pinned: Mapping[str, Match], empty: set[str]
) -> dict[str, Match]:
    """The matches of the fields, those decided on among them."""
    asked = [field for field in fields if field.name not in empty]
    own = [field for field in asked if not query.fields or field in query.fields]
    known = {field.name for field in own}
    named = [*_with_subject(own, query), *(field for field in asked if field.name not in known)]
    both = list(place.offered)
    matches = composed(own, assign(named, both, place.language, pinned), both, place.language)
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
    made = [fitted(field, view, place.language) for field, view in zip(without, free, strict=False)]
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
        fits = [(view, fitted(field, view, place.language)) for view in place.offered if view.texts]
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
    nouns = tuple(word for phrase in query.subject for word in tokens(phrase) if len(word) > 3)
    titles = [f for f in fields if f.type == "text" and all("title" in concepts(word) for word in tokens(f.name))]
    return tuple(replace(field, words=(*field.words, *nouns)) if field in titles else field for field in fields)


def group_views(group: Group, reader: Reader, detail: bool = False, rough: bool = False) -> list[View]:
    """Every place in the group's records, whole and in parts; by the survey's samples where that will do."""
    found = []
    json = is_json(group)
    scripted = {data.name for data in group.data if data.source != "ld+json"}
    markup = () if json else with_former([slot for slot in group.slots if not slot.data])
    if not (json or rough):
        markup = either(markup, lambda slot: reader.values(group, slot))
        markup = of_two(markup, lambda slot: reader.lists(group, slot))
    for slot in (*markup, *(slot for slot in group.slots if json or slot.data)):
        inside = json or bool(slot.data)
        sought = slot.data in scripted or not inside
        if rough:
            found.append(views(slot, slot.samples, detail=detail, rough=True, json=inside))
        else:
            values, joint = reader.values(group, slot), reader.joint(group, slot)
            found.append(views(
                slot, values, joint, detail=detail, json=inside, scripted=slot.data in scripted,
                unseen=_unseen(slot, values, reader) if group.count == 1 and sought else 0.0,
            ))  # fmt: skip
    return [view for offered in found for view in labelled(offered, _labels_of(offered[0], group.slots))]


def _unseen(slot: Slot, values: Sequence[str | None], reader: Reader) -> float:
    """The share of the words of an attribute, or of a value in a script's data, that the page shows nowhere; 0.0 for
    text."""
    if slot.attr in ("text", "head", "tail") and not slot.data:
        return 0.0
    words = [singular(word) for text in values if text for word in tokens(text)]
    return sum(not reader.says((word,)) for word in words) / max(1, len(words))


def _labels_of(whole: View, slots: Sequence[Slot]) -> set[tuple[str, ...]]:
    """The labels of the places other than this one."""
    return {tokens(slot.label) for slot in slots if slot.label and slot.selector != whole.slot.selector}


def detail_views(group: Group, inner: Reader, outer: Reader) -> list[View]:
    """The places of a page behind a link, but for what is on the listing just the same: the site's own frame."""
    offered = group_views(group, inner, detail=True)

    def framed(view: View) -> bool:
        return bool(view.texts) and not (view.ops or view.slot.data) and outer.shows(view.slot, view.texts[0])

    return [view for view in offered if not framed(view)]


Under = tuple[View, str]
"""The place of the headings, and the one that is meant, as the page has it."""


def heading_of(query: Reading, offered: Sequence[View]) -> Under | None:
    """The heading above some of the records that the request means; None where it names none of them.

    The heading's name said, or what a row is called: "desserts" where one of the headings is Desserts.
    """
    for view in offered:
        if view.ops or view.detail or not view.slot.above:
            continue
        headings = dict.fromkeys(text for text in view.values if text)
        found = [text for text in headings if means(query, text)]
        if found and (query.section or (len(found) < len(headings) and len(found) == 1)):
            exact = [text for text in found if fold(text) == fold(query.section)]
            return view, (exact or found)[0]
    return None


def means(query: Reading, heading: str) -> bool:
    """Whether a heading is the one that the request names."""
    if names_section(query, heading):
        return True
    words = [singular(word) for word in tokens(heading)]
    subject = [singular(word) for phrase in query.subject for word in tokens(phrase)]
    return not query.section and bool(words) and words == subject


def is_under(query: Reading, group: Group) -> bool:
    """Whether all of a group's records are under the heading that the request names."""
    return any(means(query, heading) for heading in group.headings)


def serves_section(query: Reading, group: Group, under: Under | None) -> float:
    """What it is worth that the group's records are, or are not, where the request says; 0.0 where it says nothing."""
    if under is not None:
        return 1.0
    if not query.section:
        return float(names_section(query, group.context))
    return 1.0 if is_under(query, group) else -1.0
