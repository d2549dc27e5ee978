"""Column headings of a table's rows, spans taken into account."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import zip_longest

from scrapewright.survey.dom import Element, text_of

MAX_COLUMNS = 80


def cells_of(row: Element) -> list[Element]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def span_of(cell: Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, min(int(value), 50)) if value.isdecimal() else 1


def grid(rows: Iterable[Element], last: Element | None = None) -> dict[Element, list[Element]]:
    """For each row of the rows' bodies the cells in it by column: a cell is in every row and column it spans. Of the
    rows behind the last one nothing is said.

    The way of HTML's table model (https://html.spec.whatwg.org/#forming-a-table), but for cells that overlap.
    """
    out: dict[Element, list[Element]] = {}
    for body in dict.fromkeys(row.getparent() for row in rows):
        above: dict[int, tuple[Element, int]] = {}
        for row in () if body is None else body.iterchildren("tr"):
            own = [cell for cell in cells_of(row) for _ in range(span_of(cell, "colspan"))]
            own.reverse()
            cells: list[Element] = []
            below: dict[int, tuple[Element, int]] = {}
            while own or len(cells) in above:
                held = above.get(len(cells))
                cell, left = held if held is not None else (own[-1], span_of(own[-1], "rowspan"))
                if held is None:
                    own.pop()
                if left > 1:
                    below[len(cells)] = cell, left - 1
                cells.append(cell)
            out[row] = cells
            above = below
            if row is last:
                break
    return out


def uneven(rows: Sequence[Element]) -> dict[Element, list[Element]] | None:
    """The grid of rows whose cells' numbers do not tell their columns, because cells span. None for all other rows,
    and where the spans make no grid either: cells that are laid out, not data."""
    said = (cell for row in rows for cell in cells_of(row) if cell.get("rowspan") or cell.get("colspan"))
    if not any(span_of(cell, name) > 1 for cell in said for name in ("rowspan", "colspan")):
        return None
    cells = grid(rows)
    wide = [row for row in rows if len(cells_of(row)) > 1 or len(cells[row]) == 1]
    widths = Counter(len(cells[row]) for row in wide)
    if not widths or widths.most_common(1)[0][0] < 2 or widths.most_common(1)[0][1] < 0.8 * len(wide):
        return None
    layouts = {tuple(cell.getparent() is row and span_of(cell, "colspan") for cell in cells[row]) for row in wide}
    return cells if len(layouts) > 1 else None


def unspanned(rows: Sequence[Element]) -> list[Element] | None:
    """Copies of the rows, each cell repeated in all rows and columns that it spans. None where the rows are even."""
    cells = uneven(rows)
    if cells is None:
        return None
    out = [deepcopy(row) for row in rows]
    for whole, row in zip(out, rows, strict=True):
        _fill(whole, cells[row])
    return out


def unspan_all(root: Element) -> None:
    """Does it to the rows of all tables of a document, in place."""
    if not root.xpath("boolean(//td[@rowspan > 1 or @colspan > 1] | //th[@rowspan > 1 or @colspan > 1])"):
        return
    for body in [*root.iter("table", "tbody")]:
        rows = [row for row in body.iterchildren("tr") if cells_of(row)]
        for row, cells in ((uneven(rows) or {}) if len(rows) > 1 else {}).items():
            if len(cells_of(row)) > 1 or len(set(cells)) > 1:
                _fill(row, cells)


def _fill(row: Element, cells: Sequence[Element]) -> None:
    for child in cells_of(row):
        row.remove(child)
    for cell in map(deepcopy, cells):
        cell.tail = None
        for name in ("rowspan", "colspan"):
            cell.attrib.pop(name, "")
        row.append(cell)


_TOTAL = re.compile(
    r"^(?:(?:grand |sub-?)?totals?|sum|average|gesamt(?:summe)?|summe|insgesamt|zwischensumme|total général|totale"
    r"|totaux|suma|totaal|razem|ogółem|celkem|spolu|összesen|yhteensä|totalt|i alt|toplam|итого|всего|разом|σύνολο"
    r"|סה\"כ|合計|小計|总计|合计|總計|합계)\s*[:：]?$",
    re.I,
)


def is_summary(row: Element) -> bool:
    """A row that is none of the records: in the foot of the table, or its first text says so."""
    parent = row.getparent()
    if parent is not None and parent.tag == "tfoot":
        return True
    return is_no_record(next((text for cell in row.iterchildren("td", "th") if (text := text_of(cell))), ""))


_UP = re.compile(r"\[?(?:to )?parent directory\]?|\.\./?|up (?:to higher level directory|one level)", re.I)


def is_no_record(text: str) -> bool:
    """A row's first text that says that the row adds up others, or leads out of the directory that they are in."""
    return (len(text) <= 30 and bool(_TOTAL.match(text.strip()))) or bool(_UP.fullmatch(text.strip()))


def table_of(row: Element) -> Element | None:
    return next(iter(row.iterancestors("table")), None)


def rows_of(table: Element) -> list[Element]:
    """The table's own rows, not those of tables inside it."""
    rows: list[Element] = []
    for child in table:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            rows.extend(row for row in child if row.tag == "tr")
    return rows


