"""Links to the next page."""

from __future__ import annotations

import re

from scrapewright.critics.document import Link, Model
from scrapewright.loop.undefined_names import words

_NEXT = words(
    """next nextpage older olderposts olderentries more moreresults loadmore showmore weiter nächste
    nächsteseite suivant suivante pagesuivante siguiente próxima próximo seguinte successiva
    successivo avanti volgende volgendepagina następna następne dalej další následující
    następnastrona следующая следующаястраница далее вперед вперёд nästa neste næste seuraava
    következő sonraki 次へ 次のページ 次 下一页 下一頁 下页 다음 › » > → ≫ >> ››"""
)
_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(next|nextpage|weiter|pagination-next|pager-next)(?:$|[\s_-])", re.I)
_OFF = re.compile(r"(?:^|[\s_-])(disabled|inactive|hidden)(?:$|[\s_-])", re.I)


def is_next(model: Model, link: Link, text: str) -> bool:
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
    flat = "".join(said.split()).strip("»›>→.…") or "".join(said.split())
    if text and said == text and not said.isdigit():
        return True
    paged = bool(re.search(r"(page|seite|pagina|p|offset|start|from|skip)[=/_-]?\d+|[?&/](page|p)[=/]", link.url, re.I))
    if flat in _NEXT and (paged or flat not in ("more", "›", "»", ">", "→", "next", "次")):
        return True
    if flat in ("next", "›", "»", "→", "more") and (_NEXT_CLASS.search(around) or _in_pager(model, link.node)):
        return True
    return bool(_NEXT_CLASS.search(around)) and (paged or _in_pager(model, link.node))


def _in_pager(model: Model, node: int) -> bool:
    for up, _ in zip(model.ancestors(node), range(5), strict=False):
        if re.search(r"pag(er|ing|ination|es)|\.nav-links|pagenav", model.chain[up], re.I):
            return True
    return False


def says_next(model: Model, node: int) -> bool:
    """All that an element says is "next" or a word for it."""
    said = "".join(model.said(node).lower().split())
    return said in _NEXT or said.strip("»›>→.…") in _NEXT
