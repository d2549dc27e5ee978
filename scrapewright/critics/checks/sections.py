"""Rows of the part of the page that the request names."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.headings import RANKS, headings_above, in_section, says_section
from scrapewright.session.verdict import Finding


def sections(bench: Bench) -> list[Finding]:
    """Each row is under the heading asked for."""
    name, evidence = bench.query.section, bench.evidence
    if not name:
        return []
    astray: dict[int, str] = {}
    placed = 0
    for row in evidence.rows:
        places = evidence.places[row]
        placed += bool(places)
        if places and not any(in_section(name, place.model, place.node) for place in places):
            above = headings_above(places[0].model, places[0].node)
            astray[row] = above[0] if above else ""
    if not placed or (len(astray) == placed and not _is_heading(bench, name)):
        message = f"it is unknown which rows are under the heading {name!r}"
        return [Finding("unchecked", message, severity="warning", expected=name)]
    if not astray:
        return []
    rows = list(astray)
    where = f"under {shown(astray[rows[0]])!r}" if astray[rows[0]] else "under no heading"
    message = f"{listed(rows)} should be under the heading {name!r}, and {'is' if len(rows) == 1 else 'are'} {where}"
    return [Finding("other-section", message, rows=tuple(rows[:SHOWN]), expected=name, got=astray[rows[0]])]


def _is_heading(bench: Bench, name: str) -> bool:
    """Whether any fetched page has a heading of that name: where none has, the request means something else by it."""
    return any(
        says_section(name, model.said(node))
        for _, model in bench.evidence.models
        for node, tag in enumerate(model.tag)
        if tag in RANKS
    )
