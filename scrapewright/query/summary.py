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
    keys = (f"{key.column}, {'high to low' if key.descending else 'low to high'}" for key in query.order)
    said = [
        *(("from", url) for url in query.urls or ["no address was found in the request"]),
        ("search for", query.search),
        ("rows", "one") if query.single else ("a row is", query.row_is),
        ("under the heading", query.section),
        *(("field", _field(field)) for field in query.fields),
        ("fields", "" if query.fields else "as the page names them"),
        ("pages", _paging(query)),
        ("open each row's link", query.follow),
        *(("rows", _filter(wanted)) for wanted in query.filters),
        ("no two rows with the same", ", ".join(query.distinct)),
        ("order", ", then ".join(keys)),
        ("at most", f"{query.limit} row{'s' * (query.limit != 1)}" if query.limit is not None else ""),
        ("write", query.output_name + ("" if query.format_said else " (not said)")),
        *(("not understood", phrase) for phrase in query.unread),
        ("doubtful", query.doubtful),
    ]
    return [f"{label}: {text}" for label, text in said if text]


def _field(field: Field) -> str:
    kind = _TYPE_WORDS.get(field.type, "")
    said = [
        kind if field.typed or not kind else f"{kind}, by its name",
        "absolute" * field.absolute,
        f"written {field.date_format}" if field.date_format else "",
        "may be missing" * field.optional,
    ]
    return f"{field.name} ({'; '.join(filter(None, said))})" if any(said) else field.name


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
