"""Record groups of a page: candidates with their selectors, slots, headings and regions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

import msgspec
from lxml import etree

from scrapewright.survey import css, forms, locate, slots, tables, values
from scrapewright.survey.candidates import Candidate, run_of
from scrapewright.survey.dom import HEADINGS, Element, Tree, classes_of, squeeze, stability, text_of, value_of
from scrapewright.survey.extract import stepped
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot

MAX_RECORDS = 400
FAR = 2000
"""Elements before a group in which the headings above its own are looked for."""
_DATES = ("date", "datetime")
_HEADS = (*HEADINGS, "caption", "legend", "summary", "dt")


def group_of(tree: Tree, candidate: Candidate, number: int) -> tuple[Group, list[int]] | None:
    """The group that a candidate makes, with its members' positions. None where no selector finds them again."""
    wanted = [tree.elements[i] for i in candidate.members]
    headers: dict[str, str] = {}
    table = wanted[0].tag == "tr"
    if table:
        headers, heads = tables.headers_of(wanted)
        head_rows = {*heads, *tables.head_rows(wanted, heads), *filter(tables.is_summary, wanted)}
        wanted = [row for row in wanted if row not in head_rows]
        if len(wanted) < 1:
            return None
    located = locate.locate(tree, wanted)
    if located is None:
        return None
    selector, members = located
    positions = [tree.position[element] for element in members if element in tree.position]
    if not positions:
        return None
    siblings = _following(members, run_of(tree, positions) if len(positions) > 2 else 0)
    if not any(element is not None and text_of(element) for column in siblings for element in column):
        siblings = []
    naming = tables.varying_head(members) if table else 0
    headers.pop(f"td:{naming}", None)
    whole = tables.unspanned(members) if table and not siblings else None
    found = slots.build(
        (whole or members)[:MAX_RECORDS], [column[:MAX_RECORDS] for column in siblings], headers=headers
    )
    if not found:
        return None
    group = Group(
        id=f"g{number}",
        kind="table" if table and (headers or len(tables.cells_of(members[0])) > 1) else "list",
        selector=selector,
        count=len(members),
        slots=found,
        score=round(candidate.score, 2),
        spans=whole is not None,
    )
    known = f"th:nth-of-type({naming})" if naming else ""
    return surrounded(tree, group, members, positions, known=known), positions


def surrounded(
    tree: Tree,
    group: Group,
    members: Sequence[Element],
    positions: Sequence[int],
    ends: Sequence[int] = (),
    known: str = "",
) -> Group:
    """The group with what is around its records, and one of them as it is on the page."""
    section, slot, outer = section_of(tree, positions, ends, known)
    when = when_of(tree, positions, slot) if len(positions) > 1 else None
    above = slot, outer, when, branch_of(tree, positions)
    return msgspec.structs.replace(
        group,
        slots=(*group.slots, *filter(None, above)),
        headings=headings_of(tree, positions[0], positions[-1]),
        region=tree.region(positions[0]),
        sample=sample_of(members[min(1, len(members) - 1)]),
        section=section,
    )


def over_two_pages(group: Group, first: Element, second: Element) -> Group | None:
    """The group with slots learnt from both pages' records. None where the second page has none of its own."""
    pages = [forms.records(root, group) for root in (first, second)]
    if not pages[1] or {text_of(e) for e in pages[1]} <= {text_of(e) for e in pages[0]}:
        return None
    members = [*pages[0], *pages[1]]
    headers = forms.headers(group)
    if pages[0] and pages[0][0].tag == "tr" and not group.form:
        headers = tables.headers_of(pages[0])[0]
    columns = _following(members, group.following)
    if group.spans:
        members = [row for page in pages for row in tables.unspanned(page) or page]
    found = slots.build(members[:MAX_RECORDS], [column[:MAX_RECORDS] for column in columns], headers=headers)
    if not found:
        return None
    kept = tuple(slot for slot in group.slots if slot.above)
    return msgspec.structs.replace(group, slots=(*found, *kept))


def _following(records: Sequence[Element], run: int) -> list[list[Element | None]]:
    """The siblings that belong to each record, by distance; None where there is none or the next record begins."""
    inside = set(records)
    columns: list[list[Element | None]] = [[*records]]
    for _ in range(run):
        after = (stepped(element, 1) if element is not None else None for element in columns[-1])
        columns.append([element if element not in inside else None for element in after])
    return columns[1:]


def sample_of(element: Element, limit: int = SAMPLE_AT_MOST) -> str:
    """Outer HTML of one record."""
    text: str = etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _heading_before(tree: Tree, i: int) -> int:
    """The nearest heading that is before an element and under an ancestor of it, -1 where there is none."""
    before = (j for j in range(i - 1, max(0, i - 400), -1) if tree.tags[j] in (*HEADINGS, "caption", "legend"))
    return next((j for j in before if tree.size[j]), -1)


