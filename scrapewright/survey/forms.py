"""Records that no element holds: runs of siblings, parts between line breaks, lines of a text.

Each form makes elements of what was selected, so that slots are found and read in them as in any record. The generated
program does the same with BeautifulSoup (programmers.rules.helpers).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import groupby, pairwise

import msgspec
from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.dom import HEADINGS, Element, squeeze
from scrapewright.survey.model import Group

_WORD = re.compile(r"[^\W_]")
PARTING = ("hr", *HEADINGS)
"""Between the parts of an element whatever the number of breaks."""


def records(root: Element, group: Group) -> list[Element]:
    """A group's records in a document, in order. Raises css.BadSelector for a selector that is not understood."""
    found = css.select_all(root, group.selector)
    if group.form == "run":
        made = runs(found, css.select_all(root, group.until) if group.until else ())
    elif group.form:
        of_one: dict[str, Callable[[Element], list[Element]]] = {
            "parts": lambda text: parts_of(text, group.breaks), "text": lambda text: rows_of_text(text, group.cuts),
            "blocks": blocks_of,
        }  # fmt: skip
        made = [row for one in found for row in of_one[group.form](one)]
    else:
        made = found
    head, tail = group.skip
    return made[head : len(made) - tail]


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


def parts_of(element: Element, breaks: int) -> list[Element]:
    """Copies of what is between so many line breaks in a row, one or two, each in a box; headings and drawn lines are
    between parts too."""
    boxes: list[Element] = []
    met = breaks
    for node in _nodes(element):
        tag, said = ("", node.strip()) if isinstance(node, str) else (str(node.tag), "")
        if tag == "br":
            met += 1
        elif tag in PARTING:
            met += breaks
        elif tag or said or not met:
            if met >= breaks:
                boxes.append(etree.Element("section"))
            elif met:
                etree.SubElement(boxes[-1], "br")
            met = 0
            _append(boxes[-1], node)
    return boxes


def _nodes(element: Element) -> Iterator[str | Element]:
    """The texts and elements right in an element, without comments."""
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield child
        yield child.tail or ""


def _append(box: Element, node: str | Element) -> None:
    if not isinstance(node, str):
        box.append(deepcopy(node))
        box[-1].tail = None
    elif len(box):
        box[-1].tail = (box[-1].tail or "") + node
    else:
        box.text = (box.text or "") + node


def _lines(text: Element) -> Iterator[tuple[str, list[Element]]]:
    """The lines of a preformatted text, tabs as blanks, each with the links that begin in it."""
    said, links = "", list[Element]()
    for part in (*_pieces(text), "\n"):
        if not isinstance(part, str):
            links.append(part)
            continue
        head, *rest = part.split("\n")
        said += head
        for line in rest:
            yield said.expandtabs(), links
            said, links = line, []


def lines_of(text: Element) -> Iterator[tuple[str, list[Element]]]:
    """Those of the lines that say something."""
    return ((line, links) for line, links in _lines(text) if _WORD.search(line))


def blocks_of(text: Element) -> list[Element]:
    """A row for each block of two lines or more that lines without a word part: a cell a line, then the links."""
    parted = (list(block) for says, block in groupby(_lines(text), lambda one: bool(_WORD.search(one[0]))) if says)
    return [
        _row([squeeze(line) for line, _ in block], [link for _, links in block for link in links])
        for block in parted
        if len(block) > 1
    ]


def _row(cells: Sequence[str], links: Sequence[Element]) -> Element:
    row = etree.Element("tr")
    for cell in cells:
        etree.SubElement(row, "td").text = cell
    for link in links:
        row.append(deepcopy(link))
        row[-1].tail = None
    return row


def rules_of(text: Element) -> dict[int, tuple[int, ...]]:
    """Which of the lines that say something a line drawn with dashes precedes, by number, and where dashes begin."""
    found: dict[int, tuple[int, ...]] = {}
    count = 0
    for line, _ in _lines(text):
        if _WORD.search(line):
            count += 1
        elif _RULE.fullmatch(line.strip()):
            found[count] = tuple(match.start() for match in re.finditer(r"[^\s|+]+", line))
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
    columns = [slice(*ends) for ends in zip(cuts, [*cuts[1:], None], strict=True)]
    return [_row([line[column].strip() for column in columns], links) for line, links in lines_of(text)]


# Tables written as preformatted text: where their columns begin, and which lines are records.

_RULE = re.compile(r"(?=.*[-=_]{2})[-=_+| ]+")
"""A line drawn with dashes, as under column names."""
_GAP = re.compile(r"\S {2,}\S")
LEAST = 3


