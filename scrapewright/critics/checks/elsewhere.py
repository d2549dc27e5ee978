"""Records of another shape beside the rows' own: a list set in two boxes, of which one was read."""

from __future__ import annotations

from urllib.parse import urlsplit

from scrapewright.critics.bench import Bench, shown
from scrapewright.critics.document import Model
from scrapewright.critics.headings import heading_above
from scrapewright.critics.normal import squash
from scrapewright.session.verdict import Finding
from scrapewright.survey.observe import target_kind

_BESIDE = frozenset(("nav", "aside", "footer", "header", "form"))
_NUMERIC = frozenset(("int", "float", "date", "datetime"))
LEAST = 3
_LOOKED_AT = 40


def elsewhere(bench: Bench) -> list[Finding]:
    """Links to the same kind of pages as the records' own, under the records' heading, of which no row was made.

    Each must stand in a line with figures where the request asks for figures, as a record would.
    """
    evidence = bench.evidence
    if bench.narrowed or not evidence.rows or evidence.step > 1:  # or they are those of rows that were not looked for
        return []
    figures = any(field.type in _NUMERIC for field in evidence.fields.values())
    findings: list[Finding] = []
    for page, model in evidence.models:
        records = evidence.records_on(model)
        spans = [(place.node, model.end[place.node]) for place in records]
        texts = {n.flat for row in evidence.rows for n in evidence.needles[row].values() if n.flat}
        links = [link for link in model.links if link.tag == "a"]
        own = [link for link in links if _within(link.node, spans) and squash(model.said(link.node)) in texts]
        kinds = {_kind(link.url) for link in own}
        if len(records) < LEAST or len(own) < LEAST or len(kinds) != 1 or "" in kinds:
            continue
        heads = {heading_above(model, link.node) for link in own[:_LOOKED_AT]}
        seen = {link.url for link in own}
        left: dict[str, str] = {}
        for link in links:
            said = model.said(link.node)
            if _kind(link.url) not in kinds or link.url in seen or not said or _within(link.node, spans):
                continue
            line = _line(model, link.node)
            if squash(said) in texts or line < 0 or heading_above(model, link.node) not in heads:
                continue
            rest = model.said(line).replace(said, "", 1)
            if rest.strip() and (not figures or any(c.isdigit() for c in rest)):
                left[link.url] = said
        if len(left) >= max(LEAST, 0.3 * len(records)):
            sample = shown(next(iter(left.values())))
            message = f"{len(left)} more records of another shape on {bench.pages[page].url} have no row: {sample!r}"
            total = str(len(records) + len(left))
            findings.append(Finding("too-few-rows", message, expected=total, got=str(len(records))))
    return findings


def _within(node: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= node < last for first, last in spans)


def _kind(url: str) -> str:
    return f"{urlsplit(url).netloc} {kind}" if (kind := target_kind(url)) else ""


def _line(model: Model, node: int) -> int:
    """The nearest element around a link that says more than the link; -1 for one in a menu or beside the content."""
    found, above = -1, model.parent[node]
    while above >= 0:
        if model.tag[above] in _BESIDE:
            return -1
        if found < 0 and model.x1[above] - model.x0[above] > model.x1[node] - model.x0[node]:
            found = above
        above = model.parent[above]
    return found
