"""Finds sets of elements that may be the records of a page.

Elements are grouped by tag path, by parent and by class, split into clusters of one shape, and scored by how much
they hold (after tag path clustering, Miao et al., WWW 2009, and the record detection of MDR, Liu et al., KDD 2003).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise, takewhile

import msgspec

from scrapewright.survey import tables
from scrapewright.survey.dom import HEADINGS, Element, Tree, squeeze, stability, text_of, word_set
from scrapewright.survey.pagewords import is_advert, is_more, tells_more

_NOT_RECORDS = word_set(
    "html head body br hr b strong i em u small sub sup font wbr option optgroup script style noscript "
    "thead tbody tfoot colgroup col caption legend input select button label img source picture video "
    "audio svg path meta link title textarea form main param object embed map area"
)
SCENERY = {"nav": 0.2, "footer": 0.2, "header": 0.4, "aside": 0.4}
"""What is left of a score in the page's frame."""
_SHAPE_DEPTH = 6
_LIMIT = 40


class Candidate(msgspec.Struct):
    """Positions (in a Tree) of elements that may be records, with a score that holds without knowing the query.

    `run` is how many following siblings belong to each record (0: a record is one element).
    """

    members: list[int]
    score: float
    run: int = 0
    how: str = ""


def find(tree: Tree) -> list[Candidate]:
    """Candidates of a page, best first, at most a few dozen, none a copy of another."""
    found: dict[tuple[int, ...], Candidate] = {}
    beside = _beside(tree)
    shapes: dict[int, frozenset[int]] = {}
    cores = _cores(tree)
    for how, members in _groups(tree):
        for part in _clusters(tree, members, how, shapes):
            rest = [i for i in part if not beside[i]]
            part = _outermost(tree, rest if len(rest) >= 0.6 * len(part) else part)
            if len(part) < 2:
                continue
            key = tuple(map(cores.__getitem__, part))
            if key in found:
                held = found[key].members
                if _total(tree, held) < _total(tree, part) or (
                    len(set(part)) == len(set(held)) and part[0] < held[0] and how != "path"
                ):
                    found[key].members = part
                continue
            found[key] = Candidate(part, 0.0, how=how)
    for candidate in found.values():
        weigh(tree, candidate)
    out = sorted((one for one in found.values() if one.score > 0), key=lambda candidate: -candidate.score)
    return _without_inner(tree, _without_shifted(tree, out))[:_LIMIT]


def _beside(tree: Tree) -> list[bool]:
    """For each element whether it is beside the records of a list: in a heading, in an advert, or in a block of
    suggestions ("You may also like")."""
    out: list[bool] = []
    tells = cache(tells_more)
    for i, (tag, element) in enumerate(zip(tree.tags, tree.elements, strict=True)):
        above = tree.parent[i]
        suggests = tag in ("section", "div", "aside", "ul", "ol") and 0 < tree.size[i] < 0.5 * tree.size[0]
        out.append(
            (above >= 0 and (out[above] or tree.tags[above] in HEADINGS))
            or is_advert(element.get("class") or "")
            or (suggests and is_more(element, tells))
        )
    return out


def _without_shifted(tree: Tree, found: list[Candidate]) -> list[Candidate]:
    """Where records are runs of siblings, what begins in the middle of them is dropped: its runs mix two records. So do
    those of a part of a list whose other records are made alike: posts of one category among those of others."""
    whole = [set(candidate.members) for candidate in found]
    belongs = [
        (candidate, {j for i in candidate.members for j in islice(tree.behind(i), candidate.run)})
        for candidate in found
        if candidate.run
    ]
    part_of = [
        candidate
        for candidate, held in belongs
        if any(held < other and other.issuperset(candidate.members) for other in whole) and _is_alike(tree, candidate)
    ]
    out = []
    for candidate in found:
        first, n = candidate.members[0], len(candidate.members)
        shifted = candidate.run and any(
            leader is not candidate
            and leader.members[0] < first
            and leader.run == candidate.run
            and len(leader.members) >= 0.8 * n
            and leader.score >= 0.3 * candidate.score
            and sum(1 for i in candidate.members if i in held) >= 0.8 * n
            for leader, held in belongs
        )
        if not shifted and candidate not in part_of:
            out.append(candidate)
    return out


def _is_alike(tree: Tree, candidate: Candidate) -> bool:
    """Whether most members have a part in them, and the siblings behind them the same."""
    pairs = [(_shape(tree, i), _shape(tree, tree.end[i])) for i in candidate.members if tree.end[i] < len(tree)]
    alike = sum(len(one) > 1 and _likeness(one, other) > 0.5 for one, other in pairs)
    return alike >= 0.8 * len(candidate.members)