class Listing(msgspec.Struct, frozen=True):
    """Columns of text lines. `cuts`: where each begins. `head` and `tail`: lines before and behind the records.
    `headings`: the column names, empty where no line has them."""

    cuts: tuple[int, ...]
    head: int
    tail: int
    headings: tuple[str, ...]


def listing_of(text: Element) -> Listing | None:
    """How the lines of a text (those that say something) are cut into columns; None where they are running text."""
    lines, drawn = [line for line, _ in lines_of(text)], rules_of(text)
    rules = list(drawn)
    first, last = _block(lines, rules)
    if last - first < LEAST:
        return None
    body = lines[first:last]
    starts = drawn.get(first, ())[1:]
    aligned = sum(all(line[at - 1 : at] in ("", " ", "|") for at in starts) for line in body)
    cuts = (0, *starts) if starts and aligned >= 0.9 * len(body) else _cuts(body)
    heading = _heading(lines[first - 1], body, cuts) if first and cuts else ()
    if not (heading or rules) and len(body) > LEAST:
        for at in filter(None, (cuts, _cuts(body[1:]))):  # names may be less apart than what is below them
            if named := _heading(body[0], body[1:], at):
                return Listing(at, first + 1, len(lines) - last, named)
    return Listing(cuts, first, len(lines) - last, heading) if cuts else None


def _block(lines: Sequence[str], rules: Sequence[int]) -> tuple[int, int]:
    """The longest run of lines with gaps in them, behind the first ruled line if there is one."""
    start = rules[0] if rules and rules[0] < len(lines) - 1 else 0
    stop = next((rule for rule in rules if rule >= start + LEAST), len(lines))
    runs = re.finditer("x+", "".join(" x"[bool(_GAP.search(line))] for line in lines[start:stop]))
    first, last = max((run.span() for run in runs), key=lambda span: span[1] - span[0], default=(0, 0))
    return start + first, start + last


def _cuts(lines: Sequence[str]) -> tuple[int, ...]:
    """Where the columns begin: behind gaps of two blanks in all lines, or of one between figures and words; empty where
    there are not several."""
    blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(max(map(len, lines)))]
    words = [match.span() for match in re.finditer("x+", "".join(" x"[not empty] for empty in blank))]
    cuts = [0]
    for (start, end), (after, stop) in pairwise(words):
        sides = _are(_FIGURES, lines, start, end), _are(_FIGURES, lines, after, stop)
        clocks = after - end == 1 and _are(_CLOCKS, lines, after, stop)
        if after - end >= 2 or (sides[0] != sides[1] and not clocks):
            cuts.append(end + 1 if _right_aligned(lines, after, stop) else after)
    return tuple(cuts) if len(cuts) > 1 else ()


_FIGURES = r"[\d.,:/+-]*\d[\d.,:/+-]*[%KMGkm]?|-"
_CLOCKS = r"\d{1,2}:\d{2}(?::\d{2})?"
"""Times of day, which belong to the date before them."""


def _are(pattern: str, lines: Sequence[str], start: int, end: int) -> bool:
    """Whether all that the lines have between two places is of a kind, and there is some."""
    cells = [line[start:end].strip() for line in lines]
    return all(re.fullmatch(pattern, cell) for cell in cells if cell) and any(cells)


def _right_aligned(lines: Sequence[str], start: int, end: int) -> bool:
    cells = [line[start:end] for line in lines if line[start:end].strip()]
    return len(cells) > 1 and all(len(cell) == end - start for cell in cells) and any(c[0] == " " for c in cells)


def _heading(line: str, body: Sequence[str], cuts: Sequence[int]) -> tuple[str, ...]:
    """The column names in a line, where each is above its column and none has a figure; () for any other line."""
    if any(c.isdigit() for c in line) or not any(c.isdigit() for text in body for c in text):
        return ()
    names: list[list[str]] = [[] for _ in cuts]
    for word in re.finditer(r"\S+(?: \S+)*", line):
        columns = zip(cuts, [*cuts[1:], 10_000], strict=True)
        overlap = [min(word.end(), end) - max(word.start(), start) for start, end in columns]
        best = max(range(len(cuts)), key=lambda k: overlap[k])
        if overlap[best] > 0:
            names[best].append(word[0])
        else:
            return ()
    if sum(map(bool, names)) < max(2, len(cuts) - 1) or any(len(found) > 1 for found in names):
        return ()
    return tuple(" ".join(found) for found in names)
