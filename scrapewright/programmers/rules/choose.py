"""Ranks the page's groups by how well they serve the query, with the best place for each field in each of them, and
which of their records are under the heading that the request names.

A group's utility is that of a conditional logit as that of the places (pairs.py), with the weights of
group_choice.json; the fields of a request that names none are read off the page.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.assign import placed
from scrapewright.programmers.rules.decisions import Decided, decided_by, wanted_group
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import Home, Place
from scrapewright.programmers.rules.pairs import alike, weights
from scrapewright.programmers.rules.quantities import exemplified
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import detail_views, group_views
from scrapewright.query.fields import needed, resolved
from scrapewright.query.lexicon import fold, singular, tokens
from scrapewright.query.reading import Field, FieldType, Reading
from scrapewright.session.questions import Decision
from scrapewright.survey.dom import FRAME
from scrapewright.survey.model import Group, Survey
from scrapewright.survey.rank import names_section

GROUP_WEIGHTS = Path(__file__).with_name("group_choice.json")
_FEED = re.compile("rss|atom|feed", re.I)
_MOST = 8
"""Columns of a request that names none."""
_BY_TYPE = {"url": "url", "date": "date", "datetime": "date", "int": "number", "float": "amount", "list": "tags"}


class Candidate(msgspec.Struct, frozen=True):
    """A group with the matches of the fields in it (and in the page behind its links)."""

    query: Reading
    """The request, its keys and conditions under the names of the columns that they mean."""
    place: Place
    fields: tuple[Field, ...]
    matches: dict[str, Match]
    """The place of each column."""
    score: float
    """Its utility: the difference of two is the logarithm of how much likelier one is than the other, and above 0.0 it
    is likelier than that none of the page's groups is meant."""
    hidden: tuple[Field, ...] = ()
    """Fields that rows are sorted or chosen by, and that are not asked for."""
    under: Under | None = None
    """The heading that the records wanted are under, where it is one of several."""
    lost: int = 0
    """Decisions about columns that mean nothing in this group."""
    decided: Decided = {}
    guesses: dict[str, Match] | None = None
    """The places by their names and types alone, where `matches` has others that are likelier."""

    @property
    def group(self) -> Group:
        return self.place.group

    @property
    def views(self) -> tuple[View, ...]:
        return self.place.offered

    def asked(self, query: Reading) -> Candidate:
        """The same for another request of these columns."""
        return replace(self, query=resolved(query, (*self.fields, *self.hidden)))


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
    decided, language = decided_by(decisions), _language(query, survey, reader)
    behind = _behind(survey, reader, language)

    def judged(rank: int, *, rough: bool) -> list[Candidate]:
        group = survey.groups[rank]
        key = "views", group.id, language, rough
        offered = reader.once(key, lambda: group_views(group, reader, language, rough=rough))
        return _judged(query, survey, rank, list(offered), behind, reader, decided)

    only = wanted_group(decided.get(("group", "")), survey.groups)
    if only is not None or any(kind == "column" for kind, _ in decided):
        found = []
        for rank, group in enumerate(survey.groups):
            if only is None or group.id == only.id:
                found += judged(rank, rough=not reader.known(group))
        # What a person decided holds: records in which it means nothing are no other way to read the page.
        least = min((candidate.lost for candidate in found), default=0)
        kept = [candidate for candidate in found if candidate.lost == least]
        return sorted(kept, key=lambda candidate: -candidate.score)
    rough = [one for rank in range(len(survey.groups)) for one in judged(rank, rough=True)]
    rough.sort(key=lambda candidate: -candidate.score)
    found, done = [], set()
    ranks = {group.id: rank for rank, group in enumerate(survey.groups)}
    for at, candidate in enumerate(rough):
        group = candidate.group
        if group.id in done or (at > choice and candidate.score < rough[0].score - _CLOSE):
            continue
        done.add(group.id)
        alike = (other for other in rough if other.group.id == group.id)
        found += judged(ranks[group.id], rough=False) if reader.known(group) else alike
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


Behind = tuple[Home | None, list[View]]


def _language(query: Reading, survey: Survey, reader: Reader) -> str:
    """The language that dates and numbers are written in."""
    language = survey.page.language or query.language
    # Where days lead it is no American English, whatever the page says of itself.
    return "en-gb" if reader.day_leads and language[:2] in ("", "en") else language


def _behind(survey: Survey, reader: Reader, language: str) -> list[Behind]:
    """None, and the groups of the page behind a record's link that are about that record, each with its places."""
    if (behind := survey.detail) is None:
        return [(None, [])]

    def read() -> list[Behind]:
        inner, base = Reader(behind, reader.pages), behind.base or behind.page.url
        alone = (group for group in behind.groups if group.kind == "page" or group.count == 1)
        return [(Home(group, inner, base), detail_views(group, inner, reader, language)) for group in alone]

    return [(None, []), *reader.once(("behind", language), read)]


