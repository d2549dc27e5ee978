"""Groups whose records no element holds: runs of siblings, columns of a turned table, lines of a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from scrapewright.survey import (
    candidates,
    css,
    forms,
    heading_dates,
    listings,
    locate,
    records,
    sibling_runs,
    slots,
    transposed_tables,
)
from scrapewright.survey.dom import Element, Tree, text_of
from scrapewright.survey.model import Group

Found = tuple[Group, list[int]]

_BOXES = frozenset(("p", "div", "td", "font", "center", "blockquote", "section", "address"))
_BLOCKS = frozenset(("p", "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "form"))
_MARKS = re.compile(r"[-–—|·•:;,(/](?=\s)|(?<=\s)\(")
LEAST_LINES = 4
MAX_LINE = 160
MAX_BOXES = 4
MAX_TEXTS = 3
MAX_TABLES = 6


def groups(tree: Tree) -> list[Found]:
    """The groups of a page in every form, each with the positions of what it selects."""
    return [*_runs(tree), *_turned(tree), *_texts(tree), *_broken(tree)]


def boxes_of(root: Element) -> list[Element]:
    """A box for each turned table, preformatted text and set of runs of a document, with its records as elements."""
    made = []
    body = root.find("body")
    if body is not None:
        tree = Tree(body)
        for run in sibling_runs.find(tree, even=True):
            ends = css.select_all(root, run.until) if run.until else []
            made.append(forms.runs([tree.elements[i] for i in run.starts], ends))
    for table in list(root.iter("table"))[:MAX_TABLES]:
        if rows := transposed_tables.rows_turned(table):
            made.append(forms.columns(rows))
    for text in list(root.iter("pre"))[:MAX_TEXTS]:
        listing = _listing(text)
        if listing is not None:
            rows = forms.rows_of_text(text, listing.cuts)
            made.append(rows[listing.head : len(rows) - listing.tail])
    out = []
    for rows in made:
        out.append(etree.Element("table" if rows and rows[0].tag == "tr" else "div"))
        out[-1].extend(rows)
    return out


def _listing(text: Element) -> listings.Listing | None:
    return listings.columns_of([line for line, _ in forms.lines_of(text)], forms.rules_of(text))


def _runs(tree: Tree) -> Iterator[Found]:
    for number, run in enumerate(sibling_runs.find(tree)):
        starts = [tree.elements[i] for i in run.starts]
        located = locate.locate(tree.elements[0], starts)
        if located is None or not located.exact:
            continue
        group = Group(f"r{number}", "list", located.selector, len(starts), form="run", until=run.until)
        made = _group(tree, group, list(run.starts), run.ends)
        if made is not None:
            yield made


def _turned(tree: Tree) -> Iterator[Found]:
    tables = [element for element, tag in zip(tree.elements, tree.tags, strict=True) if tag == "table"]
    for number, table in enumerate(tables[:MAX_TABLES]):
        rows = transposed_tables.rows_turned(table)
        located = locate.locate(tree.elements[0], rows) if rows else None
        if rows is None or located is None or not located.exact:
            continue
        group = Group(f"c{number}", "table", located.selector, 0, form="columns")
        made = _group(tree, group, [tree.position[row] for row in rows], headers=transposed_tables.headings_of(rows))
        if made is not None:
            yield made


def _texts(tree: Tree) -> Iterator[Found]:
    texts = [element for element, tag in zip(tree.elements, tree.tags, strict=True) if tag == "pre"]
    for number, text in enumerate(texts[:MAX_TEXTS]):
        listing = _listing(text)
        located = locate.locate(tree.elements[0], [text])
        if located is None or not located.exact:
            continue
        lines = [line for line, _ in forms.lines_of(text)]
        if listing is None or len(lines) - listing.head - listing.tail < 0.5 * len(lines):
            made = _blocks(tree, text, located.selector, number, lines)
            if made is not None:
                yield made
        if listing is None:
            continue
        skip = (*([f":{listing.head}"] if listing.head else []), *([f"-{listing.tail}"] if listing.tail else []))
        group = Group(f"t{number}", "table", located.selector, 0, form="text", cuts=listing.cuts, skip=skip)
        headers = {f"td:{n}": name for n, name in enumerate(listing.headings, 1) if name}
        made = _group(tree, group, [tree.position[text]], headers=headers)
        if made is not None:
            yield made


def _blocks(tree: Tree, text: Element, selector: str, number: int, lines: Sequence[str]) -> Found | None:
    """Blocks of lines that blank lines part, where they hold most of the text and are no prose."""
    rows = forms.blocks_of(text)
    held = sum(len(row.findall("td")) for row in rows)
    firsts = [row[0].text or "" for row in rows]
    if len(rows) < LEAST_LINES - 1 or held < 0.7 * len(lines) or max(map(len, lines)) > MAX_LINE:
        return None
    if sum(any(c.isdigit() for c in first) for first in firsts) < 0.8 * len(firsts):
        return None
    group = Group(f"t{number}", "table", selector, 0, form="blocks")
    return _group(tree, group, [tree.position[text]])


def _broken(tree: Tree) -> Iterator[Found]:
    """Boxes whose lines, parted by breaks alone, are alike."""
    tried = 0
    for i, tag in enumerate(tree.tags):
        if tag not in _BOXES or tree.size[i] < 40 or tried >= MAX_BOXES:
            continue
        breaks = sum(1 for j in tree.children(i) if tree.tags[j] == "br")
        if breaks < LEAST_LINES - 1 or any(tree.tags[j] in _BLOCKS for j in range(i + 1, tree.end[i])):
            continue
        tried += 1
        shapes = [_line_shape(piece) for piece in forms.pieces(tree.elements[i])]
        shape, count = Counter(shapes).most_common(1)[0] if shapes else ("", 0)
        if not shape or count < LEAST_LINES:
            continue
        head = shapes.index(shape)
        tail = shapes[::-1].index(shape)
        located = locate.locate(tree.elements[0], [tree.elements[i]])
        if located is None or not located.exact or count < len(shapes) - head - tail:
            continue
        skip = (*([f":{head}"] if head else []), *([f"-{tail}"] if tail else []))
        group = Group(f"b{tried}", "list", located.selector, 0, form="breaks", skip=skip)
        made = _group(tree, group, [i])
        if made is not None:
            yield made


def _line_shape(piece: Element) -> str:
    """A line's tags and the marks between its values; empty for a line that is one value or prose."""
    text = text_of(piece)
    tags = " ".join(str(element.tag) for element in piece.iterdescendants())
    marks = "".join(_MARKS.findall(text))
    return f"{tags} {marks}".strip() if len(text) <= 160 else ""


