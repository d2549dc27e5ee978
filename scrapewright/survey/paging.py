"""Finds the way to the next page of a listing.

Every link is scored by its rel, its words (in many languages), its classes, its number among the numbers beside it and
what its address changes against the page's own; the best one above a threshold wins. The features are those that
autopager's authors labelled pages for (scrapinghub/autopager), without its trained model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal
from urllib.parse import parse_qsl, urljoin, urlsplit

import msgspec

from scrapewright.survey import css, pagewords, submissions
from scrapewright.survey.addresses import normal, page_number, param_of, same_site
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import Element, classes_of, squeeze, stability, text_of, word_set
from scrapewright.survey.model import NextPage

THRESHOLD = 5.0


class Link(msgspec.Struct):
    """A link that may lead on, with its score."""

    element: Element
    url: str
    text: str
    score: float = 0.0
    number: int | None = None
    """The page number that it shows."""


def detect(document: Document) -> NextPage:
    """The way to the next page, not verified. `how` is "none" where the page shows none."""
    if document.kind != "html" or document.root is None:
        return NextPage()
    here = _current(document)
    best = _surest(_scored(link, url, document.url, here) for link, url in _links(document))
    if best is None:
        return _by_form(document, here)
    param, start, step = param_of(document.url, best.url)
    how: Literal["link", "numbers", "param"] = "link"
    selector = link_selector(document.root, best.element, best.text)
    if not selector and best.text.isdecimal():
        how, selector = "numbers", numbers_selector(document.root, best.element)
    if not selector and not param:
        return NextPage(text=best.text, url=best.url)
    how = how if selector else "param"
    return NextPage(how, selector, best.text, best.url, param, start, step, last=_last_number(document))


def _surest(scored: Iterable[Link | None]) -> Link | None:
    """The first of those that lead to the next page most surely by their signs."""
    leading = (link for link in scored if link is not None and link.score >= THRESHOLD)
    return max(leading, key=lambda link: link.score, default=None)


def _by_form(document: Document, here: int) -> NextPage:
    """The control of a form that leads on, where no link does. How its form is sent is `pressed`'s to say."""
    best = _surest(_scored(control, "", document.url, here) for control in submissions.controls(document))
    if best is None or (form := submissions.pressed(document, best.element)) is None:
        return NextPage()
    if form.method == "GET":
        param, start, by = param_of(document.url, form.url)
        return NextPage("param", "", best.text, form.url, param, start, by) if param else NextPage()
    script, numbered = submissions.called(best.element), best.number is not None
    if not numbered:
        selector = link_selector(document.root, best.element, best.text)
    elif submissions.argument_of(best.element) == f"Page${best.number}":
        selector = f'{best.element.tag}[{script}*="Page$"]'
    else:
        selector = numbers_selector(document.root, best.element)
    if not selector:
        return NextPage()
    last = _last_number(document)
    return NextPage("form", selector, best.text, form.url, last=last, script=script, numbered=numbered)


def control_pressed(document: Document, step: NextPage) -> submissions.Submission | None:
    """What the control that a step of kind "form" names sends on this page; None where the page has none."""
    number = _current(document) + 1
    for control in css.select_all(document.root, step.selector):
        text = submissions.label_of(control)
        if not submissions.called(control) and not submissions.is_button(control):
            continue  # switched off
        if not step.numbered or text == str(number) or submissions.argument_of(control).endswith(f"${number}"):
            return submissions.pressed(document, control)
    return None


def _links(document: Document) -> Iterator[tuple[Element, str]]:
    """The links of the page to other pages, with their addresses."""
    for element in document.root.iter("a", "link"):
        href = (element.get("href") or "").strip()
        if not href or href.startswith("#") or (element.tag == "link" and "next" not in _rel(element)):
            continue
        try:
            url = urljoin(document.base, href)
            if urlsplit(url).scheme in ("http", "https"):
                yield element, url
        except ValueError:
            continue


def _scored(element: Element, url: str, page: str, here: int) -> Link | None:
    """The link (without a `url` the control that sends a form) with its signs, in this order, for later ones weigh by
    those before; None where it has too few. `page` is the address of the page that it is on, `here` its number."""
    text = submissions.label_of(element)
    link = Link(element, url or page, text[:60], number=int(text) if _A_PAGE.fullmatch(text) else None)
    said = [pagewords.plain(each) for each in (text, *_labels(element))]
    around = [box for box in element.iterancestors() if box.tag not in ("body", "html")][:5]
    rel = _rel(element)
    link.score += (8 if element.tag == "link" else 10) * ("next" in rel) - 6 * ("prev" in rel)
    _by_words(link, text, said)
    pager = _by_marks(link, text, around)
    if not url and not _by_script(link, pager):
        return None
    if link.number is not None and not _by_number(link, here, pager) and link.score < THRESHOLD:
        return None
    if url and not _by_address(link, said[0], page, here, pager):
        return None
    return link if link.score > 0 else None


