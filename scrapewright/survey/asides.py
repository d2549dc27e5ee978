"""What is beside and between the records of a list: suggestions of what else one may like, and adverts."""

from __future__ import annotations

import re
from functools import lru_cache

from scrapewright.survey.dom import HEADINGS, Element, text_of

_ADVERT = re.compile(
    r"^(?:ads?|adverts?|advertisement|advertising|sponsor(?:ed)?|promoted|werbung|anzeige|publicit[ée]|publicidad|reklam[ay]?)$"
    r"|(?:^|[-_])(?:ads?|adslot|advert|sponsor(?:ed)?|promoted)(?:[-_]|$)",
    re.I,
)
_MORE = re.compile(
    r"(?:^|[-_ ])(?:related|recommend(?:ed|ations?|s)?|also-?(?:like|bought|viewed)|similar|upsells?|cross-?sells?|"
    r"suggest(?:ed|ions?)|you-?may|recently-?viewed|reco|bestsellers?)(?:$|[-_ ])",
    re.I,
)
_MORE_SAID = re.compile(
    "^(?:"
    + "|".join(
        (
            r"you (?:may|might) (?:also )?(?:like|be interested|enjoy)",
            r"(?:customers|people|others) (?:who .{0,40})?also",
            r"recommended|recommendations|related|similar|more like this|recently viewed|popular (?:right )?now",
            r"best ?sellers|frequently bought|sponsored|our (?:suggestions|recommendations)|inspired by",
            r"das könnte (?:dir|ihnen|sie)|kunden (?:kauften|interessierten)|ähnliche|empfehlungen|empfohlen",
            r"zuletzt angesehen|auch interessant|vous (?:aimerez|pourriez)|(?:articles|produits) similaires|recommandé",
            r"también (?:te|le|podr)|productos relacionados|relacionad",
            r"potrebbe(?:ro)? (?:anche )?(?:interessar|piacer)",
            r"prodotti correlati|talvez|você também|anderen bekeken|misschien vind",
            r"может (?:вам )?(?:понравиться|заинтересовать)|похожие|рекомендуем",
            r"おすすめ|関連|你可能|推荐|相关|推薦|相關|추천|관련",
        )
    )
    + ")",
    re.I,
)


@lru_cache(maxsize=4096)
def is_advert(classes: str) -> bool:
    """Whether one of an element's class names says that somebody paid for it to be there."""
    return any(_ADVERT.search(name) for name in classes.split())


@lru_cache(maxsize=4096)
def _is_called_more(classes: str, identifier: str) -> bool:
    return any(_MORE.search(name) for name in (*classes.split(), identifier))


def is_more(element: Element) -> bool:
    """A block of suggestions beside the list: it or what holds it is called so, or is under such a heading."""
    for depth, e in enumerate((element, *element.iterancestors())):
        if e.tag in ("body", "main", "html") or depth > 5:
            return False
        if _is_called_more(e.get("class") or "", e.get("id") or ""):
            return True
        heading = next(e.iterchildren(*HEADINGS), None)
        if heading is None and e.tag in ("ul", "ol", "div", "table"):
            previous = e.getprevious()
            heading = previous if previous is not None and previous.tag in HEADINGS else None
        if heading is not None and depth:
            return bool(_MORE_SAID.match(text_of(heading)))
    return False
