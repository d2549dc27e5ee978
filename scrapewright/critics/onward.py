"""Links to the next page."""

from __future__ import annotations

import re
from itertools import islice

from scrapewright.critics.document import Link, Model
from scrapewright.survey.model import Survey
from scrapewright.survey.pagewords import ARROWS, NEXT, WEAK, is_arrow_icon, plain

_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(next|nextpage|weiter|pagination-next|pager-next)(?:$|[\s_-])", re.I)
_OFF = re.compile(r"(?:^|[\s_-])(disabled|inactive|hidden)(?:$|[\s_-])", re.I)
_PAGER = re.compile(r"pag(er|ing|ination|es)|\.nav-links|pagenav", re.I)
"""Narrower than what the survey looks through for links: an arrow in a menu is none that was not followed."""
_COUNTED = re.compile(r"(?<![a-z])(page|seite|pagina|p|offset|start|from|skip)[=/_-]?\d+|[?&/](page|p)[=/]", re.I)


def onward(model: Model, survey: Survey | None) -> list[Link]:
    """A page's links to the next one. `survey`: what they say on the first page, if it was looked at."""
    by_link = survey is not None and survey.next.how == "link"
    text = " ".join(survey.next.text.split()).lower() if survey is not None and by_link else ""
    return [link for link in model.links if _is_next(model, link, text)]


def _is_next(model: Model, link: Link, text: str) -> bool:
    """A link to the next page by its relation, its class or its words; not one that is switched off."""
    up = model.parent[link.node]
    around = f"{link.classes} {model.chain[up].replace('.', ' ') if up >= 0 else ''}"
    if _OFF.search(around):
        return False
    if "next" in link.rel.lower().split():
        return True
    if link.tag != "a":
        return False
    said = " ".join(model.said(link.node).lower().split())
    if text and said == text and not said.isdigit():
        return True
    named = _NEXT_CLASS.search(around) is not None
    worded = plain(said or link.label.lower())
    leads = says_next(model, link.node) or _draws_arrow(model, link.node) or NEXT.match(worded) is not None
    if NEXT.match(worded) and worded not in {"next", "次", *WEAK}:
        return True
    if not (leads and named) and _COUNTED.search(link.url) is None:
        return (leads or named) and any(_PAGER.search(model.chain[up]) for up in islice(model.ancestors(link.node), 5))
    return leads or named


def _draws_arrow(model: Model, node: int) -> bool:
    """All that a link shows is an icon font's arrow to the right."""
    icons = (model.chain[inner].replace(".", " ") for inner in range(node, model.end[node]))
    return not model.length(node) and any(map(is_arrow_icon, icons))


def says_next(model: Model, node: int) -> bool:
    """All that an element says is "next", a word for it or an arrow."""
    said = model.said(node)
    return bool(NEXT.match(plain(said)) or ARROWS.match("".join(said.split())))
