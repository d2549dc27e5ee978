"""A reading taken apart into what a person can correct, and put together again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar, cast, get_args
from urllib.parse import urlsplit

import msgspec

from scrapewright.query.model import Doubt, Field, FieldType, Filter, Format, Order, Query

T = TypeVar("T")
Op = Literal["eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "ends", "exclude"]

_SIGNS: dict[str, Op] = {"<=": "le", ">=": "ge", "!=": "ne", "<": "lt", ">": "gt", "=": "eq"}
_WORDS: dict[str, Op] = {"contains": "contains", "lacks": "lacks", "ends with": "ends"}
_SAID = {op: sign for sign, op in (_SIGNS | _WORDS).items()}
_TYPES: tuple[str, ...] = get_args(FieldType)
_FORMATS: tuple[str, ...] = get_args(Format)
_FIELD = re.compile(
    rf"(?P<name>.+?)(?:\s*:\s*(?P<type>{'|'.join(sorted(_TYPES, key=len, reverse=True))})"
    r"(?P<flags>(?:\s*,\s*(?:optional|absolute))*)(?:\s*,\s*written (?P<written>.+))?)?",
    re.DOTALL,
)
_FILTER = re.compile(
    r"(?P<field>.*?)\s*(?P<op><=|>=|!=|<|>|=|\bcontains\b|\blacks\b|\bends with\b)\s*(?P<value>.*)", re.DOTALL
)
_LEAVE_OUT = "leave out "
_DOWN = re.compile(r"\s+(?:desc|descending|down|high to low)$", re.IGNORECASE)
_UP = re.compile(r"\s+(?:asc|ascending|up|low to high)$", re.IGNORECASE)


class BadCorrection(ValueError):
    """What was written can't stand there; the message says what can."""


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


def parts(query: Query) -> tuple[Part, ...]:
    """All that can be corrected, in the order in which it is read. Keys of fields, filters and of what was not
    understood are numbered; the number after the last adds one."""
    from scrapewright.query.weight import how_to_say

    found = [
        Part("sites", "from", " ".join(query.urls), "one or more addresses, with spaces between them"),
        Part("subject", "a row is", " ".join(query.subject), "what a row is, in a word or two: book, car park"),
        Part("rows", "rows", "one" if query.single else "", "one, for a single row about the page; empty for a list"),
        Part("section", "under the heading", query.section, "the heading that the rows stand under"),
    ]
    found += [
        Part(f"field.{n}", "field", _field_text(field), _HELP_FIELD, many=True) for n, field in enumerate(query.fields)
    ]
    found += [
        Part("paging", "pages", _paging_text(query), "all, first, a number of pages, or empty where it is not said"),
        Part("follow", "open each row's link", " ".join(query.follow), "words of the link to open for each row"),
    ]
    found += [
        Part(f"filter.{n}", "only rows", _filter_text(f), _HELP_FILTER, many=True) for n, f in enumerate(query.filters)
    ]
    found += [
        Part(
            "order",
            "order",
            ", ".join(map(_order_text, query.order)),
            "field names, each with desc to count down: price desc, title",
        ),
        Part(
            "limit", "at most", "" if query.limit is None else str(query.limit), "how many rows at most: a whole number"
        ),
        Part("distinct", "no two rows with the same", ", ".join(query.distinct), "names of fields: title, url"),
        Part("format", "write as", query.format, f"one of {', '.join(_FORMATS)}"),
        Part("file", "file", query.filename, "a file name without a folder, such as books.csv; empty for rows.FORMAT"),
    ]
    weighty = {doubt.text for doubt in query.doubts}
    for n, phrase in enumerate(query.unread):
        if not any(phrase in text for text in weighty):
            found.append(Part(f"unread.{n}", "not understood", phrase, _HELP_UNREAD, doubtful=True, many=True))
    for n, doubt in enumerate(query.doubts):
        said = f"{how_to_say(doubt)}; delete it where it does not matter"
        found.append(Part(f"doubt.{n}", "not understood", doubt.text, said, doubtful=True, many=True))
    return tuple(found)


def corrected(query: Query, key: str, text: str) -> Query:
    """The reading with that part as `text` says; an empty text takes the part out. Raises BadCorrection."""
    kind, _, number = key.partition(".")
    text = " ".join(text.split())
    if kind in _LISTS and number.isdecimal():
        return _LISTS[kind](query, int(number), text)
    if kind in _SINGLE and not number:
        return _SINGLE[kind](query, text)
    raise BadCorrection(f"a reading has no part {key!r}")


# One function a part.


def _sites(query: Query, text: str) -> Query:
    urls = tuple(dict.fromkeys(url if "://" in url else f"https://{url}" for url in text.replace(", ", " ").split()))
    for url in urls:
        try:
            found = urlsplit(url)
            good = found.scheme in {"http", "https"} and bool(found.hostname)
            _ = found.port
        except ValueError:
            good = False
        if not good:
            raise BadCorrection(f"{url} is no address of a web page; write it like https://example.org/books")
    if not urls:
        raise BadCorrection("a request needs the address of a page, like https://example.org/books")
    return msgspec.structs.replace(query, urls=urls)


