"""The list of the pages that were fetched."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.session.result import Request
from scrapewright.tui.view.cells import fit, flat
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted, human_bytes


def is_json(request: Request) -> bool:
    return "json" in request.media_type


def page_header(requests: Sequence[Request], *, kept: bool) -> list[Spans]:
    """How many pages there are, or why there are none."""
    if not kept:
        return [[("no pages are kept for this session", QUIET)]]
    if not requests:
        return [[("no page has been fetched yet", QUIET)]]
    said = f"{counted(len(requests), 'page')} · {human_bytes(sum(request.bytes for request in requests))}"
    return [[(f"{said} · enter opens one", QUIET)]]


def page_lines(requests: Sequence[Request], chosen: Request | None) -> list[Spans]:
    """A row for each page."""
    lines: list[Spans] = []
    for number, request in enumerate(requests, 1):
        kind = flat(request.media_type).rpartition("/")[2][:6]
        bad = request.status >= 400
        lines.append([
            (f"{number:>3} ", QUIET), (f"{request.status or '---'} ", "bold $error" if bad else "$success"),
            (f"{fit(kind, 6)} ", QUIET), (f"{human_bytes(request.bytes):>7} ", QUIET),
            (flat(request.url)[:2_000], "bold" if request == chosen else ""),
        ])  # fmt: skip
    return lines