def _rel(element: Element) -> list[str]:
    return (element.get("rel") or "").lower().split()


_LABELS = ("aria-label", "title", "alt")


def _labels(element: Element) -> list[str]:
    """What a link says other than by its text."""
    given = (inner.get(name) for inner in element.iter("*") for name in _LABELS)
    return [squeeze(label) for label in given if label]


def _arrow_icon(link: Element) -> Element | None:
    """What draws the arrow of an icon font, in a link or the link itself."""
    return next((inner for inner in link.iter("*") if pagewords.is_arrow_icon(inner.get("class") or "")), None)


def _by_words(link: Link, text: str, said: list[str]) -> None:
    """By its text (the first of `said`) and its labels."""
    bare = text.replace(" ", "")
    worded = len(text) <= 40 and bool(said[0]) and pagewords.NEXT.match(said[0]) is not None
    if worded:
        link.score += 3.5 if said[0] in pagewords.WEAK or said[0].endswith(" more") else 6
    elif any(label and len(label) <= 60 and pagewords.NEXT.match(label) for label in said[1:]):
        link.score += 5
    elif pagewords.ARROWS.match(bare):
        link.score += 3 if bare in ("»", ">>") else 4
    elif not bare and _arrow_icon(link.element) is not None:
        link.score += 4
    if any(label and pagewords.BACK.match(label) for label in said) and not worded:
        link.score -= 6
    if any(label and pagewords.LAST.match(label) for label in said):
        link.score -= 6


def _by_marks(link: Link, text: str, around: list[Element]) -> bool:
    """By classes and ids, its own and those of what holds it. True where a pager holds it."""
    own = _names(link.element)
    near = _names(around[0]) if around else set()
    if any(map(names_next, own)):
        wordy = len(text) > 3 and not text.isdecimal() and link.score <= 0
        link.score += 2.0 if wordy else 4.0
    elif any(map(names_next, near)) and sum(1 for _ in around[0].iter("a")) <= 2:
        link.score += 3.5
    if (own & pagewords.BACK_NAMES or any("prev" in name for name in own)) and not own & pagewords.NEXT_NAMES:
        link.score -= 5
    boxes = [
        _box_called(" ".join(box.get(name) or "" for name in ("class", "id", "aria-label", "role"))) for box in around
    ]
    pager = any(is_pager for is_pager, _ in boxes[:4])
    if pager and link.score > 0:
        link.score += 1.5
    if any(is_carousel for _, is_carousel in boxes) or pagewords.CAROUSEL.search(" ".join(own)):
        link.score -= 6
    return pager


@lru_cache(maxsize=4096)
def _box_called(label: str) -> tuple[bool, bool]:
    """Whether what a box is called is said of what holds page numbers, and of what has arrows of its own."""
    return any(map(pagewords.PAGER.search, label.split())), pagewords.CAROUSEL.search(label) is not None


def _by_number(link: Link, here: int, pager: bool) -> bool:
    """By the page number it shows. False where the number is alone and so is none, if nothing else names it."""
    beside = _numeric_neighbours(link.element)
    if not beside and not pager:
        return False
    if link.number == here + 1:
        link.score += 3.5 if pager or len(beside) >= 2 else 2.0
    else:
        link.score -= 4
    return True


def _by_script(link: Link, pager: bool) -> bool:
    """By what a control's script says. False where it is a button of anything, or a day of a calendar."""
    argument, called = submissions.argument_of(link.element), bool(submissions.called(link.element))
    if argument == "Page$Next":
        link.score += 6
    if link.number is None:
        return called or pager or link.score >= 6
    link.score += 3 if argument == f"Page${link.number}" else 2
    return called and not argument.isdecimal()


