"""Groups of XML documents: RSS, Atom and RDF feeds, sitemaps, and any XML that repeats an element."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from scrapewright.survey import css, slots, values
from scrapewright.survey.dom import squeeze, text_of, words_of
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot

Element = etree._Element
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
        found = _slots(items)
        if found:
            out.append(
                Group(
                    id=f"f{len(out)}",
                    kind="feed",
                    selector=name,
                    count=len(items),
                    slots=found,
                    score=round(_worth(name, items), 2),
                    context=_channel_title(root),
                    sample=_sample(items[0]),
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


def _sample(item: Element) -> str:
    text: str = etree.tostring(item, encoding="unicode", with_tail=False)
    return text[:SAMPLE_AT_MOST]


def _slots(items: Sequence[Element]) -> tuple[Slot, ...]:
    """Slots of the items' texts and attributes, to a depth of three elements."""
    columns: dict[tuple[tuple[str, ...], str], list[list[str]]] = {}
    firsts: dict[tuple[str, ...], dict[Element, Element]] = {}
    for k, item in enumerate(items):
        for path, element in _walk(item, ()):
            firsts.setdefault(path, {}).setdefault(item, element)
            for attr, text in _read(element):
                columns.setdefault((path, attr), [[] for _ in items])[k].append(text)
    out: list[Slot] = []
    for (path, attr), lists in columns.items():
        filled = [found for found in lists if found]
        selector = _selector(items, path, firsts[path]) if len(filled) >= 0.04 * len(items) else None
        several = sum(1 for found in lists if len(found) > 1) > 0.1 * len(filled)
        for many in (False, True) if several and selector is not None else (False,) if selector is not None else ():
            texts = ["; ".join(found) if many else found[0] for found in filled]
            out.append(
                Slot(
                    id=f"s{len(out)}",
                    selector=selector or "",
                    attr=attr,
                    many=many,
                    type="list" if many else values.type_of_all(texts, attr),
                    names=_names(path, attr),
                    coverage=round(len(texts) / len(items), 3),
                    distinct=round(len(set(texts)) / len(texts), 3),
                    samples=slots.samples_of([text for found in filled for text in found] if many else texts),
                )
            )
    return tuple(out[: slots.MAX_SLOTS])


def _walk(element: Element, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Element]]:
    yield path, element
    for child in element if len(path) < 3 else ():
        if isinstance(child.tag, str):
            rel = child.get("rel")
            yield from _walk(child, (*path, f'{_name(child)}[rel="{rel}"]' if rel and '"' not in rel else _name(child)))


def _read(element: Element) -> Iterator[tuple[str, str]]:
    """What an element says: its text, and its attributes by their names as bs4 has them, with their prefixes."""
    if (text := text_of(element)) and (squeeze(element.text or "") or any(squeeze(c.tail or "") for c in element)):
        yield "text", text
    prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
    for key, value in element.attrib.items():
        name = etree.QName(str(key))
        prefix = prefixes.get(name.namespace) if name.namespace else None
        if key != "rel" and (said := squeeze(str(value))):
            yield f"{prefix}:{name.localname}" if prefix else name.localname, said


def _names(path: tuple[str, ...], attr: str) -> tuple[str, ...]:
    steps = [step.partition("[")[0].rpartition("|")[2] for step in path]
    names = [" ".join(words_of(step)) for step in reversed(steps)]
    if attr != "text":
        names = [" ".join(words_of(attr)), *(("link",) if attr == "href" else ()), *names]
    last = steps[-1].lower() if steps else ""
    names += ["url"] if last in ("link", "guid", "loc") else []
    names += ["date"] if last in ("pubdate", "date", "published", "updated", "lastmod") else []
    names += ["tags"] if last == "category" else []
    if len(steps) == 2 and last == "name":
        names = [names[1], names[0]]
    return tuple(dict.fromkeys(name for name in names if name))[:6]


def _selector(items: Sequence[Element], path: tuple[str, ...], firsts: Mapping[Element, Element]) -> str | None:
    """A selector whose first match is the first element of the place in nearly every item."""
    for selector in (path[-1], " > ".join(path[-2:]), ":scope > " + " > ".join(path)) if path else ("",):
        found = (css.select(item, selector, xml=True) if selector else [item] for item in items)
        right = sum(firsts.get(item) is next(iter(some), None) for item, some in zip(items, found, strict=True))
        if right >= 0.99 * len(items):
            return selector
    return None
