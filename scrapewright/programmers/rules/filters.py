"""Which rows to keep: comparisons on columns, and kinds of rows that the request leaves out in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from scrapewright.programmers.rules.conditions import Keep as Keep
from scrapewright.programmers.rules.conditions import on_column, on_record
from scrapewright.programmers.rules.fit import PLACEHOLDERS
from scrapewright.programmers.rules.lexicon import fold, singular, tokens, weak
from scrapewright.programmers.rules.ops import FAILURES, Op, run
from scrapewright.query.reading import Field, Filter, Reading
from scrapewright.survey.model import Slot

if TYPE_CHECKING:
    from scrapewright.programmers.rules.choose import Candidate
    from scrapewright.programmers.rules.match import Match


class HasField(Protocol):
    @property
    def field(self) -> Field: ...

    @property
    def slot(self) -> Slot | None: ...

    @property
    def ops(self) -> Sequence[Op]: ...


def read_filters(query: Reading, columns: Sequence[HasField], chosen: Candidate) -> tuple[Keep, ...]:
    """The filters that the page's values can answer. What no operator says is left out: it takes a person to say it."""
    kept = []
    for wanted in query.filters:
        keep = None
        if wanted.on_column:
            match = chosen.matches.get(wanted.column)
            keep = on_column(wanted, match, chosen) if match is not None else None
        elif wanted.op != "other":
            keep = on_record(wanted, list(chosen.matches.values()), chosen)
        if keep is None and wanted.leaves_out:
            keep = _excluded(wanted, columns, chosen, query.subject)
        if keep is not None:
            kept.append(keep)
    if chosen.under is not None:
        slot, heading = chosen.under
        kept.insert(0, Keep(op="eq", value=heading, slot=slot, text=query.section or heading))
    junk = _odd_ones(columns, chosen)
    return (junk, *kept) if junk else tuple(kept)


def _odd_ones(columns: Sequence[HasField], chosen: Candidate) -> Keep | None:
    """A few members of the group that lack most values (a "back" link, an advertisement) are no records."""
    wanted = {column.field.name for column in columns if not column.field.optional}
    matches = [match for name, match in chosen.matches.items() if name in wanted and not match.view.detail]
    sizes = {len(match.view.values) for match in matches}
    if len(matches) < 3 or len(sizes) != 1 or any(match.view.rough for match in matches) or min(sizes) < 5:
        return None
    empty = {match.field.name: _empty_rows(match) for match in matches}
    count = sizes.pop()
    edges = {0, 1, count - 2, count - 1}
    for rows in empty.values():
        # What lacks several values at once, at the edge of the list, is about something else; in the middle of it, it
        # may well be a record of another kind.
        together = sum(other == rows for other in empty.values())
        if rows and rows <= edges and len(rows) <= 0.25 * count and together >= 2:
            return Keep(op="present", column=next(name for name, other in empty.items() if other == rows))
    return None


def _empty_rows(match: Match) -> set[int]:
    """The records without a value. A dash in its place says that the record has none, and is one all the same."""
    found = set()
    for row, value in enumerate(match.view.values):
        try:
            if value not in PLACEHOLDERS and (value is None or run(match.made.ops, value) in (None, "", [])):
                found.add(row)
        except FAILURES:
            continue
    return found


def _excluded(wanted: Filter, columns: Sequence[HasField], chosen: Candidate, subject: Sequence[str]) -> Keep | None:
    """A kind of row, in words: the words are looked for in the values of every place of the records."""
    best: tuple[float, Keep] | None = None
    known = {singular(word) for phrase in subject for word in tokens(phrase)}
    total = max((len(view.values) for view in chosen.views), default=0)
    for phrase in _phrases(wanted):
        folded = fold(phrase)
        if {singular(word) for word in tokens(phrase)} <= known:
            continue
        for view in chosen.views:
            if view.ops or view.detail:
                continue
            hits = [text for text in view.texts if folded in fold(text)]
            if not hits or len(hits) > 0.5 * max(total, 1):
                continue
            whole = (column.field for column in columns if column.slot == view.slot and not column.ops)
            column = next((field for field in whole if field.type == "text"), None)
            exact = sum(fold(text) == folded for text in hits) / len(hits)
            worth = len(folded) / 10 + exact + (0.3 if column else 0.0) - 0.002 * sum(map(len, hits)) / len(hits)
            if view.slot.attr not in ("text", "tail", "alt", "title", "class"):
                worth -= 0.5
            keep = Keep(
                op="lacks",
                value=phrase,
                column=column.name if column else "",
                slot=None if column else view.slot,
                text=wanted.text,
            )
            if best is None or worth > best[0]:
                best = worth, keep
    return best[1] if best else None


def _phrases(wanted: Filter) -> list[str]:
    """What to look for: what is quoted or in parentheses, the whole phrase, then its single words."""
    text = f"{wanted.text} {wanted.value}" if wanted.value not in wanted.text else wanted.text
    found = re.findall(r"[\"“„«'‘]([^\"”“»'’]{2,40})[\"”“»'’]", text) + re.findall(r"\(([^)]{2,40})\)", text)
    plain = re.sub(r"\([^)]*\)", " ", text)
    words = [word for word in re.findall(r"[\w-]+", plain) if not weak(fold(word)) and len(word) > 2]
    found += [" ".join(words)]
    for size in (3, 2, 1):
        found += [" ".join(words[at : at + size]) for at in range(len(words) - size + 1)]
    found += [singular(word) for word in words if singular(fold(word)) != fold(word)]
    seen: dict[str, None] = {}
    for phrase in found:
        if len(tokens(phrase)) and len(phrase) > 3:
            seen.setdefault(phrase)
    return list(seen)
