"""The headings that a record is under."""

from __future__ import annotations

import re

from scrapewright.critics.dates import Date, says
from scrapewright.critics.document import Model, Span
from scrapewright.critics.normal_forms import squash, words

RANKS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 7, "legend": 7, "summary": 7, "dt": 8}
_MOST_NODES = 20_000


def headings_above(model: Model, node: int) -> list[str]:
    """The texts of the headings before a node, nearest first, each of a higher rank than the one before it. One of the
    same rank counts where nothing is between it and the first of those below it: it heads them all. Headings of records
    (those in the place that one has in the node itself) are none of them."""
    own = {model.path[n] for n in range(node, model.end[node]) if model.tag[n] in RANKS}
    found: list[str] = []
    rank, like, first = 9, (-1, ""), node
    for at in range(node - 1, max(-1, node - _MOST_NODES), -1):
        mine = RANKS.get(model.tag[at], 9)
        if mine > rank or mine == 9 or model.path[at] in own:
            continue
        kind = (model.path[at], model.chain[at])
        if mine == rank and (kind == like or model.stops[at].text != model.starts[first].text):
            first = at if kind == like else first
            continue
        if not (text := model.said(at)):
            continue
        found.append(text)
        rank, like, first = mine, kind, at
        if rank == 1:
            break
    return found


def says_section(name: str, heading: str) -> bool:
    """Whether a heading is the one named: the same, or one that holds all of its words."""
    wanted, there = _stems(name), _stems(heading)
    return bool(wanted) and (squash(name) == squash(heading) or wanted <= there)


def _stems(text: str) -> set[str]:
    """Words without a plural's s, so that "Desserts" is "dessert"."""
    return {w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words(text)}


def in_section(name: str, model: Model, node: int) -> bool:
    """Whether one of the headings above a node, or in it where none is above, is the one named; or another text that
    heads the box that the node is in."""
    above = headings_above(model, node)
    inside = [model.said(n) for n in range(node, model.end[node]) if model.tag[n] in RANKS] if not above else []
    return any(says_section(name, heading) for heading in above or inside) or _is_headed(name, model, node)


def _is_headed(name: str, model: Model, node: int) -> bool:
    """Whether a text that is the name alone comes before the node in a box that holds both, with neither a heading nor
    an element like its own from there to the node's end."""
    own = {model.path[n] for n in range(node, model.end[node]) if model.tag[n] in RANKS}
    label = max((n for n in model.by_text.get(squash(name), ()) if n < node), default=-1)
    box = next((up for up in model.ancestors(label) if up <= node < model.end[up]), 0)
    if box <= 0 or model.tag[box] == "body" or node - label > _MOST_NODES:
        return False
    path, kind = model.path[label], model.kind(label)
    return not any(
        (model.path[n] == path and model.kind(n) == kind) or (model.tag[n] in RANKS and model.path[n] not in own)
        for n in range(label + 1, model.end[node])
    )


def says_below(model: Model, node: int, date: Date) -> bool:
    """Whether a record, or the box that it is in, says the day of a date and the nearest heading above that has a
    year says the rest of it."""
    heading = next((text for text in headings_above(model, node) if _YEAR.search(text)), "")
    box = model.parent[node] if model.parent[node] > 0 else node
    pieces = Span(model, box).texts
    texts = [piece.text for piece in (pieces if len(pieces) <= _BOX else Span(model, node).texts)]
    return bool(heading) and any(len(text) <= _PART and says(f"{text} {heading}", date) for text in texts)


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BOX = 24
"""A box with more texts than this holds more than what belongs to one day."""
_PART = 24
