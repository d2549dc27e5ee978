"""What Home shows: past sessions and the parts of a reading, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.cells import fit
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import took

if TYPE_CHECKING:  # loaded after the first paint
    from scrapewright.query.correct import Part
    from scrapewright.store.sessions import Summary

_UNITS = ((86_400 * 365, "y"), (86_400, "d"), (3_600, "h"), (60, "min"))
LABEL = 20
"""Cells of the label before a part."""


def age(seconds: float) -> str:
    """How long ago, in its largest unit: 12 s, 3 min, 2 d."""
    seconds = max(0.0, seconds)
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def site(summary: Summary) -> str:
    """The host of the first address."""
    try:
        return (urlsplit(summary.urls[0]).hostname or "") if summary.urls else ""
    except ValueError:
        return ""


def state(summary: Summary) -> str:
    """How it ended, or that it has not."""
    return summary.outcome or ("open now" if summary.open else "cut off")


def search_text(summary: Summary) -> str:
    """The text that a search looks through."""
    return " ".join([summary.text, *summary.urls, summary.id, state(summary)]).casefold()


def past_header(*, sites: bool) -> Spans:
    """The header above the past sessions."""
    site = f"{'site':20} " if sites else ""
    return [(f"{'age':>6}  {'outcome':12} {'tries':>5} {'rows':>6} {'took':>7}  {site}request", QUIET)]


def past_line(summary: Summary, now: float, *, sites: bool) -> Spans:
    """A session in the list of Home; without `sites` its site is in the request alone."""
    color = "$success" if summary.exit_code == 0 else "$error" if summary.outcome else "$warning"
    return [
        (f"{age(now - summary.started_at):>6}  ", QUIET),
        (f"{fit(state(summary), 12)} ", color),
        (f"{summary.attempts:5} {summary.rows:6} {took(summary.at - summary.started_at):>7}  ", QUIET),
        (f"{fit(one_line(site(summary)), 20)} " if sites else "", ""),
        (one_line(summary.text, 160), ""),
        (f"  {one_line(summary.id, 20)}", QUIET),
    ]


def example_text(name: str, request: str) -> str:
    """The text of an example that a search looks through."""
    return f"example {name} {request}".casefold()


def example_line(name: str, request: str, *, sites: bool) -> Spans:
    """An example among the sessions that were found."""
    left = f"{'':6}  {'example':12} {'':5} {'':6} {'':7}  "
    site = f"{fit('practice shop', 20)} " if sites else ""
    return [(left, "$primary"), (site, ""), (one_line(request.replace("{BASE}", ""), 160), ""), (f"  {name}", QUIET)]


def part_line(part: Part) -> Spans:
    """A part of the reading: what it is, and what was understood."""
    label = f"{fit(part.label, LABEL)} "
    if part.doubtful:
        return [(label, "$warning"), (one_line(part.text, 200), "$warning"), (f"  {part.help}", QUIET)]
    if not part.text:
        return [(label, QUIET), (f"· {part.help}", QUIET)]
    return [(label, QUIET), (one_line(part.text, 400), "")]
