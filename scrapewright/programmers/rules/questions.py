"""What to ask a person before a program is written: which records, which of their places a column means, and what a
condition in words leaves out.

The questions come from the ranking that the program is written from. The records come first, then the conditions, then
the columns, which show the values of the records that are wanted; what is decided is not asked again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from scrapewright.programmers.rules.choose import Candidate, serves_section
from scrapewright.programmers.rules.conditions import Meaning, meanings, wanted_records
from scrapewright.programmers.rules.decisions import (
    Decided,
    decided_by,
)
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import group_id
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import EMPTY, Offer, ranked_groups, undecided, weighed
from scrapewright.programmers.rules.unread import (
    BESIDE,
    NO_RECORD,
    changing_question,
    is_beside,
    meaning_text,
    no_record_says,
    unread_question,
)
from scrapewright.programmers.rules.view import View
from scrapewright.query.logit import shares
from scrapewright.query.read import guessed_columns
from scrapewright.query.reading import Reading
from scrapewright.session.questions import (
    NOTHING,
    OPTIONS_AT_MOST,
    SAMPLE_CHARACTERS,
    SAMPLES_AT_MOST,
    Copied,
    Decision,
    Option,
    Question,
)
from scrapewright.survey.model import Survey

SURE_OF_GROUP = 0.85
"""How likely the best records must be for no question about them. Left out by site, 201 of 206 so likely are right."""
TOGETHER = 0.97
"""Product of the columns' likelihoods from which on nothing is asked."""
LEAST = 3
"""Values that are shown of a place, where it has so many."""


def question(
    query: Reading, survey: Survey, reader: Reader, decisions: Sequence[Decision] = (), copied: Sequence[Copied] = ()
) -> Question | None:
    """The next question; None where nothing is left to ask, or the page offers no records. `copied`: what a weak model
    copied out of records."""
    if (asked := columns_question(query, decided_by(decisions))) is not None:
        return asked
    ranked = ranked_groups(query, survey, reader, 0, decisions)
    if not ranked:
        return None
    asked = group_question(ranked) or next(condition_questions(ranked[0]), None)
    if asked is not None:
        return asked
    columns = list(column_questions(ranked, copied))
    phrase = changing_question(survey, ranked[0])
    if phrase is not None:  # by the column that tells records apart, before what the others hold in those that are left
        return next((one for one in columns if one.column == phrase.column), phrase)
    return columns[0] if columns else unread_question(survey, ranked[0])


# which columns


def columns_question(query: Reading, decided: Decided) -> Question | None:
    """Which columns, where the request seems to list some in words that the grammar does not read as a list."""
    if query.columns or "columns" in query.sources or ("columns", "") in decided:
        return None
    columns = guessed_columns(query.text)
    if not columns:
        return None
    said = [f"{column.name} ({column.note})" if column.note else column.name for column in columns]
    options = (Option("columns", ", ".join(said)), Option(NOTHING, "what the page itself has, by its own names"))
    return Question("columns", "Which columns do you want?", options, confidence=_GUESSED)


_GUESSED = 0.5
"""Likelihood of columns that were read from prose: too little to go by unasked."""


# which records


def group_question(ranked: Sequence[Candidate]) -> Question | None:
    """Which of these are the records? None where that is decided, or clear. "None" is followed by the next ones."""
    query, decided = ranked[0].query, ranked[0].decided.get(("group", ""))
    if decided is not None and not decided.leaves_more:
        return None
    shown, confidence = groups_shown(query, ranked)
    shown = without_states(shown)
    if decided is not None:
        shown = {samples: one for samples, one in shown.items() if group_id(one.group) not in decided.refused}
        confidence = 0.0
    if confidence >= SURE_OF_GROUP or len(shown) < (2 if decided is None else 1):
        return None
    options = [group_option(candidate, samples) for samples, candidate in list(shown.items())[:OPTIONS_AT_MOST]]
    what = query.subject[0] if query.subject else "rows"
    prompt = f"{_again(decided)}Which of these are the records ({what})?"
    return Question("group", prompt, tuple(options), confidence=confidence)


def without_states(shown: dict[tuple[str, ...], Candidate]) -> dict[tuple[str, ...], Candidate]:
    """The same, without lists of those records of another that share a state or a category: few, and others of the
    list between them. What a request leaves out is asked for apart."""
    every = list(shown.values())
    return {samples: one for samples, one in shown.items() if not any(_is_state_of(one, other) for other in every)}


