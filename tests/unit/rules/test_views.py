"""What can be read out of a slot: its whole text and its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.programmers.rules.choose import candidates
from scrapewright.programmers.rules.offers import fitted
from scrapewright.programmers.rules.ops import run
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import families, views
from scrapewright.query.reading import Column, Field, Reading
from scrapewright.survey.model import Slot
from tests.unit.rules.helpers import produced, served
from tests.unit.rules.test_questions import brief_of
from tests.unit.survey.helpers import survey_pages


def test_a_class_word_without_what_all_of_them_begin_with() -> None:
    slot = Slot(id="s0", selector="i.flag", attr="class")
    texts = ["flag flag-it", "flag flag-jp", "flag flag-us"]
    assert ["it", "jp", "us"] in [[run(view.ops, text) for text in texts] for view in views(slot, texts)]


def test_what_an_attribute_quotes_is_a_piece_of_it() -> None:
    slot = Slot(id="s1", selector="a.bid", attr="aria-label", type="text")
    view = View(slot=slot, values=("Put “Blue bowl” on my list", "Put “Old clock” on my list"))
    pieces = [piece.values for family in families([view]) for piece in family.pieces]
    assert ("Blue bowl", "Old clock") in pieces


def test_a_code_behind_a_label_is_its_whole_token() -> None:
    lots = ("Lot No. 1204", "Lot No. 88", "Lot No. 7-B-2", "Lot No 915")
    assert ("1204", "88", "7-B-2", "915") in [view.values for view in views(Slot(id="s2", selector="td"), lots)]


@pytest.mark.parametrize(
    ("values", "bare"),
    [
        (("1. Oak", "2. Elm", "3. Ash"), True), (("7) Oak", "9) Elm", "10) Ash"), True),
        (("3. Oak", "2. Elm", "1. Ash"), False), (("1. Oak", "Elm", "3. Ash"), False),
        (("1.5 Oak", "2.5 Elm", "3.5 Ash"), False),
    ],
)  # fmt: skip
def test_what_counts_the_records_can_be_left_off(values: tuple[str, ...], bare: bool) -> None:
    assert (("Oak", "Elm", "Ash") in [view.values for view in views(Slot(id="s3", selector="a"), values)]) is bare


@pytest.mark.parametrize(
    "record", ["<b>{}. {}</b> <i>{}</i>", "<h3>{}. {}</h3><p>{}</p>", "<a>{}. {}</a> by <i>{}</i>"]
)
def test_what_counts_the_records_takes_no_other_columns_place(record: str, tmp_path: Path) -> None:
    books = [("Rath", "Cara Lind"), ("Weir", "Otto Bain"), ("Ford", "Mia Holt"), ("Lock", "Ned Pace")]
    items = "".join(f"<li>{record.format(n, *book)}</li>" for n, book in enumerate(books, 1))
    with served({"/": f"<html><body><ol>{items}</ol></body></html>"}) as site:
        brief = brief_of(site, Column("title"), Column("author"))
        rows = produced(brief, tmp_path)
    assert [row["author"] for row in rows] == [author for _, author in books]


@pytest.mark.parametrize("names", [("floor", "name"), ("name", "floor")])
def test_what_is_beside_a_name_is_offered_to_that_column_alone(names: tuple[str, ...]) -> None:
    with served({"/": "<html><body><h1>Flat 12</h1><p class=facts>Third floor</p></body></html>"}) as site:
        url = site.base + "/"
        reading = Reading(text=url, urls=(url,), columns=tuple(map(Column, names)), single=True)
        pages = {url: site.page("/")}
        survey = survey_pages(reading, list(pages.values()))
        place = candidates(reading, survey, Reader(survey, pages))[0].place
        offered = {name: [view.texts for view in place.every_view(Field(name))] for name in names}
    assert ["Third"] in offered["floor"]
    assert ["Third"] not in offered["name"]


@pytest.mark.parametrize(("text", "rest"), [("3rd floor", "3rd"), ("Floor: 3", "3"), ("the floors", ""), ("floor", "")])
def test_what_is_beside_the_columns_own_name_is_offered(text: str, rest: str) -> None:
    with served({"/": f"<html><body><h1>Flat</h1><p class=facts>{text}</p></body></html>"}) as site:
        url = site.base + "/"
        reading = Reading(text=url, urls=(url,), columns=(Column("floor"),), single=True)
        pages = {url: site.page("/")}
        survey = survey_pages(reading, list(pages.values()))
        place = candidates(reading, survey, Reader(survey, pages))[0].place
        found = {
            text for view in place.every_view(Field("floor")) if view.ops or view.slot.label for text in view.texts
        }
    assert (rest in found) if rest else not found & {"the", "s"}


@pytest.mark.parametrize(
    ("slot", "values", "offered"),
    [
        (Slot(id="s3", selector="a", attr="href"), ("42", "oak"), True),
        (Slot(id="s4", selector="b"), ("42", "oak"), False),
        (Slot(id="s5", selector="b"), ("17.50", "9.00"), False),
        (Slot(id="s6", selector="b"), ("mill.example/a", "/b"), True),
        (Slot(id="s7", selector="p a", attr="href", many=True), ("/a; /b", "/c", "/d; /e"), False),
    ],
    ids=["a link", "words", "prices", "written out", "several in one"],
)
def test_what_can_be_an_address(slot: Slot, values: tuple[str, ...], offered: bool) -> None:
    made = fitted(Field(name="page", type="url"), View(slot=slot, values=values))
    assert (made is not None) is offered


def test_what_markup_in_a_text_says_and_shows(tmp_path: Path) -> None:
    items = "".join(
        f"<item><title>{name}</title><description>&lt;img src='/pics/{name}.png'&gt;&lt;p&gt;Salt &amp;amp; {name}"
        "&lt;/p&gt;</description></item>"
        for name in ("kelp", "dulse", "laver")
    )
    feed = f"<rss version='2.0'><channel><title>Weeds</title>{items}</channel></rss>".encode()
    with served({"/feed.xml": (feed, "application/rss+xml")}) as site:
        columns = (Column("title"), Column("description"), Column("picture", "url"))
        rows = produced(brief_of(site, *columns, page="/feed.xml"), tmp_path)
    assert [row["description"] for row in rows] == ["Salt & kelp", "Salt & dulse", "Salt & laver"]
    assert [row["picture"] for row in rows] == [f"{site.base}/pics/{n}.png" for n in ("kelp", "dulse", "laver")]
