"""What the places of a record's columns say of one another, once each has its best.

In: the matches by column. Out: the same, with dates that no single place says, where the record's link leads from its
title, and where a text that holds another column's text as well has given way to the place that has the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_plus

from msgspec.structs import replace

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Op, Rewrite, run
from scrapewright.programmers.rules.view import Rest, View, part
from scrapewright.programmers.rules.views import LEADING
from scrapewright.query.lexicon import tokens
from scrapewright.query.reading import Field

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
    found = dict(matches)
    years = set(_YEAR.findall(asked))
    for field in fields:
        if field.type == "date" and field.name not in matches:
            made = next(_dates(field, offered), None)
            if made is None and len(years) == 1:
                made = next(_in_year(field, offered, next(iter(years))), None)
            if made is not None:
                found[field.name] = made
    return found


def _dates(field: Field, offered: Sequence[View]) -> Iterator[Match]:
    """Matches of the field by a short text with a day in it and the nearest heading that says the year."""
    plain = [view for view in offered if _is_plain(view)]
    heads = [view for view in plain if view.slot.above and _all_have(view, _YEAR)]
    days = [view for view in plain if _all_have(view, _DAY) and max(map(len, view.texts)) <= MOST]
    for day in days:
        if any(map(_YEAR.search, day.texts)):
            continue
        for head in heads:
            for joint, ops in _ways(head.texts, _joint(day.texts)):
                values = [f"{one}{joint}{two}" for one, two in zip(day.values, head.values, strict=True)]
                made = fit([run(ops, value) for value in values], field, day.language)
                if made is not None and made.share > 0.99:
                    view = replace(day, values=tuple(values), rest=Rest(head.slot, joint), ops=ops)
                    yield Match(field=field, view=view, made=made, score=3.0, name=0.5)


_WITHOUT_YEAR = (
    (r"^.*?(?<!\d)(\d{1,2}(?:st|nd|rd|th)?\.? [^\W\d_]{3,}).*$", r"\1 "),
    (r"^.*?([^\W\d_]{3,}\.? \d{1,2})(?!\d).*$", r"\1, "),
    (r"^.*?(?<!\d)(\d{1,2}\.\d{1,2})\.?(?!\d).*$", r"\1."),
    (r"^.*?(?<!\d)(\d{1,2}/\d{1,2})(?!\d).*$", r"\1/"),
)
"""Days of a month, with what is between them and the year."""


def _in_year(field: Field, offered: Sequence[View], year: str) -> Iterator[Match]:
    """Matches of the field by a short text with the day of a month, and the year of the request."""
    for day in offered:
        if not _is_plain(day) or not _all_have(day, _DAY) or max(map(len, day.texts)) > MOST:
            continue
        for pattern, new in _WITHOUT_YEAR:
            if all(map(re.compile(pattern).match, day.counts)) and not any(map(_YEAR.search, day.counts)):
                for view in part(day, [Rewrite(pattern, new + year)], 0.0):
                    made = fit(view.texts, field, view.language)
                    if made is not None and made.share > 0.99:
                        yield Match(field=field, view=view, made=made, score=3.0, name=0.5)


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
