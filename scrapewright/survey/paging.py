"""Finds the way to the next page of a listing.

Every link is scored by its rel, its words (in many languages), its classes, its number among the numbers beside it and
what its address changes against the page's own; the best one above a threshold wins. The features are those that
autopager's authors labelled pages for (scrapinghub/autopager), without its trained model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

import msgspec
from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import classes_of, squeeze, stability, text_of, word_set
from scrapewright.survey.model import NextPage

Element = etree._Element

_NEXT = re.compile(
    r"^(?:(?:go |vai |jump )?(?:to )?(?:the )?next(?: ?(?:page|results?|entries|posts|\d+|topics?|"
    r"products?|items?|set))*|older(?: (?:posts?|entries|articles|items|topics|news|stories))?|"
    r"previous (?:posts|entries|articles)|"
    r"more(?: (?:results|posts|stories|news|items|articles))?|(?:load|show|view|see) more(?: \w+)?|"
    r"next ?page|forward|"
    r"nächste(?:[rns]?)?(?: ?seite)?|naechste(?: seite)?|weiter|"
    r"weitere (?:ergebnisse|beiträge|artikel|einträge|treffer)|"
    r"vor|vorwärts|"
    r"ältere (?:beiträge|einträge|artikel)|folgende(?: seite)?|mehr|"
    r"(?:page )?suivante?s?(?: page)?|articles (?:plus anciens|précédents)|plus|"
    r"(?:página )?siguientes?(?: página)?|próxim[ao]s?(?: (?:página|pagina))?|proxim[ao]|"
    r"seguinte(?: página)?|avançar|más(?: antiguos)?|entradas (?:antiguas|anteriores)|mais(?: antigos)?|"
    r"adelante|"
    r"(?:pagina )?(?:successiv[ao]|seguente|prossima)(?: pagina)?|avanti|post più vecchi|"
    r"articoli (?:precedenti|più vecchi)|"
    r"volgende(?: pagina)?|verder|oudere berichten|następn[aey](?: strona)?|dalej|starsze (?:wpisy|posty)|"
    r"następne|"
    r"další(?: strana| stránka)?|následující|ďalš(?:ia|ie|í)|következő(?: oldal)?|tovább|további|"
    r"régebbi bejegyzések|"
    r"nästa(?: sida)?|neste(?: side)?|næste(?: side)?|seuraava(?: sivu)?|eldre innlegg|äldre inlägg|vanhemmat|"
    r"sonraki(?: sayfa)?|ileri|următo(?:area|rul|r)|înainte|sledeć[ai]|slijedeća|naprej|naslednja|"
    r"следваща|напред|"
    r"след(?:ующая|ующие|\.)?(?: страница)?|далее|дал[іе]е?|вперед|вперёд|наступна|ещ[её]|показать ещ[её]|"
    r"более старые|"
    r"επόμεν[ηοα](?: σελίδα)?|επομενη|הבא|הדף הבא|לעמוד הבא|التالي(?:ة)?|الصفحة التالية|بعدی|"
    r"次|次へ|次の?ページ(?:へ)?|次の?\d*件?|もっと見る|つぎへ|"
    r"下一[页頁]|下[页頁]|后一页|後一頁|下一步|更多|다음(?: ?페이지)?|더보기|"
    r"trang (?:sau|kế|tiếp)|tiếp|sau|selanjutnya|berikutnya|seterusnya|ถัดไป|หน้าถัดไป)$",
    re.I,
)
_BACK = re.compile(
    r"^(?:prev(?:ious)?(?: ?(?:page|\d+))?|back|newer(?: \w+)?|first(?: page)?|zurück|"
    r"vorherige(?: seite)?|précédente?|anterior(?:es)?|precedente|"
    r"vorige|poprzednia|předchozí|předešlá|előző|föregående|forrige|edellinen|önceki|пред(?:ыдущая)?|"
    r"назад|前へ?|前のページ|上一[页頁]|이전|προηγούμενη)$",
    re.I,
)
_LAST = re.compile(
    r"^(?:last(?: page| ?[»>])?|letzte(?: seite)?|derni[eè]re?|últim[ao]|ultim[ao]|laatste|ostatnia|"
    r"poslední|utolsó|sista|siste|sidste|viimeinen|son|последняя|конец|最後|最后一?页?|末页|末頁|尾页|끝|"
    r"end|ende|fin)$",
    re.I,
)
_ARROWS = re.compile(r"^(?:[›»→>▶►⟩❯⇒⟶➔➡⏵]|>>|&raquo;|&gt;|-?->|=>|\.\.\.›)$")
_TRIM = re.compile(r"[\s\u00a0\u200b]*[›»→>▶►⟩❯⇒⟶➔➡:|\[\]()…\.«‹←<,]+[\s\u00a0]*")
_PAGER = re.compile(
    r"pag(?:inat|er|ing|inav|enav|e-?num|e-?nav|es$|elist)|seiten|navigation|navi|nextprev|next-prev|"
    r"prevnext|blaettern|сtraniц|страниц",
    re.I,
)
_CAROUSEL = re.compile(
    r"carousel|slider|slick|swiper|gallery|lightbox|slideshow|calendar|datepicker|flex-direction|date-(?:nav|next|prev)|month",
    re.I,
)
_NEXT_WORDS = word_set(
    "next nextpostslink nextpage nextlink pagenext paging-next pager-next older forward weiter suivant siguiente"
)
_PREV_WORDS = word_set("prev previous previouspostslink prevpage newer back zurueck first")
_PARAMS = word_set(
    "page p pg paged pagenum pageno page_no pagenumber pn seite pagina pag str strona sida side sayfa "
    "page_id pageindex start offset from skip first begin startrow currentpage curpage cpage pagen_1 s "
    "strana"
)
_OFFSETS = word_set("start offset from skip first begin startrow")
_PATH = re.compile(
    r"(?:^|/)(?:page|p|seite|pagina|page-|p-|strona|sida|str|paged|index)[/=_-]?(\d{1,5})(?:/|\.\w+|$)", re.I
)
_TAIL = re.compile(r"[/_-](\d{1,4})(?:/|\.(?:html?|php|aspx?))?$")
THRESHOLD = 5.0


class Link(msgspec.Struct):
    """A link that may lead on, with its score and why."""

    element: Element
    url: str
    text: str
    score: float
    number: int | None = None
    why: tuple[str, ...] = ()


def detect(document: Document) -> NextPage:
    """The way to the next page, not verified. `how` is "none" where the page shows none."""
    if document.kind != "html" or document.root is None:
        return NextPage()
    links = scored_links(document)
    if not links or links[0].score < THRESHOLD:
        return NextPage()
    best = links[0]
    param, start, step = param_of(document.url, best.url)
    last = _last_number(document)
    selector = _selector(document.root, best)
    if selector:
        return NextPage("link", selector, best.text, best.url, param, start, step, last=last)
    numbers = _numbers_selector(document.root, best)
    if numbers and best.text.isdigit():
        return NextPage("numbers", numbers, best.text, best.url, param, start, step, last=last)
    if param:
        return NextPage("param", "", best.text, best.url, param, start, step, last=last)
    return NextPage("none", url=best.url, text=best.text)


def scored_links(document: Document) -> list[Link]:
    """Links of the page with their scores, best first; only those with some sign of leading on."""
    root = document.root
    here = _normal(document.url)
    current = _current(document)
    out: list[Link] = []
    for element in root.iter("a", "link"):
        href = (element.get("href") or "").strip()
        if not href or href.startswith(("#", "javascript:", "mailto:", "tel:")):
            continue
        if element.tag == "link" and "next" not in (element.get("rel") or "").lower().split():
            continue
        try:
            url = urljoin(document.base, href)
            parts = urlsplit(url)
        except ValueError:
            continue
        if parts.scheme not in ("http", "https"):
            continue
        link = _score(element, url, here, current, document.url)
        if link is not None:
            out.append(link)
    out.sort(key=lambda link: -link.score)
    return out


def _words_said(element: Element) -> list[str]:
    said = [text_of(element)]
    said += [element.get(name) or "" for name in ("aria-label", "title")]
    for image in element.iter("img", "input"):
        said += [image.get("alt") or "", image.get("title") or ""]
    return [squeeze(text) for text in said]


def _plain(text: str) -> str:
    return squeeze(_TRIM.sub(" ", text)).strip(" -–—·•|").lower()


def _score(element: Element, url: str, here: str, current: int | None, page_url: str) -> Link | None:
    rel = (element.get("rel") or "").lower().split()
    said = _words_said(element)
    text = said[0]
    score = 0.0
    why: list[str] = []

    def add(value: float, reason: str) -> None:
        nonlocal score
        score += value
        why.append(f"{reason} {value:+g}")

    if "next" in rel:
        add(8 if element.tag == "link" else 10, "rel=next")
    if "prev" in rel:
        add(-6, "rel=prev")
    plain = [_plain(t) for t in said]
    if len(text) <= 40 and plain[0] and _NEXT.match(plain[0]):
        add(3.5 if plain[0] in _WEAK or plain[0].endswith(" more") else 6, "text")
    elif any(p and len(p) <= 60 and _NEXT.match(p) for p in plain[1:]):
        add(5, "label")
    elif text and _ARROWS.match(text.replace(" ", "")):
        add(3 if text.replace(" ", "") in ("»", ">>") else 4, "arrow")
    if any(p and _BACK.match(p) for p in plain) and not any(r.startswith("text") for r in why):
        add(-6, "back")
    if any(p and _LAST.match(p) for p in plain):
        add(-6, "last")
    own = _tokens(element)
    around = [a for a in element.iterancestors() if a.tag not in ("body", "html")][:5]
    near = {token for a in around[:1] for token in _tokens(a)}
    if own & _NEXT_WORDS or any("next" in t for t in own):
        wordy = len(text) > 3 and not text.isdigit() and score <= 0
        add(2.0 if wordy else 4.0, "class")
    elif (near & _NEXT_WORDS or any("next" in t for t in near)) and len(around) and _link_count(around[0]) <= 2:
        add(3.5, "parent class")
    if (own & _PREV_WORDS or any("prev" in t for t in own)) and not own & _NEXT_WORDS:
        add(-5, "prev class")
    labels = [
        f"{a.get('class') or ''} {a.get('id') or ''} {a.get('aria-label') or ''} {a.get('role') or ''}" for a in around
    ]
    pager = any(_PAGER.search(part) for label in labels[:4] for part in label.split())
    if pager and score > 0:
        add(1.5, "pager")
    if any(_CAROUSEL.search(label) for label in [*labels, " ".join(own)]):
        add(-6, "carousel")
    number = int(text) if text.isdigit() and len(text) <= 4 else None
    target = page_number(url, page_url)
    onward = _goes_on(plain[0], target, current, page_url)
    if onward and score <= 3.5:
        add(5 - max(score, 0), "more, with a page number")
    if number is not None:
        beside = _numeric_neighbours(element)
        if current is not None and number == current + 1 and (beside or pager):
            add(3.5 if pager or beside >= 2 else 2.0, "number")
        elif not (beside or pager):
            return None
        else:
            add(-4, "other number")
    if score <= 0 and number is None:
        return None
    if target is not None and score > 0:
        if current is not None and target[1] == current + 1 and not target[2]:
            add(3, "address")
        elif target[2]:
            add(1.5, "offset")
        elif onward:
            add(1.5, "address counted from zero")
        elif current is not None and target[1] <= current and target[1] != 0:
            add(-3 if "rel=next +10" in why else -6, "address back")
        elif current is None or current + 1 == target[1]:
            add(1.5, "address")
    elif score > 0 and re.search(
        rf"\D{(current or 1) + 1}$", urlsplit(url).path.rstrip("/").rpartition(".")[0] or urlsplit(url).path
    ):
        add(1.5, "address ends in the number")
    if _normal(url) == here:
        add(-6, "same page")
    if _same_site(url, page_url):
        add(0.5, "site")
    else:
        add(-5, "other site")
    if score <= 0:
        return None
    return Link(element, url, text[:60], score, number, tuple(why))


_MORE_OF = re.compile(
    r"^(?:more|older|further|weitere|ältere|plus d[e'’]|autres|más|mais|altr[ei]|meer|oudere|więcej|starsze|další|"
    r"fler|flere|lisää|ещ[её]|больше)\s?(?:\w+ ?){1,3}$",
    re.I,
)


def _goes_on(text: str, target: tuple[str, int, bool] | None, current: int | None, page_url: str) -> bool:
    """ "More upcoming events", where the address counts a page up: to the next number, or from zero to one."""
    if target is None or target[2] or not _MORE_OF.match(text):
        return False
    # "?p=1" is as often a post's number as a page's.
    counted = len(target[0]) > 1 and page_number(page_url, page_url) is None and (current or 1) == 1
    return target[1] == (current or 1) + 1 or (counted and target[1] == 1)


_WEAK = word_set("more mehr plus más mais vor sau older 更多 もっと見る ещё еще 더보기 tiếp forward weiter")


def _tokens(element: Element) -> set[str]:
    words = f"{element.get('class') or ''} {element.get('id') or ''}".replace("_", "-").lower()
    out = set(words.split())
    for word in words.split():
        out.update(word.split("-"))
    return out


def _link_count(element: Element) -> int:
    return sum(1 for _ in element.iter("a"))


def _numeric_neighbours(element: Element) -> int:
    """Other page numbers near a numeric link: among its siblings, or those of the item that holds it."""
    for holder in (element, element.getparent()):
        parent = holder.getparent() if holder is not None else None
        if parent is None:
            continue
        found = 0
        for sibling in parent:
            if (
                sibling is not holder
                and isinstance(sibling.tag, str)
                and re.fullmatch(r"\W*\d{1,4}\W*", text_of(sibling)[:12])
            ):
                found += 1
        if found:
            return found
    return 0


def _current(document: Document) -> int | None:
    """The number of this page: what is marked as current among page numbers, else what the address says, else 1."""
    root = document.root
    for element in root.iter("span", "strong", "b", "em", "li", "a", "td", "div", "font", "button", "p"):
        text = text_of(element) if len(element) <= 2 else ""
        match = re.fullmatch(r"\W*(\d{1,4})\W*", text[:12])
        if not match:
            continue
        marks = _tokens(element) | {element.get("aria-current") or ""}
        linked = element.tag == "a" and element.get("href") and not (element.get("href") or "").startswith("#")
        marked = marks & {
            "current",
            "active",
            "selected",
            "page",
            "thispage",
            "on",
            "cur",
            "currentpage",
            "aktiv",
            "sel",
            "curr",
            "pagecurrent",
        }
        if (
            marked
            and (not linked or marks & {"current", "active", "selected"})
            and (_numeric_neighbours(element) or "page" in marks)
        ):
            return int(match[1])
    for element in root.iter("strong", "b", "span", "em", "font", "li", "td"):
        if (
            len(element) == 0
            and (text := squeeze(element.text or ""))
            and re.fullmatch(r"[\[(]?\d{1,4}[\])]?", text)
            and not any(a.tag == "a" for a in element.iterancestors())
        ):
            siblings = [
                s for s in (element.getparent() if element.getparent() is not None else []) if s.tag in ("a", "li")
            ]
            if sum(1 for s in siblings if re.fullmatch(r"\W*\d{1,4}\W*", text_of(s)[:12])) >= 1 and _numeric_neighbours(
                element
            ):
                return int(text.strip("[]()"))
    said = page_number(document.url, document.url)
    if said is not None and not said[2]:
        return said[1]
    return 1


def is_page_param(name: str) -> bool:
    """Whether a query parameter's name is one that pages are counted by."""
    name = name.lower().rpartition(":")[2]
    return name in _PARAMS or name.startswith("page") or name.endswith(("page", "pageno"))