def _without_inner(tree: Tree, found: list[Candidate]) -> list[Candidate]:
    """Drops what lies, one for one, inside the records of a better candidate: it can hold no more than they do."""
    out: list[Candidate] = []
    known: defaultdict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for candidate in found:
        first, n = candidate.members[0], len(candidate.members)
        inner = any(
            all(tree.contains(o, i) for o, i in zip(better.members, candidate.members, strict=True))
            for above in tree.ancestors(first)
            for better in known.get((above, n), ())
        )
        if not inner:
            out.append(candidate)
            known[first, n].append(candidate)
    return out


def _total(tree: Tree, members: list[int]) -> int:
    return sum(tree.size[i] for i in members)


def _groups(tree: Tree) -> Iterable[tuple[str, list[int]]]:
    by_path: defaultdict[int, list[int]] = defaultdict(list)
    by_parent: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    by_class: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    tables: dict[int, int] = {}
    for i, tag in enumerate(tree.tags):
        if tag in _NOT_RECORDS or i == 0:
            continue
        if tree.size[i] == 0 and not _holds_value(tree, i):
            continue
        by_path[tree.path[i]].append(i)
        # Cells are alike within their table: a page laid out with tables has other ones all around.
        within = tree.parent[i]
        if tag == "td" and within not in tables:
            tables[within] = next((j for j in tree.ancestors(i) if tree.tags[j] == "table"), 0)
        by_parent[tables[within] if tag == "td" else within, tag].append(i)
        for name in set((tree.elements[i].get("class") or "").split()):
            if stability(name):
                by_class[tag, name].append(i)
        kind = tree.elements[i].get("itemtype")
        if kind:
            by_class[tag, f"[{kind}]"].append(i)
    for how, groups in (("class", by_class), ("parent", by_parent), ("path", by_path)):
        for members in groups.values():
            # Two rows of a table are records as surely as many are; two elements that only lie alike are by chance.
            if len(members) >= (2 if how == "class" or tree.tags[members[0]] == "tr" else 3):
                yield how, members
    yield from (("class", members) for members in _under_same_headings(tree))


def _under_same_headings(tree: Tree) -> Iterator[list[int]]:
    """The rows of tables that have the same headings, wherever on the page they are."""
    alike: defaultdict[str, list[Element]] = defaultdict(list)
    for i in (i for i, tag in enumerate(tree.tags) if tag == "table"):
        rows = tables.rows_of(tree.elements[i])
        heads = tables.cells_of(rows[0]) if rows else []
        said = [text_of(cell) for cell in heads]
        if len(heads) > 1 and any(said) and all(cell.tag == "th" for cell in heads):
            alike[" | ".join(said)].append(tree.elements[i])
    for found in alike.values():
        if len(found) > 1:
            rows = [row for table in found for row in tables.rows_of(table)]
            yield sorted(at for row in rows if tree.size[at := tree.position[row]])


def _holds_value(tree: Tree, i: int) -> bool:
    return any(tree.tags[j] in ("img", "input", "meta") for j in range(i, min(tree.end[i], i + 30)))


def _outermost(tree: Tree, members: list[int]) -> list[int]:
    """Members that hold another member are dropped when they are few, else the inner ones are."""
    outer = {j for j, i in pairwise(members) if i < tree.end[j]}
    if not outer:
        return members
    if len(outer) <= len(members) * 0.2:
        return [i for i in members if i not in outer]
    out: list[int] = []
    for i in members:
        if not out or i >= tree.end[out[-1]]:
            out.append(i)
    return out


def _cores(tree: Tree) -> list[int]:
    """For each element the innermost one that holds all that it holds: wrappers share it."""
    cores = list(range(len(tree)))
    inner = [0] * len(tree)  # the core of the one child that holds something, -1 where several do
    for i in range(len(tree) - 1, -1, -1):
        if inner[i] > 0 and not tree.own[i]:
            cores[i] = inner[i]
        if i and (tree.size[i] or _holds_value(tree, i)):
            inner[tree.parent[i]] = -1 if inner[tree.parent[i]] else cores[i]
    return cores


def _shape(tree: Tree, i: int) -> frozenset[int]:
    """Tag paths below an element, as hashes, to a depth of six."""
    if tree.end[i] == i + 1:
        return frozenset()
    out: set[int] = set()
    depths, parents, tags, deepest = tree.depth, tree.parent, tree.tags, tree.depth[i] + _SHAPE_DEPTH
    rel: dict[int, int] = {i: 0}
    columns: dict[int, int] = {}
    for j in range(i + 1, min(tree.end[i], i + 300)):
        parent = rel.get(parents[j])
        if parent is None or depths[j] > deepest:
            continue
        tag = tags[j]
        if tag in ("br", "wbr", "p") or (tag in ("b", "i", "strong", "em") and not tree.elements[j].get("class")):
            rel[j] = parent
            continue
        if tag in ("td", "th"):
            # Rows of one record differ in their cells before they differ in anything else.
            column = columns[parents[j]] = columns.get(parents[j], 0) + 1
            rel[j] = hash((parent, tag, column, tree.elements[j].get("colspan")))
        else:
            rel[j] = hash((parent, tag))
        out.add(rel[j])
    return frozenset(out)


