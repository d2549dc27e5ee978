"""Second thoughts on the places that were chosen for the fields, once all of them are known.

What the fields say of one another settles what none of them could by itself: the link belongs to the title, one field
has the part before the mark because another has the part behind it, a text cut short gives way to the whole one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote_plus

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.gaps import in_pieces, unmixed
from scrapewright.programmers.rules.lexicon import concepts, tokens
from scrapewright.programmers.rules.linked import behind_codes, called_links, without_author
from scrapewright.programmers.rules.match import Match, alike, place_score
from scrapewright.programmers.rules.ops import Part
from scrapewright.programmers.rules.order import in_order
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field
from scrapewright.survey.model import Slot


def revised(fields: tuple[Field, ...], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """The matches by field name, looked over again; each step reads what those before it left."""
    matches = _described(fields, matches, offered)
    matches = _out_of(fields, matches)
    matches = _settled(fields, matches, offered)
    matches = _complemented(fields, matches, offered)
    matches = _unabridged(matches, offered)
    matches = _edges(fields, matches, offered)
    matches = in_order(fields, unmixed(matches), offered)
    matches = in_pieces(fields, matches, offered)
    matches = _unlabelled(matches, offered)
    matches = called_links(fields, matches, offered)
    return without_author(behind_codes(fields, matches), offered)


def _described(fields: tuple[Field, ...], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """A description without a place has the longest text of the records, though another field reads its date there."""
    field = next((field for field in fields if _means(field, "description") and _lacks_all(field, matches)), None)
    if field is None or field.type != "text":
        return matches
    kept, matches = matches, {name: match for name, match in matches.items() if name != field.name}
    texts = [view for view in offered if _runs_on(view)]
    inner = [view for view in texts if not any(view.is_around(other) for other in texts)]
    best = max(inner, key=lambda view: sum(map(len, view.texts)), default=None)
    text_of = (match.view for match in matches.values() if match.field.type == "text")
    if best is None or any(view.values == best.values for view in text_of):
        return kept
    return matches | {field.name: Match(field=field, view=best, made=Fit((), 1.0), score=2.0, name=0.3)}


def _lacks_all(field: Field, matches: dict[str, Match]) -> bool:
    """A field without a place, or with one side of a mark that the request says nothing of."""
    held = matches.get(field.name)
    return held is None or (isinstance(next(iter(held.view.ops), None), Part) and place_score(field, held.view) <= 0)


def _runs_on(view: View) -> bool:
    """A text of some length in most records, and no box around the record."""
    slot, texts = view.slot, view.texts
    if view.ops or slot.many or slot.own or slot.attr != "text" or not slot.selector or slot.selector.startswith("^ "):
        return False
    return view.coverage >= 0.7 and len(view.counts) > 1 and sum(map(len, texts)) >= _LONG * len(texts)


_LONG = 40


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
    """Links belong to the title: of several that could serve, the one that stands where the title stands."""
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


def _unabridged(matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """A text that the page cuts short ("The long way …") gives way to an attribute that has all of it."""
    whole = dict(matches)
    for name, match in matches.items():
        texts = match.view.values
        if match.field.type != "text" or match.view.ops or not any(_is_cut(text) for text in match.view.texts):
            continue
        home = match.view.slot.selector
        for view in sorted(
            offered, key=lambda view: (view.slot.attr != "title", not _related(view.slot.selector, home))
        ):
            if view.ops or view.slot.attr in ("text", "tail") or len(view.values) != len(texts):
                continue
            pairs = [(text, full) for text, full in zip(texts, view.values, strict=True) if text]
            if all(
                full and _fold_space(full).startswith(_fold_space(text.rstrip("….").rstrip())) for text, full in pairs
            ):
                whole[name] = Match(field=match.field, view=view, made=match.made, score=match.score, name=match.name)
                break
    return whole


_LEADS_IN = frozenset(
    ("by", "posted", "written", "published", "from", "von", "par", "por", "di", "da", "door", "av", "от")
)


def _unlabelled(matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """A text that begins with its field's own name ("Author Ann Lee") gives way to the place that has the rest."""
    bare = dict(matches)
    for name, match in matches.items():
        box = match.view
        if match.field.type != "text" or box.ops or box.slot.attr != "text" or box.slot.many:
            continue
        for view in offered:
            plain = not view.ops and view.slot.attr == "text" and not view.slot.many and view.detail == box.detail
            if plain and len(view.values) == len(box.values) and _follows_label(match.field, box, view):
                bare[name] = Match(field=match.field, view=view, made=match.made, score=match.score, name=match.name)
                break
    return bare


