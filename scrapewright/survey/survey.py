"""The pure part of a survey: from fetched pages to what they offer, ranked for a query."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.query.model import Query
from scrapewright.survey import candidates, embedded, feeds, pairs, records
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.dom import Tree
from scrapewright.survey.model import Group, Survey, SurveyedPage
from scrapewright.survey.rank import ranked
from scrapewright.web.page import Page

KEPT = 6
TRIED = 12


def survey_pages(query: Query, pages: Sequence[Page]) -> Survey:
    """The survey of a query's start pages. The groups are those of the first page; nothing is fetched."""
    documents = [parse(page) for page in pages]
    return survey_documents(query, pages, documents)


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
            found.extend(filter(None, (pairs.page_group(tree), pairs.meta_group(document.root))))
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
