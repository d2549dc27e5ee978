"""The headings that a record stands under."""

from __future__ import annotations

from scrapewright.critics.document import Model

_RANKS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 7, "legend": 7, "summary": 7, "dt": 8}
_MOST_NODES = 20_000


def headings_above(model: Model, node: int) -> list[str]:
    """The texts of the headings before a node, nearest first, each of a higher rank than the one before it. Headings
    of records (those that stand where one stands in the node itself) are none of them."""
    own = {model.path[n] for n in range(node, model.end[node]) if model.tag[n] in _RANKS}
    found: list[str] = []
    rank = 9
    for at in range(node - 1, max(-1, node - _MOST_NODES), -1):
        mine = _RANKS.get(model.tag[at], 9)
        if mine < rank and model.path[at] not in own:
            text = model.said(at)
            if text:
                found.append(text)
                rank = mine
                if rank == 1:
                    break
    return found


def heading_above(model: Model, node: int) -> str:
    """All of them in one text."""
    return " ".join(headings_above(model, node))
