"""What of the request was not understood, where it may decide which rows are right."""

from __future__ import annotations

import re

from scrapewright.critics.bench import Bench
from scrapewright.critics.headings import heading_above
from scrapewright.query.model import Doubt
from scrapewright.query.weight import content_words, how_to_say, is_negative
from scrapewright.session.verdict import Finding


def doubts(bench: Bench) -> list[Finding]:
    """Rows can't be called right by a request that was read in part, unless the page as a whole, or each row, is what
    the phrase speaks of: "by Tolkien" on the page of Tolkien's books."""
    return [
        Finding(
            "not-understood", f"not understood: {doubt.text!r}. Say it another way: {how_to_say(doubt)}", got=doubt.text
        )
        for doubt in bench.query.doubts
        if is_negative(doubt)
        or not (doubt.kind in ("condition", "section") and (_said_by_page(bench, doubt) or _said_by_rows(bench, doubt)))
    ]


def _said_by_page(bench: Bench, doubt: Doubt) -> bool:
    """The address or the title of each page asked for says it."""
    wanted = content_words(doubt)
    if not wanted or not bench.query.urls:
        return False
    titles = [page.title for page in bench.survey.pages] if bench.survey is not None else []
    return all(
        _holds(wanted, f"{url} {titles[n] if n < len(titles) else ''}") for n, url in enumerate(bench.query.urls)
    )


def _said_by_rows(bench: Bench, doubt: Doubt) -> bool:
    """Each row's record, or the heading that it stands under, says it."""
    wanted, evidence = content_words(doubt), bench.evidence
    if not wanted or len(evidence.rows) < len(bench.table.rows):
        return False
    return all(
        any(
            _holds(wanted, f"{place.model.said(place.node)[:4000]} {heading_above(place.model, place.node)}")
            for place in evidence.places[row][:3]
        )
        for row in evidence.rows
    )


def _holds(wanted: tuple[str, ...], text: str) -> bool:
    there = set(re.findall(r"[^\W_]+", text.lower()))
    return all(word in there or (len(word) > 3 and any(t.startswith(word[:-1]) for t in there)) for word in wanted)