def is_offset_param(name: str) -> bool:
    """Whether it counts records, not pages."""
    return name.lower() in _OFFSETS


def page_number(url: str, base: str) -> tuple[str, int, bool] | None:
    """(parameter or "", number, whether it is an offset) that an address gives as its page."""
    parts = urlsplit(url)
    for key, value in parse_qsl(parts.query):
        name = key.lower().rpartition(":")[2]
        if (
            value.isdigit()
            and len(value) <= 6
            and (name in _PARAMS or name.startswith(("page", "pagen")) or name.endswith(("page", "pageno")))
        ):
            if name in ("p", "s") and len(value) > 4:
                continue
            return key, int(value), name in _OFFSETS
    match = _PATH.search(unquote(parts.path)) or (
        _TAIL.search(parts.path) if _stem(parts.path) == _stem(urlsplit(base).path) else None
    )
    return ("", int(match[1]), False) if match else None


def _stem(path: str) -> str:
    return re.sub(r"[/_-]?\d{1,4}(?=/|\.\w+$|$)", "", path).rstrip("/").removesuffix(".html")


def param_of(here: str, there: str) -> tuple[str, int, int]:
    """(parameter, start, step) where the next address differs from this one by a counted query parameter."""
    one, two = dict(parse_qsl(urlsplit(here).query)), dict(parse_qsl(urlsplit(there).query))
    changed = [key for key in two if one.get(key) != two[key]]
    counted = [key for key in changed if two[key].isdigit() and (not one.get(key) or one[key].isdigit())]
    if len(counted) != 1 or len(changed) > 1 + sum(1 for key in changed if key not in one):
        return "", 1, 1
    key = counted[0]
    target = int(two[key])
    if key in one:
        return key, int(one[key]), target - int(one[key]) or 1
    known = page_number(there, here)
    if known is not None and known[0] == key and known[2]:
        return key, 0, target or 1
    return (key, target - 1, 1) if target in (1, 2) else (key, 0, target)


