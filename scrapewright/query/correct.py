"""A reading taken apart into what a person can correct, and put together again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast, get_args

import msgspec

from scrapewright.query import reading
from scrapewright.query.notes import Note, read_note
from scrapewright.query.reading import Column, FieldType, Filter, Format, Op, Order, Pages, Reading, Source
from scrapewright.query.tokens import only_quoted

T = TypeVar("T")

_OPERATORS: dict[str, Op] = {
    "<=": "le", ">=": "ge", "!=": "ne", "<": "lt", ">": "gt", "=": "eq",
    "contains": "contains", "lacks": "lacks", "starts with": "starts", "ends with": "ends",
}  # fmt: skip
_SAID = {op: sign for sign, op in _OPERATORS.items()}
_TYPES: tuple[str, ...] = get_args(FieldType)
_FORMATS: tuple[str, ...] = get_args(Format)
_COLUMN = re.compile(
    rf"(?P<name>.+?)(?:\s*:\s*(?P<type>{'|'.join(sorted(_TYPES, key=len, reverse=True))})"
    r"(?:\s*,\s*written (?P<written>.+?))?)?(?:\s*\((?P<note>.*)\))?",
    re.DOTALL,
)
_FILTER = re.compile(
    r"(?P<field>.*?)\s*(?P<op><=|>=|!=|<|>|=|\bcontains\b|\blacks\b|\bstarts with\b|\bends with\b)\s*(?P<value>.*)",
    re.DOTALL,
)
_LEAVE_OUT = "leave out "
_WAY = re.compile(r"\s+(?:(?P<down>desc|descending|down|high to low)|asc|ascending|up|low to high)$", re.IGNORECASE)


class BadCorrection(ValueError):
    """What was written is not valid there; the message says what is."""


@dataclass(frozen=True)
class Part:
    """A piece of a reading. `key` names it to `corrected`, `text` is what can be edited (empty: nothing is said of it),
    `help` says what is accepted. `doubtful`: it was not understood. `many`: there can be others of its kind."""

    key: str
    label: str
    text: str
    help: str
    doubtful: bool = False
    many: bool = False


def parts(query: Reading) -> tuple[Part, ...]:
    """All that can be corrected, in the order in which it is read. Keys of columns, filters and of what was not
    understood are numbered; the number after the last adds one."""
    order = ", ".join(f"{key.column} desc" if key.descending else key.column for key in query.order)
    limit = "" if query.limit is None else str(query.limit)
    pages = "" if query.pages == "unsaid" else str(query.pages)
    fields = [("field", f"column.{n}", column_text(column)) for n, column in enumerate(query.columns)]
    filters = [("only rows", f"filter.{n}", _filter_text(wanted)) for n, wanted in enumerate(query.filters)]
    unread = [("not understood", f"unread.{n}", phrase) for n, phrase in enumerate(query.unread)]
    said = [
        ("from", "sites", " ".join(query.urls)),
        *([("search for", "search", query.search)] if query.search else []),
        ("a row is", "subject", query.row_is),
        ("rows", "rows", "one" if query.single else ""),
        ("under the heading", "section", query.section),
        *fields,
        ("pages", "pages", pages),
        ("open each row's link", "follow", query.follow),
        *filters,
        ("order", "order", order),
        ("at most", "limit", limit),
        ("no two rows with the same", "distinct", ", ".join(query.distinct)),
        ("write as", "format", query.format),
        ("file", "file", query.file),
        *unread,
    ]
    kinds = [key.partition(".")[0] for _, key, _ in said]
    return tuple(
        Part(key, label, text, _HELP[kind], doubtful=kind == "unread", many=kind in _LISTS)
        for kind, (label, key, text) in zip(kinds, said, strict=True)
    )


def corrected(query: Reading, key: str, text: str) -> Reading:
    """The reading with that part as `text` says; an empty text takes the part out. Raises BadCorrection."""
    kind, _, number = key.partition(".")
    text = " ".join(text.split())
    if kind in _LISTS and number.isdecimal():
        changed = _LISTS[kind](query, int(number), text)
    elif kind in _WORDED and not number:
        changed = msgspec.structs.replace(query, **{_WORDED[kind]: only_quoted(text) if kind == "section" else text})
    elif kind in _SINGLE and not number:
        changed = _SINGLE[kind](query, text)
    else:
        raise BadCorrection(f"a reading has no part {key!r}")
    if changed == query:
        return query
    try:
        reading.check(changed)
    except reading.BadReading as error:
        raise BadCorrection(str(error).partition(" - at ")[0]) from error
    person: Source = "person"
    return msgspec.structs.replace(
        changed, sources={**query.sources, **dict.fromkeys(reading.differing(query, changed), person)}
    )


# One function a part.


def _sites(query: Reading, text: str) -> Reading:
    urls = tuple(dict.fromkeys(url if "://" in url else f"https://{url}" for url in text.replace(", ", " ").split()))
    for url in urls:
        if not reading.is_address(url):
            raise BadCorrection(f"{url} is no address of a web page; write it like https://example.org/books")
    if not urls:
        raise BadCorrection("a request needs the address of a page, like https://example.org/books")
    return msgspec.structs.replace(query, urls=urls)


def _rows(query: Reading, text: str) -> Reading:
    if text.lower() not in {"", "one", "list"}:
        raise BadCorrection("write one for a single row about the page, or nothing for a list")
    return msgspec.structs.replace(query, single=text.lower() == "one")


def _column(query: Reading, number: int, text: str) -> Reading:
    before = query.columns[number] if number < len(query.columns) else None
    if not text:
        return msgspec.structs.replace(query, columns=_replaced(query.columns, number, None))
    match = _COLUMN.fullmatch(text)
    if match is None or not match["name"].strip():
        raise BadCorrection(_HELP["column"])
    name, said = match["name"].strip(), match["type"]
    if match["type"] is None and ":" in name and "://" not in name:
        raise BadCorrection(f"{name.rpartition(':')[2].strip()!r} is no type; types are {', '.join(_TYPES)}")
    if any(column.name == name for n, column in enumerate(query.columns) if n != number):
        raise BadCorrection(f"there is a column {name!r} already")
    same = before is not None and before.name == name
    kind = cast("FieldType | None", before.type if said is None and before is not None else said)
    note = (match["note"] or "").strip()
    if before is not None and same and not note and not _shown(before):
        note = before.note  # it says the type alone, and is not shown beside it
    column = Column(name, kind, (match["written"] or "").strip(), note)
    if column.format and kind not in {"date", "datetime"}:
        raise BadCorrection(f"only a date is written some way, and {name} is {kind or 'of no type'}")
    changed = msgspec.structs.replace(query, columns=_replaced(query.columns, number, column))
    return changed if before is None or same else _renamed(changed, before.name, name)


def _pages(query: Reading, text: str) -> Reading:
    said = text.lower().removeprefix("the ").removeprefix("first ")
    pages: Pages
    if said in ("", "all"):
        pages = "all" if said else "unsaid"
    elif said in ("first", "1", "one", "this one only"):
        pages = "first"
    else:
        pages = _number(said, "pages: all, first, or a number such as 3")
    return msgspec.structs.replace(query, pages=pages)


def _filter(query: Reading, number: int, text: str) -> Reading:
    before = query.filters[number] if number < len(query.filters) else None
    if before is not None and " ".join(_filter_text(before).split()) == text:
        return query
    new = _filter_of(text) if text else None
    return msgspec.structs.replace(query, filters=_replaced(query.filters, number, new))


def _filter_of(text: str) -> Filter:
    for start in (_LEAVE_OUT, "without ", "not "):
        if text.lower().startswith(start) and text[len(start) :].strip():
            return Filter(text=text, op="lacks", value=text[len(start) :].strip())
    match = _FILTER.fullmatch(text)
    if match is None:
        return Filter(text=text)
    name, op, value = match["field"].strip(), _OPERATORS[match["op"]], match["value"].strip()
    if not name or not value:
        raise BadCorrection(_HELP["filter"])
    if op in {"lt", "le", "gt", "ge"} and not any(char.isdigit() for char in value):
        raise BadCorrection(f"{name} {match['op']} needs a number or a date after it, not {value!r}")
    return Filter(text=text, column="" if name.lower() == _RECORD else name, op=op, value=value)


def _order(query: Reading, text: str) -> Reading:
    keys: dict[str, Order] = {}
    for said in _names(text):
        way = _WAY.search(said)
        name = _WAY.sub("", said).strip()
        _must_be_column(query, name)
        keys.setdefault(name, Order(name, way is not None and way["down"] is not None))
    return msgspec.structs.replace(query, order=tuple(keys.values()))


def _limit(query: Reading, text: str) -> Reading:
    said = text.lower().removesuffix(" rows")
    number = _number(said, "at most: a whole number of rows, such as 50") if text else None
    return msgspec.structs.replace(query, limit=number)


def _distinct(query: Reading, text: str) -> Reading:
    names = tuple(dict.fromkeys(_names(text)))
    for name in names:
        _must_be_column(query, name)
    return msgspec.structs.replace(query, distinct=names)


def _format(query: Reading, text: str) -> Reading:
    wanted = text.lower().lstrip(".")
    if wanted not in _FORMATS:
        raise BadCorrection(f"rows are written as {', '.join(_FORMATS)}, not as {text or 'nothing'}")
    if wanted == query.format:
        return query
    stem, _, ending = query.file.rpartition(".")
    file = f"{stem}.{wanted}" if ending.lower() in _FORMATS else query.file
    return msgspec.structs.replace(query, format=wanted, format_said=True, file=file)


def _file(query: Reading, text: str) -> Reading:
    if any(char in text for char in "/\\\0") or text in {".", ".."} or len(text.encode("utf-8", "replace")) > 200:
        raise BadCorrection("a file name without a folder, of at most 200 bytes: books.csv")
    ending = text.rpartition(".")[2].lower() if "." in text else ""
    other = ending in _FORMATS and ending != query.format
    changed = {"format": ending, "format_said": True} if other else {}
    return msgspec.structs.replace(query, file=text, **changed)


def _unread(query: Reading, number: int, text: str) -> Reading:
    if number >= len(query.unread):
        raise BadCorrection("what was not understood is not added to")
    if text == " ".join(query.unread[number].split()):
        return query
    if text:
        raise BadCorrection(_HELP["unread"])
    return msgspec.structs.replace(query, unread=_replaced(query.unread, number, None))


_WORDED = {"subject": "row_is", "search": "search", "section": "section", "follow": "follow"}
"""The parts of a reading that any words may be."""
_SINGLE: dict[str, Callable[[Reading, str], Reading]] = {
    "sites": _sites, "rows": _rows, "pages": _pages,
    "order": _order, "limit": _limit, "distinct": _distinct, "format": _format, "file": _file,
}  # fmt: skip
_LISTS: dict[str, Callable[[Reading, int, str], Reading]] = {
    "column": _column, "filter": _filter, "unread": _unread,
}  # fmt: skip
_RECORD = "the record"
_HELP = {
    "sites": "one or more addresses, with spaces between them",
    "search": "what to type into the search form of the page; empty for none",
    "subject": "what a row is, in a word or two: book, car park",
    "rows": "one, for a single row about the page; empty for a list",
    "section": "the heading that the rows are under",
    "column": "name: type, with written %d.%m.%Y after it for a date, and words about it in brackets; "
    f"types: {', '.join(_TYPES)}",
    "pages": "all, first, a number of pages, or empty where it is not said",
    "follow": "words of the link to open for each row",
    "filter": "price < 20, title contains mug, the record lacks sold, leave out adverts, or any words",
    "order": "column names, each with desc to count down: price desc, title",
    "limit": "how many rows at most: a whole number",
    "distinct": "names of columns: title, url",
    "format": f"one of {', '.join(_FORMATS)}",
    "file": "a file name without a folder, such as books.csv; empty for rows.FORMAT",
    "unread": "this was not understood: say it in another part and delete it here",
}


# Pieces as text, and back.


def column_text(column: Column) -> str:
    """The column as it can be edited: name, type, how a date is written, note."""
    text = f"{column.name}: {column.type}" if column.type else column.name
    text += f", written {column.format}" if column.format else ""
    return f"{text} ({column.note})" if _shown(column) else text


def _shown(column: Column) -> bool:
    """Whether the note says more than the column's type."""
    note = read_note(column.note)
    return bool(column.note) and not (column.type == note.type and note == Note(note.type))


