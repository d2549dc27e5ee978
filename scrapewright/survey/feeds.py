"""Groups of XML documents: RSS, Atom and RDF feeds, sitemaps, and any XML that repeats an element."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
from lxml import etree

from scrapewright.survey import css, embedded, slots
from scrapewright.survey.dom import Element, own_text, squeeze, text_of, words_of
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot

_ITEMS = ("item", "entry", "url", "sitemap", "outline", "record", "row")


def groups(root: Element) -> list[Group]:
    """The items of a feed, or the repeated elements of any other XML document."""
    by_name: defaultdict[str, list[Element]] = defaultdict(list)
    for element in root.iter("*"):
        if len(element) >= 1 or len(element.attrib) >= 2:
            by_name[_name(element)].append(element)
    title = next((text_of(one)[:120] for one in root.iter("{*}title")), "")
    out: list[Group] = []
    for name in sorted(by_name, key=lambda name: (-_worth(name, by_name[name]), name))[:3]:
        items = by_name[name]
        if len(items) < 2 and _local(name) not in _ITEMS:
            continue
        if css.select_all(root, name, xml=True) == items and (found := _slots(items)):
            sample: str = etree.tostring(items[0], encoding="unicode", with_tail=False)[:SAMPLE_AT_MOST]
            group = Group(f"f{len(out)}", "feed", name, len(items), found, round(_worth(name, items), 2))
            out.append(msgspec.structs.replace(group, headings=(title,) if title else (), sample=sample))
    return out


def _name(element: Element) -> str:
    local = etree.QName(element).localname
    return f"{element.prefix}|{local}" if element.prefix else local


def _local(name: str) -> str:
    return name.rpartition("|")[2].lower()


def _worth(name: str, items: Sequence[Element]) -> float:
    children = sum(len(item) for item in items[:50]) / min(50, len(items))
    known = 8.0 if _local(name) in _ITEMS else 1.0
    return known * math.log(1 + len(items)) * min(children + 0.5, 12.0)


def _slots(items: Sequence[Element]) -> tuple[Slot, ...]:
    places: dict[tuple[str, ...], list[list[Element]]] = {}
    for k, item in enumerate(items):
        for path, element in islice(_walk(item, ()), MOST_IN_ITEM):
            places.setdefault(path, [[] for _ in items])[k].append(element)
    found = [slot for path, elements in places.items() for slot in _of_place(items, path, elements)]
    return tuple(msgspec.structs.replace(slot, id=f"s{n}") for n, slot in enumerate(found[: slots.MAX_SLOTS]))


MOST_IN_ITEM = 200


def _walk(element: Element, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Element]]:
    """An item with what is in it to three levels, each with its path; links are told apart by their rel, and categories
    by their kind as well."""
    yield path, element
    for child in element.iterchildren("*") if len(path) < 3 else ():
        rel = child.get("rel") or ""
        step = f'{_name(child)}[rel="{rel}"]' if css.quotable(rel) else _name(child)
        yield from _walk(child, (*path, step))
        for sign in ("scheme", "domain"):
            if css.quotable(kind := child.get(sign) or ""):
                yield (*path, f'{_name(child)}[{sign}="{kind}"]'), child


def _of_place(items: Sequence[Element], path: tuple[str, ...], found: list[list[Element]]) -> Iterator[Slot]:
    """The slots of elements that answer each other: their texts and their attributes, each as one value and, where
    items have several, as a list."""
    filled = [elements for elements in found if elements]
    if len(filled) < 0.04 * len(items) or (selector := _selector(items, path, found)) is None:
        return
    several = sum(len(elements) > 1 for elements in filled) > 0.1 * len(filled)
    keys = dict.fromkeys(str(key) for elements in filled for element in elements for key in element.attrib)
    keys.pop("rel", None)
    for key in ("text", *keys):
        attr = _attr_name(filled[0][0], key)
        held = [said for elements in filled if (said := [v for one in elements if (v := _value(one, key))])]
        for many in () if not held else (False, True) if several else (False,):
            texts = held if many else [values[:1] for values in held]
            yield embedded.data_slot("", selector, texts, len(items), _names(path, attr), attr, many=many)


def _value(element: Element, key: str) -> str:
    """An attribute, or the text of what has one of its own."""
    if key != "text":
        return squeeze(element.get(key) or "")
    return text_of(element) if own_text(element) else ""


def _attr_name(element: Element, key: str) -> str:
    """An attribute's name as bs4 has it: with its prefix."""
    name = etree.QName(key)
    prefix = next((p for p, uri in element.nsmap.items() if name.namespace and uri == name.namespace), None)
    return f"{prefix}:{name.localname}" if prefix else name.localname


def _names(path: tuple[str, ...], attr: str) -> tuple[str, ...]:
    steps = [step.partition("[")[0].rpartition("|")[2] for step in path]
    names = [" ".join(words_of(step)) for step in reversed(steps)]
    if path and (kind := _KIND.search(path[-1])):
        names.insert(0, " ".join(words_of(kind[1])))
    if len(steps) > 1 and steps[-1] == "name":  # of what it is in
        names[:2] = names[1::-1]
    if attr != "text":
        names[:0] = [" ".join(words_of(attr)), *(["link"] if attr == "href" else [])]
    names += [also for also, said in _ALSO.items() if steps and steps[-1].lower() in said]
    return tuple(dict.fromkeys(filter(None, names)))[:6]


_KIND = re.compile(r'\[(?:scheme|domain)="(?:.*[/#:])?([^/#:"]+)[/#]?"\]')
"""What the address of a kind of categories ends with."""
_ALSO = {
    "url": ("link", "guid", "loc"), "date": ("pubdate", "published", "updated", "lastmod"), "tags": ("category",)
}  # fmt: skip
"""What people call the elements of feeds."""


def _selector(items: Sequence[Element], path: tuple[str, ...], found: list[list[Element]]) -> str | None:
    """A selector whose first match is the first element of the place in each item; None where there is none."""
    if not path:
        return ""
    for selector in dict.fromkeys((path[-1], " > ".join(path[-2:]), ":scope > " + " > ".join(path))):
        firsts = (css.select(item, selector, xml=True)[:1] for item in items)
        if all(first == elements[:1] for first, elements in zip(firsts, found, strict=True)):
            return selector
    return None