def _by_address(link: Link, said: str, page: str, here: int, pager: bool) -> bool:
    """By the number that its address counts, against this page's. False for a link that nothing else speaks for."""
    target = page_number(link.url, page)
    counted = target is not None and target.param and page_number(page, page) is None
    if counted and pagewords.MORE_OF.match(said):  # pages may be counted from 0, and page 1 is then the second
        link.score += 5
    elif pagewords.MORE.search(said) and len(said) <= 40 and _is_further(link.url, page):
        link.score += 6
    elif link.score <= 0:
        return False
    elif target is None:
        path = urlsplit(link.url).path
        if re.search(rf"\D{here + 1}$", path.rstrip("/").rpartition(".")[0] or path) or _counts_on(link, pager):
            link.score += 1.5
    elif target.offset:
        link.score += 1.5
    elif target.number == here + 1:
        link.score += 3
    elif 0 != target.number <= here:
        link.score -= 3 if "next" in _rel(link.element) else 6
    if normal(link.url) == normal(page):
        link.score -= 6
    link.score += 0.5 if same_site(link.url, page) else -5
    return True


def _is_further(url: str, page: str) -> bool:
    """Whether an address is the page's own with one parameter more, by which it counts."""
    there, here = urlsplit(url), urlsplit(page)
    param = param_of(page, url)[0] if there.path == here.path else ""
    return bool(param) and param not in dict(parse_qsl(here.query))


def _names(element: Element) -> set[str]:
    """Classes and ids, whole and in their parts."""
    words = f"{element.get('class') or ''} {element.get('id') or ''}".replace("_", "-").lower().split()
    return {*words, *(part for word in words for part in word.split("-"))}


_A_PAGE = re.compile(r"\d{1,4}")
_A_NUMBER = re.compile(r"\W*(\d{1,4})\W*")


def _numeric_neighbours(element: Element) -> list[Element]:
    """Other page numbers near a numeric link: among its siblings, or those of the item that holds it."""
    for holder in (element, element.getparent()):
        parent = holder.getparent() if holder is not None else None
        if parent is None:
            continue
        others = (other for other in parent if other is not holder and isinstance(other.tag, str))
        if found := [other for other in others if _A_NUMBER.fullmatch(_start_of(other))]:
            return found
    return []


def _counts_on(link: Link, pager: bool) -> bool:
    """Whether the address of the number after the link's differs from its own by a counted parameter alone; by one in a
    pager only: what else counts so may be a choice of rooms."""
    number = str((link.number or 0) + 1)
    after = next((one for one in _numeric_neighbours(link.element) if text_of(one) == number), None)
    href = next((one.get("href", "") for one in after.iter("a")), "") if after is not None else ""
    try:
        param, _, step = param_of(link.url, urljoin(link.url, href))
    except ValueError:
        return False
    return bool(param) and (pager or step > 1)


_MARKS = word_set("current active selected page thispage on cur currentpage aktiv sel curr pagecurrent")
_SURE_MARKS = word_set("current active selected")


def _current(document: Document) -> int:
    """The number of this page: what is marked as current among page numbers, else the one of them that is no link,
    else what the address says, else 1."""
    unlinked = 0
    for element in document.root.iter("span", "strong", "b", "em", "li", "a", "td", "div", "font", "button", "p"):
        number = _A_NUMBER.fullmatch(_start_of(element)) if len(element) <= 2 else None
        if number is None:
            continue
        marks = (_names(element) | {element.get("aria-current") or ""}) & _MARKS
        linked = element.tag == "a" and not (element.get("href") or "#").startswith("#")
        if marks and (not linked or marks & _SURE_MARKS) and (_numeric_neighbours(element) or "page" in marks):
            return int(number[1])
        if not unlinked and len(element) == 0 and element.tag != "a" and next(element.iterancestors("a"), None) is None:
            beside = (other for other in element.xpath("../a | ../li") if other is not element)
            counted = any(_A_NUMBER.fullmatch(_start_of(other)) for other in beside)
            unlinked = int(number[1]) if counted or _beside_postbacks(element) else 0
    said = page_number(document.url, document.url)
    return unlinked or (said.number if said is not None and not said.offset else 1)


def _start_of(element: Element) -> str:
    """The first letters of its text, without the rest of what may be the whole page."""
    said = ""
    for text in map(str, element.itertext()):
        said = squeeze(f"{said} {text}")
        if len(said) >= _LETTERS:
            break
    return said[:_LETTERS]


_LETTERS = 12
"""A page's number has no more of them, with what is around it."""


def _beside_postbacks(element: Element) -> bool:
    """Whether a number is in a cell beside cells with numbers that are controls, as GridView pages."""
    cell = element.getparent()
    row = cell.getparent() if cell is not None and cell.tag == "td" else None
    controls = row.iter("a", "input") if row is not None else ()
    return any(submissions.argument_of(control) == f"Page${text_of(control)}" for control in controls)