def _normal(url: str) -> str:
    parts = urlsplit(url)
    query = "&".join(sorted(f"{key}={value}" for key, value in parse_qsl(parts.query)))
    return f"{parts.netloc.lower().removeprefix('www.')}{unquote(parts.path).rstrip('/')}?{query}"


def _same_site(one: str, other: str) -> bool:
    a, b = urlsplit(one).netloc.lower().removeprefix("www."), urlsplit(other).netloc.lower().removeprefix("www.")
    return a == b or a.endswith("." + b) or b.endswith("." + a)


def _last_number(document: Document) -> int | None:
    """The highest page number that the pager links to."""
    best = 0
    for element in document.root.iter("a"):
        text = squeeze(element.text or "") if len(element) == 0 else text_of(element)
        if text.isdigit() and len(text) <= 4 and _numeric_neighbours(element):
            best = max(best, int(text))
    return best or None


def _selector(root: Element, link: Link) -> str:
    """A selector whose first match is the link and that can be trusted to be the next link on other pages too."""
    for selector in _selectors(link.element, link.text):
        try:
            found = css.select_all(root, selector)
        except (css.BadSelector, etree.XPathError):
            continue
        if found and (found[0] is link.element or found[0].get("href") == link.element.get("href")):
            return selector
    return ""


