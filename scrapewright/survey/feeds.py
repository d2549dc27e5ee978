"""Groups of XML documents: RSS, Atom and RDF feeds, sitemaps, and any XML that repeats an element."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from lxml import etree

from scrapewright.survey import css, slots, values
from scrapewright.survey.dom import Element, squeeze, text_of, words_of
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot

_ITEMS = ("item", "entry", "url", "sitemap", "outline", "record", "row")


def groups(root: Element) -> list[Group]:
    """The items of a feed, or the repeated elements of any other XML document."""
    by_name: defaultdict[str, list[Element]] = defaultdict(list)
    for element in root.iter():
        if isinstance(element.tag, str) and (len(element) >= 1 or len(element.attrib) >= 2):
            by_name[_name(element)].append(element)
    names = sorted(by_name, key=lambda name: (-_worth(name, by_name[name]), name))
    out: list[Group] = []
    for name in names[:3]:
        items = by_name[name]
        if len(items) < 2 and _local(name) not in _ITEMS:
            continue
        if css.select_all(root, name, xml=True) != items:
            continue
        if found := _slots(items):
            worth, context = round(_worth(name, items), 2), _channel_title(root)
            sample: str = etree.tostring(items[0], encoding="unicode", with_tail=False)[:SAMPLE_AT_MOST]
            number = f"f{len(out)}"
            out.append(
                Group(
                    number,
                    "feed",
                    name,
                    len(items),
                    found,
                    worth,
                    headings=(context,) if context else (),
                    sample=sample,
                )
            )
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


def _channel_title(root: Element) -> str:
    for element in root.iter():
        if isinstance(element.tag, str) and etree.QName(element).localname == "title":
            return text_of(element)[:120]
    return ""


def _slots(items: Sequence[Element]) -> tuple[Slot, ...]:
    places: dict[tuple[str, ...], list[list[Element]]] = {}
    for k, item in enumerate(items):
        for path, element in _walk(item):
            places.setdefault(path, [[] for _ in items])[k].append(element)
    out: list[Slot] = []
    for path, found in places.items():
        out.extend(_of_place(items, path, found, len(out)))
    return tuple(out[: slots.MAX_SLOTS])


def _walk(item: Element) -> list[tuple[tuple[str, ...], Element]]:
    out: list[tuple[tuple[str, ...], Element]] = [((), item)]
    stack: list[tuple[tuple[str, ...], Element]] = [((), item)]
    while stack and len(out) < 200:
        path, parent = stack.pop(0)
        if len(path) >= 3:
            continue
        for child in parent:
            if isinstance(child.tag, str):
                name = _name(child)
                rel = child.get("rel")
                entry = ((*path, f'{name}[rel="{rel}"]' if rel and '"' not in rel else name), child)
                out.append(entry)
                stack.append(entry)
    return out


def _of_place(items: Sequence[Element], path: tuple[str, ...], found: list[list[Element]], number: int) -> list[Slot]:
    filled = sum(1 for elements in found if elements)
    if filled < max(1, len(items) * 0.04):
        return []
    many = sum(1 for elements in found if len(elements) > 1) > 0.1 * filled
    selector, index = _selector(items, path, found)
    if selector is None:
        return []
    first = next(elements[0] for elements in found if elements)
    readers: list[str] = []
    if any(squeeze(e.text or "") or any(squeeze(c.tail or "") for c in e) for elements in found for e in elements):
        readers.append("text")
    attributes = Counter(str(key) for elements in found for e in elements for key in e.attrib)
    readers.extend(key for key in attributes if key != "rel")
    out: list[Slot] = []
    for key in readers:
        lists = [
            [v for e in elements if (v := text_of(e) if key == "text" else squeeze(e.get(key) or ""))]
            for elements in found
        ]
        kinds: list[tuple[bool, list[str]]] = [(False, [values_[0] if values_ else "" for values_ in lists])]
        if many:
            kinds.append((True, ["; ".join(values_) for values_ in lists]))
        for all_of, texts in kinds:
            present = [text for text in texts if text]
            if not present:
                continue
            attr = _attr_name(first, key)
            out.append(
                Slot(
                    id=f"s{number + len(out)}",
                    selector=selector,
                    attr=attr,
                    index=0 if all_of else index,
                    many=all_of,
                    type="list" if all_of else values.type_of_data(present, attr),
                    names=_names(path, attr),
                    coverage=round(len(present) / len(items), 3),
                    distinct=round(len(set(present)) / len(present), 3),
                    samples=slots.samples_of([v for values_ in lists for v in values_] if all_of else present),
                )
            )
    return out


def _attr_name(element: Element, key: str) -> str:
    """An attribute's name as bs4 has it: with its prefix."""
    if not key.startswith("{"):
        return key
    name = etree.QName(key)
    prefix = next((p for p, uri in element.nsmap.items() if uri == name.namespace), None)
    return f"{prefix}:{name.localname}" if prefix else name.localname


def _names(path: tuple[str, ...], attr: str) -> tuple[str, ...]:
    steps = [step.partition("[")[0].rpartition("|")[2] for step in path]
    names = [" ".join(words_of(step)) for step in reversed(steps)]
    if attr != "text":
        names.insert(0, " ".join(words_of(attr)))
        if attr == "href":
            names.insert(1, "link")
    if steps and steps[-1] in ("link", "guid", "loc"):
        names.append("url")
    if steps and steps[-1].lower() in ("pubdate", "date", "published", "updated", "lastmod"):
        names.append("date")
    if steps and steps[-1] == "category":
        names.append("tags")
    if len(steps) == 2 and steps[1] == "name":
        names = [names[1], names[0]]
    return tuple(dict.fromkeys(name for name in names if name))[:6]


def _selector(items: Sequence[Element], path: tuple[str, ...], found: list[list[Element]]) -> tuple[str | None, int]:
    """A selector whose first match (or the match at the index) is the first element of the place in each item."""
    if not path:
        return "", 0
    best: tuple[float, str, int] | None = None
    for selector in dict.fromkeys((path[-1], " > ".join(path[-2:]), ":scope > " + " > ".join(path))):
        right: Counter[int] = Counter()
        good = 0
        for item, elements in zip(items, found, strict=True):
            matches = css.select(item, selector, xml=True)
            if not elements:
                good += not matches
            elif elements[0] in matches:
                right[matches.index(elements[0])] += 1
        if not right:
            continue
        index, count = right.most_common(1)[0]
        share = (good + count) / len(items)
        if share >= 0.999 and index == 0:
            return selector, 0
        if best is None or share > best[0]:
            best = (share, selector, index)
    return (best[1], best[2]) if best else (None, 0)