def _judged(
    query: Reading,
    survey: Survey,
    rank: int,
    offered: list[View],
    behind: list[Behind],
    reader: Reader,
    decided: Decided,
) -> list[Candidate]:
    """The candidates of the group of a rank: by itself, and with each group of the page behind its links."""
    group = survey.groups[rank]
    known = weights(GROUP_WEIGHTS)
    leads = rank == 0 and any(slot.id == survey.follow_slot for slot in group.slots)
    home, found = Home(group, reader, survey.base or survey.page.url), []
    for inner, more in behind if leads else behind[:1]:
        both = offered + more
        fields = query.fields or _inferred_fields(both)
        both = both + exemplified(fields, both)
        asked = resolved(query, fields)
        hidden = needed(asked, fields)
        every = (*fields, *hidden)
        key = "place", *map(id, (group, inner and inner.group, *both))
        place = reader.once(key, partial(Place, home, tuple(both), inner))
        matches, lost = placed(query, every, place, decided)
        if inner and not any(match.view.detail for match in matches.values()):
            continue
        under = heading_of(query, offered)
        section = serves_section(query, group, under)
        signs = group_features(query, group, every, matches, rank, section)
        score = sum(known.weights[name] * value for name, value in signs.items()) - known.none
        found.append(Candidate(asked, place, tuple(fields), matches, score, hidden, under, lost, decided))
    return found


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
    words = list(map(singular, tokens(heading)))
    return not query.section and bool(words) and words == list(query.nouns)


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


# how well a group serves


def group_features(
    query: Reading, group: Group, fields: Sequence[Field], matches: Mapping[str, Match], rank: int, section: float
) -> dict[str, float]:
    """What speaks for a group or against it. `rank`: its position in the survey, from 0; `section`: whether its records
    are where the request says, from -1.0 to 1.0."""
    count = max(1, len(fields))
    found = [matches[field.name] for field in fields if field.name in matches]
    missing = [field for field in fields if field.name not in matches]
    views = [match.view for match in found]
    said = " ".join((group.context, group.selector, group.source, group.id))
    near = tuple(word for word in tokens(said) if len(word) > 2)
    subject = [word for word in query.subject_words if len(word) > 2]
    one = group.count == 1
    return {
        "score": sum(match.score for match in found) / count / 4,
        "without a place": sum(not field.optional for field in missing) / count,
        "optional without a place": sum(field.optional for field in missing) / count,
        "one of several": _one_of_several(group, views) / count,
        "subject": max((alike((word,), (other,)) for word in subject for other in near), default=0.0),
        "in the page's frame": float(group.region in FRAME and not query.section),
        "one for one": float(query.single and one),
        "several for one": float(query.single and not one),
        "one for several": float(one and not query.single and not query.one_or_several),
        "one, where neither is said": float(one and query.one_or_several),
        "records": min(math.log1p(group.count), 4.0),
        "a feed where one is asked for": float(group.kind == "feed" and bool(_FEED.search(query.text))),
        "rank": float(rank),
        "not the first": float(rank > 0),
        "page behind": float(bool(query.follow) and any(view.detail for view in views)),
        "in the section": max(0.0, section),
        "in another section": max(0.0, -section),
    }


def _one_of_several(group: Group, views: Sequence[View]) -> int:
    """How many columns have one element of a kind that the records have several of, which no other column shares."""
    taken = Counter((view.slot.selector, view.slot.attr) for view in views)
    several = {(slot.selector, slot.attr) for slot in group.slots if slot.many}
    places = [(view.slot.selector, view.slot.attr) for view in views if not view.slot.many]
    return sum(place in several and taken[place] == 1 for place in places)


# columns that nobody named


def _inferred_fields(offered: Sequence[View]) -> tuple[Field, ...]:
    """Up to eight fields: well filled, telling, and no two with the same values."""
    fields: list[tuple[int, Field]] = []
    taken: set[tuple[str | None, ...]] = set()
    names: set[str] = set()
    whole = [view for view in offered if not view.ops and view.texts]
    ranked = sorted(enumerate(whole), key=lambda pair: -(pair[1].coverage + 0.5 * pair[1].distinct))
    for at, view in ranked:
        if view.coverage < 0.5 or view.values in taken or (len(view.texts) > 3 and view.distinct < 0.1):
            continue
        if view.slot.attr in ("class", "id", "src", "style"):
            continue
        name = _name(view, names)
        fields.append((at, Field(name=name, type=_type(view), words=tokens(name))))
        taken.add(view.values)
        names.add(name)
        if len(fields) == _MOST:
            break
    return tuple(field for _, field in sorted(fields, key=lambda pair: pair[0]))


def _type(view: View) -> FieldType:
    if view.slot.many:
        return "list"
    if view.slot.type in ("int", "float") and view.are_codes:
        return "text"
    return "url" if view.slot.attr == "href" else view.slot.type


def _name(view: View, used: set[str]) -> str:
    slot = view.slot
    for source in (slot.header, slot.label, *slot.names, _BY_TYPE.get(_type(view), ""), "text"):
        name = re.sub(r"\W+", "_", fold(source)).strip("_")[:40]
        if slot.attr == "href" and name and name not in ("url", "link"):
            name += "_url"
        if name and not name[0].isdigit() and name not in used:
            return name
    return next(name for number in itertools.count(2) if (name := f"text_{number}") not in used)
