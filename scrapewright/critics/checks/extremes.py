"""Whether the rows are the first of all records by what the request orders and chooses them by.

Works on the survey's records, page by page, so that it holds for keys that are not in the output and for one row alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import msgspec
from lxml import etree

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import read_iso
from scrapewright.critics.normal import number, numbers, squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.query.lexicon import NUMBERS, concepts_of
from scrapewright.query.notes import type_of_name
from scrapewright.query.reading import Field, Filter
from scrapewright.session.verdict import Finding
from scrapewright.survey import css
from scrapewright.survey.decode import parse
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.rank import fit

_LEAST_FIT = 0.45
_LEAST_PLACED = 0.5
_MOST_RECORDS = 5000
_OPS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


class Record(msgspec.Struct, frozen=True):
    """A record of the fetched pages: its text with its links, squashed, and the rows that were made of it."""

    element: etree._Element
    flat: str
    rows: tuple[int, ...]


def extremes(bench: Bench) -> list[Finding]:
    """The rows are the lowest, highest, newest of all, and those that a condition names, where the output itself does
    not tell."""
    query = bench.query
    keys = [(order.field, order.descending) for order in query.order[:1]]
    hidden = [w for w in query.filters if w.on_column and not _column(bench, w.field)]
    if not hidden and not (keys and (query.limit or not _column(bench, keys[0][0]))):
        return []
    group, records = _records(bench)
    if group is None or len({row for record in records for row in record.rows}) < _LEAST_PLACED * len(bench.table.rows):
        return []  # the other checks say what rows that stand nowhere are
    findings: list[Finding] = []
    for name, falling in keys:
        findings += _by_key(bench, group, records, name, falling)
    for wanted in hidden:
        findings += _by_condition(bench, group, records, wanted)
    return findings


def _column(bench: Bench, name: str) -> str | None:
    return column_of(name, bench.table.columns)


def _records(bench: Bench) -> tuple[Group | None, list[Record]]:
    """The surveyed group that most rows are of, and its records on all pages."""
    best: tuple[int, Group | None, list[Record]] = (0, None, [])
    anchors = [_anchors(bench, row) for row in range(min(len(bench.table.rows), 1000))]
    for group in bench.survey.groups if bench.survey is not None else ():
        if group.source or group.kind not in ("list", "table"):
            continue
        records = list(_read(bench, group, anchors))
        placed = len({row for record in records for row in record.rows})
        if placed > best[0]:
            best = (placed, group, records)
    return best[1], best[2]


def _anchors(bench: Bench, row: int) -> tuple[str, ...]:
    cells = [squash(str(value)) for value in bench.table.rows[row].values() if isinstance(value, str) and value]
    return tuple(sorted({cell for cell in cells if len(cell) >= 3}, key=len, reverse=True)[:3])


def _read(bench: Bench, group: Group, anchors: list[tuple[str, ...]]) -> list[Record]:
    records: list[Record] = []
    for page in bench.pages:
        document = parse(page)
        if document.root is None or document.kind != "html":
            continue
        for element in _select(document.root, group.selector)[:_MOST_RECORDS]:
            flat = squash(" ".join(map(str, element.itertext())))
            linked = squash(" ".join([page.url, *(e.get("href", "") for e in element.iter("a"))]))
            rows = tuple(
                row
                for row, wanted in enumerate(anchors)
                if wanted and sum(cell in flat or _is_link(cell, linked) for cell in wanted) == len(wanted)
            )
            records.append(Record(element, flat, rows))
    return records


def _is_link(cell: str, linked: str) -> bool:
    """A link's end is there: in the page it may be written relative."""
    return cell.startswith("http") and cell.rstrip("/").rpartition("/")[2] in linked


def _select(scope: etree._Element, selector: str) -> list[etree._Element]:
    try:
        return css.select_all(scope, selector)
    except (css.BadSelector, etree.XPathError):
        return []


def _text(record: Record, slot: Slot) -> str:
    """The slot's text in the record; slots beside the record are left to the programs."""
    if slot.selector[:1] in ("+", "^"):
        return ""
    try:
        found = css.select(record.element, slot.selector) if slot.selector else [record.element]
    except (css.BadSelector, etree.XPathError):
        return ""
    if not found or slot.index >= len(found):
        return ""
    element = found[slot.index]
    if slot.attr == "text":
        return " ".join(" ".join(map(str, element.itertext())).split())
    return str(element.tail or "") if slot.attr == "tail" else str(element.get(slot.attr) or "")


@lru_cache(maxsize=1 << 14)
def _value(text: str) -> float | None:
    """The one number of a text, a day as a number, or a number word of a few ("Three")."""
    plain = number(text)
    if plain is not None:
        return plain
    day = read_iso(text)
    if day is not None:
        return day[0] * 10000.0 + day[1] * 100 + day[2]
    found = numbers(text)
    if len(found) == 1:
        return next(iter(found))
    words = [NUMBERS[word] for word in text.lower().split() if word in NUMBERS]
    return float(words[0]) if len(words) == 1 and not found else None