def headings_of(tree: Tree, i: int, last: int = -1) -> tuple[str, ...]:
    """What an element is under, the nearest first: its caption or label, the heading before it or the title of a box
    that holds it and the last one, and the headings of higher ranks before these."""
    return tuple(dict.fromkeys(text[:120] for text in map(squeeze, _headings(tree, i, last)) if text))


def _headings(tree: Tree, i: int, last: int) -> Iterator[str]:
    for j in (i, *tree.ancestors(i)):
        element = tree.elements[j]
        if element.tag in ("table", "section", "nav", "ul", "ol", "div", "form"):
            if element.tag == "table" and (caption := element.find("caption")) is not None:
                yield text_of(caption)
            if label := element.get("aria-label") or element.get("summary"):
                yield label
    boxes = (j for j in tree.ancestors(i) if last < tree.end[j])
    titles = (_previous(tree, j) for j in (i, *boxes))
    titled = (j for j in titles if j >= 0 and 0 < tree.size[j] <= 80 and _heading_kind(tree, j) not in ("", "p"))
    nearest = max(_heading_before(tree, i), next(titled, -1))
    if nearest >= 0:
        yield text_of(tree.elements[nearest])
    rank = HEADINGS.index(tree.tags[nearest]) if nearest >= 0 and tree.tags[nearest] in HEADINGS else len(HEADINGS)
    for j in range(i - 1, max(0, i - FAR), -1):
        if tree.tags[j] in HEADINGS[:rank] and tree.size[j]:
            rank = HEADINGS.index(tree.tags[j])
            yield text_of(tree.elements[j])


def context_of(tree: Tree, i: int, last: int = -1) -> str:
    """The caption, label or heading that an element is under, or the title of a box that holds it and the last one."""
    return next(filter(None, map(squeeze, _headings(tree, i, last))), "")[:120]


def section_of(
    tree: Tree, positions: Sequence[int], ends: Sequence[int] = (), known: str = ""
) -> tuple[str, Slot | None, Slot | None]:
    """A selector of the headings that the records are under, where there are several, and the slot it makes; the slot
    that headings of another rank make.

    `ends`: where each record ends, if not with its element.
    """
    if len(positions) < 3:
        return "", None, None
    reach = list(accumulate(ends or [tree.end[i] for i in positions], max))
    first = positions[0]
    nearest = _heading_before(tree, first)
    start = max(first - 60, 0) if nearest < 0 else min(nearest, max(first - 60, 0))
    outside = (j for behind, i in zip([start, *reach], positions, strict=False) for j in range(behind, i))
    short = (j for j in outside if 0 < tree.size[j] <= 160 and not tree.contains(j, first))
    kinds = Counter(_heading_kind(tree, j) for j in short)
    found: list[tuple[float, str, list[str]]] = []
    kinds |= _titles_above(tree, positions) | Counter({known: len(positions)})
    for kind, count in kinds.items():
        marks = marks_before(tree, kind, positions) if kind and count > 1 else []
        places = {mark: bisect_right(positions, mark) for mark in marks}
        if kind != known and any(at and mark < reach[at - 1] for mark, at in places.items()):
            continue  # the records have such headings themselves: it would be the one of the record before
        texts = texts_of(tree, marks)
        filled = list(filter(None, texts))
        distinct = len(set(filled))
        if distinct < 2 or len(filled) < 0.9 * len(positions) or distinct > 0.7 * len(positions) + 1:
            continue
        worth = 3.0 if kind == known else 2.0 if kind[:2] in HEADINGS or kind.startswith("caption") else 1.0
        worth += (0.5 if "." in kind else 0.0) + len(filled) / len(positions)
        found.append((worth, kind, texts))
    found.sort(key=lambda one: -one[0])
    if not found:
        return "", None, None
    slot = _slot_of_section("section", *found[0][1:])
    others = (one for one in found[1:] if one[1] in HEADINGS and one[2] != found[0][2])
    return found[0][1], slot, next((_slot_of_section("section_2", *one[1:]) for one in others), None)


def _slot_of_section(name: str, selector: str, texts: Sequence[str]) -> Slot:
    called = selector.partition(".")[2].replace("-", " ").replace("_", " ").lower()
    slot = _slot_above(name, selector, texts, *filter(None, (called, "section", "group", "region", "heading")))
    more = ("date", "day") if slot.type in _DATES else ("category",)
    label = slots.prefix_of(list(filter(None, texts)))
    return msgspec.structs.replace(slot, names=(*slot.names, *more), label=label)


def branch_of(tree: Tree, positions: Sequence[int]) -> Slot | None:
    """The slot of what the items say in which the records are as items of inner lists. None where they are in none."""
    lists = [tree.parent[i] for i in positions]
    branches = [tree.parent[i] if tree.tags[i] in ("ul", "ol") else -1 for i in lists]
    if not all(i >= 0 and tree.tags[i] == "li" for i in branches):
        return None
    texts = [value_of(tree.elements[i], "head") for i in branches]
    if not all(texts) or not 1 < len(set(texts)) < len(texts):
        return None
    slot = _slot_above("branch", f"li:has(> {tree.tags[lists[0]]})", texts, "category", "group", "section")
    return msgspec.structs.replace(slot, attr="head")