def _subject(query: Query, text: str) -> Query:
    return msgspec.structs.replace(query, subject=tuple(text.split()))


def _rows(query: Query, text: str) -> Query:
    if text.lower() not in {"", "one", "list"}:
        raise BadCorrection("write one for a single row about the page, or nothing for a list")
    return msgspec.structs.replace(query, single=text.lower() == "one")


def _section(query: Query, text: str) -> Query:
    return msgspec.structs.replace(query, section=text)


def _field(query: Query, number: int, text: str) -> Query:
    before = query.fields[number] if number < len(query.fields) else None
    if not text:
        return msgspec.structs.replace(query, fields=_replaced(query.fields, number, None))
    match = _FIELD.fullmatch(text)
    if match is None or not match["name"].strip():
        raise BadCorrection(_HELP_FIELD)
    name, said = match["name"].strip(), match["type"]
    if match["type"] is None and ":" in name and not _is_address(name):
        raise BadCorrection(f"{name.rpartition(':')[2].strip()!r} is no type; types are {', '.join(_TYPES)}")
    if any(field.name == name for n, field in enumerate(query.fields) if n != number):
        raise BadCorrection(f"there is a field {name!r} already")
    same = before is not None and before.name == name
    kind = cast(FieldType, before.type if said is None and before is not None else said or "text")
    field = Field(
        name=name, type=kind, words=before.words if before is not None and same else tuple(_words_of(name)),
        note=before.note if before is not None and same else "", optional="optional" in (match["flags"] or ""),
        typed=before.typed if before is not None and kind == before.type else said is not None,
        absolute="absolute" in (match["flags"] or ""), date_format=(match["written"] or "").strip(),
    )  # fmt: skip
    if field.date_format and field.type not in {"date", "datetime"}:
        raise BadCorrection(f"only a date is written some way, and {name} is {field.type}")
    if field.absolute and field.type not in {"url", "list"}:
        raise BadCorrection(f"only a link can be absolute, and {name} is {field.type}")
    changed = msgspec.structs.replace(query, fields=_replaced(query.fields, number, field))
    return changed if before is None or same else _renamed(changed, before.name, name)


def _paging(query: Query, text: str) -> Query:
    match text.lower():
        case "":
            return msgspec.structs.replace(query, paging="unsaid", pages=None)
        case "all":
            return msgspec.structs.replace(query, paging="all", pages=None)
        case "first" | "1" | "one" | "this one only":
            return msgspec.structs.replace(query, paging="first", pages=1 if query.pages == 1 else None)
    number = _number(
        text.lower().removeprefix("the ").removeprefix("first "), "pages: all, first, or a number such as 3"
    )
    return msgspec.structs.replace(query, paging="count", pages=number)


def _follow(query: Query, text: str) -> Query:
    return msgspec.structs.replace(query, follow=tuple(text.split()))


def _filter(query: Query, number: int, text: str) -> Query:
    if not text:
        return msgspec.structs.replace(query, filters=_replaced(query.filters, number, None))
    before = query.filters[number] if number < len(query.filters) else None
    if before is not None and " ".join(_filter_text(before).split()) == text:
        return query
    for start in (_LEAVE_OUT, "without ", "not "):
        if text.lower().startswith(start) and text[len(start) :].strip():
            new = Filter(text=text, value=text[len(start) :].strip())
            return msgspec.structs.replace(query, filters=_replaced(query.filters, number, new))
    match = _FILTER.fullmatch(text)
    if match is None or not match["field"].strip() or not match["value"].strip():
        raise BadCorrection(_HELP_FILTER)
    op = (_SIGNS | _WORDS)[match["op"]]
    value = match["value"].strip()
    if op in {"lt", "le", "gt", "ge"} and not any(char.isdigit() for char in value):
        raise BadCorrection(f"{match['field'].strip()} {match['op']} needs a number or a date after it, not {value!r}")
    new = Filter(text=text, field=match["field"].strip(), op=op, value=value)
    return msgspec.structs.replace(query, filters=_replaced(query.filters, number, new))


def _order(query: Query, text: str) -> Query:
    keys: dict[str, Order] = {}
    for said in filter(None, (piece.strip() for piece in text.split(","))):
        down = _DOWN.search(said)
        name = (_DOWN if down else _UP).sub("", said).strip()
        _must_be_field(query, name)
        keys.setdefault(name, Order(name, down is not None))
    return msgspec.structs.replace(query, order=tuple(keys.values()))


def _limit(query: Query, text: str) -> Query:
    number = (
        _number(text.lower().removesuffix(" rows"), "at most: a whole number of rows, such as 50") if text else None
    )
    return msgspec.structs.replace(query, limit=number)


