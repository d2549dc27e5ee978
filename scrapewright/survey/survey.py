"""The pure part of a survey: from fetched pages to what they offer, ranked for a query."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from itertools import islice

import msgspec

from scrapewright.query.reading import Field, Reading
from scrapewright.survey import candidates, embedded, feeds, formed_groups, page_record, records
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import Tree
from scrapewright.survey.model import Group, SurveyedPage
from scrapewright.survey.rank import fit, heads, names_section, ranked, serve
from scrapewright.web.page import Page

KEPT = 10
TRIED = 14
"""Sets of elements that are made groups: those that hold most."""
SURELY_TRIED, LEAST_SHARE = 4, 0.04
"""So many of them, and others only where they hold that share of what the best one holds."""
TRIED_BY_NAME = 4
"""Of the others those that a heading is above which names what is wanted."""
WELL = 0.8
"""How well a list serves a request from which on it is what is meant, and the page is not looked at as one record."""


def on_second_page(first: Document, second: Document, groups: Sequence[Group]) -> tuple[tuple[Group, ...], bool]:
    """The groups with slots that hold on both pages, and whether the second page has records that the first has not.

    The groups keep their order and the first page's counts.
    """
    data = feeds.groups(second.root) if second.kind == "xml" else embedded.json_groups(second)
    there = {(group.source, group.selector): group.sample for group in data}
    out, others = [], []
    for group in groups:
        found = None
        if first.kind == second.kind == "html" and not group.source and group.kind in ("list", "table"):
            found = records.over_two_pages(group, first.root, second.root)
            others.append(found is not None)
        else:
            others.append(there.get((group.source, group.selector), group.sample) != group.sample)
        out.append(found or group)
    return tuple(out), any(others[:1])


def surveyed(page: Page, document: Document) -> SurveyedPage:
    return SurveyedPage(
        url=page.name or page.url,
        status=page.status,
        media_type=page.media_type,
        encoding=document.encoding,
        declared=document.declared,
        bytes=len(page.body),
        title=document.title,
        language=document.language,
        error=page.error,
    )


def groups_of(query: Reading, document: Document) -> tuple[Group, ...]:
    """Every kind of group that a document offers, ranked."""
    found: list[Group] = []
    if document.kind == "html":
        body = document.root.find("body")
        tree = Tree(body) if body is not None else None
        found.extend(_lists(query, tree) if tree is not None else ())
        found.extend(group for group in embedded.json_groups(document) if group.count > 1)
        served = max((serve(query, group) for group in found), default=0.0)
        whole = query.single or (query.one_or_several and served < WELL)
        if whole or served < 0.5:  # where several are wanted, what a page says beside its text is of none of them
            data = [_fitting(query, one) for one in embedded.objects(document, partial(serve, query))] if whole else []
            markup = [group for group in found if not group.source] if whole else ()
            page = page_record.page_group(document.root, tree, data, markup, whole=whole)
            found.extend(filter(None, (page,)))
    elif document.kind == "xml":
        found.extend(feeds.groups(document.root))
    elif document.kind == "json":
        found.extend(embedded.json_groups(document))
    return ranked(query, found, KEPT)


def _fitting(query: Reading, group: Group) -> Group:
    """The group, those of its slots first that are called as a column is: of many the first ones are looked at."""
    fields = [Field(name=field.name, type=field.type) for field in query.fields]
    best = {slot.id: max((fit(field, slot) for field in fields), default=0.0) for slot in group.slots}
    return msgspec.structs.replace(group, slots=tuple(sorted(group.slots, key=lambda slot: -best[slot.id])))


def _lists(query: Reading, tree: Tree) -> list[Group]:
    found: list[tuple[Group, list[int]]] = []
    seen: set[tuple[str, int]] = set()
    tried = candidates.find(tree)
    if query.section:  # those under its heading before all others
        above = {id(one): records.headings_of(tree, one.members[0], one.members[-1]) for one in tried}
        tried.sort(key=lambda one: not any(names_section(query, heading) for heading in above[id(one)]))
    called = (one for one in tried[TRIED:] if heads(query, records.context_of(tree, one.members[0], one.members[-1])))
    first = [
        one for n, one in enumerate(tried[:TRIED]) if n < SURELY_TRIED or one.score >= LEAST_SHARE * tried[0].score
    ]
    for number, candidate in enumerate([*first, *islice(called, TRIED_BY_NAME)]):
        made = records.group_of(tree, candidate, number)
        if made is not None and (made[0].selector, made[0].count) not in seen:
            seen.add((made[0].selector, made[0].count))
            found.append(made)
    return _weighed(query, tree, [*found, *formed_groups.groups(tree)])


def _weighed(query: Reading, tree: Tree, found: list[tuple[Group, list[int]]]) -> list[Group]:
    """The groups, those made less of that hold a part of a better whole, or several records in each of theirs."""
    served = [serve(query, group) for group, _ in found]
    sets = [set(positions) for _, positions in found]
    out = []
    for k, (group, positions) in enumerate(found):
        factor = 1.0
        for other, (_, others) in enumerate(found):
            if other == k or served[other] < 0.75 * served[k]:
                continue
            if len(positions) <= 0.85 * len(others) and sets[k] < sets[other]:
                factor = min(factor, 0.5)
            elif sets[other] < sets[k] and len(others) > 0.8 * len(positions) and served[other] > served[k]:
                factor = min(factor, 0.5)  # what it has more of are others than the records
            elif served[k] == 0 or len(others) < (1.5 if served[other] < 0.95 * served[k] else 1.0) * len(positions):
                continue
            elif _holds_several(tree, group, positions, others):
                factor = min(factor, 0.25 if served[other] >= served[k] else 0.5)
        out.append(msgspec.structs.replace(group, score=group.score * factor) if factor < 1 else group)
    return out


def _holds_several(tree: Tree, group: Group, outer: list[int], inner: list[int]) -> bool:
    """Whether most of the inner elements lie, two or more alike together, in the outer ones (or in the siblings that
    belong to these: a heading with its list)."""
    run = candidates.run_of(tree, outer)
    parents = {tree.parent[o] for o in outer}
    alike = run > 1 and all(tree.parent[i] in parents for i in inner)  # the siblings are records themselves
    # Cells that serve as well as their rows, under no headings, are records side by side.
    cells = all(tree.tags[i] == "td" for i in inner) and not any(slot.header for slot in group.slots)
    if not alike and not cells and not any(slot.many for slot in group.slots):
        return False
    ordered = sorted(inner)
    ends = (tree.end[[o, *islice(tree.behind(o), run)][-1]] for o in outer)
    inside = [bisect_left(ordered, end) - bisect_right(ordered, o) for o, end in zip(outer, ends, strict=True)]
    several = sum(1 for n in inside if n >= 2)
    # A day's box with one event in it is no event, where another day's has two.
    return sum(inside) >= 0.9 * len(inner) and (several >= 0.5 * len(outer) or (several > 0 and all(inside)))
