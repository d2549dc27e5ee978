"""What every check gets: the request, the survey, the rows and the evidence for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.headings import section_of
from scrapewright.critics.normal import words
from scrapewright.critics.rows import Table
from scrapewright.critics.shape import Shape
from scrapewright.query.model import Query
from scrapewright.query.weight import ON_SALE, kinds_of, marks_of
from scrapewright.session.result import RunResult
from scrapewright.session.verdict import Finding
from scrapewright.survey.model import Survey
from scrapewright.survey.observe import STRUCK
from scrapewright.web.page import Page

SHOWN = 5
"""How many rows a finding names."""


class Bench:
    """One verdict's material. `pages` are those that the run fetched, in the order of its requests."""

    def __init__(
        self,
        query: Query,
        survey: Survey | None,
        result: RunResult,
        table: Table,
        evidence: Evidence,
        pages: Sequence[Page],
    ) -> None:
        self.query, self.survey, self.result = query, survey, result
        self.table, self.evidence, self.pages = table, evidence, pages

    @cached_property
    def shape(self) -> Shape:
        """Where in their records the columns stand."""
        return Shape(self.evidence)

    @property
    def narrowed(self) -> bool:
        """The request leaves out some records, in a way that the page alone does not show."""
        query = self.query
        return bool(query.filters or query.limit or query.distinct or query.single or self.section or self.marks)

    @cached_property
    def marks(self) -> tuple[tuple[str, ...], ...]:
        """The words that mark the rows asked for ("remote jobs"), where each row's record says them, and others don't
        need to be rows."""
        places = [self.evidence.places[row][0] for row in self.evidence.rows if self.evidence.places[row]]
        titles = " ".join(page.title for page in self.survey.pages) if self.survey is not None else ""
        said = marks_of(self.query, titles)
        marks = [mark for mark in said if places and all(says(place, mark) for place in places)]
        kinds = kinds_of(self.query, titles) if places else ()
        return (*marks, *((kind,) for kind in kinds if all(is_marked(place, kind) for place in places)))

    @cached_property
    def section(self) -> str:
        """The heading that rows are wanted from, empty where the request says none."""
        evidence = self.evidence
        return section_of(self.query, [(p.model, p.node) for row in evidence.rows for p in evidence.places[row][:1]])

    def value(self, row: int, column: str) -> Any:
        return self.table.rows[row].get(column)


def says(place: Place, mark: Sequence[str]) -> bool:
    """The record has all of the words; one of goods on sale may strike its former price out instead."""
    model, node = place.model, place.node
    if mark == ON_SALE and any(tag in STRUCK for tag in model.tag[node : model.end[node]]):
        return True
    return set(words(place.model.said(place.node)[:4000])).issuperset(mark)


def is_marked(place: Place, word: str) -> bool:
    """The record bears the word as a mark: in a short text that is no name, neither in a heading nor in a link."""
    model = place.model
    for x in range(model.x0[place.node], model.x1[place.node]):
        said, node = re.findall(r"[^\W_]+", model.pieces[x].lower()), model.piece_node[x]
        while node > place.node and model.tag[node] not in ("a", "h1", "h2", "h3", "h4", "h5", "h6"):
            node = model.parent[node]
        if word in said and len(said) <= 3 and node == place.node:
            return True
    return False


Check = Callable[[Bench], list[Finding]]


def shown(value: Any, most: int = 60) -> str:
    """A value as a finding quotes it."""
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def listed(rows: Sequence[int]) -> str:
    """Row numbers for people, from 1."""
    names = ", ".join(str(row + 1) for row in rows[:SHOWN])
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return f"row{'s' if len(rows) > 1 else ''} {names}{more}"
