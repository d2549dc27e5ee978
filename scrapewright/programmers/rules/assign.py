"""Gives each field the place that serves it best, and no place to two fields.

In: the fields, the places of a group's records, and what a person decided of them. Out: a match for each field that has
a place; dates may be made of two places, the record's link is the one that leads from its title, and a text that holds
another column's text as well has given way to the place that has the rest.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import itemgetter
from urllib.parse import unquote_plus

from msgspec.structs import replace

from scrapewright.programmers.rules.decisions import Decided, NotFound, place_of, settled
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.match import PINNED, Match, floor, matched, weighed
from scrapewright.programmers.rules.offers import Place, option_id
from scrapewright.programmers.rules.ops import Op, Rewrite, run
from scrapewright.programmers.rules.pairs import Context, likelihoods
from scrapewright.programmers.rules.view import Rest, View, part
from scrapewright.programmers.rules.views import LEADING
from scrapewright.query.lexicon import tokens
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
    matches = _likeliest(own, _in_order(own, matches, place), place)
    return reconciled(own, matches, both) | dict(pinned)


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
    found = {field.name: matched(field, view) for field, view in zip(without, free, strict=False)}
    added = {name: match for name, match in found.items() if match is not None}
    return dict(matches) | (added if len(added) == len(without) == len(free) else {})


def _likeliest(fields: Sequence[Field], matches: Mapping[str, Match], place: Place) -> dict[str, Match]:
    """The matches, with the likeliest place for each field that nothing leads to, by name or by kind."""
    found = dict(matches)
    for field in fields:
        if field.name in found or field.optional or any(view.rough for view in place.offered):
            continue
        free = [view for view in place.offered if view.texts]
        free = [view for view in free if not any(_is_of(view, other.view) for other in found.values())]
        fits = [match for view in free if (match := matched(field, view)) is not None]
        taken = frozenset(match.view.values for match in found.values())
        likely = likelihoods(field, [(one.view, one.made) for one in fits], Context(None, taken))
        shares: dict[tuple[str | None, ...], float] = defaultdict(float)  # places of the same values are one
        for one, share in zip(fits, likely, strict=True):
            shares[one.view.values] += share
        values, share = max(shares.items(), key=itemgetter(1), default=((), 0.0))
        if share > LIKELY * sum(shares.values()):
            found[field.name] = next(one for one in fits if one.view.values == values)
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


# what the places of a record's columns say of one another, once each has its best

_DEED = re.compile(
    r"(?i)add[-_]?to|cart|basket|warenkorb|wish|login|vote|compare|/edit|share|report|javascript:|mailto:|^#"
)
"""Addresses of what can be done with a record, not of the record."""
SHAPES = 3
"""Ways in which the codes of a column may be written for them to be cut off by their shape."""
_EDGES = " \t\n,;:|·•–—-()[]"


def reconciled(fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View]) -> dict[str, Match]:
    """The matches, looked over together."""
    found = dict(matches)
    title = _title(fields, matches)
    for name, match in matches.items():
        if match.field.type == "url" and title is not None and match.field.said.is_plain_link:
            found[name] = _linked(match, title, offered)
        elif match.field.type == "text":
            apart = match.field.said.asks_part  # whether parts of its own place are wanted apart from it
            others = [other for key, other in matches.items() if key != name]
            others = [other for other in others if apart or other.view.slot != match.view.slot]
            rest = next((view for other in others if (view := _rest(match, other, offered)) is not None), None)
            if rest is not None:
                found[name] = replace(match, view=rest)
    return found


def _title(fields: Sequence[Field], matches: dict[str, Match]) -> Match | None:
    """What records are called: the column of that meaning, else the first text that tells them apart."""
    known = [matches[field.name] for field in fields if field.name in matches]
    named = (one for one in known if "title" in one.field.said.concepts)
    telling = (
        one for one in known
        if one.field.type == "text" and not one.view.ops and min(one.view.coverage, one.view.distinct) >= 0.9
    )  # fmt: skip
    return next(named, None) or next(telling, None)


def _linked(match: Match, title: Match, offered: Sequence[View]) -> Match:
    """Of several links that could serve, the one that is where the title is."""
    links = [
        view
        for view in offered
        if view.slot.attr == "href" and not (view.ops or view.slot.many) and view.detail == match.view.detail
        and view.coverage >= match.view.coverage - 0.05
    ]  # fmt: skip
    best = max(links, key=lambda view: _leads(view, title.view), default=None)
    if (
        title.view.detail != match.view.detail
        or best is None
        or _leads(best, title.view) <= _leads(match.view, title.view)
    ):
        return match
    return replace(match, view=best, made=Fit((), 1.0))


def _leads(link: View, title: View) -> float:
    """How surely a link leads to what the title names: its words are in it, it is in the same place."""
    one, other = link.slot.selector, title.slot.selector
    inside = bool(other) and (one.startswith((other + " ", other + ">")) or other.startswith((one + " ", one + ">")))
    total = link.distinct + 0.6 * (one == other or inside)
    pairs = [(a, b) for a, b in zip(link.values, title.values, strict=False) if a and b]
    if pairs:
        total -= sum(bool(_DEED.search(href)) for href, _ in pairs) / len(pairs)
        total += sum(_names(href, said) for href, said in pairs) / len(pairs)
    return total


def _names(href: str, title: str) -> bool:
    words = [word for word in tokens(title) if len(word) > 2]
    slug = set(tokens(unquote_plus(href)))
    return bool(words) and sum(word in slug for word in words) >= 0.5 * len(words)


def _rest(match: Match, other: Match, offered: Sequence[View]) -> View | None:
    """The place that has what is left of a column's texts without another's, which each begins or ends with; None
    where they don't, or no place has it."""
    box = match.view
    if box.slot.many or len(box.values) != len(other.view.values):
        return None
    pairs = [(text, held) for text, held in zip(box.values, other.view.values, strict=True) if text and held]
    rests = [tuple(_without(text, held)) for text, held in pairs]
    if len(pairs) < max(2, len(box.texts)) or not all(rests):
        return None
    plain = (view for view in offered if view.detail == box.detail and not view.slot.many)
    found = next((view for view in plain if _is_one_of(view.texts, rests)), None)
    return found or next(iter(_cut(box, [held for text, held in pairs if text.lstrip(_EDGES).startswith(held)])), None)


