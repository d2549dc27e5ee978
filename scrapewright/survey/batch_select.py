"""Selects below many elements at once: one look through the document instead of one for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from scrapewright.survey import css
from scrapewright.survey.dom import Element

MANY = 150
"""Fewer scopes than this are looked through one by one: that is quicker."""


class Within:
    """Scopes of one document or several, and what selectors select below each of them.

    Raises css.BadSelector or etree.XPathError for a selector that is not understood.
    """

    def __init__(self, scopes: Sequence[Element | None], *, xml: bool = False) -> None:
        self.scopes = scopes
        self.xml = xml
        self._known: dict[str, list[list[Element]]] = {}

    @cached_property
    def _owner(self) -> dict[Element, int]:
        """The number of the scope that each element lies in. Empty where one scope lies inside another."""
        owner: dict[Element, int] = {}
        count = 0
        for number, scope in enumerate(self.scopes):
            for element in scope.iter() if scope is not None else ():
                owner[element] = number
                count += 1
        return owner if len(owner) == count else {}

    @cached_property
    def _roots(self) -> list[Element]:
        return list(dict.fromkeys(scope.getroottree().getroot() for scope in self.scopes if scope is not None))

    def select(self, selector: str) -> list[list[Element]]:
        """For each scope the elements below it that match, in document order; none for a scope that is None."""
        if selector not in self._known:
            self._known[selector] = self._select(selector)
        return self._known[selector]

    def _select(self, selector: str) -> list[list[Element]]:
        if not selector:
            return [[scope] if scope is not None else [] for scope in self.scopes]
        if len(self.scopes) < MANY or ":scope" in selector or not self._owner or len(self._roots) > 2:
            return [css.select(scope, selector, xml=self.xml) if scope is not None else [] for scope in self.scopes]
        found: list[list[Element]] = [[] for _ in self.scopes]
        for root in self._roots:
            for element in css.select_all(root, selector, xml=self.xml):
                number = self._owner.get(element)
                if number is not None and element is not self.scopes[number]:
                    found[number].append(element)
        return found