def _slot_above(name: str, selector: str, texts: Sequence[str], *names: str) -> Slot:
    """The slot of what is above the records: a text for each of them, "" where there is none."""
    filled = list(filter(None, texts))
    return Slot(
        id=name,
        selector=f"^ {selector}",
        type=values.type_of_all(filled),
        names=names,
        coverage=round(len(filled) / len(texts), 3),
        distinct=round(len(set(filled)) / len(filled), 3),
        samples=slots.samples_of(filled),
    )


def _titles_above(tree: Tree, positions: Sequence[int]) -> Counter[str]:
    """Selectors of short elements that are right before the boxes that hold records, several boxes each with its
    own, and how many there are."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    for i in positions[:MAX_RECORDS]:
        box = tree.parent[i]
        for _ in range(3):
            if box <= 0 or box in seen:
                break
            seen.add(box)
            before = _previous(tree, box)
            alike = before >= 0 and tree.tags[before] == tree.tags[box]
            if before >= 0 and not alike and 0 < tree.size[before] <= 80 and tree.end[before] - before <= 4:
                named = [name for name in classes_of(tree.elements[before]) if stability(name) == 2]
                own = f"{tree.tags[before]}.{named[0]}" if named else tree.tags[before]
                title = f"{tree.tags[tree.parent[before]]} > {own}"
                found[title] += 1
                if tree.elements[before].getprevious() is None:  # where what is in the records is called so as well
                    found[f"{title}:has(+ {tree.tags[box]})"] += 1
            box = tree.parent[box]
    return Counter({kind: count for kind, count in found.items() if count >= 2})


def _previous(tree: Tree, i: int) -> int:
    """The sibling with text right before an element, -1 where there is none or text is between."""
    for previous in tree.elements[i].itersiblings("*", preceding=True):
        j = tree.position.get(previous, -1)
        if (previous.tail or "").strip() or j < 0 or tree.size[j]:
            return -1 if (previous.tail or "").strip() else j
    return -1


_HEADING_WORDS = re.compile("head|title|name|group|section|categ|date|day|label", re.I)
_HEADING_TAGS = ("p", "div", "span", "li", "strong", "b", "td", "th")


@lru_cache(maxsize=4096)
def _heading_name(classes: str) -> str:
    """The first telling one of an element's class names where one is that of a heading, else ""."""
    names = [name for name in classes.split() if stability(name) == 2 and css.is_identifier(name)]
    return names[0] if any(map(_HEADING_WORDS.search, names)) else ""


def _heading_kind(tree: Tree, j: int) -> str:
    """A selector of elements like this one, where it may be a heading of records; "" where it can't."""
    tag, element, parent = tree.tags[j], tree.elements[j], tree.parent[j]
    if tag in _HEADS:
        return tag
    if tag == "th" and element.getprevious() is None:
        return "th:nth-of-type(1)"
    if tag in _HEADING_TAGS and (name := _heading_name(element.get("class") or "")):
        return f"{tag}.{name}"
    if tag == "p" and tree.size[j] < 80:
        return tag
    if tag in ("b", "strong") and tree.size[parent] == tree.size[j] < 80 and tree.tags[parent] in ("p", "div", "td"):
        return f"{tree.tags[parent]} > {tag}"
    cells = tables.cells_of(element) if tag == "tr" else []
    if len(cells) == 1 and cells[0].get("colspan") and text_of(cells[0]):
        return f"tr:has(> {cells[0].tag}[colspan])"
    return ""


# Headings above the records that say when: the year of the days below, the month of a calendar.

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MAX_HEADING = 80


def marks_before(tree: Tree, selector: str, positions: Sequence[int]) -> list[int]:
    """For each record the nearest match that starts before it in the document, -1 where there is none."""
    marks = [tree.position[e] for e in css.selected(tree, selector) if e in tree.position]
    return [marks[at - 1] if (at := bisect_left(marks, i)) else -1 for i in positions]


def texts_of(tree: Tree, marks: Sequence[int]) -> list[str]:
    """Their texts, "" where there is none."""
    texts = {mark: text_of(tree.elements[mark]) if mark >= 0 else "" for mark in set(marks)}
    return [texts[mark] for mark in marks]


def when_of(tree: Tree, positions: Sequence[int], section: Slot | None) -> Slot | None:
    """The slot of the nearest headings that say a year over each record. None where the headings that the records are
    under say it, or none does."""
    if section is not None and all(map(_YEAR.search, section.samples)):
        return None
    for tag in (tag for tag in (*reversed(HEADINGS), "caption") if tag in tree.named):
        texts = texts_of(tree, marks_before(tree, tag, positions))
        if all(len(text) <= MAX_HEADING and _YEAR.search(text) for text in texts):
            return _slot_above("when", tag, texts, "year", "month")
    return None
