"""What sites say, and call, what is around the records: pagers, suggestions of what else one may like, adverts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice, takewhile

from scrapewright.survey.dom import HEADINGS, Element, squeeze, text_of, word_set

_GO_TO = (
    r"(?:(?:go|jump|move|skip|turn)(?: to)?(?: the)? |(?:aller|accéder|passer) à (?:la )?|ir (?:a|para) (?:la |a )?|"
    r"(?:gehe? )?zur |vai (?:alla |a )?|ga naar (?:de )?|przejdź do |přejít na |gå till? |siirry |"
    r"перейти (?:к|на) )?"
)
"""What a label of a link says before the page that it leads to."""
_PAGE = r"(?:page|seite|p[áa]gina|pagina|oldal|stron[ay]|stran[au]|stránk[au]|sid[ae]|sivu|sayfa|страниц[аеу]|σελίδα)"


def _way(words: str) -> re.Pattern[str]:
    """What a link to a page is called: one of the words, with or without "page" before or behind it."""
    return re.compile(rf"^{_GO_TO}(?:{_PAGE} )?(?:{words})(?: ?{_PAGE})?$", re.I)


NEXT = _way(
    r"(?:to )?(?:the )?next(?: ?(?:page|results?|entries|posts|\d+|topics?|products?|items?|set))*|"
    r"(?:older|previous) (?:posts|entries|articles)|older(?: (?:post|entry|items|topics|news|stories))?|forward|"
    r"more(?: (?:results|posts|stories|news|items|articles))?|(?:load|show|view|see) more(?: \w+)?|"
    r"n(?:ä|ae)chste[rns]?|weiter|vor|vorwärts|folgende|mehr|"
    r"(?:weitere|ältere) (?:ergebnisse|beiträge|artikel|einträge|treffer)|"
    r"suivante?s?|plus|articles (?:plus anciens|précédents)|"
    r"siguientes?|pr[óo]xim[ao]s?|más(?: antiguos)?|adelante|entradas (?:antiguas|anteriores)|"
    r"seguinte|avançar|mais(?: antigos)?|"
    r"successiv[ao]|seguente|prossima|avanti|post più vecchi|articoli (?:precedenti|più vecchi)|"
    r"volgende|verder|oudere berichten|następn[aey]j?|dalej|starsze (?:wpisy|posty)|"
    r"další|následující|ďalš(?:ia|ie|í)|következő|tovább|további|régebbi bejegyzések|"
    r"n[äe]sta|n[eæ]ste|seuraava|eldre innlegg|äldre inlägg|vanhemmat|"
    r"sonraki|ileri|următo(?:area|rul|r)|înainte|sledeć[ai]|slijedeća|naprej|naslednja|следваща|напред|"
    r"след(?:ующ(?:ая|ие|ую|ей)|\.)?|дал(?:ее|[іе]е?)|впер[её]д|наступна|(?:показать )?ещ[её]|более старые|"
    r"επόμεν[ηοα]|επομενη|(?:הדף |לעמוד )?הבא|التالي(?:ة)?|الصفحة التالية|بعدی|"
    r"次(?:の?(?:ページ)?(?:へ)?|の?\d*件?)|つぎへ|もっと見る|下一?[页頁]|[后後]一[页頁]|下一步|更多|"
    r"다음(?: ?페이지)?|더보기|trang (?:sau|kế|tiếp)|tiếp|sau|selanjutnya|berikutnya|seterusnya|(?:หน้า)?ถัดไป"
)
BACK = _way(
    r"prev(?:ious)?(?: ?(?:page|\d+))?|back|newer(?: \w+)?|first|zurück|vorherigen?|précédente?|"
    r"anterior(?:es)?|precedente|vorige|poprzednia|předchozí|předešlá|előző|föregående|"
    r"forrige|edellinen|önceki|пред(?:ыдущая)?|назад|前(?:へ|のページ)?|上一[页頁]|이전|προηγούμενη"
)
LAST = _way(
    r"last(?: ?[»>])?|letzten?|derni[eè]re?|[úu]ltim[ao]|laatste|ostatnia|poslední|utolsó|sist[ae]|"
    r"sidste|viimeinen|son|последняя|конец|最[后後]一?页?|末[页頁]|尾页|끝|end|ende|fin"
)
_ARROW = r"(?:>>|-?->|=>|\.\.\.›|[›»→>▶►⟩❯⇒⟶➔➡⏵])"
ARROWS = re.compile(
    rf"^(?:{_ARROW}|navigate_next|(?:keyboard_arrow|chevron|arrow)_right(?:_alt)?|arrow_forward(?:_ios)?)$"
)
"""Arrows, and the names that icon fonts draw as arrows."""
_ICON = re.compile(
    r"(?:[a-z]+-)*(?:angle|chevron|caret|arrow)(?:-(?:alt|circle|long|small|thin))*-(?:right|next|forward)(?:-[a-z]+)?"
)
PAGER = re.compile(
    r"pag(?:inat|er|ing|inav|enav|e-?num|e-?nav|es$|elist)|seiten|navigation|navi|nextprev|next-prev|"
    r"prevnext|blaettern|stranic|страниц",
    re.I,
)
"""In the class, id, label or role of what holds page numbers."""
CAROUSEL = re.compile(
    r"carousel|slider|slick|swiper|gallery|lightbox|slideshow|calendar|datepicker|flex-direction|date-(?:nav|next|prev)|month",
    re.I,
)
"""The same of what also has arrows: pictures, months."""
NEXT_NAMES = word_set(
    "next nextpostslink nextpage nextlink pagenext paging-next pager-next older forward weiter suivant siguiente"
)
"""Classes and ids of links that lead on."""
BACK_NAMES = word_set("prev previous previouspostslink prevpage newer back zurueck first")
"""Classes and ids of links that lead back."""

MORE_OF = re.compile(
    r"^(?:more|older|further|weitere|ältere|plus d[e'’]|autres|más|mais|altr[ei]|meer|oudere|więcej|starsze|další|"
    r"fler|flere|lisää|ещ[её]|больше)\s?(?:\w+ ?){1,3}$",
    re.I,
)
"""More of something named: it leads on only where the address counts on, too."""
MORE = re.compile(
    r"\b(?:more|plus|mehr|weitere|más|mais|altri|altre|meer|więcej|další|fler|flere|lisää|ещ[её]|больше)\b"
    r"|更多|もっと|더 ?보기",
    re.I,
)
"""More of something, wherever it is said: it leads on where the address is the page's own and counts on."""
WEAK = word_set("more mehr plus más mais vor sau older 更多 もっと見る ещё еще 더보기 tiếp forward weiter")
"""Said as often by links to something else."""
_TRIM = re.compile(r"[\s\u00a0\u200b]*[›»→>▶►⟩❯⇒⟶➔➡:|\[\]()…\.«‹←<,]+[\s\u00a0]*")