def _cut(box: View, codes: Sequence[str]) -> list[View]:
    """The texts without the codes that all of them begin with: "21-1034 Smith v. Harbor" without its number."""
    shapes = {re.sub(r"\d+", r"\\d+", re.escape(code)) for code in codes}
    if len(codes) < len(box.texts) or len(shapes) > SHAPES or not all("\\d" in shape for shape in shapes):
        return []
    longest = "|".join(sorted(shapes, key=lambda shape: (-len(shape), shape)))
    return part(box, [Rewrite(rf"^[\s(\[]*(?:{longest})[\s:.,–—)\]-]*", "")], 0.0)


def _is_one_of(texts: Sequence[str], rests: Sequence[tuple[str, ...]]) -> bool:
    return len(texts) == len(rests) and all(text.strip(_EDGES) in left for text, left in zip(texts, rests, strict=True))


def _without(text: str, held: str) -> Iterator[str]:
    """What is left of a text that begins or ends with another, also without a word that leads to it ("by", "Tel.")."""
    text = text.lstrip(_EDGES)
    if len(held) >= len(text):
        return
    if text.startswith(held) and not text[len(held)].isalnum():
        yield text[len(held) :].strip(_EDGES)
    if text.endswith(held) and not text[-len(held) - 1].isalnum():
        left = text[: -len(held)].strip(_EDGES)
        yield left
        before, _, lead = left.rpartition(" ")
        if before and (lead.lower() in LEADING or lead.endswith((".", ":"))):
            yield before.strip(_EDGES)


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
_BARE = re.compile(r"\d{1,2}([./-])\d{1,2}")
_TEXTS = ("text", "tail", "head")
MOST = 24
"""A longer text is no part of a date."""


def composed(
    fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View], asked: str = ""
) -> dict[str, Match]:
    """The matches, with those of dates that no single place of the record says. `asked`: the request with its
    addresses, whose only year is that of days without one."""
    found, years = dict(matches), set(_YEAR.findall(asked))
    for field in fields:
        if field.type == "date" and field.name not in matches:
            made = next(_dates(field, offered, years), None)
            if made is not None:
                found[field.name] = made
    return found


