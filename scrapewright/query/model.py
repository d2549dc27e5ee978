"""The reading of a request. Everything above this floor works from a Query, never from the text."""

from __future__ import annotations

from typing import Literal

import msgspec

FieldType = Literal["text", "int", "float", "date", "datetime", "url", "bool", "list"]
PagingMode = Literal["unsaid", "first", "all", "count"]
Format = Literal["csv", "json", "jsonl"]


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One column asked for.

    `name` is the column as it must stand in the output. `words` are what the page may call it (the name split up,
    what the person wrote beside it, synonyms are not added here). `note` is what was written about it, verbatim.
    `optional`: the request itself says that it can be missing.
    """

    name: str
    type: FieldType = "text"
    words: tuple[str, ...] = ()
    note: str = ""
    optional: bool = False
    typed: bool = False
    """The type was said, not guessed from the name."""
    absolute: bool = False
    """A link that was asked for as absolute."""
    date_format: str = ""
    """How a date is to be written, as a strftime pattern; empty means ISO."""


class Filter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows to keep or leave out. `op`: eq, ne, lt, le, gt, ge, contains, lacks, ends (".pdf"), exclude (a kind of row,
    in words)."""

    text: str
    field: str = ""
    op: Literal["eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "ends", "exclude"] = "exclude"
    value: str = ""


class Order(msgspec.Struct, frozen=True):
    """A sort key. An empty tuple of these means the order of the site."""

    field: str
    descending: bool = False


class Doubt(msgspec.Struct, frozen=True):
    """A phrase that was not understood and that bears on which rows are right. `text` as written."""

    text: str
    kind: Literal["number", "order", "condition", "section", "deed", "format", "column"]


class Query(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request, as it was understood.

    `fields` empty: the request names none and the survey's own naming serves. `follow`: words for links of a record to
    be opened for its fields. `unread`: phrases that were not understood, shown to the person before anything runs.
    """

    text: str
    urls: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    subject: tuple[str, ...] = ()
    """What a row is ("book", "car park"): words that help to choose between the page's lists."""
    section: str = ""
    """The heading, as written, of the part of the page that the rows stand in."""
    paging: PagingMode = "unsaid"
    pages: int | None = None
    follow: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: tuple[str, ...] = ()
    single: bool = False
    """One row about the page is wanted, not a list."""
    format: Format = "csv"
    format_said: bool = False
    filename: str = ""
    language: str = "en"
    unread: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    """What of it bears on which rows are right: rows can't be called right as long as these stand."""

    @property
    def output_name(self) -> str:
        """The file that the program is to write, in its working directory."""
        return self.filename or f"rows.{self.format}"