def _group(
    tree: Tree,
    group: Group,
    positions: list[int],
    ends: Sequence[int] = (),
    headers: Mapping[str, str] | None = None,
) -> Found | None:
    """The group with its records' slots, score and surroundings; None where it has none."""
    made = forms.records(tree.elements[0], group)
    found = slots.build(made[: records.MAX_RECORDS], headers=headers) if len(made) > 1 else ()
    if not found:
        return None
    section, slot = records.section_of(tree, positions, ends=ends) if ends else ("", None)
    group = Group(
        id=group.id,
        kind=group.kind,
        selector=group.selector,
        count=len(made),
        slots=(*found, *filter(None, (slot, heading_dates.when_of(tree, positions, slot) if ends else None))),
        score=_score(tree, made, positions[0]),
        skip=group.skip,
        context=records.context_of(tree, positions[0]),
        region=tree.region(positions[0]),
        sample=records.sample_of(made[min(1, len(made) - 1)]),
        section=section,
        form=group.form,
        until=group.until,
        cuts=group.cuts,
    )
    return group, positions


def _score(tree: Tree, made: Sequence[Element], first: int) -> float:
    """The records' score, as if they were elements of the page."""
    body = etree.Element("body")
    body.extend(made)
    own = Tree(body)
    candidate = candidates.Candidate([own.position[record] for record in made], 0.0)
    candidates.weigh(own, candidate)
    share = min(1.0, own.size[0] / max(1, tree.size[0]))
    scenery = {"nav": 0.2, "footer": 0.2, "header": 0.4, "aside": 0.4}.get(tree.region(first), 1.0)
    return round(candidate.score * scenery * (0.3 + share) / 1.3, 2)