def _dates(field: Field, offered: Sequence[View], years: Collection[str]) -> Iterator[Match]:
    """Matches of the field by a day that has its year from elsewhere."""
    in_year = _in_year(offered, next(iter(years))) if len(years) == 1 else ()
    for view, texts in chain(_below_headings(offered), in_year):
        made = fit(texts, field, view.language)
        if made is not None and made.share > 0.99:
            yield Match(field=field, view=view, made=made, score=3.0, name=0.5)


def _below_headings(offered: Sequence[View]) -> Iterator[tuple[View, list[str]]]:
    """Short texts with a day in them and the nearest heading that says the year, each with the dates that they say."""
    plain = [view for view in offered if _is_plain(view)]
    heads = [view for view in plain if view.slot.above and _all_have(view, _YEAR)]
    days = [view for view in plain if _all_have(view, _DAY) and max(map(len, view.texts)) <= MOST]
    for day in days:
        if any(map(_YEAR.search, day.texts)):
            continue
        for head in heads:
            for joint, ops in _ways(head.texts, _joint(day.texts)):
                values = [f"{one}{joint}{two}" for one, two in zip(day.values, head.values, strict=True)]
                view = replace(day, values=tuple(values), rest=Rest(head.slot, joint), ops=ops)
                yield view, [run(ops, value) for value in values]


_WITHOUT_YEAR = (
    (r"^.*?(?<!\d)(\d{1,2}(?:st|nd|rd|th)?\.? [^\W\d_]{3,}).*$", r"\1 "),
    (r"^.*?([^\W\d_]{3,}\.? \d{1,2})(?!\d).*$", r"\1, "),
    (r"^.*?(?<!\d)(\d{1,2}\.\d{1,2})\.?(?!\d).*$", r"\1."),
    (r"^.*?(?<!\d)(\d{1,2}/\d{1,2})(?!\d).*$", r"\1/"),
)
"""Days of a month, with what is between them and the year."""


def _in_year(offered: Sequence[View], year: str) -> Iterator[tuple[View, list[str]]]:
    """Short texts with the day of a month, and the year of the request behind it."""
    for day in offered:
        if not _is_plain(day) or not _all_have(day, _DAY) or max(map(len, day.texts)) > MOST:
            continue
        for pattern, new in _WITHOUT_YEAR:
            if all(map(re.compile(pattern).match, day.counts)) and not any(map(_YEAR.search, day.counts)):
                yield from ((view, view.texts) for view in part(day, [Rewrite(pattern, new + year)], 0.0))


def _is_plain(view: View) -> bool:
    return not (view.ops or view.slot.many or view.rough or view.detail) and view.slot.attr in _TEXTS


def _all_have(view: View, pattern: re.Pattern[str]) -> bool:
    return bool(view.texts) and len(view.texts) == len(view.values) and all(map(pattern.search, view.texts))


def _joint(texts: Sequence[str]) -> str:
    """What to put between day and year, as the day is written: nothing behind "12.3.", a slash behind "3/12"."""
    if all(text.endswith((".", "/", "-")) for text in texts):
        return ""
    marks = {found[1] if (found := _BARE.fullmatch(text)) else " " for text in texts}
    return marks.pop() if len(marks) == 1 else " "


def _ways(heads: Sequence[str], joint: str) -> Iterator[tuple[str, tuple[Op, ...]]]:
    """What to put between a day and its heading, and the steps that then take out what is no part of the date: all of
    the heading but the year, or the month with it."""
    if all(map(_WHEN.fullmatch, heads)):
        yield joint, ()
    for wanted in (r"(?:19|20)\d\d", r"[^\W\d]+\.? (?:19|20)\d\d"):
        yield _APART, (Rewrite(rf"{re.escape(_APART)}.*?\b({wanted})\b.*$".replace("\\ ", " "), rf"{joint}\1"),)


_WHEN = re.compile(r"(?:[^\W\d]+\.? )?(?:19|20)\d\d")
_APART = " | "
"""Between a day and a heading that says more than when."""