def _distinct(query: Query, text: str) -> Query:
    names = tuple(dict.fromkeys(filter(None, (name.strip() for name in text.split(",")))))
    for name in names:
        _must_be_field(query, name)
    return msgspec.structs.replace(query, distinct=names)


def _format(query: Query, text: str) -> Query:
    wanted = text.lower().lstrip(".")
    for known in get_args(Format):
        if wanted == known:
            name = query.filename
            if known != query.format and name and name.rpartition(".")[2].lower() in _FORMATS:
                name = f"{name.rpartition('.')[0]}.{known}"
            said = query.format_said or known != query.format
            return msgspec.structs.replace(query, format=known, format_said=said, filename=name)
    raise BadCorrection(f"rows are written as {', '.join(_FORMATS)}, not as {text or 'nothing'}")


def _file(query: Query, text: str) -> Query:
    if any(char in text for char in "/\\\0") or text in {".", ".."} or len(text.encode("utf-8", "replace")) > 200:
        raise BadCorrection("a file name without a folder, of at most 200 bytes: books.csv")
    ending = text.rpartition(".")[2].lower() if "." in text else ""
    changed = msgspec.structs.replace(query, filename=text)
    return (
        msgspec.structs.replace(changed, format=ending, format_said=True)
        if ending in _FORMATS and ending != query.format
        else changed
    )


def _unread(query: Query, number: int, text: str) -> Query:
    if number >= len(query.unread):
        raise BadCorrection("what was not understood is not added to")
    if text == " ".join(query.unread[number].split()):
        return query
    if text:
        raise BadCorrection(_HELP_UNREAD)
    return msgspec.structs.replace(query, unread=_replaced(query.unread, number, None))


def _doubt(query: Query, number: int, text: str) -> Query:
    if number >= len(query.doubts):
        raise BadCorrection("what was not understood is not added to")
    doubt: Doubt = query.doubts[number]
    if text == " ".join(doubt.text.split()):
        return query
    if text:
        raise BadCorrection(_HELP_UNREAD)
    rest = tuple(phrase for phrase in query.unread if phrase not in doubt.text)
    return msgspec.structs.replace(query, doubts=_replaced(query.doubts, number, None), unread=rest)


_SINGLE: dict[str, Callable[[Query, str], Query]] = {
    "sites": _sites, "subject": _subject, "rows": _rows, "section": _section, "paging": _paging, "follow": _follow,
    "order": _order, "limit": _limit, "distinct": _distinct, "format": _format, "file": _file,
}  # fmt: skip
_LISTS: dict[str, Callable[[Query, int, str], Query]] = {
    "field": _field, "filter": _filter, "unread": _unread, "doubt": _doubt,
}  # fmt: skip
_HELP_FIELD = f"name: type, with optional, absolute or written %d.%m.%Y after it; types: {', '.join(_TYPES)}"
_HELP_FILTER = "price < 20, title contains mug, colour = red, or leave out adverts"
_HELP_UNREAD = "this was not understood: say it in another part and delete it here"


# Pieces as text, and back.


def _field_text(field: Field) -> str:
    flags = ["optional"] * field.optional + ["absolute"] * field.absolute
    flags += [f"written {field.date_format}"] if field.date_format else []
    return ", ".join([f"{field.name}: {field.type}", *flags])


def _paging_text(query: Query) -> str:
    if query.paging == "count":
        return str(query.pages or "")
    return "" if query.paging == "unsaid" else query.paging


def _filter_text(what: Filter) -> str:
    if what.op == "exclude":
        return f"{_LEAVE_OUT}{what.value or what.text}"
    return f"{what.field} {_SAID[what.op]} {what.value}"


def _order_text(order: Order) -> str:
    return f"{order.field} desc" if order.descending else order.field


def _number(text: str, accepted: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or not 0 < int(digits[:18]) < 10**15 or len(digits) > 15:
        raise BadCorrection(accepted)
    return int(digits)


def _must_be_field(query: Query, name: str) -> None:
    names = [field.name for field in query.fields]
    if names and name not in names and name not in {o.field for o in query.order} | set(query.distinct):
        raise BadCorrection(f"there is no field {name!r}; fields are {', '.join(names)}")


def _is_address(name: str) -> bool:
    return "://" in name


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", name) if word]


def _renamed(query: Query, old: str, new: str) -> Query:
    """What speaks of the field by its name goes on speaking of it."""
    return msgspec.structs.replace(
        query,
        order=tuple(Order(new, o.descending) if o.field == old else o for o in query.order),
        distinct=tuple(new if name == old else name for name in query.distinct),
        filters=tuple(msgspec.structs.replace(f, field=new) if f.field == old else f for f in query.filters),
    )


def _replaced(items: tuple[T, ...], number: int, new: T | None) -> tuple[T, ...]:
    kept = list(items)
    kept[number : number + 1] = [] if new is None else [new]
    return tuple(kept)
