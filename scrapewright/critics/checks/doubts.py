"""What of the request nobody understood or decided. It makes rows less sure; it is no fault of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrapewright.critics.bench import Bench
from scrapewright.session.questions import Question
from scrapewright.session.questions import undecided as in_words
from scrapewright.session.verdict import Finding


def unread(bench: Bench) -> Iterator[Finding]:
    """Phrases that nobody understood.

    Words that the fetched page is called by (its title, its first headings, its address), or that occur in the record
    of every row, say nothing that the rows could be wrong in.
    """
    about = _names_of_pages(bench) if bench.query.unread else ""
    records = [places[0] for places in bench.evidence.places.values() if places]
    for phrase in bench.query.unread:
        wanted = tuple(word for word in re.findall(r"[^\W_]+", phrase.lower()) if len(word) >= 3)
        of_all = len(records) >= 3 and all(_holds(wanted, p.model.said(p.node)) for p in records)
        if not wanted or not (of_all or _holds(wanted, about)):
            yield Finding("not-understood", f"not understood: {phrase!r}", severity="doubt", got=phrase)


def _names_of_pages(bench: Bench) -> str:
    """What the addresses asked for and the pages behind them are called."""
    said = [re.sub(r"[\W_]+", " ", url.partition("//")[2].partition("/")[2]) for url in bench.query.urls]
    for _, model in bench.evidence.models[:3]:
        said += [model.said(node) for node, tag in enumerate(model.tag) if tag in ("title", "h1")][:4]
    return " ".join(said)


def _holds(wanted: tuple[str, ...], text: str) -> bool:
    there = set(re.findall(r"[^\W_]+", text.lower()))
    return all(word in there or (len(word) > 3 and any(t.startswith(word[:-1]) for t in there)) for word in wanted)


def undecided(questions: Sequence[Question]) -> list[Finding]:
    """One doubt for each question left open whose best guess is not sure enough to call rows right by it."""
    return [Finding("undecided", in_words(q), column=q.column, severity="doubt") for q in questions if q.withholds]
