"""The markup of one record for a prompt: whole where it is short, else cut around the places that columns may be in."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from lxml import etree

from scrapewright.query.reading import Field, Reading
from scrapewright.survey.css import BadSelector
from scrapewright.survey.decode import Document
from scrapewright.survey.digest import shortened
from scrapewright.survey.dom import squeeze, text_of
from scrapewright.survey.embedded import is_json
from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.rank import fit

Element = etree._Element
LEAST = (0.3, 0.5)
"""How well the places fit a column that are shown of it, the best first."""
UNNAMED = 8
"""Places that are shown where no columns are named."""
ITEMS = 2
"""Elements that are shown of a list."""
NAMES = 60
"""Characters of an id or of classes."""
LABEL = 60
"""Characters of a text that may say what comes behind it."""
PLACE = 320
"""Characters of one place."""


def markup(group: Group, document: Document | None, reading: Reading, most: int) -> str:
    """The first record in `most` characters at most. Without the `document` it is cut at its end where it is long."""
    whole = shortened(group.sample, most)
    if document is None or is_json(group) or (group.kind != "page" and not whole.endswith("…")):
        return whole
    extract = Extract(document, group)
    if not extract.records:
        return whole
    record, narrow = extract.records[0], group.kind == "page"
    shown = list(dict.fromkeys(_elements(extract, wanted_places(group, reading))))
    while shown:
        if len(text := _cut_around(record, _with_labels(shown), narrow=narrow)) <= most:
            return text
        shown.pop()
    return whole


def wanted_places(group: Group, reading: Reading) -> list[Slot]:
    """The places that columns may be in: of each column the best, then of each the second."""
    if not reading.fields:
        return list(group.slots[:UNNAMED])
    ranked = [(field, _fitting(group, field)) for field in reading.fields]
    return [
        places[n]
        for n, least in enumerate(LEAST)
        for field, places in ranked
        if n < len(places) and fit(field, places[n]) >= least
    ]


def _fitting(group: Group, field: Field) -> list[Slot]:
    return sorted(group.slots, key=lambda slot: -fit(field, slot))


def _elements(extract: Extract, places: Sequence[Slot]) -> Iterator[Element]:
    for slot in places:
        if slot.data or not slot.selector:
            continue
        try:
            found = extract.elements(slot)[0]
        except (BadSelector, etree.XPathError, IndexError):
            continue
        yield from found[: ITEMS if slot.many else 1]


def _with_labels(shown: Iterable[Element]) -> set[Element]:
    """With what is right before each of them, which often says what it is."""
    found = set(shown)
    before = (one.getprevious() for one in list(found))
    return found | {
        one for one in before if one is not None and isinstance(one.tag, str) and len(text_of(one)) <= LABEL
    }


def _cut_around(record: Element, shown: set[Element], *, narrow: bool) -> str:
    """The record's markup cut around those that are `shown`; `narrow`: that of the innermost element that has all."""
    above = {ancestor for one in shown for ancestor in one.iterancestors()}
    inner = record
    while (
        narrow
        and inner not in shown
        and len(kept := [child for child in inner if child in shown or child in above]) == 1
    ):
        inner = kept[0]
    return "".join(_pruned(inner, shown, above))


def _pruned(element: Element, shown: set[Element], above: set[Element]) -> Iterator[str]:
    """The element with those that are `shown` and those `above` them; "…" stands for what is left out."""
    if element in shown:
        yield source(element, PLACE)
        return
    inner = [_text(element.text)] if (element.text or "").strip() else []
    for child in element:
        there = child in shown or child in above
        if there:
            inner += _pruned(child, shown, above)
        elif not inner or inner[-1] != "…":
            inner.append("…")
        if there and (child.tail or "").strip():
            inner.append(_text(child.tail))
    named = ((name, element.get(name)) for name in ("id", "class"))
    attributes = "".join(f' {name}="{html.escape(value[:NAMES])}"' for name, value in named if value)
    yield from (f"<{element.tag}{attributes}>", *inner, f"</{element.tag}>")


def _text(text: str | None) -> str:
    """White space as one blank, a long one cut."""
    plain = squeeze(text or "")
    return html.escape(plain if len(plain) <= LABEL else plain[:LABEL] + "…", quote=False)


def source(element: Element, most: int) -> str:
    """An element's markup in so many characters at most, without what no selector needs."""
    return shortened(etree.tostring(element, encoding="unicode", method="html", with_tail=False), most)