def _filter_text(what: Filter) -> str:
    if what.op == "other":
        return what.text
    return f"{_LEAVE_OUT}{what.value}" if what.leaves_out else f"{what.column or _RECORD} {_SAID[what.op]} {what.value}"


def _names(text: str) -> list[str]:
    return [name for piece in text.split(",") if (name := piece.strip())]


def _number(text: str, accepted: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or not 0 < int(digits[:18]) < 10**15 or len(digits) > 15:
        raise BadCorrection(accepted)
    return int(digits)


def _must_be_column(query: Reading, name: str) -> None:
    names = [column.name for column in query.columns]
    if names and name not in names and name not in {o.column for o in query.order} | set(query.distinct):
        raise BadCorrection(f"there is no column {name!r}; columns are {', '.join(names)}")


def _renamed(query: Reading, old: str, new: str) -> Reading:
    """What speaks of the column by its name goes on speaking of it."""
    return msgspec.structs.replace(
        query,
        order=tuple(Order(new, o.descending) if o.column == old else o for o in query.order),
        distinct=tuple(new if name == old else name for name in query.distinct),
        filters=tuple(msgspec.structs.replace(f, column=new) if f.column == old else f for f in query.filters),
    )


def _replaced(items: tuple[T, ...], number: int, new: T | None) -> tuple[T, ...]:
    kept = list(items)
    kept[number : number + 1] = [] if new is None else [new]
    return tuple(kept)
