"""Records that no element holds: runs of siblings, columns of a table, lines of a text.

Each form makes elements of what was selected, so that slots are found and read in them as in any record. The generated
program does the same with BeautifulSoup (programmers.rules.helpers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy

from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.dom import Element, text_of
from scrapewright.survey.listings import is_rule
from scrapewright.survey.model import Group
from scrapewright.survey.tables import cells_of

_WORD = re.compile(r"[^\W_]")


def records(root: Element, group: Group) -> list[Element]:
    """A group's records in a document, in order. Raises css.BadSelector for a selector that is not understood."""
    found = css.select_all(root, group.selector)
    made = found
    if group.form == "run":
        made = runs(found, css.select_all(root, group.until) if group.until else ())
    elif group.form == "columns":
        made = columns(found)
    elif group.form == "text":
        made = [row for text in found for row in rows_of_text(text, group.cuts)]
    elif group.form == "blocks":
        made = [row for text in found for row in blocks_of(text)]
    elif group.form == "breaks":
        made = [piece for box in found for piece in pieces(box)]
    for rule in group.skip:
        if re.fullmatch(r":\d+", rule):
            made = made[int(rule[1:]) :]
        elif re.fullmatch(r"-\d+", rule):
            made = made[: int(rule)]
    return made


def headers(group: Group) -> dict[str, str]:
    """The headings of the cells of a group whose records have a form, as slots.build wants them."""
    named = [slot for slot in group.slots if slot.header and slot.selector == "td"] if group.form else []
    return {f"td:{slot.index + 1}": slot.header for slot in named}


def runs(starts: Sequence[Element], ends: Sequence[Element] = ()) -> list[Element]:
    """Copies of each start and all that follows it under its parent, up to the next start or end, in a box."""
    stop = {*starts, *ends}
    boxes = []
    for start in starts:
        box = etree.Element("section")
        box.append(deepcopy(start))
        for sibling in start.itersiblings():
            if sibling in stop:
                break
            box.append(deepcopy(sibling))
        boxes.append(box)
    return boxes


def columns(rows: Sequence[Element]) -> list[Element]:
    """For each column after the first a row of its cells, those of the rows that have a cell in every column."""
    cells = [cells_of(row) for row in rows]
    width = max(map(len, cells), default=0)
    made = []
    for number in range(1, width):
        record = etree.Element("tr")
        for row in cells:
            if len(row) == width:
                cell = deepcopy(row[number])
                cell.tag, cell.tail = "td", None
                record.append(cell)
        made.append(record)
    return made


def lines_of(text: Element) -> Iterator[tuple[str, list[Element]]]:
    """The lines of a preformatted text that say something, tabs as blanks, each with the links that begin in it."""
    said: list[str] = []
    links: list[Element] = []
    for part in (*_pieces(text), "\n"):
        if not isinstance(part, str):
            links.append(part)
            continue
        head, *rest = part.split("\n")
        said.append(head)
        for line in rest:
            if _WORD.search("".join(said)):
                yield "".join(said).expandtabs(), links
            said, links = [line], []


def blocks_of(text: Element) -> list[Element]:
    """A row for each block of two lines or more that lines without a word part: a cell a line, then the links."""
    rows: list[Element] = []
    block: list[str] = []
    links: list[Element] = []
    said = ""
    for part in (*_pieces(text), "\n", "\n"):
        if not isinstance(part, str):
            links.append(part)
            continue
        head, *rest = part.split("\n")
        said += head
        for line in rest:
            if _WORD.search(said):
                block.append(" ".join(said.split()))
            elif block:
                rows += [_row(block, links)] if len(block) > 1 else []
                block, links = [], []
            said = line
    return rows


def _row(cells: Sequence[str], links: Sequence[Element]) -> Element:
    row = etree.Element("tr")
    for cell in cells:
        etree.SubElement(row, "td").text = cell
    for link in links:
        row.append(deepcopy(link))
        row[-1].tail = None
    return row


def rules_of(text: Element) -> list[int]:
    """Which of the lines that say something a line drawn with dashes precedes, by number."""
    found: list[int] = []
    count = 0
    for line in "".join(part if isinstance(part, str) else "" for part in _pieces(text)).split("\n"):
        if _WORD.search(line):
            count += 1
        elif is_rule(line):
            found.append(count)
    return found


def _pieces(element: Element) -> Iterator[str | Element]:
    """Texts and links below an element in their order; a line break as a line's end."""
    if element.text and isinstance(element.tag, str):
        yield element.text
    for child in element:
        if child.tag == "a" and child.get("href"):
            yield child
        elif child.tag == "br":
            yield "\n"
        yield from _pieces(child)
        if child.tail:
            yield child.tail


def rows_of_text(text: Element, cuts: Sequence[int]) -> list[Element]:
    """A row for each line: a cell from each cut to the next, then copies of the line's links."""
    rows = []
    for line, links in lines_of(text):
        ends = [*cuts[1:], None]
        rows.append(_row([line[start:end].strip() for start, end in zip(cuts, ends, strict=True)], links))
    return rows


def pieces(box: Element) -> list[Element]:
    """The text between the line breaks of a box, each in a tag of its own, without empty pieces."""
    made: list[Element] = []
    piece = etree.Element("p")
    piece.text = box.text
    for child in box:
        if child.tag == "br":
            made.append(piece)
            piece = etree.Element("p")
            piece.text = child.tail
        else:
            piece.append(deepcopy(child))
    made.append(piece)
    return [piece for piece in made if _WORD.search(text_of(piece))]
