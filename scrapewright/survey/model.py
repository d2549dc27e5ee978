"""What a survey found. Plain data: the rules programmer, the model's digest and the critics read it alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec

from scrapewright.query.reading import FieldType, Reading

T = TypeVar("T")
_STEPS = re.compile(r"(?:\+ )*(?:\+$)?")
SAMPLE_AT_MOST = 6_000
"""Characters of a record that are kept as on the page."""
Form = Literal["", "run", "parts", "text", "blocks"]
PageVerdict = Literal["ok", "blocked", "javascript", "not-html", "empty", "login", "error"]


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in every record of a group where a value is.

    `selector` is CSS relative to the record, as soupsieve's `select` reads it ("" is the record itself). Each leading
    "+ " steps to the next sibling element of the record first ("+ td a" selects in the next sibling, "+ + " is the one
    after it). A leading "^ " selects in the document: the nearest match that starts before the record (a section's
    heading, or a value that is only in the first record of its run).
    `attr` is "text", "tail" (the text right behind the element, up to the next element), or the attribute's name.
    `index` picks the nth match (0-based, negative from the end) where the selector alone matches several. `own`: only
    the element's own text nodes, not its children's. `many`: a list of all matches.
    For groups of kind json the selector is a dotted path in the record ("author.name", "offers.0.price"; "tags.*.name"
    with `many` goes through a list; "" is the record itself).
    Texts are normalised as `" ".join(element.get_text(" ").split())`.
    `coverage` and `distinct` are shares of records from 0.0 to 1.0; `samples` are normalised texts, a few of them.
    `label` is text that comes before the value on the page ("Price:"), or that every value starts with; `header` the
    table column's heading.
    """

    id: str
    selector: str
    attr: str = "text"
    index: int = 0
    own: bool = False
    many: bool = False
    type: FieldType = "text"
    names: tuple[str, ...] = ()
    label: str = ""
    header: str = ""
    coverage: float = 1.0
    distinct: float = 1.0
    samples: tuple[str, ...] = ()
    vocabulary: tuple[str, ...] = ()
    """Where the value is one of a few words (a rating in a class name): those words, as found."""
    framed: bool = False
    """It is in the page's frame: its navigation, header, footer or an aside."""
    data: str = ""
    """Where the value is in data of the page: the name of one of the group's `data`. `selector` is a path in it."""

    @property
    def above(self) -> bool:
        """Whether it selects in the document, before the record."""
        return self.selector.startswith("^ ")

    @property
    def steps(self) -> int:
        """How many elements behind the record it selects."""
        return _STEPS.match(self.selector)[0].count("+")  # type: ignore[index]  # it matches nothing, too

    @property
    def inner(self) -> str:
        """The selector from where it starts: the document, the record or the element behind it."""
        return self.selector[2:] if self.above else _STEPS.sub("", self.selector, 1)

    def pick(self, matches: list[T]) -> list[T]:
        """Of all that the selector matches in one record what the slot names."""
        if self.many or not self.inner:
            return matches
        return [matches[self.index]] if -len(matches) <= self.index < len(matches) else []


class Data(msgspec.Struct, frozen=True):
    """A JSON object in the page, beside its markup. `source` and `selector` say where it is, as in `Group`."""

    name: str
    source: str
    selector: str


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A set of records of one shape.

    `kind`: list (repeated elements), table (rows under a header), feed (items of an RSS or Atom document: parse with
    the "xml" parser, prefixed names are written `dc|date`), page (the page as one record: labels and values, meta tags,
    and the `data` that describe it), json (records in a script or in a JSON answer).
    `selector` selects the records in the whole document. For json it is a dotted path to the array after `source`
    ("" where the source is the array itself; "*" at its end: the values of an object); for source "ld+json" it is the
    @type of the objects, wherever they are in the page's ld+json scripts (in lists, under @graph, nested).
    `source` says where the JSON is: a CSS selector of a script that holds nothing else, "attr NAME TAG" (an
    attribute), "ld+json", "body" (the page is JSON), "var NAME" (what a script gives a variable or a function),
    "js NAME" (the same, written as JavaScript has it), "flight" (the first line with that path of what Next.js
    streams), or "url URL" (an answer of the endpoint in `Survey.apis`). Where `source` is empty the selectors are CSS.
    `skip`: so many records at the start and at the end are none.
    """

    id: str
    kind: Literal["list", "table", "feed", "page", "json"]
    selector: str
    count: int
    slots: tuple[Slot, ...] = ()
    score: float = 0.0
    source: str = ""
    skip: tuple[int, int] = (0, 0)
    headings: tuple[str, ...] = ()
    """What the group is under, the nearest first: its caption or label, the heading above it, those above that one."""
    region: str = ""
    """The landmark it is in: main, nav, header, footer, aside, or empty."""
    sample: str = ""
    """The first record's outer HTML (or JSON), at most SAMPLE_AT_MOST characters."""
    spans: bool = False
    """Cells of the rows span others: each is to be repeated in all rows and columns that it spans before the slots are
    selected in the rows (see tables.unspanned)."""
    section: str = ""
    """CSS selector (document) of headings that the records are under, where there are several: a slot of its own."""
    form: Form = ""
    """How the selected elements become records, in which the slots are selected (see survey.forms).

    "": each is one. run: each with all that follows it, up to the next one or to a match of `until`, in a box. parts:
    what is in them between `breaks` line breaks in a row, headings or drawn lines, each in a box. text: their lines,
    each a row of td cells that are cut where `cuts` says, with the line's links behind them. blocks: what is between
    their blank lines, each a row of td cells, one a line, and its links.
    """
    until: str = ""
    breaks: int = 0
    cuts: tuple[int, ...] = ()
    data: tuple[Data, ...] = ()
    """Objects in the page's scripts that say more of its one record (see `Slot.data`)."""

    @property
    def following(self) -> int:
        """How many elements behind each record belong to it: its slots step to them."""
        return max((slot.steps for slot in self.slots), default=0)

    def home(self, slot: Slot) -> tuple[Group, Slot]:
        """The group of JSON records in which a slot of `data` is, and its slot there; else the two themselves."""
        if not slot.data:
            return self, slot
        data = next(data for data in self.data if data.name == slot.data)
        inner = Group(f"{self.id}:{data.name}", "json", data.selector, 1, source=data.source)
        return inner, msgspec.structs.replace(slot, data="")

    @property
    def context(self) -> str:
        """The nearest of its headings, empty where it has none."""
        return self.headings[0] if self.headings else ""


class NextPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to get to the next page. `how`: link (follow `selector`'s href), param (count `param` up), numbers (the link
    whose text is the current number plus one), json (a value in the answer names it), form (press `selector`'s control,
    which sends its form: see survey.submissions), none.

    `verified`: page 2 was fetched and holds records of the same shape, other than page 1's; `url` is then its name
    among the session's pages. For form `script` is the control's attribute that calls __doPostBack, empty for a button;
    `numbered`: of the controls it is that with the next number, as its text or at the end of its argument.
    """

    how: Literal["link", "param", "numbers", "json", "form", "none"] = "none"
    selector: str = ""
    text: str = ""
    url: str = ""
    param: str = ""
    start: int = 1
    step: int = 1
    verified: bool = False
    last: int | None = None
    script: Literal["", "href", "onclick"] = ""
    numbered: bool = False


class Search(msgspec.Struct, frozen=True):
    """A search form that is sent by POST: `selector` finds it in the page at `url`, `field` takes the words `text`,
    `button` is the name and value of the button that sends it (empty where it has no name)."""

    url: str
    selector: str
    field: str
    text: str
    button: tuple[str, str] = ("", "")


class Api(msgspec.Struct, frozen=True, omit_defaults=True):
    """A JSON endpoint that the page's scripts call."""

    url: str
    param: str = ""
    records: str = ""
    count: int = 0


class SurveyedPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One page that the survey fetched. `encoding` is what the bytes decode as, `declared` where that was said; `error`
    is that of the page where no answer came."""

    url: str
    status: int
    media_type: str = ""
    encoding: str = "utf-8"
    declared: Literal["header", "bom", "meta", "xml", "guess", ""] = ""
    bytes: int = 0
    title: str = ""
    language: str = ""
    error: str = ""


class Survey(msgspec.Struct, frozen=True, omit_defaults=True):
    """The survey of a query's start pages. `groups` are ranked for this query, best first, at most a few.

    Survey of several start URLs: `pages` has one for each, and the groups are of the first.
    `detail` is the survey of a page behind a record's link, where the query asks to follow; `follow_slot` is the id of
    the slot (in groups[0]) that leads there.
    """

    pages: tuple[SurveyedPage, ...]
    verdict: PageVerdict = "ok"
    reason: str = ""
    groups: tuple[Group, ...] = ()
    next: NextPage = NextPage()
    apis: tuple[Api, ...] = ()
    detail: Survey | None = None
    follow_slot: str = ""
    feeds: tuple[str, ...] = ()
    base: str = ""
    search: Search | None = None
    """The form that leads to the pages; None where their own addresses do."""
    drawn: bool = False
    """The pages are as a browser draws them, and programs have to ask for them so (see web.render)."""
    notes: tuple[str, ...] = ()

    @property
    def page(self) -> SurveyedPage:
        return self.pages[0]

    @property
    def urls(self) -> list[str]:
        """The pages that hold what was found, those behind the records' links among them."""
        found = [page.url for page in self.pages] + [self.next.url]
        found += [group.source[4:] for group in self.groups if group.source.startswith("url ")]
        return found + (self.detail.urls if self.detail is not None else [])


def leaves_pages_open(query: Reading, groups: Sequence[Group]) -> bool:
    """Whether nothing says how many pages are meant. A list that the page's script loads is read to its end, as it is
    seen by scrolling.
    """
    scrolled = bool(groups) and groups[0].source.startswith("url ")
    return query.paging == "unsaid" and query.limit is None and not query.single and not scrolled


def to_json(survey: Survey) -> bytes:
    return msgspec.json.encode(survey)


def from_json(data: bytes | str | Any) -> Survey:
    return msgspec.json.decode(data, type=Survey)
