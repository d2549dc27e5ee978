"""Groups whose records no element holds: runs of siblings, parts between line breaks, lines of a text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

import msgspec
from lxml import etree

from scrapewright.survey import candidates, css, forms, locate, records, slots
from scrapewright.survey.candidates import run_of
from scrapewright.survey.dom import FRAME, HEADINGS, Element, Tree, stable_classes, text_of, word_set
from scrapewright.survey.model import Group

Found = tuple[Group, list[int]]

LEAST_LINES = 4
MAX_LINE = 160
MAX_PART = 600
MAX_TEXTS = 3


def groups(tree: Tree) -> list[Found]:
    """The groups of a page in every form, each with the positions of what it selects."""
    return [*_runs(tree), *_parts(tree), *_texts(tree)]


def boxes_of(root: Element) -> list[Element]:
    """A box for each preformatted text and set of runs of a document, with its records as elements."""
    made = []
    body = root.find("body")
    if body is not None:
        tree = Tree(body)
        for run in runs_of(tree, even=True):
            ends = css.select_all(root, run.until) if run.until else []
            made.append(forms.runs([tree.elements[i] for i in run.starts], ends))
        made += [boxes for _, _, boxes in _parted(tree)]
    for text in list(root.iter("pre"))[:MAX_TEXTS]:
        listing = forms.listing_of(text)
        if listing is not None:
            rows = forms.rows_of_text(text, listing.cuts)
            made.append(rows[listing.head : len(rows) - listing.tail])
    out = []
    for rows in made:
        out.append(etree.Element("table" if rows and rows[0].tag == "tr" else "div"))
        out[-1].extend(rows)
    return out


def _runs(tree: Tree) -> Iterator[Found]:
    for number, run in enumerate(runs_of(tree)):
        yield from _made(tree, Group(f"r{number}", "list", "", 0, form="run", until=run.until), run.starts, run.ends)


def _parts(tree: Tree) -> Iterator[Found]:
    for number, (positions, breaks, _) in enumerate(_parted(tree)):
        yield from _made(tree, Group(f"p{number}", "list", "", 0, form="parts", breaks=breaks), positions)


def _parted(tree: Tree) -> Iterator[tuple[list[int], int, list[Element]]]:
    """Elements that hold records between line breaks, how many are between two records, and these in boxes."""
    within: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for i, tag in enumerate(tree.tags):
        if tag in ("br", "hr") and tree.region(i) not in FRAME:
            within[tree.path[tree.parent[i]]][tree.parent[i]] = None
    for positions in map(list, within.values()):
        for breaks in (2, 1):
            boxes = [box for i in positions for box in forms.parts_of(tree.elements[i], breaks)]
            if len(boxes) >= LEAST_LINES * len(positions) and _are_records(boxes, breaks):
                yield positions, breaks, boxes
                break


def _are_records(boxes: Sequence[Element], breaks: int) -> bool:
    """Whether what is in them differs but is made alike: of the same tags, or of words and figures; no prose."""
    texts = [text_of(box) for box in boxes]
    made = Counter(
        (frozenset(child.tag for child in box if child.tag != "br"), min(len(box.findall("br")), 1)) for box in boxes
    )
    (tags, lines), often = made.most_common(1)[0]
    figures = sum(any(c.isdigit() for c in text) for text in texts)
    held = often if tags else min(often, figures)
    differ = len(set(texts)) >= 0.7 * len(texts)
    return held >= 0.7 * len(boxes) and differ and max(map(len, texts)) <= MAX_PART and (breaks == 1 or lines > 0)


def _texts(tree: Tree) -> Iterator[Found]:
    texts = [element for element, tag in zip(tree.elements, tree.tags, strict=True) if tag == "pre"]
    for number, text in enumerate(texts[:MAX_TEXTS]):
        at, listing = [tree.position[text]], forms.listing_of(text)
        lines = [line for line, _ in forms.lines_of(text)]
        few = listing is None or len(lines) - listing.head - listing.tail < 0.5 * len(lines)
        if few and _is_of_blocks(text, lines):
            yield from _made(tree, Group(f"t{number}", "table", "", 0, form="blocks"), at)
        if listing is not None:
            skip = (listing.head, listing.tail)
            group = Group(f"t{number}", "table", "", 0, form="text", cuts=listing.cuts, skip=skip)
            headers = {f"td:{n}": name for n, name in enumerate(listing.headings, 1) if name}
            yield from _made(tree, group, at, headers=headers)


def _is_of_blocks(text: Element, lines: Sequence[str]) -> bool:
    """Whether blocks of lines that blank lines part hold most of the text and are no prose."""
    rows = forms.blocks_of(text)
    held = sum(len(row.findall("td")) for row in rows)
    firsts = [row[0].text or "" for row in rows]
    if len(rows) < LEAST_LINES - 1 or held < 0.7 * len(lines) or max(map(len, lines)) > MAX_LINE:
        return False
    return sum(any(c.isdigit() for c in first) for first in firsts) >= 0.8 * len(firsts)


def _made(
    tree: Tree, form: Group, positions: Sequence[int], ends: Sequence[int] = (), headers: Mapping[str, str] = {}
) -> Iterator[Found]:
    """The group of a form that is made of the elements at these positions, with its records' slots, score and
    surroundings; none where no selector finds just these elements, or no value is in the records."""
    located = locate.locate(tree, [tree.elements[i] for i in positions])
    if located is None or len(located[1]) > len(positions):
        return
    group = msgspec.structs.replace(form, selector=located[0])
    made = forms.records(tree.elements[0], group)
    found = slots.build(made[: records.MAX_RECORDS], headers=headers) if len(made) > 1 else ()
    if not found:
        return
    group = msgspec.structs.replace(group, count=len(made), slots=found, score=_score(tree, made, positions[0]))
    yield records.surrounded(tree, group, made, positions, ends), list(positions)


def _score(tree: Tree, made: Sequence[Element], first: int) -> float:
    """The records' score, as if they were elements of the page."""
    body = etree.Element("body")
    body.extend(made)
    own = Tree(body)
    candidate = candidates.Candidate([own.position[record] for record in made], 0.0)
    candidates.weigh(own, candidate)
    share = min(1.0, own.size[0] / max(1, tree.size[0]))
    scenery = candidates.SCENERY.get(tree.region(first), 1.0)
    return round(candidate.score * scenery * (0.3 + share) / 1.3, 2)


