"""Records that are runs of siblings of any length: a heading, a term or a bold name, and all that follows it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from scrapewright.survey.candidates import run_of
from scrapewright.survey.dom import HEADINGS, Tree, stable_classes, text_of, word_set

_MARKS = word_set("h1 h2 h3 h4 h5 h6 dt b strong p div font")
_BOLD = ("b", "strong", "font")
_SCENERY = ("nav", "header", "footer", "aside")
LEAST = 3
MAX_RUNS = 6


class Run(msgspec.Struct, frozen=True):
    """Positions (in a Tree) of what records begin with, where each ends, and a selector of what else ends a record."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    until: str


def find(tree: Tree, even: bool = False) -> list[Run]:
    """Runs that a page may hold, those that hold most text first. `even`: also those of as many elements each."""
    found: dict[tuple[int, ...], float] = {}
    for starts in _groups(tree):
        key = tuple(starts)
        if len(starts) >= LEAST and key not in found and _leads(tree, starts, even):
            found[key] = sum(_after(tree, i, set(starts))[1] for i in starts)
    leaders = [starts for starts in found if not any(_is_shifted(tree, starts, other) for other in found)]
    best = sorted(leaders, key=lambda starts: -found[starts])[:MAX_RUNS]
    return [_run(tree, starts) for starts in best]


def _run(tree: Tree, starts: tuple[int, ...]) -> Run:
    spans = [_after(tree, i, set(starts))[0] for i in starts]
    ends = tuple(tree.end[span[-1] if span else i] for i, span in zip(starts, spans, strict=True))
    return Run(starts, ends, _until(tree, starts, spans))


def _is_shifted(tree: Tree, starts: tuple[int, ...], leaders: tuple[int, ...]) -> bool:
    """Whether runs begin in the midst of others that lead: theirs would mix two records."""
    if starts is leaders or leaders[0] >= starts[0] or tree.parent[leaders[0]] != tree.parent[starts[0]]:
        return False
    if len(leaders) < 0.8 * len(starts) or len(leaders) > 1.3 * len(starts):
        return False
    merged = sorted([*((i, 0) for i in leaders), *((i, 1) for i in starts)])
    return sum(one[1] != two[1] for one, two in pairwise(merged)) >= 0.8 * (len(merged) - 1)


def _groups(tree: Tree) -> Iterator[list[int]]:
    by_path: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for i, tag in enumerate(tree.tags):
        if i == 0 or tag not in _MARKS or not 0 < tree.size[i] <= 200 or tree.region(i) in _SCENERY:
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


def _leads(tree: Tree, starts: Sequence[int], even: bool) -> bool:
    """Whether most of them are followed by something of their own, and not by as many elements each (but if `even`)."""
    inside = set(starts)
    parents = Counter(tree.parent[i] for i in starts)
    if len(starts) < 2 * len(parents):
        return False
    texts = {text_of(tree.elements[i]) for i in starts}
    if len(texts) < 0.7 * len(starts):
        return False
    spans = [_after(tree, i, inside) for i in starts]
    if sum(1 for _, size, _ in spans if size) < 0.8 * len(starts):
        return False
    loose = any(text for _, _, text in spans)
    lengths = {len(members) for members, _, _ in spans}
    return even or loose or len(lengths) > 1 or run_of(tree, list(starts)) == 0


def _after(tree: Tree, i: int, starts: set[int]) -> tuple[list[int], int, bool]:
    """The siblings behind a start up to the next one (or a heading above it in rank), the size of their text, and
    whether text is between them that no element holds."""
    members: list[int] = []
    tail = (tree.elements[i].tail or "").strip()
    size, loose = len(tail), bool(tail)
    j, parent = tree.end[i], tree.parent[i]
    while j < len(tree) and tree.parent[j] == parent and j not in starts and not _outranks(tree.tags[j], tree.tags[i]):
        members.append(j)
        tail = (tree.elements[j].tail or "").strip()
        size += tree.size[j] + len(tail)
        loose = loose or bool(tail)
        j = tree.end[j]
    return members, size, loose


def _outranks(tag: str, start: str) -> bool:
    """A heading that ends what began with another: one above it in rank, any where the start is no heading."""
    return tag in HEADINGS and (start not in HEADINGS or tag < start)


def _until(tree: Tree, starts: Sequence[int], spans: Sequence[Sequence[int]]) -> str:
    """A selector of the siblings that end a record: headings of a higher rank."""
    inside = set(starts)
    after = ((tree.end[members[-1] if members else i], i) for i, members in zip(starts, spans, strict=True))
    ends = [tree.tags[j] for j, i in after if j < len(tree) and tree.parent[j] == tree.parent[i] and j not in inside]
    return ", ".join(dict.fromkeys(ends))