def _is_state_of(one: Candidate, other: Candidate) -> bool:
    if one.group.count > FEW * other.group.count or len(one.matches) > len(other.matches):
        return False
    mine, all_ = (each.place.reader.texts(each.group, LONGEST_LIST) for each in (one, other))
    places = [next((at for at, box in enumerate(all_) if text and text in box), -1) for text in mine]
    runs = sum(after - before != 1 for before, after in pairwise(places)) + 1
    return min(places, default=-1) >= 0 and places == sorted(set(places)) and runs > 1


FEW = 0.6
"""The share of a list's records up to which some of them may be those of a state."""
LONGEST_LIST = 100
"""Records that are compared."""


def group_option(candidate: Candidate, samples: tuple[str, ...]) -> Option:
    """The group, with the texts of its records."""
    group, words = candidate.group, {"table": "table row", "page": "page as a whole", "feed": "feed item"}
    text = f"{group.count} × {words.get(group.kind, 'JSON object' if group.kind == 'json' else 'record')}"
    text += f" under “{group.context[:80]}”" if group.context else ""
    return Option(group_id(group), text, group.selector or group.source, samples)


def groups_shown(query: Reading, ranked: Sequence[Candidate]) -> tuple[dict[tuple[str, ...], Candidate], float]:
    """The groups that can be offered, by what they show, the best guess first, and how likely that is right. The page
    as a whole is one of them where nobody said whether one row is wanted."""
    several = not query.single and any(candidate.group.count > 1 for candidate in ranked)
    followed = any(candidate.place.behind is not None for candidate in ranked) and bool(query.follow)
    alone = query.single and any(candidate.group.count == 1 for candidate in ranked)
    page_of_several = several and ranked[0].group.kind == "page"  # one record, though nobody said that one is wanted
    several = several and not page_of_several
    enough = any(candidate.group.count >= (query.limit or 0) for candidate in ranked)
    best: dict[str, Candidate] = {}
    unsaid = query.sources.get("single") in (None, "grammar")
    whole = next((one.group.id for one in ranked if one.group.kind == "page" and unsaid), "")
    for candidate in ranked:
        count = candidate.group.count
        if (several and count == 1 and candidate.group.id != whole) or (alone and count > 1):
            continue  # a page as a whole is no list, and a list is not what the page is about
        if followed and candidate.place.behind is None:
            continue  # no page was seen behind its links
        if several and enough and 1 < count < (query.limit or 0):
            continue  # too few, where others are enough
        best.setdefault(candidate.group.id, candidate)
    shown: dict[tuple[str, ...], Candidate] = {}
    for candidate in best.values():
        shown.setdefault(tuple(_record_samples(candidate)), candidate)
    weighed = page_of_several or query.one_or_several
    lists = [candidate for candidate in shown.values() if weighed or candidate.group.id != whole]
    guess = lists[0] if lists else None
    elsewhere = guess is not None and serves_section(query, guess.group, guess.under) < 0
    return shown, group_confidence(lists) * (0.5 if page_of_several or elsewhere else 1.0)


def group_confidence(ranked: Sequence[Candidate]) -> float:
    """How likely the first of several groups is the right one."""
    return shares([candidate.score for candidate in ranked])[0] if ranked else 1.0


def _record_samples(candidate: Candidate) -> Iterator[str]:
    """The records' texts. Of one that says more than a sample holds, what the columns would have of it comes first."""
    place = candidate.place
    every = replace(candidate, query=replace(candidate.query, limit=None))
    rows = wanted_records(every)[:SAMPLES_AT_MOST] or range(SAMPLES_AT_MOST)
    texts = place.reader.texts(candidate.group, max(rows) + 1)
    columns = [match.view for match in candidate.matches.values() if not match.view.detail]
    others = [
        view for view in place.offered if not (view.ops or view.detail or view.slot.many) and view.slot.attr == "text"
    ]
    outside = [view for view in others if view.slot.above or view.slot.steps]
    for at in rows:
        text = texts[at] if at < len(texts) else ""
        long = not text or len(text) > SAMPLE_CHARACTERS
        values = [view.values[at] for view in ((*columns, *others) if long else outside) if at < len(view.values)]
        said = dict.fromkeys(value[:100] for value in values if value and (long or value not in text))
        if said or text:
            parts = (*said, text[:200]) if long else (text, *said)
            yield (" · " if long else " ").join(filter(None, parts))[:SAMPLE_CHARACTERS]


def _again(before: Decision | None) -> str:
    return "None of those, then. " if before is not None else ""


# which place of a column


