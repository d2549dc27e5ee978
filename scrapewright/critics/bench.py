"""What every check gets: the request, the survey, the rows and the evidence for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from scrapewright.critics.evidence import Evidence
from scrapewright.critics.headings import section_of
from scrapewright.critics.rows import Table
from scrapewright.critics.shape import Shape
from scrapewright.query.model import Query
from scrapewright.session.result import RunResult
from scrapewright.session.verdict import Finding
from scrapewright.survey.model import Survey
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
        return bool(query.filters or query.limit or query.distinct or query.single or self.section)

    @cached_property
    def section(self) -> str:
        """The heading that rows are wanted from, empty where the request says none."""
        evidence = self.evidence
        return section_of(self.query, [(p.model, p.node) for row in evidence.rows for p in evidence.places[row][:1]])

    def value(self, row: int, column: str) -> Any:
        return self.table.rows[row].get(column)


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
