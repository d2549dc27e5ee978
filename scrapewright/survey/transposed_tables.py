"""Tables with one field a row and one record a column: plans side by side, bodies compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scrapewright.survey import values
from scrapewright.survey.dom import Element, text_of
from scrapewright.survey.tables import cells_of, heading_of, is_header, rows_of, span_of

MAX_RECORDS = 60


def rows_turned(table: Element) -> list[Element] | None:
    """The rows of a table whose columns, after the first, are its records. None for all other tables.

    Either each row begins with a heading and no row is one of headings alone, or what is in a row is of one kind
    and what is in a column is of several.
    """
    rows = [row for row in rows_of(table) if cells_of(row)]
    width = max((len(cells_of(row)) for row in rows), default=0)
    even = [row for row in rows if len(cells_of(row)) == width]
    if not 3 <= width <= MAX_RECORDS or len(even) < 3 or len(even) < 0.8 * len(rows):
        return None
    if any(span_of(cell, name) > 1 for row in even for cell in cells_of(row) for name in ("colspan", "rowspan")):
        return None
    if any(cell.find(".//table") is not None for row in even for cell in cells_of(row)):
        return None
    labels = [text_of(cells_of(row)[0]) for row in even]
    if not all(labels[1:]) or len(set(labels)) < len(labels) or any(len(label) > 60 for label in labels):
        return None
    if all(_is_label(cells_of(row)[0]) for row in even):
        labels_within = sum(_is_label(cell) for row in even for cell in cells_of(row)[1:])
        if not labels_within:
            return even
    body = [[text_of(cell) for cell in cells_of(row)[1:]] for row in (even[1:] if is_header(even[0], width) else even)]
    if any(any(c.isdigit() for c in label) for label in labels[1:]):
        return None
    return even if _alike(body) >= 0.85 and _alike(list(zip(*body, strict=True))) <= 0.7 else None


def headings_of(rows: Sequence[Element]) -> dict[str, str]:
    """The headings of the records' cells, as of table columns: "td:2". The first row names the records if it is blank
    where the headings are."""
    found = {f"td:{number}": heading_of(cells_of(row)[0]) for number, row in enumerate(rows, 1)}
    found["td:1"] = found["td:1"] or "Name"
    return found


def _is_label(cell: Element) -> bool:
    if cell.tag == "th":
        return True
    strong = next(cell.iter("b", "strong"), None)
    return strong is not None and text_of(strong) == text_of(cell)


def _alike(lines: Sequence[Sequence[str]]) -> float:
    """The mean share, over the lines, of texts of their commonest kind."""
    shares = []
    for line in lines:
        kinds = Counter(_kind(text) for text in line if text)
        if kinds:
            shares.append(kinds.most_common(1)[0][1] / sum(kinds.values()))
    return sum(shares) / len(shares) if shares else 0.0


def _kind(text: str) -> str:
    """What a text is of: words, a number with its unit, a price, a date."""
    if not any(c.isdigit() for c in text):
        return "words"
    if values.is_date(text):
        return "date"
    return re.sub(r"\d[\d.,'’ ]*", "9", re.sub(r"[^\W\d_]+", "a", text))
