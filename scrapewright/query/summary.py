"""A reading in plain lines, for the screen and the narration."""

from __future__ import annotations

from scrapewright.query.reading import Field, Filter, Part, Reading

_TYPE_WORDS = {
    "int": "whole number", "float": "number", "date": "date", "datetime": "date and time", "url": "link",
    "bool": "yes or no", "list": "list",
}  # fmt: skip
PART_NAMES: dict[Part, str] = {
    "urls": "addresses", "search": "search", "row_is": "what a row is", "columns": "columns", "pages": "pages",
    "follow": "links to open", "filters": "conditions", "section": "heading", "order": "order",
    "limit": "number of rows", "distinct": "distinct", "single": "one row or a list", "format": "format",
}  # fmt: skip
OPERATORS = {
    "eq": "is", "ne": "is not", "lt": "below", "le": "at most", "gt": "above", "ge": "at least",
    "contains": "contains", "lacks": "lacks", "starts": "starts with", "ends": "ends with",
}  # fmt: skip


def summary(query: Reading) -> list[str]:
    """What was understood, one fact a line ("label: value"), and what was not. What the request leaves open is left
    out, but for a missing address and missing fields: those are said."""
    lines: list[str] = []
    lines += [f"from: {url}" for url in query.urls] or ["from: no address was found in the request"]
    if query.search:
        lines.append(f"search for: {query.search}")
    if query.single:
        lines.append("rows: one")
    elif query.row_is:
        lines.append(f"a row is: {query.row_is}")
    if query.section:
        lines.append(f"under the heading: {query.section}")
    if query.fields:
        lines += [f"field: {_field(field)}" for field in query.fields]
    else:
        lines.append("fields: as the page names them")
    if paging := _paging(query):
        lines.append(f"pages: {paging}")
    if query.follow:
        lines.append(f"open each row's link: {query.follow}")
    lines += [f"rows: {_filter(f)}" for f in query.filters]
    if query.distinct:
        lines.append(f"no two rows with the same: {', '.join(query.distinct)}")
    if query.order:
        keys = (f"{key.column}, {'high to low' if key.descending else 'low to high'}" for key in query.order)
        lines.append(f"order: {', then '.join(keys)}")
    if query.limit is not None:
        lines.append(f"at most: {query.limit} row{'s' if query.limit != 1 else ''}")
    said = "" if query.format_said else " (not said)"
    lines.append(f"write: {query.output_name}{said}")
    lines += [f"not understood: {phrase}" for phrase in query.unread]
    if query.doubtful:
        lines.append(f"doubtful: {query.doubtful}")
    return lines


def _field(field: Field) -> str:
    parts = []
    if kind := _TYPE_WORDS.get(field.type):
        parts.append(kind if field.typed else f"{kind}, by its name")
    if field.absolute:
        parts.append("absolute")
    if field.date_format:
        parts.append(f"written {field.date_format}")
    if field.optional:
        parts.append("may be missing")
    return f"{field.name} ({'; '.join(parts)})" if parts else field.name


def _paging(query: Reading) -> str:
    if query.paging == "count":
        return f"the first {query.pages}"
    return {"first": "this one only", "all": "all"}.get(query.paging, "")


def _filter(what: Filter) -> str:
    if what.op == "other":
        return what.text
    if what.leaves_out:
        return f"leave out {what.value}"
    return f"only where {what.column or 'the record'} {OPERATORS[what.op]} {what.value}"
