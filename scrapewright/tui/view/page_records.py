"""What the survey finds on a page, as tables: each group's records with the values of their slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Slot
from scrapewright.tui.view.cells import EMPTY, cells, fit, flat
from scrapewright.tui.view.spans import QUIET, Spans

RECORDS = 1_000
"""Records of a group that are shown."""
COLUMNS = 24
CELL = 30


@dataclass(frozen=True)
class RecordLine:
    """A line, and the record on it: (number of the group among those shown, number of the record), -1 for none."""

    spans: Spans
    group: int = -1
    record: int = -1


def record_lines(extracts: Sequence[Extract], wanted: Callable[[], bool] = lambda: True) -> list[RecordLine]:
    """The tables, one below the other: what it is, the names, the selectors to write, then the values."""
    lines: list[RecordLine] = []
    for number, extract in enumerate(extracts):
        if not wanted():
            break
        if lines:
            lines.append(RecordLine([]))
        lines += _group(extract, number)
    if not lines:
        lines.append(RecordLine([("the survey sees no repeated records on this page", QUIET)]))
    return lines


def where(slot: Slot) -> str:
    """What to write for a slot in the bench: its selector, with the attribute where it is one."""
    attr = f"@{slot.attr}" if slot.attr not in ("text", "tail", "head") else ""
    return f"{slot.selector}{attr}" or "(the record)"


def name_of(slot: Slot) -> str:
    """What the page calls a slot."""
    return flat(
        slot.header or slot.label.rstrip(": ") or next(iter(slot.names), "") or (slot.id if slot.selector else "record")
    )


def _group(extract: Extract, number: int) -> list[RecordLine]:
    group, count = extract.group, len(extract.records)
    place = group.selector or group.source
    title: Spans = [(f"{count:,} × ", "bold"), (flat(place)[:120], "bold $primary")]
    if group.context:
        title.append((f"  under “{flat(group.context)[:60]}”", QUIET))
    if group.source and group.selector:
        title.append((f"  in {flat(group.source)[:60]}", QUIET))
    slots = group.slots[:COLUMNS]
    columns = [extract.values(slot)[:RECORDS] for slot in slots]
    digits = len(str(min(count, RECORDS)))
    laid = [
        ([flat(value) for value in values], name_of(slot), flat(where(slot)))
        for slot, values in zip(slots, columns, strict=True)
    ]
    widths = [min(CELL, max(cells(text) for text in (name, path[:CELL], *shown))) for shown, name, path in laid]
    blank = " " * (digits + 1)
    lines = [
        RecordLine(title, number),
        RecordLine(
            [(blank, ""), *((fit(name, w) + "  ", "bold") for w, (_, name, _) in zip(widths, laid, strict=True))],
            number,
        ),
        RecordLine(
            [
                (blank, ""),
                *((fit(path, w, middle=True) + "  ", "$accent") for w, (_, _, path) in zip(widths, laid, strict=True)),
            ],
            number,
        ),
    ]
    for record in range(min(count, RECORDS)):
        spans: Spans = [(f"{record + 1:>{digits}} ", QUIET)]
        for width, (shown, _, _) in zip(widths, laid, strict=True):
            text = shown[record] if record < len(shown) else ""
            spans.append((fit(text or EMPTY, width) + "  ", "" if text else QUIET))
        lines.append(RecordLine(spans, number, record))
    if count > RECORDS:
        lines.append(RecordLine([(f"{blank}… {count - RECORDS:,} more", QUIET)], number))
    return lines