def _last_number(document: Document) -> int | None:
    """The highest page number that the pager links to."""
    said = ((text_of(link), link) for link in document.root.iter("a"))
    return max(
        (int(text) for text, link in said if _A_PAGE.fullmatch(text) and _numeric_neighbours(link)), default=None
    )


# Selectors that find the next link on this page and can be trusted to find it on the pages after it.


def link_selector(root: Element, link: Element, text: str) -> str:
    """A selector whose first match is the link, or the control that sends a form; empty where nothing tells it from
    others on other pages, too."""
    named: list[str] = []
    if (link.get("href") or "javascript:").startswith("javascript:"):
        given = [(attr, str(link.get(attr) or "")) for attr in ("name", "value", "id")]
        named = [f'{link.tag}[{attr}="{value}"]' for attr, value in given if css.quotable(value)]
    first = named if link.tag == "input" else []
    for selector in (*first, *_marked(link), *_worded(link, text), *named):
        found = css.select_all(root, selector)
        if found and (found[0] is link or (link.tag == "a" and found[0].get("href") == link.get("href"))):
            return str(selector)
    return ""


def numbers_selector(root: Element, link: Element) -> str:
    """A selector of the pager's links, for going to the link whose text is one higher; empty where there is none."""
    for ancestor in link.iterancestors():
        if ancestor.tag in ("body", "html"):
            break
        compounds = [f"{ancestor.tag}.{name}" for name in classes_of(ancestor) if _lasting(name)]
        identifier = ancestor.get("id") or ""
        compounds += [f"#{identifier}"] if _lasting(identifier) else []
        for compound in compounds:
            found = css.select_all(root, f"{compound} a")
            if link in found and len(found) <= _PAGER_LINKS:
                return f"{compound} a"
    return ""


_PAGER_LINKS = 60
"""More links than this are a page's, not a pager's."""


def _lasting(name: str) -> bool:
    """Whether a class or id can be written in a selector and looks made by hand."""
    return css.is_identifier(name) and bool(stability(name))


def names_next(name: str) -> bool:
    """Whether a class or id says that what bears it leads on."""
    return "next" in name.lower() or name.lower() in pagewords.NEXT_NAMES


def _marked(link: Element) -> Iterator[str]:
    """By rel, class, id, or the class of what holds this link alone."""
    tag = str(link.tag)
    rel = link.get("rel") or ""
    if "next" in rel.lower().split():
        yield f'{tag}[rel~="next"]' if " " in rel else f'{tag}[rel="next"]'
    named = [(f".{name}", name) for name in classes_of(link)] + [(f"#{link.get('id')}", link.get("id") or "")]
    yield from (f"{tag}{mark}" for mark, name in named if css.is_identifier(name) and names_next(name))
    for _, holder in zip(range(2), link.iterancestors(), strict=False):
        for name in classes_of(holder):
            if css.is_identifier(name) and names_next(name) and sum(1 for _ in holder.iter("a")) == 1:
                yield f"{holder.tag}.{name} {tag}"


def _worded(link: Element, text: str) -> Iterator[str]:
    """By its label or that of what is in it, the words that it shows, or the icon that it is."""
    tag = str(link.tag)
    inside = [link, *link.iter("img", "svg", "span", "b", "strong", "font", "i", "em")]

    def of(inner: Element, said: str) -> str:
        return f"{tag}{said}" if inner is link else f"{tag}:has({inner.tag}{said})"

    for inner in inside:
        for attr in _LABELS:
            if css.quotable(value := inner.get(attr) or "") and pagewords.NEXT.match(pagewords.plain(value)):
                yield of(inner, f'[{attr}="{value}"]')
    for inner in inside:
        own = squeeze(inner.text or "")
        if css.quotable(own) and not own.isdecimal() and _leads_on(own):
            said = of(inner, f':-soup-contains-own("{own}")')
            for ancestor in link.iterancestors():
                pagers = (name for name in classes_of(ancestor) if _lasting(name) and pagewords.PAGER.search(name))
                yield from (f"{ancestor.tag}.{name} {said}" for name in pagers if ancestor.tag not in ("body", "html"))
            yield said
    if not text and (icon := _arrow_icon(link)) is not None:
        yield of(icon, "." + next(filter(pagewords.is_arrow_icon, classes_of(icon))))


def _leads_on(text: str) -> bool:
    said, bare = pagewords.plain(text), text.replace(" ", "")
    return bool(pagewords.NEXT.match(said) or pagewords.MORE_OF.match(said) or pagewords.ARROWS.match(bare))
