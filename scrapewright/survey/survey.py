"""The pure part of a survey: from fetched pages to what they offer, ranked for a query."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.query.model import Query
from scrapewright.survey import candidates, embedded, feeds, pairs, records
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.dom import Tree
from scrapewright.survey.model import Group, Survey, SurveyedPage
from scrapewright.survey.rank import ranked, serve
from scrapewright.web.page import Page

KEPT = 6
TRIED = 9


def survey_pages(query: Query, pages: Sequence[Page]) -> Survey:
    """The survey of a query's start pages. The groups are those of the first page; nothing is fetched."""
    documents = [parse(page) for page in pages]
    return survey_documents(query, pages, documents)


def on_second_page(
    query: Query, first: Document, second: Document, groups: Sequence[Group]
) -> tuple[tuple[Group, ...], bool]:
    """The groups with slots that hold on both pages, and whether the second page has records that the first has not.

    The groups keep their order and the first page's counts.
    """
    if first.kind != "html" or second.kind != "html" or second.root.find("body") is None:
        others = groups_of(query, second)
        same = [g for g in others if groups and g.selector == groups[0].selector and g.source == groups[0].source]
        return tuple(groups), bool(same) and same[0].sample != groups[0].sample
    out, same_shape = [], False
    for number, group in enumerate(groups):
        if group.source or group.kind not in ("list", "table"):
            if group.source and number == 0:
                there = [
                    g for g in embedded.json_groups(second) if g.source == group.source and g.selector == group.selector
                ]
                same_shape = bool(there) and there[0].sample != group.sample
            out.append(group)
            continue
        merged = records.over_two_pages(group, first.root, second.root)
        out.append(merged or group)
        if number == 0:
            same_shape = merged is not None
    return tuple(out), same_shape


def survey_documents(query: Query, pages: Sequence[Page], documents: Sequence[Document]) -> Survey:
    """As survey_pages, from documents already parsed."""
    first = documents[0]
    groups = groups_of(query, first)
    return Survey(
        pages=tuple(surveyed(page, document) for page, document in zip(pages, documents, strict=True)),
        groups=groups,
        base=first.base,
    )


def surveyed(page: Page, document: Document) -> SurveyedPage:
    return SurveyedPage(
        url=page.url,
        status=page.status,
        media_type=page.media_type,
        encoding=document.encoding,
        declared=document.declared,
        bytes=len(page.body),
        title=document.title,
        language=document.language,
    )


def groups_of(query: Query, document: Document, keep: int = KEPT) -> tuple[Group, ...]:
    """Every kind of group that a document offers, ranked."""
    found: list[Group] = []
    if document.kind == "html":
        body = document.root.find("body")
        if body is not None:
            tree = Tree(body)
            found.extend(_lists(tree))
            if query.single or max((serve(query, group) for group in found), default=0.0) < 0.5:
                found.extend(filter(None, (pairs.page_group(tree),)))
        found.extend(filter(None, (pairs.meta_group(document.root),)))
        found.extend(embedded.json_groups(document))
    elif document.kind == "xml":
        found.extend(feeds.groups(document.root))
    elif document.kind == "json":
        found.extend(embedded.json_groups(document))
    return ranked(query, found, keep)


def _lists(tree: Tree) -> list[Group]:
    out: list[Group] = []
    seen: set[tuple[str, int]] = set()
    for number, candidate in enumerate(candidates.find(tree)[:TRIED]):
        group = records.group_of(tree, candidate, number)
        if group is not None and (group.selector, group.count) not in seen:
            seen.add((group.selector, group.count))
            out.append(group)
    return out
