"""The reading of a request: what was asked for, as one typed value with a JSON form.

Everything above this floor works from a Reading and the request's own words. Three make readings: the grammar of this
package, a model (in the reply that holds its first program) and a person (the form on Home, `--reading FILE`);
`sources` says of each part who said it last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec

if TYPE_CHECKING:
    from scrapewright.query.fields import Said
    from scrapewright.query.filters import Wording

FieldType = Literal["text", "int", "float", "date", "datetime", "url", "bool", "list"]
Format = Literal["csv", "json", "jsonl"]
Op = Literal["eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "starts", "ends", "other"]
Pages = Literal["unsaid", "first", "all"] | int
Source = Literal["grammar", "model", "person"]
Part = Literal[
    "urls", "search", "row_is", "columns", "pages", "follow", "filters", "section", "order", "limit", "distinct",
    "single", "format",
]  # fmt: skip

COLUMNS_AT_MOST = 200
READING_AT_MOST = 48 * 1024
"""Bytes of a reading's JSON: it is part of one event."""


class BadReading(ValueError):
    """A reading that can't be used; the message says where in it and what is accepted."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One column asked for. `name` is the column's name in the output.

    `type` None: nobody said it. `format`: a strftime pattern for dates, empty for ISO. `note`: the request's own words
    about the column.
    """

    name: str
    type: FieldType | None = None
    format: str = ""
    note: str = ""


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """Rows to keep. `text`: the request's words. `column` empty: the condition is on the record, not on a column.

    Texts are compared without regard to case; numbers and dates as such. `other`: none of the operators says it.
    """

    text: str
    column: str = ""
    op: Op = "other"
    value: str = ""

    @property
    def field(self) -> str:
        return self.column

    @property
    def title(self) -> str:
        """What questions and decisions call it: its words, 200 characters at most."""
        return " ".join(self.text.split())[:200]

    @cached_property
    def said(self) -> Wording:
        """What its words say."""
        from scrapewright.query.filters import Wording

        return Wording(self)

    @property
    def leaves_out(self) -> bool:
        """Whether it names records that are not wanted, wherever in the record that is said."""
        return self.op == "lacks" and not self.column

    @property
    def on_column(self) -> bool:
        """Whether it compares the values of a column."""
        return bool(self.column) and self.op != "other"


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A sort key. No keys at all means the order of the site."""

    column: str
    descending: bool = False

    @property
    def field(self) -> str:
        return self.column


class LikelyPages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many pages a request likely means where it is not certain: `text` says it, with this `likelihood`."""

    pages: Pages
    likelihood: float
    text: str


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A request, as it was understood.

    `columns` empty: the request names none, and the survey's own naming serves. `pages`: "first" (the addresses given
    alone), "all", a number of pages, or "unsaid". `follow`: the words about the link of a record to be opened for its
    columns. `search`: what to type into the search form of the page, whose results are then the first page. `section`:
    the heading that the records are under. `single`: one row about the page, not a list. `unread`: the phrases that
    were not understood, verbatim. `doubtful`: a sentence for people, never a finding.
    """

    text: str = ""
    urls: tuple[str, ...] = ()
    search: str = ""
    row_is: str = ""
    columns: tuple[Column, ...] = ()
    pages: Pages = "unsaid"
    follow: str = ""
    filters: tuple[Filter, ...] = ()
    section: str = ""
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: tuple[str, ...] = ()
    single: bool = False
    format: Format = "csv"
    format_said: bool = False
    file: str = ""
    """The name of the file to write, where the request gives one."""
    doubtful: str = ""
    unread: tuple[str, ...] = ()
    likely_pages: LikelyPages | None = None
    """For somebody to confirm, where `pages` is "unsaid"."""
    sources: dict[Part, Source] = {}

    @property
    def says_address_alone(self) -> bool:
        """Whether nothing says which records or columns are wanted."""
        words = self.row_is, self.columns, self.follow, self.search, self.section
        said = *words, self.filters, self.unread, self.single
        return len(self.urls) == 1 and not any(said)

    @property
    def one_or_several(self) -> bool:
        """Whether nothing says if one row about the page is meant or a list."""
        of_lists = self.follow, self.filters, self.section, self.order, self.limit, self.distinct
        said = self.single or "single" in self.sources or self.pages != "unsaid" or any(of_lists)
        return bool(self.columns) and not said

    @cached_property
    def not_read(self) -> tuple[Filter, ...]:
        """The phrases that were not read, each as the condition that it may be."""
        return tuple(Filter(text=phrase) for phrase in self.unread)

    @property
    def output_name(self) -> str:
        """The file that the program is to write, in its working directory."""
        return self.file or f"rows.{self.format}"

    @property
    def fields(self) -> tuple[Field, ...]:
        """The columns with what their notes say of them."""
        from scrapewright.query.fields import fields_of

        return fields_of(self.columns)

    @property
    def page_count(self) -> int | None:
        """The number of pages asked for; None where it is not a number."""
        return self.pages if isinstance(self.pages, int) else 1 if self.pages == "first" else None

    @property
    def paging(self) -> Literal["unsaid", "first", "all", "count"]:
        """`pages`, with "count" for a number."""
        return "count" if isinstance(self.pages, int) else self.pages

    @property
    def subject(self) -> tuple[str, ...]:
        """The words of what a row is."""
        return tuple(self.row_is.lower().split())

    @cached_property
    def subject_words(self) -> tuple[str, ...]:
        """The same, as words of pages are compared."""
        from scrapewright.query.lexicon import tokens

        return tuple(word for phrase in self.subject for word in tokens(phrase))

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """The same in the singular."""
        from scrapewright.query.lexicon import singular

        return tuple(map(singular, self.subject_words))

    @cached_property
    def language(self) -> str:
        """The code of the language that the request is written in ("en")."""
        from scrapewright.query.tokens import language_of

        return language_of(_ADDRESS.sub(" ", self.text.lower()))


class Field(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """A column with what its name and note say: for choosing its place on a page and for judging its values.

    `type`: said, or guessed from the name where `typed` is false. `kinds`: the types that it may be and how likely each
    is, where nothing says it for certain. `words`: what the page may call it. `optional`: it may be missing.
    `absolute`: a link that was asked for as absolute. `date_format`: a strftime pattern, empty for ISO.
    `nth`: (1-based number, how many) where columns of one name are numbered, as team1 and team2 are; else (0, 0).
    """

    name: str
    type: FieldType = "text"
    words: tuple[str, ...] = ()
    note: str = ""
    optional: bool = False
    typed: bool = False
    absolute: bool = False
    date_format: str = ""
    nth: tuple[int, int] = (0, 0)
    kinds: tuple[tuple[FieldType, float], ...] = ()

    @cached_property
    def said(self) -> Said:
        """What its name and its note say, in words."""
        from scrapewright.query.fields import Said

        return Said(self)

    @cached_property
    def variants(self) -> tuple[tuple[Field, float], ...]:
        """The field as each of the types that it may be, and how likely each is; the guess first, 0.0 where it is none
        of these."""
        if not self.kinds:
            return ((self, 1.0),)
        shares = dict(self.kinds)
        others = [(kind, share) for kind, share in self.kinds if kind != self.type]
        of_others = [(msgspec.structs.replace(self, type=kind), share) for kind, share in others]
        return ((self, shares.get(self.type, 0.0)), *of_others)


# JSON.

_ADDRESS = re.compile(r"https?://\S+")
_NULLABLE = ("search", "row_is", "follow", "section", "limit", "file", "doubtful", "column", "format", "type")


def from_json(data: bytes | str, text: str = "") -> tuple[Reading, tuple[Part, ...]]:
    """A reading from its JSON object, and the parts that it has. `text`: the request's own words.

    Raises BadReading with the place: unknown keys, wrong types, addresses that are none, keys of `order` and
    `distinct` that are no columns.
    """
    if len(data) > READING_AT_MOST:
        raise BadReading(f"a reading may have {READING_AT_MOST >> 10} KB at most")
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadReading(f"this is no JSON: {error}") from error
    return from_builtins(raw, text)


def from_builtins(raw: Any, text: str = "") -> tuple[Reading, tuple[Part, ...]]:
    """As `from_json`, of the decoded object."""
    from scrapewright.query.notes import without_iso
    from scrapewright.query.tokens import only_quoted

    if not isinstance(raw, dict):
        raise BadReading("a reading is a JSON object: see `scrapewright schema reading`")
    raw = _without_nulls(raw)
    for wanted in raw["filters"] if isinstance(raw.get("filters"), list) else ():
        if isinstance(wanted, dict) and type(wanted.get("value")) in (int, float):
            wanted["value"] = str(wanted["value"])
    try:
        reading = msgspec.convert(raw, Reading)
    except msgspec.ValidationError as error:
        raise BadReading(f"{error}; `scrapewright schema reading` says what is accepted") from error
    check(reading)
    given = tuple(part for part in get_args(Part) if part in raw)
    columns = tuple(msgspec.structs.replace(c, format=without_iso(c.type, c.format)) for c in reading.columns)
    section = only_quoted(reading.section)
    reading = msgspec.structs.replace(reading, text=text or reading.text, columns=columns, section=section)
    return reading, given


def check(reading: Reading) -> None:
    """Raises BadReading where parts of a reading can't be, or contradict each other."""
    for place, url in enumerate(reading.urls):
        if not is_address(url):
            raise BadReading(f"{url!r} is no address of a web page (http or https) - at `$.urls[{place}]`")
    names = [column.name for column in reading.columns]
    if len(names) > COLUMNS_AT_MOST:
        raise BadReading(f"a reading may have {COLUMNS_AT_MOST} columns at most - at `$.columns`")
    for place, name in enumerate(names):
        if not name.strip():
            raise BadReading(f"a column needs a name - at `$.columns[{place}].name`")
        if name in names[:place]:
            raise BadReading(f"there are two columns {name!r} - at `$.columns[{place}].name`")
    for place, column in enumerate(reading.columns):
        if column.format and column.type not in (None, "date", "datetime", "text", "list"):
            raise BadReading(
                f"only dates and times have a format, and {column.name!r} is {column.type} - at `$.columns[{place}]`"
            )
    for at, name in enumerate(reading.distinct):
        if names and name not in names:
            raise BadReading(f"{name!r} is no column; columns are {', '.join(names)} - at `$.distinct[{at}]`")
    for number, what in ((reading.page_count, "pages"), (reading.limit, "limit")):
        if number is not None and not 0 < number < 10**9:
            raise BadReading(f"{number} is no number of {'rows' if what == 'limit' else 'pages'} - at `$.{what}`")
    name = reading.file
    if any(char in name for char in "/\\\0") or name in {".", ".."} or len(name.encode("utf-8", "replace")) > 200:
        raise BadReading("a file name is one without a folder, of at most 200 bytes: books.csv - at `$.file`")


