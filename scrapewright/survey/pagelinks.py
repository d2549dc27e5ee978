"""Selectors that find the next link on this page and can be trusted to find it on the pages after it."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.dom import Element, classes_of, squeeze, stability
from scrapewright.survey.pagewords import ARROWS, MORE_OF, NEXT, NEXT_NAMES, NUMBER_AND_ARROW, PAGER, plain


def link_selector(root: Element, link: Element, text: str) -> str:
    """A selector whose first match is the link, or the control that sends a form; empty where nothing tells it from
    others on other pages, too."""
    named: list[str] = []
    if (link.get("href") or "javascript:").startswith("javascript:"):
        given = [(attr, str(link.get(attr) or "")) for attr in ("name", "value", "id")]
        named = [f'{link.tag}[{attr}="{value}"]' for attr, value in given if _quotable(value)]
    first = named if link.tag == "input" else []
    for selector in (*first, *_by_marks(link), *_by_words(link, text), *named):
        try:
            found = css.select_all(root, selector)
        except (css.BadSelector, etree.XPathError):
            continue
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
    return "next" in name.lower() or name.lower() in NEXT_NAMES


def _by_marks(link: Element) -> Iterator[str]:
    """By rel, class, id, or the class of what holds this link alone."""
    tag = str(link.tag)
    rel = link.get("rel") or ""
    if "next" in rel.lower().split():
        yield f'{tag}[rel~="next"]' if " " in rel else f'{tag}[rel="next"]'
    for name in classes_of(link):
        if css.is_identifier(name) and names_next(name):
            yield f"{tag}.{name}"
    identifier = link.get("id") or ""
    if css.is_identifier(identifier) and "next" in identifier.lower():
        yield f"{tag}#{identifier}"
    for _, holder in zip(range(2), link.iterancestors(), strict=False):
        for name in classes_of(holder):
            if css.is_identifier(name) and names_next(name) and sum(1 for _ in holder.iter("a")) == 1:
                yield f"{holder.tag}.{name} {tag}"


def _by_words(link: Element, text: str) -> Iterator[str]:
    """By its label, its image's, or the words it shows."""
    tag = str(link.tag)
    for attr in ("aria-label", "title"):
        if _quotable(value := link.get(attr) or "") and NEXT.match(plain(value)):
            yield f'{tag}[{attr}="{value}"]'
    for image in link.iter("img"):
        for attr in ("alt", "title"):
            if _quotable(value := image.get(attr) or "") and NEXT.match(plain(value)):
                yield f'{tag}:has(img[{attr}="{value}"])'
    own = squeeze(link.text or "")
    if counted := NUMBER_AND_ARROW.match(own):
        own = counted[2]
    if _quotable(own) and not own.isdecimal() and _leads_on(own):
        for ancestor in link.iterancestors():
            if ancestor.tag in ("body", "html"):
                break
            for name in classes_of(ancestor):
                if _lasting(name) and PAGER.search(name):
                    yield f'{ancestor.tag}.{name} {tag}:-soup-contains-own("{own}")'
        yield f'{tag}:-soup-contains-own("{own}")'
    elif len(link) and _quotable(text) and not text.isdecimal():
        for child in link.iter("span", "b", "strong", "font", "i", "em"):
            if _quotable(inner := squeeze(child.text or "")) and _leads_on(inner):
                yield f'{tag}:has({child.tag}:-soup-contains-own("{inner}"))'


def _leads_on(text: str) -> bool:
    said = plain(text)
    return bool(NEXT.match(said) or MORE_OF.match(said) or ARROWS.match(text.replace(" ", "")))


def _quotable(text: str) -> bool:
    """Whether a text can be written between quotes in a selector."""
    return bool(text) and '"' not in text and "\\" not in text