def plain(text: str) -> str:
    """What a link says, in small letters, without the arrows, bars and brackets around it."""
    return squeeze(_TRIM.sub(" ", text)).strip(" -–—·•|").lower()


# What is beside and between the records of a list: suggestions of what else one may like, and adverts.

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
    r"^(?:you (?:may|might) (?:also )?(?:like|be interested|enjoy)|"
    r"(?:customers|people|others) (?:who .{0,40})?also|"
    r"recommended|recommendations|related|similar|more like this|recently viewed|popular (?:right )?now|"
    r"best ?sellers|frequently bought|sponsored|our (?:suggestions|recommendations)|inspired by|"
    r"das könnte (?:dir|ihnen|sie)|kunden (?:kauften|interessierten)|ähnliche|empfehlungen|empfohlen|"
    r"zuletzt angesehen|auch interessant|vous (?:aimerez|pourriez)|(?:articles|produits) similaires|recommandé|"
    r"también (?:te|le|podr)|productos relacionados|relacionad|"
    r"potrebbe(?:ro)? (?:anche )?(?:interessar|piacer)|"
    r"prodotti correlati|talvez|você também|anderen bekeken|misschien vind|"
    r"может (?:вам )?(?:понравиться|заинтересовать)|похожие|рекомендуем|"
    r"おすすめ|関連|你可能|推荐|相关|推薦|相關|추천|관련)",
    re.I,
)


@lru_cache(maxsize=4096)
def is_arrow_icon(classes: str) -> bool:
    """Whether one of an element's class names is that of an icon font's single arrow to the right."""
    return any(_ICON.fullmatch(name.lower().replace("_", "-")) for name in classes.split())


@lru_cache(maxsize=4096)
def is_advert(classes: str) -> bool:
    """Whether one of an element's class names says that somebody paid for it to be there."""
    return any(_ADVERT.search(name) for name in classes.split())


@lru_cache(maxsize=4096)
def _is_called_more(classes: str, identifier: str) -> bool:
    return any(_MORE.search(name) for name in (*classes.split(), identifier))


def tells_more(element: Element) -> bool | None:
    """Whether an element is called as suggestions are, or else its heading says so; None where neither tells."""
    if _is_called_more(element.get("class") or "", element.get("id") or ""):
        return True
    heading = next(element.iterchildren(*HEADINGS), None)
    if heading is None and element.tag in ("ul", "ol", "div", "table"):
        previous = element.getprevious()
        heading = previous if previous is not None and previous.tag in HEADINGS else None
    return bool(_MORE_SAID.match(text_of(heading))) if heading is not None else None


def is_more(element: Element, tells: Callable[[Element], bool | None] = tells_more) -> bool:
    """A block of suggestions beside the list: it or what holds it is called so, or is under such a heading."""
    if element.tag in _WHOLE or _is_called_more(element.get("class") or "", element.get("id") or ""):
        return element.tag not in _WHOLE
    boxes = takewhile(lambda box: box.tag not in _WHOLE, islice(element.iterancestors(), 5))
    return next((told for told in map(tells, boxes) if told is not None), False)


_WHOLE = ("body", "main", "html")