def _slot(bench: Bench, group: Group, records: list[Record], name: str) -> Slot | None:
    """Where the key stands: where the column's values do; without a column, where the name and the type lead."""
    column = _column(bench, name)
    if column is not None:
        best: tuple[float, Slot | None] = (0.8, None)
        for slot in group.slots:
            pairs = [
                (bench.value(record.rows[0], column), _text(record, slot))
                for record in records
                if len(record.rows) == 1
            ]
            pairs = [(value, text) for value, text in pairs if not is_empty(value)]
            share = sum(_value(str(value)) is not None and _value(str(value)) == _value(text) for value, text in pairs)
            if pairs and share / len(pairs) > best[0]:
                best = (share / len(pairs), slot)
        return best[1]
    words = tuple(word for word in name.lower().split("_") if word)
    concepts = tuple(concepts_of(words))
    kind = type_of_name(name, words)
    field = Field(name=name, type=kind if kind != "text" else "float", words=(*words, *concepts))
    scored = [(fit(field, slot), n) for n, slot in enumerate(group.slots) if slot.attr not in ("href", "src")]
    top = max(scored, key=lambda pair: (pair[0], -pair[1]), default=(0.0, 0))
    return group.slots[top[1]] if top[0] >= _LEAST_FIT else None


def _by_key(bench: Bench, group: Group, records: list[Record], name: str, falling: bool) -> list[Finding]:
    query = bench.query
    slot = _slot(bench, group, records, name)
    values = [None if slot is None else _value(_text(record, slot)) for record in records]
    mine = {
        row: value for record, value in zip(records, values, strict=True) if value is not None for row in record.rows
    }
    if _column(bench, name) is None and len(mine) < _LEAST_PLACED * len(bench.table.rows):
        dated = type_of_name(name, (name,)) in ("date", "datetime")
        message = f"the rows should be chosen by {name}; nothing in the records looks like it, so none can tell"
        return [Finding("unchecked", message, severity="warning" if dated else "error", expected=name)]
    ahead: Callable[[float, float], bool] = operator.gt if falling else operator.lt
    way = "highest" if falling else "lowest"
    if _column(bench, name) is None:
        rows = sorted(mine)
        wrong = [b for a, b in pairwise(rows) if ahead(mine[b], mine[a])]
        if wrong:
            message = (
                f"the rows should be sorted by {name}, {way} first; {listed(wrong)}: {mine[wrong[0]]:g} comes too late"
            )
            return [Finding("wrong-order", message, rows=tuple(wrong[:SHOWN]), expected=way)]
    if not query.limit or not mine or query.filters or bench.section or len(bench.table.rows) < query.limit:
        return []
    last = min(mine.values()) if falling else max(mine.values())
    missed = [
        r for r, value in zip(records, values, strict=True) if not r.rows and value is not None and ahead(value, last)
    ]
    if missed:
        sample = shown(" ".join(" ".join(map(str, missed[0].element.itertext())).split()))
        message = f"the rows should be those with the {way} {name}; {len(missed)} left out come before them: {sample!r}"
        return [Finding("not-extreme", message, _column(bench, name) or "", expected=way, got=sample)]
    return []


def _by_condition(bench: Bench, group: Group, records: list[Record], wanted: Filter) -> list[Finding]:
    """A condition on what is not in the output, for each row's record."""
    own = [record for record in records if record.rows]
    why = wanted.text or f"{wanted.field} {wanted.op} {wanted.value}"
    if wanted.op in ("contains", "lacks"):
        said = squash(wanted.value)
        if not any(said in record.flat for record in records):
            message = f"no record says {wanted.value!r}, so it can't be told which rows are wanted ({why})"
            return [Finding("unchecked", message, expected=wanted.value)]
        broken = [r.rows[0] for r in own if (said in r.flat) != (wanted.op == "contains")]
    else:
        slot, limit = _slot(bench, group, records, wanted.field), _value(wanted.value)
        values = [None if slot is None else _value(_text(record, slot)) for record in own]
        if limit is None or sum(value is not None for value in values) < _LEAST_PLACED * len(own):
            message = (
                f"nothing in the records looks like {wanted.field}, so it can't be told which rows are wanted ({why})"
            )
            return [Finding("unchecked", message, expected=wanted.field)]
        keeps = _OPS[wanted.op]
        pairs = zip(own, values, strict=True)
        broken = [record.rows[0] for record, value in pairs if value is not None and not keeps(value, limit)]
    if not broken:
        return []
    message = f"{listed(broken)} should not be there ({why})"
    return [Finding("filter-broken", message, rows=tuple(broken[:SHOWN]), expected=wanted.value)]
