"""Links and texts that other fields tell: the link called "Agenda", the name behind its number or before its author."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Rewrite
from scrapewright.programmers.rules.view import View, part
from scrapewright.programmers.rules.views import LEADING
from scrapewright.query.lexicon import concepts, tokens, weak
from scrapewright.query.reading import Field

_PLAIN = frozenset(("absolute", "absolut", "absolu", "full", "page", "pdf"))


def called_links(fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View]) -> dict[str, Match]:
    """A link asked for by a name ("agenda_url") is the one whose text, or place, bears it."""
    found = dict(matches)
    for field in fields:
        held = matches.get(field.name)
        words = {word for word in tokens(field.name) if not weak(word) and not concepts(word) & {"url"}} - _PLAIN
        if field.type != "url" or not words or held is None or held.view.slot.many or held.view.ops:
            continue
        links = [view for view in offered if view.slot.attr == "href" and not view.ops and not view.slot.many]
        named = [view for view in links if words <= _said(view, offered)]
        if len({view.values for view in named}) == 1 and held.view.values != named[0].values:
            found[field.name] = Match(field=field, view=named[0], made=Fit((), 1.0), score=held.score, name=1.0)
    return found


def _said(link: View, offered: Sequence[View]) -> set[str]:
    """The words of the link's own text where that is the same in all records, and of what its place is called."""
    said = {word for name in link.slot.names for word in tokens(name)}
    for view in offered:
        slot = view.slot
        if view.ops or slot.attr != "text" or slot.many or slot.own or not slot.selector or not view.texts:
            continue
        around = link.slot.selector == slot.selector or link.slot.selector.startswith((slot.selector + " ",))
        if around and slot.index == link.slot.index and len(view.counts) == 1:
            said |= set(tokens(view.texts[0])) | {word for name in slot.names for word in tokens(name)}
    return said


_NAMING = frozenset(("title", "text"))


def behind_codes(fields: Sequence[Field], matches: dict[str, Match]) -> dict[str, Match]:
    """Where one field is the code that a text begins with, the name that has all of the text goes without it."""
    found = dict(matches)
    for name, match in matches.items():
        if match.field.type != "text":
            continue
        for field in fields:
            held = found.get(field.name)
            means = any(concepts(word) & _NAMING for word in tokens(field.name))
            if held is None or field.name == name or field.type != "text" or held.view.ops or not means:
                continue
            pairs = [(a, b) for a, b in zip(held.view.values, match.view.values, strict=False) if a]
            if not pairs or not all(b and a.startswith(b) and len(a) > len(b) + 2 for a, b in pairs):
                continue
            shapes = sorted({re.sub(r"\d+", r"\\d+", re.escape(b or "")) for _, b in pairs}, key=len, reverse=True)
            if len(shapes) > 3 or not all("\\d" in shape for shape in shapes):
                continue
            rest = part(held.view, [Rewrite(rf"^(?:{'|'.join(shapes)})[\s:.,–—-]*", "")], 0.0)
            if rest is not None and all(re.search(r"[^\W\d_]{2}", text) for text in rest.texts):
                found[field.name] = Match(field=field, view=rest, made=held.made, score=held.score, name=held.name)
    return found


def without_author(matches: dict[str, Match], offered: Sequence[View]) -> dict[str, Match]:
    """A text that ends with another field's value and a word that leads to it ("Best cable? by tom") gives way to the
    place that has the rest."""
    found = dict(matches)
    for name, match in matches.items():
        box = match.view
        if match.field.type != "text" or box.ops or box.slot.attr != "text" or box.slot.many:
            continue
        for other in matches.values():
            pairs = list(zip(box.values, other.view.values, strict=False)) if other is not match else []
            rests = [_before_author(a, b) for a, b in pairs if a and b]
            if other.field.type != "text" or len(rests) < 2 or len(rests) < len(box.texts) or not all(rests):
                continue
            rest = next((view for view in offered if _plain_text(view) and view.texts == rests), None)
            if rest is not None:
                found[name] = Match(field=match.field, view=rest, made=match.made, score=match.score, name=match.name)
    return found


def _before_author(text: str, author: str) -> str:
    """What comes before the author and the word that leads to him; "" where none does."""
    said = text.removesuffix(author).rstrip() if text.endswith(author) else ""
    rest, _, lead = said.rpartition(" ")
    return rest.rstrip(" ,|·–-") if lead.lower() in LEADING else ""


def _plain_text(view: View) -> bool:
    return not view.ops and view.slot.attr == "text" and not view.slot.many