def _clusters(tree: Tree, members: list[int], how: str, shapes: dict[int, frozenset[int]]) -> list[list[int]]:
    """The whole group where its members are alike, else its clusters of one shape; for classes both.

    `shapes` are those known of earlier groups, and are added to.
    """
    for i in members:
        if i not in shapes:
            shapes[i] = _shape(tree, i)
    leaders: list[tuple[frozenset[int], list[int]]] = []
    nearest: dict[frozenset[int], list[int]] = {}  # where more of a shape belong, until there is a further leader
    for i in members:
        shape = shapes[i]
        if shape not in nearest:
            value, k = max(((_likeness(shape, leader), -k) for k, (leader, _) in enumerate(leaders)), default=(0.0, 0))
            if value <= 0.5 and len(leaders) < 12:
                leaders.append((shape, []))
                nearest, value, k = {}, 1.0, 1 - len(leaders)
            nearest[shape] = leaders[-k][1] if value > 0.5 else []
        nearest[shape].append(i)
    clusters = [found for _, found in leaders if len(found) >= 2]
    if len(leaders) == 1:
        return clusters
    out = [found for found in clusters if len(found) >= 3]
    largest = max((len(found) for found in clusters), default=0)
    if how == "class" or largest < len(members):
        sizes = [tree.size[i] for i in members]
        listed = how == "parent" and tree.tags[members[0]] == "li"  # some with a list of their own in them
        if how == "class" or listed or (largest >= 0.5 * len(members) and min(sizes) * 12 > max(sizes)):
            out.append(members)
    return out


def _likeness(one: frozenset[int], other: frozenset[int]) -> float:
    if not one and not other:
        return 1.0
    both = len(one & other)
    small = min(len(one), len(other))
    jaccard = both / (len(one) + len(other) - both)
    return max(jaccard, 0.9 * both / small if small >= 3 else 0.0)


def weigh(tree: Tree, candidate: Candidate) -> None:
    """Sets a candidate's score, and what the score is made of."""
    members, n, tag = candidate.members, len(candidate.members), tree.tags[candidate.members[0]]
    sample = members if n <= 60 else [members[int(k * n / 60)] for k in range(60)]
    run = run_of(tree, members)
    places: list[object] = []
    texts: set[str] = set()
    for i in sample:
        parts = (i, *islice(tree.behind(i), run)) if run else (i,)
        places += {place for step, j in enumerate(parts) for place in _places(tree, step, j)}
        links = (href for one in tree.elements[i : min(tree.end[i], i + 60)] if (href := one.get("href")))
        element = tree.elements[i]
        text = "".join(map(str, element.itertext())) if len(element) else element.text or ""
        texts.add(squeeze(text)[:120] + " ".join(islice(links, 2)))
    fields = sum(1 for count in Counter(places).values() if count >= 0.5 * len(sample))
    average = sum(tree.size[i] for i in sample) / len(sample)
    following = sum(tree.size[j] for i in sample for j in islice(tree.behind(i), run)) / len(sample) if run else 0.0
    share = (_total(tree, members) + following * n) / max(1, tree.size[0])
    score = math.log(1 + n) * min(fields, 14) * math.log(2 + min(average, 600)) * (0.3 + min(share, 1.0))
    score *= len(texts) / len(sample)
    candidate.run = run
    score *= SCENERY.get(tree.region(members[0]), 1.0)
    if n == 2:
        score *= 0.4
    if tag in ("td", "th"):
        score *= 0.4 if fields < 4 else 0.9  # a cell that holds several values is a record of its own
    elif tag in HEADINGS or tag in ("span", "a", "p"):
        score *= 0.7
    elif tag == "table" and sum(tree.tags[i + 1 : tree.end[i]].count("tr") for i in sample) > 3 * len(sample):
        score *= 0.4  # its rows are
    candidate.score = score


def _places(tree: Tree, step: int, i: int) -> Iterator[object]:
    """The places in an element where it holds a text, a link or a picture."""
    parents, tags, own = tree.parent, tree.tags, tree.own
    paths: dict[int, tuple[str, ...]] = {}
    for j in range(i, min(tree.end[i], i + 250)):
        element, tag = tree.elements[j], tags[j]
        paths[j] = path = (*paths[parents[j]], tag)[-3:] if j > i else ()
        if own[j]:
            yield step, path, (element.get("class") or "")[:40], bool(element.get("id"))
        if (tag == "a" and element.get("href")) or tag == "img":
            yield step, path


def run_of(tree: Tree, members: list[int]) -> int:
    """How many siblings are between one member and the next, where it is nearly always the same number, at most 4."""
    inside = set(members)
    between = (takewhile(lambda j: j not in inside, islice(tree.behind(i), 6)) for i in members[:80])
    gaps = Counter(len(list(siblings)) for siblings in between)
    gap, count = max(gaps.items(), key=lambda item: item[1], default=(0, 0))
    return gap if 1 <= gap <= 4 and count >= 0.6 * gaps.total() else 0