def to_builtins(reading: Reading) -> dict[str, Any]:
    """The reading as JSON types, every part named; null where nothing is said."""
    data: dict[str, Any] = _builtins(reading)
    return data


def _builtins(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        parts = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: None if name in _NULLABLE and part == "" else _builtins(part) for name, part in parts.items()}
    return [_builtins(one) for one in value] if isinstance(value, tuple) else value


def schema() -> dict[str, Any]:
    """The JSON Schema of a reading."""
    components = msgspec.json.schema(Reading)
    for definition in components.get("$defs", {}).values():
        for name, prop in definition.get("properties", {}).items():
            if name in _NULLABLE and "default" in prop:
                nothing = {"type": "null"}
                known = {key: prop.pop(key) for key in [*prop] if key != "default"}
                prop["anyOf"] = [*known["anyOf"], nothing] if "anyOf" in known else [known, nothing]
    return components


def is_address(url: str) -> bool:
    """Whether it is an absolute address of a web page, with http or https and a host."""
    try:
        found = urlsplit(url)
        _ = found.port
    except ValueError:
        return False
    return found.scheme in {"http", "https"} and bool(found.hostname)


# Whose word counts.


def combined(below: Reading, above: Reading, parts: Iterable[Part], source: Source) -> Reading:
    """`below` with the named parts of `above`, which is `source`'s; what a person said of `below` is kept where it is
    not a person who says otherwise. Phrases that were not understood count for nothing once somebody has read it all:
    who says the columns, or a model where there are none.
    """
    taken: Mapping[Part, Source] = {
        part: source for part in parts if source == "person" or below.sources.get(part) != "person"
    }
    changes: dict[str, Any] = {part: getattr(above, part) for part in taken}
    if "format" in taken:
        changes["format_said"] = above.format_said
        changes["file"] = above.file or (below.file if below.format == above.format else "")
    if "urls" in taken and not above.urls:
        del changes["urls"]
    return msgspec.structs.replace(
        below,
        **changes,
        sources={**below.sources, **{part: who for part, who in taken.items() if part in changes}},
        doubtful=above.doubtful or below.doubtful,
        unread=() if "columns" in taken or (source == "model" and not below.columns) else below.unread,
    )


def differing(one: Reading, other: Reading) -> tuple[Part, ...]:
    """The parts that two readings say differently. Types and notes of columns count."""
    return tuple(part for part in get_args(Part) if getattr(one, part) != getattr(other, part))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value