def is_header(row: Element, width: int, plain: bool = True) -> bool:
    """A row of headings: in a thead, or of th cells, or of short texts in bold where no cell holds a number; `plain`:
    or of such texts without anything that marks them."""
    cells = cells_of(row)
    if not cells or sum(span_of(cell, "colspan") for cell in cells) < max(2, width * 0.6):
        return False
    parent = row.getparent()
    if parent is not None and parent.tag == "thead":
        return True
    heads = sum(1 for cell in cells if cell.tag == "th")
    if heads >= max(2, 0.6 * len(cells)):
        return True
    if heads == 1 and cells[0].tag == "th" and len(cells) > 1:
        return False  # it heads its own row
    texts = [text_of(cell) for cell in cells]
    filled = [text for text in texts if text]
    if len(filled) < 2 or any(len(text) > 40 for text in filled) or len(set(filled)) < len(filled):
        return False
    digits = sum(1 for text in filled if any(c.isdigit() for c in text))
    marked = (next(cell.iter("b", "strong", "font"), None) is not None or _is_called_head(cell) for cell in cells)
    linked = any(cell.find(".//a") is not None for cell in cells)
    return digits == 0 and (sum(marked) >= len(filled) * 0.6 or _is_called_head(row) or (plain and not linked))


def _is_called_head(element: Element) -> bool:
    return "head" in (element.get("class") or "").lower()


def headers_of(rows: Sequence[Element]) -> tuple[dict[str, str], list[Element]]:
    """Headings by 1-based number of the td among its row's td cells, and the heading rows themselves.

    `rows` are data rows; their table's heading rows are found in front of the first of them (or among them).
    """
    table = table_of(rows[0]) if rows else None
    if table is None:
        return {}, []
    width = max(sum(span_of(cell, "colspan") for cell in cells_of(row)) for row in rows[:20])
    every = rows_of(table)
    inside = set(rows)
    heads: list[Element] = []
    sectioned = sum(len(cells_of(row)) == 1 and bool(text_of(row)) for row in every) > 1
    for row in every[:12]:
        # Behind headings, or the heading of a section, a row that nothing marks is data.
        headed = is_header(row, width, plain=not heads and not sectioned)
        if row in inside and not headed:
            break
        if headed and (not heads or _is_sure(row) or _is_sure(heads[-1])):
            heads.append(row)
            if not _is_sure(row):
                break
        elif heads:
            break
    if not heads:
        return {}, []
    headings = _columns(heads)
    data = [row for row in rows if row not in heads]
    first = next((row for row in data if any(cell.tag == "td" for cell in cells_of(row))), rows[0])
    cells: list[Element | None] = [*grid([first], first)[first]]
    if not data or uneven(data) is None:  # else each cell will be repeated in all columns that it spans
        own = cells_of(first)
        cells = [own.pop(0) if own and cell is own[0] else None for cell in cells]
    out: dict[str, str] = {}
    numbers: Counter[str] = Counter()
    for cell, heading in zip_longest(cells, headings):
        if cell is not None:
            numbers[str(cell.tag)] += 1
            if heading:
                out[f"{cell.tag}:{numbers[str(cell.tag)]}"] = heading
    return out, heads


def varying_head(rows: Sequence[Element]) -> int:
    """The 1-based column whose heading alone differs from table to table (it names each table), 0 if there is none."""
    texts: list[list[str]] = []
    for table in dict.fromkeys(table for row in rows if (table := table_of(row)) is not None):
        head = next(
            (row for row in rows_of(table)[:3] if cells_of(row) and all(c.tag == "th" for c in cells_of(row))), None
        )
        if head is not None:
            texts.append([text_of(cell) for cell in cells_of(head)])
    if len(texts) < 2 or len({len(row) for row in texts}) != 1:
        return 0
    varying = [k for k, column in enumerate(zip(*texts, strict=True), 1) if len(set(column)) > 1 and all(column)]
    return varying[0] if len(varying) == 1 else 0


def head_rows(rows: Sequence[Element], heads: Sequence[Element]) -> set[Element]:
    """The headings of further tables: rows of th cells alone among rows that mostly hold td cells, and first rows that
    say what the headings of the first table say."""
    said = {tuple(map(text_of, cells_of(row))) for row in heads}
    firsts = (row for row in rows if next(row.itersiblings("tr", preceding=True), None) is None)
    again = {row for row in firsts if tuple(map(text_of, cells_of(row))) in said}
    marked = {row for row in rows if row.find("td") is None}
    return again | (marked if len(marked) <= 0.5 * len(rows) else set())


def _is_sure(row: Element) -> bool:
    parent = row.getparent()
    return (parent is not None and parent.tag == "thead") or any(cell.tag == "th" for cell in cells_of(row))


def heading_of(cell: Element) -> str:
    """A heading cell's text, and what it is short for: "Pts" with the title "Points"."""
    text = text_of(cell)[:80]
    titled = next((part for part in cell.iter("abbr", "span", cell.tag) if part.get("title") or part.get("abbr")), None)
    whole = " ".join((titled.get("title") or titled.get("abbr") or "").split()) if titled is not None else ""
    spelt = 0 < len(text) <= 6 and len(text) < len(whole) <= 40 and whole[:1].lower() == text[:1].lower()
    return f"{text} ({whole})" if spelt else text


def _columns(heads: Sequence[Element]) -> list[str]:
    """The heading of each column; headings over one another are joined from top to bottom."""
    lines = [[heading_of(cell) for cell in cells] for row, cells in grid(heads, heads[-1]).items() if row in heads]
    return [" ".join(dict.fromkeys(filter(None, texts))) for texts in zip_longest(*lines)][:MAX_COLUMNS]
