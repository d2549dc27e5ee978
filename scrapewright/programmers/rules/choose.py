"""Ranks the page's groups by how well they serve the query, with the best place for each field in each of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec

from scrapewright.programmers.rules.assign import assign
from scrapewright.programmers.rules.composed import composed
from scrapewright.programmers.rules.digging import is_json
from scrapewright.programmers.rules.examples import exemplified
from scrapewright.programmers.rules.former import either, with_former
from scrapewright.programmers.rules.infer import inferred_fields
from scrapewright.programmers.rules.lexicon import concepts, fold, tokens
from scrapewright.programmers.rules.match import Match, alike
from scrapewright.programmers.rules.needed import needed
from scrapewright.programmers.rules.parts import beside, clock, labelled, version
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.revise import revised
from scrapewright.programmers.rules.sections import Under, heading_of, serves_section
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import views
from scrapewright.query.model import Field, Query
from scrapewright.survey.model import Group, Slot, Survey


class Candidate(msgspec.Struct, frozen=True):
    """A group with the matches of the fields in it (and in the page behind its links)."""

    group: Group
    fields: tuple[Field, ...]
    matches: dict[str, Match]
    views: tuple[View, ...]
    score: float
    detail: Group | None = None
    hidden: tuple[Field, ...] = ()
    """Fields that rows are sorted or chosen by, and that are not asked for."""
    under: Under | None = None
    """The heading that the records wanted stand under, where it is one of several."""


_CLOSE = 0.7
"""Groups this close to the best one are read in full before one is chosen."""


def candidates(query: Query, survey: Survey, reader: Reader, choice: int = 0) -> list[Candidate]:
    """The groups that can serve the query, best first.

    All are judged by the survey's samples; the best, as many as `choice` needs and those that come close, are read from
    the page and judged by all of their values.
    """
    behind = _behind(survey, reader)
    rough = []
    for rank, group in enumerate(survey.groups):
        rough += _judged(query, survey, group, rank, group_views(group, reader, rough=True), behind)
    rough.sort(key=lambda candidate: -candidate.score)
    found, done = [], set()
    for at, candidate in enumerate(rough):
        group = candidate.group
        if group.id in done or (at > choice and candidate.score < rough[0].score - _CLOSE):
            continue
        done.add(group.id)
        if reader.known(group):
            rank = next(at for at, other in enumerate(survey.groups) if other.id == group.id)
            found += _judged(query, survey, group, rank, group_views(group, reader), behind)
        else:
            found += [other for other in rough if other.group.id == group.id]
    found.sort(key=lambda candidate: -candidate.score)
    if not query.section:
        best = found[:1]
        found.sort(key=lambda candidate: not any(_is_wider(candidate, other) for other in best))
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


def _behind(survey: Survey, reader: Reader) -> list[tuple[Group | None, list[View]]]:
    """The groups of the page behind a record's link, each with its places; and none."""
    if survey.detail is None:
        return [(None, [])]
    inner = Reader(survey.detail, reader.pages)
    return [(None, []), *((group, detail_views(group, inner, reader)) for group in survey.detail.groups)]


def _judged(
    query: Query,
    survey: Survey,
    group: Group,
    rank: int,
    offered: list[View],
    behind: list[tuple[Group | None, list[View]]],
) -> list[Candidate]:
    """The group's candidates: by itself, and with each group of the page behind its links."""
    language = survey.page.language or query.language
    leads = any(slot.id == survey.follow_slot for slot in group.slots)
    found = []
    for detail, more in behind if leads else behind[:1]:
        both = offered + more
        fields = query.fields or inferred_fields(both)
        both = both + exemplified(fields, both)
        hidden = needed(query, fields)
        matches = assign((*_with_subject(fields, query), *hidden), both, language)
        matches = composed(fields, revised(fields, matches, both), both, language)
        if not matches or (detail is not None and not any(match.view.detail for match in matches.values())):
            continue
        score = _worth(query, group, (*fields, *hidden), matches, rank) + (
            0.6 if detail is not None and query.follow else 0.0
        )
        under = heading_of(query, offered)
        score += 1.5 * serves_section(query, group, under)
        found.append(Candidate(group, tuple(fields), matches, tuple(both), score, detail, hidden, under))
    return found


def _with_subject(fields: Sequence[Field], query: Query) -> tuple[Field, ...]:
    """What the records are called may head the column of their titles: "Vacancy", "Recipe"."""
    nouns = tuple(word for phrase in query.subject for word in tokens(phrase) if len(word) > 3)
    if not nouns:
        return tuple(fields)
    return tuple(
        msgspec.structs.replace(field, words=(*field.words, *nouns)) if _only_title(field) else field
        for field in fields
    )


def _only_title(field: Field) -> bool:
    return field.type == "text" and all("title" in concepts(word) for word in tokens(field.name))


def group_views(group: Group, reader: Reader, detail: bool = False, rough: bool = False) -> list[View]:
    """Every place in the group's records, whole and in parts; by the survey's samples where that will do."""
    found = []
    json = is_json(group)
    slots = group.slots if json else with_former(group.slots)
    if not (json or rough):
        slots = either(slots, lambda slot: reader.values(group, slot))
    for slot in slots:
        if rough:
            found.append(views(slot, slot.samples, detail=detail, rough=True, json=json))
        else:
            values, joint = reader.values(group, slot), reader.joint(group, slot)
            found.append(views(slot, values, joint, detail=detail, json=json))
    parts = [(offered, labelled(offered[0], _labels_of(offered[0], group.slots))) for offered in found]
    return [
        view for offered, more in parts for view in (*beside(offered, more), *version(offered[0]), *clock(offered[0]))
    ]


def _labels_of(whole: View, slots: Sequence[Slot]) -> set[tuple[str, ...]]:
    """The labels of the places other than this one."""
    return {tokens(slot.label) for slot in slots if slot.label and slot.selector != whole.slot.selector}


def detail_views(group: Group, inner: Reader, outer: Reader) -> list[View]:
    """The places of a page behind a link, but for what stands on the listing just the same: the site's own frame."""
    offered = group_views(group, inner, detail=True)
    return [view for view in offered if not view.texts or not outer.shows(view.slot, view.texts[0]) or view.ops]


def _worth(query: Query, group: Group, fields: tuple[Field, ...], matches: dict[str, Match], rank: int) -> float:
    """How well a group serves: its fields' matches, the subject's words near it, how many records, where it stands."""
    total = 0.0
    for field in fields:
        match = matches.get(field.name)
        total += match.score if match is not None else (-0.5 if field.optional else -1.5)
    worth = total / len(fields)
    said = " ".join((group.context, group.selector, group.source, group.id))
    near = tuple(word for word in tokens(said) if len(word) > 2)
    subject = [word for phrase in query.subject for word in tokens(phrase) if len(word) > 2]
    if subject and near:
        worth += 0.6 * max(alike((word,), (other,)) for word in subject for other in near)
    if group.region in ("nav", "footer", "header", "aside"):
        worth -= 0.8
    if query.single:
        worth += 1.0 if group.count == 1 else -1.0
    elif group.count == 1:
        worth -= 0.6
    worth += 0.3 * min(math.log1p(group.count), 4.0)
    if group.kind == "feed" and re.search(r"rss|atom|feed", fold(query.text)):
        worth += 0.3
    return worth - 0.12 * rank