def column_questions(ranked: Sequence[Candidate], copied: Sequence[Copied] = ()) -> Iterator[Question]:
    """The questions about the columns of the chosen group, those that the rules know least about first, until enough
    is known of all together. What a model copied decides a column where it agrees with the best guess."""
    all_open = (weighed(one, copied) for one in undecided(ranked))
    found = [one for one in all_open if one is not None and one.offers and not one.outright]
    found.sort(key=lambda one: one.likelihood)
    query = ranked[0].query
    used = {*(one.column for one in query.filters), *(one.column for one in query.order)}
    for at, one in enumerate(found):
        if math.prod(other.likelihood for other in found[at:]) >= TOGETHER:
            return
        field, offers = one.field, one.offers
        before = ranked[0].decided.get(("column", field.name))
        if before is not None:  # none of those that were shown
            offers = [offer for offer in offers if offer.id not in before.refused]
        if not offers:
            continue
        empty = [_EMPTY] if before is not None else []
        shown = offers[: OPTIONS_AT_MOST - len(empty)]
        restricts = field.name in used
        rows = [] if restricts else wanted_records(ranked[0])
        options = [
            option_of(offer, wanted_records(_with(ranked[0], offer)) if restricts else rows) for offer in shown
        ] + empty
        note = f" ({field.note})" if field.note else ""
        prompt = f"{_again(before)}Which of these is {field.name}{note}?"
        yield Question("column", prompt, tuple(options), field.name, one.confidence)


_EMPTY = Option(NOTHING, "nothing: leave the column empty")
"""Offered beside further options: where no place has the column they would all have to be refused else."""


def _with(chosen: Candidate, offer: Offer) -> Candidate:
    """The candidate as it is where the offer is the column's place."""
    match = Match(offer.field, offer.view, offer.made, score=0.0, name=1.0)
    return replace(chosen, matches=chosen.matches | {offer.field.name: match})


def option_of(offer: Offer, rows: Sequence[int] = ()) -> Option:
    """The offer with the values of the records that are wanted, or of the first ones."""
    values = [offer.values[at] for at in rows if at < len(offer.values)] or list(offer.values)
    if sum(value not in EMPTY for value in values[:SAMPLES_AT_MOST]) < min(LEAST, len(values)):
        # Where the first records hardly have one, what the place says shows in those that do.
        values = [value for value in offer.values if value not in EMPTY]
    slot, view = offer.view.slot, offer.view
    where = slot.selector + (f"@{slot.attr}" if slot.attr != "text" else "")
    return Option(id=offer.id, text=_called(view), where=where, samples=tuple(values[:SAMPLES_AT_MOST]))


def _called(view: View) -> str:
    """The place in a few words: its heading, label or name, and whether it is a part."""
    slot = view.slot
    name = next((name for name in (*view.names, slot.header, slot.label, *slot.names) if name), slot.selector or "text")
    text = " ".join(name.split())[:60]
    if slot.attr in ("href", "src"):
        text += " (link)" if slot.attr == "href" else " (image)"
    if view.ops:
        # which part of a text, by the words that requests have for it
        part = " ".join(view.place[:2]) if len(view.place) > 1 else "part of the text"
        text += f" ({'without its end' if view.place[:1] == ('without',) else part})"
    return f"{text}, on the record's own page" if view.detail else text


# what a condition in words leaves out


def condition_questions(chosen: Candidate) -> Iterator[Question]:
    """A question for each condition that no comparison says: with every part of the records that has its words, what is
    left out and what is kept by it; where only something beside the records has them, that nothing is."""
    for wanted in chosen.query.filters:
        title = wanted.title
        if wanted.op != "other" or ("condition", title) in chosen.decided:
            continue
        found = meanings(wanted, chosen)[:OPTIONS_AT_MOST]
        last = max((row for one in found for row in one.said_by), default=-1)
        texts = chosen.place.reader.texts(chosen.group, last + 1)
        options = tuple(_meant(one, texts) for one in found)
        if not found and no_record_says(wanted, chosen):
            options = (BESIDE if is_beside(wanted, chosen) else NO_RECORD,)
        prompt = (
            f"Which rows does “{title}” {'leave out' if wanted.said.leaves_out else 'keep'}? (None of these: all stay.)"
        )
        yield Question("condition", prompt, options, title, 0.5 if found else 0.0)


def _meant(meaning: Meaning, texts: Sequence[str]) -> Option:
    """The meaning with the texts of the records that say the words."""
    keep = meaning.keep
    where = keep.column or (keep.slot.selector if keep.slot else "")
    samples = [texts[row][:SAMPLE_CHARACTERS] for row in meaning.said_by[:SAMPLES_AT_MOST] if row < len(texts)]
    return Option(id=meaning.id, text=meaning_text(meaning), where=where, samples=tuple(samples))
