"""Selects below many elements at once: one look through the document instead of one for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from scrapewright.survey import css

Element = etree._Element


class Within:
    """Scopes of one document or several, and what selectors select below each of them.

    Raises css.BadSelector or etree.XPathError for a selector that is not understood.
    """

    def __init__(self, scopes: Sequence[Element | None], *, xml: bool = False) -> None:
        self.scopes = scopes
        self.xml = xml
        self._owner: dict[Element, int] = {}
        self._roots: list[Element] = []
        self._known: dict[str, list[list[Element]]] = {}
        self.nested = False
        """One scope lies inside another."""
        count = 0
        for number, scope in enumerate(scopes):
            if scope is None:
                continue
            for element in scope.iter():
                self._owner[element] = number
                count += 1
        self.nested = len(self._owner) < count
        for scope in scopes:
            if scope is not None and (not self._roots or scope.getroottree().getroot() is not self._roots[-1]):
                self._roots.append(scope.getroottree().getroot())

    def select(self, selector: str) -> list[list[Element]]:
        """For each scope the elements below it that match, in document order; none for a scope that is None."""
        if selector not in self._known:
            self._known[selector] = self._select(selector)
        return self._known[selector]

    def _select(self, selector: str) -> list[list[Element]]:
        if not selector:
            return [[scope] if scope is not None else [] for scope in self.scopes]
        if self.nested or ":scope" in selector or len(self._roots) > 2:
            return [css.select(scope, selector, xml=self.xml) if scope is not None else [] for scope in self.scopes]
        found: list[list[Element]] = [[] for _ in self.scopes]
        for root in self._roots:
            for element in css.select_all(root, selector, xml=self.xml):
                number = self._owner.get(element)
                if number is not None and element is not self.scopes[number]:
                    found[number].append(element)
        return found
