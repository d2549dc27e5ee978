"""Which rows to keep: comparisons on columns, and kinds of rows that the request leaves out in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from scrapewright.programmers.rules.fit import PLACEHOLDERS
from scrapewright.programmers.rules.former import STRUCK_OUT
from scrapewright.programmers.rules.lexicon import fold, singular, tokens, weak
from scrapewright.programmers.rules.match import headline
from scrapewright.programmers.rules.ops import FAILURES, Op, run
from scrapewright.query.model import Field, Filter, Query
from scrapewright.query.weight import ON_SALE, kinds_of, marks_of
from scrapewright.survey.model import Slot

if TYPE_CHECKING:
    from scrapewright.programmers.rules.choose import Candidate
    from scrapewright.programmers.rules.match import Match
    from scrapewright.programmers.rules.view import View


class HasField(Protocol):
    @property
    def field(self) -> Field: ...

    @property
    def slot(self) -> Slot | None: ...

    @property
    def ops(self) -> Sequence[Op]: ...


class Keep(msgspec.Struct, frozen=True):
    """A condition that rows must meet. `column` names a column; else `slot` is a place of the record to look at.

    `op`: eq, ne, lt, le, gt, ge compare; contains, lacks and ends look for a text, without regard to case; present
    asks that there is a value at all.
    """

    op: Literal["eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "ends", "present"]
    value: str | float | int = ""
    column: str = ""
    slot: Slot | None = None
    text: str = ""


def read_filters(query: Query, columns: Sequence[HasField], chosen: Candidate, titles: str = "") -> tuple[Keep, ...]:
    """The filters that the page's values can answer. `titles` are what the pages are called."""
    kept = []
    for wanted in query.filters:
        keep = (
            _compared(wanted, columns) if wanted.op != "exclude" else _excluded(wanted, columns, chosen, query.subject)
        )
        if keep is not None:
            kept.append(keep)
    kept += [keep for words in marks_of(query, titles) if (keep := _marked(words, columns, chosen)) is not None]
    kinds = ((kind,) for kind in kinds_of(query, titles))
    kept += [keep for word in kinds if (keep := _marked(word, columns, chosen, whole=True)) is not None]
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


def _compared(wanted: Filter, columns: Sequence[HasField]) -> Keep | None:
    field = next((column.field for column in columns if column.field.name == wanted.field), None)
    if field is None or wanted.op == "exclude":
        return None
    value: str | float | int = wanted.value
    if field.type in ("int", "float"):
        try:
            value = int(wanted.value) if field.type == "int" else float(wanted.value)
        except ValueError:
            return None
    return Keep(op=wanted.op, value=value, column=field.name, text=wanted.text)


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


_MARK = 4
"""Words of a text that is a mark of its record: "Remote, Europe"."""


def _marked(
    words: tuple[str, ...], columns: Sequence[HasField], chosen: Candidate, *, whole: bool = False
) -> Keep | None:
    """The one place that says the words, as a mark of a few words, in some records and not in others. `whole`: it says
    nothing else, and is no name."""
    if words == ON_SALE and (keep := _struck(columns, chosen)) is not None:
        return keep
    found: dict[tuple[bool, frozenset[int]], View] = {}
    for view in chosen.views:
        slot = view.slot
        if view.ops or view.detail or view.rough or slot.many or slot.attr not in ("text", "tail", "alt", "title"):
            continue
        if whole and headline(slot.selector):
            continue
        said = {row: fold(value) for row, value in enumerate(view.values) if value}
        hits = frozenset(row for row, value in said.items() if _bears(value, words))
        if not hits or len(hits) == len(view.values):
            continue
        if all(len(tokens(said[row])) <= _MARK for row in hits) and len(set(said.values())) < max(3, len(said)):
            found.setdefault((all(tokens(said[row]) == words for row in hits), hits), view)
    best = [key for key in found if key[0]] or ([] if whole else list(found))
    if len({hits for _, hits in best}) != 1:
        return None
    view = found[best[0]]
    shown = {view.values[row] for row in best[0][1]}
    column = next((one.field for one in columns if one.slot == view.slot and not one.ops), None)
    named = column is not None and column.type == "text"
    return Keep(
        op="eq" if best[0][0] and len(shown) == 1 else "contains",
        value=(shown.pop() or "") if len(shown) == 1 else " ".join(words),
        column=column.name if column is not None and named else "",
        slot=None if named else view.slot,
        text=" ".join(words),
    )


def _bears(text: str, words: Sequence[str]) -> bool:
    said = tokens(text)
    return any(said[at : at + len(words)] == tuple(words) for at in range(len(said)))


def _struck(columns: Sequence[HasField], chosen: Candidate) -> Keep | None:
    """A former price beside the one that stands, in some records."""
    for view in chosen.views:
        if view.ops or view.detail or view.rough or view.slot.many or not STRUCK_OUT.search(view.slot.selector):
            continue
        if 0 < view.coverage < 1:
            column = next((one.field.name for one in columns if one.slot == view.slot), "")
            return Keep(op="present", column=column, slot=None if column else view.slot, text="on sale")
    return None


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
