"""What every check gets: the request, the survey, the rows and the evidence for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from scrapewright.critics.borders import Border, borders_of
from scrapewright.critics.conditions import Conditions
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.headings import in_section
from scrapewright.critics.rivals import Places
from scrapewright.critics.rows import Cell, Table
from scrapewright.critics.shape import Shape
from scrapewright.loop.ports import Case
from scrapewright.session.questions import NONE, Decision, comparable
from scrapewright.session.review import Review
from scrapewright.session.verdict import Finding, FindingCode, Severity
from scrapewright.web.page import Page

SHOWN = 5
"""How many rows a finding names."""
MANY = 20
"""Rows or records of which a single one may be the page's own irregularity."""


class Bench:
    """One verdict's material. `pages` are those that the run fetched, in the order of its requests."""

    def __init__(self, case: Case, table: Table, evidence: Evidence, pages: Sequence[Page]) -> None:
        self.query, self.survey, self.result = case.reading, case.survey, case.result
        self.author, self.decisions, self.review = case.author, case.decisions, case.review or Review()
        self.table, self.evidence, self.pages = table, evidence, pages

    @cached_property
    def shape(self) -> Shape:
        """Where in their records the columns are."""
        return Shape(self.evidence)

    @cached_property
    def conditions(self) -> Conditions:
        """The request's conditions, on records."""
        return Conditions(self.evidence, self.shape, self.decisions)

    @cached_property
    def called(self) -> Places:
        """What the page calls the places of the values."""
        return Places(self.evidence)

    @cached_property
    def borders(self) -> dict[str, dict[int, Border]]:
        """How the texts of each column lie in the texts of their records."""
        return {column: borders_of(self.evidence, column) for column in self.evidence.judged}

    @cached_property
    def decided(self) -> frozenset[str]:
        """The columns that hold what a person decided: an option that the rules follow, or the values of the place that
        was pointed at."""
        decided = {d.column: d for d in self.decisions if d.kind == "column" and d.option != NONE}
        names = {column: name for name, column in self.evidence.columns.items()}
        return frozenset(
            column
            for column in self.evidence.judged
            if (decision := decided.get(names.get(column, column))) is not None and self._follows(column, decision)
        )

    def _follows(self, column: str, decision: Decision) -> bool:
        if not decision.values:
            return bool(decision.option) and self.author == "rules"
        held = {comparable(self.value(row, column)) for row in self.evidence.rows}
        return 2 * sum(comparable(value) in held for value in decision.values) >= len(decision.values)

    @cached_property
    def reviewed(self) -> frozenset[str]:
        """The columns that a review counts for: those asked for that no person has decided."""
        return frozenset(self.evidence.judged) - self.decided

    @cached_property
    def called_right(self) -> frozenset[str]:
        """The columns that a review calls right."""
        return self.reviewed & frozenset(self.review.called("right"))

    @property
    def narrowed(self) -> bool:
        """The request leaves out some records, in a way that the page alone does not show."""
        query = self.query
        return bool(query.filters or query.limit or query.distinct or query.single or self.query.section)

    @cached_property
    def in_section(self) -> bool:
        """Whether the rows' records are under a heading that is called like the section."""
        places = [place for row in self.evidence.rows for place in self.evidence.places[row][:1]]
        return any(in_section(self.query.section, place.model, place.node) for place in places[:60])

    def value(self, row: int, column: str) -> Cell:
        return self.table.rows[row].get(column)

    def finding(
        self, code: FindingCode, column: str, rows: Sequence[int], said: str,
        severity: Severity = "error", expected: str = "", share: float = 1.0,
    ) -> Finding:  # fmt: skip
        """What is wrong with a column, or with all of them, in some rows, with what the first of these holds."""
        columns = (column,) if column else self.evidence.judged[:3]
        sample = shown(" | ".join(str(self.value(rows[0], name)) for name in columns))
        return Finding(code, f"{said}: {sample!r}", column, tuple(rows[:SHOWN]), severity, expected, sample, share)


Check = Callable[[Bench], Iterable[Finding]]


def shown(value: Any, most: int = 60) -> str:
    """A value as a finding quotes it."""
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def listed(rows: Sequence[int]) -> str:
    """Row numbers for people, from 1."""
    names = ", ".join(str(row + 1) for row in rows[:SHOWN])
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return f"row{'s' if len(rows) > 1 else ''} {names}{more}"