# Runs of siblings of any length: a heading, a term or a bold name, and all that follows it.

_STARTS = word_set("h1 h2 h3 h4 h5 h6 dt b strong p div font")
_BOLD = ("b", "strong", "font")
LEAST_RUNS = 3
MAX_RUNS = 6


class Run(msgspec.Struct, frozen=True):
    """Positions (in a Tree) of what records begin with, where each ends, and a selector of what else ends a record."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    until: str


class _Span(msgspec.Struct, frozen=True):
    """What follows a start: the elements, the size of their text, and whether text is between them."""

    members: list[int]
    size: int
    loose: bool


def runs_of(tree: Tree, even: bool = False) -> list[Run]:
    """Runs that a page may hold, those that hold most text first. `even`: also those of as many elements each."""
    found: dict[tuple[int, ...], list[_Span]] = {}
    for starts in map(tuple, _starts(tree)):
        if len(starts) >= LEAST_RUNS and starts not in found and _differ(tree, starts):
            inside = set(starts)
            spans = [_after(tree, i, inside) for i in starts]
            if _lead(tree, starts, spans, even):
                found[starts] = spans
    leaders = [starts for starts in found if not any(_is_shifted(tree, starts, other) for other in found)]
    best = sorted(leaders, key=lambda starts: -sum(span.size for span in found[starts]))[:MAX_RUNS]
    return [_run(tree, starts, found[starts]) for starts in best]


def _run(tree: Tree, starts: tuple[int, ...], spans: Sequence[_Span]) -> Run:
    """What ends a record, but for the next one, are headings of a higher rank."""
    ends = tuple(tree.end[span.members[-1] if span.members else i] for i, span in zip(starts, spans, strict=True))
    inside = set(starts)
    behind = ((i, j) for i, j in zip(starts, ends, strict=True) if j < len(tree) and j not in inside)
    until = dict.fromkeys(tree.tags[j] for i, j in behind if tree.parent[j] == tree.parent[i])
    return Run(starts, ends, ", ".join(until))


def _is_shifted(tree: Tree, starts: tuple[int, ...], leaders: tuple[int, ...]) -> bool:
    """Whether runs begin in the midst of others that lead: theirs would mix two records."""
    if starts is leaders or leaders[0] >= starts[0] or tree.parent[leaders[0]] != tree.parent[starts[0]]:
        return False
    if len(leaders) < 0.8 * len(starts) or len(leaders) > 1.3 * len(starts):
        return False
    merged = sorted([*((i, 0) for i in leaders), *((i, 1) for i in starts)])
    return sum(one[1] != two[1] for one, two in pairwise(merged)) >= 0.8 * (len(merged) - 1)


def _starts(tree: Tree) -> Iterator[list[int]]:
    by_path: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for i, tag in enumerate(tree.tags):
        if i == 0 or tag not in _STARTS or not 0 < tree.size[i] <= 200 or tree.region(i) in FRAME:
            continue
        if tag in _BOLD and not _begins_line(tree, i):
            continue
        if tag in HEADINGS or tag in ("dt", "b", "strong"):
            by_path[tree.path[i], ""].append(i)
        for name in stable_classes(tree.elements[i])[:2] if tag != "dt" else ():
            by_path[tree.path[i], name].append(i)
    yield from by_path.values()


def _begins_line(tree: Tree, i: int) -> bool:
    """Nothing comes before it in its line: it is the first in its box, or follows a break or a block."""
    element = tree.elements[i]
    before = element.getprevious()
    if before is None:
        parent = element.getparent()
        return parent is not None and not (parent.text or "").strip()
    return before.tag in ("br", "p", "hr", "div", "ul", "ol", "table", "dl") and not (before.tail or "").strip()


def _differ(tree: Tree, starts: Sequence[int]) -> bool:
    """Whether several are under one parent, and most of them say something else than the others."""
    if len(starts) < 2 * len({tree.parent[i] for i in starts}):
        return False
    return len({text_of(tree.elements[i]) for i in starts}) >= 0.7 * len(starts)


def _lead(tree: Tree, starts: Sequence[int], spans: Sequence[_Span], even: bool) -> bool:
    """Whether most of them are followed by something of their own, and not by as many elements each (but if `even`)."""
    if sum(span.size > 0 for span in spans) < 0.8 * len(starts):
        return False
    uneven = any(span.loose for span in spans) or len({len(span.members) for span in spans}) > 1
    return even or uneven or run_of(tree, list(starts)) == 0


def _after(tree: Tree, i: int, starts: set[int]) -> _Span:
    """What is behind a start up to the next one (or a heading above it in rank)."""
    members = list(takewhile(lambda j: not (j in starts or _outranks(tree.tags[j], tree.tags[i])), tree.behind(i)))
    loose = sum(len((tree.elements[j].tail or "").strip()) for j in (i, *members))
    return _Span(members, loose + sum(tree.size[j] for j in members), loose > 0)


def _outranks(tag: str, start: str) -> bool:
    """A heading that ends what began with another: one above it in rank, any where the start is no heading."""
    return tag in HEADINGS and (start not in HEADINGS or tag < start)