def _selectors(element: Element, text: str) -> Iterator[str]:
    tag = str(element.tag)
    if "next" in (element.get("rel") or "").lower().split():
        yield f'{tag}[rel~="next"]' if " " in (element.get("rel") or "") else f'{tag}[rel="next"]'
    parent = element.getparent()
    for name in classes_of(element):
        if css.is_identifier(name) and ("next" in name.lower() or name.lower() in _NEXT_WORDS):
            yield f"{tag}.{name}"
    if (identifier := element.get("id") or "") and css.is_identifier(identifier) and "next" in identifier.lower():
        yield f"{tag}#{identifier}"
    for ancestor in [a for a in (parent, parent.getparent() if parent is not None else None) if a is not None]:
        for name in classes_of(ancestor):
            if (
                css.is_identifier(name)
                and ("next" in name.lower() or name.lower() in _NEXT_WORDS)
                and _link_count(ancestor) == 1
            ):
                yield f"{ancestor.tag}.{name} {tag}"
    for attr in ("aria-label", "title"):
        value = element.get(attr) or ""
        if value and '"' not in value and _NEXT.match(_plain(value)):
            yield f'{tag}[{attr}="{value}"]'
    for image in element.iter("img"):
        for attr in ("alt", "title"):
            value = image.get(attr) or ""
            if value and '"' not in value and _NEXT.match(_plain(value)):
                yield f'{tag}:has(img[{attr}="{value}"])'
    own = squeeze(element.text or "")
    if (
        own
        and not own.isdigit()
        and '"' not in own
        and "\\" not in own
        and (_NEXT.match(_plain(own)) or _ARROWS.match(own.replace(" ", "")))
    ):
        for ancestor in element.iterancestors():
            if ancestor.tag in ("body", "html"):
                break
            for name in classes_of(ancestor):
                if css.is_identifier(name) and stability(name) and _PAGER.search(name):
                    yield f'{ancestor.tag}.{name} {tag}:-soup-contains-own("{own}")'
        yield f'{tag}:-soup-contains-own("{own}")'
    elif text and not text.isdigit() and len(element) and '"' not in text and "\\" not in text:
        for child in element.iter("span", "b", "strong", "font", "i", "em"):
            inner = squeeze(child.text or "")
            if inner and '"' not in inner and (_NEXT.match(_plain(inner)) or _ARROWS.match(inner)):
                yield f'{tag}:has({child.tag}:-soup-contains-own("{inner}"))'


def _numbers_selector(root: Element, link: Link) -> str:
    """A selector of the pager's links, for going to the link whose text is one higher."""
    for ancestor in link.element.iterancestors():
        if ancestor.tag in ("body", "html"):
            break
        names = [name for name in classes_of(ancestor) if css.is_identifier(name) and stability(name)]
        identifier = ancestor.get("id") or ""
        for compound in [f"{ancestor.tag}.{name}" for name in names] + (
            [f"#{identifier}"] if css.is_identifier(identifier) and stability(identifier) else []
        ):
            selector = f"{compound} a"
            found = css.select_all(root, selector)
            if link.element in found and len(found) <= 60:
                return selector
    return ""
