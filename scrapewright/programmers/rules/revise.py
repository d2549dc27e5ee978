"""Second thoughts on the places that were chosen for the fields, once all of them are known.

What the fields say of one another settles what none of them could by itself: the link belongs to the title, a date is
read out of the description where the request says so.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.linked import behind_codes, called_links, without_author
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import concepts, tokens
from scrapewright.query.reading import Field


def revised(fields: tuple[Field, ...], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """The matches by field name, looked over again; each step reads what those before it left."""
    matches = _settled(fields, _out_of(fields, matches), offered)
    matches = called_links(fields, matches, offered)
    return without_author(behind_codes(fields, matches), offered)


_SOURCE = re.compile(
    r"(?i)\b(?:from|in|out of|within|inside|aus|im|in der|dans|du|de la|del|dal|dalla|uit|z|из)\s+"
    r"(?:the |dem |der |le |la |el |il )?(\w+)"
)


def _out_of(fields: tuple[Field, ...], matches: dict[str, Match]) -> dict[str, Match]:
    """A date or number that the request says to read out of another field: "date (from the description)"."""
    made = dict(matches)
    for field in fields:
        if field.type not in ("int", "float", "date", "datetime"):
            continue
        said = {tokens(word) for word in _SOURCE.findall(field.note)}
        named = [matches[other.name] for other in fields if tokens(other.name) in said and other.name in matches]
        source = next((match for match in named if match.field != field and not match.view.ops), None)
        found = fit(source.view.texts, field) if source is not None else None
        if source is not None and found is not None and found.share > 0.9:
            made[field.name] = Match(field=field, view=source.view, made=found, score=source.score, name=1.0)
    return made


def _settled(fields: tuple[Field, ...], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """Links belong to the title: of several that could serve, the one that is where the title is."""
    title = next((matches[field.name] for field in fields if field.name in matches and _means(field, "title")), None)
    title = title or next(filter(None, (_first_name(field, matches) for field in fields)), None)
    settled = dict(matches)
    for field in fields:
        match = matches.get(field.name)
        if match is None or field.type != "url" or title is None or title.view.detail != match.view.detail:
            continue
        if not _plain_link(field):
            continue
        links = [
            view
            for view in offered
            if view.slot.attr == "href" and not view.ops and view.detail == title.view.detail and not view.slot.many
            if view.coverage >= match.view.coverage - 0.05
        ]
        best = max(links, key=lambda view: _leads(view, title.view), default=None)
        if best is not None and _leads(best, title.view) > _leads(match.view, title.view):
            settled[field.name] = Match(field=field, view=best, made=Fit((), 1.0), score=match.score, name=match.name)
    return settled


def _first_name(field: Field, matches: dict[str, Match]) -> Match | None:
    """The match of a text that tells records apart: what a record without a title goes by."""
    match = matches.get(field.name)
    if (
        match is None
        or field.type != "text"
        or match.view.ops
        or match.view.coverage < 0.9
        or match.view.distinct < 0.9
    ):
        return None
    return match


_DEED = re.compile(
    r"(?i)add[-_]?to|cart|basket|warenkorb|wish|login|vote|compare|/edit|share|report|javascript:|mailto:|^#"
)


def _leads(link: View, title: View) -> float:
    """How surely a link leads to what the title names: its words are in it, it is in the same place."""
    total = link.distinct + 0.6 * _related(link.slot.selector, title.slot.selector)
    pairs = [(a, b) for a, b in zip(link.values, title.values, strict=False) if a and b]
    if pairs:
        hits = 0.0
        for href, name in pairs:
            words = [word for word in tokens(name) if len(word) > 2]
            slug = set(tokens(unquote_plus(href)))
            hits += bool(words) and sum(word in slug for word in words) >= 0.5 * len(words)
        total += hits / len(pairs)
        total -= sum(bool(_DEED.search(href)) for href, _ in pairs) / len(pairs)
    return total


def _related(selector: str, home: str) -> bool:
    return selector == home or (
        bool(home)
        and (selector.startswith((home + " ", home + ">")) or home.startswith((selector + " ", selector + ">")))
    )


def _plain_link(field: Field) -> bool:
    """ "url" or "link" and nothing more: the record's own page."""
    return all("url" in concepts(word) or word in ("absolute", "full", "page") for word in tokens(field.name))


def _means(field: Field, concept: str) -> bool:
    return any(concept in concepts(word) for word in tokens(field.name))