def _follows_label(field: Field, box: View, view: View) -> bool:
    """Whether each of the box's texts is the place's, with nothing but the field's name and small words before it."""
    pairs = [(whole, rest) for whole, rest in zip(box.values, view.values, strict=True) if whole]
    if any(not rest or not whole.endswith(rest) for whole, rest in pairs):
        return False
    leads = {tokens(whole.removesuffix(rest or "")) for whole, rest in pairs}
    wanted = tokens(field.name)
    return bool(pairs) and all(
        lead and all(word in _LEADS_IN or alike((word,), wanted) >= 0.7 for word in lead) for lead in leads
    )


def _is_cut(text: str) -> bool:
    return text.endswith(("…", "..."))


def _fold_space(text: str) -> str:
    return " ".join(text.split()).casefold()


_DEED = re.compile(
    r"(?i)add[-_]?to|cart|basket|warenkorb|wish|login|vote|compare|/edit|share|report|javascript:|mailto:|^#"
)


def _leads(link: View, title: View) -> float:
    """How surely a link leads to what the title names: its words are in it, it stands in the same place."""
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


def _complemented(fields: tuple[Field, ...], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """Where one field takes the part of a text behind a mark, a text field that has all of it takes the part before."""
    whole = dict(matches)
    for name, match in matches.items():
        cut = match.view.ops[0] if len(match.view.ops) == 1 else None
        if not isinstance(cut, Part) or match.field.type != "text":
            continue
        for field in fields:
            held = whole.get(field.name)
            if field.name == name or field.type != "text":
                continue
            slot = held.view.slot if held is not None else match.view.slot
            if held is not None and held.view.ops:
                continue
            rest = _rest_of(slot, cut, match.view, offered)
            if rest is not None:
                whole[field.name] = Match(field=field, view=rest, made=Fit((), 1.0), score=match.score, name=0.5)
                break
    return whole


def _edges(fields: Sequence[Field], matches: dict[str, Match], offered: list[View]) -> dict[str, Match]:
    """Of fields cut out of one text in their order, the first or last without a place gets the text's edge."""
    whole = dict(matches)
    for at, field in enumerate(fields):
        if field.name in whole or field.type != "text" or field.optional:
            continue
        placed = [(where, whole[other.name].view) for where, other in enumerate(fields) if other.name in whole]
        others = [view for _, view in placed]
        shared = [where for where, view in placed if not view.detail and _holds_more(view, others)]
        if len(shared) < 2 or min(shared) < at < max(shared):
            continue
        sources = [whole[fields[where].name].view.slot for where in shared]
        last = at > max(shared)
        edges = [
            view
            for view in offered
            if view.slot in sources and len(view.ops) == 1 and isinstance(view.ops[0], Part)
            if view.ops[0].after == last and view.ops[0].last == last and view.coverage > 0.7
        ]
        free = [view for view in edges if not any(_same_part(view, other) for other in others)]
        if free:
            best = min(free, key=lambda view: sum(map(len, view.texts)) / len(view.texts))
            whole[field.name] = Match(field=field, view=best, made=Fit((), 1.0), score=1.5, name=0.0)
    return whole


def _holds_more(view: View, others: list[View]) -> bool:
    """Whether another field is read out of the same text."""
    return sum(other.slot == view.slot for other in others) > 1


def _same_part(view: View, other: View) -> bool:
    """Whether both stand for the same words in most records."""
    if len(view.values) != len(other.values) or (other.slot == view.slot and not other.ops):
        return False
    pairs = [(a, b) for a, b in zip(view.values, other.values, strict=True) if a and b]
    return sum(a in b or b in a for a, b in pairs) > 0.3 * len(pairs)


def _rest_of(slot: Slot, cut: Part, taken: View, offered: list[View]) -> View | None:
    """The other side of the mark in a slot whose texts hold the part that is taken."""
    whole = next((view for view in offered if view.slot == slot and not view.ops), None)
    other = Part(cut.separator, not cut.after, cut.last)
    rest = next((view for view in offered if view.slot == slot and view.ops == (other,)), None)
    if whole is None or rest is None or len(whole.values) != len(taken.values):
        return None
    pairs = [(text, part) for text, part in zip(whole.values, taken.values, strict=True) if text and part]
    edge = str.endswith if cut.after else str.startswith
    held = sum(edge(text, part) for text, part in pairs)
    return rest if pairs and held >= 0.9 * len(pairs) else None


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
