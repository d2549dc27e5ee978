"""The records of a group on any page of its kind, and what each of its slots holds in them."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from scrapewright.survey import css, embedded, forms, tables
from scrapewright.survey.css import Within
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import Element, value_of
from scrapewright.survey.embedded import as_list, dig, is_json, json_text
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.script_data import script_values


class Records:
    """The records of a group in one document or several, and the elements that slots name in them."""

    def __init__(self, roots: Sequence[Element], elements: Sequence[Element], *, xml: bool = False) -> None:
        self.elements = elements
        self._roots, self._xml = roots, xml
        self._below: dict[int, Within] = {}

    def at(self, slot: Slot) -> list[list[Element]]:
        """The elements that a slot names in each record. Raises what `css.UNREADABLE` names."""
        if slot.above:
            return self._before(slot.inner)
        if (steps := slot.steps) not in self._below:
            self._below[steps] = Within([stepped(record, steps) for record in self.elements], xml=self._xml)
        return list(map(slot.pick, self._below[steps].select(slot.inner)))

    @cached_property
    def _order(self) -> dict[Element, int]:
        return {element: at for at, element in enumerate(one for root in self._roots for one in root.iter())}

    def _before(self, selector: str) -> list[list[Element]]:
        """For each record the nearest match in its document that starts before it."""
        marks = [mark for root in self._roots for mark in css.select_all(root, selector)]
        places = [self._order[mark] for mark in marks]
        found: list[list[Element]] = []
        for record in self.elements:
            at = bisect_left(places, self._order[record])
            last = marks[max(0, at - 1) : at]
            found.append([mark for mark in last if mark.getroottree().getroot() is record.getroottree().getroot()])
        return found


class Extract:
    """The records of a group on one page, in order; none where the page is of another kind.

    `records` are elements, or JSON values where `is_json`. They are elements of the page itself, unless the group's
    form makes them (`made`): then they are copies.
    """

    def __init__(self, document: Document, group: Group) -> None:
        self.group = group
        self.is_json = is_json(group)
        self.made = bool(group.form) or group.spans
        self.records: list[Any] = _found(document, group)
        roots = [document.root] if document.root is not None else []
        self._elements = Records(roots, self.records, xml=group.kind == "feed")

    def values(self, slot: Slot) -> list[str]:
        """A text for each record, "" where it has none; the texts of a list are joined with "; "."""
        if self.is_json or slot.data:
            return [one_line(dig(record, slot.selector)) if not slot.data else "" for record in self.records]
        texts = ([value_of(element, slot.attr, slot.own) for element in found] for found in self.elements(slot))
        return ["; ".join(filter(None, found)) for found in texts]

    def elements(self, slot: Slot) -> list[list[Element]]:
        """The elements that a slot names in each record; none where its selector is not understood."""
        try:
            return [[] for _ in self.records] if slot.above and self.made else self._elements.at(slot)
        except css.UNREADABLE:
            return [[] for _ in self.records]

    def scopes(self, steps: int) -> list[Element | None]:
        """For each record the element so many behind it; the record itself for 0."""
        return [stepped(record, steps) for record in self.records]


def best_of(document: Document, groups: Sequence[Group], wanted: Callable[[], bool] = lambda: True) -> list[Extract]:
    """The groups that have records on this page, in their order. Stops where nobody waits for them any more."""
    found = []
    for group in groups:
        if not wanted():
            break
        extract = Extract(document, group)
        if extract.records:
            found.append(extract)
    return found


def _found(document: Document, group: Group) -> list[Any]:
    if is_json(group):
        return [item for value in _sources(document, group) for item in as_list(value)]
    if document.kind not in ("html", "xml") or document.root is None:
        return []
    if group.kind == "page" or group.selector in css.ROOTS:
        return [document.root]
    try:
        if group.kind == "feed":
            return css.select_all(document.root, group.selector, xml=True)
        records = forms.records(document.root, group)
    except css.UNREADABLE:
        return []
    return (tables.unspanned(records) or records) if group.spans and records else records


def _sources(document: Document, group: Group) -> list[Any]:
    """The values that contain a group of JSON records."""
    if document.kind == "json":
        fits = group.source == "body" or group.source.startswith("url ")
        return [dig(document.data, group.selector)] if fits else []
    if document.kind != "html":
        return []
    if group.source == "ld+json":
        return list(embedded.linked_data(document.scripts).get(group.selector, ()))
    held = (value for source, value in script_values(document) if source == group.source)
    return [*islice(filter(None, (dig(value, group.selector) for value in held)), 1)]


def stepped(element: Element, steps: int) -> Element | None:
    """The element so many behind it, itself for 0; None where there are not as many."""
    found: Element | None = element
    for _ in range(steps):
        if found is not None:
            found = next((one for one in found.itersiblings() if isinstance(one.tag, str)), None)
    return found


def one_line(value: Any) -> str:
    """A JSON value as a text on one line, "" for none; a list of plain values is joined with "; "."""
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)):
        return json.dumps(value, ensure_ascii=False)[:400] if value else ""
    return json_text(value) or ""
